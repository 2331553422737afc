//! Headers that lie and files that end.

use std::path::Path;

use gsfa_data::npy::Header;
use ndarray::array;
use proptest::prelude::*;

use crate::support::{message, npy, open, read64, with_header};

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
    // Nothing in the file proves these axes, and every row would take memory.
    assert!(message(&f8("(1152921504606846976, 0)")).contains("an axis of more than 16 million"));
    assert!(message(&f8("(0, 1152921504606846976)")).contains("an axis of more than 16 million"));
    assert!(open(&f8("(0, 3)")).is_ok() && open(&f8("(5, 0)")).is_ok());
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

/// A header may have up to 1 MB; only so much of the file is read for it.
#[test]
fn a_long_header_is_read() {
    for blanks in [0, 4000, 4096, 60_000, 900_000] {
        let text = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1), {}}}\n", " ".repeat(blanks));
        let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        let cut = bytes.len() - 1;
        bytes.extend([3, 4]);
        assert_eq!(read64(&open(&bytes).unwrap()), array![[3.0], [4.0]]);
        let error = open(&bytes[..cut]).unwrap_err().to_string();
        assert!(error.ends_with(&format!("file ends at byte {cut}, header promises {}", cut + 1)), "{error}");
    }
}
