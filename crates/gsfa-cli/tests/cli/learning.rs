//! Weights, unlabelled samples, missing values, and errors on samples that were not learned.

use serde_json::Value;

use crate::support::{Folder, images, npy, numbers, table};

/// The table with one more column.
fn with_column(csv: &str, name: &str, value: impl Fn(usize) -> String) -> String {
    let mut lines = csv.lines();
    let mut out = format!("{},{name}\n", lines.next().unwrap());
    lines.enumerate().for_each(|(n, line)| out += &format!("{line},{}\n", value(n)));
    out
}

/// The numbers of a column of estimates.
fn column(csv: &str, name: &str) -> Vec<f64> {
    let at = csv.lines().next().unwrap().split(',').position(|heading| heading == name).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst <= tolerance, "{worst}");
}

#[test]
fn a_weight_of_two_is_the_row_twice_and_a_weight_of_zero_is_no_row() {
    let folder = Folder::new();
    let csv = table(90, 1);
    folder.write("weighted.csv", with_column(&csv, "w", |n| (n % 3).to_string()));
    let mut repeated = format!("{}\n", csv.lines().next().unwrap());
    for (n, line) in csv.lines().skip(1).enumerate() {
        repeated += &format!("{line}\n").repeat(n % 3);
    }
    folder.write("repeated.csv", repeated);
    folder.write("new.csv", table(30, 2));
    for flags in [
        "--learn age --ignore kind --network linear --readout linear-regression",
        "--learn age --ignore kind --network linear --readout soft-gc --targets 3",
        "--learn age --ignore kind --graph serial --groups 5 --network linear --readout soft-gc",
        "--learn kind --ignore age --network linear --readout gaussian",
    ] {
        let trained = folder.json(&format!("train --data weighted.csv --weights w {flags} -o w.gsfa --force"));
        assert_eq!(trained["samples"], 60);
        assert!(trained["notes"][0].as_str().unwrap().contains("30 of 90 samples have weight 0"), "{trained}");
        let again = folder.json(&format!("train --data repeated.csv {flags} -o r.gsfa --force"));
        assert_eq!(again["samples"], 90);
        for key in ["rmse", "error_rate"] {
            let error = |value: &Value| value["training"][0][key].as_f64().unwrap_or(0.0);
            assert!((error(&trained) - error(&again)).abs() < 1e-9, "{flags}: {trained} {again}");
        }
        // Class priors and covariances of the Gaussians count samples, weighed or repeated.
        let (a, b) = (folder.ok("transform w.gsfa --data new.csv"), folder.ok("transform r.gsfa --data new.csv"));
        close(&column(&a, "y1"), &column(&b, "y1"), 1e-9);
    }
    let weighed = folder.json("evaluate w.gsfa --data weighted.csv --weights w");
    let repeated = folder.json("evaluate w.gsfa --data repeated.csv");
    let error = |value: &Value| value["labels"][0]["error_rate"].as_f64().unwrap();
    assert!((error(&weighed) - error(&repeated)).abs() < 1e-12);
    let graph = folder.json("graph --labels weighted.csv --weights w --learn age");
    assert_eq!((&graph["samples"], &graph["q"]), (&60.into(), &90.0.into()));
}

#[test]
fn weights_that_make_no_sense() {
    let folder = Folder::new();
    let csv = table(20, 1);
    let line = "train --data t.csv --learn age --ignore kind --weights w -o m.gsfa";
    for (text, message) in [("-1", "sample weights"), ("0", "weights"), ("", "missing"), ("inf", "infinite")] {
        folder.write("t.csv", with_column(&csv, "w", |_| text.to_string()));
        folder.fails(line, 3, message);
    }
    folder.write("t.csv", &csv);
    folder.fails(line, 3, "'w'");
    images(&folder, "x/a", 5, 4);
    folder.fails("train --data x --weights w -o m.gsfa", 2, "no column 'w'");
    assert!(!folder.files().contains(&"m.gsfa".to_string()));
}

