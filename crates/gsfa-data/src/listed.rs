//! Long lists told briefly: the first five and how many there are.

use std::fmt;

use gsfa::error::brief::text;

/// The first five of a list of names and its length.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Listed {
    /// The first five.
    pub first: Vec<String>,
    /// How many there are.
    pub total: usize,
}

impl Listed {
    /// Adds one name; only the first five are kept.
    pub fn push(&mut self, name: impl Into<String>) {
        if self.first.len() < 5 {
            self.first.push(name.into());
        }
        self.total += 1;
    }

    pub(crate) fn count(&self, one: &str, many: &str) -> String {
        if self.total == 1 { format!("1 {one}") } else { format!("{} {many}", self.total) }
    }
}

impl<S: Into<String>> FromIterator<S> for Listed {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut listed = Self::default();
        for name in names {
            listed.push(name);
        }
        listed
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, name) in self.first.iter().enumerate() {
            write!(f, "{}'{}'", if n == 0 { "" } else { ", " }, text(name))?;
        }
        let more = self.total - self.first.len();
        if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
    }
}

pub(crate) fn quoted(names: &[String]) -> String {
    if names.is_empty() { "none".to_string() } else { names.iter().map(String::as_str).collect::<Listed>().to_string() }
}
