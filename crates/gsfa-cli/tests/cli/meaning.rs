//! Settings that would have no effect are refused by name, the same as a flag, by `--set` and in a file; those that act do the
//! same, whoever says them.

use serde_json::Value;

use crate::support::{Folder, refused, table_and_array};

const AGE: &str = "train --data t.csv --learn age --ignore kind -o m.gsfa";
const KIND: &str = "train --data t.csv --learn kind --ignore age -o m.gsfa";
const ARRAY: &str = "train --data x.npy --labels t.csv --learn age -o m.gsfa";

/// What is said by flags or a file is refused, and leaves no model.
fn is_refused(folder: &Folder, line: &str, said: &str, text: &str) {
    let flags = if said.ends_with(".toml") { format!("{line} --config {said}") } else { format!("{line} {said}") };
    refused(folder, &flags, text);
    assert!(!folder.file("m.gsfa").exists(), "{flags}");
}

#[test]
fn settings_without_effect_are_refused_however_they_are_said() {
    let folder = table_and_array();
    folder.write("pca.toml", "[network]\nkind = 'linear'\npca = 3\n");
    folder.write("layers.toml", "[[network.layers]]\noutput_dim = 3\n");
    folder.write("both.toml", "[validation]\nholdout = 0.5\nfolds = 3\n");
    folder.write("targets.toml", "targets = 3\n[graph]\nkind = 'serial'\n");
    folder.write("weights.toml", "[reading]\nweights = 'a'\nbalanced = true\n");
    folder.write("distortion.toml", "[distortion]\nshift = 2.0\n");
    let cases: [(&str, &[&str], &str); 7] = [
        (
            AGE,
            &["--network linear --pca 3", "--set network.kind=linear --set network.pca=3", "pca.toml", "--pca 3"],
            "--pca (network.pca) means nothing to a network of kind",
        ),
        (AGE, &["--set network.layers=[{output_dim=3}]", "layers.toml"], "network.layers means nothing to a network"),
        (
            AGE,
            &[
                "--set validation.holdout=0.5 --set validation.folds=3",
                "--folds 3 --set validation.holdout=0.5",
                "--holdout 0.5 --set validation.folds=3",
                "both.toml",
            ],
            "exclude each other",
        ),
        (
            AGE,
            &["--graph serial --set targets=3", "targets.toml"],
            "--targets (targets) means nothing to a graph of kind serial",
        ),
        (AGE, &["--graph ell --set targets=3"], "--targets (targets) means nothing to a graph of kind ell"),
        (KIND, &["--weights a --set reading.balanced=true", "weights.toml"], "exclude each other"),
        (AGE, &["--set distortion.shift=2", "distortion.toml"], "distortion means nothing without copies"),
    ];
    for (line, all, text) in cases {
        all.iter().for_each(|said| is_refused(&folder, line, said, text));
    }
    // A command that does not use a setting refuses it, but not a file that serves other commands, too.
    let samples = "--data t.csv --learn age --ignore kind";
    for (line, set) in [
        ("graph", "network.ridge=0.1"),
        ("graph", "clip=none"),
        ("select", "validation.folds=3"),
        ("plan", "validation.holdout=0.5"),
        ("prepare --labels t.csv -o m.gsfa", "validation.folds=3"),
    ] {
        is_refused(&folder, &format!("{line} {samples}"), &format!("--set {set}"), "means nothing to this command");
    }
    folder.write("shared.toml", "[network]\nridge = 0.1\n[validation]\nfolds = 3\n");
    folder.ok(&format!("graph {samples} --config shared.toml"));
    folder.ok(&format!("plan {samples} --config shared.toml"));
    // What a file says for the graph of the labels gives way to the flag.
    folder.write("open.toml", "targets = 3\n");
    folder.ok(&format!("{AGE} --config open.toml --graph ell --targets 2"));
}

