//! Columns and weights of any magnitude: the same estimates, or an error that names the column.

use crate::support::{Folder, table};

/// The table with some columns times a factor.
fn scaled(csv: &str, factors: [f64; 4]) -> String {
    let mut lines = csv.lines();
    let mut out = format!("{}\n", lines.next().unwrap());
    for line in lines {
        let mut cells: Vec<String> = line.split(',').map(str::to_string).collect();
        for (cell, factor) in cells.iter_mut().zip(factors) {
            *cell = format!("{:e}", cell.parse::<f64>().unwrap() * factor);
        }
        out += &(cells.join(",") + "\n");
    }
    out
}

/// The numbers of the first column of estimates whose heading begins with the label.
fn estimates(csv: &str) -> Vec<f64> {
    let at = csv.lines().next().unwrap().split(',').position(|heading| heading.starts_with("age")).unwrap();
    csv.lines().skip(1).map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-6, "{worst}");
}

#[test]
fn columns_of_any_magnitude_give_the_same_estimates() {
    let folder = Folder::new();
    let train = |name: &str, factors: [f64; 4]| {
        folder.write("train.csv", scaled(&table(300, 1), factors));
        folder.write("new.csv", scaled(&table(40, 2), factors));
        folder.ok(&format!("train --data train.csv --learn age --ignore kind -o {name}.gsfa"));
        estimates(&folder.ok(&format!("predict {name}.gsfa --data new.csv")))
    };
    let plain = train("plain", [1.0; 4]);
    close(&train("large", [1.0, 1e200, 1.0, 1e-200]), &plain);
    close(&train("small", [1e-200, 1.0, 1e200, 1.0]), &plain);
}

#[test]
fn a_column_that_cannot_be_standardised_is_named() {
    let folder = Folder::new();
    folder.write("t.csv", scaled(&table(100, 1), [1.0, 1e-310, 1.0, 1.0]));
    let stderr = folder.fails("train --data t.csv --learn age --ignore kind -o m.gsfa", 3, "column 1 varies by");
    assert!(stderr.contains("hint:") && stderr.contains("rescale"), "{stderr}");
    assert!(!folder.files().contains(&"m.gsfa".to_string()));
}

/// Networks that are written out, one step at a time and all together (F56).
#[test]
fn every_step_of_a_node_gives_the_same_estimates_or_names_the_column() {
    let folder = Folder::new();
    let layer = |steps: &str| format!("[[layers]]\noutput_dim = 1\n{steps}\n");
    let (standardize, clip) = ("standardize = true", "clip = { sigmas = 3.0 }");
    let (pca, quadratic) = ("pca = { components = 4 }", "expansion = { kind = 'polynomial', degree = 2 }");
    folder.write("standardize.toml", layer(standardize));
    folder.write("clip.toml", layer(clip));
    folder.write("pca.toml", layer(pca));
    folder.write("quadratic.toml", layer(quadratic));
    folder.write("ridge.toml", layer("ridge = 0.001"));
    folder.write("all.toml", layer(&[standardize, clip, pca, quadratic].join("\n")));
    // Whether scales do not matter at all.
    for (network, equal) in [
        ("auto", true),
        ("standardize.toml", true),
        ("clip.toml", true),
        ("all.toml", true),
        ("pca.toml", false),
        ("quadratic.toml", false),
        ("ridge.toml", false),
        ("linear", false),
        ("quadratic", false),
        ("cascade", false),
    ] {
        let train = |factors: [f64; 4]| {
            folder.write("train.csv", scaled(&table(200, 1), factors));
            folder.write("new.csv", scaled(&table(40, 2), factors));
            format!("train --data train.csv --learn age --ignore kind --network {network} -o m.gsfa --force")
        };
        folder.ok(&train([1.0; 4]));
        let plain = estimates(&folder.ok("predict m.gsfa --data new.csv"));
        for factors in [[1.0, 1e200, 1.0, 1.0], [1.0, 1e-200, 1.0, 1.0]] {
            let line = train(factors);
            if equal {
                folder.ok(&line);
                close(&estimates(&folder.ok("predict m.gsfa --data new.csv")), &plain);
            } else {
                let stderr = folder.fails(&line, 3, "column 1 varies by ");
                assert!(stderr.contains("hint: rescale the column"), "{network}: {stderr}");
            }
        }
    }
}

/// Uniform weights, and weights from 1e-300 to 1e300 (F58).
#[test]
fn weights_over_six_hundred_orders_of_magnitude_give_finite_results() {
    let folder = Folder::new();
    let exponent = |n: usize| (n as i32 * 7919) % 601 - 300;
    let mut csv = String::new();
    for (n, line) in table(120, 1).lines().enumerate() {
        csv += &if n == 0 { format!("{line},w\n") } else { format!("{line},1e{}\n", exponent(n)) };
    }
    folder.write("t.csv", csv);
    for flags in [
        "--learn age --ignore kind",
        "--learn age --ignore kind --graph serial --groups 6",
        "--learn kind --ignore age",
        "--learn kind --ignore age --graph compact",
    ] {
        let trained = folder.json(&format!("train --data t.csv --weights w {flags} -o m.gsfa --force"));
        let deltas = trained["delta_values"].as_array().unwrap();
        assert!(deltas.iter().all(|delta| delta.as_f64().is_some_and(|d| (-1e-6..4.0).contains(&d))), "{trained}");
        let features = folder.json("transform m.gsfa --data t.csv");
        let rows = features["values"].as_array().unwrap();
        assert!(rows.iter().flat_map(|row| row.as_array().unwrap()).all(|x| x.as_f64().is_some_and(f64::is_finite)));
        let graph = folder.json(&format!("graph --labels t.csv --weights w {flags}"));
        let responses = graph["delta_values"].as_array().unwrap();
        assert!(responses.iter().all(|delta| delta.as_f64().is_some_and(f64::is_finite)), "{graph}");
    }
}

#[test]
fn weights_of_any_magnitude_are_ratios() {
    let folder = Folder::new();
    let weighted = |csv: &str, factor: f64| {
        let mut lines = csv.lines();
        let mut out = format!("{},w\n", lines.next().unwrap());
        lines.enumerate().for_each(|(n, line)| out += &format!("{line},{:e}\n", (1 + n % 3) as f64 * factor));
        out
    };
    for flags in [
        "--learn age --ignore kind",
        "--learn age --ignore kind --graph serial --groups 6 --readout soft-gc",
        "--learn age --ignore kind --graph reordering --readout soft-gc",
    ] {
        let train = |factor: f64| {
            folder.write("train.csv", weighted(&table(150, 1), factor));
            folder.write("new.csv", table(40, 2));
            folder.ok(&format!("train --data train.csv --weights w {flags} -o m.gsfa --force"));
            estimates(&folder.ok("predict m.gsfa --data new.csv"))
        };
        let plain = train(1.0);
        for factor in [1e-300, 1e-160, 1e160, 1e300] {
            close(&train(factor), &plain);
        }
    }
}
