//! Files made by hand.

use std::fs;

use gsfa::samples::{Rows, Samples};
use gsfa_data::npy::NpyArray;
use gsfa_data::{Error, ErrorKind};
use ndarray::Array2;
use tempfile::tempdir;

pub fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    with_header(&format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"), data)
}

pub fn with_header(text: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

pub fn open(bytes: &[u8]) -> Result<NpyArray, Error> {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npy");
    fs::write(&path, bytes).unwrap();
    NpyArray::open(&path)
}

pub fn read64(source: &dyn Samples) -> Array2<f64> {
    let mut out = Array2::zeros((source.len(), source.dim()));
    source.read_double(Rows::Range(0..source.len()), out.view_mut()).unwrap();
    out
}

pub fn message(bytes: &[u8]) -> String {
    let error = open(bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    assert!(error.hint().is_some());
    error.to_string()
}
