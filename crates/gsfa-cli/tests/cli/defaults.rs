//! Numbers of features and groups: the same for every command, and said where they are too small.

use crate::support::{Folder, npy, numbers, table};

#[test]
fn serial_and_mixed_graphs_have_the_groups_that_help_and_library_say() {
    let folder = Folder::new();
    folder.write("t.csv", table(200, 1));
    let groups = gsfa::graph::DEFAULT_GROUPS;
    for kind in ["serial", "mixed"] {
        let graph = folder.json(&format!("graph --labels t.csv --learn age --graph {kind}"));
        assert_eq!(graph["graph"]["groups"], groups);
    }
    let help = folder.ok("train --help");
    assert!(help.contains(&format!("Groups of serial and mixed graphs [default: {groups}]")), "{help}");
}

#[test]
fn outputs_that_a_layer_refuses_are_refused_by_train_and_by_solve() {
    let folder = Folder::new();
    let csv = table(120, 1);
    let (rows, _) = numbers(&csv);
    folder.write("x.npy", npy(&rows));
    folder.write("y.csv", &csv);
    // One label gives one slow feature; two more would be surplus.
    for (surplus, features) in [("residual", Some(3)), ("truncate", Some(1)), ("error", None)] {
        folder.write("net.toml", format!("[[layers]]\noutput_dim = 3\nridge = 0.001\nsurplus = \"{surplus}\"\n"));
        let flags = "--labels y.csv --learn age --network net.toml --force";
        folder.ok(&format!("prepare --data x.npy {flags} -o p.plan"));
        folder.ok("accumulate p.plan x.npy -o x.moments --force");
        let lines = [
            format!("train --data x.npy {flags} -o one.gsfa"),
            "solve p.plan x.moments --shards x.npy --force -o two.gsfa".to_string(),
        ];
        match features {
            None => {
                let errors = lines.map(|line| folder.fails(&line, 3, "3 features were requested"));
                let error = |stderr: &String| stderr.lines().find(|line| line.starts_with("error:")).map(String::from);
                assert_eq!(error(&errors[0]), error(&errors[1]));
            }
            Some(_) => {
                let [one, two] = lines.map(|line| folder.json(&line)["delta_values"].as_array().unwrap().len());
                assert_eq!((one, Some(two)), (two, features), "{surplus}");
            }
        }
    }
}
