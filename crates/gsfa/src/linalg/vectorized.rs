//! Loops in the widest vectors that help.

/// Defines a function whose loops the compiler puts into vectors of 32 bytes where the machine has them. A library is
/// built for the oldest machine it must run on, whose vectors are half as long.
///
/// What the body calls must be `#[inline(always)]` to be compiled with it. Rounding does not depend on the length of
/// vectors, so neither do results: products and sums are never fused unless written so.
macro_rules! vectorized {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident<$type:ident: $bound:path>(
        $($argument:ident: $of:ty),* $(,)?
    ) $(-> $result:ty)? $body:block) => {
        $(#[$meta])*
        $visibility fn $name<$type: $bound>($($argument: $of),*) $(-> $result)? {
            #[inline(always)]
            fn anywhere<$type: $bound>($($argument: $of),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn with_avx2<$type: $bound>($($argument: $of),*) $(-> $result)? {
                anywhere($($argument),*)
            }

            #[cfg(target_arch = "x86_64")]
            if crate::vectors::Vectors::Avx2.usable() {
                // SAFETY: the machine has the feature.
                return unsafe { with_avx2($($argument),*) };
            }
            anywhere($($argument),*)
        }
    };
}

pub(crate) use vectorized;
