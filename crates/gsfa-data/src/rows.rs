//! Rows that are filled one by one, on all threads.

use ndarray::ArrayViewMut2;
use rayon::prelude::*;

use crate::Result;

/// Fills the rows of `out` in parallel; of several failures the one of the first row is returned, whatever the threads.
pub(crate) fn fill_rows<T, F>(mut out: ArrayViewMut2<'_, T>, fill: F) -> Result<()>
where
    T: Copy + Default + Send,
    F: Fn(usize, &mut [T]) -> Result<()> + Sync,
{
    let (rows, dim) = out.dim();
    if rows == 0 || dim == 0 {
        return Ok(());
    }
    let Some(flat) = out.as_slice_mut() else {
        let mut row = vec![T::default(); dim];
        for (k, mut target) in out.rows_mut().into_iter().enumerate() {
            fill(k, &mut row)?;
            target.iter_mut().zip(&row).for_each(|(to, &from)| *to = from);
        }
        return Ok(());
    };
    let failure = flat
        .par_chunks_mut(dim)
        .enumerate()
        .filter_map(|(k, row)| fill(k, row).err().map(|error| (k, error)))
        .min_by_key(|(k, _)| *k);
    failure.map_or(Ok(()), |(_, error)| Err(error))
}
