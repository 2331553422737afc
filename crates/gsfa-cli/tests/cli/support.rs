//! The real binary in a temporary folder, and small data to feed it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

use crate::schema;
use serde_json::Value;
use tempfile::TempDir;

/// A temporary folder in which commands run.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.file(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gsfa"));
        command.args(line.split_whitespace()).current_dir(self.path()).env("NO_COLOR", "1");
        command
    }

    /// Runs `gsfa` with the arguments of the line.
    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs a line that must succeed and returns its stdout.
    pub fn ok(&self, line: &str) -> String {
        let output = self.run(line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "gsfa {line}\n{stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a line with `--json` and returns the object.
    pub fn json(&self, line: &str) -> Value {
        let value: Value = serde_json::from_str(&self.ok(&format!("{line} --json"))).unwrap();
        let command = line.split_whitespace().next().unwrap();
        assert_eq!((&value["schema"], &value["command"]), (&1.into(), &command.into()));
        schema::check(command, &value);
        value
    }

    /// Runs a line that must fail with the code, with an `error:` line that holds `text`, and without a panic.
    pub fn fails(&self, line: &str, code: i32, text: &str) -> String {
        let output = self.run(line);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "gsfa {line}\n{stderr}");
        let error = stderr.lines().find(|line| line.starts_with("error:")).unwrap_or_default();
        assert!(error.contains(text), "gsfa {line}\nexpected {text:?} in\n{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!(output.stdout.is_empty(), "gsfa {line}: a failure prints no data");
        stderr
    }

    /// Names of all files, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// A folder with a table (`t.csv`) and its numbers as an array (`x.npy`).
pub fn table_and_array() -> Folder {
    let folder = Folder::new();
    let csv = table(60, 1);
    folder.write("t.csv", &csv);
    folder.write("x.npy", npy(&numbers(&csv).0));
    folder
}

/// Runs a line with a setting that would have no effect: it must end with the text, a hint, and the code for programs.
pub fn refused(folder: &Folder, line: &str, text: &str) {
    let stderr = folder.fails(line, 2, text);
    assert!(stderr.contains("hint: "), "{line}\n{stderr}");
    let told: Value = serde_json::from_slice(&folder.run(&format!("{line} --json")).stdout).unwrap();
    assert_eq!(told["error"]["code"], "meaningless_flag", "{line}");
}

/// Numbers between −1 and 1, the same ones every time.
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// `rows` samples of four numbers with a label that is nearly linear in them, and a class that follows from the label.
pub fn table(rows: usize, seed: u64) -> String {
    let mut draws = Draws::new(seed);
    let mut csv = String::from("a,b,c,d,age,kind\n");
    for _ in 0..rows {
        let x: Vec<f64> = (0..4).map(|_| draws.next()).collect();
        let age = 40.0 + 10.0 * x[0] - 5.0 * x[1] + 0.5 * draws.next();
        let kind = if age > 43.0 {
            "old"
        } else if age > 37.0 {
            "middle"
        } else {
            "young"
        };
        let _ = writeln!(csv, "{},{},{},{},{age},{kind}", x[0], x[1], x[2], x[3]);
    }
    csv
}

/// The numbers of that table: samples and ages.
pub fn numbers(csv: &str) -> (Vec<[f64; 4]>, Vec<f64>) {
    let row = |line: &str| -> Vec<f64> { line.split(',').take(5).map(|cell| cell.parse().unwrap()).collect() };
    csv.lines().skip(1).map(row).map(|x| ([x[0], x[1], x[2], x[3]], x[4])).unzip()
}

/// A grey image of `side`² pixels: a ramp that turns with `value`, and noise.
pub fn image(side: usize, value: f64, draws: &mut Draws) -> Vec<u8> {
    let mut bytes = format!("P5\n{side} {side}\n255\n").into_bytes();
    for row in 0..side {
        for column in 0..side {
            let (y, x) = (row as f64 / side as f64 - 0.5, column as f64 / side as f64 - 0.5);
            bytes.push((128.0 + 100.0 * (value * x + (1.0 - value) * y) + 10.0 * draws.next()) as u8);
        }
    }
    bytes
}

/// A folder `name` of images of `side`² pixels and the table `name.csv` with their values.
pub fn images(folder: &Folder, name: &str, count: usize, side: usize) {
    let mut draws = Draws::new(count as u64);
    let mut csv = String::from("file,angle\n");
    for n in 0..count {
        let value = n as f64 / count as f64;
        folder.write(&format!("{name}/{n:03}.pgm"), image(side, value, &mut draws));
        let _ = writeln!(csv, "{n:03}.pgm,{value}");
    }
    folder.write(&format!("{name}.csv"), csv);
}

/// The bytes of a `.npy` file of f64.
pub fn npy(rows: &[[f64; 4]]) -> Vec<u8> {
    npy_bytes("<f8", &[rows.len(), 4], rows.iter().flatten().flat_map(|x| x.to_le_bytes()))
}

/// The bytes of a `.npy` file of f32.
pub fn npy_single(rows: &[[f32; 4]]) -> Vec<u8> {
    npy_bytes("<f4", &[rows.len(), 4], rows.iter().flatten().flat_map(|x| x.to_le_bytes()))
}

/// The bytes of a `.npy` file of any kind and shape.
pub fn npy_bytes(kind: &str, shape: &[usize], numbers: impl Iterator<Item = u8>) -> Vec<u8> {
    let shape: String = shape.iter().map(|side| format!("{side}, ")).collect();
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let padding = (64 - (11 + header.len()) % 64) % 64;
    bytes.extend(((header.len() + padding + 1) as u16).to_le_bytes());
    bytes.extend(format!("{header}{}\n", " ".repeat(padding)).bytes());
    bytes.extend(numbers);
    bytes
}

/// A table wide and long enough for training to take minutes.
pub fn long_work(folder: &Folder) {
    let mut draws = Draws::new(5);
    let columns = 130;
    let mut csv: String = (0..columns).map(|i| format!("x{i},")).collect();
    csv += "age\n";
    for _ in 0..2500 {
        let row: String = (0..columns).map(|_| format!("{:.4},", draws.next())).collect();
        csv += &format!("{row}{:.4}\n", draws.next());
    }
    folder.write("t.csv", csv);
}

/// Sends a signal, `-INT` or `-TERM`, to a command.
pub fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}
