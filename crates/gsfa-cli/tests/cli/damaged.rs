//! Files that end too early, promise too much, or come from another version.

use serde_json::Value;

use crate::support::{Folder, npy, numbers, table};

/// Samples, labels and a model of them.
fn trained() -> Folder {
    let folder = Folder::new();
    let csv = table(60, 1);
    folder.write("x.npy", npy(&numbers(&csv).0));
    folder.write("y.csv", csv);
    folder.ok("train --data x.npy --labels y.csv --learn age --network linear --ridge 0.001 -o m.gsfa");
    folder
}

/// Every command that reads a model.
const READERS: [&str; 4] = [
    "predict other.gsfa --data x.npy",
    "transform other.gsfa --data x.npy",
    "evaluate other.gsfa --data x.npy --labels y.csv",
    "inspect other.gsfa",
];

/// Truncated arrays, models, sums and jobs (F42).
#[test]
fn a_file_that_ends_early_is_refused_wherever_it_ends() {
    let folder = trained();
    let flags = "--data x.npy --labels y.csv --learn age --network linear --ridge 0.001";
    folder.ok(&format!("prepare {flags} -o p.job"));
    folder.ok("accumulate p.job x.npy --first-row 0 -o a.moments");
    for (name, line, code, text) in [
        ("x.npy", "predict m.gsfa --data cut.npy", 3, "file ends at byte"),
        ("m.gsfa", "predict cut.gsfa --data x.npy", 4, "ends at byte"),
        ("a.moments", "solve p.job cut.moments -o n.gsfa", 3, "cut.moments"),
        ("p.job", "accumulate cut.job x.npy --first-row 0 -o n.moments", 3, "cut.job"),
    ] {
        let whole = std::fs::read(folder.file(name)).unwrap();
        let extension = name.split('.').nth(1).unwrap();
        for end in [0, 1, 7, whole.len() / 3, whole.len() / 2, whole.len() - 2] {
            folder.write(&format!("cut.{extension}"), &whole[..end]);
            folder.fails(line, code, text);
        }
    }
    assert!(!folder.files().iter().any(|name| name.starts_with("n.")), "{:?}", folder.files());
}

/// Headers that promise more than there is (F43), and pickles (F44).
#[test]
fn a_model_that_promises_the_world_or_is_a_pickle_is_refused() {
    let folder = trained();
    let huge = [&u64::MAX.to_le_bytes()[..], &[b' '; 100]].concat();
    let shape =
        br#"{"__metadata__":{"gsfa":"{}"},"x":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,8]}}"#;
    let overflow = [&(shape.len() as u64).to_le_bytes()[..], shape, &[0; 8]].concat();
    let nonsense = [&2u64.to_le_bytes()[..], b"{]"].concat();
    let pickle = b"\x80\x05\x95\x0a\0\0\0\0\0\0\0}\x94\x8c\x01a\x94K\x01s.".to_vec();
    for (bytes, text) in [
        (huge, "at most 67108864 are read"),
        (overflow, "overflow"),
        (nonsense, "cannot be read as a model"),
        (pickle, "cannot be read as a model"),
    ] {
        folder.write("other.gsfa", bytes);
        for line in READERS {
            let stderr = folder.fails(line, 4, text);
            assert!(stderr.contains("hint: "), "{stderr}");
        }
    }
}

/// Models of another version of the format (F45).
#[test]
fn a_model_of_a_newer_format_asks_for_an_upgrade() {
    let folder = trained();
    let mut bytes = std::fs::read(folder.file("m.gsfa")).unwrap();
    let format = br#"\"format\":"#;
    let at = bytes.windows(format.len()).position(|window| window == format).unwrap() + format.len();
    bytes[at] = b'9';
    folder.write("other.gsfa", &bytes);
    for line in READERS {
        let stderr = folder.fails(line, 4, "'other.gsfa' was made by format 9 (gsfa ");
        assert!(stderr.contains("this library reads ") && stderr.contains("hint: upgrade gsfa"), "{stderr}");
    }
}

/// A model of the first format (F45).
#[test]
fn a_model_of_an_older_format_gives_the_estimates_of_then() {
    let folder = Folder::new();
    let golden =
        |name: &str| std::fs::read(format!("{}/../gsfa/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    folder.write("old.gsfa", golden("classifier-1.gsfa"));
    let recorded: Value = serde_json::from_slice(&golden("classifier-1.json")).unwrap();
    let list = |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
    let names: Vec<String> = (0..24).map(|k| format!("column {k}")).collect();
    let mut csv = names.join(",") + "\n";
    for row in list(&recorded["samples"]).chunks(24) {
        csv += &(row.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n");
    }
    folder.write("x.csv", csv);
    let found = folder.json("predict old.gsfa --data x.csv");
    let outputs = recorded["outputs"]["estimates"].as_array().unwrap();
    let then = list(&outputs.iter().find(|output| output["label"] == "regression").unwrap()["values"]);
    assert_eq!(then.len(), 3);
    for (row, then) in found["estimates"].as_array().unwrap().iter().zip(then) {
        assert!((row["regression"].as_f64().unwrap() - then).abs() < 1e-9, "{found}");
    }
}
