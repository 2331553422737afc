//! The cure of each failure.

use super::{Error, brief};
use crate::specification::{nearest, suggestion};

/// Names that are looked at for what was meant by them: a table of other columns may have thousands.
const LOOKED_AT: usize = 5;

impl Error {
    /// What sort of failure it is, in a word for programs: `constant_label`. `docs/codes.md` lists all; none is renamed without
    /// being told.
    pub fn code(&self) -> &'static str {
        self.into()
    }

    /// What was probably meant by a name that there is not: a better cure than the general one.
    pub fn suggestion(&self) -> Option<String> {
        match self {
            Self::UnknownLabel { name, available } => suggestion(name, available.iter().map(String::as_str)),
            Self::UnknownClass { name, known } => suggestion(name, known.iter().map(String::as_str)),
            Self::InputNames { missing, unknown } => unknown.iter().take(LOOKED_AT).find_map(|name| {
                let meant = nearest(name, missing.iter().map(String::as_str))?;
                Some(format!("did you mean '{}' by '{}'?", brief::text(meant), brief::text(name)))
            }),
            _ => None,
        }
    }

    /// What the user can do about it, if there is a general cure. One list, as that of failures is.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::TooFewSamples { .. } => "check that the file or array was read completely",
            Self::ClassesLeftOut { .. } => {
                "a group that holds all samples of a class leaves none to learn it from: give other groups, or none"
            }
            Self::LengthMismatch { .. } => "each row of one belongs to the row of the other with the same number",
            Self::NonFinite { what, .. } if !what.starts_with("label ") => "give finite numbers",
            Self::NonFinite { .. } => {
                "drop or impute the samples with missing labels, or set semi_supervised so that NaN means unlabelled"
            }
            Self::NonFiniteSample { .. } => "drop or impute missing values first",
            Self::Overflow { .. } => "correct the value if it is a mistake, or rescale the column",
            Self::ColumnRange { .. } => "rescale the column, leave it out, or set standardize in the network",
            Self::NodeOverflow { .. } => "rescale the inputs, clip before the expansion, or lower its degree",
            Self::NotPositive { .. } => {
                "weights are counts or importances: correct negative ones, drop the samples of weight zero"
            }
            Self::AllWeightsZero { .. } => "leave the weights out to weigh all samples alike",
            Self::ConstantLabel { .. } => "a label must vary over the training samples; leave this one out",
            Self::NoTargetLabels { .. } => "give at least one label that varies over the training samples",
            Self::ConstantFeature { .. } => "leave the column out",
            Self::MissingClasses { .. } => {
                "drop the samples without class, or set semi_supervised so that they count as unlabelled"
            }
            Self::PartlyLabeled { .. } => "give all labels of a sample or none",
            Self::UnknownLabel { .. } => "names are case-sensitive",
            Self::LabelChoice { .. } => "name the one to use in the graph's `label` field",
            Self::LabelKind { .. } => {
                "classes: graphs clustered and compact, read-outs gaussian_classifier, nearest_centroid and nearest_neighbors; numbers: graphs serial, reordering and ell, all read-outs but nearest_centroid"
            }
            Self::TooFewClasses { .. } => "check that the right column was read as the class label",
            Self::EverySampleItsOwnClass { .. } => {
                "a label with as many classes as samples is an identifier or a number; for numbers use serial or ell"
            }
            Self::UnknownClass { .. } => "class names are compared exactly, spaces and case included",
            Self::EigenvalueCount { .. } => "give one per target label, originals and auxiliary ones together",
            Self::NegativeEigenvalue { .. } => "set allow_negative if this is intended",
            Self::EigenvalueOrder { .. } => "feature order follows the eigenvalues; leave `strict` off to accept it",
            Self::EdgeOutOfRange { .. } => "vertices are numbered from 0, in the order of the samples",
            Self::NoEdges { .. } | Self::SelfLoopsOnly => "connect different samples with positive weights",
            Self::NegativeEdge { .. } => "call without_negative_edges first: it keeps all features and their order",
            Self::Disconnected { .. } => "take one component at a time, or join them with weak edges",
            Self::TooMany { .. } => "ask for fewer",
            Self::TooFewDirections { .. } => {
                "ask for fewer features (output_dim of a layer), or let surplus outputs be truncated or fast (delta above 2)"
            }
            Self::NoVariance { .. } => "check that the right columns were read",
            Self::InputDim { .. } => "all samples of a model have the same inputs in the same order",
            Self::RowRange { .. } => "each sample is added once, under its own row number",
            Self::MissingRows { .. } => "add the other chunks first",
            Self::NeedsRandomAccess { .. } => "use a graph over groups such as serial, or give all samples at once",
            Self::NotSeparable { .. } => "fit the remaining samples with a graph of their own",
            Self::DifferentMoments { .. } => "take every part with the same labels, weights, graph and type of samples",
            Self::Damaged { .. } => "write the sums again from the samples",
            Self::NotConverged { .. } => "ask for fewer, or use a structured graph such as serial or ell",
            Self::Factorisation { .. } => "look for values of extreme magnitude in the input",
            Self::Shape { .. } => "rows are samples, columns are features, in the order of training",
            Self::ExpansionTooLarge { .. } => "lower the degree, or add a PCA step before the expansion",
            Self::InputShape { .. } => "resize or convert the images as for training",
            Self::InputNames { .. } => "give the columns of training; their order does not matter",
            Self::ModelFile { .. } => {
                "model files are written by `Model::save`; pickles and other formats are not read"
            }
            Self::ModelEnds { .. } => "the file was copied or written incompletely; copy it again",
            Self::ModelVersion { .. } => "upgrade gsfa to read this model",
            Self::ModelChecksum { .. } => "the file was damaged or edited; its header can still be inspected",
            Self::FileExists { .. } => "choose another name, or ask for the file to be replaced",
            Self::Save { .. } => "check free space and permissions of the folder; an older file of that name is intact",
            Self::Read { .. } => "check the path and its permissions",
            Self::Memory { .. } => {
                "use fewer inputs (PCA, smaller images), a linear network, fewer threads, or another machine"
            }
            Self::NoCandidate { .. } => "cure the first reason, or say which network to train",
            Self::RowOutOfRange { .. } => "rows are counted from 0",
            Self::BufferShape { .. } | Self::Reading { .. } | Self::Cancelled { .. } | Self::Parameter { .. } => {
                return None;
            }
        })
    }
}
