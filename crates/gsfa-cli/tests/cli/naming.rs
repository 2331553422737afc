//! What is named and would have no effect, act twice or act unseen: refused, or told.

use serde_json::Value;

use crate::support::{Folder, refused, table, table_and_array};

const AGE: &str = "train --data t.csv --learn age --ignore kind --network linear --ridge 0.01 -o m.gsfa --force";
const KIND: &str = "train --data t.csv --learn kind --ignore age --network linear --ridge 0.01 -o m.gsfa --force";

fn codes(result: &Value) -> Vec<String> {
    let codes = result["remarks"].as_array().unwrap().iter();
    codes.map(|remark| remark["code"].as_str().unwrap().to_string()).collect()
}

#[test]
fn estimates_are_held_in_one_place() {
    let folder = table_and_array();
    folder.write("both.toml", "clip = [0, 50]\nreadout = { kind = 'linear_regression', clip = 'none' }\n");
    let readout = "--readout linear-regression";
    for said in [
        "--config both.toml".to_string(),
        format!("{readout} --set readout.clip=none --clip 0,50"),
        format!("{readout} --clip 0,50 --set readout.clip=training"),
        format!("{readout} --set clip=[0,50] --set readout.clip=none"),
        format!("{readout} --set readout.clip=none --set clip=[0,50]"),
    ] {
        refused(&folder, &format!("{AGE} {said}"), "--clip (clip) and readout.clip exclude each other");
    }
    folder.ok(&format!("{AGE} {readout} --set readout.clip=none"));
    folder.ok(&format!("{AGE} --config both.toml --set clip="));
    // What was printed can be read again.
    let printed = folder.ok(&format!("{AGE} {readout} --clip 0,50 --print-config"));
    folder.write("printed.toml", printed);
    folder.ok("train --config printed.toml -o m.gsfa --force");
}

#[test]
fn models_refuse_what_they_would_not_do() {
    let folder = table_and_array();
    folder.ok(AGE);
    for command in ["predict", "evaluate", "transform"] {
        let line = format!("{command} m.gsfa --data t.csv");
        refused(&folder, &format!("{line} --ignore a"), "--ignore a means nothing here: it is an input of the model");
        refused(&folder, &format!("{line} --image-shape 2x2"), "--image-shape means nothing here");
        refused(&folder, &format!("{line} --categories error"), "--categories means nothing here");
        folder.ok(&format!("{line} --ignore kind"));
    }
    let words = folder.read("t.csv").replace(",age,kind", ",age,word");
    folder.write("words.csv", words);
    folder.ok("train --data words.csv --learn age --categories one-hot --network linear -o w.gsfa");
    refused(&folder, "predict w.gsfa --data words.csv --ignore word", "--ignore word means nothing here");
    // Columns of the file are counted, not inputs.
    let told = folder.json("predict w.gsfa --data words.csv")["notes"].to_string();
    assert!(told.contains("1 of 6 columns is no input of the model"), "{told}");
}

#[test]
fn columns_of_labels_are_named_where_they_act() {
    let folder = table_and_array();
    let array = "train --data x.npy --labels t.csv --network linear --ridge 0.01 -o m.gsfa --force";
    refused(&folder, &format!("{array} --learn age --file-column a"), "--file-column (reading.file_column)");
    for said in ["--ignore a,b,c,d,kind,zz", "--learn age --ignore zz"] {
        let told = folder.json(&format!("{array} {said}"));
        assert!(told["notes"].to_string().contains("there is no column 'zz' to leave out"), "{told}");
    }
    folder.fails(&format!("{array} --ignore a,b,c,d,kind --file-column zz"), 3, "zz");
    let graph = "graph --labels t.csv --learn age";
    for (flag, name) in [
        ("--array q", "--array (reading.array)"),
        ("--skip-bad 3", "--skip-bad (reading.skip_bad)"),
        ("--file-column age", "--file-column (reading.file_column)"),
        ("--unmatched drop", "--unmatched (reading.unmatched)"),
        ("--columns age", "--columns (reading.columns)"),
    ] {
        refused(&folder, &format!("{graph} {flag}"), &format!("{name} means nothing here"));
    }
    folder.ok("graph --labels t.csv --ignore a,b,c,d,kind");
}

