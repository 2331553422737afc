//! What a name means, and by which paths the world can name an item.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, Visibility};

use super::modules::Modules;

type Seen = BTreeSet<(usize, String)>;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    Module(usize),
    /// Module and name.
    Item(usize, String),
    /// A path of another crate.
    Foreign(String),
}

impl Modules {
    /// Every item that can be named from outside, with all its paths.
    pub fn paths(&self, root: &str) -> BTreeMap<Meaning, BTreeSet<Vec<String>>> {
        let mut found = BTreeMap::new();
        self.visit(0, &[root.to_string()], &mut found);
        found
    }

    fn visit(&self, module: usize, at: &[String], found: &mut BTreeMap<Meaning, BTreeSet<Vec<String>>>) {
        for (name, meaning) in self.exports(module, &mut BTreeSet::new()) {
            let path: Vec<String> = at.iter().cloned().chain([name]).collect();
            // A module that names one above it would be named for ever.
            let inner = match meaning {
                Meaning::Module(inner) if path.len() < 12 => Some(inner),
                _ => None,
            };
            found.entry(meaning).or_default().insert(path.clone());
            if let Some(inner) = inner {
                self.visit(inner, &path, found);
            }
        }
    }

    /// The public names of a module.
    fn exports(&self, module: usize, seen: &mut BTreeSet<usize>) -> Vec<(String, Meaning)> {
        if !seen.insert(module) {
            return Vec::new();
        }
        let this = &self.0[module];
        let children = this.children.iter().filter(|child| child.public);
        let mut names: Vec<_> = children.map(|child| (child.name.clone(), Meaning::Module(child.module))).collect();
        let items = this.items.iter().filter(|item| is_public(item)).filter_map(name_of);
        names.extend(items.map(|name| (name.clone(), Meaning::Item(module, name))));
        for one in this.uses.iter().filter(|one| one.public) {
            match &one.name {
                Some(name) => names.extend(self.meanings(module, &one.path).into_iter().map(|m| (name.clone(), m))),
                None => {
                    for meaning in self.meanings(module, &one.path) {
                        match meaning {
                            Meaning::Module(inner) => names.extend(self.exports(inner, seen)),
                            other => names.push(("*".into(), other)),
                        }
                    }
                }
            }
        }
        names
    }

    /// All that a path means inside a module: a module and a function may have the same name.
    pub fn meanings(&self, module: usize, path: &[String]) -> Vec<Meaning> {
        self.follow(module, path, &mut BTreeSet::new())
    }

    /// `seen` has the names that are being looked for, each in its module: globs may name each other.
    fn follow(&self, module: usize, path: &[String], seen: &mut Seen) -> Vec<Meaning> {
        let Some((first, rest)) = path.split_first() else { return vec![Meaning::Module(module)] };
        let starts = match first.as_str() {
            "crate" => vec![Meaning::Module(0)],
            "self" | "Self" => vec![Meaning::Module(module)],
            "super" => self.0[module].parent.map(Meaning::Module).into_iter().collect(),
            name => self.named(module, name, seen),
        };
        if starts.is_empty() {
            return vec![Meaning::Foreign(path.join("::"))];
        }
        if rest.is_empty() {
            return starts;
        }
        let mut through = |start: Meaning| match start {
            Meaning::Module(inner) => self.follow(inner, rest, seen),
            Meaning::Foreign(outer) => vec![Meaning::Foreign(format!("{outer}::{}", rest.join("::")))],
            Meaning::Item(..) => Vec::new(),
        };
        starts.into_iter().flat_map(&mut through).collect()
    }

    /// What a name means inside a module, whether public or not.
    fn named(&self, module: usize, name: &str, seen: &mut Seen) -> Vec<Meaning> {
        if !seen.insert((module, name.to_string())) {
            return Vec::new();
        }
        let this = &self.0[module];
        let children = this.children.iter().filter(|child| child.name == name);
        let mut found: Vec<Meaning> = children.map(|child| Meaning::Module(child.module)).collect();
        if this.items.iter().filter_map(name_of).any(|item| item == name) {
            found.push(Meaning::Item(module, name.to_string()));
        }
        for one in &this.uses {
            // A path that begins with the name it declares begins in a module or another crate.
            let inner = match &one.name {
                Some(given) if given == name && one.path.first().is_some_and(|first| first == name) => {
                    match this.children.iter().find(|child| child.name == name) {
                        Some(child) => self.follow(child.module, &one.path[1..], seen),
                        None => vec![Meaning::Foreign(one.path.join("::"))],
                    }
                }
                Some(given) if given == name => self.follow(module, &one.path, seen),
                None => {
                    let modules = self.follow(module, &one.path, seen);
                    let named = |meaning| match meaning {
                        Meaning::Module(inner) if inner != module => self.named(inner, name, seen),
                        _ => Vec::new(),
                    };
                    modules.into_iter().flat_map(named).collect()
                }
                Some(_) => Vec::new(),
            };
            found.extend(inner);
        }
        found.sort();
        found.dedup();
        found
    }
}

/// The name that an item declares.
pub fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

fn is_public(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        _ => return false,
    };
    matches!(visibility, Visibility::Public(_))
}
