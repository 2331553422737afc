//! Output files: never over an earlier one by accident, never in part.

use std::io::Write;
use std::path::{Path, PathBuf};

use gsfa::Model;
use gsfa_data::atomic::{AtomicFile, Overwrite, refuse_input};
use gsfa_data::table::Table;

use crate::args::OutputArgs;
use crate::failure::{Failure, Fault, Outcome};
use crate::interrupt;
use crate::talk::{Talk, write_stdout};

/// A checked output: looked at before any work is done.
#[derive(Debug, Clone)]
pub struct Output {
    pub path: PathBuf,
    force: bool,
}

impl Output {
    /// The file that was asked for, if one was; an existing one needs --force, and none may be an input.
    pub fn maybe<P: AsRef<Path>>(args: &OutputArgs, inputs: &[P]) -> Outcome<Option<Self>> {
        let Some(path) = args.output.clone() else { return Ok(None) };
        refuse_input(&path, inputs)?;
        if !args.force && path.symlink_metadata().is_ok() {
            return Err(gsfa_data::Error::OutputExists { path }.into());
        }
        if path.is_dir() {
            return Err(Failure::usage(format!("{} is a folder", path.display())).hint("name a file with -o"));
        }
        Ok(Some(Self { path, force: args.force }))
    }

    /// As [`maybe`](Self::maybe), for commands that must write.
    pub fn required<P: AsRef<Path>>(args: &OutputArgs, inputs: &[P], example: &str) -> Outcome<Self> {
        Self::maybe(args, inputs)?
            .ok_or_else(|| Failure::usage("no output file is given").hint(format!("add -o {example}")))
    }

    pub fn overwrite(&self) -> Overwrite {
        if self.force { Overwrite::Replace } else { Overwrite::Never }
    }

    /// Writes all bytes, or nothing.
    pub fn write(&self, bytes: &[u8]) -> Outcome {
        let _saving = interrupt::saving();
        let mut file = AtomicFile::create(&self.path, self.overwrite())?;
        file.write_all(bytes).map_err(|error| Failure::io("write", &self.path, &error))?;
        Ok(file.commit()?)
    }

    /// Writes a table in the format that the file's name says.
    fn write_table(&self, table: &Table) -> Outcome {
        let _saving = interrupt::saving();
        let extension = self.path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        match extension.as_deref() {
            Some("jsonl" | "ndjson") => table.write_json_lines(&self.path, self.overwrite())?,
            Some("npy") => table.write_npy(&self.path, self.overwrite())?,
            #[cfg(feature = "parquet")]
            Some("parquet") => table.write_parquet(&self.path, self.overwrite())?,
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => {
                return Err(Failure::usage(format!("{}: this build does not write Parquet", self.path.display()))
                    .hint("build with --features parquet, or name a .csv, .jsonl or .npy file"));
            }
            _ => table.write_csv(&self.path, self.overwrite())?,
        }
        Ok(())
    }

    /// Saves a model.
    pub fn save(&self, model: &Model) -> Outcome {
        let _saving = interrupt::saving();
        let overwrite = if self.force { gsfa::model::Overwrite::Replace } else { gsfa::model::Overwrite::Never };
        Ok(model.save(&self.path, overwrite)?)
    }
}

/// Writes a table to its file; without one it is the result itself, printed as CSV unless JSON was asked for. Whether it
/// was printed.
pub fn put_table(table: &Table, output: Option<&Output>, talk: &Talk) -> Outcome<bool> {
    if let Some(output) = output {
        output.write_table(table)?;
    } else if !talk.json {
        let mut csv = Vec::new();
        table.write_csv_to(&mut csv).map_err(|error| Failure::new(Fault::Io, error.to_string()))?;
        write_stdout(&csv)?;
        return Ok(true);
    }
    Ok(false)
}
