//! What a command says: data on stdout, everything else on stderr.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use gsfa::Note;
use gsfa::model::Remark;
use serde_json::{Map, Value, json};

use super::json::put_path;
use super::streams::{message, plain, plain_json, write_stdout};
use crate::error::{Error, ErrorCode, RemarkCode, Result};

/// The version of the JSON schema in `docs/json.md`.
const SCHEMA: u32 = 1;

/// How a command speaks.
pub struct Printer {
    pub json: bool,
    pub quiet: bool,
    /// Whether standard output is the file that was asked for, so that nothing else may go there.
    stdout_reserved: AtomicBool,
    notes: Mutex<Vec<Said>>,
    started: Instant,
}

/// A remark that was made.
struct Said {
    code: &'static str,
    text: String,
    /// Whether a model that is trained keeps it.
    kept: bool,
}

impl Printer {
    pub fn new(json: bool, quiet: bool) -> Self {
        Self {
            json,
            quiet,
            stdout_reserved: AtomicBool::new(false),
            notes: Mutex::new(Vec::new()),
            started: Instant::now(),
        }
    }

    /// A remark of the library.
    pub fn note(&self, note: &Note) {
        // What the library says of a training is in its model.
        self.record(Said { code: note.code(), text: note.to_string(), kept: false });
    }

    /// A remark of the command itself.
    pub fn remark(&self, code: RemarkCode, text: impl Into<String>) {
        self.record(Said { code: code.into(), text: text.into(), kept: code.is_about_the_model() });
    }

    /// What was said of samples and labels, for the model that is learned from them.
    pub fn remarks_for_model(&self) -> Vec<Remark> {
        let notes = self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let kept = notes.iter().filter(|said| said.kept);
        kept.map(|said| Remark { code: said.code.into(), text: said.text.clone() }).collect()
    }

    /// On stderr, and among the remarks of the JSON result. Repeated ones are said once.
    fn record(&self, said: Said) {
        let mut notes = self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if notes.iter().any(|known| known.text == said.text) {
            return;
        }
        if !self.quiet {
            message("note", &said.text);
        }
        notes.push(said);
    }

    /// What went wrong: in words on stderr, and as JSON on stdout if that was asked for.
    pub fn error(&self, command: &str, error: &Error) {
        message("error", &error.message);
        if let Some(hint) = &error.hint {
            message("hint", hint);
        }
        if self.json && !self.stdout_reserved.load(Ordering::Relaxed) {
            let Error { code, message, hint, kind } = error;
            let error = json!({"code": code, "message": message, "hint": hint, "exit": kind.exit_code()});
            let object = json!({"schema": SCHEMA, "command": command, "error": error});
            // Whoever closed stdout has seen what it wanted, and the exit code tells the rest.
            let _ = write_stdout(format!("{}\n", plain_json(&object)).as_bytes());
        }
    }

    /// A step of the work, for those who wait.
    pub fn step(&self, text: &str) {
        if !self.quiet {
            message("progress", text);
        }
    }

    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Leaves standard output to a file that is written there.
    pub fn reserve_stdout(&self) -> Result {
        self.stdout_reserved.store(true, Ordering::Relaxed);
        if self.json {
            return Err(Error::usage(ErrorCode::StandardOutput, "-o - and --json both want standard output")
                .hint("name a file with -o"));
        }
        Ok(())
    }

    /// The result: as JSON if asked for, else as the text. Paths are given apart, since JSON does not know all of them.
    pub fn result(&self, command: &str, paths: &[(&str, Option<&Path>)], value: Value, text: &str) -> Result {
        let out = if self.json {
            let mut object = Map::new();
            object.insert("schema".into(), SCHEMA.into());
            object.insert("command".into(), command.into());
            paths.iter().for_each(|(key, path)| put_path(&mut object, key, *path));
            if let Value::Object(fields) = value {
                object.extend(fields);
            }
            let notes = self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            object.insert("notes".into(), notes.iter().map(|said| said.text.as_str()).collect());
            let remarks = notes.iter().map(|said| json!({"code": said.code, "text": said.text}));
            object.insert("remarks".into(), remarks.collect());
            object.insert("seconds".into(), json!(self.seconds()));
            format!("{}\n", plain_json(&Value::Object(object)))
        } else {
            plain(text, true)
        };
        if self.stdout_reserved.load(Ordering::Relaxed) {
            if !self.quiet {
                let _ = io::stderr().write_all(out.as_bytes());
            }
            return Ok(());
        }
        write_stdout(out.as_bytes())
    }
}
