//! What follows from a failure: whose fault it is, and the cure.

use gsfa::specification::suggestion;

use super::Error;
use crate::table::meant;

/// Whose fault a failure is: what exit codes distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The request makes no sense, whatever the data.
    Usage,
    /// The data is bad.
    Data,
    /// The operating system refused.
    Io,
}

impl Error {
    /// Whose fault it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Io { .. } | Self::OutOfMemory { .. } => ErrorKind::Io,
            Self::OutputExists { .. }
            | Self::OutputIsInput { .. }
            | Self::Parameter { .. }
            | Self::Core(gsfa::Error::RowOutOfRange { .. } | gsfa::Error::BufferShape { .. }) => ErrorKind::Usage,
            _ => ErrorKind::Data,
        }
    }

    /// What sort of failure it is, in a word for programs: `unknown_column`. `docs/codes.md` lists all.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Core(error) => error.code(),
            own => own.into(),
        }
    }

    /// What was probably meant by a name that there is not: a better cure than the general one.
    pub fn suggestion(&self) -> Option<String> {
        match self {
            Self::UnknownColumn { name, available, .. } => suggestion(name, available.iter().map(String::as_str)),
            Self::ArchiveMember { asked: Some(name), available, .. } => {
                suggestion(name, available.iter().map(String::as_str))
            }
            Self::UnknownCategory { text, known, .. } => meant(text, known),
            Self::Core(error) => error.suggestion(),
            _ => None,
        }
    }

    /// What the user can do about it, if there is a general cure.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::Io { action: "read", source, .. } if source.kind() == std::io::ErrorKind::InvalidInput => {
                "files, folders of images and (as data = -) a table on standard input can be read"
            }
            Self::OutputExists { .. } => "choose another name, or allow replacing it",
            Self::OutputIsInput { .. } => "write to another file",
            Self::Truncated { .. } => "copy or download the file again",
            Self::BecameShorter { .. } => "let no other program write to the file meanwhile, or work with a copy",
            Self::TrailingBytes { .. } => "a .npy file holds one array; use .npz for several",
            Self::NpyHeader { .. } => "write the array with numpy.save",
            Self::Pickled { .. } => "convert it to numbers first, e.g. array.astype('float32')",
            Self::ElementType { .. } => "use bool, int8 to int64, uint8 to uint64, float32 or float64",
            Self::Axes { .. } => "reshape the array so that its first axis counts the samples",
            Self::Archive { .. } => "copy or download the file again",
            Self::ArchiveMember { .. } => "name one of them",
            Self::EmptyTable { .. } => "the first line names the columns, each further line is a sample",
            Self::DuplicateHeader { .. } => "rename one of the columns",
            Self::RaggedRow { .. } => "look for a missing quote or a stray delimiter on this line or the one before",
            Self::TableText { .. } => "save the table as UTF-8 text",
            Self::UnknownColumn { .. } => "names are case-sensitive",
            Self::NotANumber { .. } => {
                "leave the column out, use it as a class label, or make inputs of its words (categories = one_hot)"
            }
            Self::TooManyCategories { .. } => {
                "leave the column out with --ignore; dates are taken as days if they are written 1965-03-01"
            }
            Self::UnknownCategory { .. } => "correct the word, leave the row out, or train with samples that have it",
            Self::NotADate { .. } => "correct the date, or leave its cell empty",
            Self::Infinite { .. } => {
                "correct the value or leave its cell empty; in samples, missing = drop and missing = impute take it as missing"
            }
            Self::MissingValues { .. } | Self::NonFiniteSamples { .. } => {
                "drop these rows (missing = drop) or fill them with the column's mean (missing = impute)"
            }
            Self::EmptyColumn { .. } => "leave the column out",
            Self::MissingClass { .. } => "drop these rows (missing = drop)",
            Self::Unmatched { .. } => {
                "file names are compared exactly; allow unmatched ones to be dropped, or complete the table"
            }
            Self::AmbiguousFile { .. } => "write paths relative to the folder, each once",
            Self::OutsideFolder { .. } => {
                "the table lists bare names of the files beside it, as in the official archive"
            }
            Self::BadImage { .. } => "remove or repair the file, or allow some images to be skipped (skip_bad)",
            Self::TooManyBadImages { .. } => "remove or repair the files, or raise skip_bad",
            Self::NoImages { .. } => "check the path; GIF, TIFF and WebP images must be converted first",
            Self::MixedSizes { .. } => "add a resize step to the preparation",
            Self::OutsideClassFolders { .. } => {
                "put each image into a folder named after its class, or give a labels table"
            }
            Self::NotImages { .. } => {
                "pixel preparation needs arrays of shape (N, H, W) or (N, H, W, C), or image files"
            }
            Self::Layout { .. } => {
                "the official layout has Final_Training/Images/00000/GT-00000.csv and Final_Test/Images/GT-final_test.csv"
            }
            Self::LengthMismatch { .. } => "each row of one belongs to the row of the other with the same number",
            Self::TooFew { .. } => "give more samples, or hold out a share that leaves some on both sides",
            Self::OutOfMemory { .. } => "an array in a .npy file is read by rows and need not fit into memory",
            Self::Parquet { .. } => "copy or write the file again",
            Self::Core(error) => return error.hint(),
            Self::Io { .. } | Self::Parameter { .. } => {
                return None;
            }
        })
    }
}
