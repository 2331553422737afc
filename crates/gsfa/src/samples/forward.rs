//! What points to samples is samples; and what adapts them leaves most as it is.

use ndarray::ArrayViewMut2;

use super::{Element, InputShape, Matrix, Precision, Rows, Samples};
use crate::Result;

/// Methods of [`Samples`] that are those of other samples.
macro_rules! forward {
    ($self:ident => $to:expr; $($method:ident),*) => {
        $(forward!(@$method $self $to);)*
    };
    (@len $self:ident $to:expr) => {
        fn len(&$self) -> usize {
            $to.len()
        }
    };
    (@dim $self:ident $to:expr) => {
        fn dim(&$self) -> usize {
            $to.dim()
        }
    };
    (@element $self:ident $to:expr) => {
        fn element(&$self) -> Element {
            $to.element()
        }
    };
    (@precision $self:ident $to:expr) => {
        fn precision(&$self) -> Precision {
            $to.precision()
        }
    };
    (@image_shape $self:ident $to:expr) => {
        fn image_shape(&$self) -> Option<InputShape> {
            $to.image_shape()
        }
    };
    (@reads_cheaply $self:ident $to:expr) => {
        fn reads_cheaply(&$self) -> bool {
            $to.reads_cheaply()
        }
    };
    (@original_row $self:ident $to:expr) => {
        fn original_row(&$self, row: usize) -> usize {
            $to.original_row(row)
        }
    };
    (@matrix $self:ident $to:expr) => {
        fn matrix(&$self) -> Option<Matrix<'_>> {
            $to.matrix()
        }
    };
    (@read $self:ident $to:expr) => {
        fn read_single(&$self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
            $to.read_single(rows, out)
        }
        fn read_double(&$self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
            $to.read_double(rows, out)
        }
        fn read_single_columns(&$self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f32>) -> Result<()> {
            $to.read_single_columns(rows, columns, out)
        }
        fn read_double_columns(&$self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f64>) -> Result<()> {
            $to.read_double_columns(rows, columns, out)
        }
    };
}
pub(crate) use forward;

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<S: Samples + ?Sized> Samples for $pointer {
            forward!(self => (**self);
                len, dim, element, precision, image_shape, reads_cheaply, original_row, read, matrix);
        }
    )*};
}

pointers!(&S, Box<S>, std::sync::Arc<S>);
