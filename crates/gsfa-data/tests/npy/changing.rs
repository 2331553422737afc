//! Files that are open for long, and what others do to them meanwhile.

use std::fs;
use std::io::Write;
use std::path::Path;

use gsfa::file::Overwrite;
use gsfa::samples::{Element, Rows, Samples};
use gsfa_data::npy::{NpyArray, NpzFile, write_source};
use gsfa_data::{Error, ErrorKind};
use ndarray::{Array2, array};
use tempfile::tempdir;

use crate::support::{npy, read64};

/// Whether a file is mapped into the memory of this process, if the system tells.
#[cfg(target_os = "linux")]
fn is_mapped(path: &Path) -> bool {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.contains(path.to_str().unwrap())
}

#[test]
fn a_large_file_is_read_again_and_again_in_little_memory() {
    // 20 MB, in blocks that begin and end anywhere in a page.
    let (rows, columns, block) = (20_001, 250, 257);
    let values: Vec<u8> = (0..rows * columns).flat_map(|k| (k as f32).to_le_bytes()).collect();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&npy("<f4", false, &format!("({rows}, {columns})"), &values)).unwrap();
    let source = NpyArray::open(file.path()).unwrap();
    assert!(source.reads_cheaply());
    for list in [false, true] {
        for from in (0..rows).step_by(block) {
            let to = (from + block).min(rows);
            let mut out = Array2::zeros((to - from, columns));
            let numbers: Vec<usize> = (from..to).collect();
            let wanted = if list { Rows::List(&numbers) } else { Rows::Range(from..to) };
            source.read_single(wanted, out.view_mut()).unwrap();
            assert!(out.iter().zip(from * columns..).all(|(&x, k)| x == k as f32), "{from}");
        }
        #[cfg(target_os = "linux")]
        assert!(!is_mapped(file.path()));
    }
}

/// F59: a mapped file would end the program with a signal.
#[test]
fn a_file_that_becomes_shorter_while_it_is_open_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let data: Vec<u8> = (0..1000 * 100).flat_map(|k| f64::from(k).to_le_bytes()).collect();
    for fortran in [false, true] {
        let whole = npy("<f8", fortran, "(1000, 100)", &data);
        fs::write(&path, &whole).unwrap();
        let array = NpyArray::open(&path).unwrap();
        let promised = whole.len();
        let kept = promised - data.len() + 8 * 100 * 500 + 3;
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(kept as u64).unwrap();
        let mut out = Array2::<f64>::zeros((1000, 100));
        for rows in [Rows::Range(0..1000), Rows::List(&[999; 1000])] {
            let error = gsfa_data::Error::from(array.read_double(rows, out.view_mut()).unwrap_err());
            let expected = format!(
                "{}: file ends at byte {kept}, header promised {promised}: it became shorter while it was read",
                path.display()
            );
            assert_eq!(error.to_string(), expected);
            assert_eq!(error.kind(), ErrorKind::Data);
            assert!(error.hint().is_some());
        }
    }
    // What is still there can be read.
    fs::write(&path, npy("<f8", false, "(1000, 100)", &data)).unwrap();
    let array = NpyArray::open(&path).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(500_000).unwrap();
    let mut out = Array2::<f64>::zeros((500, 100));
    array.read_double(Rows::Range(0..500), out.view_mut()).unwrap();
    assert_eq!(out[[499, 99]], 49_999.0);
}

#[test]
fn a_file_that_grows_or_is_replaced_is_read_as_it_was() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let expected = array![[1.0, 2.0], [3.0, 4.0]];
    write_source(&expected, &path, Element::F64, Overwrite::Never).unwrap();
    let array = NpyArray::open(&path).unwrap();
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[7; 100]).unwrap();
    assert_eq!(read64(&array), expected);
    write_source(&array![[0.0, 0.0]], &path, Element::F64, Overwrite::Replace).unwrap();
    assert_eq!(read64(&array), expected);
    assert_eq!(read64(&array.clone()), expected);
}

#[test]
fn an_archive_that_becomes_shorter_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npz");
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for name in ["a.npy", "b.npy"] {
        zip.start_file(name, options).unwrap();
        zip.write_all(&npy("|u1", false, "(100000,)", &[7; 100_000])).unwrap();
    }
    zip.finish().unwrap();
    let archive = NpzFile::open(&path).unwrap();
    let (a, b) = (archive.array("a").unwrap(), archive.array("b").unwrap());
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(110_000).unwrap();
    assert!(read64(&a).iter().all(|&x| x == 7.0));
    let mut out = Array2::<f64>::zeros((100_000, 1));
    let error = b.read_double(Rows::Range(0..100_000), out.view_mut()).unwrap_err().to_string();
    assert!(
        error.contains("file ends at byte 110000") && error.ends_with("it became shorter while it was read"),
        "{error}"
    );
    assert!(matches!(archive.array("a"), Err(Error::Archive { .. })));
}
