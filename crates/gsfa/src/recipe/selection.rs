//! What was tried to choose what was left open, and what came of it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much work may go into choosing: predicted operations, never seconds, so that the same samples give the same choice on
/// every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// The two candidates of least work.
    Quick,
    /// Candidates of up to ten times the work of the cheapest one that is within a standard error of the best so far.
    #[default]
    Normal,
    /// All candidates.
    Thorough,
}

/// What was tried, and what was taken.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// How much work was allowed.
    pub effort: Effort,
    /// Parts that samples were dealt to; 0 if nothing was left out.
    pub folds: usize,
    /// All candidates, the simplest first, then variations of the best of them.
    pub tried: Vec<Tried>,
    /// The one that was taken.
    pub taken: usize,
    /// Why, in a sentence.
    pub why: String,
    /// Whether the search was stopped before its end.
    pub interrupted: bool,
}

/// A candidate and how it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// In a few words.
    pub name: String,
    /// The ridge of its top node; `None` if it is not known.
    pub ridge: Option<f64>,
    /// Mean left-out loss, summed over labels: squared error in units of the label's variance, or log loss; `None` if it was
    /// not judged.
    pub loss: Option<f64>,
    /// The standard error of the loss.
    pub error: Option<f64>,
    /// Left-out samples that judged it.
    pub samples: usize,
    /// Predicted operations of trying it.
    pub work: f64,
    /// Why it was not judged.
    pub reason: Option<String>,
}

impl Selection {
    /// The candidate that was taken.
    pub fn taken(&self) -> Option<&Tried> {
        self.tried.get(self.taken)
    }
}

/// A table of what was tried.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.tried.iter().map(|tried| tried.name.chars().count()).max().unwrap_or(0).max("candidate".len());
        writeln!(f, "  {:<width$}  {:>18}  {:>8}  {:>11}", "candidate", "left-out loss", "ridge", "operations")?;
        for (k, tried) in self.tried.iter().enumerate() {
            let mark = if k == self.taken { '*' } else { ' ' };
            let loss = match (tried.loss, tried.error, &tried.reason) {
                (Some(loss), Some(error), _) => with_error(loss, error),
                (_, _, Some(_)) => "not judged".into(),
                _ => "-".into(),
            };
            let ridge = match tried.ridge {
                Some(0.0) => "0".into(),
                Some(ridge) => format!("{ridge:.0e}"),
                None => "-".to_string(),
            };
            writeln!(f, "{mark} {:<width$}  {loss:>18}  {ridge:>8}  {:>11.1e}", tried.name, tried.work)?;
        }
        for tried in &self.tried {
            if let Some(reason) = &tried.reason {
                writeln!(f, "  {}: {reason}", tried.name)?;
            }
        }
        if self.why.is_empty() { Ok(()) } else { writeln!(f, "  {}", self.why) }
    }
}

/// A loss with its standard error, as many decimals as give the error two digits.
fn with_error(loss: f64, error: f64) -> String {
    if error > 0.0 && error < 1e-7 {
        return format!("{loss:.2e} ± {error:.0e}");
    }
    let decimals = if error > 0.0 { (1 - error.log10().floor() as i32).max(0) as usize } else { 4 };
    format!("{loss:.decimals$} ± {error:.decimals$}")
}
