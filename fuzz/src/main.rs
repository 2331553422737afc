//! Fuzzing of the parsers, guided by coverage, on stable Rust and with no tool to install.
//!
//! ```text
//! cd fuzz
//! cargo run --release                        every target for a minute
//! cargo run --release -- 600 csv model       these targets for ten minutes each
//! SEED=7 cargo run --release                 other inputs
//! cargo run --release -- replay csv findings/csv-0123456789abcdef
//! ```
//!
//! An input is a finding if it panics, asks for more than 64 MiB at once, or takes more than five seconds. It is kept in
//! `findings/`, and the program ends with code 1. The fix begins with the input in `fixed/`, which `./check` replays
//! (`crates/gsfa-data/tests/fuzzed.rs`) together with a few hundred new inputs for each target.

mod coverage;
mod guard;
mod model;
mod mutate;
mod targets;

use std::time::{Duration, Instant};

use coverage::Coverage;
use mutate::{Random, mutate};
use targets::{TARGETS, Target};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, name, path] = arguments.as_slice()
        && verb == "replay"
    {
        let target = find(name);
        let input = std::fs::read(path).unwrap_or_else(|error| fail(&format!("{path}: {error}")));
        return (target.run)(&input);
    }
    let seconds = arguments.first().map_or(60, |text| text.parse().unwrap_or_else(|_| fail("how many seconds?")));
    let named: Vec<&Target> = arguments.iter().skip(1).map(|name| find(name)).collect();
    let chosen = if named.is_empty() { TARGETS.iter().collect() } else { named };
    guard::catch_panics();
    guard::watch();
    let mut coverage = Coverage::new();
    if !coverage.is_on() {
        eprintln!("note: built without counters, changes are blind; run it in the folder fuzz/");
    }
    let seed = std::env::var("SEED").map_or(1, |text| text.parse().unwrap_or_else(|_| fail("SEED is no number")));
    let time = Duration::from_secs(seconds);
    let findings: usize = chosen.iter().map(|target| fuzz(target, time, seed, &mut coverage)).sum();
    std::process::exit(i32::from(findings > 0));
}

fn find(name: &str) -> &'static Target {
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| fail(&format!("there is no target '{name}'; there are {}", names.join(", "))))
}

fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    std::process::exit(2);
}

/// Different panics that are told.
const MOST: usize = 20;

/// Fuzzes one target; how many different panics it found.
fn fuzz(target: &Target, time: Duration, seed: u64, coverage: &mut Coverage) -> usize {
    let mut corpus = (target.seeds)();
    let seeds = corpus.len();
    let mut random = Random(seed);
    let mut places: Vec<String> = Vec::new();
    let (start, mut runs) = (Instant::now(), 0_u64);
    while start.elapsed() < time && places.len() < MOST {
        let input = match corpus.get(runs as usize) {
            Some(seed) if (runs as usize) < seeds => seed.clone(),
            _ => {
                // Recent inputs reached something that the others do not; half of the work starts from them.
                let recent = corpus.len().saturating_sub(random.below(corpus.len()).min(64));
                let at = if random.below(2) == 0 { random.below(corpus.len()) } else { recent.saturating_sub(1) };
                mutate(&corpus[at], &corpus, target.tokens, &mut random)
            }
        };
        coverage.reset();
        let result = guard::run(target.name, &input, target.run);
        runs += 1;
        if let Err((place, message)) = result
            && !places.contains(&place)
        {
            let path = guard::save(target.name, &input);
            eprintln!("{}: {message}\nthe input is {}", target.name, path.display());
            places.push(place);
        }
        if coverage.is_new() && runs as usize > seeds {
            corpus.push(input);
        }
    }
    println!(
        "{}: {runs} inputs in {:.0} s, {} branches, {} inputs kept, {} findings",
        target.name,
        start.elapsed().as_secs_f64(),
        coverage.branches,
        corpus.len(),
        places.len()
    );
    places.len()
}
