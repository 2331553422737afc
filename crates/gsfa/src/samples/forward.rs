//! What points to samples is samples.

use ndarray::ArrayViewMut2;

use super::{Element, InputShape, Matrix, Precision, Rows, Samples};
use crate::Result;

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<S: Samples + ?Sized> Samples for $pointer {
            fn len(&self) -> usize {
                (**self).len()
            }
            fn dim(&self) -> usize {
                (**self).dim()
            }
            fn element(&self) -> Element {
                (**self).element()
            }
            fn precision(&self) -> Precision {
                (**self).precision()
            }
            fn image_shape(&self) -> Option<InputShape> {
                (**self).image_shape()
            }
            fn reads_cheaply(&self) -> bool {
                (**self).reads_cheaply()
            }
            fn original_row(&self, row: usize) -> usize {
                (**self).original_row(row)
            }
            fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
                (**self).read_single(rows, out)
            }
            fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
                (**self).read_double(rows, out)
            }
            fn read_single_columns(
                &self,
                rows: Rows<'_>,
                columns: &[usize],
                out: ArrayViewMut2<'_, f32>,
            ) -> Result<()> {
                (**self).read_single_columns(rows, columns, out)
            }
            fn read_double_columns(
                &self,
                rows: Rows<'_>,
                columns: &[usize],
                out: ArrayViewMut2<'_, f64>,
            ) -> Result<()> {
                (**self).read_double_columns(rows, columns, out)
            }
            fn matrix(&self) -> Option<Matrix<'_>> {
                (**self).matrix()
            }
        }
    )*};
}

forward!(&S, Box<S>, std::sync::Arc<S>);
