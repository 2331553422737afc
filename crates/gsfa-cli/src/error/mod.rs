//! What ends a command: one sentence, one cure, one exit code.

mod codes;

use std::fmt;
use std::io;
use std::path::Path;

pub use codes::{ErrorCode, RemarkCode};

/// What can be read.
const READABLE: &str = "name a file or a folder of images; --data - reads a CSV table from standard input";

/// The cure of a setting that makes no sense.
pub const ALL_SETTINGS: &str = "gsfa settings lists all settings with what they take";

/// Whose fault it is; the exit code says so, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request makes no sense, whatever the data: 2.
    Usage,
    /// The data is bad: 3.
    Data,
    /// The model file is bad: 4.
    Model,
    /// The operating system refused: 5.
    Io,
    /// Ctrl-C: 130.
    Interrupted,
}

impl ErrorKind {
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Data => 3,
            Self::Model => 4,
            Self::Io => 5,
            Self::Interrupted => 130,
        }
    }
}

/// A command that failed.
#[derive(Debug)]
pub struct Error {
    pub kind: ErrorKind,
    /// What sort it is, as in `docs/codes.md`.
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

pub type Result<T = (), E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn new(kind: ErrorKind, reason: ErrorCode, message: impl Into<String>) -> Self {
        Self { kind, code: reason.into(), message: message.into(), hint: None }
    }

    pub fn usage(reason: ErrorCode, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, reason, message)
    }

    pub fn data(reason: ErrorCode, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Data, reason, message)
    }

    pub fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        let failure = Self::new(ErrorKind::Io, ErrorCode::Io, format!("cannot {action} {}: {error}", path.display()));
        if action == "read" && error.kind() == io::ErrorKind::InvalidInput { failure.hint(READABLE) } else { failure }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<gsfa::Error> for Error {
    fn from(error: gsfa::Error) -> Self {
        use gsfa::Error as E;
        if let E::Reading { cause } = &error
            && let Some(error) = cause.downcast_ref::<gsfa_data::Error>()
        {
            return Self::of_data(error);
        }
        let kind = match &error {
            E::Cancelled { .. } => ErrorKind::Interrupted,
            E::ModelFile { .. } | E::ModelEnds { .. } | E::ModelVersion { .. } | E::ModelChecksum { .. } => {
                ErrorKind::Model
            }
            E::Read { .. } | E::Save { .. } => ErrorKind::Io,
            E::FileExists { .. } => ErrorKind::Usage,
            E::Parameter { .. }
            | E::RowOutOfRange { .. }
            | E::BufferShape { .. }
            | E::LabelChoice { .. }
            | E::NeedsRandomAccess { .. }
            | E::TooMany { .. }
            | E::Memory { .. } => ErrorKind::Usage,
            _ => ErrorKind::Data,
        };
        let hint = match &error {
            E::NonFiniteSample { .. } => Some("use --missing drop or --missing impute"),
            E::FileExists { .. } => Some("choose another name, or use --force"),
            E::ModelFile { .. } => Some("model files are written by gsfa train and gsfa solve"),
            E::ModelChecksum { .. } => Some("the file was damaged or edited; gsfa inspect --force shows its header"),
            E::Memory { .. } => {
                Some("use fewer principal components (--pca), a linear network, or smaller images (--resize)")
            }
            E::NonFinite { .. } => Some("use --missing-labels drop"),
            E::LabelKind { .. } => Some("say --task numbers or --task classes, or choose another --graph or --readout"),
            E::LabelChoice { .. } => Some("name one label with --learn, or use --graph ell for several numbers"),
            E::NeedsRandomAccess { .. } => Some("use --graph serial, clustered, compact or ell"),
            E::Parameter { .. } => Some(ALL_SETTINGS),
            other => other.hint(),
        };
        let code = error.code();
        Self { kind, code, message: error.to_string(), hint: error.suggestion().or_else(|| hint.map(String::from)) }
    }
}

impl From<gsfa_data::Error> for Error {
    fn from(error: gsfa_data::Error) -> Self {
        match error {
            gsfa_data::Error::Core(core) => core.into(),
            other => Self::of_data(&other),
        }
    }
}

impl Error {
    fn of_data(error: &gsfa_data::Error) -> Self {
        use gsfa_data::Error as E;
        let kind = match error.kind() {
            gsfa_data::ErrorKind::Usage => ErrorKind::Usage,
            gsfa_data::ErrorKind::Data => ErrorKind::Data,
            gsfa_data::ErrorKind::Io => ErrorKind::Io,
        };
        let hint = match error {
            E::MissingValues { .. } | E::NonFiniteSamples { .. } => {
                Some("use --missing drop or --missing impute (for labels: --missing-labels drop)")
            }
            E::MissingClass { .. } => Some("use --missing-labels drop"),
            E::BadImage { .. } | E::TooManyBadImages { .. } => {
                Some("remove or repair the file, or let --skip-bad N leave out up to N images")
            }
            E::OutputExists { .. } => Some("choose another name, or use --force"),
            E::Io { action: "read", source, .. } if source.kind() == io::ErrorKind::InvalidInput => Some(READABLE),
            E::Io { action: "write", .. } => Some("check the folder, its permissions and its free space"),
            E::MixedSizes { .. } => Some("use --resize HEIGHTxWIDTH"),
            E::Unmatched { .. } => Some("file names are compared exactly; --unmatched drop leaves the others out"),
            E::ArchiveMember { .. } => Some("name one of them with --array"),
            E::Parameter { .. } => Some(ALL_SETTINGS),
            E::NotANumber { .. } => {
                Some("leave it out with --ignore, learn it as a class, or take its words by --categories one-hot")
            }
            other => other.hint(),
        };
        let code = error.code();
        Self { kind, code, message: error.to_string(), hint: error.suggestion().or_else(|| hint.map(String::from)) }
    }
}

impl From<gsfa_experiments::Error> for Error {
    fn from(error: gsfa_experiments::Error) -> Self {
        use gsfa_experiments::Error as E;
        let kind = match error {
            E::Method(error) => return error.into(),
            E::Data(error) => return error.into(),
            E::Stopped => {
                return Self::new(
                    ErrorKind::Interrupted,
                    ErrorCode::Interrupted,
                    "interrupted; earlier files are as they were",
                );
            }
            E::Folder { .. } => ErrorKind::Io,
            E::UnknownData { .. } => ErrorKind::Data,
            _ => ErrorKind::Usage,
        };
        let own = Self::new(kind, ErrorCode::Experiment, error.to_string());
        match error.hint() {
            Some(hint) => own.hint(hint),
            None => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_the_data_is_the_same_before_and_during_training() {
        let kind = || gsfa_data::Error::NonFiniteSamples { total: 3, row: 7, column: 2 };
        let (before, during) = (Error::from(kind()), Error::from(gsfa::Error::from(kind())));
        assert_eq!((during.kind, &during.message, &during.hint), (before.kind, &before.message, &before.hint));
        assert!(during.hint.is_some_and(|hint| hint.contains("--missing")));
    }
}
