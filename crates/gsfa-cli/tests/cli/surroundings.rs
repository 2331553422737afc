//! Every command where machines are mean: full or closed outputs, few open files, little memory, odd locales, no home.

use std::fs::File;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use crate::support::{Folder, images, npy, numbers, table};

/// A folder in which every command of the list has what it needs.
fn equipped() -> Folder {
    let folder = Folder::new();
    let csv = table(40, 1);
    folder.write("t.csv", &csv);
    folder.write("x.npy", npy(&numbers(&csv).0));
    images(&folder, "faces", 12, 8);
    for line in [
        "train --data t.csv --learn age --ignore kind --network linear --no-calibrate -o m.gsfa",
        "prepare --data x.npy --labels t.csv --learn age --network linear -o p.job",
        "accumulate p.job x.npy -o x.moments",
    ] {
        folder.ok(line);
    }
    folder
}

/// Every command, writing to `OUT` where it writes.
const COMMANDS: [&str; 16] = [
    "plan --data t.csv --learn age --ignore kind --network linear",
    "train --data t.csv --learn age --ignore kind --network linear --no-calibrate -o OUT.gsfa",
    "train --data faces --labels faces.csv --network linear --no-calibrate -o OUT.gsfa",
    "predict m.gsfa --data t.csv",
    "predict m.gsfa --data t.csv -o OUT.csv",
    "transform m.gsfa --data x.npy",
    "transform m.gsfa --data x.npy -o OUT.npy",
    "evaluate m.gsfa --data t.csv",
    "inspect m.gsfa",
    "graph --labels t.csv --learn age -o OUT.svg",
    "prepare --data x.npy --labels t.csv --learn age --network linear -o OUT.job",
    "accumulate p.job x.npy -o OUT.moments",
    "merge p.job x.moments -o OUT.moments",
    "solve p.job x.moments --shards x.npy -o OUT.gsfa",
    "generate signs --count 60 -o OUT",
    "completions bash",
];

/// Ended by itself with a known code, and an error has a message.
fn ended_well(line: &str, output: &Output) -> i32 {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 2..=5)), "gsfa {line}: {code:?}\n{stderr}");
    assert!(!stderr.contains("panicked"), "gsfa {line}\n{stderr}");
    assert_eq!(code != Some(0), stderr.contains("error:"), "gsfa {line}\n{stderr}");
    code.unwrap()
}

fn with_output(line: &str, name: &str) -> String {
    line.replace("OUT", name)
}

#[test]
fn a_full_standard_output_is_an_error_and_a_closed_one_is_not() {
    let folder = equipped();
    for (k, line) in COMMANDS.iter().enumerate() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let line_full = with_output(line, &format!("full{k}"));
        let output = folder.command(&line_full).stdout(full).output().unwrap();
        assert_eq!(ended_well(&line_full, &output), 5, "{line_full}");
        let line_closed = with_output(line, &format!("closed{k}"));
        let mut command = folder.command(&line_closed);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(ended_well(&line_closed, &output), 0, "{line_closed}");
        // Nobody reads the messages either.
        let line_silent = with_output(line, &format!("silent{k}"));
        let full = || File::options().write(true).open("/dev/full").unwrap();
        let status = folder.command(&line_silent).stdout(Stdio::null()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(0), "{line_silent}");
    }
}

fn limited(folder: &Folder, limit: &str, line: &str) -> Output {
    let script = format!("ulimit -c 0; {limit}; exec \"$0\" {line}");
    let program = env!("CARGO_BIN_EXE_gsfa");
    Command::new("sh").args(["-c", &script, program]).current_dir(folder.path()).output().unwrap()
}

