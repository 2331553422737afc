//! Where output goes: devices, pipes, links, folders of inputs, folders that take no files.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::{Folder, images, table};

const TRAIN: &str = "train --data t.csv --learn age --ignore kind --network linear --no-calibrate";

fn with_table() -> Folder {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    folder
}

fn fifo(folder: &Folder, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.file(name)).status().unwrap().success());
}

/// Devices get the bytes, pipes and sockets are refused, and all stay what they are (F53).
#[test]
fn devices_are_written_to_and_pipes_and_sockets_refused() {
    let folder = with_table();
    folder.ok(&format!("{TRAIN} -o m.gsfa"));
    fifo(&folder, "pipe");
    let _listener = UnixListener::bind(folder.file("socket")).unwrap();
    let lines = [TRAIN, "predict m.gsfa --data t.csv", "transform m.gsfa --data t.csv", "evaluate m.gsfa --data t.csv"];
    for line in lines {
        for force in ["", " --force"] {
            folder.ok(&format!("{line} -o /dev/null{force}"));
            let pipe = folder.fails(&format!("{line} -o pipe{force}"), 5, "it is a pipe, not a regular file");
            assert!(pipe.contains("hint:"), "{pipe}");
            folder.fails(&format!("{line} -o socket{force}"), 5, "it is a socket");
            folder.fails(&format!("{line} -o /dev/full{force}"), 5, "No space left on device");
        }
    }
    folder.ok("graph --labels t.csv --learn age -o /dev/null");
    folder.fails("graph --labels t.csv --learn age -o graph.txt", 2, "drawn as .svg or .html");
    // A plan finds what a training would, and writes nothing.
    let plan = "plan --data t.csv --learn age --ignore kind --network linear -o";
    folder.fails(&format!("{plan} pipe"), 5, "it is a pipe");
    folder.fails(&format!("{plan} m.gsfa"), 2, "m.gsfa exists");
    folder.fails(&format!("{plan} t.csv --force"), 2, "both input and output");
    let output = folder.run(&format!("{plan} new.gsfa"));
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains("a plan writes no file"));
    assert!(!folder.file("new.gsfa").exists());
    assert!(fs::symlink_metadata("/dev/null").unwrap().file_type().is_char_device());
    assert!(fs::symlink_metadata(folder.file("pipe")).unwrap().file_type().is_fifo());
    assert!(fs::symlink_metadata(folder.file("socket")).unwrap().file_type().is_socket());
}

