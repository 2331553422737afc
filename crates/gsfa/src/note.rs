//! Things worth telling the user that are not failures: values, printed by whoever talks to people.

use std::fmt;

use crate::error::brief::{number, sentence, text};

/// A remark about what was done with imperfect input. The result it belongs to is complete and well defined.
#[derive(Debug, Clone, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Note {
    /// Target labels that are linear combinations of earlier ones were left out.
    DependentLabels {
        /// Their names.
        names: Vec<String>,
        /// Relative size below which a remainder counts as nothing.
        tolerance: f64,
        /// How many target labels are left.
        kept: usize,
    },
    /// Fewer target labels than asked for exist.
    FewerTargets {
        /// Asked for.
        requested: usize,
        /// Formed.
        formed: usize,
        /// Why there are no more.
        reason: &'static str,
    },
    /// Classes share a code: the graph asks for equal outputs of them. What a read-out still tells apart, it owes to
    /// outputs that are not as equal as they should be.
    EqualCodes {
        /// C.
        classes: usize,
        /// What there are too few of: target labels of the graph or features of a network.
        of: CodeLength,
        /// How many there are of these.
        length: usize,
        /// Different codes.
        codes: usize,
        /// How many would tell all classes apart.
        enough: usize,
    },
    /// A layer below the top has fewer outputs per node than there are target labels.
    NarrowLayer {
        /// Target labels with influence.
        targets: usize,
        /// The narrowest layer below the top, counted from 1.
        layer: usize,
        /// Outputs of its nodes.
        outputs: usize,
    },
    /// An eigenvalue of zero: its label has no influence.
    IgnoredLabels {
        /// Positions, counted from 1.
        labels: Vec<usize>,
    },
    /// A later label has a larger eigenvalue than an earlier one.
    EigenvalueOrder {
        /// The later label, counted from 1.
        later: usize,
        /// The earlier label, counted from 1.
        earlier: usize,
    },
    /// An asymmetric edge list was replaced by its symmetric part.
    Symmetrized {
        /// Number of vertex pairs whose two weights differed.
        pairs: usize,
    },
    /// There are fewer distinct label values than groups asked for.
    FewerGroups {
        /// Asked for.
        requested: usize,
        /// Formed.
        formed: usize,
    },
    /// Vertex weights and edge weights do not agree `[eq:consistency]`.
    Inconsistent {
        /// The vertex with the largest violation.
        vertex: usize,
        /// Its share v/Q of the vertex weights.
        vertex_share: f64,
        /// Its share Γ1/R of the edge weights.
        edge_share: f64,
    },
    /// Classes of one sample got a self-loop of 1 in a clustered graph with the paper's weights.
    SingletonClasses {
        /// Their names.
        names: Vec<String>,
    },
    /// Directions without variance were left out.
    NoVariance {
        /// Constant columns; their weights are exactly 0.
        dead: usize,
        /// Further directions that are linear combinations of others.
        dropped: usize,
        /// Directions left.
        rank: usize,
    },
    /// There are not more samples than directions: training data can be fitted exactly.
    Overfit {
        /// N.
        samples: usize,
        /// Directions with variance.
        rank: usize,
    },
    /// Outputs beyond the features that the graph makes slow.
    Surplus {
        /// Features slower than noise.
        slow: usize,
        /// Outputs filled with principal components of what the features leave.
        residual: usize,
    },
    /// Outputs beyond the features that the graph makes slow, filled with arbitrary directions as was asked for.
    ArbitrarySurplus {
        /// Features slower than noise.
        slow: usize,
        /// Outputs filled with arbitrary directions.
        arbitrary: usize,
    },
    /// Fewer features than requested exist.
    FewerFeatures {
        /// Requested.
        requested: usize,
        /// Returned.
        returned: usize,
    },
    /// Nodes of a layer have no more samples than directions.
    NodesOverfit {
        /// Which layer, counted from 1.
        layer: usize,
        /// How many of its nodes.
        nodes: usize,
        /// Of how many.
        of: usize,
        /// N.
        samples: usize,
        /// The most directions of one of them.
        rank: usize,
    },
    /// No samples could be left out: errors, deviations and probabilities are those of training samples.
    InSample {
        /// Why.
        reason: String,
    },
    /// Some parts of the samples could not be left out: the others alone judge.
    PartsNotLeftOut {
        /// How many.
        parts: usize,
        /// Of how many.
        of: usize,
        /// Why the last of them could not.
        reason: String,
    },
    /// Samples were dealt to fewer parts than usual, each left out in turn.
    FewerFolds {
        /// How many.
        folds: usize,
        /// Whether groups that stay together are the reason.
        groups: bool,
    },
    /// All samples of a class are left out together, so that nothing is known about how well it is told apart.
    UnjudgedClasses {
        /// Their names.
        names: Vec<String>,
    },
    /// The search for what was left open was stopped, and the best so far taken.
    SearchInterrupted {
        /// Candidates that were judged.
        tried: usize,
    },
    /// The ridge was left open, and there are no labels to choose it by.
    DefaultRidge {
        /// The one taken.
        ridge: f64,
    },
    /// The preparation of spectra was left open, and nothing was left out to choose it by.
    UnchosenSpectrum {
        /// What was taken.
        taken: String,
    },
    /// Samples without labels take part where no labels are needed.
    Unlabelled {
        /// How many.
        count: usize,
        /// Their weight in the covariance, in units of their sample weights.
        weight: f64,
    },
}

