//! Output files: never over an earlier one by accident, never in part.

use std::io::Write;
use std::path::{Path, PathBuf};

use gsfa::Model;
use gsfa_data::atomic::{AtomicFile, Overwrite, refuse_input};

use crate::args::OutputArgs;
use crate::failure::{Failure, Outcome};
use crate::interrupt;

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
        if self.force { Overwrite::Replace } else { Overwrite::Refuse }
    }

    /// Writes all bytes, or nothing.
    pub fn write(&self, bytes: &[u8]) -> Outcome {
        let _saving = interrupt::saving();
        let mut file = AtomicFile::create(&self.path, self.overwrite())?;
        file.write_all(bytes).map_err(|error| Failure::io("write", &self.path, &error))?;
        Ok(file.commit()?)
    }

    /// Saves a model.
    pub fn save(&self, model: &Model) -> Outcome {
        let _saving = interrupt::saving();
        let overwrite = if self.force { gsfa::model::Overwrite::Replace } else { gsfa::model::Overwrite::Never };
        Ok(model.save(&self.path, overwrite)?)
    }
}
