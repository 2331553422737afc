//! What a command says: data on stdout, everything else on stderr.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gsfa::Note;
use gsfa::network::{NetworkPlan, ProgressEvent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value, json};

pub use crate::reason::Aside;

use crate::failure::{Failure, Fault, Outcome, Reason};
use crate::interrupt;
use crate::paths;

/// The version of the JSON schema in `docs/json.md`.
const SCHEMA: u32 = 1;

/// How a command speaks.
pub struct Talk {
    pub json: bool,
    pub quiet: bool,
    /// Whether standard output is the file that was asked for, so that nothing else may go there.
    stdout_taken: AtomicBool,
    notes: Mutex<Vec<(&'static str, String)>>,
    started: Instant,
}

impl Talk {
    pub fn new(json: bool, quiet: bool) -> Self {
        Self {
            json,
            quiet,
            stdout_taken: AtomicBool::new(false),
            notes: Mutex::new(Vec::new()),
            started: Instant::now(),
        }
    }

    /// A remark of the library.
    pub fn note(&self, note: &Note) {
        self.told(note.code(), note.to_string());
    }

    /// A remark of the command itself.
    pub fn remark(&self, aside: Aside, text: impl Into<String>) {
        self.told(aside.into(), text.into());
    }

    /// On stderr, and among the remarks of the JSON result. Repeated ones are said once.
    fn told(&self, code: &'static str, text: String) {
        let mut notes = self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if notes.iter().any(|(_, known)| *known == text) {
            return;
        }
        if !self.quiet {
            say("note", &text);
        }
        notes.push((code, text));
    }

    /// What went wrong: in words on stderr, and as JSON on stdout if that was asked for.
    pub fn failure(&self, command: &str, failure: &Failure) {
        say("error", &failure.message);
        if let Some(hint) = &failure.hint {
            say("hint", hint);
        }
        if self.json && !self.stdout_taken.load(Ordering::Relaxed) {
            let Failure { code, message, hint, .. } = failure;
            let error = json!({"code": code, "message": message, "hint": hint, "exit": failure.fault.exit_code()});
            let object = json!({"schema": SCHEMA, "command": command, "error": error});
            // Whoever closed stdout has seen what it wanted, and the exit code tells the rest.
            let _ = write_stdout(format!("{}\n", plain_json(&object)).as_bytes());
        }
    }

    /// A step of the work, for those who wait.
    pub fn step(&self, text: &str) {
        if !self.quiet {
            say("progress", text);
        }
    }

    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Leaves standard output to a file that is written there.
    pub fn give_stdout_away(&self) -> Outcome {
        self.stdout_taken.store(true, Ordering::Relaxed);
        if self.json {
            return Err(Failure::usage(Reason::StandardOutput, "-o - and --json both want standard output")
                .hint("name a file with -o"));
        }
        Ok(())
    }

    /// The result: as JSON if asked for, else as the text. Paths are given apart, since JSON does not know all of them.
    pub fn result(&self, command: &str, paths: &[(&str, Option<&Path>)], value: Value, text: &str) -> Outcome {
        let out = if self.json {
            let mut object = Map::new();
            object.insert("schema".into(), SCHEMA.into());
            object.insert("command".into(), command.into());
            paths.iter().for_each(|(key, path)| paths::put(&mut object, key, *path));
            if let Value::Object(fields) = value {
                object.extend(fields);
            }
            let notes = self.notes.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            object.insert("notes".into(), notes.iter().map(|(_, text)| text.as_str()).collect());
            let remarks = notes.iter().map(|(code, text)| json!({"code": code, "text": text}));
            object.insert("remarks".into(), remarks.collect());
            object.insert("seconds".into(), json!(self.seconds()));
            format!("{}\n", plain_json(&Value::Object(object)))
        } else {
            plain(text, true)
        };
        if self.stdout_taken.load(Ordering::Relaxed) {
            if !self.quiet {
                let _ = io::stderr().write_all(out.as_bytes());
            }
            return Ok(());
        }
        write_stdout(out.as_bytes())
    }