#[test]
fn settings_that_the_data_gives_no_meaning_are_refused_however_they_are_said() {
    let folder = table_and_array();
    folder.write("resize.toml", "[[preparation.steps]]\nstep = 'resize'\nheight = 2\nwidth = 2\n");
    folder.write("file.toml", "[reading]\nfile_column = 'a'\n");
    folder.write("clip.toml", "clip = 'training'\n");
    let cases: [(&str, &[&str], &str); 11] = [
        (
            AGE,
            &["--resize 2x2", "--set preparation.steps=[{step=\"resize\",height=2,width=2}]", "resize.toml"],
            "--resize (preparation) means nothing here",
        ),
        (AGE, &["--grey"], "--grey (preparation) means nothing here"),
        (ARRAY, &["--mean-intensity 100"], "--mean-intensity (preparation) means nothing here"),
        (AGE, &["--preparation signs"], "--preparation (preparation) means nothing here"),
        (AGE, &["--array a", "--set reading.array=a"], "--array (reading.array) means nothing here"),
        (AGE, &["--skip-bad 3", "--set reading.skip_bad=3"], "--skip-bad (reading.skip_bad) means nothing here"),
        (AGE, &["--file-column a", "--set reading.file_column=a", "file.toml"], "--file-column (reading.file_column)"),
        (AGE, &["--unmatched drop", "--set reading.unmatched=drop"], "--unmatched (reading.unmatched) means nothing"),
        (AGE, &["--part test"], "--part (reading.part) means nothing here"),
        (ARRAY, &["--columns a,b", "--set reading.columns=a,b"], "--columns (reading.columns) means nothing here"),
        (
            KIND,
            &["--clip training", "--clip 0,3", "--set clip=training", "clip.toml"],
            "--clip (clip) means nothing to classes",
        ),
    ];
    for (line, all, text) in cases {
        all.iter().for_each(|said| is_refused(&folder, line, said, text));
    }
    let map = "map --data t.csv --learn kind --ignore age -o m.svg";
    is_refused(&folder, map, "--targets 3", "a map has 2 features, not 3");
    is_refused(&folder, map, "--graph compact --targets 3", "a map has 2 features, not 3");
    is_refused(&folder, AGE, "--readout soft-gc --clip training", "--clip (clip) means nothing to this read-out");
    is_refused(&folder, AGE, "--readout soft-gc --set clip=training", "--clip (clip) means nothing to this read-out");
    folder.ok(AGE);
    let flags =
        ["--labels t.csv", "--missing-labels drop", "--skip-bad 1", "--array a", "--columns a", "--categories one-hot"];
    for said in flags {
        let stderr = folder.fails(&format!("predict m.gsfa --data t.csv {said}"), 2, "means nothing here");
        assert!(stderr.contains("hint: "), "{stderr}");
    }
}

#[test]
fn only_labels_may_be_kept_missing() {
    let folder = table_and_array();
    folder.write("keep.toml", "[reading]\nmissing = 'keep'\n");
    folder.fails(&format!("{AGE} --set reading.missing=keep"), 2, "it is one of error, drop, impute");
    let stderr = folder.fails(&format!("{AGE} --config keep.toml"), 2, "line 2");
    assert!(stderr.contains("keep"), "{stderr}");
    folder.ok(&format!("{AGE} --set reading.missing=drop"));
}

#[test]
fn clip_has_one_meaning_whoever_says_it() {
    let folder = table_and_array();
    let bytes = |said: &str| {
        folder.ok(&format!("{AGE} --force --network linear --ridge 0.01 {said}"));
        std::fs::read(folder.file("m.gsfa")).unwrap()
    };
    for readout in ["", "--readout linear-regression", "--readout linear-scaling", "--readout soft-gc"] {
        for (flag, set) in [("none", "none"), ("training", "training"), ("38,42", "[38,42]")] {
            if readout.contains("soft-gc") && flag == "training" {
                continue;
            }
            folder.write("c.toml", format!("clip = {}\n", if flag == set { format!("'{set}'") } else { set.into() }));
            let by_flag = bytes(&format!("{readout} --clip {flag}"));
            assert_eq!(by_flag, bytes(&format!("{readout} --set clip={set}")), "{readout} {flag}");
            assert_eq!(by_flag, bytes(&format!("{readout} --config c.toml")), "{readout} {flag}");
            let estimates = folder.json("predict m.gsfa --data t.csv");
            let ages = estimates["estimates"].as_array().unwrap().iter().map(|row| row["age"].as_f64().unwrap());
            let within = ages.into_iter().all(|age| (38.0..=42.0).contains(&age));
            assert_eq!(within, flag == "38,42", "{readout} {flag}");
        }
    }
    // Left out it is none for what is chosen, and what a linear read-out that is named says.
    let age = |said: &str| {
        bytes(said);
        folder.write("far.csv", "a,b,c,d\n9,-9,0,0\n");
        folder.json("predict m.gsfa --data far.csv")["estimates"][0]["age"].as_f64().unwrap()
    };
    assert_eq!(age("--readout linear-regression"), age("--readout linear-regression --clip training"));
    assert!(age("--readout linear-regression --clip none") > 2.0 * age("--readout linear-regression"));
    assert_eq!(age(""), age("--clip none"));
}

#[test]
fn a_network_and_a_read_out_that_are_named_once_more_keep_what_a_file_says_of_them() {
    let folder = table_and_array();
    folder.write("n.toml", "readout = { kind = 'soft_gc', bins = 9 }\n[network]\nridge = 0.25\nfeatures = 2\n");
    let line = "train --config n.toml --network linear --readout soft-gc --print-config";
    let found: Value = toml::from_str(&folder.ok(line)).unwrap();
    assert_eq!((&found["network"]["ridge"], &found["network"]["features"]), (&0.25.into(), &2.into()));
    assert_eq!((&found["network"]["kind"], &found["readout"]["bins"]), (&"linear".into(), &9.into()));
}
