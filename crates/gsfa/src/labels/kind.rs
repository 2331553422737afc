//! What a label is, where nobody says: numbers to estimate or classes to tell apart.

use std::collections::HashMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::brief::{number, text};

/// What the values of a label are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LabelKind {
    /// Numbers to estimate.
    Numbers,
    /// Classes to tell apart.
    Classes,
}

impl LabelKind {
    /// The other kind.
    pub fn other(self) -> Self {
        match self {
            Self::Numbers => Self::Classes,
            Self::Classes => Self::Numbers,
        }
    }
}

impl fmt::Display for LabelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Numbers => "numbers",
            Self::Classes => "classes",
        })
    }
}

/// The kind of a label, and why it was taken as that.
///
/// Text and booleans are classes, fractions are numbers. Whole numbers can be either. They are classes if there are at
/// most [`MOST_VALUES`](Self::MOST_VALUES) of them and each is frequent: it occurs
/// [`FEWEST_SAMPLES`](Self::FEWEST_SAMPLES) times and in a share of [`SMALLEST_SHARE`](Self::SMALLEST_SHARE) of the
/// samples; else they are numbers. The two errors do not weigh alike. Ages taken as classes lose their order, are too
/// many to be learned, and cost a feature per age; class identifiers taken as numbers give one poor feature and an error
/// table that shows it.
///
/// Samples are counted, not weighed: how much samples count says nothing about what their labels are.
///
/// ```
/// use gsfa::labels::{LabelKind, Recognized};
/// let ages = (0..600).map(|n| f64::from(16 + n % 60));
/// let found = Recognized::of_numbers(ages);
/// assert_eq!(found.kind, LabelKind::Numbers);
/// assert_eq!(found.reason.to_string(), "60 different whole numbers; classes are at most 10");
/// assert_eq!(Recognized::of_numbers((0..60).map(|n| f64::from(n % 3))).kind, LabelKind::Classes);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Recognized {
    /// What the label is taken as.
    pub kind: LabelKind,
    /// Why.
    pub reason: KindReason,
}

/// Why a label was taken as numbers or as classes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum KindReason {
    /// The user said so.
    Given,
    /// The samples lie in one folder per class, or in the layout of a known database.
    Layout,
    /// A value is text.
    Text {
        /// The first such value.
        example: String,
        /// Where it stands.
        place: String,
    },
    /// The values are booleans.
    Booleans,
    /// A value is no whole number.
    Fraction {
        /// The first such value.
        example: f64,
    },
    /// There are more whole numbers than classes may be.
    ManyValues {
        /// Different values.
        distinct: usize,
    },
    /// Not all of a few whole numbers are frequent.
    RareValue {
        /// The rarest value.
        value: f64,
        /// Samples that have it.
        count: usize,
        /// Samples that have a value.
        samples: usize,
    },
    /// A few whole numbers, all frequent.
    FrequentValues {
        /// Different values.
        distinct: usize,
        /// Samples of the rarest one.
        fewest: usize,
        /// Samples that have a value.
        samples: usize,
    },
    /// There is no value to look at.
    NoValues,
}

impl Recognized {
    /// Whole numbers with more different values are numbers: ten digits, ten grades.
    pub const MOST_VALUES: usize = 10;
    /// A whole number of a class occurs at least so often. Fewer samples cannot show a read-out what a class looks like,
    /// and values that hardly repeat are measurements or an index.
    pub const FEWEST_SAMPLES: usize = 5;
    /// A whole number of a class has at least this share of the samples. Counts, like those of children, thin out towards
    /// large values; classes that were collected to be told apart do not.
    pub const SMALLEST_SHARE: f64 = 0.01;

    /// What numbers are, by the rule; NaN is a missing value and is passed over.
    pub fn of_numbers(values: impl IntoIterator<Item = f64>) -> Self {
        let mut counts: HashMap<u64, usize> = HashMap::new();
        let mut samples = 0;
        for value in values.into_iter().filter(|value| !value.is_nan()) {
            if value.fract() != 0.0 || value.is_infinite() {
                return Self { kind: LabelKind::Numbers, reason: KindReason::Fraction { example: value } };
            }
            // −0 is 0.
            *counts.entry((value + 0.0).to_bits()).or_default() += 1;
            samples += 1;
        }
        let rarest = counts.iter().map(|(&bits, &count)| (count, f64::from_bits(bits)));
        let rarest = rarest.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let Some((fewest, value)) = rarest else {
            return Self { kind: LabelKind::Numbers, reason: KindReason::NoValues };
        };
        let distinct = counts.len();
        let frequent = fewest >= Self::FEWEST_SAMPLES && fewest as f64 >= Self::SMALLEST_SHARE * samples as f64;
        let (kind, reason) = match (distinct <= Self::MOST_VALUES, frequent) {
            (false, _) => (LabelKind::Numbers, KindReason::ManyValues { distinct }),
            (true, false) => (LabelKind::Numbers, KindReason::RareValue { value, count: fewest, samples }),
            (true, true) => (LabelKind::Classes, KindReason::FrequentValues { distinct, fewest, samples }),
        };
        Self { kind, reason }
    }

    /// What text is: classes.
    pub fn of_text(example: impl Into<String>, place: impl Into<String>) -> Self {
        let reason = KindReason::Text { example: example.into(), place: place.into() };
        Self { kind: LabelKind::Classes, reason }
    }

    /// What booleans are: classes.
    pub fn of_booleans() -> Self {
        Self { kind: LabelKind::Classes, reason: KindReason::Booleans }
    }

    /// A label of classes by the layout of its samples.
    pub fn of_layout() -> Self {
        Self { kind: LabelKind::Classes, reason: KindReason::Layout }
    }

    /// A label of the kind that the user says.
    pub fn given(kind: LabelKind) -> Self {
        Self { kind, reason: KindReason::Given }
    }
}

impl fmt::Display for KindReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => write!(f, "as was said"),
            Self::Layout => write!(f, "the folders say which class each image is of"),
            Self::Text { example, place } => write!(f, "'{}', {}, is text", text(example), text(place)),
            Self::Booleans => write!(f, "the values are booleans"),
            Self::Fraction { example } => write!(f, "{} is no whole number", number(shortened(*example))),
            Self::ManyValues { distinct } => {
                write!(f, "{distinct} different whole numbers; classes are at most {}", Recognized::MOST_VALUES)
            }
            Self::RareValue { value, count, samples } => write!(
                f,
                "a few whole numbers, but {} occurs only {count} times in {samples} samples; each class occurs at \
                 least {} times and in {:.0} % of them",
                number(*value),
                Recognized::FEWEST_SAMPLES,
                100.0 * Recognized::SMALLEST_SHARE
            ),
            Self::FrequentValues { distinct, fewest, samples } => {
                let s = if *distinct == 1 { "" } else { "s" };
                write!(f, "{distinct} whole number{s}, each at least {fewest} times in {samples} samples")
            }
            Self::NoValues => write!(f, "there are no values"),
        }
    }
}

/// A fraction with six digits, or as many as tell it from a whole number.
fn shortened(x: f64) -> f64 {
    let mut rounded = (5..=16).filter_map(|digits| format!("{x:.digits$e}").parse::<f64>().ok());
    rounded.find(|short| short.fract() != 0.0).unwrap_or(x)
}
