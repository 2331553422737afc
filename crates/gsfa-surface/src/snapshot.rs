//! A surface and the file that it must be equal to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The variable that accepts all differences, here and in `python/tests/test_surface.py`.
pub const ACCEPT: &str = "GSFA_ACCEPT_SURFACE";

/// Compares lines with `docs/surface/{name}`, or writes them there if [`ACCEPT`] is set.
///
/// # Panics
/// If they differ: with the lines that are gone and new, and with the command that accepts them.
pub fn check(name: &str, lines: &[String]) {
    let path = folder().join(name);
    let now = lines.iter().map(|line| line.clone() + "\n").collect::<String>();
    if std::env::var_os(ACCEPT).is_some() {
        std::fs::create_dir_all(folder()).and_then(|()| std::fs::write(&path, &now)).expect("docs/surface is writable");
        return;
    }
    let then = std::fs::read_to_string(&path).unwrap_or_default();
    if now != then {
        panic!("{}", difference(name, &then, &now));
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/surface")
}

fn difference(name: &str, then: &str, now: &str) -> String {
    let set = |text: &'static str, of: &str, without: &str| -> Vec<String> {
        let without: BTreeSet<&str> = without.lines().collect();
        of.lines().filter(|line| !without.contains(line)).map(|line| format!("{text} {line}")).collect()
    };
    let mut lines = [set("-", then, now), set("+", now, then)].concat();
    if lines.is_empty() {
        lines.push("the same lines stand in another order, or more or less often".into());
    }
    format!(
        "the surface is not that of docs/surface/{name}:\n{}\nhint: {ACCEPT}=1 cargo test --release --locked --workspace --test surface --test codes \
         --test cli surface accepts it; what is gone or changed must stand in CHANGELOG.md under Breaking",
        lines.join("\n")
    )
}

#[test]
fn a_difference_names_lines_that_are_gone_and_new_and_the_cure() {
    let told = difference("x.txt", "a: 1\nb: 2\n", "a: 1\nb: 3\n");
    assert!(told.contains("docs/surface/x.txt:\n- b: 2\n+ b: 3\nhint: GSFA_ACCEPT_SURFACE=1 "), "{told}");
    assert!(difference("x.txt", "a\nb\n", "b\na\n").contains("another order"));
}
