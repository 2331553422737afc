//! What a model keeps of what was said and asked for while it was learned.

use gsfa::Model;
use gsfa::model::{ClassWeights, Remembered};

use crate::support::{Folder, images, npy, numbers, table};

fn remembered(folder: &Folder, model: &str) -> Remembered {
    Model::load(folder.file(model)).unwrap().remembered().clone()
}

fn codes(remembered: &Remembered) -> Vec<&str> {
    remembered.notes.iter().map(|note| note.code.as_str()).collect()
}

/// A table with a missing value, a sample of weight 0 and a column of weights.
fn gaps() -> String {
    let table = table(120, 1);
    let line = |(n, line): (usize, &str)| match n {
        0 => format!("{line},w"),
        5 => format!(",{},1", line.split_once(',').unwrap().1),
        7 => format!("{line},0"),
        _ => format!("{line},1"),
    };
    table.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn remarks_about_samples_and_labels_are_in_the_model_with_their_codes() {
    let folder = Folder::new();
    folder.write("t.csv", gaps());
    let flags = "--data t.csv --learn age --ignore kind --weights w --missing impute --network linear";
    let told = folder.json(&format!("train {flags} -o m.gsfa"));
    let kept = remembered(&folder, "m.gsfa");
    assert_eq!(codes(&kept)[..3], ["zero_weights", "label_taken", "imputed"], "{:?}", kept.notes);
    // Each of them was told, and what concerns only the command is not kept.
    let told: Vec<&str> = told["notes"].as_array().unwrap().iter().filter_map(|text| text.as_str()).collect();
    assert!(kept.notes.iter().all(|note| told.contains(&note.text.as_str())), "{told:?}");
    // Parts of a cross-validation have remarks of their own, which are none of the model's.
    folder.ok(&format!("train {flags} --folds 3 -o v.gsfa"));
    assert_eq!(remembered(&folder, "v.gsfa").notes, kept.notes);
    assert_eq!(kept.class_weights, None);
    folder.ok("train --data t.csv --learn kind --ignore age,w --missing impute --weights balanced -o b.gsfa");
    assert_eq!(remembered(&folder, "b.gsfa").class_weights, Some(ClassWeights::Balanced));
}

#[test]
fn remarks_of_shards_reach_the_model() {
    let folder = Folder::new();
    let csv = table(60, 1);
    let (rows, ages) = numbers(&csv);
    folder.write("x.npy", npy(&rows));
    folder.write("age.csv", format!("age\n{}", ages.iter().map(f64::to_string).collect::<Vec<_>>().join("\n")));
    folder.ok("prepare --data x.npy --labels age.csv --learn age -o a.job");
    folder.ok("accumulate a.job x.npy --first-row 0 -o a.sums");
    folder.ok("solve a.job a.sums -o f.gsfa");
    assert_eq!(codes(&remembered(&folder, "f.gsfa"))[..3], ["label_taken", "linear_shards", "no_readout"]);
    folder.ok("solve a.job a.sums --shards x.npy -o m.gsfa");
    assert_eq!(codes(&remembered(&folder, "m.gsfa"))[..2], ["label_taken", "linear_shards"]);
}

#[test]
fn the_shape_of_images_is_kept_beside_their_preparation() {
    let folder = Folder::new();
    images(&folder, "pictures", 24, 12);
    folder.ok("train --data pictures --labels pictures.csv --learn angle --resize 6x6 --network linear -o m.gsfa");
    let kept = remembered(&folder, "m.gsfa");
    assert_eq!(kept.image.map(|shape| (shape.height, shape.width)), Some((12, 12)));
    assert!(kept.preparation.is_some());
}
