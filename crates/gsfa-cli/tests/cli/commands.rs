//! Every command, as people use it, its JSON held to docs/json.md by `Folder::json`.

use crate::support::{Folder, images, npy, numbers, table};

#[test]
fn a_table_of_numbers_is_learned_predicted_and_evaluated() {
    let folder = Folder::new();
    folder.write("train.csv", table(200, 1));
    folder.write("test.csv", table(100, 2));
    let trained = folder.json("train --data train.csv --learn age --ignore kind -o m.gsfa");
    assert_eq!((&trained["samples"], &trained["inputs"]), (&200.into(), &4.into()));
    assert_eq!(trained["labels"][0]["kind"], "numbers");
    assert_eq!(trained["graph"]["kind"], "ell");

    let scores = folder.json("evaluate m.gsfa --data test.csv");
    let (rmse, chance) = (&scores["labels"][0]["rmse"], &scores["labels"][0]["chance_rmse"]);
    assert!(rmse.as_f64().unwrap() < 0.1 * chance.as_f64().unwrap(), "{scores}");
    assert!(folder.ok("evaluate m.gsfa --data test.csv").contains("RMSE"));

    let csv = folder.ok("predict m.gsfa --data test.csv");
    // A linear relation with little noise: read by regression, whose deviation is that of left-out samples.
    assert_eq!(csv.lines().next(), Some("row,age,age_std"));
    assert_eq!(csv.lines().count(), 101);
    folder.json("predict m.gsfa --data test.csv -o e.csv");
    assert_eq!(folder.read("e.csv"), csv);
    let shown = folder.json("predict m.gsfa --data test.csv");
    assert_eq!(shown["estimates"].as_array().unwrap().len(), 100);
}

#[test]
fn soft_gc_gives_deviations_outlier_scores_and_probabilities() {
    let folder = Folder::new();
    folder.write("t.csv", table(200, 1));
    folder.ok("train --data t.csv --learn age --ignore kind --graph ell --targets 3 --readout soft-gc -o m.gsfa");
    let csv = folder.ok("predict m.gsfa --data t.csv");
    assert_eq!(csv.lines().next(), Some("row,age,age_std,age_outlier"));
    let csv = folder.ok("predict m.gsfa --data t.csv --probabilities");
    assert!(csv.lines().next().unwrap().contains("age_p_bin1"));
}

#[test]
fn classes_are_recognised_and_told_apart() {
    let folder = Folder::new();
    folder.write("t.csv", table(300, 1));
    let trained = folder.json("train --data t.csv --learn kind --ignore age -o m.gsfa");
    assert_eq!(trained["labels"][0]["classes"], serde_json::json!(["middle", "old", "young"]));
    assert_eq!(trained["graph"]["kind"], "clustered");
    let scores = folder.json("evaluate m.gsfa --data t.csv");
    assert!(scores["labels"][0]["error_rate"].as_f64().unwrap() < 0.2, "{scores}");
    assert!(folder.ok("evaluate m.gsfa --data t.csv --confusion").contains("confusion of kind"));
    let csv = folder.ok("predict m.gsfa --data t.csv");
    assert_eq!(csv.lines().next(), Some("row,kind,kind_outlier,kind_p_middle,kind_p_old,kind_p_young"));
    // As numbers, text makes no sense; as compact code, classes do.
    folder.fails("train --data t.csv --learn kind --ignore age --task numbers -o n.gsfa", 3, "kind");
    let compact = folder.json("train --data t.csv --learn kind --ignore age --targets 2 -o c.gsfa");
    assert_eq!(compact["graph"]["kind"], "compact");
}

