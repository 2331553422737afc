//! The two streams: data on stdout, everything else on stderr.

use std::io::{self, IsTerminal, Write};

use serde_json::Value;

use crate::error::{Error, ErrorCode, ErrorKind, Result};

/// One line on stderr; nobody to read it is no failure.
pub fn message(kind: &str, text: &str) {
    let color = match kind {
        "error" => "1;31",
        "hint" => "1;36",
        _ => "1",
    };
    let text = plain(text, false);
    let mut stderr = io::stderr().lock();
    let _ = if stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) {
        writeln!(stderr, "\x1b[{color}m{kind}:\x1b[0m {text}")
    } else {
        writeln!(stderr, "{kind}: {text}")
    };
}

/// Text whose control characters are shown, not obeyed: names and cells of files may hold anything, commands to a terminal
/// among them. Line breaks stay if the text has lines of its own.
pub fn plain(text: &str, lines: bool) -> String {
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
pub fn plain_json(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        if c.is_control() || turns(c) { out += &format!("\\u{:04x}", c as u32) } else { out.push(c) }
    }
    out
}

/// Data on stdout; a reader that went away, as `head` does, is no failure.
pub fn write_stdout(bytes: &[u8]) -> Result {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::new(ErrorKind::Io, ErrorCode::StandardOutput, format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}
