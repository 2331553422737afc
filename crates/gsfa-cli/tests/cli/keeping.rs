//! Networks that keep information, on the command line.

use crate::support::{Folder, table};

const LAYERS: &str = "[[layers]]\nfield = [16, 16]\npca = { components = 20 }\nexpansion = { kind = 'expo' }\n\
    keep = { slow = 2 }\noutput_dim = 12\nridge = 0.01\n[[layers]]\nkeep = { delta = 1.9, scaling = 'qr' }\noutput_dim = 16\nridge = 0.01\n";

#[test]
fn what_a_network_kept_is_told_and_drawn() {
    let folder = Folder::new();
    folder.ok("generate faces -o f --count 60");
    folder.write("net.toml", LAYERS);
    folder.ok("train --data f/train --labels f/train/labels.csv --learn gender --task numbers --network net.toml --no-calibrate -o m.gsfa");
    let inspected = folder.json("inspect m.gsfa");
    let explained = |layer: usize| inspected["training"][layer]["explained"].as_f64().unwrap();
    assert!(explained(0) > 0.5 && explained(1) > 0.5, "{inspected}");
    assert!(folder.ok("inspect m.gsfa").contains("% of the variance of its inputs"));
    let told = folder.json("reconstruct m.gsfa --data f/test -o kept.svg");
    let layers = told["layers"].as_array().unwrap();
    let share = |layer: usize| layers[layer]["explained"].as_f64().unwrap();
    assert!(layers.len() == 2 && share(0) > share(1) && share(1) > 0.2, "{told}");
    assert!(folder.read("kept.svg").matches("<image").count() == 24, "eight samples as given, and after each layer");
    folder.ok("reconstruct m.gsfa --data f/test -o inputs.npy");
    assert!(folder.ok("reconstruct m.gsfa --data f/test").contains("explained variance"));
    folder.fails("reconstruct m.gsfa --data f/test -o kept.svg", 2, "kept.svg");
}

#[test]
fn of_a_network_whose_top_is_for_the_labels_alone_the_layers_below_are_told() {
    let folder = Folder::new();
    folder.ok("generate faces -o f --count 60");
    folder.ok(
        "train --data f/train --labels f/train/labels.csv --learn gender --task numbers --resize 16x16 --network higsfa --no-calibrate -o m.gsfa",
    );
    let layers = folder.json("inspect m.gsfa")["training"].as_array().unwrap().len();
    let output = folder.run("reconstruct m.gsfa --data f/test -o kept.svg --json");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["layers"].as_array().unwrap().len(), layers - 1, "{told}");
    let remark = format!("layer {} of {layers}", layers - 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains(&remark));
    assert_eq!(folder.read("kept.svg").matches("<image").count(), 8 * layers);
}

#[test]
fn networks_that_keep_nothing_have_no_inverse() {
    let folder = Folder::new();
    folder.write("t.csv", table(80, 2));
    folder.ok("train --data t.csv --learn age --ignore kind --network linear -o m.gsfa");
    folder.fails("reconstruct m.gsfa --data t.csv", 2, "keep");
    folder.write("net.toml", "[[layers]]\nkeep = { slow = 1 }\noutput_dim = 2\n");
    folder.ok("train --data t.csv --learn age --ignore kind --network net.toml --no-calibrate -o k.gsfa");
    folder.fails("reconstruct k.gsfa --data t.csv -o kept.svg", 2, "only images");
    assert!(folder.json("reconstruct k.gsfa --data t.csv")["layers"][0]["explained"].as_f64().unwrap() > 0.0);
}
