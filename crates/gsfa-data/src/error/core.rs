//! Between errors of files and those of the core, which reads samples: each keeps the other as it is.

use gsfa::error::Cause;

use super::Error;

impl From<Error> for gsfa::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Core(error) => error,
            other => Self::Reading { cause: Cause::new(other) },
        }
    }
}

impl From<gsfa::Error> for Error {
    fn from(error: gsfa::Error) -> Self {
        match error {
            gsfa::Error::Reading { cause } => match cause.downcast() {
                Ok(own) => *own,
                Err(cause) => Self::Core(gsfa::Error::Reading { cause }),
            },
            other => Self::Core(other),
        }
    }
}
