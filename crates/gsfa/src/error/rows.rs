//! Errors about rows, in terms of the caller's rows.

use super::{Error, Places};

impl Error {
    /// The same error where rows are numbered in another way: `original` gives the number that a row has for the user,
    /// e.g. in a file of which some rows were left out.
    ///
    /// ```
    /// use gsfa::Error;
    /// let kept = [0, 2, 5]; // of the rows of a file
    /// let error = Error::NonFiniteSample { row: 2, column: 0, total: 1 }.with_rows(|row| kept[row]);
    /// assert_eq!(error, Error::NonFiniteSample { row: 5, column: 0, total: 1 });
    /// ```
    #[must_use]
    pub fn with_rows(mut self, original: impl Fn(usize) -> usize) -> Self {
        let renumber = |places: &mut Places| places.first.iter_mut().for_each(|row| *row = original(*row));
        match &mut self {
            Self::NonFiniteSample { row, .. } | Self::Overflow { row, .. } | Self::NodeOverflow { row, .. } => {
                *row = original(*row);
            }
            Self::PartlyLabeled { places } | Self::MissingClasses { places, .. } => renumber(places),
            Self::NonFinite { what, places } | Self::NotPositive { what, places } if has_rows(what) => renumber(places),
            _ => {}
        }
        self
    }
}

/// Whether something has a value for each sample: eigenvalues and importances have positions of their own.
fn has_rows(what: &str) -> bool {
    what.starts_with("label ") || what == "sample weights"
}
