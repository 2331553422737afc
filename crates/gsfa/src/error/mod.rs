//! What can go wrong, with numbers and places; the cure stands apart in [`Error::hint`].

pub mod brief;
mod cause;
mod hint;
mod places;
mod rows;
mod words;

use std::path::PathBuf;

use crate::memory::spelled;
use crate::samples::InputShape;
use brief::{Shown, number, sentence, text};
pub use cause::Cause;
pub use places::Places;
use words::{asked, count, each, listed, named, none_varies, quoted, shape, were};

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Every failure of the library: one list, however long, so that nobody has to know where to look.
///
/// `Display` says what, where and how much in one sentence; [`hint`](Error::hint) says what to do about it,
/// [`code`](Error::code) what sort of failure it is.
#[derive(Debug, Clone, PartialEq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Error {
    /// Fewer samples than the method can work with.
    #[error("need at least {needed} samples, got {got}")]
    TooFewSamples {
        /// The smallest number that works.
        needed: usize,
        /// The number given.
        got: usize,
    },
    /// Folds leave out classes that the other samples do not have.
    #[error(
        "label '{}' cannot be judged by left-out samples: no fold leaves out a class that the rest still has",
        text(label)
    )]
    ClassesLeftOut {
        /// Name of the label.
        label: String,
    },
    /// Two inputs that describe the same samples differ in length.
    #[error("{} has {left_len} rows, {} has {right_len}", sentence(left), sentence(right))]
    LengthMismatch {
        /// Name of the first input.
        left: String,
        /// Its number of rows.
        left_len: usize,
        /// Name of the second input.
        right: String,
        /// Its number of rows.
        right_len: usize,
    },
    /// A label, weight or eigenvalue is NaN or infinite.
    #[error("{} has {} at {}", sentence(what), count(places.total, "non-finite value"), places.describe("position"))]
    NonFinite {
        /// What was read, e.g. `label 'age'`.
        what: String,
        /// Where the values stand.
        places: Places,
    },
    /// A sample contains NaN or infinity.
    #[error("X has {}, first at row {row}, column {column}", count(*total, "non-finite value"))]
    NonFiniteSample {
        /// Row of the first one.
        row: usize,
        /// Column of the first one.
        column: usize,
        /// How many were seen before reading stopped.
        total: usize,
    },
    /// A sample value is finite, but its square is not, or sums of squares would not be.
    #[error("column {column} overflows when squared (value {value:e} at row {row})")]
    Overflow {
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
        /// The value.
        value: f64,
    },
    /// A column varies by so much or so little that what has to be computed from its deviation is no number.
    #[error("column {column} varies by {deviation:e}, which {problem}")]
    ColumnRange {
        /// The column.
        column: usize,
        /// Its standard deviation.
        deviation: f64,
        /// What does not work.
        problem: &'static str,
    },
    /// Values that a node of a network makes of a finite sample are too large.
    #[error("row {row} overflows in layer {layer}: what its nodes make of it is too large to be squared")]
    NodeOverflow {
        /// Row of the sample.
        row: usize,
        /// The layer, counted from 1.
        layer: usize,
    },
    /// A weight that must be positive is not.
    #[error("{} must be positive; {} at {}", sentence(what), count(places.total, "value is not"), places.describe("position"))]
    NotPositive {
        /// What was read, e.g. `vertex weights`.
        what: String,
        /// Where the values stand.
        places: Places,
    },
    /// All weights are zero.
    #[error("all {count} sample weights are zero")]
    AllWeightsZero {
        /// The number of weights.
        count: usize,
    },
    /// A label takes one value only.
    #[error("label '{}' is constant (value {}, standard deviation {deviation:e})", text(name), number(*value))]
    ConstantLabel {
        /// Name of the label.
        name: String,
        /// Its mean value.
        value: f64,
        /// Its weighted standard deviation.
        deviation: f64,
    },
    /// No label that varies is left to learn.
    #[error("none of {} is left to learn: all are constant", count(*given, "target label"))]
    NoTargetLabels {
        /// How many there were.
        given: usize,
    },
    /// A feature takes one value only, so its delta value is 0/0.
    #[error("feature {column} is constant (value {}): it has no delta value", number(*value))]
    ConstantFeature {
        /// Its column.
        column: usize,
        /// Its value.
        value: f64,
    },
    /// Some samples lack a part of their labels.
    #[error("{} in part: some of the labels are missing at {}", count(places.total, "sample is labelled"), places.describe("row"))]
    PartlyLabeled {
        /// The rows.
        places: Places,
    },
    /// Some samples have no class.
    #[error("label '{}' has no class for {}: {}", text(name), count(places.total, "sample"), places.describe("row"))]
    MissingClasses {
        /// Name of the label.
        name: String,
        /// The rows.
        places: Places,
    },
    /// A label name is not among the columns.
    #[error("there is no label '{}'; the labels are {}", text(name), quoted(available))]
    UnknownLabel {
        /// The name asked for.
        name: String,
        /// The names there are.
        available: Vec<String>,
    },
    /// A graph for one label was given several, or none.
    #[error("the {graph} graph is built from one {kind} label, {} given", were(*found))]
    LabelChoice {
        /// The graph.
        graph: &'static str,
        /// `numeric` or `class`.
        kind: &'static str,
        /// How many labels of that kind there are.
        found: usize,
    },
    /// A label has the wrong kind of values.
    #[error("label '{}' holds {found}, {needed} are needed", text(name))]
    LabelKind {
        /// Name of the label.
        name: String,
        /// What it holds.
        found: &'static str,
        /// What is needed.
        needed: &'static str,
    },
    /// Fewer classes than two.
    #[error("{} found{}; at least 2 are needed", count(names.len(), "class"), named(names))]
    TooFewClasses {
        /// The classes there are.
        names: Vec<String>,
    },
    /// Every sample is a class of its own.
    #[error("the number of samples must exceed the number of classes ({classes} classes, {samples} samples)")]
    EverySampleItsOwnClass {
        /// Number of classes.
        classes: usize,
        /// Number of samples.
        samples: usize,
    },
    /// A class name is not known.
    #[error("class '{}' is unknown; the {} classes are {}", text(name), known.len(), quoted(known))]
    UnknownClass {
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The number of eigenvalues is not that of the target labels.
    #[error("{given} eigenvalues were given for {targets} target labels")]
    EigenvalueCount {
        /// Eigenvalues given.
        given: usize,
        /// Target labels there are.
        targets: usize,
    },
    /// An eigenvalue is negative: its label would be made as fast as possible.
    #[error("eigenvalue {index} is negative ({}): its label would be made dissimilar, not learned", number(*value))]
    NegativeEigenvalue {
        /// Position, counted from 1.
        index: usize,
        /// The value.
        value: f64,
    },
    /// Eigenvalues increase although `strict` was asked for.
    #[error("label {later} has a larger eigenvalue ({}) than label {earlier} ({})", number(*later_value), number(*earlier_value))]
    EigenvalueOrder {
        /// Position of the smaller, earlier one, counted from 1.
        earlier: usize,
        /// Its value.
        earlier_value: f64,
        /// Position of the larger, later one, counted from 1.
        later: usize,
        /// Its value.
        later_value: f64,
    },
    /// An edge names a vertex that does not exist.
    #[error("edge {edge} connects vertices {from} and {to}, but there are {vertices} vertices (0 to {})", vertices.saturating_sub(1))]
    EdgeOutOfRange {
        /// Position of the edge in the list.
        edge: usize,
        /// Its first vertex.
        from: usize,
        /// Its second vertex.
        to: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// The edge weights do not sum to a positive number.
    #[error("the sum of edge weights is {}; it must be positive", number(*sum))]
    NoEdges {
        /// The sum R.
        sum: f64,
    },
    /// All edges connect a vertex with itself.
    #[error("the graph has self-loops only: every feature would have a delta value of 0")]
    SelfLoopsOnly,
    /// The operation needs non-negative edge weights.
    #[error(
        "the smallest edge weight is {}, between vertices {from} and {to}; {operation} needs non-negative ones",
        number(*smallest)
    )]
    NegativeEdge {
        /// The smallest weight.
        smallest: f64,
        /// Its first vertex.
        from: usize,
        /// Its second vertex.
        to: usize,
        /// What was attempted.
        operation: &'static str,
    },
    /// The operation needs a connected graph.
    #[error("the graph has {components} connected components; {operation} needs a connected one")]
    Disconnected {
        /// Number of components.
        components: usize,
        /// What was attempted.
        operation: &'static str,
    },
    /// More features were requested than exist.
    #[error("{requested} {what} were requested, {available} exist")]
    TooMany {
        /// What was requested, e.g. `free responses`.
        what: &'static str,
        /// How many.
        requested: usize,
        /// How many there are.
        available: usize,
    },
    /// More features were requested than the samples can give.
    #[error(
        "{} requested, {available} can be given: {rank} of {} carry variance",
        asked(*requested, "feature"),
        count(*inputs, "direction")
    )]
    TooFewDirections {
        /// How many features were requested.
        requested: usize,
        /// How many there are under the rule for surplus outputs.
        available: usize,
        /// Directions with variance.
        rank: usize,
        /// I, the number of inputs.
        inputs: usize,
    },
    /// No input varies.
    #[error("{} over the samples", none_varies(*inputs))]
    NoVariance {
        /// I, the number of inputs.
        inputs: usize,
    },
    /// Samples with another number of inputs than before.
    #[error("samples have {}, {expected} {} expected", count(*got, "column"), if *expected == 1 { "is" } else { "are" })]
    InputDim {
        /// The number expected.
        expected: usize,
        /// The number given.
        got: usize,
    },
    /// Rows that are already part of the sums, or not part of them when taken away.
    #[error("rows {first} to {last} {problem}")]
    RowRange {
        /// First row of the range.
        first: usize,
        /// Last row of the range.
        last: usize,
        /// What is wrong with them.
        problem: &'static str,
    },
    /// The sums lack some of the graph's samples.
    #[error("the sums hold {got} of the graph's {expected} samples; the first missing row is {first_missing}")]
    MissingRows {
        /// The number of vertices.
        expected: usize,
        /// Rows added.
        got: usize,
        /// The first row that was not added.
        first_missing: usize,
    },
    /// The graph connects single samples, so that a chunk alone does not know its neighbours.
    #[error("this graph connects single samples across chunks: {operation} needs all samples at once")]
    NeedsRandomAccess {
        /// What was attempted.
        operation: &'static str,
    },
    /// Leaving samples out changes this graph in a way that its sums do not follow.
    #[error("the graph of the remaining samples does not follow from the sums: {reason}")]
    NotSeparable {
        /// Which property is missing.
        reason: &'static str,
    },
    /// Sums of two different plans.
    #[error("these sums do not belong together: {what} differs")]
    DifferentMoments {
        /// What differs.
        what: &'static str,
    },
    /// Serialised sums that cannot be read.
    #[error("serialised sums are damaged at byte {at}: {reason}")]
    Damaged {
        /// Where reading stopped.
        at: usize,
        /// What is wrong there.
        reason: &'static str,
    },
    /// An iterative method stopped before its residual was small enough.
    #[error("{what} did not converge: residual {residual:e} after {iterations} iterations, {tolerance:e} is needed")]
    NotConverged {
        /// What was computed.
        what: &'static str,
        /// Largest relative residual reached.
        residual: f64,
        /// The residual that was asked for.
        tolerance: f64,
        /// Iterations spent.
        iterations: usize,
    },
    /// A matrix factorisation failed.
    #[error("{what} of a {size}x{size} matrix failed")]
    Factorisation {
        /// Which factorisation.
        what: &'static str,
        /// Its size.
        size: usize,
    },
    /// An array does not have the shape that belongs to it.
    #[error("{} has shape {}, {} is needed", sentence(what), shape(found), shape(needed))]
    Shape {
        /// Which array.
        what: String,
        /// Its shape.
        found: Vec<usize>,
        /// The shape it should have.
        needed: Vec<usize>,
    },
    /// A polynomial expansion would have absurdly many terms.
    #[error("expanding {inputs} inputs to degree {degree} gives more than {limit} terms")]
    ExpansionTooLarge {
        /// Number of inputs.
        inputs: usize,
        /// Highest degree.
        degree: usize,
        /// The most terms allowed.
        limit: usize,
    },
    /// Samples could not be read from where they are.
    #[error("{}", sentence(&cause.to_string()))]
    Reading {
        /// What is said where they are.
        cause: Cause,
    },
    /// A row number beyond the end.
    #[error("row {row} was asked for, there are {len} rows")]
    RowOutOfRange {
        /// The row asked for, counted from 0.
        row: usize,
        /// The number of rows.
        len: usize,
    },
    /// A buffer that does not fit what is to be read or written.
    #[error("the buffer is {}, the rows asked for are {}", shape(found), shape(needed))]
    BufferShape {
        /// Rows and columns of the buffer.
        found: [usize; 2],
        /// Rows and columns asked for.
        needed: [usize; 2],
    },
    /// Samples of another shape than those of training.
    #[error("the model expects {expected}, got {got}")]
    InputShape {
        /// The shape of training samples.
        expected: InputShape,
        /// The shape given.
        got: InputShape,
    },
    /// Columns of other names than those of training.
    #[error("the columns are not those of training:{}{}", listed("missing", missing), listed("unknown", unknown))]
    InputNames {
        /// Columns of training that were not given.
        missing: Vec<String>,
        /// Columns given that training did not have, or had already.
        unknown: Vec<String>,
    },
    /// A file that is no model, or whose parts do not fit together.
    #[error("'{}' cannot be read as a model: {}", brief::path(path), sentence(reason))]
    ModelFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A model file whose length is not the one its header states.
    #[error("'{}' ends at byte {bytes}, its header promises {promised}", brief::path(path))]
    ModelEnds {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
        /// The length it should have; at least this if the header itself is cut off.
        promised: u64,
    },
    /// A model file of a newer format.
    #[error(
        "'{}' was made by format {format} (gsfa {}), this library reads {supported}",
        brief::path(path),
        text(library)
    )]
    ModelVersion {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: u64,
        /// The version of the library that wrote it.
        library: String,
        /// The newest format this library reads.
        supported: u64,
    },
    /// A model file whose content changed after it was written.
    #[error("the checksum of '{}' does not fit its content", brief::path(path))]
    ModelChecksum {
        /// The file.
        path: PathBuf,
    },
    /// A file that would be overwritten.
    #[error("'{}' exists already", brief::path(path))]
    FileExists {
        /// The file.
        path: PathBuf,
    },
    /// Saving a model failed; what was there before still is.
    #[error("cannot save the model as '{}' ({bytes} bytes): {}", brief::path(path), sentence(message))]
    Save {
        /// The file.
        path: PathBuf,
        /// The bytes needed.
        bytes: usize,
        /// What the operating system says.
        message: String,
    },
    /// A file cannot be read.
    #[error("cannot read '{}': {}", brief::path(path), sentence(message))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        message: String,
    },
    /// Work that needs more memory than there is.
    #[error("this needs about {} of memory, {} are left", spelled(*needed), spelled(*available))]
    Memory {
        /// Bytes needed.
        needed: usize,
        /// Bytes left.
        available: usize,
    },
    /// Nothing that was tried can be learned from these samples, each candidate for a reason of its own.
    #[error("none of {} can be learned: {}", count(reasons.len(), "candidate"), each(reasons))]
    NoCandidate {
        /// What was tried, and why it cannot be learned.
        reasons: Vec<(String, String)>,
    },
    /// Training was stopped by the caller.
    #[error("training was cancelled in layer {layer}")]
    Cancelled {
        /// The layer that was being trained, counted from 1.
        layer: usize,
    },
    /// A parameter is out of its range.
    #[error("{name} = {}: {}", sentence(value), sentence(reason))]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// Why it does not work.
        reason: String,
    },
}

impl Error {
    /// A [`Error::Parameter`] from anything that can be shown.
    pub(crate) fn parameter(name: &'static str, value: impl Shown, reason: impl Into<String>) -> Self {
        Self::Parameter { name, value: value.shown(), reason: reason.into() }
    }

    /// [`Error::Shape`] unless the two shapes agree.
    pub(crate) fn check_shape(what: &str, found: &[usize], needed: &[usize]) -> Result<()> {
        if found == needed {
            return Ok(());
        }
        Err(Self::Shape { what: what.to_string(), found: found.to_vec(), needed: needed.to_vec() })
    }
}
