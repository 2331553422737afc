//! What is written appears complete or not at all.

use std::fs;

use gsfa::file::Overwrite;
use gsfa::samples::{Element, Samples};
use gsfa_data::npy::{NpyArray, NpyWriter, write_source};
use gsfa_data::{Error, ErrorKind};
use ndarray::array;
use tempfile::tempdir;

use crate::support::{npy, open, read64};

#[test]
fn what_is_written_is_read_and_numpy_alignment_holds() {
    let folder = tempdir().unwrap();
    let values = array![[0.0, 255.0, 3.0], [7.0, 8.0, 9.0], [1.0, 2.0, 4.0]];
    for element in [Element::U8, Element::F32, Element::F64] {
        let path = folder.path().join(format!("{element:?}.npy"));
        write_source(&values, &path, element, Overwrite::Never).unwrap();
        let array = NpyArray::open(&path).unwrap();
        assert_eq!(read64(&array), values);
        assert_eq!(array.header().data_start % 64, 0);
        assert_eq!(array.element(), element);
    }
    let path = folder.path().join("images.npy");
    let images = open(&npy("|u1", false, "(2, 2, 3)", &[9; 12])).unwrap();
    write_source(&images, &path, Element::U8, Overwrite::Never).unwrap();
    assert_eq!(NpyArray::open(&path).unwrap().header().shape, [2, 2, 3]);
    let error = write_source(&array![[0.5]], folder.path().join("x.npy"), Element::U8, Overwrite::Never).unwrap_err();
    assert_eq!(error.to_string(), "value = 0.5: u8 holds whole numbers from 0 to 255");
}

#[test]
fn an_output_appears_complete_or_not_at_all() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let mut writer = NpyWriter::create(&path, &[2, 1], Element::F64, Overwrite::Never).unwrap();
    writer.append(array![[1.0]].view()).unwrap();
    assert!(writer.append(array![[1.0], [2.0]].view()).is_err());
    assert!(writer.finish().unwrap_err().to_string().contains("2 rows, what was written has 1"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a partial file was left");

    fs::write(&path, "old").unwrap();
    let error = NpyWriter::create(&path, &[2, 1], Element::F64, Overwrite::Never).unwrap_err();
    assert!(error.to_string().ends_with("a.npy exists"));
    assert_eq!(error.kind(), ErrorKind::Usage);
    drop(NpyWriter::create(&path, &[2, 1], Element::F64, Overwrite::Replace).unwrap());
    assert_eq!(fs::read(&path).unwrap(), b"old");

    // The target appears between opening and commit.
    let other = folder.path().join("b");
    let mut writer = NpyWriter::create(&other, &[1, 1], Element::F64, Overwrite::Never).unwrap();
    writer.append(array![[1.0]].view()).unwrap();
    fs::write(&other, "theirs").unwrap();
    assert!(matches!(writer.finish().unwrap_err(), Error::OutputExists { .. }));
    assert_eq!(fs::read(&other).unwrap(), b"theirs");
    let error = NpyWriter::create(folder.path().join("none/x"), &[1, 1], Element::F64, Overwrite::Never).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
}

#[test]
fn an_input_is_not_overwritten_under_another_name() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npy");
    fs::write(&path, "x").unwrap();
    let other = folder.path().join("./sub/../a.npy");
    fs::create_dir(folder.path().join("sub")).unwrap();
    assert!(matches!(gsfa_data::output::refuse_input(&other, &[&path]), Err(Error::OutputIsInput { .. })));
    gsfa_data::output::refuse_input(&folder.path().join("b.npy"), &[&path]).unwrap();
}
