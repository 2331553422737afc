//! Public items are found wherever they are declared, and nothing else is.

use std::fs;

/// The items of a crate `c` with the given files.
fn items(files: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    gsfa_surface::items::of("c", &folder.path().join("lib.rs"))
}

fn assert_items(files: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(items(files).unwrap(), expected);
}

#[test]
fn names_are_followed_through_modules_and_uses() {
    let lib = "pub mod open; mod closed; pub use closed::{inner::Deep, twice as two}; pub use std::fmt::Debug;";
    assert_items(
        &[
            ("lib.rs", lib),
            ("open.rs", "pub use crate::closed::*; pub struct Own; struct Hidden;"),
            ("closed/mod.rs", "pub mod inner; pub fn twice(mut x: f64) -> f64 { x } pub(crate) fn no() {}"),
            (
                "closed/inner.rs",
                "use super::twice; pub struct Deep(pub u8, u8); impl Deep { pub fn new() -> Self { todo!() } fn no() {} }",
            ),
        ],
        &[
            "c::Debug: = std::fmt::Debug",
            "c::Deep: struct with private fields",
            "c::Deep::0: u8",
            "c::Deep::new: fn() -> Self",
            "c::open: mod",
            "c::open::Own: struct",
            "c::open::inner: mod",
            "c::open::inner::Deep: = c::Deep",
            "c::open::twice: = c::two",
            "c::two: fn(x: f64) -> f64",
        ],
    );
}

#[test]
fn what_macros_declare_is_seen_though_they_stand_in_a_later_file() {
    let table = "macro_rules! kinds { ($($file:ident: $name:ident;)*) => { $(mod $file; pub use $file::*;)* pub enum All { $($name($name)),* } }; } pub(crate) use kinds;";
    assert_items(
        &[
            ("lib.rs", "mod a; mod z; pub use a::*;"),
            ("a/mod.rs", "use crate::z::kinds; kinds! { one: One; two: Two; }"),
            ("a/one.rs", "pub struct One { pub n: usize }"),
            ("a/two.rs", "#[derive(Clone, serde::Serialize)] pub struct Two;"),
            ("z.rs", table),
        ],
        &[
            "c::All: enum",
            "c::All::One: variant(One)",
            "c::All::Two: variant(Two)",
            "c::One: struct",
            "c::One::n: usize",
            "c::Two: impl Clone",
            "c::Two: impl Serialize",
            "c::Two: struct",
        ],
    );
    assert!(items(&[("lib.rs", "unheard_of! { x }")]).unwrap_err().contains("unheard_of!"));
}

#[test]
fn signatures_traits_and_constants_are_told_in_full() {
    let lib = "
        #[non_exhaustive] pub enum E { A, B { why: String } }
        pub trait T: Send { const N: usize = 3; type Of; fn must(&self); fn may(&mut self, x: &[u8]) -> bool { true } #[doc(hidden)] fn no(); }
        impl T for Vec<u8> { type Of = u8; fn must(&self) {} fn no() {} }
        impl<'a> From<&'a str> for E { fn from(x: &'a str) -> Self { Self::A } }
        pub const C: [f64; 2] = [-1.0, 1e-3];
        pub type R<X> = Result<X, E>;
        pub struct G<X>(X);
        impl<X: Copy> G<X> { pub const fn get(self) -> X where X: Default { self.0 } }
        #[cfg(test)] pub fn tested() {}
    ";
    assert_items(
        &[("lib.rs", lib)],
        &[
            "c::C: const [f64; 2] = [-1.0, 1e-3]",
            "c::E: enum #[non_exhaustive]",
            "c::E: impl From<&'a str>",
            "c::E::A: variant",
            "c::E::B: variant",
            "c::E::B::why: String",
            "c::G: struct<X> with private fields",
            "c::G::get: impl<X: Copy> G<X> const fn(self) -> X where X: Default",
            "c::R: type<X> = Result<X, E>",
            "c::T: impl for Vec<u8>, Of = u8",
            "c::T: trait: Send",
            "c::T::N: const usize = 3",
            "c::T::Of: type",
            "c::T::may: provided fn(&mut self, x: &[u8]) -> bool",
            "c::T::must: required fn(&self)",
        ],
    );
}
