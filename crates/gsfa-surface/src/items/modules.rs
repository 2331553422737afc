//! The modules of a crate with their items, macros expanded.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree, Visibility};

use super::macros::Rules;

/// All modules of a crate; the first is its root.
pub struct Modules(pub Vec<Module>);

/// A module.
pub struct Module {
    pub parent: Option<usize>,
    pub children: Vec<Child>,
    pub uses: Vec<Use>,
    pub items: Vec<Item>,
    /// Names from the root to here.
    pub path: Vec<String>,
}

pub struct Child {
    pub name: String,
    pub module: usize,
    pub public: bool,
}

/// `use path as name`; no name means all names of the path.
pub struct Use {
    pub path: Vec<String>,
    pub name: Option<String>,
    pub public: bool,
}

/// What expands to nothing that has a name.
const NAMELESS: [&str; 1] = ["thread_local"];

impl Modules {
    /// Reads the sources of the crate whose root is the file.
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut reader = Reader { modules: Modules(Vec::new()), rules: HashMap::new(), calls: Vec::new() };
        let folder = root.parent().unwrap_or(Path::new("."));
        reader.module(None, parsed(root)?.items, folder, Vec::new())?;
        // A macro may stand in a file that is read after its use.
        while let Some((module, call, folder)) = reader.calls.pop() {
            for item in reader.expanded(&call)? {
                reader.item(module, item, &folder)?;
            }
        }
        Ok(reader.modules)
    }
}

struct Reader {
    modules: Modules,
    rules: HashMap<String, Rules>,
    /// Calls to be expanded: in which module, and the folder of its children.
    calls: Vec<(usize, syn::Macro, PathBuf)>,
}

impl Reader {
    /// `folder` has the files of the module's children.
    fn module(
        &mut self,
        parent: Option<usize>,
        items: Vec<Item>,
        folder: &Path,
        path: Vec<String>,
    ) -> Result<usize, String> {
        let number = self.modules.0.len();
        self.modules.0.push(Module { parent, children: Vec::new(), uses: Vec::new(), items: Vec::new(), path });
        for item in items {
            self.item(number, item, folder)?;
        }
        Ok(number)
    }

    fn item(&mut self, module: usize, item: Item, folder: &Path) -> Result<(), String> {
        if of_tests(attributes(&item)) {
            return Ok(());
        }
        match item {
            Item::Mod(inner) => {
                let name = inner.ident.to_string();
                let own = folder.join(&name);
                let items = match inner.content {
                    Some((_, items)) => items,
                    None => parsed(&file_of(folder, &name)?)?.items,
                };
                let path = self.modules.0[module].path.iter().cloned().chain([name.clone()]).collect();
                let child = self.module(Some(module), items, &own, path)?;
                let public = matches!(inner.vis, Visibility::Public(_));
                self.modules.0[module].children.push(Child { name, module: child, public });
            }
            Item::Use(item) => {
                let public = matches!(item.vis, Visibility::Public(_));
                flatten(&item.tree, &mut Vec::new(), public, &mut self.modules.0[module].uses);
            }
            Item::Macro(item) => match item.ident {
                Some(name) => {
                    self.rules.insert(name.to_string(), Rules::new(item.mac.tokens));
                }
                None => self.calls.push((module, item.mac, folder.to_path_buf())),
            },
            item => self.modules.0[module].items.push(item),
        }
        Ok(())
    }

    fn expanded(&self, call: &syn::Macro) -> Result<Vec<Item>, String> {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if NAMELESS.contains(&name.as_str()) {
            return Ok(Vec::new());
        }
        let rules = self.rules.get(&name).ok_or_else(|| format!("macro {name}! is not declared in the crate"))?;
        let tokens = rules.expand(&call.tokens).ok_or_else(|| format!("no arm of {name}! matches"))?;
        syn::parse2::<syn::File>(tokens)
            .map(|file| file.items)
            .map_err(|error| format!("{name}! makes no items: {error}"))
    }
}

fn parsed(path: &Path) -> Result<syn::File, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn file_of(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let places = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
    places
        .iter()
        .find(|path| path.is_file())
        .cloned()
        .ok_or_else(|| format!("no file of module {name} in {}", folder.display()))
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, public: bool, uses: &mut Vec<Use>) {
    let mut add = |last: Option<String>, name: Option<String>| {
        let path = path.iter().cloned().chain(last).collect();
        uses.push(Use { path, name, public });
    };
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            flatten(&inner.tree, path, public, uses);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, public, uses)),
        UseTree::Glob(_) => add(None, None),
        // `use path::{self}` names the path.
        UseTree::Name(name) if name.ident == "self" => add(None, path.last().cloned()),
        UseTree::Name(name) => add(Some(name.ident.to_string()), Some(name.ident.to_string())),
        UseTree::Rename(rename) => add(Some(rename.ident.to_string()), Some(rename.rename.to_string())),
    }
}

/// Whether an item is compiled for tests only.
fn of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