#[test]
fn samples_without_labels_are_learned_from_if_asked_for() {
    let folder = Folder::new();
    let csv = table(120, 1);
    let mut some = String::new();
    for (n, line) in csv.lines().enumerate() {
        let mut cells: Vec<&str> = line.split(',').collect();
        if n > 0 && n % 2 == 0 {
            (cells[4], cells[5]) = ("", "");
        }
        some += &(cells.join(",") + "\n");
    }
    folder.write("t.csv", some);
    folder.write("new.csv", table(50, 2));
    let line = "train --data t.csv --learn age --ignore kind --network linear";
    let stderr = folder.fails(&format!("{line} -o m.gsfa"), 3, "60 missing values");
    assert!(stderr.contains("--missing-labels"), "{stderr}");
    assert_eq!(folder.json(&format!("{line} --missing-labels drop -o d.gsfa"))["samples"], 60);
    let kept = folder.json(&format!("{line} --missing-labels keep -o k.gsfa"));
    assert_eq!((&kept["samples"], &kept["training"][0]["samples"]), (&120.into(), &60.into()));
    assert_eq!(kept["graph"]["semi_supervised"], true);
    let notes: Vec<&str> = kept["notes"].as_array().unwrap().iter().filter_map(|note| note.as_str()).collect();
    assert!(notes.iter().any(|note| note.starts_with("60 samples without labels")), "{kept}");
    let scores = folder.json("evaluate k.gsfa --data new.csv");
    assert!(scores["labels"][0]["percent_of_chance"].as_f64().unwrap() < 15.0, "{scores}");
    // Held-out samples are labelled ones.
    let held = folder.json(&format!("{line} --missing-labels keep --holdout 0.25 -o h.gsfa"));
    assert_eq!((&held["samples"], &held["validation"][0]["samples"]), (&105.into(), &15.into()));
    let serial = format!("{line} --missing-labels keep --graph serial --groups 5 -o x.gsfa");
    folder.fails(&serial, 2, "only ell, clustered and compact graphs");
    // Classes may be missing, too.
    for graph in ["", "--graph compact"] {
        let kinds =
            format!("train --data t.csv --learn kind --ignore age --missing-labels keep {graph} --force -o c.gsfa");
        let kept = folder.json(&kinds);
        assert_eq!((&kept["samples"], &kept["training"][0]["samples"]), (&120.into(), &60.into()));
        assert!(kept["training"][0]["error_rate"].as_f64().unwrap() < 0.2, "{kept}");
    }
}

#[test]
fn missing_values_of_new_samples_get_the_means_of_training() {
    let folder = Folder::new();
    let (mut rows, ages) = numbers(&table(80, 1));
    let mean = rows.iter().map(|row| row[1]).sum::<f64>() / 80.0;
    let csv = |rows: &[[f64; 4]]| {
        let mut csv = String::from("a,b,c,d,age\n");
        for (row, age) in rows.iter().zip(&ages) {
            let cell = |x: f64| if x.is_nan() { String::new() } else { x.to_string() };
            csv += &format!("{},{},{},{},{age}\n", cell(row[0]), cell(row[1]), cell(row[2]), cell(row[3]));
        }
        csv
    };
    folder.write("train.csv", csv(&rows));
    folder.write("train.npy", npy(&rows));
    folder.ok("train --data train.csv --learn age -o table.gsfa");
    folder.ok("train --data train.npy --labels train.csv --learn age -o array.gsfa");
    rows.truncate(5);
    rows[2][1] = mean;
    folder.write("filled.csv", csv(&rows));
    folder.write("filled.npy", npy(&rows));
    rows[2][1] = f64::NAN;
    folder.write("missing.csv", csv(&rows));
    folder.write("missing.npy", npy(&rows));
    for (model, kind, name) in [("table", "csv", "'b'"), ("array", "npy", "column 1")] {
        folder.fails(&format!("predict {model}.gsfa --data missing.{kind}"), 3, "1");
        let imputed = folder.json(&format!("predict {model}.gsfa --data missing.{kind} --missing impute"));
        let note = format!("1 missing value was replaced by the mean of its column in training: 1 of {name}");
        assert_eq!(imputed["notes"].as_array().unwrap().last().unwrap(), &Value::from(note));
        let filled = folder.json(&format!("predict {model}.gsfa --data filled.{kind}"));
        let ages = |value: &Value| -> Vec<f64> {
            value["estimates"].as_array().unwrap().iter().map(|row| row["age"].as_f64().unwrap()).collect()
        };
        close(&ages(&imputed), &ages(&filled), 1e-10);
        let dropped = folder.json(&format!("predict {model}.gsfa --data missing.{kind} --missing drop"));
        assert_eq!((&dropped["samples"], &dropped["estimates"][2]["row"]), (&4.into(), &"3".into()));
    }
}

