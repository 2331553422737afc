//! The same choices and the same estimates whatever vector instructions the kernels use.

use std::process::Output;

use gsfa::Model;
use gsfa::vectors::{VARIABLE, Vectors};

use crate::support::{Folder, images, table};

fn run(folder: &Folder, line: &str, vectors: &str) -> Output {
    folder.command(line).env(VARIABLE, vectors).output().unwrap()
}

fn ok(folder: &Folder, line: &str, vectors: Vectors) -> String {
    let output = run(folder, line, vectors.name());
    assert!(output.status.success(), "{vectors} {line}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Cells of a CSV table are near, where both are numbers, and equal where they are not.
fn near(a: &str, b: &str) -> bool {
    a.lines().count() == b.lines().count()
        && a.split([',', '\n']).zip(b.split([',', '\n'])).all(|(a, b)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => (a - b).abs() <= 1e-6 * (1.0 + a.abs()),
            _ => a == b,
        })
}

#[test]
fn choices_and_estimates_are_the_same_under_every_set_of_vectors() {
    let folder = Folder::new();
    folder.write("t.csv", table(240, 1));
    folder.write("new.csv", table(60, 2));
    images(&folder, "x", 90, 16);
    let problems = [
        ("train --data t.csv --learn age --ignore kind", "new.csv"),
        ("train --data t.csv --learn kind --ignore age", "new.csv"),
        ("train --data t.csv --learn age,kind", "new.csv"),
        ("train --data x --labels x.csv --targets 3", "x"),
    ];
    for (problem, new) in problems {
        let results = Vectors::ALL.map(|vectors| {
            ok(&folder, &format!("{problem} -o m.gsfa --force"), vectors);
            let model = Model::load(folder.file("m.gsfa")).unwrap();
            (vectors, model, ok(&folder, &format!("predict m.gsfa --data {new}"), vectors))
        });
        let (_, model, estimates) = &results[0];
        for (vectors, other, others) in &results[1..] {
            // Layers with their ridges, expansions and sizes; read-outs with their settings.
            assert_eq!(model.network().spec, other.network().spec, "{vectors} {problem}");
            let settings = |model: &Model| model.readouts().iter().map(|r| r.settings).collect::<Vec<_>>();
            assert_eq!(settings(model), settings(other), "{vectors} {problem}");
            assert!(near(estimates, others), "{vectors} {problem}");
        }
    }
}

#[test]
fn an_unknown_set_of_vectors_is_refused() {
    let folder = Folder::new();
    folder.write("t.csv", table(30, 1));
    let output = run(&folder, "train --data t.csv --learn age --ignore kind -o m.gsfa", "avx3");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("GSFA_VECTORS = avx3: must be avx512, avx2 or portable"), "{stderr}");
    assert_eq!(folder.files(), ["t.csv"]);
}
