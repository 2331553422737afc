//! Output files: never over an earlier one by accident, never in part.

use std::fmt;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use gsfa::Model;
use gsfa::file::{self, Overwrite};
use gsfa_data::output::refuse_input;
use gsfa_data::table::Table;

use super::printer::Printer;
use super::streams::write_stdout;
use crate::args::OutputArgs;
use crate::error::{Error, ErrorCode, ErrorKind, RemarkCode, Result};
use crate::interrupt;

/// What stands for standard output, and for standard input.
pub const STANDARD: &str = "-";

/// A checked output: looked at before any work is done.
#[derive(Debug, Clone)]
pub struct Output {
    /// `None` for standard output.
    path: Option<PathBuf>,
    overwrite: Overwrite,
}

impl Output {
    /// The file that was asked for, if one was. An existing one needs --force, its folder must take files, and it may be
    /// none of the inputs and none of the images in a folder of inputs.
    pub fn optional<P: AsRef<Path>>(args: &OutputArgs, inputs: &[P], printer: &Printer) -> Result<Option<Self>> {
        let Some(path) = args.output.clone() else { return Ok(None) };
        let overwrite = if args.force { Overwrite::Replace } else { Overwrite::Never };
        if path.as_os_str() == STANDARD {
            printer.reserve_stdout()?;
            if stdout_was_closed() {
                return Err(Error::new(ErrorKind::Io, ErrorCode::StandardOutput, "standard output is closed")
                    .hint("name a file with -o"));
            }
            return Ok(Some(Self { path: None, overwrite }));
        }
        refuse_input(&path, inputs)?;
        if path.is_dir() {
            return Err(Error::usage(ErrorCode::OutputPlace, format!("{} is a folder", path.display()))
                .hint("name a file with -o"));
        }
        file::check(&path, overwrite).map_err(gsfa_data::Error::writing(&path))?;
        if let (Ok(_), Ok(real)) = (path.read_link(), path.canonicalize()) {
            printer.remark(
                RemarkCode::LinkKept,
                format!("{} is a link and stays one: {} is written", path.display(), real.display()),
            );
        }
        Ok(Some(Self { path: Some(path), overwrite }))
    }

    /// As [`optional`](Self::optional), for commands that must write, and write bytes that are not for the eye.
    pub fn required<P: AsRef<Path>>(args: &OutputArgs, inputs: &[P], example: &str, printer: &Printer) -> Result<Self> {
        let output = Self::optional(args, inputs, printer)?.ok_or_else(|| {
            Error::usage(ErrorCode::NoOutput, "no output file is given").hint(format!("add -o {example}"))
        })?;
        if output.path.is_none() && io::stdout().is_terminal() {
            return Err(Error::usage(ErrorCode::OutputPlace, "the bytes of this file are not for a terminal")
                .hint(format!("-o {example}")));
        }
        Ok(output)
    }

    /// The file; `None` for standard output.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Where the result is, for the last line of a report.
    pub fn saved(&self) -> String {
        match &self.path {
            Some(path) => format!("saved as {}", path.display()),
            None => "written to standard output".into(),
        }
    }

    /// What its name says of the format, in small letters.
    pub fn extension(&self) -> Option<String> {
        Some(self.path.as_ref()?.extension()?.to_string_lossy().to_ascii_lowercase())
    }

    /// Refuses names that say another format than that of drawings.
    pub fn check_drawing(&self) -> Result {
        match self.extension().filter(|extension| extension != "svg") {
            Some(other) => Err(Error::usage(ErrorCode::OutputFormat, format!("a drawing is no .{other} file"))
                .hint("name it something.svg")),
            None => Ok(()),
        }
    }

