//! Saving that fails or is cut short: the old file stays, and nothing half-written takes its name.

use std::fs::File;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Folder, table};

const TRAIN: &str = "train --data t.csv --learn age --ignore kind --readout nearest-neighbors -o m.gsfa --force";

/// A folder with samples and a model of many kilobytes (nearest neighbours keep all samples).
fn trained() -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    folder.write("t.csv", table(3000, 1));
    folder.ok(TRAIN);
    let model = std::fs::read(folder.file("m.gsfa")).unwrap();
    assert!(model.len() > 40_000, "{}", model.len());
    // So that a new model differs from the old one.
    folder.write("t.csv", table(3000, 2));
    (folder, model)
}

/// Runs the line with files limited to a few kilobytes; what is written beyond fails.
fn limited(folder: &Folder, line: &str) -> Output {
    let script = format!("ulimit -c 0; ulimit -f 16; exec \"$0\" {line}");
    let program = env!("CARGO_BIN_EXE_gsfa");
    Command::new("sh").args(["-c", &script, program]).current_dir(folder.path()).output().unwrap()
}

fn model_is(folder: &Folder, model: &[u8]) {
    assert!(std::fs::read(folder.file("m.gsfa")).unwrap() == model, "the model has changed");
}

#[test]
fn a_full_disk_is_an_error_with_path_and_size_and_leaves_no_trace() {
    let (folder, model) = trained();
    let output = limited(&folder, TRAIN);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("m.gsfa") && stderr.contains("bytes") && !stderr.contains("panicked"), "{stderr}");
    model_is(&folder, &model);
    assert_eq!(folder.files(), ["m.gsfa", "t.csv"]);
    for line in ["predict m.gsfa --data t.csv -o e.csv", "transform m.gsfa --data t.csv -o f.npy"] {
        let output = limited(&folder, line);
        assert_eq!(output.status.code(), Some(5));
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write"));
    }
    assert_eq!(folder.files(), ["m.gsfa", "t.csv"]);
}

#[test]
fn a_process_killed_while_saving_leaves_the_old_model() {
    let (folder, _) = trained();
    let start = Instant::now();
    folder.ok(TRAIN);
    let whole = start.elapsed();
    for k in 0..24 {
        let mut child = folder.command(TRAIN).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Most of them towards the end, which is saving.
        std::thread::sleep(whole.mul_f64(1.0 - (1.0 - f64::from(k) / 24.0).powi(2)));
        child.kill().unwrap();
        child.wait().unwrap();
        folder.ok("inspect m.gsfa");
    }
    // What they left behind has another name and is in nobody's way.
    assert!(folder.files().iter().all(|name| name.starts_with('.') || ["m.gsfa", "t.csv"].contains(&name.as_str())));
    folder.ok(TRAIN);
    folder.ok("inspect m.gsfa");
}

#[test]
fn an_interrupt_at_any_time_leaves_the_old_model_or_the_new_one() {
    let (folder, _) = trained();
    let start = Instant::now();
    folder.ok(TRAIN);
    let whole = start.elapsed();
    let mut interrupted = 0;
    for k in 0..16 {
        let child = folder.command(TRAIN).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // From the beginning of the work to its end, which is saving.
        std::thread::sleep(whole * (1 + k) / 16);
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
        let sent = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(2), "{:?}", sent.elapsed());
        match output.status.code() {
            // While candidates are judged, the best so far is learned, and that is told.
            Some(0) => interrupted += usize::from(String::from_utf8_lossy(&output.stderr).contains("interrupted")),
            Some(130) => interrupted += 1,
            // Not yet listening: the system's own action, before anything was done.
            None => {}
            code => panic!("exit code {code:?}"),
        }
        folder.ok("inspect m.gsfa");
        assert_eq!(folder.files(), ["m.gsfa", "t.csv"]);
    }
    assert!(interrupted > 0, "no run was interrupted");
}

#[cfg(target_os = "linux")]
#[test]
fn places_that_cannot_be_written() {
    let (folder, model) = trained();
    folder.fails("train --data t.csv --learn age --ignore kind -o /proc/m.gsfa", 5, "/proc/m.gsfa");
    folder.fails("predict m.gsfa --data t.csv -o /proc/e.csv", 5, "/proc/e.csv");
    folder.fails("predict m.gsfa --data t.csv -o .", 2, ". is a folder");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = folder.command("predict m.gsfa --data t.csv").stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to stdout"));
    // A reader that goes away, as `head` does, is no fault.
    let mut child = folder.command("predict m.gsfa --data t.csv").stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    model_is(&folder, &model);
}
