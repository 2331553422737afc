//! Paths as systems allow them: with spaces, line breaks, and bytes that are no text (F54).

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::{Folder, images, npy, numbers, table};
use serde_json::Value;

/// A folder within a folder, both with odd names.
struct Odd {
    folder: Folder,
    name: OsString,
}

impl Odd {
    fn new(name: &[u8]) -> Self {
        let odd = Self { folder: Folder::new(), name: OsString::from_vec(name.to_vec()) };
        std::fs::create_dir(odd.path("")).unwrap();
        odd
    }

    fn path(&self, file: &str) -> PathBuf {
        let mut path = self.folder.path().join(&self.name);
        if !file.is_empty() {
            let mut own = self.name.clone();
            own.push(file);
            path.push(own);
        }
        path
    }

    fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(file), content).unwrap();
    }

    /// Words with `@` are files of the folder.
    fn run(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gsfa"));
        for word in line.split(' ') {
            match word.strip_prefix('@') {
                Some(file) => command.arg(self.path(file)),
                None => command.arg(word),
            };
        }
        command.current_dir(self.folder.path()).output().unwrap()
    }

    fn ok(&self, line: &str) -> Output {
        let output = self.run(line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !stderr.contains("panicked"), "{:?}: gsfa {line}\n{stderr}", self.name);
        output
    }

    /// The path in a field of a JSON result: the text if it is text, else the bytes in hex.
    fn json_path(&self, line: &str, key: &str, file: &str) {
        let value: Value = serde_json::from_slice(&self.ok(&format!("{line} --json")).stdout).unwrap();
        let path = self.path(file);
        assert_eq!(value[key], *path.to_string_lossy(), "{line}");
        let hex: String = path.as_os_str().as_bytes().iter().map(|b| format!("{b:02x}")).collect();
        let expected = if path.to_str().is_some() { Value::Null } else { hex.into() };
        assert_eq!(value[format!("{key}_hex")], expected, "{line}");
    }
}

const NAMES: [&[u8]; 4] = [b"plain name", b"two\nlines\t", b"bytes\xff\xfe", b"-\xc3("];

#[test]
fn every_command_takes_every_path() {
    for name in NAMES {
        let odd = Odd::new(name);
        let csv = table(60, 1);
        odd.write("t.csv", &csv);
        odd.write("x.npy", npy(&numbers(&csv).0));
        odd.write("n.toml", "[[layers]]\noutput_dim = 1\n");
        odd.write("s.toml", "seed = 3\n");
        let learn = "--learn age --ignore kind --no-calibrate";
        odd.json_path(
            &format!("train --data @t.csv {learn} --network @n.toml --config @s.toml -o @m.gsfa"),
            "model",
            "m.gsfa",
        );
        odd.ok(&format!("train --data @t.csv {learn} --network linear -o @m.gsfa --force"));
        odd.ok(&format!("train --data @x.npy --labels @t.csv {learn} --network linear -o @a.gsfa"));
        odd.ok(&format!("train --data @t.csv {learn} --print-config"));
        odd.ok(&format!("plan --data @t.csv {learn}"));
        odd.ok(&format!("plan --data @t.csv {learn} --json"));
        for command in ["predict", "transform", "evaluate"] {
            odd.ok(&format!("{command} @m.gsfa --data @t.csv"));
            odd.ok(&format!("{command} @m.gsfa --data @t.csv -o @{command}.csv"));
            odd.json_path(&format!("{command} @m.gsfa --data @t.csv"), "model", "m.gsfa");
            odd.json_path(
                &format!("{command} @m.gsfa --data @t.csv -o @{command}.csv --force"),
                "output",
                &format!("{command}.csv"),
            );
        }
        odd.ok("inspect @m.gsfa");
        odd.json_path("inspect @m.gsfa", "model", "m.gsfa");
        odd.ok("graph --labels @t.csv --learn age -o @g.svg");
        odd.json_path("graph --labels @t.csv --learn age -o @g.svg --force", "output", "g.svg");
        odd.json_path(&format!("prepare --data @x.npy --labels @t.csv {learn} -o @p.job"), "job", "p.job");
        odd.json_path("accumulate @p.job @x.npy -o @x.moments", "shard", "x.npy");
        odd.json_path("merge @p.job @x.moments -o @all.moments", "moments", "all.moments");
        odd.json_path("solve @p.job @all.moments --shards @x.npy -o @s.gsfa", "model", "s.gsfa");
        odd.json_path("generate faces --count 60 -o @faces", "folder", "faces");
        odd.json_path("reproduce graphs -o @report", "folder", "report");
        // Failures name the file, too.
        let output = odd.run("inspect @none.gsfa");
        assert_eq!(output.status.code(), Some(5), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn folders_of_images_may_lie_anywhere() {
    for name in NAMES {
        let odd = Odd::new(name);
        images(&odd.folder, "x", 12, 8);
        std::fs::rename(odd.folder.file("x"), odd.path("x")).unwrap();
        std::fs::rename(odd.folder.file("x.csv"), odd.path("x.csv")).unwrap();
        odd.ok("train --data @x --labels @x.csv --network linear --no-calibrate -o @m.gsfa");
        let estimates = odd.ok("predict @m.gsfa --data @x").stdout;
        assert!(String::from_utf8_lossy(&estimates).contains("003.pgm"));
    }
}
