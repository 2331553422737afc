//! Files: read if they have an end, written completely or not at all.

mod atomic;
mod regular;

pub use atomic::{AtomicFile, Overwrite, check, folder_of, write};
pub use regular::{open, read};