/// Means that stand in for missing values are those of the samples as they weigh: weight 2 is the row twice.
#[test]
fn missing_values_are_filled_by_the_weights_of_samples() {
    let folder = Folder::new();
    let (rows, ages) = numbers(&table(60, 3));
    let csv = |copies: fn(usize) -> usize, weight: fn(usize) -> usize| {
        let mut csv = String::from("a,b,c,d,age,w\n");
        for (n, (row, age)) in rows.iter().zip(&ages).enumerate() {
            let b = if n % 4 == 1 { String::new() } else { row[1].to_string() };
            let line = format!("{},{b},{},{},{age},{}\n", row[0], row[2], row[3], weight(n));
            csv += &line.repeat(copies(n));
        }
        csv
    };
    let uneven: fn(usize) -> usize = |n| 1 + n % 3;
    folder.write("weights.csv", csv(|_| 1, uneven));
    folder.write("copies.csv", csv(uneven, |_| 1));
    let estimates = |name: &str| -> Vec<f64> {
        let fixed = "--weights w --missing impute --graph ell --network linear --ridge 0.01 --readout linear-scaling";
        folder.ok(&format!("train --data {name}.csv --learn age --no-calibrate {fixed} -o {name}.gsfa"));
        let told = folder.json(&format!("predict {name}.gsfa --data weights.csv --missing impute"));
        told["estimates"].as_array().unwrap().iter().map(|row| row["age"].as_f64().unwrap()).collect()
    };
    close(&estimates("weights"), &estimates("copies"), 1e-10);
}

#[test]
fn a_part_is_held_out_and_scored() {
    let folder = Folder::new();
    folder.write("t.csv", with_column(&table(200, 1), "who", |n| format!("person {}", n / 20)));
    let line = "train --data t.csv --learn age --ignore kind,who --network linear";
    let held = folder.json(&format!("{line} --holdout 0.25 -o a.gsfa"));
    assert_eq!((&held["samples"], &held["validation"][0]["samples"]), (&150.into(), &50.into()));
    assert!(held["validation"][0]["labels"][0]["percent_of_chance"].as_f64().unwrap() < 15.0);
    assert!(folder.ok(&format!("{line} --holdout 0.25 -o b.gsfa")).contains("error of 50 samples that were held out"));
    let read = |name: &str| std::fs::read(folder.file(name)).unwrap();
    assert_eq!(read("a.gsfa"), read("b.gsfa"), "the same seed, the same split");
    folder.ok(&format!("{line} --holdout 0.25 --seed 7 -o c.gsfa"));
    assert_ne!(read("a.gsfa"), read("c.gsfa"));

    // Persons are whole: parts are multiples of 20.
    let line = "train --data t.csv --learn age --ignore kind --group who --network linear";
    let grouped = folder.json(&format!("{line} --holdout 0.33 -o g.gsfa"));
    assert_eq!((&grouped["inputs"], &grouped["validation"][0]["samples"]), (&4.into(), &60.into()));
    let grouped = folder.json(&format!("{line} --folds 4 -o f.gsfa"));
    for part in grouped["validation"].as_array().unwrap() {
        assert_eq!(part["samples"].as_u64().unwrap() % 20, 0);
    }
    // They are together wherever samples are left out, to choose as well.
    folder.ok(&format!("{line} -o chosen.gsfa"));
    folder.fails(&format!("{line} --holdout 1.5 -o x.gsfa"), 2, "--holdout (validation.holdout) is 1.5");
    folder.fails(&format!("{line} --folds 11 -o x.gsfa"), 2, "folds = 11");
    assert_eq!(folder.run(&format!("{line} --folds 5 --holdout 0.1 -o x.gsfa")).status.code(), Some(2));
}

