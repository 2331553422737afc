//! A CSV table on standard input: what another program writes needs no file.

use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use gsfa_data::table::{CsvOptions, Table};

use crate::error::{Error, ErrorCode, ErrorKind, Result};

static READ: AtomicBool = AtomicBool::new(false);

/// Bytes looked at before all are read: text has no zero among them, devices that never end do.
const START: u64 = 1 << 16;

/// The table, which can be read once.
pub fn table() -> Result<Table> {
    if READ.swap(true, Ordering::Relaxed) {
        return Err(Error::usage(ErrorCode::StandardInput, "standard input is named twice, and can be read once")
            .hint("give --data or --labels a file"));
    }
    let failed = |error: io::Error| {
        Error::new(ErrorKind::Io, ErrorCode::StandardInput, format!("cannot read standard input: {error}"))
    };
    let (mut stdin, mut bytes) = (io::stdin().lock(), Vec::new());
    stdin.by_ref().take(START).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.contains(&0) {
        return Err(Error::data(
            ErrorCode::StandardInput,
            "standard input is no CSV table: it holds bytes that are no text",
        )
        .hint("give the path of an .npy or .npz file or a folder of images instead of -"));
    }
    stdin.read_to_end(&mut bytes).map_err(failed)?;
    Ok(Table::parse_csv(&bytes, Path::new("standard input"), &CsvOptions::default())?)
}
