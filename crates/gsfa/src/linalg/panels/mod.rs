//! Rows packed for sums of products over them, $A^T B$.
//!
//! Both factors of a covariance are the same rows, so they are packed once, and every tile of the sum reads them where
//! they lie: a general product would pack them again for each tile. How wide a panel is, is for the kernel to say; it
//! changes no bit of a sum.

mod kernels;

use std::ops::Range;

use ndarray::{ArrayView2, s};

use super::buffers::{Buffer, Buffers};
use super::real::Real;
use kernels::Kernel;
pub use kernels::PanelKernels;

/// Rows of a matrix in panels of some columns, each panel row after row; the last one is filled with zeros.
#[derive(Debug)]
pub struct Panels<'b, T: Real> {
    buffer: Buffer<'b, T>,
    /// The panels begin here, at a border of cache lines.
    start: usize,
    rows: usize,
    columns: usize,
    /// Columns of a panel.
    width: usize,
}

/// Rows that are multiplied at a time, before their product is added to sums: one panel of so many fits into the first
/// cache. The same for every kernel, so that those with fused steps give the same bits.
pub const DEPTH: usize = 256;

/// Numbers in a cache line.
const fn line<T: Real>() -> usize {
    64 / T::BYTES
}

/// The first border of cache lines; where it lies is a matter of speed only.
fn border<T: Real>(values: &[T]) -> usize {
    values.as_ptr().align_offset(64).min(line::<T>())
}

/// The fastest kernel that may be used.
fn fastest<T: Real>() -> Option<Kernel<T>> {
    T::kernels().next()
}

impl<'b, T: Real> Panels<'b, T> {
    /// Panels whose values are yet to be [filled in](Self::part_mut).
    pub fn unfilled(rows: usize, columns: usize, buffers: &'b Buffers<T>) -> Self {
        Self::of_width(fastest::<T>().map_or(1, |kernel| kernel.width), rows, columns, buffers)
    }

    fn of_width(width: usize, rows: usize, columns: usize, buffers: &'b Buffers<T>) -> Self {
        let buffer = buffers.matrix(1, rows * columns.next_multiple_of(width) + line::<T>());
        let start = border(buffer.values());
        Self { buffer, start, rows, columns, width }
    }

    /// Copies rows.
    pub fn of(rows: ArrayView2<'_, T>, buffers: &'b Buffers<T>) -> Self {
        Self::unfilled(rows.nrows(), rows.ncols(), buffers).filled(rows)
    }

    fn filled(self, rows: ArrayView2<'_, T>) -> Self {
        let mut panels = self;
        for (k, row) in rows.outer_iter().enumerate() {
            for p in 0..panels.count() {
                let (columns, out) = panels.part_mut(k, p);
                match row.as_slice() {
                    Some(row) => out.copy_from_slice(&row[columns]),
                    None => out.iter_mut().zip(row.slice(s![columns])).for_each(|(o, x)| *o = *x),
                }
            }
        }
        panels
    }

    /// How many panels there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.columns.div_ceil(self.width)
    }

    /// Columns of a panel.
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The columns rounded up to whole panels.
    pub fn padded(&self) -> usize {
        self.columns.next_multiple_of(self.width)
    }

    /// The columns in a panel, and the numbers of one row in it, to be filled in.
    #[inline(always)]
    pub fn part_mut(&mut self, row: usize, panel: usize) -> (Range<usize>, &mut [T]) {
        let (width, from) = (self.width, panel * self.width);
        let to = (from + width).min(self.columns);
        let at = self.start + (panel * self.rows + row) * width;
        let (out, rest) = self.buffer.values_mut()[at..at + width].split_at_mut(to - from);
        rest.fill(T::default());
        (from..to, out)
    }

    /// The columns in a panel, and the numbers of some of its rows, [`width`](Self::width) each, to be filled in.
    #[inline(always)]
    pub fn strip_mut(&mut self, rows: Range<usize>, panel: usize) -> (Range<usize>, &mut [T]) {
        let (width, from) = (self.width, panel * self.width);
        let start = self.start + panel * self.rows * width;
        let out = &mut self.buffer.values_mut()[start + rows.start * width..start + rows.end * width];
        (from..(from + width).min(self.columns), out)
    }

    /// Each panel: its columns, and its rows one after the other, [`width`](Self::width) numbers each.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, &[T])> {
        let width = self.width;
        let columns = (0..self.columns).step_by(width).map(move |from| from..(from + width).min(self.columns));
        columns.enumerate().map(|(p, columns)| (columns, self.panel(p)))
    }

    /// The same in other memory, every row times a factor.
    pub fn scaled<'c>(&self, factors: &[f64], buffers: &'c Buffers<T>) -> Panels<'c, T> {
        let (width, size) = (self.width, self.rows * self.padded());
        let mut scaled = Panels::of_width(width, self.rows, self.columns, buffers);
        let out = scaled.buffer.values_mut()[scaled.start..][..size].chunks_mut(width);
        let from = self.buffer.values()[self.start..][..size].chunks(width);
        for ((out, from), factor) in out.zip(from).zip(factors.iter().cycle()) {
            out.iter_mut().zip(from).for_each(|(o, x)| *o = x.times(T::from_f64(*factor)));
        }
        scaled
    }

    /// How many columns the rows have.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns from `panel`·[`width`](Self::width) on.
    #[inline(always)]
    fn panel(&self, panel: usize) -> &[T] {
        let length = self.rows * self.width;
        &self.buffer.values()[self.start + panel * length..][..length]
    }

    /// Panels that hold the columns from a multiple of their width on.
    fn range(&self, columns: &Range<usize>) -> Range<usize> {
        columns.start / self.width..columns.end.div_ceil(self.width)
    }
}