/// What makes the code of a class short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeLength {
    /// The target labels of a graph.
    Targets,
    /// The features of a network's top, fewer than the graph has target labels.
    Features,
}

impl Note {
    /// What sort of remark it is, in a word for programs: `fewer_groups`. `docs/codes.md` lists all.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Note {
    /// A sentence for each, in the order of the list above: as long as the list is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DependentLabels { names, tolerance, kept } => write!(
                f,
                "{} dependent on earlier labels and {} dropped (tolerance {tolerance:e}); {kept} {} left",
                subject("label", names),
                if names.len() == 1 { "was" } else { "were" },
                if *kept == 1 { "is" } else { "are" },
            ),
            Self::FewerTargets { requested, formed, reason } => {
                write!(f, "{} instead of {requested}: {reason}", counted(*formed, "target label"))
            }
            Self::EqualCodes { classes, of: CodeLength::Targets, length, codes, enough } => write!(
                f,
                "{} for {classes} classes: only {codes} different codes, and the graph asks for equal outputs of classes \
                 that share one; {enough} suffice",
                counted(*length, "target label"),
            ),
            Self::EqualCodes { classes, of: CodeLength::Features, length, codes, enough } => write!(
                f,
                "{} for {classes} classes: so many labels of the code give only {codes} different codes, too few to \
                 tell all classes apart by them; {enough} suffice",
                counted(*length, "feature"),
            ),
            Self::NarrowLayer { targets, layer, outputs } => write!(
                f,
                "{}, but nodes of layer {layer} pass on only {}: fewer targets or more outputs may be better",
                counted(*targets, "target label"),
                counted(*outputs, "feature"),
            ),
            Self::IgnoredLabels { labels } => {
                let list: Vec<String> = labels.iter().map(usize::to_string).collect();
                write!(f, "target labels with eigenvalue 0 have no influence: {}", first(&list))
            }
            Self::EigenvalueOrder { later, earlier } => {
                write!(f, "label {later} has a larger eigenvalue than label {earlier}: feature order will follow it")
            }
            Self::Symmetrized { pairs } => {
                let pairs = counted(*pairs, "pair");
                write!(f, "edge weights were asymmetric for {pairs} and were replaced by their mean")
            }
            Self::FewerGroups { requested, formed } => write!(
                f,
                "{} instead of {requested}: the label has only {}, and ties stay together",
                counted(*formed, "group"),
                counted(*formed, "distinct value"),
            ),
            Self::Inconsistent { vertex, vertex_share, edge_share } => write!(
                f,
                "vertex and edge weights disagree most at vertex {vertex}: {} of Q, {} of R",
                share(*vertex_share),
                share(*edge_share),
            ),
            Self::SingletonClasses { names } => {
                write!(f, "{} a single sample and got a self-loop of 1", subject_has("class", names))
            }
            Self::NoVariance { dead, dropped, rank } => write!(
                f,
                "{} and {} were left out; {rank} {} left",
                counted(*dead, "constant column"),
                counted(*dropped, "dependent direction"),
                if *rank == 1 { "direction is" } else { "directions are" },
            ),
            Self::Overfit { samples, rank } => write!(
                f,
                "{} for {}: delta values of training samples mean nothing; more ridge, principal components or fewer \
                 inputs help",
                counted(*samples, "sample"),
                counted(*rank, "direction"),
            ),
            Self::Surplus { slow, residual } => write!(
                f,
                "{} slower than noise; {residual} more {} of the residual",
                are(*slow, "feature"),
                if *residual == 1 { "output is a principal component" } else { "outputs are principal components" },
            ),
            Self::ArbitrarySurplus { slow, arbitrary } => write!(
                f,
                "{} slower than noise; {arbitrary} more {}",
                are(*slow, "feature"),
                if *arbitrary == 1 { "output is an arbitrary direction" } else { "outputs are arbitrary directions" },
            ),
            Self::FewerFeatures { requested, returned } => {
                write!(f, "{} instead of {requested}: there are no more directions", counted(*returned, "feature"))
            }
            Self::NodesOverfit { layer, nodes, of, samples, rank } => write!(
                f,
                "{nodes} of {} in layer {layer} overfit: {} for up to {}",
                counted(*of, "node"),
                counted(*samples, "sample"),
                counted(*rank, "direction"),
            ),
            Self::InSample { reason } => {
                write!(
                    f,
                    "deviations and probabilities are those of training samples, which flatters them: {}",
                    sentence(reason)
                )
            }
            Self::PartsNotLeftOut { parts, of, reason } => write!(
                f,
                "{parts} of {of} parts of the samples could not be left out: deviations and probabilities are those of \
                 the others, which flatters; {}",
                sentence(reason)
            ),
            Self::FewerFolds { folds, groups } => write!(
                f,
                "{folds} parts of the samples are left out in turn: there are no more {}",
                if *groups { "groups" } else { "samples" }
            ),
            Self::UnjudgedClasses { names } => write!(
                f,
                "{} too few samples or groups to be learned without some of them: left-out samples say nothing about {}",
                subject_has("class", names),
                if names.len() == 1 { "it" } else { "them" },
            ),
            Self::SearchInterrupted { tried } => {
                write!(f, "the search was interrupted: the best of {} was taken", counted(*tried, "candidate"))
            }
            Self::DefaultRidge { ridge } => {
                write!(f, "ridge {ridge:e}: it was left open, and the graph has no labels to choose it by")
            }
            Self::UnchosenSpectrum { taken } => {
                write!(f, "{taken}: a preparation was left open, and no left-out samples choose it")
            }
            Self::Unlabelled { count, weight } if *weight > 0.0 => {
                write!(
                    f,
                    "{} without labels {} the covariance, with {} times {} weight",
                    counted(*count, "sample"),
                    if *count == 1 { "enters" } else { "enter" },
                    number(*weight),
                    if *count == 1 { "its" } else { "their" },
                )
            }
            Self::Unlabelled { count, .. } => {
                let (samples, seen) = (counted(*count, "sample"), if *count == 1 { "is" } else { "are" });
                write!(f, "{samples} without labels {seen} seen by scales, principal components and clipping only")
            }
        }
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn are(count: usize, noun: &str) -> String {
    format!("{} {}", counted(count, noun), if count == 1 { "is" } else { "are" })
}

/// With six decimals, unless negative edges made the whole so small that its parts are many times as large.
fn share(share: f64) -> String {
    if share.abs() < 1e6 { format!("{share:.6}") } else { number(share) }
}

fn subject(noun: &str, names: &[String]) -> String {
    let (s, verb) = if names.len() == 1 { ("", "is") } else { ("s", "are") };
    format!("{noun}{s} {} {verb}", first(names))
}

fn subject_has(noun: &str, names: &[String]) -> String {
    let (es, verb) = if names.len() == 1 { ("", "has") } else { ("es", "have") };
    format!("{noun}{es} {} {verb}", first(names))
}

/// The first five names and how many more there are.
fn first(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(5).map(|name| text(name)).collect();
    let more = names.len().saturating_sub(5);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
