//! Standard input as a table, standard output as a file.

use std::io::Write as _;
use std::process::{Output, Stdio};

use crate::support::{Folder, table};

fn fed(folder: &Folder, line: &str, input: &[u8]) -> Output {
    let mut command = folder.command(line);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that refuses its input does not read it.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

const FLAGS: &str = "--learn age --ignore kind --network linear --no-calibrate";

#[test]
fn a_table_on_standard_input_is_the_table_in_a_file() {
    let folder = Folder::new();
    let csv = table(60, 1);
    folder.write("t.csv", &csv);
    folder.ok(&format!("train --data t.csv {FLAGS} -o file.gsfa"));
    let output = fed(&folder, &format!("train --data - {FLAGS} -o piped.gsfa"), csv.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let from_file = folder.ok("predict file.gsfa --data t.csv");
    for (line, input) in [
        ("predict piped.gsfa --data t.csv", &b""[..]),
        ("predict file.gsfa --data -", csv.as_bytes()),
        ("predict file.gsfa -d - -o -", csv.as_bytes()),
    ] {
        let output = fed(&folder, line, input);
        assert_eq!(String::from_utf8_lossy(&output.stdout), from_file, "{line}");
    }
    let output = fed(&folder, "evaluate file.gsfa --data - --json", csv.as_bytes());
    assert!(output.status.success());
    let output = fed(&folder, "graph --labels - --learn age --json", csv.as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = fed(&folder, &format!("plan --data - {FLAGS}"), csv.as_bytes());
    assert!(output.status.success());
}

#[test]
fn what_is_no_table_on_standard_input_is_refused() {
    let folder = Folder::new();
    let csv = table(30, 1);
    let fails = |line: &str, input: &[u8], code: i32, text: &str| {
        let output = fed(&folder, line, input);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {stderr}");
        assert!(stderr.contains(text), "{line}: {stderr}");
    };
    let line = format!("train --data - {FLAGS} -o m.gsfa");
    fails(&line, b"", 3, "standard input");
    fails(&line, b"a,age\n1,2\n3\n", 3, "standard input, line 3");
    fails(&line, b"\x93NUMPY\x01\x00", 3, "no CSV table");
    fails(&line, &[0; 1 << 20], 3, "no CSV table");
    fails(&line, b"a,age\n\xff,2\n", 3, "standard input");
    fails(&format!("train --data - --labels - {FLAGS} -o m.gsfa"), csv.as_bytes(), 2, "named twice");
    assert_eq!(folder.files(), Vec::<String>::new());
}

/// `-o -` is standard output, and nothing else goes there (F71).
#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new();
    folder.write("t.csv", table(60, 1));
    folder.ok(&format!("train --data t.csv {FLAGS} -o m.gsfa"));
    let output = folder.run(&format!("train --data t.csv {FLAGS} -o -"));
    assert_eq!(output.stdout, std::fs::read(folder.file("m.gsfa")).unwrap());
    assert!(String::from_utf8_lossy(&output.stderr).contains("written to standard output"));
    assert_eq!(folder.ok("predict m.gsfa --data t.csv -o -"), folder.ok("predict m.gsfa --data t.csv"));
    assert_eq!(folder.ok("transform m.gsfa --data t.csv -o -"), folder.ok("transform m.gsfa --data t.csv"));
    assert!(folder.ok("graph --labels t.csv --learn age -o -").starts_with("<?xml"));
    folder.ok("evaluate m.gsfa --data t.csv -o e.csv");
    assert_eq!(folder.ok("evaluate m.gsfa --data t.csv -o -"), folder.read("e.csv"));
    folder.ok("prepare --labels t.csv --data t.csv --learn age --ignore kind --network linear -o p.job");
    let plan = folder.ok("prepare --labels t.csv --data t.csv --learn age --ignore kind --network linear -o -");
    assert_eq!(plan, folder.read("p.job"));
    folder.fails("predict m.gsfa --data t.csv -o - --json", 2, "both want standard output");
    folder.fails("generate faces -o -", 2, "standard output");
    folder.fails("reproduce -o -", 2, "standard output");
    assert!(!folder.file("-").exists());
}

/// Names in files speak to nobody's terminal (F71).
#[test]
fn control_characters_in_names_are_shown_not_obeyed() {
    let folder = Folder::new();
    let csv = table(40, 1).replacen("age", "ag\u{1b}[31me", 1).replace("old", "o\u{7}ld\u{202e}\u{9b}");
    folder.write("t.csv", &csv);
    let train = |label: &str, more: &str| {
        let mut command = folder.command(&format!("train --data t.csv --network linear --no-calibrate {more}"));
        let output = command.args(["--learn", label]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let mut shown = train("ag\u{1b}[31me", "--ignore kind -o m.gsfa");
    shown.extend(train("kind", "--columns a,b,c,d -o k.gsfa"));
    for line in
        ["inspect m.gsfa", "inspect k.gsfa", "evaluate m.gsfa --data t.csv", "evaluate k.gsfa --data t.csv --confusion"]
    {
        let output = folder.run(line);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        shown.extend(output.stdout);
        shown.extend(output.stderr);
    }
    let text = String::from_utf8_lossy(&shown);
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}', '\u{9b}']), "{text}");
    assert!(String::from_utf8_lossy(&shown).contains("ag\\u{1b}[31me"));
}

/// A result that goes nowhere is an error.
#[test]
#[cfg(unix)]
fn a_closed_standard_output_takes_no_file() {
    let folder = Folder::new();
    folder.write("t.csv", table(60, 1));
    folder.ok(&format!("train --data t.csv {FLAGS} -o m.gsfa"));
    for line in ["predict m.gsfa --data t.csv", "transform m.gsfa --data t.csv", "evaluate m.gsfa --data t.csv"] {
        let run = |redirection: &str| {
            let script = format!("exec \"$0\" {line} -o - {redirection}");
            let program = env!("CARGO_BIN_EXE_gsfa");
            std::process::Command::new("sh").args(["-c", &script, program]).current_dir(folder.path()).output().unwrap()
        };
        let closed = run(">&-");
        let stderr = String::from_utf8_lossy(&closed.stderr);
        assert_eq!(closed.status.code(), Some(5), "{stderr}");
        assert!(stderr.contains("standard output is closed"), "{stderr}");
        assert_eq!(run(">/dev/null").status.code(), Some(0));
    }
}