    /// Refuses names that say another format than one of tables, or of drawings where there are some: a table under the name of
    /// a picture helps nobody.
    pub fn check_format(&self, drawings: bool) -> Result {
        let others = ["svg", "html", "png", "jpg", "jpeg", "gif", "pdf", "npz", "json", "toml", "xlsx", "gsfa"];
        let drawn = |extension: &str| drawings && extension == "svg";
        match self.extension().filter(|extension| others.contains(&extension.as_str()) && !drawn(extension)) {
            Some(other) => {
                let hint = if drawings {
                    "name a .svg, .csv, .jsonl or .npy file"
                } else {
                    "name a .csv, .jsonl or .npy file"
                };
                Err(Error::usage(ErrorCode::OutputFormat, format!("a table is no .{other} file")).hint(hint))
            }
            None => Ok(()),
        }
    }

    /// Writes all bytes, or nothing.
    pub fn write(&self, bytes: &[u8]) -> Result {
        let Some(path) = &self.path else { return write_stdout(bytes) };
        let _saving = interrupt::saving();
        Ok(file::write(path, bytes, self.overwrite).map_err(gsfa_data::Error::writing(path))?)
    }

    /// Writes a table in the format that the file's name says; CSV on standard output.
    fn write_table(&self, table: &Table) -> Result {
        let Some(path) = &self.path else { return print_csv(table) };
        let _saving = interrupt::saving();
        match self.extension().as_deref() {
            Some("jsonl" | "ndjson") => table.write_json_lines(path, self.overwrite)?,
            Some("npy") => table.write_npy(path, self.overwrite)?,
            #[cfg(feature = "parquet")]
            Some("parquet") => table.write_parquet(path, self.overwrite)?,
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => {
                return Err(Error::usage(
                    ErrorCode::NotBuiltIn,
                    format!("{}: this build does not write Parquet", path.display()),
                )
                .hint("build with --features parquet, or name a .csv, .jsonl or .npy file"));
            }
            _ => table.write_csv(path, self.overwrite)?,
        }
        Ok(())
    }

    /// Saves a model.
    pub fn save(&self, model: &Model) -> Result {
        let Some(path) = &self.path else { return write_stdout(&model.to_bytes()?) };
        let _saving = interrupt::saving();
        Ok(model.save(path, self.overwrite)?)
    }
}

impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => path.display().fmt(f),
            None => f.write_str("standard output"),
        }
    }
}

/// Writes a table to its file; without one it is the result itself, printed as CSV unless JSON was asked for. Whether it
/// was printed.
pub fn write_or_print(table: &Table, output: Option<&Output>, printer: &Printer) -> Result<bool> {
    if let Some(output) = output {
        output.write_table(table)?;
    } else if !printer.json {
        print_csv(table)?;
        return Ok(true);
    }
    Ok(false)
}

fn print_csv(table: &Table) -> Result {
    let mut csv = Vec::new();
    table
        .write_csv_to(&mut csv)
        .map_err(|error| Error::new(ErrorKind::Io, ErrorCode::StandardOutput, error.to_string()))?;
    write_stdout(&csv)
}

/// Finds out whether a folder can be made and filled, before the work that fills it.
pub fn check_folder(folder: &Path) -> Result {
    if folder.as_os_str() == STANDARD {
        return Err(Error::usage(ErrorCode::OutputPlace, "a folder is written, which standard output is not")
            .hint("name a folder"));
    }
    let there = folder.ancestors().find(|above| above.symlink_metadata().is_ok()).unwrap_or(Path::new("."));
    // A folder that is to be filled again may be there; nothing else may be in its way.
    let inside = there.join(".gsfa-can-write");
    Ok(file::check(&inside, Overwrite::Replace).map_err(gsfa_data::Error::writing(&inside))?)
}

/// Whether standard output was closed when the program began: the system library then opens the null device in its place,
/// for reading and writing, as no shell does.
#[cfg(unix)]
fn stdout_was_closed() -> bool {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: asks for the flags of a descriptor, and changes nothing.
    let flags = unsafe { libc::fcntl(1, libc::F_GETFL) };
    let device = |path: &str| std::fs::metadata(path).map(|metadata| metadata.rdev()).ok();
    let null = device("/dev/null");
    flags < 0 || (flags & libc::O_ACCMODE == libc::O_RDWR && null.is_some() && device("/dev/fd/1") == null)
}

#[cfg(not(unix))]
fn stdout_was_closed() -> bool {
    false
}
