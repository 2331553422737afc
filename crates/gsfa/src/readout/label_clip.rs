//! The range that estimates of a number are held in.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::brief::number;
use crate::{Error, Result};

/// Whether and where estimates are held. In TOML `clip = "none"`, `"training"` or a range like `[0, 120]`.
///
/// The paper clips to a range that is known; the range of the training labels is a guess of it that costs nothing where the
/// label is bounded, and loses every sample beyond it where it is not.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum LabelClip {
    /// Nowhere.
    None,
    /// At the smallest and the largest label of training.
    #[default]
    Training,
    /// At these two values.
    Range(f64, f64),
}

impl LabelClip {
    /// Refuses a range that is empty or not finite.
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Range(low, high) if !(low.is_finite() && high.is_finite() && low < high) => Err(Error::parameter(
                "clip",
                format!("[{}, {}]", number(low), number(high)),
                "its ends must be finite and ascend",
            )),
            _ => Ok(()),
        }
    }

    /// The smallest and the largest estimate.
    pub(super) fn range(self, values: &[f64]) -> Result<(f64, f64)> {
        self.check()?;
        Ok(match self {
            Self::None => (f64::MIN, f64::MAX),
            Self::Training => {
                values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)))
            }
            Self::Range(low, high) => (low, high),
        })
    }
}

/// As it is written. A truth value is what earlier settings have.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Written {
    #[schemars(skip)]
    Flag(bool),
    Word(Word),
    Range([f64; 2]),
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Word {
    /// Nowhere.
    None,
    /// At the smallest and the largest label of training.
    Training,
}

impl JsonSchema for LabelClip {
    fn schema_name() -> Cow<'static, str> {
        "LabelClip".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Written::json_schema(generator)
    }
}

impl Serialize for LabelClip {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match *self {
            Self::None => Written::Word(Word::None),
            Self::Training => Written::Word(Word::Training),
            Self::Range(low, high) => Written::Range([low, high]),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LabelClip {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)
            .map_err(|_| serde::de::Error::custom("clip is \"none\", \"training\" or a range like [0, 120]"))?;
        Ok(match written {
            Written::Flag(true) | Written::Word(Word::Training) => Self::Training,
            Written::Flag(false) | Written::Word(Word::None) => Self::None,
            Written::Range([low, high]) => Self::Range(low, high),
        })
    }
}
