//! Columns that are no plain inputs: pixels of images, words, dates, and weights of classes.

use std::fmt::Write as _;

use crate::support::{Draws, Folder, npy_bytes};

/// Digits of 8×8 pixels in columns: a bright row or a bright column.
fn digits(count: usize, seed: u64) -> String {
    let mut draws = Draws::new(seed);
    let mut csv: String = (0..64).map(|k| format!("p{k},")).collect::<String>() + "kind\n";
    for n in 0..count {
        let (row, at) = (n % 2 == 0, (draws.next() * 8.0) as usize % 8);
        for k in 0..64 {
            let bright = if row { k / 8 == at } else { k % 8 == at };
            let _ = write!(csv, "{:.3},", f64::from(u8::from(bright)) + 0.1 * draws.next());
        }
        let _ = writeln!(csv, "{}", if row { "row" } else { "column" });
    }
    csv
}

#[test]
fn columns_of_a_table_are_pixels_if_the_settings_say_so() {
    let folder = Folder::new();
    folder.write("d.csv", digits(120, 1));
    folder.write("new.csv", digits(40, 2));
    let plan = folder.json("plan --data d.csv --learn kind --image-shape 8x8 --set network.layers=[{field=[4,4],output_dim=3},{output_dim=1}] --set network.kind=layers");
    assert_eq!(plan["layers"][0]["nodes"], serde_json::json!([2, 2]), "{plan}");
    let layers = "--set network.kind=layers --set network.layers=[{field=[4,4],output_dim=6,expansion={kind=\"polynomial\"}},{output_dim=1}]";
    folder.ok(&format!("train --data d.csv --learn kind --image-shape 8x8 {layers} -o m.gsfa"));
    let scores = folder.json("evaluate m.gsfa --data new.csv");
    assert_eq!(scores["samples"], 40);
    assert_eq!(folder.json("predict m.gsfa --data new.csv")["estimates"].as_array().unwrap().len(), 40);
    // In a file of settings, too, and refused where it does not fit.
    folder.write("s.toml", "data = \"d.csv\"\nlearn = [\"kind\"]\n[reading]\nimage_shape = [8, 8]\n");
    assert_eq!(folder.json("plan --config s.toml")["inputs"], 64);
    folder.fails("train --data d.csv --learn kind --image-shape 8x9 -o n.gsfa", 3, "72 values, rows have 64");
    folder.fails("train --data d.csv --learn kind --image-shape 8 -o n.gsfa", 2, "two or three numbers");
}

/// A number that depends on a word and a date.
fn words(count: usize, seed: u64) -> String {
    let mut draws = Draws::new(seed);
    let mut csv = String::from("size,colour,day,y\n");
    for n in 0..count {
        let (size, color) = (draws.next(), ["blue", "green", "red"][n % 3]);
        let day = 1 + (draws.next() * 28.0) as usize % 28;
        let y = size + 2.0 * (n % 3) as f64 + 0.1 * day as f64 + 0.01 * draws.next();
        let _ = writeln!(csv, "{size:.4},{color},2026-02-{day:02},{y:.4}");
    }
    csv
}

#[test]
fn words_become_inputs_and_dates_become_days_as_in_training() {
    let folder = Folder::new();
    folder.write("t.csv", words(120, 1));
    folder.write("new.csv", words(30, 2));
    folder.fails("train --data t.csv --learn y -o m.gsfa", 3, "colour");
    let trained = folder.json("train --data t.csv --learn y --categories one-hot --network linear -o m.gsfa");
    assert_eq!(trained["inputs"], 5, "size, three colours, the day");
    let codes: Vec<&str> = trained["remarks"].as_array().unwrap().iter().map(|r| r["code"].as_str().unwrap()).collect();
    assert_eq!(codes.iter().filter(|code| **code == "encoded").count(), 2, "{codes:?}");
    let scores = folder.json("evaluate m.gsfa --data new.csv");
    assert!(scores["labels"][0]["rmse"].as_f64().unwrap() < 0.1, "{scores}");
    let names = folder.json("inspect m.gsfa")["input_names"].clone();
    assert_eq!(names, serde_json::json!(["size", "colour=blue", "colour=green", "colour=red", "day"]));
    // Columns may come in another order, and words may be named.
    let swapped: String = words(30, 2)
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{},{},{}\n", cells[3], cells[1], cells[0], cells[2])
        })
        .collect();
    folder.write("swapped.csv", swapped);
    let again = folder.json("evaluate m.gsfa --data swapped.csv");
    assert_eq!(again["labels"], scores["labels"]);
    folder.ok("train --data t.csv --learn y --categories one-hot --columns colour,size --network linear -o n.gsfa");
    assert_eq!(folder.json("inspect n.gsfa")["input_names"].as_array().unwrap().len(), 4);
}

