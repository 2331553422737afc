//! Samples that cannot be used, in every command that reads them, and samples in every form that can.

use std::fs;

use crate::support::{Draws, Folder, image, images, npy, numbers, table};

/// An array file with any header.
fn array(kind: &str, fortran: bool, shape: &str, bytes: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(bytes);
    file
}

/// A folder with `x.npy`, `y.csv`, a model and a job of them.
fn trained() -> (Folder, Vec<[f64; 4]>) {
    let folder = Folder::new();
    let csv = table(60, 1);
    let (rows, _) = numbers(&csv);
    folder.write("x.npy", npy(&rows));
    folder.write("y.csv", csv);
    let flags = "--data x.npy --labels y.csv --learn age --network linear --ridge 0.001";
    folder.ok(&format!("train {flags} -o m.gsfa"));
    folder.ok(&format!("prepare {flags} -o p.job"));
    (folder, rows)
}

/// NaN and infinity (F1).
#[test]
fn values_that_are_not_finite_are_named_by_every_command_and_nothing_is_written() {
    let (folder, mut rows) = trained();
    (rows[17][2], rows[40][0]) = (f64::INFINITY, f64::NAN);
    folder.write("bad.npy", npy(&rows));
    let before = folder.files();
    for line in [
        "train --data bad.npy --labels y.csv --learn age -o n.gsfa",
        "predict m.gsfa --data bad.npy -o e.csv",
        "predict m.gsfa --data bad.npy",
        "transform m.gsfa --data bad.npy -o f.npy",
        "evaluate m.gsfa --data bad.npy --labels y.csv -o s.csv",
        "accumulate p.job bad.npy --first-row 0 -o a.moments",
    ] {
        let stderr = folder.fails(line, 3, "non-finite value");
        assert!(stderr.contains("first at row 17, column 2"), "{line}\n{stderr}");
        // Shards have no flags that let values be missing.
        let cure = if line.starts_with("accumulate") { "clean the shard" } else { "--missing" };
        assert!(stderr.contains("hint: ") && stderr.contains(cure), "{line}\n{stderr}");
    }
    assert_eq!(folder.files(), before);
}

/// Values whose squares are no numbers (F4).
#[test]
fn a_value_that_overflows_when_squared_is_scaled_or_named() {
    let folder = Folder::new();
    let csv = table(1100, 1);
    let (mut rows, _) = numbers(&csv);
    rows[1097][1] = 1e200;
    folder.write("x.npy", npy(&rows));
    folder.write("y.csv", csv);
    let line = "train --data x.npy --labels y.csv --learn age";
    let stderr = folder.fails(&format!("{line} --network linear -o m.gsfa"), 3, "column 1");
    assert!(stderr.contains("hint: rescale the column"), "{stderr}");
    let stderr = folder.fails(&format!("{line} --network quadratic -o m.gsfa"), 3, "row 1097 overflows");
    assert!(stderr.contains("hint: rescale the inputs"), "{stderr}");
    assert_eq!(folder.files(), ["x.npy", "y.csv"]);
    // Standardised, it is one sample far from the others.
    let trained = folder.json(&format!("{line} -o m.gsfa"));
    let deltas = trained["delta_values"].as_array().unwrap();
    assert!(!deltas.is_empty() && deltas.iter().all(|delta| delta.as_f64().is_some_and(f64::is_finite)), "{trained}");
}

/// No sample, and one (F10).
#[test]
fn fewer_samples_than_two_are_counted() {
    let folder = Folder::new();
    let (rows, _) = numbers(&table(2, 1));
    folder.write("one.npy", npy(&rows[..1]));
    folder.write("none.npy", npy(&[]));
    folder.write("one.csv", table(1, 1));
    folder.write("none.csv", "a,age\n");
    for (line, text) in [
        (
            "train --data one.npy --labels one.csv --learn age --task numbers -o m.gsfa",
            "need at least 2 samples, got 1",
        ),
        ("train --data one.csv --learn age --ignore kind -o m.gsfa", "need at least 2 samples, got 1"),
        ("graph --labels one.csv --learn age", "need at least 2 samples, got 1"),
        ("train --data none.csv --learn age -o m.gsfa", "the table is empty (no rows)"),
        ("train --data none.npy --labels one.csv --learn age -o m.gsfa", "the data has 0 rows, one.csv has 1"),
    ] {
        let stderr = folder.fails(line, 3, text);
        assert!(stderr.contains("hint: "), "{stderr}");
    }
    assert!(!folder.files().contains(&"m.gsfa".to_string()));
}

/// A class that training did not have (F17).
#[test]
fn an_unseen_class_is_named_by_scores_and_changes_no_estimate() {
    let folder = Folder::new();
    let csv = table(80, 1);
    folder.write("t.csv", &csv);
    folder.write("new.csv", csv.replace("young", "newborn"));
    folder.ok("train --data t.csv --learn kind --ignore age --network linear -o m.gsfa");
    assert_eq!(folder.ok("predict m.gsfa --data t.csv"), folder.ok("predict m.gsfa --data new.csv"));
    let stderr = folder.fails("evaluate m.gsfa --data new.csv", 3, "class 'newborn' is unknown");
    assert!(stderr.contains("the 3 classes are 'middle', 'old', 'young'") && stderr.contains("hint: "), "{stderr}");
}

