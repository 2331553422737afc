//! Arrays: every type, order and endianness; hostile headers; writing.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::Path;

use gsfa_data::atomic::{AtomicFile, Overwrite};
use gsfa_data::finite::{Finite, Survey};
use gsfa_data::npy::{Header, NpyArray, NpyWriter, NpzFile, write_source};
use gsfa_data::source::{Element, ImageShape, Rows, Source, Subset};
use gsfa_data::table::Missing;
use gsfa_data::{Error, ErrorKind};
use ndarray::{Array2, array, s};
use proptest::prelude::*;
use tempfile::tempdir;

fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let fortran = if fortran { "True" } else { "False" };
    with_header(&format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"), data)
}

fn with_header(text: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((text.len() as u16).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(data);
    bytes
}

fn open(bytes: &[u8]) -> Result<NpyArray, Error> {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npy");
    fs::write(&path, bytes).unwrap();
    NpyArray::open(&path)
}

fn read64(source: &dyn Source) -> Array2<f64> {
    let mut out = Array2::zeros((source.len(), source.dim()));
    source.read_f64(&Rows::Range(0..source.len()), out.view_mut()).unwrap();
    out
}

fn message(bytes: &[u8]) -> String {
    let error = open(bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
    assert!(error.hint().is_some());
    error.to_string()
}

#[test]
fn every_type_in_both_byte_orders_and_both_orders_reads_the_same_numbers() {
    let values = [0_i64, 1, 2, 100, 17, 5];
    macro_rules! check {
        ($type:ty, $code:expr, $values:expr) => {
            let numbers: Vec<$type> = $values.iter().map(|&v| v as $type).collect();
            // Fortran order of a 2x3 array: columns one after the other.
            let fortran: Vec<$type> = [0, 3, 1, 4, 2, 5].iter().map(|&i| numbers[i]).collect();
            for (mark, swap) in [("<", false), (">", true)] {
                for (order, data) in [(false, &numbers), (true, &fortran)] {
                    let bytes: Vec<u8> =
                        data.iter().flat_map(|x| if swap { x.to_be_bytes() } else { x.to_le_bytes() }).collect();
                    let array = open(&npy(&format!("{mark}{}", $code), order, "(2, 3)", &bytes)).unwrap();
                    let expected = Array2::from_shape_fn((2, 3), |(n, i)| numbers[3 * n + i] as f64);
                    assert_eq!(read64(&array), expected, "{mark}{} fortran {order}", $code);
                    let mut single = Array2::<f32>::zeros((2, 3));
                    array.read_f32(&Rows::List(&[1, 0]), single.view_mut()).unwrap();
                    assert_eq!(single.row(1).to_vec(), expected.row(0).mapv(|x| x as f32).to_vec());
                    assert_eq!((array.len(), array.dim(), array.image_shape()), (2, 3, None));
                }
            }
        };
    }
    check!(i8, "i1", values.map(|v| -v));
    check!(i16, "i2", values.map(|v| -300 * v));
    check!(i32, "i4", values.map(|v| -70_000 * v));
    check!(i64, "i8", values.map(|v| -5_000_000_000 * v));
    check!(u8, "u1", values);
    check!(u16, "u2", values.map(|v| 600 * v));
    check!(u32, "u4", values.map(|v| 40_000_000 * v));
    check!(u64, "u8", values.map(|v| 90_000_000_000_000 * v));
    check!(f32, "f4", [0.5_f64, -1.25, 3e30, 0.0, 1e-3, 2.0]);
    check!(f64, "f8", [0.1_f64, -1.25, 3e300, 0.0, 1e-300, 2.0]);
}

#[test]
fn booleans_are_zero_and_one() {
    let array = open(&npy("|b1", false, "(3,)", &[0, 1, 2])).unwrap();
    assert_eq!(read64(&array), array![[0.0], [1.0], [1.0]]);
    assert_eq!(array.element(), Element::Bool);
}

#[test]
fn images_in_fortran_order_are_the_same_rows() {
    let (n, h, w, c) = (2, 3, 2, 3);
    let value = |i: usize, y: usize, x: usize, k: usize| (((i * h + y) * w + x) * c + k) as u8;
    let straight: Vec<u8> = (0..(n * h * w * c) as u8).collect();
    let mut fortran = Vec::new();
    for k in 0..c {
        for x in 0..w {
            for y in 0..h {
                (0..n).for_each(|i| fortran.push(value(i, y, x, k)));
            }
        }
    }
    let a = open(&npy("|u1", false, "(2, 3, 2, 3)", &straight)).unwrap();
    let b = open(&npy("|u1", true, "(2, 3, 2, 3)", &fortran)).unwrap();
    assert_eq!(read64(&a), read64(&b));
    assert_eq!(b.image_shape(), Some(ImageShape { height: 3, width: 2, channels: 3 }));
    assert_eq!(open(&npy("|u1", false, "(2, 3, 6)", &straight)).unwrap().image_shape().unwrap().channels, 1);
}

/// Megabytes of a mapped file that are in the memory of this process, if the system tells.
#[cfg(target_os = "linux")]
fn resident(path: &std::path::Path) -> Option<usize> {
    let maps = std::fs::read_to_string("/proc/self/smaps").ok()?;
    let after = maps.split(path.to_str()?).nth(1)?;
    let line = after.lines().find(|line| line.starts_with("Rss:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kilobytes| kilobytes / 1024)
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
            source.read_f32(&wanted, out.view_mut()).unwrap();
            assert!(out.iter().zip(from * columns..).all(|(&x, k)| x == k as f32), "{from}");
        }
        #[cfg(target_os = "linux")]
        assert!(resident(file.path()).is_none_or(|megabytes| megabytes <= 4));
    }
}

#[test]
fn rows_out_of_range_and_wrong_buffers_are_errors() {
    let array = open(&npy("|u1", false, "(2, 3)", &[0; 6])).unwrap();
    let mut out = Array2::<f64>::zeros((1, 3));
    let error = array.read_f64(&Rows::List(&[2]), out.view_mut()).unwrap_err();
    assert_eq!(error.to_string(), "row 2 was asked for, there are 2 rows");
    let error = array.read_f64(&Rows::Range(0..2), out.view_mut()).unwrap_err();
    assert_eq!(error.to_string(), "the buffer is 1x3, the rows asked for are 2x3");
}

#[test]
fn buffers_may_have_any_layout() {
    let array = open(&npy("|u1", false, "(2, 3)", &[0, 1, 2, 3, 4, 5])).unwrap();
    let mut wide = Array2::<f64>::zeros((3, 4));
    array.read_f64(&Rows::Range(0..2), wide.t().to_owned().slice_mut(s![..2, ..3])).unwrap();
    array.read_f64(&Rows::Range(0..2), wide.slice_mut(s![.., ..2]).reversed_axes()).unwrap();
    assert_eq!(wide, array![[0.0, 3.0, 0.0, 0.0], [1.0, 4.0, 0.0, 0.0], [2.0, 5.0, 0.0, 0.0]]);
}

#[test]
fn truncated_files_say_where_they_end() {
    let whole = npy("<f8", false, "(10, 100)", &[0; 8000]);
    let header = whole.len() - 8000;
    let text = message(&whole[..1024]);
    assert!(text.ends_with(&format!("file ends at byte 1024, header promises {}", header + 8000)), "{text}");
    assert!(message(&whole[..40]).contains("file ends at byte 40, header promises"));
    assert!(message(&whole[..4]).contains("file ends at byte 4"));
    let mut longer = whole;
    longer.push(0);
    assert!(message(&longer).contains(&format!("header promises {} bytes, file has {}", header + 8000, header + 8001)));
}

#[test]
fn hostile_headers_are_refused_before_anything_is_allocated() {
    let f8 = |shape: &str| npy("<f8", false, shape, &[]);
    assert!(message(&npy("|O", false, "(3,)", &[0; 24])).ends_with("pickled arrays are refused"));
    assert!(message(&npy("<c16", false, "(1,)", &[0; 16])).contains("element type '<c16'"));
    assert!(message(&npy("<U5", false, "(1,)", &[0; 20])).contains("element type '<U5'"));
    let overflow = "more elements than memory has addresses";
    assert!(message(&f8("(9223372036854775807, 9223372036854775807)")).contains(overflow));
    assert!(message(&f8("(0, 9223372036854775807, 9223372036854775807)")).contains(overflow));
    assert!(message(&f8("(99999999999999999999999,)")).contains("longer than memory has addresses"));
    assert!(message(&f8("(4611686018427387904, 8)")).contains(overflow));
    assert!(message(&f8("(1000000, 1000000)")).contains("header promises"));
    assert!(message(&f8("()")).contains("shape []"));
    assert!(message(&f8("(1, 1, 1, 1, 0)")).contains("shape [1, 1, 1, 1, 0]"));
    assert!(message(&f8("(-1,)")).contains("expected a whole number"));
    let mut long = b"\x93NUMPY\x02\x00".to_vec();
    long.extend(0x7fff_ffff_u32.to_le_bytes());
    assert!(message(&long).contains("longer than 1 MB"));
    assert!(message(b"\x93NUMPY\x07\x00\x00\x00\x00\x00").contains("versions 1 to 3"));
    assert!(message(b"PK\x03\x04 not an array at all").contains("does not begin with"));
    assert!(message(b"").contains("file ends at byte 0"));
    for text in [
        "{'descr': '<f8', 'descr': '<f8'}",
        "{'descr': '<f8'}",
        "{'shape': (1,)",
        "{'x': 1}",
        "",
        "{'descr': [('a', '<f8')]",
    ] {
        open(&with_header(text, &[])).unwrap_err();
    }
    let structured = "{'descr': [('a', '<f8'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,)}";
    assert!(message(&with_header(structured, &[0; 12])).contains("[structured]"));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = Header::parse(&bytes, Path::new("a"));
    }

    #[test]
    fn random_header_text_never_panics(text in "[{}\\[\\]():,'\" a-zA-Z0-9<>|LT]{0,80}") {
        let _ = Header::parse(&with_header(&text, &[]), Path::new("a"));
    }

    #[test]
    fn a_damaged_byte_of_a_good_file_is_an_error_or_an_array(at in 0_usize..140, byte in any::<u8>()) {
        let mut bytes = npy("<f4", false, "(4, 3)", &[1; 48]);
        let len = bytes.len();
        bytes[at % len] = byte;
        if let Ok(array) = open(&bytes) {
            read64(&array);
        }
    }
}

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
    let mut file = AtomicFile::create(&other, Overwrite::Never).unwrap();
    file.write_all(b"new").unwrap();
    fs::write(&other, "theirs").unwrap();
    assert!(matches!(file.commit().unwrap_err(), Error::OutputExists { .. }));
    assert_eq!(fs::read(&other).unwrap(), b"theirs");
    let error = AtomicFile::create(folder.path().join("none/x"), Overwrite::Never).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
}

