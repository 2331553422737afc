//! What the user says labels are: one kind for all of them, or a kind for each.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use gsfa::specification::suggestion;
use gsfa_data::table::LabelKind;
use schemars::JsonSchema;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::{Error, ErrorCode, Result};

/// `numbers`, or `age=numbers,gender=classes`; in TOML `task = "numbers"`, or `task = { age = "numbers" }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Task {
    All(LabelKind),
    Each(BTreeMap<String, LabelKind>),
}

impl Task {
    /// What a label is, if it was said.
    pub fn kind(&self, label: &str) -> Option<LabelKind> {
        match self {
            Self::All(kind) => Some(*kind),
            Self::Each(kinds) => kinds.get(label).copied(),
        }
    }

    /// Refuses names that no label has: a misspelt one would have no effect.
    pub fn check(&self, labels: &[&str]) -> Result {
        let Self::Each(kinds) = self else { return Ok(()) };
        match kinds.keys().find(|name| !labels.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                let all = || format!("the labels are: {}", labels.join(", "));
                Err(Error::usage(ErrorCode::UnknownLabel, format!("--task names '{name}', which is not learned"))
                    .hint(suggestion(name, labels.iter().copied()).unwrap_or_else(all)))
            }
        }
    }
}

fn kind_of(word: &str) -> Result<LabelKind, String> {
    match word {
        "numbers" => Ok(LabelKind::Numbers),
        "classes" => Ok(LabelKind::Classes),
        _ => Err(format!("'{word}' is neither 'numbers' nor 'classes'")),
    }
}

impl FromStr for Task {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.contains('=') {
            return kind_of(text).map(Self::All);
        }
        let mut kinds = BTreeMap::new();
        for part in text.split(',') {
            let Some((label, word)) = part.rsplit_once('=') else {
                return Err(format!("'{part}' must be LABEL=numbers or LABEL=classes"));
            };
            if kinds.insert(label.to_string(), kind_of(word)?).is_some() {
                return Err(format!("label '{label}' is named twice"));
            }
        }
        Ok(Self::Each(kinds))
    }
}

impl<'de> Deserialize<'de> for Task {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Task;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"numbers\", \"classes\", or one of them for each label")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Task, E> {
                kind_of(word).map(Task::All).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Task, A::Error> {
                let mut kinds = BTreeMap::new();
                while let Some((label, word)) = map.next_entry::<String, String>()? {
                    kinds.insert(label, kind_of(&word).map_err(de::Error::custom)?);
                }
                Ok(Task::Each(kinds))
            }
        }
        deserializer.deserialize_any(Either)
    }
}
