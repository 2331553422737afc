//! The bytes of a model file: safetensors with one entry of metadata and a checksum.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read};

use ndarray::{ArrayD, IxDyn};
use safetensors::tensor::{Dtype, Metadata, TensorInfo, View};
use sha2::{Digest, Sha256};

use super::flaw::Flaw;
use crate::error::brief::text;
use crate::{Error, Result};

/// Named arrays.
pub type Tensors = BTreeMap<String, ArrayD<f64>>;

/// The only entry of the metadata. There must not be two: their order in the file would be arbitrary.
const ENTRY: &str = "gsfa";

/// The tensor that holds the checksum of everything else.
const CHECKSUM: &str = "checksum";

/// The longest header: networks of some hundred thousand nodes.
const LONGEST_HEADER: u64 = 64 << 20;

/// Bytes before the header, which give its length.
const LENGTH: u64 = 8;

/// The front of a file: where its tensors are, and the header of the model.
pub struct Front {
    metadata: Metadata,
    text: String,
}

impl Front {
    /// Reads the front of a file of `len` bytes.
    pub fn read(reader: &mut impl Read, len: u64) -> std::result::Result<Self, Flaw> {
        if len < LENGTH {
            return Err(Flaw::Ends { bytes: len, promised: LENGTH });
        }
        let mut first = [0; LENGTH as usize];
        reader.read_exact(&mut first)?;
        let header = u64::from_le_bytes(first);
        if header > LONGEST_HEADER {
            let reason = format!("its header would have {header} bytes, at most {LONGEST_HEADER} are read");
            return Err(Flaw::reason(reason));
        }
        if header > len - LENGTH {
            return Err(Flaw::Ends { bytes: len, promised: LENGTH + header });
        }
        let mut json = vec![0; header as usize];
        reader.read_exact(&mut json)?;
        let damaged = |error| Flaw::reason(format!("it is no safetensors file: {error}"));
        let metadata: Metadata = serde_json::from_slice(&json).map_err(damaged)?;
        let entries = metadata.metadata().as_ref();
        let text = match entries.and_then(|entries| entries.get(ENTRY)) {
            Some(text) if entries.is_some_and(|entries| entries.len() == 1) => text.clone(),
            _ => return Err(Flaw::reason("it is a safetensors file, but not a model of this library")),
        };
        let promised = (LENGTH + header).checked_add(metadata.data_len() as u64);
        if promised != Some(len) {
            return Err(Flaw::Ends { bytes: len, promised: promised.unwrap_or(u64::MAX) });
        }
        Ok(Self { metadata, text })
    }

    /// The header of the model.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the rest of the file, which the front was found to describe completely.
    pub fn tensors(&self, reader: &mut impl Read) -> std::result::Result<Tensors, Flaw> {
        let len = self.metadata.data_len();
        let mut data = Vec::new();
        data.try_reserve_exact(len).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        data.resize(len, 0);
        reader.read_exact(&mut data)?;
        let mut stored: BTreeMap<String, (&TensorInfo, &[u8])> = BTreeMap::new();
        for (name, info) in self.metadata.tensors() {
            let (start, end) = info.data_offsets;
            let bytes =
                data.get(start..end).ok_or_else(|| Flaw::reason(format!("tensor '{}' lies outside", text(&name))))?;
            stored.insert(name, (info, bytes));
        }
        let Some((_, found)) = stored.remove(CHECKSUM) else {
            return Err(Flaw::reason("it has no checksum"));
        };
        let content = stored.iter().map(|(name, (info, bytes))| (name.as_str(), info.shape.as_slice(), *bytes));
        if checksum(&self.text, content) != found {
            return Err(Flaw::Checksum);
        }
        stored.into_iter().map(|(name, (info, bytes))| Ok((name.clone(), array(&name, info, bytes)?))).collect()
    }
}

fn array(name: &str, info: &TensorInfo, bytes: &[u8]) -> std::result::Result<ArrayD<f64>, Flaw> {
    if info.dtype != Dtype::F64 {
        return Err(Flaw::reason(format!("tensor '{}' is {}, not F64", text(name), info.dtype)));
    }
    let values = bytes.as_chunks().0.iter().map(|&value| f64::from_le_bytes(value)).collect();
    ArrayD::from_shape_vec(IxDyn(&info.shape), values)
        .map_err(|error| Flaw::reason(format!("tensor '{}' has an impossible shape: {error}", text(name))))
}

/// SHA-256 of the header and of names, shapes and bytes of the tensors in the order of their names. Texts and shapes
/// are preceded by their lengths, so that no two contents are the same bytes.
fn checksum<'a>(text: &str, tensors: impl Iterator<Item = (&'a str, &'a [usize], &'a [u8])>) -> [u8; 32] {
    let mut hash = Sha256::new();
    let number = |hash: &mut Sha256, x: usize| hash.update((x as u64).to_le_bytes());
    number(&mut hash, text.len());
    hash.update(text);
    for (name, shape, bytes) in tensors {
        number(&mut hash, name.len());
        hash.update(name);
        number(&mut hash, shape.len());
        shape.iter().for_each(|&side| number(&mut hash, side));
        hash.update(bytes);
    }
    hash.finalize().into()
}

/// The bytes of a file.
///
/// # Errors
/// [`Error::Parameter`] if the header is too long to be read back.
pub fn pack(text: String, tensors: &Tensors) -> Result<Vec<u8>> {
    let mut stored: BTreeMap<&str, Stored> =
        tensors.iter().map(|(name, array)| (name.as_str(), Stored::numbers(array))).collect();
    let content = stored.iter().map(|(name, tensor)| (*name, tensor.shape.as_slice(), tensor.bytes.as_slice()));
    let sum = checksum(&text, content);
    stored.insert(CHECKSUM, Stored { dtype: Dtype::U8, shape: vec![sum.len()], bytes: sum.to_vec() });
    let refuse = |reason: String| Error::parameter("model", "file", reason);
    let bytes = safetensors::serialize(stored, Some([(ENTRY.to_string(), text)].into_iter().collect()))
        .map_err(|error| refuse(error.to_string()))?;
    match bytes.first_chunk().map(|&first| u64::from_le_bytes(first)) {
        Some(header) if header <= LONGEST_HEADER => Ok(bytes),
        header => Err(refuse(format!(
            "its header would have {} bytes, at most {LONGEST_HEADER} are read; leave out a long list of edges",
            header.unwrap_or(0)
        ))),
    }
}

struct Stored {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Stored {
    fn numbers(array: &ArrayD<f64>) -> Self {
        // Logical order is row-major whatever the layout in memory.
        let bytes = array.iter().flat_map(|x| x.to_le_bytes()).collect();
        Self { dtype: Dtype::F64, shape: array.shape().to_vec(), bytes }
    }
}

impl View for Stored {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }

    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}
