//! What can be set, as data: names, types, defaults and documentation of every specification.
//!
//! It is derived from the very types that serde reads, so that the command line, Python and the documentation ask here and
//! keep no list of their own.
//!
//! ```
//! use gsfa::graph::GraphSpec;
//! use gsfa::specification::Sort;
//! let serial = GraphSpec::kinds().iter().find(|kind| kind.name == "serial").unwrap();
//! let groups = serial.field("groups").unwrap();
//! assert_eq!((&groups.sort, groups.default.as_ref().unwrap().as_u64()), (&Sort::Count, Some(60)));
//! ```

mod read;
mod suggestion;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

pub use suggestion::{nearest, suggestion};

/// One setting of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Field {
    /// Its name, the same in Rust, TOML, JSON, Python and, after `--set`, on the command line.
    pub name: String,
    /// What it takes.
    pub sort: Sort,
    /// Whether it must be given.
    pub required: bool,
    /// What is taken if it is left out; `None` if it is required, or if leaving it out means something of its own.
    pub default: Option<Value>,
    /// What it is, in plain text.
    pub doc: String,
    /// What its own flag takes, as in `--groups K`; `None` if it has none.
    pub flag: Option<String>,
    /// The least number that it takes, or that all numbers of a list must be.
    pub minimum: Option<f64>,
    /// What its number, or all of a list, must be larger than.
    pub exclusive_minimum: Option<f64>,
}

/// What a setting takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "sort", rename_all = "snake_case")]
pub enum Sort {
    /// True or false.
    Flag,
    /// A whole number from 0 on.
    Count,
    /// A number.
    Number,
    /// Any text.
    Text,
    /// One of some words.
    Word {
        /// The words.
        words: Vec<Word>,
    },
    /// Several values of one sort.
    List {
        /// Theirs.
        of: Box<Sort>,
        /// How many, if that is fixed.
        length: Option<usize>,
    },
    /// Values of different sorts, in order.
    Row {
        /// Theirs.
        of: Vec<Sort>,
    },
    /// A table.
    Table {
        /// Its settings.
        fields: Vec<Field>,
    },
    /// A table that says its kind first.
    Kinds {
        /// The field that says it.
        tag: String,
        /// The kinds.
        kinds: Vec<Kind>,
    },
    /// One of several.
    Either {
        /// Of these.
        sorts: Vec<Sort>,
    },
    /// A table that this one is a part of.
    Again {
        /// The name of its type.
        of: String,
    },
    /// Not described further.
    Any,
}

/// A word and what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Word {
    /// As it is written.
    pub name: String,
    /// What it means, in plain text.
    pub doc: String,
}

/// One kind of graph, read-out, expansion or step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Kind {
    /// As it is written: `kind = "serial"`.
    pub name: String,
    /// What it is, in one sentence.
    pub doc: String,
    /// What it has to be given beside its settings.
    pub needs: Vec<Need>,
    /// Its settings.
    pub fields: Vec<Field>,
}

impl Kind {
    /// The setting of a name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether something is needed.
    pub fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }
}

/// What a graph is made of, beside its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// One label of numbers.
    Number,
    /// Labels of numbers, one or several.
    Numbers,
    /// One label of classes.
    Class,
    /// A vector for each sample; numeric labels will do.
    Vectors,
    /// The samples in one piece: edges are between single ones.
    OnePiece,
    /// The samples in their order, of time or of a list of edges: some of them are no graph of the same sort.
    Order,
}

/// The settings of a type.
pub fn fields_of<T: JsonSchema>() -> Vec<Field> {
    match sort_of::<T>() {
        Sort::Table { fields } => fields,
        _ => Vec::new(),
    }
}

/// The kinds of a type that says its kind first.
pub fn kinds_of<T: JsonSchema>() -> Vec<Kind> {
    match sort_of::<T>() {
        Sort::Kinds { kinds, .. } => kinds,
        _ => Vec::new(),
    }
}

/// What a type is read from.
pub fn sort_of<T: JsonSchema>() -> Sort {
    read::sort(schemars::SchemaGenerator::default().into_root_schema_for::<T>().as_value())
}

impl Field {
    /// What it takes, in words: `a whole number from 1 on`, `a number above 0`.
    pub fn words(&self) -> String {
        let sort = self.sort.words();
        match (self.minimum.filter(|&least| least > 0.0 || self.sort != Sort::Count), self.exclusive_minimum) {
            (Some(least), _) => format!("{sort} from {least} on"),
            (None, Some(limit)) => format!("{sort} above {limit}"),
            (None, None) => sort,
        }
    }
}

impl Need {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Number => "a label of numbers",
            Self::Numbers => "labels of numbers",
            Self::Class => "a label of classes",
            Self::Vectors => "a vector for each sample",
            Self::OnePiece => "the labels or vectors of all samples at once",
            Self::Order => "the samples in their order",
        }
    }
}

impl Sort {
    /// In words: `a whole number`, `"box" or "triangle"`.
    pub fn words(&self) -> String {
        match self {
            Self::Flag => "true or false".into(),
            Self::Count => "a whole number".into(),
            Self::Number => "a number".into(),
            Self::Text => "text".into(),
            Self::Word { words } => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.name)).collect();
                words.join(" or ")
            }
            Self::List { of, length: Some(length) } => format!("a list of {length}, each {}", of.words()),
            Self::List { of, length: None } => format!("a list, each {}", of.words()),
            Self::Row { of } => format!("a list of {}", of.iter().map(Self::words).collect::<Vec<_>>().join(", ")),
            Self::Table { fields } => match &fields[..] {
                // A word with a value.
                [only] if only.required => format!("{{{} = {}}}", only.name, only.sort.words()),
                _ => "a table".into(),
            },
            Self::Kinds { tag, .. } => format!("a table with {tag}"),
            Self::Either { sorts } => sorts.iter().map(Self::words).collect::<Vec<_>>().join(" or "),
            Self::Again { .. } => "a table of the same sort".into(),
            Self::Any => "a value".into(),
        }
    }
}