#[test]
fn words_that_training_did_not_have_are_told_with_what_was_meant() {
    let folder = Folder::new();
    folder.write("t.csv", words(60, 1));
    folder.ok("train --data t.csv --learn y --categories one-hot --network linear -o m.gsfa");
    folder.write("new.csv", "size,colour,day\n0.5,gren,2026-02-03\n");
    let stderr = folder.fails("predict m.gsfa --data new.csv", 3, "line 2: column 'colour' holds 'gren'");
    assert!(stderr.contains("did you mean 'green'?"), "{stderr}");
    folder.write("new.csv", "size,colour,day\n0.5,green,3rd of May\n");
    folder.fails("predict m.gsfa --data new.csv", 3, "no date like 2026-11-17");
    folder.write("new.csv", "size,colour,day\n0.5,,2026-02-03\n");
    folder.fails("predict m.gsfa --data new.csv", 3, "missing");
    assert_eq!(folder.json("predict m.gsfa --data new.csv --missing impute")["samples"], 1);
    // Names of samples are no categories.
    let named: String = (0..30).map(|n| format!("{n},name{n},{}\n", n % 7)).collect();
    folder.write("named.csv", format!("x,who,y\n{named}"));
    folder.fails("train --data named.csv --learn y --categories one-hot -o n.gsfa", 3, "names, not categories");
    // A mistake among dates is none of a category.
    folder.write("day.csv", words(60, 1).replacen("2026", "20-26", 1));
    let line = "train --data day.csv --learn y --categories one-hot --network linear -o n.gsfa";
    let stderr = folder.fails(line, 3, "line 2: column 'day' holds '20-26-");
    assert!(stderr.contains("hint: correct the date"), "{stderr}");
}

