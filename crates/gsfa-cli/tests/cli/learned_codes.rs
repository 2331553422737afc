//! Codes of classes that are learned, by flags and settings.

use std::fmt::Write as _;

use crate::support::{Draws, Folder};

/// Samples of six classes with different means; class c is called `names[c]`, inputs times `scale`.
fn samples(names: [&str; 6], scale: f64) -> String {
    let mut draws = Draws::new(7);
    let means: Vec<[f64; 5]> = (0..6).map(|_| [(); 5].map(|()| 6.0 * draws.next())).collect();
    let mut csv = String::from("a,b,c,d,e,kind\n");
    for n in 0..180 {
        let x: Vec<String> = means[n % 6].iter().map(|m| (scale * (m + draws.next())).to_string()).collect();
        let _ = writeln!(csv, "{},{}", x.join(","), names[n % 6]);
    }
    csv
}

const NAMES: [&str; 6] = ["u", "v", "w", "x", "y", "z"];
const TRAIN: &str = "train --learn kind --task classes --network linear --ridge 0 --no-calibrate --graph compact";

#[test]
fn order_of_classes_scale_of_inputs_and_threads_do_not_matter() {
    let folder = Folder::new();
    folder.write("t.csv", samples(NAMES, 1.0));
    folder.write("renamed.csv", samples(["x", "z", "u", "y", "w", "v"], 1.0));
    folder.write("scaled.csv", samples(NAMES, 1000.0));
    for code in ["pairwise", "nested", "weighted_fisher"] {
        let delta = |data: &str, more: &str| {
            let value =
                folder.json(&format!("{TRAIN} --data {data} --code {code} --features 2 -o m.gsfa --force {more}"));
            [0, 1].map(|k| value["delta_values"][k].as_f64().unwrap())
        };
        let ours = delta("t.csv", "");
        for (data, more) in
            [("renamed.csv", ""), ("scaled.csv", ""), ("t.csv", "--threads 1"), ("t.csv", "--threads 3")]
        {
            for (a, b) in ours.iter().zip(delta(data, more)) {
                assert!((a - b).abs() < 1e-6, "{code}, {data} {more}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_code_has_as_many_features_as_it_has_targets() {
    let folder = Folder::new();
    folder.write("t.csv", samples(NAMES, 1.0));
    for code in ["binary", "pairwise", "nested", "weighted_fisher"] {
        for (asked, features) in [("--targets 3", 3), ("--set graph.targets=3", 3), ("--targets 3 --features 4", 4)] {
            let value = folder.json(&format!("{TRAIN} --data t.csv --code {code} {asked} -o m.gsfa --force"));
            assert_eq!(value["delta_values"].as_array().unwrap().len(), features, "{code} {asked}");
        }
    }
}

#[test]
fn costs_that_are_none_are_refused() {
    let folder = Folder::new();
    folder.write("t.csv", samples(NAMES, 1.0));
    for (cost, words) in [("-1.0", "costs"), ("nan", "costs"), ("inf", "costs")] {
        let rows: Vec<String> = (0..6)
            .map(|i| {
                let row: Vec<&str> = (0..6)
                    .map(|j| {
                        if i == j {
                            "0.0"
                        } else if i + j == 1 {
                            cost
                        } else {
                            "1.0"
                        }
                    })
                    .collect();
                format!("[{}]", row.join(", "))
            })
            .collect();
        folder.write(
            "c.toml",
            format!("[graph]\nkind = \"compact\"\ncode = \"pairwise\"\ncosts = [{}]\n", rows.join(", ")),
        );
        let line =
            "train --data t.csv --learn kind --task classes --network linear --features 2 --config c.toml -o m.gsfa";
        let output = folder.run(line);
        assert!(!output.status.success(), "{cost}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(words), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn few_features_asked_for_leave_the_code_to_left_out_samples() {
    let folder = Folder::new();
    folder.write("t.csv", samples(NAMES, 1.0));
    let chosen = folder.json("select --data t.csv --learn kind --task classes --network linear --features 2");
    let tried = chosen["selection"]["tried"].to_string();
    assert!(tried.contains("pairwise code of 2 features") && tried.contains("binary code of 2 features"), "{tried}");
}
