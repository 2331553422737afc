//! Large pieces of memory.

use super::real::Real;

/// From this many bytes on, large pages are asked for.
const LARGE: usize = 4 << 20;

/// `count` zeros. Where the system has large pages, large pieces come in them: with 106,000 small ones, the first touch
/// of a covariance of 7,380 inputs took as long as adding 2,000 samples to it.
pub fn zeroed<T: Real>(count: usize) -> Vec<T> {
    let values = vec![T::default(); count];
    if count * T::BYTES >= LARGE {
        ask_for_large_pages(&values);
    }
    values
}

#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(values: &[T]) {
    const PAGE: usize = 4096;
    let skipped = values.as_ptr().align_offset(PAGE).min(values.len());
    let bytes = size_of_val(&values[skipped..]) / PAGE * PAGE;
    // SAFETY: whole pages within `values`; the advice changes neither their values nor who may use them. A system that
    // does not follow it says so and goes on as before.
    unsafe { libc::madvise(values[skipped..].as_ptr().cast_mut().cast(), bytes, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &[T]) {}
