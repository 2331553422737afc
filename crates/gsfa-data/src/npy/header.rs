//! The header of `.npy`: read strictly, bounded, before anything is allocated by its word.

use std::path::Path;

use crate::{Error, Result};
use gsfa::samples::Element;

/// Longest header accepted; numpy's own are some hundred bytes.
const HEADER_CAP: u64 = 1 << 20;
const MAGIC: &[u8] = b"\x93NUMPY";

/// What the header of an array says, and where the numbers begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The type of the numbers.
    pub element: Element,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// Whether the first axis varies fastest.
    pub fortran_order: bool,
    /// The axes.
    pub shape: Vec<usize>,
    /// The byte at which the numbers begin.
    pub data_start: u64,
    /// Bytes of all numbers together.
    pub data_bytes: u64,
}

impl Header {
    /// Reads the header at the start of `bytes`, the beginning of the file at `path`.
    ///
    /// # Errors
    /// [`Error::NpyHeader`], [`Error::Pickled`], [`Error::ElementType`], or [`Error::Truncated`] if the file ends inside
    /// its header.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self> {
        let fail = |at: u64, reason| Error::NpyHeader { path: path.to_path_buf(), at, reason };
        let cut = |promised: u64| Error::Truncated { path: path.to_path_buf(), ends_at: bytes.len() as u64, promised };
        if bytes.len() < MAGIC.len() + 2 {
            return Err(if MAGIC.starts_with(bytes) || bytes.starts_with(MAGIC) { cut(10) } else { fail(0, NO_MAGIC) });
        }
        if !bytes.starts_with(MAGIC) {
            return Err(fail(0, NO_MAGIC));
        }
        let (length, text_start) = match bytes[6] {
            1 => (bytes.get(8..10).map(|b| u64::from(u16::from_le_bytes([b[0], b[1]]))), 10_u64),
            2 | 3 => (bytes.get(8..12).map(|b| u64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))), 12),
            _ => return Err(fail(6, "format versions 1 to 3 are known")),
        };
        let length = length.ok_or_else(|| cut(text_start))?;
        if length > HEADER_CAP {
            return Err(fail(8, "the header is longer than 1 MB"));
        }
        let data_start = text_start + length;
        let text = bytes.get(text_start as usize..data_start as usize).ok_or_else(|| cut(data_start))?;
        let mut parser = Parser { text, at: 0 };
        let entries = parser.entries().map_err(|stop| fail(text_start + parser.at as u64, stop))?;
        let (element, big_endian) = element_of(&entries.descr, path)?;
        let data_bytes = entries
            .shape
            .iter()
            .try_fold(element.size(), |product, &axis| product.checked_mul(axis))
            .filter(|&bytes| bytes <= isize::MAX as usize)
            // A zero axis hides an overflow of the others, which the row length would meet later.
            .filter(|_| entries.shape.iter().filter(|&&a| a > 0).try_fold(8_usize, |p, &a| p.checked_mul(a)).is_some())
            .ok_or_else(|| fail(text_start, "the shape has more elements than memory has addresses"))?;
        Ok(Self {
            element,
            big_endian,
            fortran_order: entries.fortran_order,
            shape: entries.shape,
            data_start,
            data_bytes: data_bytes as u64,
        })
    }

    /// The header of a little-endian array in C order, padded so that the numbers begin at a multiple of 64.
    pub(crate) fn encode(element: Element, shape: &[usize]) -> Vec<u8> {
        let axes: Vec<String> = shape.iter().map(usize::to_string).collect();
        let comma = if axes.len() == 1 { "," } else { "" };
        let text = format!(
            "{{'descr': '{}', 'fortran_order': False, 'shape': ({}{comma}), }}",
            descr(element),
            axes.join(", ")
        );
        let unpadded = MAGIC.len() + 4 + text.len() + 1;
        let length = text.len() + 1 + (64 - unpadded % 64) % 64;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((length as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.resize(MAGIC.len() + 4 + length - 1, b' ');
        bytes.push(b'\n');
        bytes
    }
}

const NO_MAGIC: &str = "the file does not begin with \\x93NUMPY";

fn descr(element: Element) -> &'static str {
    match element {
        Element::Bool => "|b1",
        Element::I8 => "|i1",
        Element::I16 => "<i2",
        Element::I32 => "<i4",
        Element::I64 => "<i8",
        Element::U8 => "|u1",
        Element::U16 => "<u2",
        Element::U32 => "<u4",
        Element::U64 => "<u8",
        Element::F32 => "<f4",
        Element::F64 => "<f8",
    }
}

