//! The real binary in temporary folders. One test program for all, because linking takes longer than running.

mod commands;
mod equivalence;
mod faults;
#[cfg(unix)]
mod guide;
#[cfg(unix)]
mod interrupt;
mod learning;
mod schema;
mod support;
