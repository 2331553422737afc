//! Errors of others, within ours.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why samples could not be read: the error of whatever holds them. Two are equal if they say the same.
#[derive(Debug, Clone)]
pub struct Cause(Arc<Box<dyn Error + Send + Sync>>);

impl Cause {
    /// From any error, or from words.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Arc::new(error.into()))
    }

    /// The error, if it is of this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }

    /// The error itself, if it is of this type and nobody else has it.
    ///
    /// # Errors
    /// The cause as it was.
    pub fn downcast<E: Error + 'static>(self) -> Result<Box<E>, Self> {
        let error = Arc::try_unwrap(self.0).map_err(Self)?;
        error.downcast().map_err(|error| Self(Arc::new(error)))
    }
}

impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