fn element_of(descr: &str, path: &Path) -> Result<(Element, bool)> {
    let (order, kind) = match descr.as_bytes().first() {
        Some(b'<' | b'|' | b'=') => (false, &descr[1..]),
        Some(b'>') => (true, &descr[1..]),
        _ => (false, descr),
    };
    let element = match kind {
        "b1" | "?" => Element::Bool,
        "i1" => Element::I8,
        "i2" => Element::I16,
        "i4" => Element::I32,
        "i8" => Element::I64,
        "u1" => Element::U8,
        "u2" => Element::U16,
        "u4" => Element::U32,
        "u8" => Element::U64,
        "f4" => Element::F32,
        "f8" => Element::F64,
        _ if kind.starts_with('O') => return Err(Error::Pickled { path: path.to_path_buf() }),
        _ => return Err(Error::ElementType { path: path.to_path_buf(), descr: descr.to_string() }),
    };
    Ok((element, order))
}

struct Entries {
    descr: String,
    fortran_order: bool,
    shape: Vec<usize>,
}

/// Reads the one Python dictionary that a header holds.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

type Step<T> = std::result::Result<T, &'static str>;

impl Parser<'_> {
    fn entries(&mut self) -> Step<Entries> {
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        self.expect(b'{', "expected '{'")?;
        while self.peek() != Some(b'}') {
            let key = self.string()?;
            self.expect(b':', "expected ':'")?;
            let fresh = match key.as_str() {
                "descr" => descr.replace(self.descr()?).is_none(),
                "fortran_order" => fortran_order.replace(self.boolean()?).is_none(),
                "shape" => shape.replace(self.shape()?).is_none(),
                _ => return Err("expected the keys descr, fortran_order and shape"),
            };
            if !fresh {
                return Err("a key occurs twice");
            }
            if self.peek() != Some(b'}') {
                self.expect(b',', "expected ',' or '}'")?;
            }
        }
        self.expect(b'}', "expected '}'")?;
        if self.peek().is_some() {
            return Err("expected the end of the header");
        }
        Ok(Entries {
            descr: descr.ok_or("the key descr is missing")?,
            fortran_order: fortran_order.ok_or("the key fortran_order is missing")?,
            shape: shape.ok_or("the key shape is missing")?,
        })
    }

    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8, reason: &'static str) -> Step<()> {
        if self.peek() != Some(byte) {
            return Err(reason);
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Step<String> {
        let quote = self.peek().filter(|b| matches!(b, b'\'' | b'"')).ok_or("expected a quoted string")?;
        let start = self.at + 1;
        let length = self.text[start..].iter().position(|&b| b == quote).ok_or("a quoted string does not end")?;
        let text = &self.text[start..start + length];
        if !text.iter().all(|b| (b' '..=b'~').contains(b)) {
            return Err("expected printable text");
        }
        self.at = start + length + 1;
        Ok(text.iter().map(|&b| char::from(b)).collect())
    }

    /// A type name; of a structured type, which is a list, only the fact.
    fn descr(&mut self) -> Step<String> {
        if self.peek() != Some(b'[') {
            return self.string();
        }
        let mut depth = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok("[structured]".to_string());
            }
        }
        Err("a list does not end")
    }

    fn boolean(&mut self) -> Step<bool> {
        self.peek();
        for (word, value) in [("True", true), ("False", false)] {
            if self.text[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err("expected True or False")
    }

    fn shape(&mut self) -> Step<Vec<usize>> {
        self.expect(b'(', "expected '('")?;
        let mut axes = Vec::new();
        while self.peek() != Some(b')') {
            if axes.len() == 32 {
                return Err("more than 32 axes");
            }
            axes.push(self.integer()?);
            if self.peek() != Some(b')') {
                self.expect(b',', "expected ',' or ')'")?;
            }
        }
        self.at += 1;
        Ok(axes)
    }

    fn integer(&mut self) -> Step<usize> {
        self.peek();
        let digits = self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return Err("expected a whole number");
        }
        let mut value = 0_usize;
        for &digit in &self.text[self.at..self.at + digits] {
            value = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(usize::from(digit - b'0')))
                .ok_or("an axis is longer than memory has addresses")?;
        }
        self.at += digits;
        // Python 2 wrote long integers as 12L.
        if self.text.get(self.at) == Some(&b'L') {
            self.at += 1;
        }
        Ok(value)
    }
}