#[test]
fn an_input_is_not_overwritten_under_another_name() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npy");
    fs::write(&path, "x").unwrap();
    let other = folder.path().join("./sub/../a.npy");
    fs::create_dir(folder.path().join("sub")).unwrap();
    assert!(matches!(gsfa_data::atomic::refuse_input(&other, &[&path]), Err(Error::OutputIsInput { .. })));
    gsfa_data::atomic::refuse_input(&folder.path().join("b.npy"), &[&path]).unwrap();
}

#[test]
fn archives_give_stored_and_deflated_members() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.npz");
    let a = npy("<f4", false, "(2, 2)", &[1.0_f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat());
    let b = npy("|u1", false, "(3,)", &[7, 8, 9]);
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("a.npy", options.compression_method(zip::CompressionMethod::Stored)).unwrap();
    zip.write_all(&a).unwrap();
    zip.start_file("b.npy", options.compression_method(zip::CompressionMethod::Deflated)).unwrap();
    zip.write_all(&b).unwrap();
    zip.finish().unwrap();

    let archive = NpzFile::open(&path).unwrap();
    assert_eq!(archive.names(), ["a", "b"]);
    assert_eq!(read64(&archive.array("a").unwrap()), array![[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(read64(&archive.array("b.npy").unwrap()), array![[7.0], [8.0], [9.0]]);
    assert!(archive.only().unwrap_err().to_string().ends_with("which array of the archive?; it has 'a', 'b'"));
    let error = archive.array("c").unwrap_err().to_string();
    assert!(error.ends_with("there is no array 'c' in the archive; it has 'a', 'b'"), "{error}");

    let bytes = fs::read(&path).unwrap();
    for cut in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..cut]).unwrap();
        assert!(matches!(NpzFile::open(&path), Err(Error::Archive { .. })), "cut at {cut}");
    }
    // A changed byte anywhere is an error or still an archive, never a panic.
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        fs::write(&path, &damaged).unwrap();
        if let Ok(archive) = NpzFile::open(&path) {
            for name in archive.names().to_vec() {
                if let Ok(array) = archive.array(&name) {
                    read64(&array);
                }
            }
        }
    }
}