#[test]
fn several_labels_are_learned_at_once() {
    let folder = Folder::new();
    folder.write("t.csv", table(300, 1));
    let trained = folder.json("train --data t.csv --learn age,kind -o m.gsfa");
    assert_eq!(trained["graph"]["kind"], "sum");
    let scores = folder.json("evaluate m.gsfa --data t.csv");
    let labels: Vec<&str> = scores["labels"].as_array().unwrap().iter().map(|l| l["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["age", "kind"]);
    let two = folder.json("train --data t.csv --learn age,a --ignore kind --readout linear-scaling -o two.gsfa");
    assert_eq!(two["graph"]["labels"], serde_json::json!(["age", "a"]));
}

#[test]
fn a_folder_of_images_and_a_table_of_their_labels() {
    let folder = Folder::new();
    images(&folder, "train", 80, 8);
    images(&folder, "test", 30, 8);
    let trained = folder.json("train --data train --labels train.csv -o m.gsfa");
    assert_eq!(trained["inputs"], 64);
    let scores = folder.json("evaluate m.gsfa --data test --labels test.csv");
    assert!(scores["labels"][0]["percent_of_chance"].as_f64().unwrap() < 40.0, "{scores}");
    let csv = folder.ok("predict m.gsfa --data test");
    assert!(csv.starts_with("file,angle"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().starts_with("000.pgm,"), "{csv}");
    // The model remembers the preparation of pixels.
    folder.ok("train --data train --labels train.csv --resize 4x4 -o small.gsfa");
    assert_eq!(folder.json("predict small.gsfa --data test -o e.jsonl")["samples"], 30);
    assert_eq!(folder.read("e.jsonl").lines().count(), 30);
}

#[test]
fn class_folders_and_damaged_images() {
    let folder = Folder::new();
    let mut draws = crate::support::Draws::new(1);
    for n in 0..20 {
        folder.write(&format!("x/low/{n}.pgm"), crate::support::image(6, 0.1, &mut draws));
        folder.write(&format!("x/high/{n}.pgm"), crate::support::image(6, 0.9, &mut draws));
    }
    folder.write("x/high/bad.png", b"this is no image");
    folder.fails("train --data x -o m.gsfa", 3, "bad.png");
    let trained = folder.json("train --data x --skip-bad 2 -o m.gsfa");
    assert_eq!(trained["samples"], 40);
    assert!(trained["skipped"][0].as_str().unwrap().contains("bad.png"));
    assert_eq!(folder.json("evaluate m.gsfa --data x --skip-bad 2")["labels"][0]["error_rate"], 0.0);
}

#[test]
fn a_folder_in_the_gtsrb_layout() {
    let folder = Folder::new();
    let mut draws = crate::support::Draws::new(3);
    let sign = |value: f64, draws: &mut crate::support::Draws| {
        let grey = crate::support::image(20, value, draws);
        let mut bytes = b"P6\n20 20\n255\n".to_vec();
        bytes.extend(grey[13..].iter().flat_map(|&x| [x; 3]));
        bytes
    };
    let head = "Filename;Width;Height;Roi.X1;Roi.Y1;Roi.X2;Roi.Y2;ClassId\n";
    let mut test = String::from(head);
    for class in 0..2 {
        let mut table = String::from(head);
        for n in 0..24 {
            let name = format!("{:05}_{:05}.ppm", n / 6, n % 6);
            table += &format!("{name};20;20;2;2;17;17;{class}\n");
            let path = format!("g/Final_Training/Images/{class:05}/{name}");
            folder.write(&path, sign(0.1 + 0.8 * f64::from(class), &mut draws));
        }
        folder.write(&format!("g/Final_Training/Images/{class:05}/GT-{class:05}.csv"), table);
        for n in 0..5 {
            let name = format!("{:05}.ppm", 5 * class + n);
            test += &format!("{name};20;20;2;2;17;17;{class}\n");
            folder.write(&format!("g/Final_Test/Images/{name}"), sign(0.1 + 0.8 * f64::from(class), &mut draws));
        }
    }
    folder.write("g/GT-final_test.csv", test);
    let trained = folder.json("train --data g --network quadratic --pca 8 -o m.gsfa");
    assert_eq!((&trained["samples"], &trained["inputs"]), (&48.into(), &(48 * 48 * 3).into()));
    let scores = folder.json("evaluate m.gsfa --data g");
    assert_eq!((&scores["samples"], &scores["labels"][0]["error_rate"]), (&10.into(), &0.0.into()));
    // Tracks are whole without being asked for: one of four in each class. Copies are made of what is learned.
    let held = folder.json("train --data g --holdout 0.25 --copies 20 --network quadratic --pca 5 -o h.gsfa");
    assert_eq!((&held["samples"], &held["validation"][0]["samples"]), (&40.into(), &12.into()));
    folder.fails("train --data g --holdout 0.25 --group nobody -o x.gsfa", 2, "no column 'nobody'");
    let copies = folder.json("train --data g --copies 30 --network quadratic --pca 5 -o c.gsfa");
    assert_eq!(copies["samples"], 60);
}

/// Copies of images of any kind, with any label: those of an image are never on both sides of a split.
#[test]
fn any_images_can_be_copied() {
    let folder = Folder::new();
    folder.ok("generate faces -o faces --count 60");
    let line = "train --data faces/train --labels faces/train/labels.csv --learn gender --grey --resize 12x12 --network linear";
    let plain = folder.json(&format!("{line} -o plain.gsfa"));
    let images = plain["samples"].as_u64().unwrap();
    let more = "--set distortion.mirror=true --set distortion.brightness=0.2 --set distortion.contrast=0.2";
    let copied = folder.json(&format!("{line} --copies-per-image 3 {more} -o copies.gsfa"));
    assert_eq!(copied["samples"], 3 * images);
    let held = folder.json(&format!("{line} --copies-per-image 2 --holdout 0.25 -o held.gsfa"));
    assert_eq!(held["samples"], 2 * (images - held["validation"][0]["samples"].as_u64().unwrap()));
    // The same draw, whatever the threads.
    folder.ok(&format!("{line} --copies-per-image 3 {more} --threads 1 -o again.gsfa"));
    let estimates = |model: &str| folder.json(&format!("predict {model}.gsfa --data faces/test"))["estimates"].clone();
    assert_eq!(estimates("copies"), estimates("again"));
    folder.fails(&format!("{line} --copies 3 -o x.gsfa"), 2, "--copies needs a label of classes");
    folder.fails(&format!("{line} --copies-per-image 0 -o x.gsfa"), 2, "at least 1");
    folder.fails(&format!("{line} --copies 3 --copies-per-image 3 -o x.gsfa"), 2, "cannot be used with");
    folder.fails(&format!("{line} --set copies=3 --set copies_per_image=3 -o x.gsfa"), 2, "exclude each other");
}

#[test]
fn arrays_and_their_labels() {
    let folder = Folder::new();
    let csv = table(120, 1);
    let (rows, ages) = numbers(&csv);
    folder.write("x.npy", npy(&rows));
    let ages: String = ages.iter().map(|age| format!("{age}\n")).collect();
    folder.write("y.csv", format!("age\n{ages}"));
    folder.ok("train --data x.npy --labels y.csv -o m.gsfa");
    let transformed = folder.json("transform m.gsfa --data x.npy -o f.npy");
    assert_eq!(transformed["samples"], 120);
    assert!(folder.ok("transform m.gsfa --data x.npy").starts_with("row,y1\n0,"));
    assert_eq!(folder.json("transform m.gsfa --data x.npy")["values"].as_array().unwrap().len(), 120);
}

#[test]
fn a_graph_by_itself_and_drawn() {
    let folder = Folder::new();
    folder.write("y.csv", table(90, 1));
    let graph = folder.json("graph --labels y.csv --learn age --graph serial --groups 15");
    // Δ = 2 − 2cos(πj/(K−1)).
    let expected = 2.0 - 2.0 * (std::f64::consts::PI / 14.0).cos();
    assert!((graph["delta_values"][0].as_f64().unwrap() - expected).abs() < 1e-12);
    assert_eq!((&graph["components"], &graph["consistent"]), (&1.into(), &true.into()));
    folder.ok("graph --labels y.csv --learn age --graph ell --targets 4 -o g.svg");
    let svg = folder.read("g.svg");
    assert!(svg.starts_with("<?xml") && svg.contains("Free responses") && svg.trim_end().ends_with("</svg>"));
    folder.ok("graph --labels y.csv --learn kind -o g.html");
    assert!(folder.read("g.html").contains("clustered graph"));
    assert_eq!(folder.json("graph --labels y.csv --learn kind")["components"], 3);
}

#[test]
fn plan_and_inspect_show_the_network() {
    let folder = Folder::new();
    images(&folder, "x", 40, 16);
    folder.write(
        "net.toml",
        "[[layers]]\nfield = [8, 8]\npca = { components = 10 }\noutput_dim = 4\n[[layers]]\nexpansion = { kind = 'expo' }\noutput_dim = 3\n",
    );
    let plan = folder.json("plan --data x --labels x.csv --network net.toml");
    assert_eq!(plan["layers"][0]["nodes"], serde_json::json!([2, 2]));
    assert!(folder.ok("plan --data x --labels x.csv --network net.toml").contains("receptive field"));
    folder.ok("train --data x --labels x.csv --network net.toml -o m.gsfa");
    let seen = folder.json("inspect m.gsfa");
    assert_eq!(seen["training"][1]["delta_values"].as_array().unwrap().len(), 3);
    assert!(seen["training"][1]["correlations"][0].as_f64().unwrap() > 0.5);
    let text = folder.ok("inspect m.gsfa");
    assert!(text.contains("layer 1 of 2, mean of 4 nodes") && text.contains("angle"), "{text}");
}

#[test]
fn settings_come_from_a_file_and_flags_override_them() {
    let folder = Folder::new();
    folder.write("t.csv", table(100, 1));
    let flags = "--data t.csv --learn age --ignore kind --graph ell --targets 4 --ridge 0.01 --network linear";
    let printed = folder.ok(&format!("train {flags} --print-config"));
    folder.write("c.toml", &printed);
    assert_eq!(folder.ok("train --config c.toml --print-config"), printed);
    let changed = folder.ok("train --config c.toml --targets 2 --print-config");
    assert!(changed.contains("targets = 2") && changed.contains("ridge = 0.01"), "{changed}");
    folder.ok(&format!("train {flags} -o a.gsfa"));
    folder.ok("train --config c.toml -o b.gsfa");
    let bytes = |name: &str| std::fs::read(folder.file(name)).unwrap();
    assert_eq!(bytes("a.gsfa"), bytes("b.gsfa"));
    let kept = &folder.json("inspect a.gsfa")["config"];
    assert_eq!(kept["graph"]["targets"], 4);
    folder.write("bad.toml", "laern = ['age']\n");
    folder.fails("train --config bad.toml -o c.gsfa", 2, "laern");
}

#[test]
fn help_versions_and_completions() {
    let folder = Folder::new();
    let help = folder.ok("--help");
    let commands = "plan train predict transform reconstruct evaluate inspect graph prepare accumulate merge solve generate reproduce completions";
    for command in commands.split_whitespace() {
        assert!(help.contains(command));
        assert!(folder.ok(&format!("{command} --help")).contains("Example"), "{command}");
    }
    assert!(folder.ok("--version").starts_with("gsfa "));
    for shell in ["bash", "zsh", "fish"] {
        assert!(folder.ok(&format!("completions {shell}")).contains("gsfa"));
    }
}

#[test]
fn generated_images_come_with_labels() {
    let folder = Folder::new();
    let faces = folder.json("generate faces -o f --count 60");
    assert_eq!((&faces["train"], &faces["test"]), (&60.into(), &60.into()));
    assert!(folder.read("f/train/labels.csv").starts_with("file,gender,color,age\n00000.pgm,"));
    assert_eq!(folder.json("generate signs -o s --count 160")["train"], 160);
    assert!(!folder.file("s/contact-sheet.ppm").exists());
    folder.ok("generate signs -o seen --count 160 --contact-sheet");
    let sheet = std::fs::read(folder.file("seen/contact-sheet.ppm")).unwrap();
    let header = b"P6\n768 480\n255\n"; // 160 images of 48×48, 16 in a line
    assert!(sheet.starts_with(header) && sheet.len() == header.len() + 768 * 480 * 3);
    folder.fails("generate faces -o f", 2, "exists already");
    let plan = folder.json("plan --data f/train --labels f/train/labels.csv --learn gender --network paper-64");
    assert_eq!(plan["layers"].as_array().unwrap().len(), 8);
}
