//! `gsfa reproduce`, as far as it takes no time; the experiments themselves are tested in their crate.

use crate::support::Folder;

#[test]
fn one_command_writes_a_page_json_tables_and_figures() {
    let folder = Folder::new();
    let value = folder.json("reproduce graphs --seed 3");
    assert_eq!(value["seed"], 3);
    assert_eq!(value["graphs"]["graphs"][0]["slow"], 14);
    assert!(value["signs"].is_null() && value["gender"].is_null());
    for file in ["index.html", "results.json", "graphs.csv", "graphs.svg"] {
        assert!(folder.file("report").join(file).is_file(), "{file}");
        assert!(value["files"].as_array().unwrap().iter().any(|f| f.as_str().unwrap().ends_with(file)), "{file}");
    }
    let page = folder.read("report/index.html");
    assert!(page.contains("14 / 6 / 4") && page.contains("gsfa reproduce graphs --seed 3"));

    // A report is not replaced by accident.
    folder.fails("reproduce graphs", 2, "exists already");
    let text = folder.ok("reproduce graphs --force");
    assert!(text.contains("look at report/index.html"), "{text}");
}

#[test]
fn wrong_data_and_specifications_are_refused_before_anything_is_written() {
    let folder = Folder::new();
    folder.write("other/readme.txt", "nothing");
    let stderr = folder.fails("reproduce --data other", 3, "holds neither faces nor signs");
    assert!(stderr.contains("hint: faces are a folder"), "{stderr}");
    folder.fails("reproduce --specs nowhere", 2, "there is no such folder");
    folder.write("specs/graphs.toml", "label = [1.0, 2.0]\nno_such_key = 1\n");
    folder.fails("reproduce graphs --specs specs", 2, "graphs.toml");
    folder.fails("reproduce nonsense", 2, "");
    assert!(!folder.file("report").exists());
}

#[test]
fn specifications_from_a_folder_replace_the_built_in_ones() {
    let folder = Folder::new();
    let built_in = include_str!("../../../../experiments/graphs.toml");
    folder.write("specs/graphs.toml", built_in.replace("groups = 15", "groups = 10"));
    let value = folder.json("reproduce graphs --specs specs");
    assert_eq!(value["graphs"]["graphs"][1]["slow"], 4);
}
