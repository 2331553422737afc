//! Ctrl-C and SIGTERM: stop within a second, with every earlier file intact.
//!
//! Training asks [`requested`] between nodes. Whatever does not ask in time (a large node, a long read) is ended from the
//! handler; a file that is being saved is completed first, so that no temporary file is left behind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::error::{Error, ErrorCode, ErrorKind, Result};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static SAVING: Mutex<()> = Mutex::new(());

/// How long a command may take to stop by itself.
const PATIENCE: Duration = Duration::from_millis(500);

/// Listens for signals from now on, and reports those that end the command.
pub fn listen(report: fn(&Error)) {
    // Writing beyond a limit of file sizes then fails as on a full disk, which is told and leaves no trace.
    #[cfg(unix)]
    // SAFETY: no handler is installed, the signal is ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    // Without a handler the default action ends the process just as fast.
    let _ = ctrlc::set_handler(move || {
        REQUESTED.store(true, Ordering::SeqCst);
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
