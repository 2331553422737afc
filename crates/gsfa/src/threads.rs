//! How many threads work: as many as were asked for, within what helps.

use std::thread::available_parallelism;

/// Threads for each core, at most. More take their turns, and starting thousands takes longer than the work itself.
const PER_CORE: usize = 4;

/// The number of threads to start where `asked` were asked for: at least 1, at most four for each core that this
/// process may use.
///
/// With 0 nobody asked: as many as the environment variable `RAYON_NUM_THREADS` says, within the same bound, or one per
/// core if it says nothing, 0, or anything but a number. Results do not depend on the number.
///
/// ```
/// assert_eq!(gsfa::threads::bounded(1), 1);
/// assert!(gsfa::threads::bounded(100_000) < 100_000);
/// assert!(gsfa::threads::bounded(0) >= 1);
/// ```
#[must_use]
pub fn bounded(asked: usize) -> usize {
    let cores = cores();
    within(cores, wanted(asked, variable().as_deref(), cores))
}

/// What to tell whoever asked for more threads than are started; nothing if nobody did.
///
/// ```
/// assert_eq!(gsfa::threads::remark(1), None);
/// assert!(gsfa::threads::remark(100_000).is_some_and(|text| text.starts_with("100000 threads were asked for")));
/// ```
#[must_use]
pub fn remark(asked: usize) -> Option<String> {
    let cores = cores();
    let wanted = wanted(asked, variable().as_deref(), cores);
    let used = within(cores, wanted);
    (used < wanted)
        .then(|| format!("{wanted} threads were asked for, {used} are used: more than {PER_CORE} per core help nobody"))
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

fn variable() -> Option<String> {
    std::env::var("RAYON_NUM_THREADS").ok()
}

/// The number of threads that is wanted, however large: `asked`, or what the environment says, or one per core.
fn wanted(asked: usize, variable: Option<&str>, cores: usize) -> usize {
    let number = |text: &str| {
        let digits = text.trim();
        // A number that does not fit is still a number, and a large one.
        let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        whole.then(|| digits.parse().unwrap_or(usize::MAX)).filter(|&threads| threads > 0)
    };
    if asked > 0 { asked } else { variable.and_then(number).unwrap_or(cores) }
}

fn within(cores: usize, wanted: usize) -> usize {
    wanted.clamp(1, cores.max(1).saturating_mul(PER_CORE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_threads_is_at_least_one_and_at_most_four_per_core() {
        for cores in [1, 2, 64] {
            for asked in [1, 2, 5, 5000, usize::MAX] {
                let threads = within(cores, wanted(asked, Some("3"), cores));
                assert_eq!(threads, asked.min(4 * cores), "{asked} on {cores}");
            }
        }
        assert!(bounded(usize::MAX) <= PER_CORE * cores());
        assert_eq!(bounded(1), 1);
    }

    #[test]
    fn without_a_wish_the_environment_decides_and_else_the_cores() {
        for nothing in [None, Some(""), Some("0"), Some("many"), Some("-3"), Some("2.5")] {
            assert_eq!(within(8, wanted(0, nothing, 8)), 8, "{nothing:?}");
        }
        let huge = "9".repeat(350);
        for (text, threads) in [("1", 1), (" 3 ", 3), ("100000", 32), (huge.as_str(), 32)] {
            assert_eq!(within(8, wanted(0, Some(text), 8)), threads, "{text}");
        }
    }
}
