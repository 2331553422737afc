//! Graphs of what is near: the samples where there are any, the labels where there are none.

use serde_json::Value;

use crate::support::{Folder, npy, numbers, table};

fn folder() -> Folder {
    let folder = Folder::new();
    let csv = table(50, 4);
    folder.write("t.csv", &csv);
    let only = |wanted: &[usize]| -> String {
        let row = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            wanted.iter().map(|&k| cells[k]).collect::<Vec<_>>().join(",") + "\n"
        };
        csv.lines().map(row).collect()
    };
    folder.write("y.csv", only(&[4, 5]));
    folder.write("x.npy", npy(&numbers(&csv).0));
    folder
}

const NEAR: &str = "--graph nearest-neighbors --neighbors 3";

fn deltas(folder: &Folder, line: &str) -> (Value, Value) {
    let mut found = folder.json(&format!("graph {line} {NEAR}"));
    (found["delta_values"].take(), found["r"].take())
}

#[test]
fn a_graph_has_the_same_neighbours_with_any_label_and_with_none() {
    let folder = folder();
    let samples = deltas(&folder, "--data t.csv --learn age --ignore kind");
    for line in [
        "--data t.csv --learn kind --ignore age",
        "--data t.csv --ignore kind,age",
        "--data t.csv --columns a,b,c,d",
        "--data x.npy",
        "--data x.npy --labels y.csv --learn age",
        "--data x.npy --labels y.csv --learn kind",
    ] {
        assert_eq!(samples, deltas(&folder, line), "{line}");
    }
    // Labels are all that there is.
    let labels = deltas(&folder, "--labels y.csv --learn age");
    assert_ne!(labels, samples);
    // A chain needs nothing but the number of samples.
    let chain = folder.json("graph --data t.csv --graph chain");
    assert_eq!((&chain["samples"], &chain["taken"]), (&50.into(), &Value::Array(Vec::new())));
    folder.fails("graph --data t.csv --graph serial", 2, "which label?");
}

#[test]
fn every_command_that_learns_connects_the_samples() {
    let folder = folder();
    let delta = |line: &str| folder.json(&format!("{line} --force -o m.gsfa"))["delta_values"][0].as_f64().unwrap();
    let node = format!("{NEAR} --network linear --ridge 0.01 --features 1");
    let age = delta(&format!("train --data t.csv --learn age --ignore kind {node}"));
    let kind = delta(&format!("train --data t.csv --learn kind --ignore age {node}"));
    assert!((age - kind).abs() < 1e-12, "the label is not what is near: {age} {kind}");
    let folds = delta(&format!("train --data t.csv --learn age --ignore kind {node} --folds 3"));
    assert_eq!(age, folds);
    for command in ["select", "plan"] {
        folder.ok(&format!("{command} --data t.csv --learn kind --ignore age {NEAR}"));
    }
    let line = format!("prepare --data x.npy --labels y.csv --learn age {NEAR} -o j.job");
    let stderr = folder.fails(&line, 2, "needs all samples at once to find neighbours");
    assert!(stderr.contains("hint: gsfa train"), "{stderr}");
}

#[test]
fn samples_are_learned_from_their_neighbours_alone() {
    let folder = folder();
    let node = format!("{NEAR} --network linear --ridge 0.01 --features 1");
    let labeled = folder.json(&format!("train --data t.csv --learn age --ignore kind {node} -o labeled.gsfa"));
    for (name, data) in
        [("ignored", "t.csv --ignore kind,age"), ("columns", "t.csv --columns a,b,c,d"), ("array", "x.npy")]
    {
        let alone = folder.json(&format!("train --data {data} {node} -o {name}.gsfa"));
        let delta = |trained: &Value| trained["delta_values"][0].as_f64().unwrap();
        assert!((delta(&alone) - delta(&labeled)).abs() < 1e-12, "{alone}");
        assert_eq!(alone["labels"], serde_json::json!([]));
    }
    folder.fails("predict array.gsfa --data x.npy", 2, "no read-out");
    for command in ["select", "plan"] {
        folder.ok(&format!("{command} --data t.csv --ignore kind,age {NEAR}"));
    }
}
