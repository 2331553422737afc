//! What ends a command: one sentence, one cure, one exit code.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

use gsfa_data::ErrorKind as Kind;

pub use crate::reason::Reason;

/// What can be read.
const READABLE: &str = "name a file or a folder of images; --data - reads a CSV table from standard input";

/// Whose fault it is; the exit code says so, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
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

impl Fault {
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
pub struct Failure {
    pub fault: Fault,
    /// What sort it is, as in `docs/codes.md`.
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    pub fn new(fault: Fault, reason: Reason, message: impl Into<String>) -> Self {
        Self { fault, code: reason.into(), message: message.into(), hint: None }
    }

    pub fn usage(reason: Reason, message: impl Into<String>) -> Self {
        Self::new(Fault::Usage, reason, message)
    }

    pub fn data(reason: Reason, message: impl Into<String>) -> Self {
        Self::new(Fault::Data, reason, message)
    }

    pub fn io(action: &str, path: &Path, error: &std::io::Error) -> Self {
        let failure = Self::new(Fault::Io, Reason::Io, format!("cannot {action} {}: {error}", path.display()));
        if action == "read" && error.kind() == ErrorKind::InvalidInput { failure.hint(READABLE) } else { failure }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<gsfa::Error> for Failure {
    fn from(error: gsfa::Error) -> Self {
        use gsfa::Error as E;
        if let E::Reading { cause } = &error
            && let Some(error) = cause.downcast_ref::<gsfa_data::Error>()
        {
            return Self::of_data(error);
        }
        let fault = match &error {
            E::Cancelled { .. } => Fault::Interrupted,
            E::ModelFile { .. } | E::ModelEnds { .. } | E::ModelVersion { .. } | E::ModelChecksum { .. } => {
                Fault::Model
            }
            E::Read { .. } | E::Save { .. } => Fault::Io,
            E::FileExists { .. } => Fault::Usage,
            E::Parameter { .. }
            | E::RowOutOfRange { .. }
            | E::BufferShape { .. }
            | E::LabelChoice { .. }
            | E::NeedsRandomAccess { .. }
            | E::TooMany { .. }
            | E::Memory { .. } => Fault::Usage,
            _ => Fault::Data,
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
            other => other.hint(),
        };
        let code = error.code();
        Self { fault, code, message: error.to_string(), hint: error.suggestion().or_else(|| hint.map(String::from)) }
    }
}

impl From<gsfa_data::Error> for Failure {
    fn from(error: gsfa_data::Error) -> Self {
        match error {
            gsfa_data::Error::Core(core) => core.into(),
            other => Self::of_data(&other),
        }
    }
}

impl Failure {
    fn of_data(error: &gsfa_data::Error) -> Self {
        use gsfa_data::Error as E;
        let fault = match error.kind() {
            Kind::Usage => Fault::Usage,
            Kind::Data => Fault::Data,
            Kind::Io => Fault::Io,
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
            E::Io { action: "read", source, .. } if source.kind() == ErrorKind::InvalidInput => Some(READABLE),
            E::Io { action: "write", .. } => Some("check the folder, its permissions and its free space"),
            E::MixedSizes { .. } => Some("use --resize HEIGHTxWIDTH"),
            E::Unmatched { .. } => Some("file names are compared exactly; --unmatched drop leaves the others out"),
            E::ArchiveMember { .. } => Some("name one of them with --array"),
            E::NotANumber { .. } => {
                Some("leave it out with --ignore, learn it as a class, or take its words by --categories one-hot")
            }
            other => other.hint(),
        };
        let code = error.code();
        Self { fault, code, message: error.to_string(), hint: error.suggestion().or_else(|| hint.map(String::from)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_the_data_is_the_same_before_and_during_training() {
        let fault = || gsfa_data::Error::NonFiniteSamples { total: 3, row: 7, column: 2 };
        let (before, during) = (Failure::from(fault()), Failure::from(gsfa::Error::from(fault())));
        assert_eq!((during.fault, &during.message, &during.hint), (before.fault, &before.message, &before.hint));
        assert!(during.hint.is_some_and(|hint| hint.contains("--missing")));
    }
}