#[test]
fn balanced_weights_are_those_of_a_column_with_the_same_numbers() {
    let folder = Folder::new();
    let mut draws = Draws::new(3);
    let (mut csv, mut plain) = (String::from("a,b,w,kind\n"), String::from("a,b,kind\n"));
    for n in 0..90 {
        // 60 of one class and 30 of the other: weights 90/(2·60) and 90/(2·30).
        let (kind, weight) = if n % 3 == 0 { ("few", 1.5) } else { ("many", 0.75) };
        let (a, b) = (draws.next() + f64::from(u8::from(n % 3 == 0)), draws.next());
        let _ = writeln!(csv, "{a:.5},{b:.5},{weight},{kind}");
        let _ = writeln!(plain, "{a:.5},{b:.5},{kind}");
    }
    folder.write("w.csv", csv);
    folder.write("p.csv", plain);
    let rest = "--learn kind --network linear --ridge 0.001 --readout nearest-centroid --no-calibrate";
    let column = folder.json(&format!("train --data w.csv --weights w {rest} -o a.gsfa"));
    let balanced = folder.json(&format!("train --data p.csv --weights balanced {rest} -o b.gsfa"));
    assert_eq!((&column["training"], &column["delta_values"]), (&balanced["training"], &balanced["delta_values"]));
    let one = folder.json("evaluate a.gsfa --data w.csv --weights w");
    let two = folder.json("evaluate b.gsfa --data p.csv --weights balanced");
    assert_eq!(one["labels"], two["labels"]);
    // Who says one class for all samples says the one that is seen most.
    let plain = folder.json("evaluate b.gsfa --data p.csv");
    assert!((plain["labels"][0]["chance_error_rate"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12, "{plain}");
    folder.write("n.csv", "x,y\n1,2\n2,3\n3,5\n4,4.5\n");
    folder.fails("train --data n.csv --learn y --weights balanced -o n.gsfa", 2, "one label of classes");
}

/// The pixels of such digits: numbers row by row.
fn pixels(csv: &str) -> Vec<f64> {
    let row = |line: &str| -> Vec<f64> { line.split(',').take(64).map(|cell| cell.parse().unwrap()).collect() };
    csv.lines().skip(1).flat_map(row).collect()
}

/// Estimates, without what identifies samples.
fn probabilities(folder: &Folder, line: &str) -> Vec<f64> {
    let found = folder.json(line);
    found["estimates"].as_array().unwrap().iter().map(|row| row["kind_p_row"].as_f64().unwrap()).collect()
}

/// Digits as a table (`d.csv`), an array of rows and one of images, and a folder of all of them to be estimated (`new.…`).
fn digit_files(folder: &Folder) {
    for (name, csv) in [("d", digits(90, 1)), ("new", digits(30, 2))] {
        let (values, count) = (pixels(&csv), csv.lines().count() - 1);
        let bytes = || values.iter().flat_map(|x| x.to_le_bytes());
        folder.write(&format!("{name}.npy"), npy_bytes("<f8", &[count, 64], bytes()));
        folder.write(&format!("{name}3.npy"), npy_bytes("<f8", &[count, 8, 8], bytes()));
        let labels: String = csv.lines().map(|line| format!("{}\n", line.rsplit(',').next().unwrap())).collect();
        folder.write(&format!("{name}-y.csv"), labels);
        folder.write(&format!("{name}.csv"), csv);
    }
}

#[test]
fn rows_that_are_images_are_prepared_as_images_in_every_command() {
    let folder = Folder::new();
    digit_files(&folder);
    let rest = "--learn kind --resize 4x4 --mean-intensity 1 --network linear --ridge 0.01 --readout gaussian";
    let images = format!("--data d3.npy --labels d-y.csv {rest}");
    folder.ok(&format!("train {images} -o images.gsfa"));
    let expected = probabilities(&folder, "predict images.gsfa --data new3.npy");
    for (name, data) in [("table", "--data d.csv"), ("rows", "--data d.npy --labels d-y.csv")] {
        let flags = format!("{data} {rest} --image-shape 8x8");
        assert_eq!(folder.json(&format!("plan {flags}"))["inputs"], 16);
        assert_eq!(folder.json(&format!("select {flags}"))["network"]["input"]["height"], 4);
        assert_eq!(folder.json(&format!("train {flags} --holdout 0.2 -o held.gsfa --force"))["inputs"], 16);
        assert_eq!(folder.json(&format!("train {flags} -o {name}.gsfa"))["inputs"], 16);
        // The model knows which images rows are, and rows of any form are the same images.
        for new in ["new.csv", "new.npy", "new3.npy", "new.csv --image-shape 8x8"] {
            if name == "rows" && new.starts_with("new.csv") {
                continue;
            }
            assert_eq!(probabilities(&folder, &format!("predict {name}.gsfa --data {new}")), expected, "{name} {new}");
        }
        let labels = if name == "rows" { "new.npy --labels new-y.csv" } else { "new.csv" };
        let scores = folder.json(&format!("evaluate {name}.gsfa --data {labels}"));
        let of_images = folder.json("evaluate images.gsfa --data new3.npy --labels new-y.csv");
        assert_eq!(scores["labels"], of_images["labels"], "{name}");
        let again = folder.json(&format!("transform {name}.gsfa --data new3.npy"));
        assert_eq!(again["values"], folder.json("transform images.gsfa --data new3.npy")["values"], "{name}");
    }
    // A table is read by the names of its pixels, whatever their order and whatever is beside them.
    let turned: String = folder
        .read("new.csv")
        .lines()
        .map(|line| line.split(',').rev().chain(["7"]).collect::<Vec<_>>().join(",") + "\n")
        .collect();
    folder.write("turned.csv", turned.replacen(",7\n", ",more\n", 1));
    assert_eq!(probabilities(&folder, "predict table.gsfa --data turned.csv"), expected);
}

#[test]
fn shards_of_rows_that_are_images_are_prepared_as_images() {
    let folder = Folder::new();
    digit_files(&folder);
    let rest = "--learn kind --resize 4x4 --image-shape 8x8 --network linear --ridge 0.01 --readout gaussian";
    folder.ok(&format!("train --data d.csv {rest} -o one.gsfa"));
    let csv = folder.read("d.csv");
    let lines: Vec<&str> = csv.lines().collect();
    folder.write("0.csv", [&lines[..1], &lines[1..41]].concat().join("\n"));
    folder.write("1.csv", [&lines[..1], &lines[41..]].concat().join("\n"));
    folder.ok(&format!("prepare --data 0.csv --labels d-y.csv {rest} -o d.job"));
    folder.ok("accumulate d.job 0.csv --first-row 0 -o 0.moments");
    folder.ok("accumulate d.job 1.csv --first-row 40 -o 1.moments");
    folder.ok("merge d.job 0.moments 1.moments -o all.moments");
    folder.ok("solve d.job all.moments --shards 0.csv 1.csv -o shards.gsfa");
    let both = ["one", "shards"].map(|name| probabilities(&folder, &format!("predict {name}.gsfa --data new.csv")));
    let worst = both[0].iter().zip(&both[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn missing_pixels_are_replaced_before_images_are_prepared() {
    let folder = Folder::new();
    digit_files(&folder);
    let csv = folder.read("d.csv");
    let mut lines: Vec<Vec<String>> = csv.lines().map(|line| line.split(',').map(String::from).collect()).collect();
    for (row, pixel) in [(3, 10), (7, 20), (9, 20)] {
        lines[row][pixel].clear();
    }
    let joined = |lines: &[Vec<String>]| lines.iter().map(|line| line.join(",")).collect::<Vec<_>>().join("\n");
    folder.write("gaps.csv", joined(&lines));
    for pixel in [10, 20] {
        let known: Vec<f64> = lines[1..].iter().filter_map(|line| line[pixel].parse().ok()).collect();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        lines.iter_mut().filter(|line| line[pixel].is_empty()).for_each(|line| line[pixel] = mean.to_string());
    }
    folder.write("full.csv", joined(&lines));
    let rest = "--image-shape 8x8 --learn kind --resize 4x4 --network linear --ridge 0.01 --readout gaussian";
    folder.ok(&format!("train --data gaps.csv --missing impute {rest} -o gaps.gsfa"));
    folder.ok(&format!("train --data full.csv {rest} -o full.gsfa"));
    let expected = probabilities(&folder, "predict full.gsfa --data full.csv");
    let found = probabilities(&folder, "predict gaps.gsfa --data gaps.csv --missing impute");
    let worst = expected.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst}");
}

#[test]
fn rows_that_are_not_the_images_of_a_model_are_refused() {
    let folder = Folder::new();
    digit_files(&folder);
    let rest = "--learn kind --resize 4x4 --network linear --ridge 0.01";
    folder.ok(&format!("train --data d.csv --image-shape 8x8 {rest} -o m.gsfa"));
    // As long as prepared images, but not images as they are before.
    let short: Vec<u8> = (0..32).flat_map(|n| f64::from(n).to_le_bytes()).collect();
    folder.write("short.npy", npy_bytes("<f8", &[2, 16], short.into_iter()));
    let stderr = folder.fails("predict m.gsfa --data short.npy", 3, "rows of 16 numbers are none");
    assert!(stderr.contains("hint: --image-shape"), "{stderr}");
    folder.fails("predict m.gsfa --data new.npy --image-shape 4x8", 3, "32 values, rows have 64");
    folder.fails("predict m.gsfa --data new3.npy --image-shape 8x8", 2, "these are images");
}

#[test]
fn a_missing_word_is_one_value_of_its_column() {
    let folder = Folder::new();
    let csv = words(30, 1);
    let lines: Vec<String> = csv.lines().map(String::from).collect();
    let mut gaps = lines.clone();
    for n in [4, 9] {
        gaps[n] = gaps[n].replace(",red,", ",,").replace(",green,", ",,").replace(",blue,", ",,");
    }
    folder.write("t.csv", gaps.join("\n"));
    let line = "train --data t.csv --learn y --categories one-hot --network linear --ridge 0.01 -o m.gsfa";
    folder.fails(line, 3, "2 missing values, first at line 5, column 'colour'");
    let notes = folder.json(&format!("{line} --missing impute"))["notes"].clone();
    let told = "2 missing values were replaced by the mean of their column: 2 of 'colour'";
    assert!(notes.as_array().unwrap().iter().any(|note| note == told), "{notes}");
    let notes = folder.json(&format!("{line} --missing drop --force"))["notes"].clone();
    assert!(notes.to_string().contains("2 rows with missing values were left out"), "{notes}");
}