#[test]
fn a_kind_of_graph_is_named_once_and_told_where_it_is_not() {
    let folder = table_and_array();
    let graph = "graph --data t.csv --learn age";
    folder.ok(&format!("{graph} --graph serial --groups 4 --set graph.kind=serial"));
    for said in ["--groups 4", "--set graph.groups=4"] {
        let told = folder.json(&format!("{graph} {said}"));
        assert_eq!(told["graph"]["kind"], "serial");
        assert!(codes(&told).contains(&"graph_taken".to_string()), "{told}");
    }
    for said in ["--graph serial --groups 4", "--graph serial --set graph.groups=4", "--targets 2"] {
        let told = folder.json(&format!("{graph} {said}"));
        assert!(!codes(&told).contains(&"graph_taken".to_string()), "{told}");
    }
    let late = "--set graph.groups=4 --set graph.kind";
    let stderr = folder.fails(&format!("{graph} {late}=mixed"), 2, "--set graph.groups: the kind of graph is assigned");
    assert!(stderr.contains("hint: first --set graph.kind=mixed"), "{stderr}");
    let told = folder.json(&format!("{graph} {late}=serial"));
    assert!(!codes(&told).contains(&"graph_taken".to_string()), "{told}");
    // Targets of the graph of the labels, whichever it is.
    for (learn, kind) in [("age", "ell"), ("kind", "compact")] {
        let graph = |said: &str| folder.json(&format!("graph --data t.csv --learn {learn} {said}"))["graph"].take();
        let by_flag = graph("--targets 2");
        assert_eq!(by_flag["kind"], kind);
        assert_eq!(by_flag, graph("--set graph.targets=2"));
        assert_eq!(by_flag, graph("--set targets=2"));
    }
}

#[test]
fn a_size_is_assigned_as_it_is_typed() {
    let folder = table_and_array();
    let line = "train --data t.csv --learn age --ignore kind --network linear --ridge 0.01 -o m.gsfa --force";
    let bytes = |said: &str| {
        folder.ok(&format!("{line} {said}"));
        std::fs::read(folder.file("m.gsfa")).unwrap()
    };
    let by_flag = bytes("--image-shape 2x2");
    assert_eq!(by_flag, bytes("--set reading.image_shape=2x2"));
    assert_eq!(by_flag, bytes("--set reading.image_shape=2,2"));
    let stderr = folder.fails("graph --data t.csv --learn age --export -", 2, "");
    assert!(!stderr.contains("-o"), "{stderr}");
}

#[test]
fn columns_that_a_table_of_labels_has_are_no_inputs() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    let rest = "--learn age --ignore kind --network linear --ridge 0.01 --force";
    let inputs = |line: &str| {
        let told = folder.json(&format!("train {line} -o m.gsfa"));
        (folder.json("inspect m.gsfa")["input_names"].clone(), codes(&told))
    };
    let (alone, _) = inputs(&format!("--data t.csv {rest}"));
    let (both, told) = inputs(&format!("--data t.csv --labels t.csv {rest}"));
    assert_eq!(both, alone);
    assert!(told.contains(&"no_input".to_string()) && !told.contains(&"label_is_input".to_string()), "{told:?}");
    // Weights and groups are none either; a label that is found by itself is not, and what is named is.
    let first = alone[0].as_str().unwrap().to_string();
    let (weighed, _) = inputs(&format!("--data t.csv --labels t.csv --group {first} {rest}"));
    assert_eq!(weighed.as_array().unwrap().len() + 1, alone.as_array().unwrap().len());
    let ages: Vec<String> =
        folder.read("t.csv").lines().map(|line| line.split(',').nth(4).unwrap_or_default().to_string()).collect();
    folder.write("only.csv", ages.join("\n") + "\n");
    let (found, _) = inputs("--data t.csv --labels only.csv --ignore kind --network linear --ridge 0.01 --force");
    assert_eq!(found, alone);
    let (_, told) =
        inputs(&format!("--data t.csv --labels t.csv --columns {first},age {}", rest.replace("--ignore kind ", "")));
    assert!(told.contains(&"label_is_input".to_string()), "{told:?}");
}

