//! Views of `ndarray` matrices as backend matrices, without copies.

use faer::{Mat, MatMut, MatRef};
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

/// The same memory, seen by the backend.
pub fn as_faer<T>(a: ArrayView2<'_, T>) -> MatRef<'_, T> {
    let (rows, columns) = a.dim();
    let strides = a.strides();
    // SAFETY: pointer, shape and strides (in elements, negative ones allowed on both sides) describe the same memory,
    // borrowed for the lifetime of the view.
    unsafe { MatRef::from_raw_parts(a.as_ptr(), rows, columns, strides[0], strides[1]) }
}

/// The same memory, seen by the backend, writable.
pub fn as_faer_mut<T>(mut a: ArrayViewMut2<'_, T>) -> MatMut<'_, T> {
    let (rows, columns) = a.dim();
    let (row_stride, column_stride) = (a.strides()[0], a.strides()[1]);
    // SAFETY: as above; the view is exclusive and consumed here, and its elements do not overlap.
    unsafe { MatMut::from_raw_parts_mut(a.as_mut_ptr(), rows, columns, row_stride, column_stride) }
}

/// A copy in `ndarray`'s row-major order.
pub fn to_ndarray(a: MatRef<'_, f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.nrows(), a.ncols()), |(i, j)| a[(i, j)])
}

/// A copy in the backend's column-major order.
pub fn to_faer(a: ArrayView2<'_, f64>) -> Mat<f64> {
    let (rows, columns) = a.dim();
    Mat::from_fn(rows, columns, |i, j| a[[i, j]])
}