#[test]
fn samples_of_each_label_value_are_split_alike() {
    let folder = Folder::new();
    folder.write("t.csv", with_column(&table(120, 1), "level", |n| format!("{}.5", n % 12)));
    let line = "train --data t.csv --ignore kind,age --network linear --holdout 0.3";
    let held = folder.json(&format!("{line} --learn level --by-value -o m.gsfa"));
    // Three of ten for each of twelve values.
    assert_eq!(held["validation"][0]["samples"], 36);
    let line = "train --data t.csv --ignore kind,level --network linear --holdout 0.3";
    let stderr = folder.fails(&format!("{line} --learn age --by-value -o x.gsfa"), 3, "the test set has 0 samples");
    assert!(stderr.contains("hint:"), "{stderr}");
}

#[test]
fn cross_validation_scores_every_sample_and_learns_from_all() {
    let folder = Folder::new();
    folder.write("t.csv", table(100, 1));
    folder.write("new.csv", table(20, 2));
    let line = "train --data t.csv --learn kind --ignore age --network linear";
    let folds = folder.json(&format!("{line} --folds 5 -o a.gsfa"));
    let parts = folds["validation"].as_array().unwrap();
    assert_eq!(parts.iter().map(|part| part["samples"].as_u64().unwrap()).sum::<u64>(), 100);
    assert_eq!((parts.len(), &folds["samples"]), (5, &100.into()));
    folder.ok(&format!("{line} -o b.gsfa"));
    assert_eq!(folder.ok("predict a.gsfa --data new.csv"), folder.ok("predict b.gsfa --data new.csv"));
    let text = folder.ok(&format!("{line} --folds 5 -o c.gsfa"));
    assert!(text.contains("error over 5 parts, 100 samples") && text.contains("± over parts"), "{text}");
    // Settings keep it.
    folder.write("c.toml", folder.ok(&format!("{line} --folds 5 --print-config")));
    assert_eq!(folder.json("train --config c.toml -o d.gsfa")["validation"].as_array().unwrap().len(), 5);
    assert_eq!(folder.json("train --config c.toml --holdout 0.5 -o e.gsfa")["validation"].as_array().unwrap().len(), 1);
}

#[test]
fn a_sample_that_cannot_be_scored_is_not_counted_and_told() {
    let folder = Folder::new();
    // One sample has a class of its own: where it is left out, nobody can learn it.
    folder.write("t.csv", table(60, 1) + "0.1,0.1,0.2,0.3,40,unique\n");
    let folds = folder.json("train --data t.csv --learn kind --ignore age --network linear --folds 4 -o m.gsfa");
    let parts = folds["validation"].as_array().unwrap();
    assert_eq!((parts.len(), parts.iter().map(|part| part["samples"].as_u64().unwrap()).sum::<u64>()), (4, 60));
    let notes: Vec<&str> = folds["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect();
    assert!(notes.iter().any(|note| note.starts_with("1 left-out sample of classes that no other")), "{notes:?}");
}
