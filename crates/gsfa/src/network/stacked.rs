//! The features of a layer.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};

use crate::samples::{Rows, SampleType, copy_run};

/// What all nodes of a layer give: the features of the first node for all samples, then those of the second, and so on.
///
/// A node of the next layer reads features of a few nodes for all samples: here they are runs of memory, where rows of
/// all features would be a page apart.
#[derive(Clone, Copy)]
pub(super) struct Stacked<'a, T> {
    features: ArrayView2<'a, T>,
    samples: usize,
}

impl<'a, T: SampleType> Stacked<'a, T> {
    pub fn new(features: ArrayView2<'a, T>, samples: usize) -> Self {
        Self { features, samples }
    }

    pub fn len(&self) -> usize {
        self.samples
    }

    /// Features of all nodes.
    pub fn dim(&self) -> usize {
        self.features.len().checked_div(self.samples).unwrap_or(0)
    }

    /// The features of all samples, if there is one node.
    pub fn matrix(&self) -> Option<ArrayView2<'a, T>> {
        (self.features.nrows() == self.samples).then_some(self.features)
    }

    /// Side by side, one row per sample.
    pub fn joined(&self) -> Array2<f64> {
        let mut all = Array2::zeros((self.samples, self.dim()));
        self.copy(&Rows::Range(0..self.samples), None, all.view_mut(), |x| x.to_f64());
        all
    }

    /// Some of the features, or all, for some of the samples.
    pub fn copy<A>(
        &self,
        rows: &Rows<'_>,
        columns: Option<&[usize]>,
        mut out: ArrayViewMut2<'_, A>,
        convert: impl Fn(T) -> A,
    ) {
        let own = self.features.ncols().max(1);
        let mut at = 0;
        for run in runs(columns, self.dim(), own) {
            let (first, width) = (run.start / own * self.samples, run.len());
            let columns = run.start % own..run.start % own + width;
            for (k, mut to) in out.slice_mut(s![.., at..at + width]).outer_iter_mut().enumerate() {
                let from = self.features.row(first + rows.row(k));
                match (from.as_slice(), to.as_slice_mut()) {
                    (Some(from), Some(to)) => {
                        copy_run(&from[columns.clone()], to, &convert);
                    }
                    _ => to.iter_mut().zip(from.slice(s![columns.clone()])).for_each(|(o, &x)| *o = convert(x)),
                }
            }
            at += width;
        }
    }
}

/// Runs of neighbouring columns within one node of `own` features.
fn runs(columns: Option<&[usize]>, dim: usize, own: usize) -> Vec<Range<usize>> {
    match columns {
        None => (0..dim).step_by(own).map(|from| from..from + own).collect(),
        Some(columns) => {
            let joined = |a: &usize, b: &usize| a + 1 == *b && !b.is_multiple_of(own);
            columns.chunk_by(joined).map(|run| run[0]..run[0] + run.len()).collect()
        }
    }
}
