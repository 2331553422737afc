//! The one way from Python into work: without the interpreter, on threads of its own, and interruptible.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure::raise;

/// How often signals are looked at.
const POLL: Duration = Duration::from_millis(50);

/// How long work may take to stop by itself. Afterwards it goes on unseen until it ends, and its result is dropped.
const PATIENCE: Duration = Duration::from_millis(400);

/// Whether somebody wants the work to stop.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error if the work shall stop; nobody sees it.
    pub fn check(&self) -> gsfa::Result<()> {
        if self.requested() { Err(gsfa::Error::Cancelled { layer: 0 }) } else { Ok(()) }
    }
}

/// Runs `work` in a pool of `threads` threads (0: one per core, or as `RAYON_NUM_THREADS` says; never more than help),
/// while this thread waits for signals.
///
/// The pool lives as long as the call: a pool that outlived it would not survive a fork. No lock is held while the
/// interpreter is released: work owns what it needs, or shares what nobody changes.
pub fn run<R: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Stop) -> gsfa::Result<R> + Send + 'static,
) -> PyResult<R> {
    gsfa::vectors::check().map_err(|error| raise(py, &error))?;
    let stop = Stop::default();
    let theirs = stop.clone();
    let (sender, mut receiver) = channel();
    let task = move || {
        let done = catch_unwind(AssertUnwindSafe(|| -> Result<gsfa::Result<R>, String> {
            Ok(pool(threads)?.install(|| work(&theirs)))
        }));
        // The caller may have gone.
        let _ = sender.send(done);
    };
    std::thread::Builder::new()
        .name("gsfa".into())
        .spawn(task)
        .map_err(|error| PyRuntimeError::new_err(format!("no thread can be started: {error}")))?;
    loop {
        let waiting = &mut receiver;
        let got = py.detach(move || waiting.recv_timeout(POLL));
        match got {
            Ok(Ok(Ok(result))) => return result.map_err(|error| raise(py, &error)),
            Ok(Ok(Err(reason))) => return Err(PyRuntimeError::new_err(reason)),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("internal error: please report it with the data that caused it"));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(interrupt) = py.check_signals() {
                    stop.0.store(true, Ordering::Relaxed);
                    let waiting = &mut receiver;
                    let _ = py.detach(move || waiting.recv_timeout(PATIENCE));
                    return Err(interrupt);
                }
            }
        }
    }
}

/// The process that started the pool of short work; a forked child has its memory and none of its threads.
static HOME: OnceLock<u32> = OnceLock::new();

/// Runs short work on this thread, which nobody will want to interrupt.
///
/// Its parallel loops share a pool of the process, started here so that it has no more threads than help.
pub fn run_here<R: Send>(py: Python<'_>, work: impl FnOnce() -> gsfa::Result<R> + Send) -> PyResult<R> {
    let done = py.detach(|| {
        let here = std::process::id();
        let start = || {
            // It fails if there is one, which serves as well.
            let _ = builder(0).build_global();
            here
        };
        if *HOME.get_or_init(start) == here { Ok(work()) } else { pool(1).map(|pool| pool.install(work)) }
    });
    done.map_err(PyRuntimeError::new_err)?.map_err(|error| raise(py, &error))
}

fn builder(threads: usize) -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().num_threads(gsfa::threads::bounded(threads))
}

fn pool(threads: usize) -> Result<rayon::ThreadPool, String> {
    builder(threads).build().map_err(|error| error.to_string())
}

/// What to tell whoever asks for more threads than are started.
#[pyfunction]
pub fn thread_remark(threads: usize) -> Option<String> {
    gsfa::threads::remark(threads)
}

/// The vector instructions in use: `avx512`, `avx2` or `portable`.
#[pyfunction]
pub fn vectors() -> &'static str {
    gsfa::vectors::in_use().name()
}