#[test]
fn a_column_is_an_input_or_left_out_and_every_sample_has_a_group() {
    let folder = table_and_array();
    let line = "train --data t.csv --learn age --network linear --ridge 0.01 -o m.gsfa --force";
    folder.fails(&format!("{line} --columns a,b --ignore b"), 2, "'b' is named by --columns");
    folder.write("g.csv", "a,b,g,age\n1,2,x,1\n2,1,,2\n3,5,y,3\n4,2,z,4\n5,1,z,6\n6,2,w,6\n");
    let stderr = folder.fails(
        "train --data g.csv --learn age --task numbers --group g --network linear -o m.gsfa --force",
        3,
        "g",
    );
    assert!(stderr.contains("every sample needs a group"), "{stderr}");
}

#[test]
fn tables_have_names_of_tables() {
    let folder = table_and_array();
    folder.ok("train --data t.csv --learn age --columns a,b --network linear --ridge 0.01 -o m.gsfa");
    for name in ["e.png", "e.json", "e.npz", "e.svg"] {
        for command in ["predict", "transform", "evaluate"] {
            let stderr = folder.fails(&format!("{command} m.gsfa --data t.csv -o {name}"), 2, "a table is no");
            assert!(stderr.contains(".csv") && !folder.file(name).exists(), "{stderr}");
        }
    }
    folder.ok("predict m.gsfa --data t.csv -o e.txt");
}

#[test]
fn rows_of_a_model_are_not_cut_into_images_of_another_shape() {
    let folder = Folder::new();
    let pixels: Vec<String> = (0..16).map(|i| format!("p{i}")).collect();
    let row = |n: usize| (0..16).map(|i| ((n * 7 + i * 5) % 17).to_string()).collect::<Vec<_>>().join(",");
    let rows: String = (0..40).map(|n| format!("{},{}\n", row(n), n % 9)).collect();
    folder.write("p.csv", format!("{},y\n{rows}", pixels.join(",")));
    folder.ok("train --data p.csv --learn y --task numbers --image-shape 4x4 --resize 2x2 --network linear --ridge 0.1 -o m.gsfa");
    let expected = folder.ok("predict m.gsfa --data p.csv");
    assert_eq!(folder.ok("predict m.gsfa --data p.csv --image-shape 4x4"), expected);
    folder.fails("predict m.gsfa --data p.csv --image-shape 2x8", 2, "another one than that of training");
}

#[test]
fn a_label_that_is_an_input_is_told_and_a_column_is_named_once() {
    let folder = table_and_array();
    let line = "train --data t.csv --learn age --network linear --ridge 0.01 -o m.gsfa --force";
    let told = folder.json(&format!("{line} --columns age,a"));
    assert!(codes(&told).contains(&"label_is_input".to_string()), "{told}");
    assert!(!codes(&folder.json(&format!("{line} --columns a,b"))).contains(&"label_is_input".to_string()));
    let stderr = folder.fails(&format!("{line} --columns a,b,a"), 2, "names 'a' twice");
    assert!(!stderr.contains("progress"), "{stderr}");
}

#[test]
fn weights_that_are_none_have_a_cure_of_their_own() {
    let folder = table_and_array();
    let with = |weight: &dyn Fn(usize) -> &'static str| {
        let csv = folder.read("t.csv");
        let line = |(n, line): (usize, &str)| format!("{line},{}\n", if n == 0 { "w" } else { weight(n) });
        folder.write("w.csv", csv.lines().enumerate().map(line).collect::<String>());
    };
    let line = KIND.replace("t.csv", "w.csv");
    with(&|n| if n == 3 { "" } else { "1" });
    let stderr = folder.fails(&format!("{line} --weights w"), 3, "1 missing value, first at line 4, column 'w'");
    assert!(stderr.contains("hint: every sample needs a weight") && !stderr.contains("--missing"), "{stderr}");
    let age = AGE.replace("--ignore kind", "--ignore w");
    let stderr = folder.fails(&format!("{} --weights kind", age.replace("t.csv", "w.csv")), 3, "is not a number");
    assert!(stderr.contains("--weights balanced") && !stderr.contains("--categories"), "{stderr}");
    with(&|n| if n == 3 { "-1" } else { "1" });
    let stderr = folder.fails(&format!("{line} --weights w"), 3, "sample weights must be positive");
    assert!(stderr.contains("correct negative ones"), "{stderr}");
}

