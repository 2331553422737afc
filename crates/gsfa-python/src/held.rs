//! Samples in NumPy memory, as the library reads them.

use gsfa::samples::Samples;
use ndarray::{ArrayView2, Ix2, RawArrayView};
use numpy::{Element, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A matrix of a NumPy array, which it keeps alive: work that was interrupted may still be reading it.
pub struct Memory<T> {
    _owner: Py<PyArray2<T>>,
    view: RawArrayView<T, Ix2>,
}

// The memory is only read, and lives as long as its owner. That nobody writes to it in the meantime is the caller's
// promise, as with every NumPy function that releases the interpreter; numbers of any bits are valid numbers.
unsafe impl<T: Sync> Send for Memory<T> {}
unsafe impl<T: Sync> Sync for Memory<T> {}

impl<T: Element> Memory<T> {
    fn new(array: &Bound<'_, PyArray2<T>>) -> PyResult<Self> {
        if !array.is_c_contiguous() {
            return Err(PyTypeError::new_err("the array must be C-contiguous"));
        }
        let (shape, data) = ((array.shape()[0], array.shape()[1]), array.data());
        // The array is contiguous, of this shape, and its elements are of this type.
        let view = unsafe { RawArrayView::from_shape_ptr(shape, data.cast_const()) };
        Ok(Self { _owner: array.clone().unbind(), view })
    }

    pub fn view(&self) -> ArrayView2<'_, T> {
        // The owner is alive as long as `self` is.
        unsafe { self.view.deref_into_view() }
    }
}

/// Samples of one of the types that need no conversion.
pub enum Held {
    Single(Memory<f32>),
    Double(Memory<f64>),
    Byte(Memory<u8>),
}

impl Held {
    /// The samples of a C-contiguous matrix of f32, f64 or u8.
    pub fn new(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(array) = array.cast::<PyArray2<f64>>() {
            return Ok(Self::Double(Memory::new(array)?));
        }
        if let Ok(array) = array.cast::<PyArray2<f32>>() {
            return Ok(Self::Single(Memory::new(array)?));
        }
        if let Ok(array) = array.cast::<PyArray2<u8>>() {
            return Ok(Self::Byte(Memory::new(array)?));
        }
        Err(PyTypeError::new_err("samples must be a matrix of float64, float32 or uint8"))
    }

    /// Calls `f` with the samples.
    pub fn with<R>(&self, f: impl FnOnce(&dyn Samples) -> R) -> R {
        match self {
            Self::Single(memory) => f(&memory.view()),
            Self::Double(memory) => f(&memory.view()),
            Self::Byte(memory) => f(&memory.view()),
        }
    }

    pub fn len(&self) -> usize {
        self.with(|samples| samples.len())
    }
}
