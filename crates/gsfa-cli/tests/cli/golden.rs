//! Golden model files (`crates/gsfa/tests/golden`) through the real binary: the features and estimates that stand beside them.

use std::path::{Path, PathBuf};

use gsfa::Model;
use gsfa::samples::{Rows, Samples};
use gsfa_data::images::{ImageOptions, ImageSet};
use gsfa_data::pixels::PreparedImages;
use ndarray::Array2;
use serde_json::{Value, json};

use crate::support::{Draws, Folder, image, images};

/// Pixels in each row and column of the images of the model that prepares them.
const SIDE: usize = 12;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../gsfa/tests/golden").join(name)
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn record(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path.with_extension("json")).unwrap()).unwrap()
}

/// Puts the samples of a record into the folder, in the form that the model takes, and says where.
fn samples(folder: &Folder, model: &Model, record: &Value) -> &'static str {
    if let Some(pixels) = record.get("images") {
        for (n, pixels) in list(pixels).chunks(SIDE * SIDE).enumerate() {
            let header = format!("P5\n{SIDE} {SIDE}\n255\n").into_bytes();
            folder.write(&format!("new/{n}.pgm"), [header, pixels.iter().map(|&x| x as u8).collect()].concat());
        }
        return "new";
    }
    let (values, shape) = (list(&record["samples"]), model.input_shape());
    let width = shape.dim().unwrap();
    if let Some(names) = &model.header().input_names {
        let row = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let rows: Vec<String> = std::iter::once(names.join(",")).chain(values.chunks(width).map(row)).collect();
        folder.write("new.csv", rows.join("\n"));
        return "new.csv";
    }
    let count = values.len() / width;
    let axes = if shape.height == 1 {
        format!("{count}, {width}")
    } else {
        format!("{count}, {}, {}", shape.height, shape.width)
    };
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({axes}), }}");
    let bytes = [b"\x93NUMPY\x01\x00".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    folder.write("new.npy", [bytes, values.iter().flat_map(|x| x.to_le_bytes()).collect()].concat());
    "new.npy"
}

fn assert_near(now: &Value, then: f64, what: &str) {
    let now = now.as_f64().unwrap_or(f64::NAN);
    assert!((now - then).abs() <= 1e-9 * then.abs().max(1.0), "{what}: {now} instead of {then}");
}

#[test]
fn golden_models_give_the_features_and_estimates_that_stand_beside_them() {
    let mut count = 0;
    for entry in std::fs::read_dir(golden("")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "gsfa") {
            continue;
        }
        let (folder, model, record) = (Folder::new(), Model::load(&path).unwrap(), record(&path));
        folder.write("m.gsfa", std::fs::read(&path).unwrap());
        let data = samples(&folder, &model, &record);
        let name = path.display();
        let found = folder.json(&format!("transform m.gsfa --data {data}"));
        let features: Vec<&Value> =
            found["values"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()).collect();
        let then = list(&record["outputs"]["features"]);
        assert_eq!(features.len(), then.len(), "{name}");
        features.iter().zip(then).for_each(|(now, then)| assert_near(now, then, &format!("{name}: feature")));
        let found = folder.json(&format!("predict m.gsfa --data {data} --probabilities"));
        let then = record["outputs"]["estimates"].as_array().unwrap();
        assert_eq!(model.readouts().len(), then.len(), "{name}");
        for (readout, then) in model.readouts().iter().zip(then) {
            assert_eq!(readout.label, then["label"], "{name}");
            estimates(&found["estimates"], &readout.label, readout.class_names(), then);
        }
        count += 1;
    }
    assert!(count >= 8, "{count} golden files");
}

/// Compares the rows of `predict` with the record of one label.
fn estimates(rows: &Value, label: &str, classes: Option<&[String]>, then: &Value) {
    let rows = rows.as_array().unwrap();
    let values = list(&then["values"]);
    assert_eq!(rows.len(), values.len());
    for (n, (row, value)) in rows.iter().zip(values).enumerate() {
        match classes {
            Some(names) => assert_eq!(row[label], names[value as usize], "{label} of sample {n}"),
            None => assert_near(&row[label], value, label),
        }
        for (key, suffix) in [("deviations", "std"), ("outliers", "outlier")] {
            if let Some(then) = then[key].as_array() {
                assert_near(&row[format!("{label}_{suffix}")], then[n].as_f64().unwrap(), key);
            }
        }
        let Some(all) = then["probabilities"].as_array() else { continue };
        let width = all.len() / rows.len();
        for (k, then) in all[n * width..][..width].iter().enumerate() {
            let name = classes.map_or_else(|| format!("bin{}", k + 1), |names| names[k].clone());
            assert_near(&row[format!("{label}_p_{name}")], then.as_f64().unwrap(), "probability");
        }
    }
}

/// Where there is none yet it is written, to be looked at and committed.
#[test]
fn golden_model_of_the_command_line_with_preparation_is_there() {
    let path = golden(&format!("prepared-{}.gsfa", gsfa::model::FORMAT));
    if path.is_file() {
        return;
    }
    let folder = Folder::new();
    images(&folder, "faces", 80, SIDE);
    let preparation = "--resize 6x6 --mean-intensity 100";
    folder.ok(&format!("train --data faces --labels faces.csv --learn angle {preparation} --network linear -o m.gsfa"));
    let mut draws = Draws::new(77);
    for n in 0..3 {
        folder.write(&format!("new/{n}.pgm"), image(SIDE, 0.2 + 0.3 * f64::from(n), &mut draws));
    }
    let pixels = |n: usize| std::fs::read(folder.file(&format!("new/{n}.pgm"))).unwrap()[13..].to_vec();
    let model = Model::load(folder.file("m.gsfa")).unwrap();
    let (features, found) = (folder.json("transform m.gsfa --data new"), folder.json("predict m.gsfa --data new"));
    let column =
        |name: &str| found["estimates"].as_array().unwrap().iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    let estimate =
        json!({"label": "angle", "values": column("angle"), "deviations": column("angle_std"), "probabilities": null});
    let features: Vec<&Value> =
        features["values"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap()).collect();
    let recorded = json!({
        "images": (0..3).flat_map(pixels).collect::<Vec<u8>>(),
        "samples": prepared(&folder, &model).iter().collect::<Vec<_>>(),
        "outputs": {"features": features, "estimates": [estimate]},
    });
    std::fs::copy(folder.file("m.gsfa"), &path).unwrap();
    std::fs::write(path.with_extension("json"), recorded.to_string()).unwrap();
    panic!("a new golden file, to be committed: {}", path.display());
}

/// The new images as the model sees them.
fn prepared(folder: &Folder, model: &Model) -> Array2<f64> {
    let steps = model.remembered().preparation.clone().unwrap();
    let images =
        PreparedImages::new(ImageSet::open(folder.file("new"), &ImageOptions::default()).unwrap(), steps).unwrap();
    let mut rows = Array2::zeros((images.len(), images.dim()));
    images.read_double(Rows::Range(0..images.len()), rows.view_mut()).unwrap();
    rows
}
