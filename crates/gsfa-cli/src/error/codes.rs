//! Codes of what the command itself finds wrong or remarkable.

/// What sort of failure it is that the command itself finds: its code in JSON and in `docs/codes.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ErrorCode {
    /// No samples are named.
    NoData,
    /// No labels are named, or the data has none.
    NoLabels,
    /// There are several columns that could be the label.
    WhichLabel,
    /// A label that the data does not have, or that is not learned.
    UnknownLabel,
    /// A label is of another kind than in training.
    LabelKind,
    /// A class that should be a number is none.
    ClassIsNoNumber,
    /// The column of file names is not known.
    WhichColumn,
    /// No columns are left for the samples.
    NoColumns,
    /// A folder, where a table is needed.
    NotATable,
    /// Rows that are no images of the shape given.
    ImageShape,
    /// An array without rows of samples.
    Axes,
    /// Standard input cannot be read, or not twice.
    StandardInput,
    /// Standard output is closed, broken or needed twice.
    StandardOutput,
    /// No output file is named.
    NoOutput,
    /// The output cannot be written there.
    OutputPlace,
    /// The output has no known format.
    OutputFormat,
    /// A map is of one label of at least three classes.
    MapLabel,
    /// There are fewer features than a map has axes.
    MapFeatures,
    /// The folder exists.
    FolderExists,
    /// The operating system refused.
    Io,
    /// This build does not have it.
    NotBuiltIn,
    /// A flag that means nothing here.
    MeaninglessFlag,
    /// A flag that is needed here.
    NeededFlag,
    /// A setting that there is not.
    UnknownSetting,
    /// A setting whose table must say its kind first.
    KindOpen,
    /// An assignment that is none.
    SettingForm,
    /// A value that a setting does not take.
    SettingValue,
    /// A file of settings that is not understood.
    SettingsFile,
    /// A network that there is not.
    UnknownNetwork,
    /// Threads cannot be started.
    Threads,
    /// Copies of images where there can be none.
    Copies,
    /// The model keeps no means to replace missing values by.
    NoMeans,
    /// The model estimates nothing.
    NoReadout,
    /// A job, state or file of sums that is damaged, or not one.
    StateFile,
    /// The step is not the next one.
    PassOrder,
    /// Samples or labels are missing where shards need all.
    ShardGaps,
    /// Something is wrong with the samples of a shard.
    ShardData,
    /// Which samples a shard holds is not known.
    WhichRows,
    /// Samples are not those of earlier passes.
    OtherSamples,
    /// A sample comes in two shards.
    ShardTwice,
    /// A shard is missing.
    ShardMissing,
    /// No files of sums are named.
    NoMoments,
    /// An experiment failed.
    Experiment,
    /// Ctrl-C.
    Interrupted,
}

/// What sort of remark it is that the command itself makes: its code in JSON and in `docs/codes.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RemarkCode {
    /// What a label was taken as, and why.
    LabelTaken,
    /// Samples of weight 0 were left out.
    ZeroWeights,
    /// A column of words was made inputs.
    Encoded,
    /// A label is an input, too.
    LabelIsInput,
    /// A column of the samples is no input, since the table of labels has it as label, weights or group.
    NoInput,
    /// A setting of a graph says which graph it is.
    GraphTaken,
    /// A flag names another kind of graph or read-out than a file, whose settings of it are gone.
    Replaced,
    /// Missing values were replaced.
    Imputed,
    /// Rows with missing values were left out.
    MissingDropped,
    /// Samples with values that are not finite were left out.
    NonFiniteDropped,
    /// Images without label or labels without image were left out.
    Unmatched,
    /// An image that cannot be read was left out.
    BadImage,
    /// Columns that the model does not use.
    UnusedColumns,
    /// A column that should be left out is not there.
    NothingIgnored,
    /// A part of a cross-validation was left out.
    PartLeftOut,
    /// Left-out samples of classes that the others lack.
    UnseenClasses,
    /// The upper layers of a network keep nothing of its inputs.
    KeepingLayers,
    /// Free responses of several components may be rotated.
    SeveralComponents,
    /// The model has no read-out.
    NoReadout,
    /// The read-outs of the model give no probabilities.
    NoProbabilities,
    /// Shards train a linear node.
    LinearShards,
    /// The place of a shard was found by its samples.
    FoundByValues,
    /// A link was followed.
    LinkKept,
    /// Nothing is written.
    NoFile,
    /// The arrays of a model were not looked at.
    HeaderOnly,
    /// Fewer threads than were asked for.
    Threads,
}

impl RemarkCode {
    /// Whether it says what a model was learned from, so that the model keeps it; others are about the command or a file.
    pub fn is_about_the_model(self) -> bool {
        match self {
            Self::LabelTaken
            | Self::ZeroWeights
            | Self::Encoded
            | Self::LabelIsInput
            | Self::NoInput
            | Self::GraphTaken
            | Self::Replaced
            | Self::Imputed
            | Self::MissingDropped
            | Self::NonFiniteDropped
            | Self::Unmatched
            | Self::BadImage
            | Self::NothingIgnored
            | Self::NoReadout
            | Self::LinearShards => true,
            Self::UnusedColumns
            | Self::NoProbabilities
            | Self::PartLeftOut
            | Self::UnseenClasses
            | Self::KeepingLayers
            | Self::SeveralComponents
            | Self::FoundByValues
            | Self::LinkKept
            | Self::NoFile
            | Self::HeaderOnly
            | Self::Threads => false,
        }
    }
}