#[test]
fn what_is_assigned_is_refused_in_plain_words() {
    let folder = table_and_array();
    let cases = [
        (AGE, "network.spectrum=true", "--set network.spectrum=true: a table is needed"),
        (AGE, "graph.kind=sum", "'graphs' is missing"),
        (AGE, "ridge=1", "did you mean 'network.ridge'?"),
        (AGE, "graph={kind='ell',eigenvalues='linaer'}", "--set graph.eigenvalues:"),
        (AGE, "seed.x=1", "--set seed.x: 'seed' holds no settings"),
        (AGE, "task.age=clases", "'clases' is neither 'numbers' nor 'classes'"),
        (AGE, "task.aeg=classes", "did you mean 'age'?"),
        (AGE, "network.spectrum.derivative=7", "derivative = 7: it must be at most 6"),
        (AGE, "network.kind=paper-64", "samples that are no images have no fields"),
        (AGE, "clip=[3,1]", "hint: gsfa settings lists all settings with what they take"),
    ];
    for (line, assignment, text) in cases {
        let run = folder.run(&format!("{line} --set {assignment}"));
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(told.contains(text) && told.contains("hint: "), "{assignment}: {told}");
        for word in ["struct ", "field `", "variant", "SpectrumChoice"] {
            assert!(!told.contains(word), "{assignment}: {told}");
        }
    }
    let eigenvalues = "--set graph.kind=ell --set graph.eigenvalues=linaer";
    let told = folder.fails(&format!("{AGE} {eigenvalues}"), 2, "--set graph.eigenvalues=linaer");
    assert!(told.contains("did you mean 'linear'?"), "{told}");
    // What holds settings under any name takes them.
    folder.ok(&format!("{KIND} --set task.kind=classes"));
    refused(
        &folder,
        &format!("{AGE} --set targets=1 --set graph.targets=2"),
        "say the same of the graph of the labels",
    );
}

#[test]
fn one_setting_can_be_looked_up() {
    let folder = Folder::new();
    let told = folder.ok("settings reading.categories");
    assert!(told.contains("`categories") && !told.contains("`missing"), "{told}");
    assert!(folder.ok("settings seed").contains("`seed"));
    assert!(folder.ok("settings network.layers").contains("`output_dim"));
    let told = folder.fails("settings reading.categoris", 2, "there are no settings 'reading.categoris'");
    assert!(told.contains("did you mean 'reading.categories'?"), "{told}");
}

#[test]
fn what_would_have_no_effect_is_refused() {
    let folder = table_and_array();
    folder.write("effort.toml", "calibrate = false\neffort = 'thorough'\n");
    for said in ["--no-calibrate --effort thorough", "--config effort.toml"] {
        refused(&folder, &format!("{AGE} {said}"), "--effort (effort) means nothing beside --no-calibrate");
    }
    let readout = "--set readout.kind=soft_gc --set readout.bins=7";
    refused(&folder, &format!("{KIND} {readout}"), "readout.bins means nothing to classes");
    folder.ok(&format!("{AGE} {readout}"));
    folder.ok("predict m.gsfa --data t.csv --probabilities");
    folder.ok(&format!("{AGE} --readout linear-regression"));
    let told = folder.json("predict m.gsfa --data t.csv --probabilities");
    assert_eq!(codes(&told), ["unused_columns", "no_probabilities"]);
    let told = folder.json("predict m.gsfa --data t.csv --ignore knid")["notes"].to_string();
    assert!(told.contains("there is no column 'knid' to leave out; did you mean 'kind'?"), "{told}");
}