/// Two panels whose product is wanted.
pub struct Pair<'a, T> {
    left: &'a [T],
    right: &'a [T],
    /// Rows of both.
    depth: usize,
    /// Columns of each that are in use.
    used: (usize, usize),
    /// Whether the product lies on the diagonal of a symmetric matrix, so that its lower triangle will do.
    diagonal: bool,
    /// The sum of products, column-major from the first entry of this one, with room for the columns of whole panels.
    out: &'a mut [f64],
    /// From a column of `out` to the next.
    stride: usize,
    /// Whether the product takes the place of what is in `out`.
    replace: bool,
}

/// `out += AᵀB`, or `out = AᵀB` if it is the first, for `columns` (of A, of B, both from a multiple of the width of panels
/// on) of packed rows; `out` is column-major with `stride` from a column to the next, and has room for whole panels. If
/// the two begin alike the result is known to be symmetric, and entries above the diagonal are unspecified.
pub fn add_product<T: Real>(
    first: bool,
    out: &mut [f64],
    stride: usize,
    factors: (&Panels<'_, T>, &Panels<'_, T>),
    columns: (Range<usize>, Range<usize>),
) {
    if let Some(kernel) = fastest() {
        add_product_with(&kernel, first, out, stride, factors, columns);
    }
}

fn add_product_with<T: Real>(
    kernel: &Kernel<T>,
    first: bool,
    out: &mut [f64],
    stride: usize,
    (a, b): (&Panels<'_, T>, &Panels<'_, T>),
    columns: (Range<usize>, Range<usize>),
) {
    if a.rows.min(b.rows) == 0 {
        if first {
            out.fill(0.0);
        }
        return;
    }
    let symmetric = columns.0.start == columns.1.start;
    let (width, depth) = (kernel.width, a.rows.min(b.rows));
    for from in (0..depth).step_by(DEPTH) {
        let rows = from * width..depth.min(from + DEPTH) * width;
        for (row, p) in a.range(&columns.0).enumerate() {
            for (column, q) in b.range(&columns.1).enumerate().filter(|(column, _)| !symmetric || *column <= row) {
                let pair = Pair {
                    left: &a.panel(p)[rows.clone()],
                    right: &b.panel(q)[rows.clone()],
                    depth: rows.len() / width,
                    used: (width.min(columns.0.end - p * width), width.min(columns.1.end - q * width)),
                    diagonal: symmetric && column == row,
                    out: &mut out[column * width * stride + row * width..],
                    stride,
                    replace: first && from == 0,
                };
                // SAFETY: kernels are offered on machines only that have what they need.
                unsafe { (kernel.multiply)(pair) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    /// Whole numbers, so that sums are exact in any order.
    fn numbers(rows: usize, columns: usize, seed: usize) -> Array2<f64> {
        Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 31 + j * 17 + seed) % 13) as f64 - 6.0)
    }

    fn every_kernel_multiplies<T: Real>() {
        for kernel in T::kernels() {
            let width = kernel.width;
            for rows in [0, 1, 2, 7, 128, 300] {
                for columns in [1, 5, width - 1, width, width + 1, 2 * width, 3 * width + 9] {
                    kernel_multiplies(&kernel, rows, columns);
                }
            }
        }
    }

    fn kernel_multiplies<T: Real>(kernel: &Kernel<T>, rows: usize, columns: usize) {
        let width = kernel.width;
        let (x, y) = (numbers(rows, columns, 1), numbers(rows, columns, 2));
        // Memory of an earlier matrix, which must not show through.
        let buffers = Buffers::<T>::default();
        drop(Panels::of(Array2::from_elem((rows + 3, columns + 2 * width), T::from_f64(1e9)).view(), &buffers));
        let pack = |x: ArrayView2<'_, T>| Panels::of_width(width, x.nrows(), columns, &buffers).filled(x);
        let a = pack(x.mapv(T::from_f64).view());
        let b = pack(y.t().as_standard_layout().mapv(T::from_f64).t());
        let unit = pack(Array2::from_elem((1, columns), T::from_f64(1.0)).view());
        let expected = x.t().dot(&y);
        let stride = a.padded();
        for from in (0..columns).step_by(width) {
            let mut out = vec![f64::NAN; stride * stride];
            add_product_with(kernel, true, &mut out, stride, (&unit, &unit), (from..columns, 0..columns));
            add_product_with(kernel, false, &mut out, stride, (&a, &b), (from..columns, 0..columns));
            for i in from..columns {
                for j in 0..if from == 0 { i + 1 } else { columns } {
                    let sum = out[j * stride + i - from];
                    assert_eq!(sum, 1.0 + expected[[i, j]], "{rows} {columns} {from} {i} {j}");
                }
            }
        }
    }

    #[test]
    fn every_kernel_multiplies_packed_rows() {
        every_kernel_multiplies::<f32>();
        every_kernel_multiplies::<f64>();
    }

    #[test]
    fn rows_are_scaled() {
        let x = numbers(3, 50, 1);
        let buffers = Buffers::<f64>::default();
        let panels = Panels::of(x.view(), &buffers);
        let scaled = panels.scaled(&[1.0, 2.0, -3.0], &buffers);
        let stride = panels.padded();
        let mut out = vec![0.0; stride * stride];
        add_product(true, &mut out, stride, (&panels, &scaled), (0..50, 0..50));
        let sum = x[[0, 49]] * x[[0, 3]] + 2.0 * x[[1, 49]] * x[[1, 3]] - 3.0 * x[[2, 49]] * x[[2, 3]];
        assert_eq!(out[3 * stride + 49], sum);
    }
}
