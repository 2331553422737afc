//! What labels are taken as, how that is said, and how it is changed.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::support::{Draws, Folder, image, npy, numbers, table};

/// Samples with ages in whole years from 1 on, a grade of five, and a count that thins out.
fn people(rows: usize) -> String {
    let mut draws = Draws::new(7);
    let mut csv = String::from("a,b,c,age,grade,children\n");
    for n in 0..rows {
        let x: Vec<f64> = (0..3).map(|_| draws.next()).collect();
        let age = (50.0 + 40.0 * x[0] + 5.0 * draws.next()).round();
        let children = if n % 100 == 0 { 7 } else { n % 3 };
        let _ = writeln!(csv, "{},{},{},{age},{},{children}", x[0], x[1], x[2], n % 5);
    }
    csv
}

fn taken(result: &Value, label: usize) -> (&str, &str, &str) {
    let text = |key: &str| result["taken"][label][key].as_str().unwrap();
    (text("kind"), text("reason"), text("change"))
}

#[test]
fn ages_are_numbers_and_grades_are_classes_and_every_command_says_so() {
    let folder = Folder::new();
    folder.write("p.csv", people(300));
    let trained = folder.json("train --data p.csv --learn age --ignore grade,children -o m.gsfa");
    let (kind, reason, change) = taken(&trained, 0);
    assert_eq!((kind, change), ("numbers", "--task age=classes"));
    assert!(reason.contains("different whole numbers"), "{reason}");
    assert_eq!((&trained["labels"][0]["kind"], &trained["graph"]["kind"]), (&"numbers".into(), &"ell".into()));

    let learn = "--learn age,grade,children";
    for line in [
        format!("graph --labels p.csv {learn} --json"),
        format!("plan --data p.csv {learn} --json"),
        format!("prepare --data p.csv --labels p.csv {learn} --json -o p.job"),
        format!("train --data p.csv {learn} --json -o all.gsfa"),
    ] {
        let output = folder.run(&line);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}\n{stderr}");
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        let kinds: Vec<&str> = (0..3).map(|label| taken(&result, label).0).collect();
        assert_eq!(kinds, ["numbers", "classes", "numbers"], "{line}");
        assert_eq!(taken(&result, 1).1, "5 whole numbers, each at least 60 times in 300 samples");
        assert!(taken(&result, 2).1.contains("7 occurs only 3 times in 300 samples"), "{result}");
        let note = "note: label 'grade' is taken as classes: 5 whole numbers, each at least 60 times in 300 samples; --task \
                    grade=numbers changes that";
        assert!(stderr.contains(note), "{line}\n{stderr}");
    }
}

#[test]
fn a_kind_can_be_said_for_each_label_or_for_all() {
    let folder = Folder::new();
    folder.write("p.csv", people(300));
    let kinds = |flags: &str| {
        let result = folder.json(&format!("graph --labels p.csv --learn age,grade --graph chain {flags}"));
        (taken(&result, 0).0.to_string(), taken(&result, 1).0.to_string(), taken(&result, 1).1.to_string())
    };
    let said = |age: &str, grade: &str| (age.to_string(), grade.to_string(), "as was said".to_string());
    assert_eq!(kinds("--task age=classes,grade=numbers"), said("classes", "numbers"));
    assert_eq!(kinds("--task grade=numbers"), said("numbers", "numbers"));
    assert_eq!(kinds("--task classes"), said("classes", "classes"));
    // The same in a file, also beside other settings, and flags override it.
    folder.write("all.toml", "task = \"classes\"\nseed = 3\n");
    assert_eq!(kinds("--config all.toml"), said("classes", "classes"));
    folder.write("each.toml", "task = { age = \"classes\", grade = \"numbers\" }\nseed = 3\n");
    assert_eq!(kinds("--config each.toml"), said("classes", "numbers"));
    assert_eq!(kinds("--config each.toml --task numbers"), said("numbers", "numbers"));
    let printed = folder.ok("train --config each.toml --print-config");
    folder.write("printed.toml", &printed);
    assert_eq!(folder.ok("train --config printed.toml --print-config"), printed);
    assert_eq!(kinds("--config printed.toml"), said("classes", "numbers"));
}

