//! Files larger than memory are errors: every allocation whose size a file decides is asked for, and may be refused.
#![allow(clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use gsfa::samples::{Rows, Samples};
use gsfa_data::finite::Finite;
use gsfa_data::npy::{NpyArray, NpzFile};
use gsfa_data::table::{CsvOptions, LabelSpec, Missing, Table, TableSpec};
use gsfa_data::{Error, ErrorKind, Result, memory};

/// The memory of a machine that has no piece of so many bytes left.
struct Scarce;

static LARGEST: AtomicUsize = AtomicUsize::new(usize::MAX);

fn refused(bytes: usize) -> bool {
    bytes > LARGEST.load(Ordering::Relaxed)
}

// SAFETY: the system's allocator, or none, which callers have to expect.
unsafe impl GlobalAlloc for Scarce {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if refused(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if refused(bytes) { std::ptr::null_mut() } else { unsafe { System.realloc(pointer, layout, bytes) } }
    }
}

#[global_allocator]
static MEMORY: Scarce = Scarce;

/// Works with pieces of memory up to each of many sizes; the smallest are too small and the largest suffice.
fn in_scarce_memory<T>(name: &str, work: impl Fn() -> Result<T>) {
    let (mut failed, mut done) = (0, 0);
    let mut largest: usize = 1 << 16;
    while largest < 1 << 23 {
        LARGEST.store(largest, Ordering::Relaxed);
        let result = work();
        LARGEST.store(usize::MAX, Ordering::Relaxed);
        match result {
            Ok(_) => done += 1,
            Err(error) => {
                assert!(matches!(error, Error::OutOfMemory { .. }), "{name}, {largest}: {error}");
                assert_eq!(error.kind(), ErrorKind::Io);
                assert!(error.to_string().ends_with("bytes do not fit into memory"), "{error}");
                assert!(error.hint().is_some());
                failed += 1;
            }
        }
        largest += largest / 4;
    }
    assert!(failed >= 5 && done >= 2, "{name}: {failed} failed, {done} done");
}

/// F72: an allocation that fails ends the program, unless it is asked for.
#[test]
fn files_larger_than_memory_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let rows = 60_000;
    let csv = folder.path().join("large.csv");
    std::fs::write(&csv, "a,b,y\n".to_string() + &"1.5,,3.25\n".repeat(rows)).unwrap();
    let read = || Table::read_csv(&csv, &CsvOptions::default());
    in_scarce_memory("reading a table", read);

    let table = read().unwrap();
    let spec = TableSpec {
        labels: vec![LabelSpec::named("y")],
        ignore: vec!["b".into()],
        missing: Missing::Drop,
        ..TableSpec::default()
    };
    in_scarce_memory("taking numbers out of a table", || table.dataset(&spec));

    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, 3), }}");
    let mut npy = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    npy.extend((0..3 * rows).flat_map(|k| (k as f32).to_le_bytes()));
    let path = folder.path().join("large.npy");
    std::fs::write(&path, &npy).unwrap();
    let array = NpyArray::open(&path).unwrap();
    in_scarce_memory("a buffer for an array", || {
        let mut all = memory::zeros::<f64>(array.len(), array.dim(), &path)?;
        array.read_double(Rows::Range(0..rows), all.view_mut())?;
        Ok(all)
    });
    // By rows it needs next to nothing.
    LARGEST.store(1 << 20, Ordering::Relaxed);
    let mut some = ndarray::Array2::<f32>::zeros((1000, 3));
    array.read_single(Rows::Range(rows - 1000..rows), some.view_mut()).unwrap();
    LARGEST.store(usize::MAX, Ordering::Relaxed);
    assert_eq!(some[[999, 2]], (3 * rows - 1) as f32);

    let archive = folder.path().join("large.npz");
    let mut zip = zip::ZipWriter::new(std::fs::File::create(&archive).unwrap());
    zip.start_file("x.npy", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&npy).unwrap();
    zip.finish().unwrap();
    in_scarce_memory("a deflated array", || NpzFile::open(&archive)?.array("x"));

    // Nothing that a header says is believed.
    for (rows, columns) in [(1 << 40, 1 << 20), (usize::MAX, 2), (1 << 62, 1)] {
        let error = memory::zeros::<f64>(rows, columns, Path::new("x.npy")).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    }
    assert_eq!(Finite::new(array, Missing::Error).unwrap().len(), rows);
}
