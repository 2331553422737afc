//! Maps of classes: what is drawn is what was computed, and new samples move nothing.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::{Draws, Folder, table};

/// Samples of five classes.
fn samples(rows: usize, seed: u64) -> String {
    let mut draws = Draws::new(3);
    let means: Vec<[f64; 4]> = (0..5).map(|_| [(); 4].map(|()| 5.0 * draws.next())).collect();
    let mut draws = Draws::new(seed);
    let mut csv = String::from("a,b,c,d,kind\n");
    for n in 0..rows {
        let x: Vec<String> = means[n % 5].iter().map(|m| (m + draws.next()).to_string()).collect();
        let _ = writeln!(csv, "{},{}", x.join(","), ["p", "q", "r", "s", "t"][n % 5]);
    }
    csv
}

const MAP: &str = "map --data t.csv --learn kind --network linear -o map.svg --force";

fn numbers(value: &Value) -> Vec<[f64; 2]> {
    let rows = value.as_array().expect("rows");
    rows.iter().map(|row| [0, 1].map(|k| row[k].as_f64().expect("a number"))).collect()
}

#[test]
fn new_samples_are_drawn_on_top_and_move_nothing() {
    let folder = Folder::new();
    folder.write("t.csv", samples(150, 8));
    // The first ten samples once more: known places for samples whose class is not looked at.
    folder.write("new.csv", samples(150, 8).lines().take(11).collect::<Vec<_>>().join("\n"));
    let alone = folder.json(MAP);
    let drawn = folder.read("map.svg");
    let with_new = folder.json(&format!("{MAP} --new new.csv --threads 1"));
    for k in 0..2 {
        let (first, second) = (&alone["maps"][k], &with_new["maps"][k]);
        assert_eq!(first["features"], second["features"]);
        assert_eq!(first["error_rate"], second["error_rate"]);
        assert_eq!(numbers(&second["new"]), numbers(&first["features"])[..10]);
        assert_eq!(first["new"].as_array().map(Vec::len), Some(0));
        let error = format!("{:.1} % errors on left-out samples", 100.0 * first["error_rate"].as_f64().unwrap());
        assert!(drawn.contains(&error), "{error}");
    }
    assert_eq!(alone["classes"], serde_json::json!(["p", "q", "r", "s", "t"]));
    // A point for every sample in both maps, and crosses for new ones.
    assert_eq!(drawn.matches("<circle").count(), 300);
    assert!(folder.read("map.svg").len() > drawn.len());
}

#[test]
fn the_discriminant_map_is_that_of_a_model_of_the_clustered_graph() {
    let folder = Folder::new();
    folder.write("t.csv", samples(150, 8));
    let value = folder.json(&format!("{MAP} --ridge 0.01 --folds 3"));
    let train =
        "train --data t.csv --learn kind --network linear --ridge 0.01 --graph clustered --features 2 --folds 3";
    let trained = folder.json(&format!("{train} -o m.gsfa"));
    folder.ok("transform m.gsfa --data t.csv -o f.csv");
    let features: Vec<[f64; 2]> = folder
        .read("f.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<f64> = line.split(',').filter_map(|cell| cell.parse().ok()).collect();
            [cells[cells.len() - 2], cells[cells.len() - 1]]
        })
        .collect();
    for (ours, theirs) in numbers(&value["maps"][1]["features"]).iter().zip(&features) {
        assert!(ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() < 1e-6), "{ours:?} {theirs:?}");
    }
    let parts = trained["validation"].as_array().unwrap();
    let wrong: f64 = parts
        .iter()
        .map(|part| part["labels"][0]["error_rate"].as_f64().unwrap() * part["samples"].as_f64().unwrap())
        .sum();
    assert!((value["maps"][1]["error_rate"].as_f64().unwrap() - wrong / 150.0).abs() < 1e-12);
}

#[test]
fn what_cannot_be_a_map_is_refused() {
    let folder = Folder::new();
    folder.write("t.csv", samples(60, 1));
    folder.write("numbers.csv", table(60, 1));
    folder.write("two.csv", samples(60, 1).replace(['r', 's', 't'], "q"));
    folder.fails("map --data numbers.csv --learn age --ignore kind -o map.svg", 3, "a map is of classes");
    folder.fails("map --data two.csv --learn kind -o map.svg", 3, "a map needs 3 or more");
    folder.fails("map --data t.csv --learn kind --features 3 -o map.svg", 2, "a map has 2 features, not 3");
    folder.fails("map --data t.csv --learn kind --graph clustered -o map.svg", 2, "not of kind clustered");
    folder.fails("map --data t.csv --learn kind -o map.png", 2, "a drawing is no .png file");
    for network in ["", "--network linear"] {
        let line = format!("map --data t.csv --learn kind --columns a {network} -o map.svg");
        folder.fails(&line, 3, "the samples give 1 feature, a map needs 2");
    }
    folder.fails("map --data t.csv --learn kind", 2, "no output file is given");
    folder.fails("map --data t.csv --learn kind --new t.csv -o t.csv", 2, "");
}
