//! How much memory there is, asked before work that needs much of it: running out of it ends a program without a word.

use crate::{Error, Result};

/// Needs below this many bytes are not worth a question to the system.
const SMALL: usize = 16 << 20;

/// Refuses work that needs more bytes than are left.
///
/// # Errors
/// [`Error::Memory`].
pub fn require(bytes: usize) -> Result<()> {
    if bytes < SMALL {
        return Ok(());
    }
    match available() {
        Some(available) if bytes > available => Err(Error::Memory { needed: bytes, available }),
        _ => Ok(()),
    }
}

/// The bytes that this process can still take: what the machine has left, within the limits of the process (`ulimit -v`)
/// and of its group (containers). Unknown where the system does not say.
pub fn available() -> Option<usize> {
    if cfg!(target_os = "linux") { [machine(), process(), group()].into_iter().flatten().min() } else { None }
}

/// A number of bytes as people say it.
pub fn spelled(count: usize) -> String {
    match count {
        0..10_000 => format!("{count} bytes"),
        10_000..10_000_000 => format!("{:.0} kB", count as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.0} MB", count as f64 / 1e6),
        _ => format!("{:.0} GB", count as f64 / 1e9),
    }
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

fn machine() -> Option<usize> {
    let text = read("/proc/meminfo")?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)
}

fn process() -> Option<usize> {
    let text = read("/proc/self/limits")?;
    let line = text.lines().find(|line| line.starts_with("Max address space"))?;
    let limit: usize = line.split_whitespace().nth(3)?.parse().ok()?;
    let status = read("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmSize:"))?;
    let used = line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)?;
    Some(limit.saturating_sub(used))
}

fn group() -> Option<usize> {
    let number = |path: &str| read(path)?.trim().parse::<usize>().ok();
    let limit = number("/sys/fs/cgroup/memory.max")?;
    Some(limit.saturating_sub(number("/sys/fs/cgroup/memory.current")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_allowed_and_what_no_machine_has_is_not() {
        assert_eq!(require(SMALL - 1), Ok(()));
        if let Some(available) = available() {
            assert!(available > 0);
            let error = require(usize::MAX).unwrap_err();
            assert!(matches!(error, Error::Memory { needed: usize::MAX, .. }) && error.hint().is_some());
        }
    }
}
