//! Arrays: every type, order and endianness; hostile headers; files that change; writing.
#![allow(clippy::unwrap_used)]

mod archives;
mod changing;
mod finite;
mod hostile;
mod numbers;
mod support;
mod writing;
