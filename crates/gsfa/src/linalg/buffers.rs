//! Memory that serves again.

use std::sync::{Mutex, PoisonError};

use ndarray::{ArrayView2, ArrayViewMut2};

use super::Real;
use super::memory::zeroed;

/// Pools of buffers for matrices that live for one block of rows or one node: asking the system for fresh memory again
/// and again, and setting it to zero, would take longer than some of the sums.
#[derive(Debug)]
pub struct Buffers<T> {
    samples: Pool<T>,
    sums: Pool<f64>,
}

type Pool<T> = Mutex<Vec<Vec<T>>>;

/// A matrix in a buffer of a pool; its values are whatever was there before.
#[derive(Debug)]
pub struct Buffer<'a, T: Real> {
    pool: &'a Pool<T>,
    values: Vec<T>,
    shape: (usize, usize),
}

impl<T> Default for Buffers<T> {
    fn default() -> Self {
        Self { samples: Mutex::default(), sums: Mutex::default() }
    }
}

impl<T: Real> Buffers<T> {
    /// A matrix of samples, in the smallest free buffer that holds it.
    pub fn matrix(&self, rows: usize, columns: usize) -> Buffer<'_, T> {
        Buffer::from(&self.samples, rows, columns)
    }

    /// A matrix of sums.
    pub fn sums(&self, rows: usize, columns: usize) -> Buffer<'_, f64> {
        Buffer::from(&self.sums, rows, columns)
    }
}

impl<'a, T: Real> Buffer<'a, T> {
    fn from(pool: &'a Pool<T>, rows: usize, columns: usize) -> Self {
        let size = rows * columns;
        let mut free = pool.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = (0..free.len()).filter(|&k| free[k].len() >= size).min_by_key(|&k| free[k].len());
        let found = fitting.map(|k| free.swap_remove(k));
        drop(free);
        let values = found.unwrap_or_else(|| zeroed(size));
        let mut buffer = Self { pool, values, shape: (rows, columns) };
        if cfg!(debug_assertions) {
            buffer.view_mut().fill(T::from_f64(f64::NAN));
        }
        buffer
    }

    /// The matrix.
    pub fn view(&self) -> ArrayView2<'_, T> {
        // SAFETY: `values` holds rows × columns numbers, borrowed as long as the view.
        unsafe { ArrayView2::from_shape_ptr(self.shape, self.values().as_ptr()) }
    }

    /// Its numbers, row by row.
    pub fn values(&self) -> &[T] {
        &self.values[..self.shape.0 * self.shape.1]
    }

    /// Its numbers, row by row, to be filled.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values[..self.shape.0 * self.shape.1]
    }

    /// The matrix, to be filled.
    pub fn view_mut(&mut self) -> ArrayViewMut2<'_, T> {
        // SAFETY: as above, and exclusive.
        unsafe { ArrayViewMut2::from_shape_ptr(self.shape, self.values_mut().as_mut_ptr()) }
    }
}

impl<T: Real> Drop for Buffer<'_, T> {
    fn drop(&mut self) {
        let mut free = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(std::mem::take(&mut self.values));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_serves_again_where_it_is_large_enough() {
        let pool = Buffers::<f64>::default();
        let first = {
            let mut a = pool.matrix(3, 4);
            a.view_mut().fill(1.0);
            a.view().as_ptr()
        };
        let small = pool.matrix(2, 5);
        assert_eq!((small.view().as_ptr(), small.view().dim()), (first, (2, 5)));
        // While the first is in use, another one is made.
        assert_ne!(pool.matrix(1, 1).view().as_ptr(), first);
        drop(small);
        assert_eq!(pool.matrix(3, 4).view().as_ptr(), first);
        assert_eq!(pool.matrix(0, 7).view().dim(), (0, 7));
    }
}
