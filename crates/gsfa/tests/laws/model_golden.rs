//! Golden model files: for each format and each sort of model a file, and beside it samples with the features and estimates
//! that it must give for ever. The command line and Python are held to the same files.
//!
//! A golden file is never written again. To make those of a new format, or a sort of model that has none, run
//! `cargo test --release --locked --workspace --test laws --test cli --no-fail-fast golden` and commit what it wrote.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::model_support::{classifier, hierarchy, images};
use crate::support::{Draws, assert_all_near};
use gsfa::Model;
use gsfa::graph::GraphInput;
use gsfa::labels::Labels;
use gsfa::model::Overwrite;
use gsfa::model::Remembered;
use gsfa::network::InputShape;
use gsfa::readout::{Estimates, GaussianClassifier, LabelEstimates, Readout};
use gsfa::recipe::{NetworkChoice, NetworkKind, Recipe};
use ndarray::{Array1, Array2};
use serde_json::{Value, json};

/// Rows of six numbers.
fn rows(samples: usize, seed: u64) -> Array2<f64> {
    let mut draws = Draws::new(seed);
    Array2::from_shape_fn((samples, 6), |_| draws.normal())
}

/// Two labels that lie in the rows, the second through products, too.
fn two_numbers(x: &Array2<f64>, seed: u64) -> Labels {
    let mut draws = Draws::new(seed);
    let age = x.outer_iter().map(|x| 40.0 + 9.0 * x[0] - 4.0 * x[1] + draws.normal()).collect();
    let size = x.outer_iter().map(|x| x[2] + x[3] * x[4]).collect();
    Labels::numbers("age", age).and_numbers("size", size).unwrap()
}

fn trained(recipe: &Recipe, x: &Array2<f64>, labels: &Labels) -> Model {
    let design = recipe.design(&GraphInput::new(labels), InputShape::vector(x.ncols())).unwrap();
    design.train(&x.view(), &|_| ControlFlow::Continue(())).unwrap().model
}

/// All by default: the network, its ridge and the read-outs of two labels are chosen and calibrated by left-out samples.
fn regressor() -> Model {
    let x = rows(90, 21);
    trained(&Recipe::default(), &x, &two_numbers(&x, 22))
}

/// Classes, all by default.
fn classes() -> Model {
    let x = rows(120, 23);
    let kind = |x: f64| if x > 0.5 { "high" } else { ["low", "middle"][usize::from(x > -0.5)] };
    let names: Vec<&str> = x.outer_iter().map(|x| kind(x[0] + 0.5 * x[1])).collect();
    trained(&Recipe::default(), &x, &Labels::classes("kind", &names))
}

/// A cascade of three nodes that see the inputs again, and soft GC.
fn cascade() -> Model {
    let x = rows(150, 24);
    let network = NetworkChoice { kind: NetworkKind::Cascade, ..NetworkChoice::default() };
    let readout =
        Some(Readout::SoftGc(GaussianClassifier { features: Some(2), bins: 8, ..GaussianClassifier::default() }));
    trained(&Recipe { network, readout, targets: Some(4), ..Recipe::default() }, &x, &two_numbers(&x, 25))
}

/// The hierarchy for samples as they are: outputs that stand beside it are those of numbers, not of prepared images.
fn unprepared_hierarchy() -> Model {
    let model = hierarchy();
    let remembered = Remembered { preparation: None, ..model.remembered().clone() };
    model.with_remembered(remembered).unwrap()
}

/// Trains a model of some sort.
type Make = fn() -> Model;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// Features and estimates as JSON, to be recorded beside a golden file.
fn outputs(model: &Model, x: &Array2<f64>) -> Value {
    let features = model.features(&x.view()).unwrap();
    let estimates = model.estimate(&x.view()).unwrap();
    let estimate = |(label, estimates): &(String, Estimates)| {
        let values: Vec<f64> = match &estimates.label {
            LabelEstimates::Numbers(values) => values.to_vec(),
            LabelEstimates::Classes { of_sample, .. } => of_sample.iter().map(|&c| f64::from(c)).collect(),
        };
        let list = |x: &Option<Array1<f64>>| x.as_ref().map(|x| x.to_vec());
        let probabilities = estimates.probabilities.as_ref().map(|x| x.iter().copied().collect::<Vec<f64>>());
        json!({
            "label": label, "values": values, "probabilities": probabilities,
            "deviations": list(&estimates.standard_deviation), "outliers": list(&estimates.outlier_score),
        })
    };
    json!({
        "features": features.iter().collect::<Vec<_>>(),
        "estimates": estimates.iter().map(estimate).collect::<Vec<_>>(),
    })
}

fn numbers(x: &Value) -> Vec<f64> {
    x.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn golden_files_of_every_format_stay_readable_and_mean_the_same() {
    let mut read = Vec::new();
    for entry in fs::read_dir(golden("")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "gsfa") {
            continue;
        }
        let model = Model::load(&path).unwrap();
        let recorded: Value = serde_json::from_slice(&fs::read(path.with_extension("json")).unwrap()).unwrap();
        let samples = numbers(&recorded["samples"]);
        let columns = model.input_shape().dim().unwrap();
        let x = Array2::from_shape_vec((samples.len() / columns, columns), samples).unwrap();
        let (now, then) = (outputs(&model, &x), &recorded["outputs"]);
        // Sums of a hundred terms, in another order on other processors.
        assert_all_near(&numbers(&now["features"]), &numbers(&then["features"]), 1e-11);
        let (now, then) = (now["estimates"].as_array().unwrap(), then["estimates"].as_array().unwrap());
        assert_eq!((now.len(), then.len()), (model.readouts().len(), model.readouts().len()));
        for (now, then) in now.iter().zip(then) {
            assert_eq!(now["label"], then["label"]);
            // What was recorded: format 1 has estimates and probabilities only.
            for key in
                ["values", "probabilities", "deviations", "outliers"].into_iter().filter(|key| !then[key].is_null())
            {
                assert_all_near(&numbers(&now[key]), &numbers(&then[key]), 1e-9);
            }
        }
        read.push(path.file_stem().unwrap().to_str().unwrap().to_string());
    }
    for sort in ["cascade-2", "classes-2", "classifier-1", "hierarchy-1", "prepared-2", "regressor-2"] {
        assert!(read.iter().any(|name| name == sort), "there is no {sort}");
    }
}

/// As for other recorded outputs: where a new format has none yet they are written, to be looked at and committed.
#[test]
fn golden_files_are_there_for_every_sort_of_model() {
    let mut written = Vec::new();
    let sorts: [(&str, Make, Array2<f64>); 5] = [
        ("hierarchy", unprepared_hierarchy, images(3, 11).0),
        ("classifier", classifier, images(3, 11).0),
        ("regressor", regressor, rows(4, 26)),
        ("classes", classes, rows(4, 27)),
        ("cascade", cascade, rows(4, 28)),
    ];
    for (name, make, x) in sorts {
        let path = golden(&format!("{name}-{}.gsfa", gsfa::model::FORMAT));
        if path.is_file() {
            continue;
        }
        let model = make();
        model.save(&path, Overwrite::Never).unwrap();
        let recorded = json!({"samples": x.iter().collect::<Vec<_>>(), "outputs": outputs(&model, &x)});
        fs::write(path.with_extension("json"), recorded.to_string()).unwrap();
        written.push(path);
    }
    assert!(written.is_empty(), "new golden files, to be committed: {written:?}");
}