/// Inputs that describe the same samples (F25).
#[test]
fn unequal_lengths_are_told_with_both_numbers() {
    let (folder, rows) = trained();
    folder.write("short.csv", table(59, 1));
    folder.write("long.npy", npy(&[&rows[..], &rows[..3]].concat()));
    for (line, text) in [
        ("train --data x.npy --labels short.csv --learn age -o n.gsfa", "the data has 60 rows, short.csv has 59"),
        ("evaluate m.gsfa --data x.npy --labels short.csv", "the data has 60 rows, short.csv has 59"),
        ("train --data long.npy --labels y.csv --learn age -o n.gsfa", "the data has 63 rows, y.csv has 60"),
        ("accumulate p.job long.npy --first-row 0 -o a.moments", "rows 0 to 62"),
    ] {
        folder.fails(line, 3, text);
    }
    assert_eq!(folder.files(), ["long.npy", "m.gsfa", "p.job", "short.csv", "x.npy", "y.csv"]);
}

/// Dates, half precision and raw bytes are no real numbers (F26).
#[test]
fn arrays_of_other_types_name_the_type() {
    let folder = Folder::new();
    folder.write("y.csv", table(9, 1));
    for (kind, size) in [("<M8[D]", 8), ("<m8[s]", 8), ("|V8", 8), ("|S3", 3), ("<U2", 8), ("<c8", 8)] {
        folder.write("x.npy", array(kind, false, "(9, 2)", vec![1; 18 * size]));
        let stderr = folder.fails("train --data x.npy --labels y.csv --learn age -o m.gsfa", 3, "x.npy: element type");
        assert!(stderr.contains(kind) && stderr.contains("hint: "), "{stderr}");
    }
    let text: String = table(9, 1).lines().map(|line| format!("{line},2024-01-31\n")).collect();
    folder.write("dates.csv", text.replacen("2024-01-31", "day", 1));
    let stderr = folder.fails("train --data dates.csv --learn age --ignore kind -o m.gsfa", 3, "column 'day'");
    assert!(stderr.contains("'2024-01-31' is not a number") && stderr.contains("--ignore"), "{stderr}");
}

/// An array of one axis may be one sample or one number of each: it is refused as data, and taken as labels (F28).
#[test]
fn arrays_have_an_axis_of_samples_and_those_of_an_image() {
    let folder = Folder::new();
    let (rows, ages) = numbers(&table(40, 1));
    folder.write("y.npy", array("<f8", false, "(40,)", ages.iter().flat_map(|age| age.to_le_bytes())));
    let first: Vec<u8> = rows.iter().flat_map(|row| row[0].to_le_bytes()).collect();
    folder.write("one.npy", array("<f8", false, "(40,)", first.clone()));
    folder.write("column.npy", array("<f8", false, "(40, 1)", first));
    let line = "--labels y.npy --network linear";
    let stderr = folder.fails(&format!("train --data one.npy {line} -o one.gsfa"), 3, "the shape (40,)");
    assert!(stderr.contains("hint: array.reshape(-1, 1)"), "{stderr}");
    assert_eq!(folder.json(&format!("train --data column.npy {line} -o column.gsfa"))["inputs"], 1);
    let all: Vec<u8> = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    folder.write("x.npy", array("<f8", false, "(40, 4)", all.clone()));
    folder.ok(&format!("train --data x.npy {line} -o wide.gsfa"));
    folder.write("sample.npy", array("<f8", false, "(4,)", all[..32].to_vec()));
    folder.fails("predict wide.gsfa --data sample.npy", 3, "the shape (4,)");
    for shape in ["(2, 2, 2, 2, 10)", "()"] {
        folder
            .write("odd.npy", array("<f8", false, shape, all.clone()[..if shape == "()" { 8 } else { 1280 }].to_vec()));
        folder.fails(&format!("train --data odd.npy {line} -o m.gsfa"), 3, "shape");
    }
}

/// Layout and byte order of a file, and a file that may not be written (F29).
#[test]
fn arrays_in_any_order_give_the_same_estimates_and_stay_as_they_are() {
    let (folder, rows) = trained();
    let expected = folder.ok("predict m.gsfa --data x.npy");
    let by_column = || (0..4).flat_map(|j| rows.iter().map(move |row| row[j]));
    let by_row = || rows.iter().flatten().copied();
    let files = [
        ("fortran.npy", array("<f8", true, "(60, 4)", by_column().flat_map(f64::to_le_bytes))),
        ("big.npy", array(">f8", false, "(60, 4)", by_row().flat_map(f64::to_be_bytes))),
        ("both.npy", array(">f8", true, "(60, 4)", by_column().flat_map(f64::to_be_bytes))),
    ];
    for (name, bytes) in files {
        folder.write(name, &bytes);
        let mut permissions = fs::metadata(folder.file(name)).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(folder.file(name), permissions).unwrap();
        assert_eq!(folder.ok(&format!("predict m.gsfa --data {name}")), expected, "{name}");
        let line = format!("train --data {name} --labels y.csv --learn age --network linear --ridge 0.001");
        folder.ok(&format!("{line} -o n.gsfa --force"));
        assert_eq!(folder.ok("predict n.gsfa --data x.npy"), expected, "{name}");
        assert!(fs::read(folder.file(name)).unwrap() == bytes, "{name} was changed");
    }
}

