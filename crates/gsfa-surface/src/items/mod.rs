//! The public items of a crate, from its sources: what can be named from outside, and how it is declared.
//!
//! Modules are followed from the root through their files, `pub use` and the macros by example of the crate, so that what a
//! macro declares is seen, too. Each line is `path: fact`; an item with several paths is told under the one nearest to where it
//! is declared, the others are `path: = that path`.
//!
//! What is **not** seen: types are words, so that another type of the same name is no difference; items that can be reached but
//! not named (returned from a function, in a private module); conditions (`cfg`), but for tests, which are left out; which
//! traits the compiler implements by itself (`Send`, `Sync`); attributes, but for `non_exhaustive` and derives; bodies, and with
//! them all behaviour. Items that are hidden from the documentation are left out.

mod declared;
mod macros;
mod modules;
mod names;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::{Item, ItemImpl, Type};

use declared::{declaration, foreign_implementation, is_hidden, methods};
use modules::{Modules, attributes};
use names::{Meaning, name_of};

/// The public items of the crate `name`, whose root is the file, one fact per line, sorted.
///
/// # Errors
/// If a file cannot be read or parsed, or a macro not be expanded: with its name.
pub fn of(name: &str, root: &Path) -> Result<Vec<String>, String> {
    let modules = Modules::read(root)?;
    let implementations = Implementations::of(&modules);
    let mut lines = BTreeSet::new();
    for (meaning, paths) in modules.paths(name) {
        let home = home(&modules, name, &meaning);
        let path = nearest(&paths, &home);
        lines.extend(
            paths.iter().filter(|other| **other != path).map(|o| format!("{}: = {}", o.join("::"), path.join("::"))),
        );
        let path = path.join("::");
        match &meaning {
            Meaning::Module(_) => drop(lines.insert(format!("{path}: mod"))),
            Meaning::Foreign(other) => drop(lines.insert(format!("{path}: = {other}"))),
            Meaning::Item(module, item) => {
                let named = |other: &&Item| name_of(other).as_ref() == Some(item) && !is_hidden(attributes(other));
                for item in modules.0[*module].items.iter().filter(named) {
                    lines.extend(declaration(&path, item));
                }
                let of_it = implementations.of_type.get(&meaning).into_iter().flatten();
                lines.extend(of_it.flat_map(|block| methods(&path, block)));
                let by_others = implementations.of_trait.get(&meaning).into_iter().flatten();
                lines.extend(by_others.map(|block| foreign_implementation(&path, block)));
            }
        }
    }
    Ok(lines.into_iter().collect())
}

/// Where an item is declared.
fn home(modules: &Modules, root: &str, meaning: &Meaning) -> Vec<String> {
    let (module, name) = match meaning {
        Meaning::Module(module) => (*module, None),
        Meaning::Item(module, name) => (*module, Some(name.clone())),
        Meaning::Foreign(path) => return path.split("::").map(str::to_string).collect(),
    };
    std::iter::once(root.to_string()).chain(modules.0[module].path.iter().cloned()).chain(name).collect()
}

/// The path that has most in common with where the item is declared, so that a further path is only ever a further line.
fn nearest(paths: &BTreeSet<Vec<String>>, home: &[String]) -> Vec<String> {
    let common = |path: &Vec<String>| path.iter().zip(home).take_while(|(a, b)| a == b).count();
    paths.iter().max_by_key(|path| (common(path), std::cmp::Reverse(path.len()))).cloned().unwrap_or_default()
}

/// `impl` blocks by what they are about.
struct Implementations<'m> {
    of_type: BTreeMap<Meaning, Vec<&'m ItemImpl>>,
    /// Of traits of the crate for types of others.
    of_trait: BTreeMap<Meaning, Vec<&'m ItemImpl>>,
}

impl<'m> Implementations<'m> {
    fn of(modules: &'m Modules) -> Self {
        let mut found = Self { of_type: BTreeMap::new(), of_trait: BTreeMap::new() };
        for (number, module) in modules.0.iter().enumerate() {
            for item in &module.items {
                let Item::Impl(block) = item else { continue };
                let local = |path: &syn::Path| {
                    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                    modules.meanings(number, &names).into_iter().find(|meaning| matches!(meaning, Meaning::Item(..)))
                };
                let subject = match &*block.self_ty {
                    Type::Path(path) => local(&path.path),
                    _ => None,
                };
                let about = block.trait_.as_ref().and_then(|(_, path, _)| local(path));
                match (subject, about) {
                    (Some(subject), _) => found.of_type.entry(subject).or_default().push(block),
                    (None, Some(about)) => found.of_trait.entry(about).or_default().push(block),
                    (None, None) => {}
                }
            }
        }
        found
    }
}
