//! What is said, read as a person reads it: singular and plural, names once, digits that say something.

use crate::support::{Draws, Folder, images, npy, numbers, table};

#[test]
fn inspect_says_what_was_asked_for_chosen_and_done_in_words() {
    let folder = Folder::new();
    folder.write("t.csv", table(80, 1));
    folder.ok("train --data t.csv --learn age --ignore kind --readout soft-gc --graph serial --groups 5 --network linear -o s.gsfa");
    let text = folder.ok("inspect s.gsfa");
    for part in [
        "age    numbers  soft-gc",
        "graph: serial, groups 5",
        "chosen by left-out samples",
        "* linear",
        "--missing impute",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains('{') && !text.contains('"'), "{text}");
    let told = folder.json("inspect s.gsfa");
    assert_eq!(told["selection"]["tried"][0]["name"], "linear");
    assert_eq!(told["preparation"], serde_json::Value::Null);
    folder.ok(
        "train --data t.csv --learn kind,age --task kind=classes,age=numbers --network linear --targets 2 -o k.gsfa",
    );
    let text = folder.ok("inspect k.gsfa");
    assert!(
        text.contains("graph: sum of 1 × (ell, labels age, targets 2) + 1 × (compact, label kind, targets 2)"),
        "{text}"
    );
    assert!(text.contains("3 classes") && !text.contains('{'), "{text}");
    images(&folder, "x", 40, 12);
    folder.ok(
        "train --data x --labels x.csv --resize 6x6 --mean-intensity 100 --network linear --no-calibrate -o x.gsfa",
    );
    let text = folder.ok("inspect x.gsfa");
    assert!(text.contains("preparation of images: 12x12 grey; resize to 6x6; mean intensity 100"), "{text}");
    let told = folder.json("inspect x.gsfa");
    assert_eq!((&told["preparation"]["steps"][0]["height"], &told["image_shape"]["width"]), (&6.into(), &12.into()));
}

#[test]
fn one_of_a_thing_is_told_as_one() {
    let folder = Folder::new();
    folder.write("t.csv", table(60, 1));
    let text = folder.ok("train --data t.csv --learn age --columns a --network linear --ridge 0.1 -o m.gsfa");
    assert!(text.starts_with("60 samples of 1 value, 1 feature\n"), "{text}");
    let one: String = table(60, 1).lines().take(2).map(|line| format!("{line}\n")).collect();
    folder.write("one.csv", one);
    assert!(folder.ok("evaluate m.gsfa --data one.csv").starts_with("1 sample\n"));
    let text = folder.ok("transform m.gsfa --data one.csv -o f.csv");
    assert!(text.starts_with("1 feature of 1 sample saved as"), "{text}");
    assert!(folder.ok("predict m.gsfa --data one.csv -o e.csv").starts_with("1 estimate saved as"));
    // Two classes of which one has a sample in one part only: one of two parts can be estimated.
    let rows: Vec<String> = (0..21).map(|n| format!("{},{}\n", n * n % 7, if n < 2 { "a" } else { "b" })).collect();
    folder.write(
        "few.csv",
        format!(
            "x,g,y\n{}",
            rows.iter().enumerate().map(|(n, row)| row.replacen(',', &format!(",{},", n % 2), 1)).collect::<String>()
        ),
    );
    let output =
        folder.ok("train --data few.csv --learn y --folds 2 --group g --network linear --no-calibrate -o f.gsfa");
    assert!(!output.contains("1 parts"), "{output}");
}

#[test]
fn a_fault_of_a_shard_names_its_file_once() {
    let folder = Folder::new();
    let csv = table(60, 1);
    folder.write("y.csv", &csv);
    folder.write("x.npy", npy(&numbers(&csv).0));
    folder.write("t.csv", &csv);
    folder.ok("prepare --data t.csv --labels y.csv --learn age --ignore kind --network linear -o p.job");
    folder.write("gap.csv", csv.replacen(csv.lines().nth(1).unwrap().split(',').next().unwrap(), "", 1));
    let stderr = folder.fails("accumulate p.job gap.csv -o x.moments", 3, "gap.csv: 1 missing value");
    assert_eq!(stderr.matches("gap.csv").count(), 1, "{stderr}");
    folder.write("word.csv", csv.replacen(csv.lines().nth(1).unwrap().split(',').next().unwrap(), "word", 1));
    let stderr = folder.fails("accumulate p.job word.csv -o x.moments", 3, "word.csv, line 2");
    assert_eq!(stderr.matches("word.csv").count(), 1, "{stderr}");
}

