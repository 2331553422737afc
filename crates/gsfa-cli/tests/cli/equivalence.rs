//! The command line is the library: the same bits, for any number of threads, in one run or from shards.

use crate::support::{Folder, npy, npy_single, numbers, table};
use gsfa::Model;
use gsfa::graph::{Ell, GraphInput};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::network::{InputShape, LayerSpec, NetworkSpec};
use gsfa::readout::{GaussianClassifier, Readout};
use ndarray::Array2;

const FLAGS: &str = "--graph ell --targets 3 --network linear --ridge 0.001 --readout soft-gc";

fn samples(rows: &[[f64; 4]]) -> Array2<f64> {
    Array2::from_shape_fn((rows.len(), 4), |(n, i)| rows[n][i])
}

#[test]
fn train_and_predict_give_the_bits_of_the_library() {
    let folder = Folder::new();
    let (train, test) = (table(150, 1), table(70, 2));
    folder.write("train.csv", &train);
    folder.write("test.csv", &test);
    folder.ok(&format!("train --data train.csv --learn age --ignore kind {FLAGS} -o m.gsfa"));
    folder.ok("predict m.gsfa --data test.csv -o e.csv");

    let (rows, ages) = numbers(&train);
    let labels = Labels::numbers("age", ages);
    let graph = Ell { targets: Some(3), ..Ell::default() }.build(&GraphInput::new(&labels)).unwrap();
    let layer = LayerSpec { ridge: 0.001, ..LayerSpec::new(3) };
    let spec = NetworkSpec::new(InputShape::vector(4), vec![layer]);
    let trained = spec.fit(&samples(&rows).view(), &graph).unwrap();
    let weights = SampleWeights::uniform(labels.len());
    let readout = Readout::SoftGc(GaussianClassifier::default());
    let fitted = readout.fit_all(trained.features.view(), &labels, &weights, None).unwrap();
    let model = Model::load(folder.file("m.gsfa")).unwrap();
    assert_eq!(model.readouts()[0].fitted, fitted[0].fitted);
    assert_eq!(model.readouts()[0].settings, Some(readout));
    let test = samples(&numbers(&test).0);
    let features = trained.network.apply(&test.view()).unwrap();
    assert_eq!(model.features(&test.view()).unwrap(), features);

    let estimates = model.readouts()[0].estimate(features.view()).unwrap();
    let written = folder.read("e.csv");
    let cells: Vec<Vec<f64>> =
        written.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    for (n, row) in cells.iter().enumerate() {
        assert_eq!(row[1], estimates.numbers().unwrap()[n]);
        assert_eq!(row[2], estimates.standard_deviation.as_ref().unwrap()[n]);
        assert_eq!(row[3], estimates.outlier_score.as_ref().unwrap()[n]);
    }
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::new();
    crate::support::images(&folder, "x", 100, 16);
    folder.write(
        "net.toml",
        "[[layers]]\nfield = [8, 8]\npca = { components = 20 }\nexpansion = { kind = 'expo' }\noutput_dim = 5\n[[layers]]\noutput_dim = 3\n",
    );
    let bytes = |name: &str| std::fs::read(folder.file(name)).unwrap();
    for network in ["auto", "net.toml"] {
        let line = format!("train --data x --labels x.csv --network {network} --targets 3 --readout soft-gc --force");
        folder.ok(&format!("{line} --threads 1 -o one.gsfa"));
        folder.ok(&format!("{line} --threads 2 -o two.gsfa"));
        assert_eq!(bytes("one.gsfa"), bytes("two.gsfa"), "{network}");
        folder.ok("predict one.gsfa --data x --threads 1 -o one.csv --force");
        folder.ok("predict two.gsfa --data x --threads 2 -o two.csv --force");
        assert_eq!(bytes("one.csv"), bytes("two.csv"), "{network}");
    }
}

