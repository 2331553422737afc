//! The public items of the library's crates are those of `docs/surface`.

use std::path::Path;

use gsfa_surface::{items, snapshot};

fn check(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src/lib.rs");
    let lines = items::of(&name.replace('-', "_"), &root).unwrap_or_else(|error| panic!("{name}: {error}"));
    snapshot::check(&format!("rust-{name}.txt"), &lines);
}

#[test]
fn surface_of_the_method() {
    check("gsfa");
}

#[test]
fn surface_of_samples_and_labels() {
    check("gsfa-data");
}

#[test]
fn surface_of_figures_and_pages() {
    check("gsfa-report");
}