/// Found by fuzzing: an archive of a hundred bytes that claims a compressed and an uncompressed size of a gigabyte.
#[test]
fn claimed_sizes_reserve_no_memory() {
    let (name, sizes) = (b"x.npy", [(1_u32 << 30).to_le_bytes(); 2].concat());
    let common = [&[0, 0, 8, 0][..], &[0, 0, 0x21, 0], &[0; 4], &sizes, &[5, 0, 0, 0]].concat();
    let mut file = [b"PK\x03\x04\x14\x00", &common[..], name, b"none"].concat();
    let start = (file.len() as u32).to_le_bytes();
    let entry = [b"PK\x01\x02\x14\x00\x14\x00", &common[..], &[0; 10], &[0; 4], name].concat();
    let size = (entry.len() as u32).to_le_bytes();
    file.extend(entry);
    file.extend([b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00", &size[..], &start, &[0, 0]].concat());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npz");
    std::fs::write(&path, file).unwrap();
    let error = NpzFile::open(&path).unwrap().array("x").unwrap_err().to_string();
    assert!(error.contains("promises 1073741824 bytes"), "{error}");
}

#[test]
fn non_finite_samples_are_refused_dropped_or_imputed() {
    let data = array![[1.0, 2.0], [f64::NAN, 4.0], [3.0, f64::INFINITY], [5.0, 6.0]];
    let survey = Survey::of(&data).unwrap();
    assert_eq!((survey.rows.as_slice(), survey.total, survey.first), (&[1, 2][..], 2, Some((1, 0))));
    let error = Finite::new(&data, Missing::Error).unwrap_err();
    assert_eq!(error.to_string(), "X has 2 non-finite values, first at row 1, column 0");
    assert!(error.hint().unwrap().contains("impute"));
    assert_eq!(read64(&Finite::new(&data, Missing::Drop).unwrap()), array![[1.0, 2.0], [5.0, 6.0]]);
    let filled = read64(&Finite::new(&data, Missing::Impute).unwrap());
    assert_eq!(filled, array![[1.0, 2.0], [3.0, 4.0], [3.0, 4.0], [5.0, 6.0]]);
    assert_eq!(survey.counts, [1, 1]);
    // New samples get the means of those that were learned, not their own.
    let filled = read64(&Finite::with_means(&data, vec![-1.0, -2.0]).unwrap());
    assert_eq!(filled, array![[1.0, 2.0], [-1.0, 4.0], [3.0, -2.0], [5.0, 6.0]]);
    assert!(Finite::with_means(&data, vec![0.0]).is_err());
    assert!(Finite::with_means(&data, vec![0.0, f64::NAN]).is_err());
    let none = array![[f64::NAN], [f64::NAN]];
    assert!(Finite::new(&none, Missing::Impute).is_err());
}

#[test]
fn a_subset_shows_its_rows() {
    let data = array![[1.0], [2.0], [3.0]];
    let subset = Subset::new(&data, vec![2, 0, 2]).unwrap();
    assert_eq!(read64(&subset), array![[3.0], [1.0], [3.0]]);
    assert!(Subset::new(&data, vec![3]).is_err());
}