/// A cascade of three layers, two of which take two passes: from pass to pass with `gsfa advance`, against one run; and
/// whatever is out of turn is refused with what to do.
#[test]
fn shards_train_networks_of_several_passes() {
    let folder = Folder::new();
    let csv = table(170, 1);
    let (rows, _) = numbers(&csv);
    folder.write("all.npy", npy(&rows));
    folder.write("labels.csv", &csv);
    let cuts = [0, 70, 170];
    for (k, cut) in cuts.windows(2).enumerate() {
        folder.write(&format!("part{k}.npy"), npy(&rows[cut[0]..cut[1]]));
    }
    folder.write(
        "net.toml",
        "[[layers]]\nstandardize = true\nexpansion = { kind = 'polynomial', degree = 2 }\nridge = 0.01\noutput_dim = 4\n\
         [[layers]]\nridge = 0.01\noutput_dim = 4\n\
         [[layers]]\nclip = { sigmas = 3.0 }\nskip = { feature_scale = 2.0 }\nridge = 0.01\noutput_dim = 2\n",
    );
    let flags = "--labels labels.csv --learn age --targets 2 --network net.toml --no-calibrate";
    folder.ok(&format!("train --data all.npy {flags} -o one.gsfa"));
    assert_eq!(folder.json(&format!("prepare --data part0.npy {flags} -o 1.state"))["passes"], 5);
    for pass in 1..=5 {
        let state = format!("{pass}.state");
        for k in [1, 0] {
            let line = format!("accumulate {state} part{k}.npy --first-row {} -o {k}.{pass}", cuts[k]);
            let done = folder.json(&line);
            assert_eq!((&done["pass"], &done["passes"]), (&pass.into(), &5.into()));
        }
        folder.json(&format!("merge {state} 0.{pass} 1.{pass} -o all.{pass}"));
        if pass < 5 {
            let early = folder.fails(&format!("solve {state} all.{pass} -o x.gsfa"), 2, "takes 5 passes");
            assert!(early.contains(&format!("this is pass {pass}")) && early.contains("gsfa advance"), "{early}");
            let lacking = folder.fails(&format!("advance {state} 1.{pass} -o x.state"), 3, "100 of the graph's 170");
            assert!(lacking.contains(&format!("1.{pass}")), "{lacking}");
            let next = format!("{}.state", pass + 1);
            let ended = folder.json(&format!("advance {state} all.{pass} -o {next}"));
            assert_eq!(ended["pass"], pass);
            let old = folder.fails(&format!("merge {next} all.{pass} -o x"), 3, &format!("sums of pass {pass}"));
            assert!(old.contains(&format!("at pass {}", pass + 1)), "{old}");
        }
    }
    folder.fails("advance 5.state all.5 -o x.state", 2, "is the last: gsfa solve");
    folder.fails("accumulate all.5 part0.npy -o x", 3, "no job and no state");
    let mut damaged = std::fs::read(folder.file("3.state")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    folder.write("damaged.state", &damaged);
    folder.fails("accumulate damaged.state part0.npy -o x", 3, "damaged");
    // Other samples than in the first pass, a value that is missing, sums that lack a shard.
    let mut other = rows[..70].to_vec();
    other[7][0] += 1e-3;
    folder.write("other.npy", npy(&other));
    folder.fails("accumulate 2.state other.npy --first-row 0 -o x", 3, "sample 7 is not the one that earlier passes");
    other[7][0] = f64::NAN;
    folder.write("other.npy", npy(&other));
    for state in ["1.state", "2.state"] {
        let missing = folder.fails(&format!("accumulate {state} other.npy --first-row 0 -o x"), 3, "other.npy");
        assert!(missing.contains("row 7") && missing.contains("clean the shard"), "{missing}");
    }
    let lacking = folder.fails("solve 5.state 1.5 --shards part0.npy part1.npy -o x.gsfa", 3, "1.5");
    assert!(lacking.contains("100 of the graph's 170"), "{lacking}");
    folder.fails(&format!("prepare --data part0.npy {flags} --copies 5 -o x.job"), 2, "--copies is for gsfa train");
    folder.ok("solve 5.state all.5 --shards part1.npy part0.npy -o shards.gsfa");
    let (one, shards) =
        (Model::load(folder.file("one.gsfa")).unwrap(), Model::load(folder.file("shards.gsfa")).unwrap());
    assert_eq!(one.header().network, shards.header().network);
    let x = samples(&rows);
    let (a, b) = (one.features(&x.view()).unwrap(), shards.features(&x.view()).unwrap());
    let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-8, "{worst}");
    let estimates = |model: &Model| format!("{:.6?}", model.estimate(&x.view()).unwrap());
    assert_eq!(estimates(&one), estimates(&shards));
}

