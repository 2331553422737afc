//! Several arrays in one file.

use std::fs;
use std::io::Write;

use gsfa_data::Error;
use gsfa_data::npy::NpzFile;
use ndarray::array;
use tempfile::tempdir;

use crate::support::{npy, read64};

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
