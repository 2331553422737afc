//! Remarks as a model keeps them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Note;

/// A remark about training: what sort it is, for programs, and the sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Remark {
    /// [`Note::code`]; empty in files of formats 1 and 2, which kept sentences alone.
    pub code: String,
    /// The sentence.
    pub text: String,
}

impl Remark {
    /// Remarks of the library, as a model keeps them.
    pub fn all<'n>(notes: impl IntoIterator<Item = &'n Note>) -> Vec<Self> {
        notes.into_iter().map(Self::from).collect()
    }
}

impl From<&Note> for Remark {
    fn from(note: &Note) -> Self {
        Self { code: note.code().into(), text: note.to_string() }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// As files of all formats have it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Coded { code: String, text: String },
}

impl From<Written> for Remark {
    fn from(written: Written) -> Self {
        match written {
            Written::Text(text) => Self { code: String::new(), text },
            Written::Coded { code, text } => Self { code, text },
        }
    }
}
