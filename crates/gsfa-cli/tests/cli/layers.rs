//! The layers of the command line: which folders may name which.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each layer may use, in the order in which a command passes through them. Notes, progress and files are presented by
/// all, so that `present` knows nothing of what is presented.
const MAY_USE: [(&str, &[&str]); 8] = [
    ("error", &[]),
    ("allocator", &["error"]),
    ("interrupt", &["error"]),
    ("args", &["error"]),
    ("present", &["args", "error", "interrupt"]),
    ("settings", &["args", "error"]),
    ("load", &["error", "interrupt", "present", "settings"]),
    ("run", &["args", "error", "interrupt", "load", "present", "settings"]),
];

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else {
            all.push(path);
        }
    }
}

/// The first names of all paths that begin at the crate.
fn used(text: &str) -> BTreeSet<&str> {
    let names = text.split("crate::").skip(1);
    names.map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()).collect()
}

#[test]
fn layers_use_those_before_them_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 40, "only {} files were found", files.len());
    for file in files {
        let inside = file.strip_prefix(&root).unwrap();
        let layer = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if layer == "main" {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == layer) else {
            panic!("{} belongs to no layer", inside.display())
        };
        for name in used(&fs::read_to_string(&file).unwrap()) {
            assert!(name == layer || allowed.contains(&name), "{} may not use crate::{name}", inside.display());
        }
    }
}

#[test]
fn the_layers_have_no_cycle() {
    for (k, (name, allowed)) in MAY_USE.iter().enumerate() {
        let before: Vec<&str> = MAY_USE[..k].iter().map(|(name, _)| *name).collect();
        assert!(allowed.iter().all(|used| before.contains(used)), "{name}");
    }
}