/// Samples of another shape than those of training (F40).
#[test]
fn other_shapes_are_told_what_the_model_expects() {
    let (folder, rows) = trained();
    let wider: Vec<u8> = rows.iter().flat_map(|row| [row[0]; 5]).flat_map(f64::to_le_bytes).collect();
    folder.write("wide.npy", array("<f8", false, "(60, 5)", wider));
    for command in ["predict", "transform"] {
        let stderr =
            folder.fails(&format!("{command} m.gsfa --data wide.npy"), 3, "samples have 5 columns, 4 are expected");
        assert!(stderr.contains("hint: "), "{stderr}");
    }
    images(&folder, "grey", 30, 8);
    folder.ok("train --data grey --labels grey.csv --network linear -o grey.gsfa");
    let mut draws = Draws::new(1);
    let grey = image(8, 0.5, &mut draws);
    let mut color = b"P6\n8 8\n255\n".to_vec();
    color.extend(grey[grey.len() - 64..].iter().flat_map(|&x| [x; 3]));
    folder.write("colour/0.ppm", color);
    let stderr = folder.fails("predict grey.gsfa --data colour", 3, "8x8 grey, got 8x8 RGB");
    assert!(stderr.contains("hint: "), "{stderr}");
}

/// Infinite cells follow the rule of missing ones; places stay those of the file (F70).
#[test]
fn infinite_cells_are_refused_dropped_or_imputed_and_places_are_those_of_the_file() {
    let folder = Folder::new();
    let csv = table(60, 1);
    let with = |cells: [(usize, usize, &str); 2]| -> String {
        let row = |(n, line): (usize, &str)| {
            let mut row: Vec<&str> = line.split(',').collect();
            cells.iter().filter(|cell| cell.0 == n).for_each(|cell| row[cell.1] = cell.2);
            row.join(",") + "\n"
        };
        csv.lines().enumerate().map(row).collect()
    };
    folder.write("inf.csv", with([(5, 1, "inf"), (9, 2, "-inf")]));
    folder.write("empty.csv", with([(5, 1, ""), (9, 2, "")]));
    let train = |data: &str, more: &str| {
        folder.json(&format!("train --data {data} --learn age --ignore kind --network linear {more} --force -o m.gsfa"))
    };
    let line = "train --data inf.csv --learn age --ignore kind -o m.gsfa";
    folder.fails(line, 3, "line 6, column 'b'");
    for policy in ["drop", "impute"] {
        let (infinite, missing) =
            (train("inf.csv", &format!("--missing {policy}")), train("empty.csv", &format!("--missing {policy}")));
        assert_eq!(infinite["training"], missing["training"], "{policy}");
        assert_eq!(infinite["samples"], if policy == "drop" { 58 } else { 60 });
    }
    // The label of line 13 is bad; two rows before it were left out.
    folder.write("label.csv", with([(5, 1, "inf"), (12, 4, "inf")]));
    let line = "train --data label.csv --learn age --task age=numbers --ignore kind --missing drop -o x.gsfa";
    folder.fails(line, 3, "line 13, column 'age'");
    // Also where the method finds it: line 13 is row 11 of the file, though two rows before it were left out.
    let wild = with([(5, 1, "inf"), (9, 2, "inf")]);
    let wild: Vec<String> = wild
        .lines()
        .enumerate()
        .map(|(n, l)| if n == 12 { format!("1e200{}", &l[l.find(',').unwrap()..]) } else { l.into() })
        .collect();
    folder.write("wild.csv", wild.join("\n"));
    folder.ok("train --data empty.csv --missing drop --learn age --ignore kind --network quadratic -o w.gsfa");
    for line in [
        "predict w.gsfa --data wild.csv --missing drop",
        "transform w.gsfa --data wild.csv --missing drop",
        "evaluate w.gsfa --data wild.csv --missing drop",
    ] {
        folder.fails(line, 3, "at row 11");
    }
    // One huge sample is estimated, or named with its row.
    folder.ok("train --data empty.csv --missing drop --learn age --ignore kind --network quadratic -o q.gsfa");
    folder.write("huge.csv", with([(7, 2, "1e200"), (7, 2, "1e200")]));
    for model in ["m.gsfa", "q.gsfa"] {
        let output = folder.run(&format!("predict {model} --data huge.csv"));
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if output.status.success() {
            assert!(!stdout.contains("inf") && !stdout.to_lowercase().contains("nan"), "{stdout}");
        } else {
            assert!(output.status.code() == Some(3) && stderr.contains("row 6"), "{stderr}");
        }
    }
}
