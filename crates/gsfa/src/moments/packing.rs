//! Rows on their way into panels: shifted, scaled, times a root, and looked at.

use std::ops::Range;

use crate::linalg::panels::Panels;
use crate::linalg::{Real, vectorized};

/// Rows that are packed together, panel by panel. Panels of 12 columns are three vectors: what is done once for so few
/// numbers, like finding their place, takes longer than packing them. Lines of the panels, whose rows often lie at the same
/// place of the first cache, are written as a whole.
const STRIP: usize = 16;

/// Some rows, what is subtracted from each, and by what it is multiplied.
struct Strip<'a, T> {
    rows: &'a [&'a [T]],
    shifts: &'a [&'a [T]],
    roots: &'a [T],
}

vectorized! {
    /// Packs rows root·(x − s)·2^k, each with a shift of its own; returns the first one with a value that is not finite or
    /// too large.
    pub fn pack_rows<T: Real>(
        rows: &[&[T]],
        shifts: &[&[T]],
        scale: &[T],
        roots: &[T],
        out: &mut Panels<'_, T>,
    ) -> Option<usize> {
        for from in (0..rows.len()).step_by(STRIP) {
            let at = from..(from + STRIP).min(rows.len());
            let strip = Strip { rows: &rows[at.clone()], shifts: &shifts[at.clone()], roots: &roots[at.clone()] };
            if !pack_strip(&strip, scale, at, out) {
                let bad = |n: &usize| !within(rows[*n], shifts[*n], scale);
                return (from..rows.len()).find(bad);
            }
        }
        None
    }
}

/// Packs the rows `at` of all panels; returns whether all values are small enough.
#[inline(always)]
fn pack_strip<T: Real>(strip: &Strip<'_, T>, scale: &[T], at: Range<usize>, out: &mut Panels<'_, T>) -> bool {
    let width = out.width();
    let mut good = true;
    for panel in 0..out.count() {
        let (columns, out) = out.strip_mut(at.clone(), panel);
        // The length of whole panels is known to the compiler.
        good &= match (columns.len() == width, width) {
            (true, 12) => pack_whole::<T, 12>(strip, columns, scale, out),
            (true, 24) => pack_whole::<T, 24>(strip, columns, scale, out),
            (true, 48) => pack_whole::<T, 48>(strip, columns, scale, out),
            _ => pack_some(strip, columns, scale, out, width),
        };
    }
    good
}

#[inline(always)]
fn pack_whole<T: Real, const N: usize>(
    strip: &Strip<'_, T>,
    columns: Range<usize>,
    scale: &[T],
    out: &mut [T],
) -> bool {
    let (limit, one) = (T::from_f64(T::LARGEST), T::from_f64(1.0));
    let scale = copied::<T, N>(&scale[columns.clone()]);
    // Numbers, so that comparisons stay as wide as these.
    let mut bad = [T::default(); N];
    for (k, out) in out.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        // Copies: as far as the compiler knows, writing to the panel could change the row.
        let row = copied::<T, N>(&strip.rows[k][columns.clone()]);
        let shift = copied::<T, N>(&strip.shifts[k][columns.clone()]);
        let root = strip.roots[k];
        let mut packed = [T::default(); N];
        for i in 0..N {
            let y = row[i].shifted(shift[i], scale[i]);
            bad[i] = if y.within(limit) { bad[i] } else { one };
            packed[i] = y.times(root);
        }
        *out = packed;
    }
    let mut good = true;
    for value in bad {
        good &= value == T::default();
    }
    good
}

#[inline(always)]
fn copied<T: Real, const N: usize>(values: &[T]) -> [T; N] {
    let mut copy = [T::default(); N];
    copy.copy_from_slice(values);
    copy
}

/// The same for a panel that is not full, or of any width.
#[inline(always)]
fn pack_some<T: Real>(strip: &Strip<'_, T>, columns: Range<usize>, scale: &[T], out: &mut [T], width: usize) -> bool {
    let (limit, one) = (T::from_f64(T::LARGEST), T::from_f64(1.0));
    let scale = &scale[columns.clone()];
    let mut bad = T::default();
    for (k, out) in out.chunks_exact_mut(width).enumerate() {
        let (row, shift, root) = (&strip.rows[k][columns.clone()], &strip.shifts[k][columns.clone()], strip.roots[k]);
        let (out, rest) = out.split_at_mut(columns.len());
        rest.fill(T::default());
        for (((o, x), &s), &c) in out.iter_mut().zip(row).zip(shift).zip(scale) {
            let y = x.shifted(s, c);
            bad = if y.within(limit) { bad } else { one };
            *o = y.times(root);
        }
    }
    bad == T::default()
}

/// Whether all values of a row are small enough.
fn within<T: Real>(row: &[T], shift: &[T], scale: &[T]) -> bool {
    let limit = T::from_f64(T::LARGEST);
    row.iter().zip(shift).zip(scale).all(|((x, &s), &c)| x.shifted(s, c).within(limit))
}