/// Shards of arrays in any order, against one run.
#[test]
fn shards_give_the_model_of_one_run() {
    let folder = Folder::new();
    let csv = table(170, 1);
    let (rows, _) = numbers(&csv);
    folder.write("all.npy", npy(&rows));
    folder.write("labels.csv", &csv);
    let cuts = [0, 40, 41, 120, 170];
    for (k, cut) in cuts.windows(2).enumerate() {
        folder.write(&format!("part{k}.npy"), npy(&rows[cut[0]..cut[1]]));
    }
    for graph in ["--learn age --graph ell --targets 3", "--learn age --graph serial --groups 7", "--learn kind"] {
        let flags = format!("--labels labels.csv {graph} --network linear --ridge 0.001 --force");
        folder.ok(&format!("train --data all.npy {flags} -o one.gsfa"));
        let plan = folder.json(&format!("prepare --data part0.npy {flags} -o p.job"));
        assert_eq!(plan["samples"], 170);
        for k in [2, 0, 3, 1] {
            let first = cuts[k];
            let done = folder.json(&format!("accumulate p.job part{k}.npy --first-row {first} -o {k}.moments --force"));
            assert_eq!(done["rows"], cuts[k + 1] - first);
        }
        let stderr = folder.fails("merge p.job 0.moments 1.moments 0.moments -o x.moments", 3, "0.moments");
        assert!(stderr.contains("rows 0 to 39"), "{stderr}");
        let some = folder.json("merge p.job 3.moments 1.moments -o some.moments --force");
        assert_eq!((&some["rows"], &some["shards"]), (&51.into(), &2.into()));
        folder.fails("solve p.job some.moments -o x.gsfa", 3, "51 of the graph's 170 samples");
        folder.ok("merge p.job 2.moments some.moments 0.moments -o all.moments --force");
        folder.ok("solve p.job all.moments --shards part0.npy part1.npy part2.npy part3.npy -o shards.gsfa --force");
        let (one, shards) =
            (Model::load(folder.file("one.gsfa")).unwrap(), Model::load(folder.file("shards.gsfa")).unwrap());
        let x = samples(&rows);
        let (a, b) = (one.features(&x.view()).unwrap(), shards.features(&x.view()).unwrap());
        let worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "{graph}: {worst}");
        let (one, shards) = (
            folder.json("evaluate one.gsfa --data all.npy --labels labels.csv"),
            folder.json("evaluate shards.gsfa --data all.npy --labels labels.csv"),
        );
        for key in ["rmse", "error_rate"] {
            let number = |value: &serde_json::Value| value["labels"][0][key].as_f64().unwrap_or(0.0);
            assert!((number(&one) - number(&shards)).abs() < 1e-8);
        }
    }
    // Another job, a damaged file, an unknown row.
    folder.ok("prepare --data part0.npy --labels labels.csv --learn age --graph ell --network linear -o other.job");
    folder.fails("merge other.job 0.moments -o x.moments", 3, "these sums do not belong to the job");
    folder.fails("accumulate p.job part0.npy -o x.moments", 2, "which of the 170 samples");
    folder.fails("accumulate p.job part0.npy --first-row 160 -o x.moments", 3, "160 to 199");
    folder.fails("accumulate labels.csv part0.npy -o x.moments", 3, "no job");
    // More groups than are worth a sum each: neighbours across shards.
    folder.write("many.csv", table(600, 1));
    folder.ok("prepare --data part0.npy --labels many.csv --learn age --graph reordering --network linear -o r.job");
    folder.fails("accumulate r.job part0.npy --first-row 0 -o x.moments", 2, "connects single samples");
    // Without the shards there are features, but no estimates.
    folder.ok("solve p.job all.moments -o bare.gsfa");
    folder.ok("transform bare.gsfa --data all.npy -o f.csv");
    folder.fails("predict bare.gsfa --data all.npy", 2, "no read-out");
}