#[test]
fn few_open_files_are_enough() {
    let folder = equipped();
    for (k, line) in COMMANDS.iter().enumerate() {
        let line = with_output(line, &format!("few{k}"));
        let output = limited(&folder, "ulimit -n 32", &line);
        assert_eq!(ended_well(&line, &output), 0, "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Little memory is enough, or an error that says so; never an abort (F72).
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_enough_or_an_error() {
    let folder = equipped();
    let mut refused = 0;
    for megabytes in [30, 60, 100, 200, 400] {
        let limit = format!("ulimit -v {}", megabytes * 1024);
        if !limited(&folder, &limit, "--version").status.success() {
            // Not even the program could be loaded.
            continue;
        }
        for (k, line) in COMMANDS.iter().enumerate() {
            let line = format!("{} --threads 2", with_output(line, &format!("m{megabytes}-{k}")));
            let output = limited(&folder, &limit, &line);
            refused += i32::from(ended_well(&line, &output) != 0);
        }
    }
    // Something that does not fit is named with its size and the cure.
    folder.write("wide.csv", wide(60, 40_000));
    let line = "train --data wide.csv --learn y --network linear --threads 2 -o w.gsfa";
    let output = limited(&folder, "ulimit -v 100000", line);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(ended_well(line, &output), 2 | 5), "{stderr}");
    assert!(stderr.contains("memory") && stderr.contains("hint:"), "{refused} {stderr}");
}

fn wide(rows: usize, columns: usize) -> String {
    let mut draws = crate::support::Draws::new(4);
    let names: Vec<String> = (0..columns).map(|i| format!("x{i}")).collect();
    let mut csv = format!("{},y\n", names.join(","));
    for n in 0..rows {
        let cells: Vec<String> = (0..columns).map(|_| format!("{:.3}", draws.next())).collect();
        csv += &format!("{},{n}\n", cells.join(","));
    }
    csv
}

/// Every column was compared with every input of the model: 1.7 s for a third of these.
#[test]
fn tables_of_many_columns_are_learned_and_estimated_in_seconds() {
    let folder = Folder::new();
    folder.write("wide.csv", wide(3, 120_000));
    let choices = "--network linear --features 1 --ridge 0.1 --readout linear-scaling --no-calibrate";
    let started = Instant::now();
    folder.ok(&format!("train --data wide.csv --learn y --task numbers {choices} -o w.gsfa"));
    let estimates = folder.ok("predict w.gsfa --data wide.csv");
    assert_eq!(estimates.lines().count(), 4, "{estimates}");
    assert!(started.elapsed().as_secs_f64() < 10.0, "{:?}", started.elapsed());
}

#[test]
fn locales_and_missing_homes_do_not_matter() {
    let folder = equipped();
    for (k, line) in COMMANDS.iter().enumerate() {
        let usual = folder.run(&with_output(line, &format!("usual{k}")));
        let line = with_output(line, &format!("odd{k}"));
        let mut command = folder.command(&line);
        for variable in ["LANG", "LC_ALL", "LC_CTYPE"] {
            command.env(variable, "tr_TR.ISO-8859-9");
        }
        let output = command.env_remove("HOME").env_remove("TMPDIR").env_remove("PATH").output().unwrap();
        assert_eq!(ended_well(&line, &output), 0, "{}", String::from_utf8_lossy(&output.stderr));
        let renamed = String::from_utf8_lossy(&usual.stdout).replace(&format!("usual{k}"), &format!("odd{k}"));
        assert_eq!(String::from_utf8_lossy(&output.stdout), renamed, "{line}");
    }
}

#[test]
#[cfg(unix)]
fn a_read_only_folder_gives_results_but_takes_no_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = equipped();
    let set = |mode| std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    // For root no folder is read-only.
    let writable = std::fs::write(folder.file("probe"), "").is_ok();
    for line in COMMANDS {
        let line = with_output(line, "locked");
        let output = folder.run(&format!("{line}{}", if line.contains("locked") && writable { " --help" } else { "" }));
        let code = ended_well(&line, &output);
        assert_eq!(code, if line.contains("locked") && !writable { 5 } else { 0 }, "{line}");
    }
    set(0o755);
}

/// Threads beyond the cores are bounded and it is said (F64).
#[test]
fn absurd_numbers_of_threads_are_bounded() {
    let folder = equipped();
    let line = "train --data t.csv --learn age --ignore kind --network linear --no-calibrate -o t.gsfa --force";
    for threads in ["1024", "100000", "18446744073709551615"] {
        let begun = std::time::Instant::now();
        let output = folder.run(&format!("{line} --threads {threads}"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.contains("threads were asked for"), "{stderr}");
        let output = folder.command(line).env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(output.status.success());
        assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{threads}: {:?}", begun.elapsed());
    }
    folder.fails(&format!("{line} --threads 0"), 2, "");
    folder.fails(&format!("{line} --threads=-1"), 2, "");
}
