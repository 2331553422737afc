//! Reading CSV as people write it: byte-order mark, `,` `;` or tab, decimal commas, quoted newlines.

use std::path::Path;

use super::{Origin, Table, TextColumn, Values, positions};
use crate::{Error, Result, input, memory};

/// How a CSV file is written; what is left open is found out.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CsvOptions {
    /// The character between cells; by default whichever of `;`, tab and `,` is most frequent in the header.
    pub delimiter: Option<char>,
    /// Whether numbers have a decimal comma; by default accepted unless the comma is the delimiter.
    pub decimal_comma: Option<bool>,
}

impl Table {
    /// Reads a CSV file whose first line names the columns.
    ///
    /// Blank lines are skipped, but in a table of one column, where they are missing cells unless they stand at the end.
    ///
    /// # Errors
    /// With file and line: an empty table, a repeated column name, a row with more or fewer cells than the header, text
    /// that is not UTF-8, a first line of numbers only (unless they count from 0, as pandas writes them).
    pub fn read_csv(path: impl AsRef<Path>, options: &CsvOptions) -> Result<Self> {
        let path = path.as_ref();
        Self::parse_csv(&input::read(path)?, path, options)
    }

    /// Parses the bytes of a CSV file; `path` is only for messages.
    ///
    /// # Errors
    /// As [`read_csv`](Self::read_csv).
    pub fn parse_csv(bytes: &[u8], path: &Path, options: &CsvOptions) -> Result<Self> {
        let text = utf8(bytes, path)?;
        let delimiter = match options.delimiter {
            None => detect_delimiter(text),
            Some(c) => u8::try_from(c)
                .ok()
                .filter(|&b| b.is_ascii() && !matches!(b, b'"' | b'\r' | b'\n'))
                .ok_or_else(|| Error::parameter("delimiter", c, "one ASCII character other than a quote or newline"))?,
        };
        let decimal_comma = options.decimal_comma.unwrap_or(delimiter != b',');
        let mut records = Records::new(text, delimiter);
        if !records.advance(path)? {
            return Err(Error::EmptyTable { path: path.to_path_buf(), missing: "no header" });
        }
        // Files put together from others have byte-order marks where nobody expects them.
        let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        let header: Vec<String> = records.record.iter().map(|name| name.trim_matches(blank).to_string()).collect();
        // Before the rest is read.
        positions(header.iter().map(String::as_str), path)?;
        refuse_numbers(&header, path)?;
        let mut columns = vec![TextColumn::default(); header.len()];
        let mut lines = Vec::new();
        while records.advance(path)? {
            if records.record.len() != columns.len() {
                return Err(Error::RaggedRow {
                    path: path.to_path_buf(),
                    line: records.line,
                    found: records.record.len(),
                    expected: columns.len(),
                });
            }
            if let [only] = &mut columns[..] {
                for blank in records.blank_lines.clone() {
                    memory::push_cell(only, "", path)?;
                    memory::push(&mut lines, blank, path)?;
                }
            }
            for (column, cell) in columns.iter_mut().zip(records.record.iter()) {
                memory::push_cell(column, cell, path)?;
            }
            memory::push(&mut lines, records.line, path)?;
        }
        if lines.is_empty() {
            return Err(Error::EmptyTable { path: path.to_path_buf(), missing: "no rows" });
        }
        let columns = header.into_iter().zip(columns.into_iter().map(Values::Text)).collect();
        Self::assemble(path, columns, Origin::Lines(lines), decimal_comma)
    }
}

fn utf8<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a str> {
    let fail = |line, reason: &str| Error::TableText { path: path.to_path_buf(), line, reason: reason.to_string() };
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(fail(1, "the text is UTF-16"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|e| fail(1 + newlines(&bytes[..e.valid_up_to()]), "the text is not UTF-8"))
}

fn newlines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&b| b == b'\n').count() as u64
}

/// The most frequent candidate in the first line outside quotes; the comma if none occurs.
fn detect_delimiter(text: &str) -> u8 {
    let mut quoted = false;
    let mut counts = [(b';', 0), (b'\t', 0), (b',', 0)];
    for byte in text.trim_start_matches(['\r', '\n']).bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\r' | b'\n' if !quoted => break,
            _ if quoted => {}
            _ => counts.iter_mut().filter(|(candidate, _)| *candidate == byte).for_each(|(_, count)| *count += 1),
        }
    }
    // Of equal counts the first wins: commas also stand inside names and numbers, semicolons and tabs hardly.
    counts.iter().rev().max_by_key(|(_, count)| *count).filter(|(_, count)| *count > 0).map_or(b',', |(byte, _)| *byte)
}

/// A header of numbers only is a first sample, which would be lost without a word.
fn refuse_numbers(header: &[String], path: &Path) -> Result<()> {
    let numbers: Option<Vec<f64>> = header.iter().map(|name| name.replace(',', ".").parse().ok()).collect();
    match numbers {
        Some(numbers) if !numbers.iter().enumerate().all(|(n, &x)| x == n as f64) => Err(Error::TableText {
            path: path.to_path_buf(),
            line: 1,
            reason: "the first line holds numbers only, it must name the columns".to_string(),
        }),
        _ => Ok(()),
    }
}

/// The records with the lines on which they really start: the parser's own position is that of blank lines before them.
struct Records<'a> {
    text: &'a [u8],
    reader: ::csv::Reader<&'a [u8]>,
    record: ::csv::StringRecord,
    /// Where the current record starts, and on which line.
    start: usize,
    line: u64,
    /// Lines without text between the last record and this one.
    blank_lines: std::ops::Range<u64>,
}

impl<'a> Records<'a> {
    fn new(text: &'a str, delimiter: u8) -> Self {
        let reader = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .from_reader(text.as_bytes());
        let record = ::csv::StringRecord::new();
        Self { text: text.as_bytes(), reader, record, start: 0, line: 1, blank_lines: 0..0 }
    }

    /// Reads the next record; `false` at the end.
    fn advance(&mut self, path: &Path) -> Result<bool> {
        let mut before = self.reader.position().byte() as usize;
        // The newline of CR LF belongs to the record before.
        if before > 0 && self.text.get(before - 1) == Some(&b'\r') && self.text.get(before) == Some(&b'\n') {
            before += 1;
        }
        let more = self.reader.read_record(&mut self.record).map_err(|e| Error::TableText {
            path: path.to_path_buf(),
            line: self.line,
            reason: e.to_string(),
        })?;
        if !more {
            return Ok(false);
        }
        let rest = &self.text[before.min(self.text.len())..];
        let start = before + rest.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let first_blank = self.line + newlines(&self.text[self.start..before]);
        self.line += newlines(&self.text[self.start..start]);
        self.start = start;
        self.blank_lines = first_blank..self.line;
        Ok(true)
    }
}
