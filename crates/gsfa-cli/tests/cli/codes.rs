//! Codes of failures and remarks in JSON, and what was meant by misspelt names.

use serde_json::{Value, json};

use crate::support::{Folder, table};

/// The error that a line prints as JSON.
fn error(folder: &Folder, line: &str) -> Value {
    let output = folder.run(&format!("{line} --json"));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{line}: {output:?}"));
    assert_eq!((&value["schema"], value["command"].as_str()), (&1.into(), line.split(' ').next()));
    let error = value["error"].clone();
    assert_eq!(error["exit"].as_i64(), output.status.code().map(i64::from), "{error}");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains(&format!("error: {}", error["message"].as_str().unwrap())), "{stderr}");
    error
}

#[test]
fn failures_have_codes_in_json() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    folder.write("constant.csv", "x,age\n1,5\n2,5\n3,5\n4,5\n");
    for (line, code) in [
        // The method's, those of files and tables, and the command's own.
        ("train --data constant.csv --learn age -o m.gsfa", "constant_label"),
        ("train --data t.csv --learn aeg -o m.gsfa", "unknown_column"),
        ("train --data t.csv -o m.gsfa", "which_label"),
        ("train --data t.csv --learn age", "no_output"),
        ("train --learn age -o m.gsfa", "no_data"),
        ("train --set graph.gruops=1 -o m.gsfa", "unknown_setting"),
        ("graph --labels t.csv --learn age --graph ell --groups 2", "meaningless_flag"),
        ("predict m.gsfa --data t.csv", "read"),
    ] {
        assert_eq!(error(&folder, line)["code"], code, "{line}");
    }
}

#[test]
fn a_misspelt_column_to_leave_out_is_told() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    let graph = folder.json("plan --data t.csv --learn age --ignore kind,knid --network linear");
    let told: Vec<&Value> =
        graph["remarks"].as_array().unwrap().iter().filter(|remark| remark["code"] == "nothing_ignored").collect();
    assert_eq!(told.len(), 1, "{graph}");
    assert_eq!(told[0]["text"], "there is no column 'knid' to leave out; did you mean 'kind'?");
}

#[test]
fn misspelt_names_come_with_what_was_meant() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    for (line, meant) in [
        ("train --data t.csv --learn aeg -o m.gsfa", "did you mean 'age'?"),
        ("train --data t.csv --learn Age -o m.gsfa", "did you mean 'age'?"),
        ("train --config s.toml -o m.gsfa", "did you mean 'groups'?"),
        ("train --network quadratc -o m.gsfa", "did you mean 'quadratic'?"),
    ] {
        folder.write("s.toml", "[graph]\nkind = \"serial\"\ngruops = 5\n");
        assert_eq!(error(&folder, line)["hint"], meant, "{line}");
    }
    // Nothing like it: all there is.
    assert!(error(&folder, "train --data t.csv --learn zzzzzz -o m.gsfa")["hint"] != Value::Null);
}

#[test]
fn a_misspelt_input_of_a_model_comes_with_what_was_meant() {
    let folder = Folder::new();
    folder.write(
        "t.csv",
        "height,weight,age\n".to_string()
            + &(0..40).fold(String::new(), |rows, n| rows + &format!("{},{},{}\n", n * 7 % 11, n * 5 % 13, n)),
    );
    folder.ok("train --data t.csv --learn age --task numbers --network linear --ridge 0.1 -o m.gsfa");
    folder.write("new.csv", "hieght,weight\n1,2\n");
    for command in ["predict", "transform"] {
        let error = error(&folder, &format!("{command} m.gsfa --data new.csv"));
        assert_eq!(
            (&error["code"], &error["hint"]),
            (&json!("input_names"), &json!("did you mean 'height' by 'hieght'?"))
        );
    }
    folder.write("new.csv", "zzz,weight\n1,2\n");
    assert_eq!(
        error(&folder, "predict m.gsfa --data new.csv")["hint"],
        "give the columns of training; their order does not matter"
    );
}

#[test]
fn remarks_have_codes_in_json() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    let graph = folder.json("graph --labels t.csv --learn age --groups 60");
    let codes: Vec<&str> = graph["remarks"].as_array().unwrap().iter().map(|r| r["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"fewer_groups") || codes.contains(&"label_taken"), "{codes:?}");
    let texts: Vec<&Value> = graph["remarks"].as_array().unwrap().iter().map(|remark| &remark["text"]).collect();
    assert_eq!(texts, graph["notes"].as_array().unwrap().iter().collect::<Vec<_>>());
}
