//! What is named and would have no effect, act twice or act unseen: refused, or told.

use serde_json::Value;

use crate::support::{refused, table_and_array};

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
