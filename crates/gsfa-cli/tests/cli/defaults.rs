//! Numbers of features and groups: the same for every command, and said where they are too small.

use std::fmt::Write as _;

use crate::support::{Draws, Folder, npy, numbers, table};

#[test]
fn serial_and_mixed_graphs_have_the_groups_that_help_and_library_say() {
    let folder = Folder::new();
    folder.write("t.csv", table(200, 1));
    let groups = gsfa::graph::DEFAULT_GROUPS;
    for kind in ["serial", "mixed"] {
        let graph = folder.json(&format!("graph --labels t.csv --learn age --graph {kind}"));
        assert_eq!(graph["graph"]["groups"], groups);
    }
    let help = folder.ok("train --help");
    assert!(help.contains(&format!("(serial, mixed) [default: {groups}]")), "{help}");
}

#[test]
fn outputs_that_a_layer_refuses_are_refused_by_train_and_by_solve() {
    let folder = Folder::new();
    let csv = table(120, 1);
    let (rows, _) = numbers(&csv);
    folder.write("x.npy", npy(&rows));
    folder.write("y.csv", &csv);
    // One label gives one slow feature; two more would be surplus.
    for (surplus, features) in [("residual", Some(3)), ("truncate", Some(1)), ("error", None)] {
        folder.write("net.toml", format!("[[layers]]\noutput_dim = 3\nridge = 0.001\nsurplus = \"{surplus}\"\n"));
        let flags = "--labels y.csv --learn age --network net.toml --force";
        folder.ok(&format!("prepare --data x.npy {flags} -o p.job"));
        folder.ok("accumulate p.job x.npy -o x.moments --force");
        let lines = [
            format!("train --data x.npy {flags} -o one.gsfa"),
            "solve p.job x.moments --shards x.npy --force -o two.gsfa".to_string(),
        ];
        match features {
            None => {
                let errors = lines.map(|line| folder.fails(&line, 3, "3 features were requested"));
                let error = |stderr: &String| stderr.lines().find(|line| line.starts_with("error:")).map(String::from);
                assert_eq!(error(&errors[0]), error(&errors[1]));
            }
            Some(_) => {
                let [one, two] = lines.map(|line| folder.json(&line)["delta_values"].as_array().unwrap().len());
                assert_eq!((one, Some(two)), (two, features), "{surplus}");
            }
        }
    }
}

#[test]
fn too_few_targets_or_features_for_the_classes_are_remarked_on() {
    let folder = Folder::new();
    let mut csv = String::from("a,b,c,d,kind\n");
    let mut draws = Draws::new(5);
    for n in 0..200 {
        let x: Vec<String> = (0..4).map(|j| (f64::from((n % 10) >> j & 1) + 0.1 * draws.next()).to_string()).collect();
        let _ = writeln!(csv, "{},k{}", x.join(","), n % 10);
    }
    folder.write("t.csv", csv);
    let notes = |flags: &str| folder.json(flags)["notes"].to_string();
    let of_targets = "2 target labels for 10 classes: only 4 different codes";
    let of_features = "2 features for 10 classes";
    for (flags, expected) in [
        ("--targets 2", Some(of_targets)),
        ("--graph compact --features 2", Some(of_features)),
        ("--graph compact --features 4", None),
        ("--targets 4", None),
        ("--features 2", None),
    ] {
        for command in ["train --force -o m.gsfa", "plan", "prepare --labels t.csv --force -o p.job"] {
            let notes = notes(&format!("{command} --data t.csv --learn kind {flags}"));
            match expected {
                Some(text) => {
                    assert!(notes.contains(text) && notes.contains("4 suffice"), "{command} {flags}: {notes}")
                }
                None => assert!(!notes.contains("suffice"), "{command} {flags}: {notes}"),
            }
        }
    }
    assert!(notes("graph --labels t.csv --learn kind --ignore a,b,c,d --targets 2").contains(of_targets));
}
