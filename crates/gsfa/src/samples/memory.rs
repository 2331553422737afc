//! Arrays in memory as samples.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use super::{Element, Matrix, Rows, Samples, check_rows};
use crate::Result;

fn copy_columns<A: Copy, T>(
    from: &ArrayView2<'_, A>,
    rows: &Rows<'_>,
    columns: &[usize],
    mut out: ArrayViewMut2<'_, T>,
    convert: impl Fn(A) -> T,
) -> Result<()> {
    check_rows(rows, (from.nrows(), columns.len()), out.dim())?;
    // Rows of a receptive field are runs of neighbouring columns, and runs are copied many times faster.
    let runs: Vec<Range<usize>> = columns.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len()).collect();
    for (k, mut row) in out.outer_iter_mut().enumerate() {
        let from = from.row(rows.row(k));
        match (from.as_slice(), row.as_slice_mut()) {
            (Some(from), Some(mut row)) => {
                for run in &runs {
                    let (to, rest) = row.split_at_mut(run.len());
                    copy_run(&from[run.clone()], to, &convert);
                    row = rest;
                }
            }
            _ => row.iter_mut().zip(columns).for_each(|(o, &c)| *o = convert(from[c])),
        }
    }
    Ok(())
}

/// Copies one run. Eight values at a time are one load and one store; runs are too short for the compiler's own loops.
#[inline(always)]
pub(crate) fn copy_run<A: Copy, T>(from: &[A], to: &mut [T], convert: &impl Fn(A) -> T) {
    let (from_eights, from_rest) = from.as_chunks::<8>();
    let (to_eights, to_rest) = to.as_chunks_mut::<8>();
    to_eights.iter_mut().zip(from_eights).for_each(|(o, x)| *o = x.map(convert));
    to_rest.iter_mut().zip(from_rest).for_each(|(o, &x)| *o = convert(x));
}

fn copy<A: Copy, T>(
    from: &ArrayView2<'_, A>,
    rows: &Rows<'_>,
    mut out: ArrayViewMut2<'_, T>,
    convert: impl Fn(A) -> T,
) -> Result<()> {
    check_rows(rows, from.dim(), out.dim())?;
    for (k, mut row) in out.outer_iter_mut().enumerate() {
        row.zip_mut_with(&from.row(rows.row(k)), |o, &x| *o = convert(x));
    }
    Ok(())
}

macro_rules! samples_in_memory {
    ($type:ty, $element:ident, |$view:ident| $matrix:expr; $($array:ty),*) => {$(
        impl Samples for $array {
            fn len(&self) -> usize {
                self.nrows()
            }
            fn dim(&self) -> usize {
                self.ncols()
            }
            fn element(&self) -> Element {
                Element::$element
            }
            fn reads_cheaply(&self) -> bool {
                true
            }
            fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
                copy(&self.view(), &rows, out, |x| x as f32)
            }
            fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
                copy(&self.view(), &rows, out, f64::from)
            }
            fn read_single_columns(
                &self,
                rows: Rows<'_>,
                columns: &[usize],
                out: ArrayViewMut2<'_, f32>,
            ) -> Result<()> {
                copy_columns(&self.view(), &rows, columns, out, |x| x as f32)
            }
            fn read_double_columns(
                &self,
                rows: Rows<'_>,
                columns: &[usize],
                out: ArrayViewMut2<'_, f64>,
            ) -> Result<()> {
                copy_columns(&self.view(), &rows, columns, out, f64::from)
            }
            fn matrix(&self) -> Option<Matrix<'_>> {
                let $view = self;
                $matrix
            }
        }
    )*};
}

samples_in_memory!(f32, F32, |x| Some(Matrix::Single(x.view())); ArrayView2<'_, f32>, Array2<f32>);
samples_in_memory!(f64, F64, |x| Some(Matrix::Double(x.view())); ArrayView2<'_, f64>, Array2<f64>);
samples_in_memory!(u8, U8, |_x| None; ArrayView2<'_, u8>, Array2<u8>);