    /// Reports of training: a bar on terminals, a line per layer elsewhere. Stops training after Ctrl-C.
    pub fn progress(&self, plan: &NetworkPlan, samples: usize) -> Training {
        let work: Vec<f64> = plan.layers.iter().map(|l| layer_work(l, samples)).collect();
        let total: f64 = work.iter().sum();
        let before = work.iter().scan(0.0, |sum, w| Some(std::mem::replace(sum, *sum + w))).collect();
        let lines = !self.shows_bars() && !self.quiet;
        Training { bar: self.bar(STEPS), work, before, total, lines }
    }

    /// Reports of a search for what was left open: a bar on terminals, a line per candidate elsewhere.
    pub fn search(&self) -> Search {
        let lines = !self.shows_bars() && !self.quiet;
        Search { bar: self.bar(STEPS), lines, candidate: AtomicUsize::new(0) }
    }

    /// A bar that counts samples while they are read; a line elsewhere.
    pub fn reading(&self, samples: usize) -> ProgressBar {
        if !self.shows_bars() {
            self.step(&format!("reading {samples} samples"));
        }
        self.bar(samples as u64).with_message("reading samples")
    }

    fn shows_bars(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    fn bar(&self, steps: u64) -> ProgressBar {
        let visible = self.shows_bars();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(steps), target);
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {percent}% {elapsed} (left: {eta})") {
            bar.set_style(style.progress_chars("=> "));
        }
        if visible {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        bar
    }
}

const STEPS: u64 = 10_000;

fn layer_work(layer: &gsfa::network::LayerPlan, samples: usize) -> f64 {
    let one = NetworkPlan { layers: vec![layer.clone()], input_dim: layer.input_dim };
    one.operations(samples).max(1.0)
}

/// Progress of a search.
pub struct Search {
    bar: ProgressBar,
    lines: bool,
    /// The candidate that was told last.
    candidate: AtomicUsize,
}

impl Search {
    pub fn event(&self, event: ProgressEvent) -> ControlFlow<()> {
        if let ProgressEvent::Trying { candidate, done } = event {
            self.bar.set_position(u64::from(done));
            if self.candidate.swap(candidate, Ordering::Relaxed) != candidate {
                let text = format!("candidate {candidate}, judged by samples that are left out");
                self.bar.set_message(text.clone());
                if self.lines {
                    say("progress", &text);
                }
            }
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Progress of one training.
pub struct Training {
    bar: ProgressBar,
    work: Vec<f64>,
    before: Vec<f64>,
    total: f64,
    lines: bool,
}

impl Training {
    pub fn event(&self, event: ProgressEvent) -> ControlFlow<()> {
        match event {
            ProgressEvent::Layer { layer, layers, nodes } => {
                self.bar.set_message(format!("layer {layer} of {layers}"));
                if self.lines {
                    let s = if nodes == 1 { "" } else { "s" };
                    say("progress", &format!("layer {layer} of {layers}, {nodes} node{s}"));
                }
            }
            ProgressEvent::Trying { .. } | ProgressEvent::LeavingOut { .. } => {}
            ProgressEvent::Node { layer, done, nodes } => {
                let share = self.before[layer - 1] + self.work[layer - 1] * done as f64 / nodes as f64;
                self.bar.set_position((STEPS as f64 * share / self.total) as u64);
            }
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// One line on stderr; nobody to read it is no failure.
pub fn say(kind: &str, text: &str) {
    let colour = match kind {
        "error" => "1;31",
        "hint" => "1;36",
        _ => "1",
    };
    let text = plain(text, false);
    let mut stderr = io::stderr().lock();
    let _ = if stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) {
        writeln!(stderr, "\x1b[{colour}m{kind}:\x1b[0m {text}")
    } else {
        writeln!(stderr, "{kind}: {text}")
    };
}

/// Text whose control characters are shown, not obeyed: names and cells of files may hold anything, commands to a terminal
/// among them. Line breaks stay if the text has lines of its own.
fn plain(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (c.is_control() || turns(c)) && !(lines && c == '\n') { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// Whether a character changes the order in which those around it are shown.
fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// JSON in which such characters, and those beyond ASCII that terminals obey, are written as numbers.
fn plain_json(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        if c.is_control() || turns(c) { out += &format!("\\u{:04x}", c as u32) } else { out.push(c) }
    }
    out
}

/// Data on stdout; a reader that went away, as `head` does, is no failure.
pub fn write_stdout(bytes: &[u8]) -> Outcome {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Fault::Io, Reason::StandardOutput, format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
