//! Which vector instructions the kernels use: the widest that the machine has, or fewer if asked.

use std::fmt;
use std::sync::OnceLock;

use crate::{Error, Result};

/// The environment variable that limits the kernels, so that one machine can test and time the code of others.
pub const VARIABLE: &str = "GSFA_VECTORS";

/// Sets of vector instructions that there are kernels for, the narrowest first.
///
/// Estimates agree within round-off whichever set is in use. The matrix backend, which multiplies where there is no
/// kernel of ours, takes what it finds on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Vectors {
    /// What every machine of the target has.
    Portable,
    /// Vectors of 32 bytes with fused steps: AVX2 and FMA.
    Avx2,
    /// Vectors of 64 bytes: AVX-512 with its extensions VL, DQ and BW.
    Avx512,
}

impl Vectors {
    /// All sets, the widest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// The name by which [`VARIABLE`] asks for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether the kernels may use this set.
    #[inline]
    #[must_use]
    pub fn usable(self) -> bool {
        self <= in_use()
    }
}

impl fmt::Display for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The widest set of this machine.
#[must_use]
pub fn of_this_machine() -> Vectors {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx2") && has!("fma") {
            // More than the foundation: without the other sets half of the registers cannot be widened to f64.
            let wide = has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw");
            return if wide { Vectors::Avx512 } else { Vectors::Avx2 };
        }
    }
    Vectors::Portable
}

/// The widest set in use: that of the machine, or a narrower one that [`VARIABLE`] asks for. The variable is read once,
/// at the first question.
///
/// ```
/// use gsfa::vectors;
/// assert!(vectors::in_use() <= vectors::of_this_machine());
/// ```
#[must_use]
pub fn in_use() -> Vectors {
    static IN_USE: OnceLock<Vectors> = OnceLock::new();
    *IN_USE.get_or_init(|| {
        let wanted = variable().and_then(|text| named(&text));
        wanted.unwrap_or(Vectors::Avx512).min(of_this_machine())
    })
}

/// Refuses a value of [`VARIABLE`] that names no set; the kernels would pass over it.
///
/// # Errors
/// [`Error::Parameter`].
pub fn check() -> Result<()> {
    match variable() {
        Some(text) if named(&text).is_none() => Err(Error::Parameter {
            name: VARIABLE,
            value: text,
            reason: "must be avx512, avx2 or portable, or not be set".into(),
        }),
        _ => Ok(()),
    }
}

fn variable() -> Option<String> {
    std::env::var_os(VARIABLE).map(|text| text.to_string_lossy().into_owned()).filter(|text| !text.is_empty())
}

fn named(text: &str) -> Option<Vectors> {
    Vectors::ALL.into_iter().find(|set| set.name() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_found_by_its_name_and_nothing_else_is() {
        for set in Vectors::ALL {
            assert_eq!(named(&set.to_string()), Some(set));
        }
        for text in ["AVX2", "avx", "sse2", "avx-512", " avx2"] {
            assert_eq!(named(text), None, "{text}");
        }
    }

    #[test]
    fn the_narrowest_set_is_always_usable() {
        assert!(Vectors::Portable.usable());
        assert!(in_use().usable());
    }
}