/// Single precision, far from zero: the worst case for sums about different shifts.
#[test]
fn shards_of_single_precision_give_the_model_of_one_run() {
    let folder = Folder::new();
    let csv = table(1300, 3);
    let rows: Vec<[f32; 4]> = numbers(&csv).0.iter().map(|row| row.map(|x| x as f32 + 50.0)).collect();
    folder.write("all.npy", npy_single(&rows));
    folder.write("labels.csv", with_weights(&csv));
    let cuts = [0, 700, 705, 1300];
    for graph in ["--learn age --targets 3", "--learn age --graph serial --groups 7 --weights w", "--learn kind"] {
        let flags = format!("--labels labels.csv {graph} --network linear --force");
        folder.ok(&format!("train --data all.npy {flags} -o one.gsfa"));
        folder.ok(&format!("prepare --data all.npy {flags} -o p.job"));
        for (k, cut) in cuts.windows(2).enumerate() {
            folder.write(&format!("part{k}.npy"), npy_single(&rows[cut[0]..cut[1]]));
            folder.ok(&format!("accumulate p.job part{k}.npy --first-row {} -o {k}.moments --force", cut[0]));
        }
        folder.ok("merge p.job 2.moments 0.moments 1.moments -o all.moments --force");
        folder.json("solve p.job all.moments --shards part0.npy part1.npy part2.npy -o shards.gsfa --force");
        let values = |model: &str| -> Vec<f64> {
            let json = folder.json(&format!("transform {model} --data all.npy"));
            json["values"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|row| row.as_array().unwrap().clone())
                .map(|x| x.as_f64().unwrap())
                .collect()
        };
        let worst =
            values("one.gsfa").iter().zip(&values("shards.gsfa")).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-10, "{graph}: {worst}");
        let estimates = |model: &str| folder.ok(&format!("predict {model} --data all.npy"));
        let (one, shards) = (estimates("one.gsfa"), estimates("shards.gsfa"));
        for (a, b) in one.lines().zip(shards.lines()).skip(1) {
            let pair = |line: &str| line.split(',').nth(1).unwrap().to_string();
            match (pair(a).parse::<f64>(), pair(b).parse::<f64>()) {
                (Ok(a), Ok(b)) => assert!((a - b).abs() < 1e-9, "{a} {b}"),
                _ => assert_eq!(pair(a), pair(b)),
            }
        }
    }
}

fn with_weights(csv: &str) -> String {
    let line =
        |(n, line): (usize, &str)| if n == 0 { format!("{line},w\n") } else { format!("{line},{}\n", 1 + n % 4) };
    csv.lines().enumerate().map(line).collect()
}

#[test]
fn shards_of_images_are_found_by_name() {
    let folder = Folder::new();
    crate::support::images(&folder, "x", 60, 8);
    folder.ok("train --data x --labels x.csv --network linear --ridge 0.01 -o one.gsfa");
    for n in 0..60 {
        let name = format!("{n:03}.pgm");
        let bytes = std::fs::read(folder.file(&format!("x/{name}"))).unwrap();
        folder.write(&format!("{}/{name}", if n % 3 == 0 { "left" } else { "right" }), bytes);
    }
    folder.ok("prepare --data left --labels x.csv --network linear --ridge 0.01 -o p.job");
    folder.ok("accumulate p.job left -o left.moments");
    folder.ok("accumulate p.job right -o right.moments");
    folder.ok("merge p.job right.moments left.moments -o all.moments");
    folder.ok("solve p.job all.moments --shards left right -o shards.gsfa");
    let numbers = |name: &str| -> Vec<f64> {
        let csv = folder.ok(&format!("predict {name} --data x"));
        csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect()
    };
    let (one, shards) = (numbers("one.gsfa"), numbers("shards.gsfa"));
    let worst = one.iter().zip(&shards).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-10, "{worst}");
}