#[test]
fn a_label_too_small_to_be_squared_is_not_called_constant() {
    let folder = Folder::new();
    let mut draws = Draws::new(1);
    let rows: String = (0..40).map(|_| draws.next()).map(|x| format!("{x},{}\n", x * 1e-300)).collect();
    folder.write("t.csv", format!("x,y\n{rows}"));
    let stderr = folder.fails("train --data t.csv --learn y --network linear -o m.gsfa", 2, "label = y");
    assert!(stderr.contains("vanish") && !stderr.contains("constant"), "{stderr}");
}

/// Tables of errors and features show no zeros that are none.
#[test]
fn small_numbers_keep_digits_in_tables() {
    let folder = Folder::new();
    let mut draws = Draws::new(1);
    let rows: String =
        (0..80).map(|_| (draws.next(), draws.next())).map(|(x, e)| format!("{x},{}\n", x + 1e-5 * e)).collect();
    folder.write("t.csv", format!("x,y\n{rows}"));
    let text =
        folder.ok("train --data t.csv --learn y --network linear --ridge 0 -o m.gsfa") + &folder.ok("inspect m.gsfa");
    let zeros = |word: &str| word.starts_with("0.0") && word.chars().all(|c| matches!(c, '0' | '.'));
    let shown = text.split_whitespace().find(|word| zeros(word));
    assert_eq!(shown, None, "{text}");
    assert!(!text.split_whitespace().any(|word| word.len() > 12 && word.parse::<f64>().is_ok()), "{text}");
}

/// Features that are noise are one line, however little of a target they have, and round-off is 0.
#[test]
fn noise_and_round_off_are_told_as_what_they_are() {
    let folder = Folder::new();
    folder.write("t.csv", table(60, 1));
    let text = folder.ok("graph --labels t.csv --learn age --graph ell --targets 3");
    assert!(text.starts_with("ell, targets 3\n60 samples: Q = 60, "), "{text}");
    assert!(text.contains("      1  0.0000\n") && text.contains("   4–10  2.0000\n"), "{text}");
    assert!(!text.contains("e-1") && !text.contains("ρ²"), "{text}");
    images(&folder, "x", 60, 16);
    let layers = "--set network.kind=layers --set network.layers=[{keep={slow=1},output_dim=9,ridge=0.01}]";
    folder.ok(&format!("train --data x --labels x.csv {layers} --no-calibrate -o x.gsfa"));
    let text = folder.ok("inspect x.gsfa");
    let lines = text.lines().skip_while(|line| !line.starts_with("feature")).take_while(|line| !line.is_empty());
    assert!(lines.count() < 9, "{text}");
}

/// Shards know the means of their inputs as one run does.
#[test]
fn a_model_of_shards_imputes_as_one_of_a_single_run() {
    let folder = Folder::new();
    let csv = table(60, 1);
    let rows = numbers(&csv).0;
    folder.write("y.csv", &csv);
    folder.write("x.npy", npy(&rows));
    folder.write("0.npy", npy(&rows[..25]));
    folder.write("1.npy", npy(&rows[25..]));
    let flags = "--labels y.csv --learn age --network linear --ridge 0.01 --readout linear-regression --no-calibrate";
    folder.ok(&format!("train --data x.npy {flags} -o one.gsfa"));
    folder.ok(&format!("prepare --data 0.npy {flags} -o p.job"));
    folder.ok("accumulate p.job 0.npy --first-row 0 -o 0.moments");
    folder.ok("accumulate p.job 1.npy --first-row 25 -o 1.moments");
    folder.ok("merge p.job 0.moments 1.moments -o all.moments");
    folder.ok("solve p.job all.moments --shards 0.npy 1.npy -o shards.gsfa");
    let mut gaps = rows[..5].to_vec();
    (gaps[1][2], gaps[3][0]) = (f64::NAN, f64::NAN);
    folder.write("gaps.npy", npy(&gaps));
    let ages = |model: &str| {
        let found = folder.json(&format!("predict {model} --data gaps.npy --missing impute"));
        found["estimates"].as_array().unwrap().iter().map(|row| row["age"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    let (one, shards) = (ages("one.gsfa"), ages("shards.gsfa"));
    assert!(one.iter().zip(&shards).all(|(a, b)| (a - b).abs() < 1e-9 * a.abs()), "{one:?} {shards:?}");
    folder.ok("solve p.job all.moments -o bare.gsfa");
    let stderr = folder.fails("transform bare.gsfa --data gaps.npy --missing impute", 2, "does not keep the means");
    assert!(stderr.contains("--shards"), "{stderr}");
}
