//! Loops in the widest vectors that help.

/// Runs `work`, whose loops the compiler may put into vectors of 32 bytes where the machine has them. A library is built
/// for the oldest machine it must run on, whose vectors are half as long.
///
/// What `work` calls must be `#[inline(always)]` to be compiled with it. Rounding does not depend on the length of
/// vectors, so neither do results: products and sums are never fused unless written so.
pub fn vectorised<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected.
        return unsafe { avx2(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}
