//! Every command of GUIDE.md, run in order in an empty folder.

use std::path::Path;
use std::process::Command;

use crate::support::Folder;

#[test]
fn every_line_of_the_guide_runs() {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../GUIDE.md")).unwrap();
    let folder = Folder::new();
    let programs = Path::new(env!("CARGO_BIN_EXE_gsfa")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut lines = 0;
    let mut inside = false;
    for line in guide.lines() {
        match line {
            "```sh" => inside = true,
            "```" => inside = false,
            command if inside && !command.trim().is_empty() => {
                let mut shell = Command::new("sh");
                let output =
                    shell.args(["-ec", command]).current_dir(folder.path()).env("PATH", &path).output().unwrap();
                let stderr = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{command}\n{stderr}");
                lines += 1;
            }
            _ => {}
        }
    }
    assert!(lines >= 10, "only {lines} commands were found");
}