#[test]
fn words_are_taken_with_either_dash() {
    let folder = table_and_array();
    let words = folder.read("t.csv").replace(",age,kind", ",age,word");
    folder.write("words.csv", words);
    folder.ok("train --data words.csv --learn age --categories one_hot --network linear --ridge 0.01 -o w.gsfa");
    folder.write("balanced.toml", "[reading]\nweights = 'balanced'\n");
    for said in ["--weights balanced", "--config balanced.toml", "--set reading.weights=balanced"] {
        let told = folder.ok(&format!("{KIND} {said} --print-config"));
        assert!(told.contains("balanced = true") && !told.contains("weights"), "{said}: {told}");
    }
}

#[test]
fn labels_that_are_made_up_measure_nothing() {
    let folder = table_and_array();
    let mut lines: Vec<String> = folder.read("t.csv").lines().map(String::from).collect();
    for line in lines.iter_mut().skip(1).step_by(2) {
        let cells: Vec<&str> = line.split(',').collect();
        let without = cells.iter().enumerate().map(|(at, cell)| if at + 2 == cells.len() { "" } else { cell });
        *line = without.collect::<Vec<_>>().join(",");
    }
    folder.write("some.csv", lines.join("\n"));
    let line = "train --data some.csv --learn age --ignore kind --network linear --ridge 0.01 -o m.gsfa --force";
    for measured in ["--folds 3", "--holdout 0.3"] {
        refused(&folder, &format!("{line} --missing-labels impute {measured}"), "leaves errors without meaning");
        folder.ok(&format!("{line} --missing-labels drop {measured}"));
    }
    folder.ok(&format!("{line} --missing-labels impute"));
    let evaluate = "evaluate m.gsfa --data some.csv --missing-labels";
    refused(&folder, &format!("{evaluate} impute"), "nothing to compare estimates with");
    assert!(folder.ok(&format!("{evaluate} keep")).contains("30 of 60 samples have labels"));
}

#[test]
fn settings_that_are_gone_with_their_kind_are_told() {
    let folder = table_and_array();
    folder.write("s.toml", "graph = { kind = 'serial', groups = 5 }\nreadout = { kind = 'soft_gc', bins = 5 }\n");
    let told = folder.json(&format!("{AGE} --config s.toml --graph mixed --readout linear-regression"));
    assert_eq!(codes(&told).iter().filter(|code| *code == "replaced").count(), 2, "{told}");
    assert!(told["notes"].to_string().contains("the graph of kind serial in the file, with its groups"), "{told}");
    folder.write("usual.toml", "graph = { kind = 'serial' }\n");
    let told = folder.json(&format!("{AGE} --config usual.toml --graph mixed"));
    assert!(!codes(&told).contains(&"replaced".to_string()), "{told}");
    let told = folder.json(&format!("{AGE} --config s.toml --graph serial --groups 4"));
    assert!(!codes(&told).contains(&"replaced".to_string()), "{told}");
    // Numbers that are none, in words of people.
    for (wrong, text) in [
        ("--holdout abc", "a number is needed"),
        ("--set network.ridge=abc", "gsfa settings network.ridge says what it takes"),
        ("--set network.ridge=[1]", "a number is needed"),
        ("--folds 1", "hint: "),
    ] {
        let run = folder.run(&format!("{AGE} {wrong}"));
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(told.contains(text) && !told.contains("literal"), "{wrong}: {told}");
    }
    folder.write("bad.toml", "seed = 'x'\n");
    folder.fails(&format!("{AGE} --config bad.toml"), 2, "\"x\" is not taken, expected a whole number");
}

#[test]
fn a_plan_tells_what_the_effort_allows() {
    let folder = table_and_array();
    let line = "--data t.csv --learn age --ignore kind";
    let planned = |effort: &str| {
        let told = folder.json(&format!("plan {line} --effort {effort}"));
        told["candidates"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect::<Vec<_>>()
    };
    let told = folder.json(&format!("select {line} --effort quick"));
    let judged = told["selection"]["tried"].as_array().unwrap().iter().filter(|one| !one["loss"].is_null());
    assert_eq!(planned("quick"), judged.map(|one| one["name"].clone()).collect::<Vec<_>>(), "{told}");
    assert!(planned("quick").len() < planned("thorough").len());
}
