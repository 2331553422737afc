//! The targets of `fuzz/`, without counters: every input that was ever a finding, and a few new ones.

#[path = "../../../fuzz/src/model.rs"]
mod model;
#[path = "../../../fuzz/src/mutate.rs"]
mod mutate;
#[path = "../../../fuzz/src/targets.rs"]
mod targets;

use std::path::Path;

use mutate::{Random, mutate};
use targets::TARGETS;

/// New inputs for each target; nothing beside what `fuzz/` does in a minute, but in every check.
const INPUTS: usize = 300;

#[test]
fn findings_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fixed");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some((target, _)) = name.split_once('-') else { continue };
        let target = TARGETS.iter().find(|known| known.name == target).unwrap_or_else(|| panic!("{name}: no target"));
        (target.run)(&std::fs::read(&path).unwrap());
    }
}

#[test]
fn inputs_with_small_changes_are_read_or_refused() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        let mut random = Random(2026);
        for seed in &seeds {
            (target.run)(seed);
        }
        for _ in 0..INPUTS {
            let at = random.below(seeds.len());
            (target.run)(&mutate(&seeds[at], &seeds, target.tokens, &mut random));
        }
    }
}