#[test]
fn a_misspelt_label_or_kind_is_an_error_that_names_those_there_are() {
    let folder = Folder::new();
    folder.write("p.csv", people(60));
    for line in [
        "train --data p.csv --learn age,grade --ignore children -o m.gsfa",
        "graph --labels p.csv --learn age,grade",
        "plan --data p.csv --learn age,grade --ignore children",
        "prepare --data p.csv --labels p.csv --learn age,grade -o m.job",
    ] {
        let stderr = folder.fails(&format!("{line} --task agee=numbers"), 2, "'agee'");
        assert!(stderr.contains("hint: did you mean 'age'?"), "{stderr}");
        let stderr = folder.fails(&format!("{line} --task years=numbers"), 2, "'years'");
        assert!(stderr.contains("hint: the labels are: age, grade"), "{stderr}");
    }
    let code = |flags: &str| folder.run(&format!("graph --labels p.csv --learn age {flags}"));
    for wrong in ["number", "age=number", "age", "age=numbers,grade", "age=numbers,age=classes"] {
        let output = code(&format!("--task {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    folder.write("bad.toml", "task = { age = \"number\" }\n");
    folder.fails("graph --labels p.csv --learn age --config bad.toml", 2, "neither 'numbers' nor 'classes'");
}

#[test]
fn folders_name_classes_unless_their_names_are_said_to_be_numbers() {
    let folder = Folder::new();
    let mut draws = Draws::new(1);
    for age in 20..32 {
        for n in 0..4 {
            folder.write(&format!("x/{age}/{n}.pgm"), image(6, f64::from(age - 20) / 12.0, &mut draws));
        }
    }
    let trained = folder.json("train --data x -o m.gsfa");
    assert_eq!(taken(&trained, 0).0, "classes");
    assert!(taken(&trained, 0).1.contains("folders"));
    assert_eq!(trained["labels"][0]["classes"].as_array().unwrap().len(), 12);
    let trained = folder.json("train --data x --task class=numbers -o n.gsfa");
    assert_eq!(trained["labels"][0], json!({"name": "class", "kind": "numbers", "classes": null}));
    let scores = folder.json("evaluate n.gsfa --data x");
    assert!(scores["labels"][0]["percent_of_chance"].as_f64().unwrap() < 60.0, "{scores}");
    let stderr = folder.fails("train --data x --task sort=numbers -o e.gsfa", 2, "'sort'");
    assert!(stderr.contains("the labels are: class"), "{stderr}");
    for n in 0..4 {
        folder.write(&format!("x/old/{n}.pgm"), image(6, 1.0, &mut draws));
    }
    folder.fails("train --data x --task class=numbers -o e.gsfa", 3, "the class 'old' of");
}

#[test]
fn booleans_of_arrays_are_classes_however_rare() {
    let folder = Folder::new();
    let (rows, _) = numbers(&table(200, 1));
    folder.write("x.npy", npy(&rows));
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{:<117}\n", "{'descr': '|b1', 'fortran_order': False, 'shape': (200,), }");
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend((0..200).map(|n| u8::from(n % 67 == 0)));
    folder.write("y.npy", bytes);
    let graph = folder.json("graph --labels y.npy");
    assert_eq!((taken(&graph, 0).0, taken(&graph, 0).1), ("classes", "the values are booleans"));
    assert_eq!(folder.json("graph --labels y.npy --task label=numbers")["graph"]["kind"], "ell");
}

#[test]
fn a_stray_text_among_numbers_is_named_where_it_makes_them_classes() {
    let folder = Folder::new();
    let csv = people(60).replacen("\n", "\n0,0,0,unknown,1,1\n", 1);
    folder.write("p.csv", csv);
    let graph = folder.json("graph --labels p.csv --learn age");
    assert_eq!((taken(&graph, 0).0, taken(&graph, 0).1), ("classes", "'unknown', line 2, is text"));
}

#[test]
fn classes_of_one_sample_do_not_end_a_cross_validation() {
    let folder = Folder::new();
    let mut csv = String::new();
    for (n, line) in table(60, 3).lines().enumerate() {
        let mut cells: Vec<String> = line.split(',').map(str::to_string).collect();
        if n > 0 && n % 15 == 0 {
            *cells.last_mut().unwrap() = format!("solo{n}");
        }
        csv += &(cells.join(",") + "\n");
    }
    folder.write("t.csv", &csv);
    let trained = folder.json("train --data t.csv --learn kind --ignore age --folds 4 --effort quick -o m.gsfa");
    let parts = trained["validation"].as_array().unwrap();
    let samples: u64 = parts.iter().map(|part| part["samples"].as_u64().unwrap()).sum();
    assert_eq!((parts.len(), samples), (4, 56), "{trained}");
    assert!(trained["notes"].to_string().contains("4 left-out samples of classes that"), "{trained}");
}

#[test]
fn a_missing_label_is_cured_by_what_the_hint_says() {
    let folder = Folder::new();
    folder.write("t.csv", "x,y\n1,2\n2,3\n3,\n4,5\n5,7\n6,8\n7,9\n8,9.5\n9,11\n");
    let stderr = folder.fails("train --data t.csv --learn y -o m.gsfa", 3, "1 missing value");
    assert!(stderr.contains("hint: --missing-labels drop"), "{stderr}");
    folder.ok("train --data t.csv --learn y --missing-labels drop -o m.gsfa");
}
