//! Specifications: TOML files, built in or from a folder.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::gender::GenderSpec;
use crate::graphs::GraphsSpec;
use crate::signs::SignsSpec;
use crate::{Error, Result};

/// How much work an experiment is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// A minute or two for everything.
    #[default]
    Quick,
    /// As large as in the paper.
    Full,
}

impl Size {
    /// `quick` or `full`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// The specifications of all experiments.
#[derive(Debug, Clone, PartialEq)]
pub struct Specs {
    /// Gender from faces.
    pub gender: GenderSpec,
    /// Three graphs for one label.
    pub graphs: GraphsSpec,
    /// Traffic signs.
    pub signs: SignsSpec,
}

/// A file with both sizes of an experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes<S> {
    quick: S,
    full: S,
}

const GENDER: &str = include_str!("../../../experiments/gender.toml");
const GRAPHS: &str = include_str!("../../../experiments/graphs.toml");
const SIGNS: &str = include_str!("../../../experiments/signs.toml");

impl Specs {
    /// The built-in specifications.
    ///
    /// # Errors
    /// If a built-in file is not well-formed, which a test rules out.
    pub fn built_in(size: Size) -> Result<Self> {
        let file = |name: &str, text: &str| (Path::new("experiments").join(name), text.to_string());
        Self::parse(size, [file("gender.toml", GENDER), file("graphs.toml", GRAPHS), file("signs.toml", SIGNS)])
    }

    /// Specifications from a folder with files as in `experiments/`; for one that is not there the built-in one is taken.
    ///
    /// # Errors
    /// [`Error::Spec`] if a file cannot be read or has keys that no experiment knows.
    pub fn read(folder: &Path, size: Size) -> Result<Self> {
        if !folder.is_dir() {
            return Err(Error::Spec { path: folder.into(), reason: "there is no such folder".into() });
        }
        let file = |name: &str, built_in: &str| {
            let path = folder.join(name);
            match fs::read_to_string(&path) {
                Ok(text) => Ok((path, text)),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok((path, built_in.to_string())),
                Err(error) => Err(Error::Spec { path, reason: error.to_string() }),
            }
        };
        Self::parse(size, [file("gender.toml", GENDER)?, file("graphs.toml", GRAPHS)?, file("signs.toml", SIGNS)?])
    }

    fn parse(size: Size, [gender, graphs, signs]: [(PathBuf, String); 3]) -> Result<Self> {
        Ok(Self { gender: of_size(&gender, size)?, graphs: parse(&graphs)?, signs: of_size(&signs, size)? })
    }
}

fn of_size<S: DeserializeOwned>(file: &(PathBuf, String), size: Size) -> Result<S> {
    let sizes: Sizes<S> = parse(file)?;
    Ok(match size {
        Size::Quick => sizes.quick,
        Size::Full => sizes.full,
    })
}

fn parse<S: DeserializeOwned>((path, text): &(PathBuf, String)) -> Result<S> {
    toml::from_str(text).map_err(|error| Error::Spec { path: path.clone(), reason: error.to_string() })
}
