//! Ctrl-C and SIGTERM: stop within a second, with every earlier file intact.
//!
//! A search for what was left open ends with the best so far, once it has one: the first Ctrl-C ends the search, and the model
//! is trained; the second ends the command.
//!
//! Training asks [`requested`] between nodes. Whatever does not ask in time (a large node, a long read) is ended from the
//! handler; a file that is being saved is completed first, so that no temporary file is left behind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::error::{Error, ErrorCode, ErrorKind, Result};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static SAVING: Mutex<()> = Mutex::new(());

/// Whether there is something to keep: a search has judged a candidate.
static WORTHWHILE: AtomicBool = AtomicBool::new(false);
/// Whether a search was ended already.
static KEPT: AtomicBool = AtomicBool::new(false);

/// How long a command may take to stop by itself.
const PATIENCE: Duration = Duration::from_millis(500);

/// Listens for signals from now on, reports those that end the command, and tells what those that end a search do.
pub fn listen(report: fn(&Error), tell: fn(&str)) {
    // Writing beyond a limit of file sizes then fails as on a full disk, which is told and leaves no trace.
    #[cfg(unix)]
    // SAFETY: no handler is installed, the signal is ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    // Without a handler the default action ends the process just as fast.
    let _ = ctrlc::set_handler(move || {
        REQUESTED.store(true, Ordering::SeqCst);
        if WORTHWHILE.load(Ordering::SeqCst) && !KEPT.swap(true, Ordering::SeqCst) {
            tell("interrupted: the search ends, and the best so far is taken; once more ends the command");
            return;
        }
        std::thread::sleep(PATIENCE);
        let _saved = saving();
        report(&interrupted());
        std::process::exit(i32::from(ErrorKind::Interrupted.exit_code()));
    });
}

/// Whether somebody wants the command to stop.
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Says that an interruption has something to keep from now on.
pub fn keep_what_is_found() {
    WORTHWHILE.store(true, Ordering::SeqCst);
}

/// Ends a search: what interrupted it does not interrupt what follows.
pub fn search_is_over() {
    if WORTHWHILE.swap(false, Ordering::SeqCst) && KEPT.load(Ordering::SeqCst) {
        REQUESTED.store(false, Ordering::SeqCst);
    }
}

/// An interruption as failure, if one was asked for.
pub fn check() -> Result {
    if requested() { Err(interrupted()) } else { Ok(()) }
}

/// What an interruption is reported as.
pub fn interrupted() -> Error {
    Error::new(ErrorKind::Interrupted, ErrorCode::Interrupted, "interrupted; earlier files are as they were")
}

/// Held while an output file is written.
pub fn saving() -> MutexGuard<'static, ()> {
    SAVING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