/// A link stays one, and it is said what is written (F53).
#[test]
fn links_are_followed_and_it_is_said() {
    let folder = with_table();
    folder.write("real.gsfa", "old");
    symlink("real.gsfa", folder.file("m.gsfa")).unwrap();
    folder.fails(&format!("{TRAIN} -o m.gsfa"), 2, "m.gsfa exists");
    assert_eq!(folder.read("real.gsfa"), "old");
    let output = folder.run(&format!("{TRAIN} -o m.gsfa --force"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.contains("m.gsfa is a link and stays one"), "{stderr}");
    assert!(folder.file("m.gsfa").symlink_metadata().unwrap().is_symlink());
    folder.ok("inspect real.gsfa");
    symlink("nowhere", folder.file("dangling")).unwrap();
    folder.fails(&format!("{TRAIN} -o dangling --force"), 5, "a link to nothing");
}

/// Nothing that is read is written, also inside a folder that is read (F57).
#[test]
fn inputs_are_never_replaced() {
    let folder = with_table();
    images(&folder, "x", 12, 8);
    folder.write("s.toml", "seed = 3\n");
    folder.write("n.toml", "[[layers]]\noutput_dim = 1\n");
    let before = fs::read(folder.file("x/003.pgm")).unwrap();
    let train = "train --data x --labels x.csv --no-calibrate --network linear --force -o";
    for path in ["x/003.pgm", "./x/../x/003.pgm", "x/new.png", "x.csv"] {
        folder.fails(&format!("{train} {path}"), 2, "both input and output");
    }
    for line in [
        "train --data t.csv --learn age --ignore kind --config s.toml --force -o s.toml",
        "train --data t.csv --learn age --ignore kind --network n.toml --force -o n.toml",
        "train --data t.csv --learn age --ignore kind --force -o t.csv",
        "graph --labels t.csv --learn age --force -o t.csv",
        "prepare --data x --labels x.csv --network linear --force -o x/003.pgm",
    ] {
        folder.fails(line, 2, "both input and output");
    }
    folder.ok(&format!("{train} x/m.gsfa"));
    folder.ok(&format!("{train} x/m.gsfa"));
    for line in
        ["predict x/m.gsfa --data x", "transform x/m.gsfa --data x", "evaluate x/m.gsfa --data x --labels x.csv"]
    {
        folder.fails(&format!("{line} --force -o x/003.pgm"), 2, "both input and output");
        folder.fails(&format!("{line} --force -o x/m.gsfa"), 2, "both input and output");
    }
    assert_eq!(fs::read(folder.file("x/003.pgm")).unwrap(), before);
}

/// A folder that takes no files is found out before the work, whatever the command (F61).
#[test]
fn folders_that_are_missing_or_read_only_are_found_before_the_work() {
    let folder = Folder::new();
    folder.write("t.csv", table(4000, 1));
    let slow = "train --data t.csv --learn age --ignore kind --folds 9";
    let begun = Instant::now();
    folder.fails(&format!("{slow} -o none/m.gsfa"), 5, "none/m.gsfa");
    folder.fails("reproduce --full -o t.csv/report", 5, "t.csv");
    folder.fails("generate faces --count 1000000 -o t.csv/faces", 5, "t.csv");
    fs::create_dir(folder.file("locked")).unwrap();
    fs::set_permissions(folder.file("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    // For root no folder is read-only.
    if fs::write(folder.file("locked/probe"), "").is_err() {
        folder.fails(&format!("{slow} -o locked/m.gsfa"), 5, "locked/m.gsfa");
        folder.fails("reproduce --full -o locked/report", 5, "locked");
    }
    fs::set_permissions(folder.file("locked"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    assert_eq!(folder.files(), ["locked", "t.csv"]);
}

/// What has no end or keeps us waiting is refused at once, as every kind of input (F63).
#[test]
fn pipes_devices_and_folders_are_no_input_files() {
    let folder = with_table();
    folder.ok(&format!("{TRAIN} -o m.gsfa"));
    fifo(&folder, "pipe");
    fifo(&folder, "pipe.npy");
    fifo(&folder, "pipe.npz");
    fifo(&folder, "pipe.toml");
    fs::create_dir(folder.file("empty")).unwrap();
    let begun = Instant::now();
    for path in ["pipe", "pipe.npy", "pipe.npz", "/dev/zero"] {
        for line in [
            format!("train --learn age -o x.gsfa --data {path}"),
            format!("train --learn age -o x.gsfa --ignore kind,age --data t.csv --labels {path}"),
            format!("predict m.gsfa --data {path}"),
            format!("graph --learn age --labels {path}"),
        ] {
            let stderr = folder.fails(&line, 5, "not a regular file");
            assert!(stderr.contains("hint:"), "{line}: {stderr}");
        }
    }
    for line in [
        "train --data t.csv --learn age -o x.gsfa --config pipe",
        "train --data t.csv --learn age -o x.gsfa --network pipe.toml",
        "accumulate pipe t.csv -o x.moments",
        "predict pipe --data t.csv",
        "inspect /dev/zero",
    ] {
        folder.fails(line, 5, "not a regular file");
    }
    folder.fails(
        "train --data t.csv --labels empty --learn age --ignore kind,age -o x.gsfa",
        2,
        "empty is a folder, not a table",
    );
    folder.fails("train --data t.csv --learn age --config empty -o x.gsfa", 5, "it is a folder");
    folder.fails("train --data empty --learn class -o x.gsfa", 3, "no images");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
