//! From stored bytes to rows of floating-point numbers.

use ndarray::ArrayViewMut2;

use super::Header;
use crate::Result;
use crate::source::{Element, Rows, fill_rows};

/// The two types rows are read in.
pub(super) trait Number: Copy + Default + Send + Sync {
    fn from_f64(value: f64) -> Self;
    fn from_f32(value: f32) -> Self;
    fn from_i64(value: i64) -> Self;
    fn from_u64(value: u64) -> Self;
    fn from_u8(value: u8) -> Self;
}

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            fn from_f32(value: f32) -> Self {
                value as $type
            }
            fn from_i64(value: i64) -> Self {
                value as $type
            }
            fn from_u64(value: u64) -> Self {
                value as $type
            }
            fn from_u8(value: u8) -> Self {
                <$type>::from(value)
            }
        }
    };
}

number!(f32);
number!(f64);

/// Reads rows that were checked to exist into a buffer that was checked to fit.
pub(super) fn read<T: Number>(data: &[u8], header: &Header, rows: &Rows<'_>, out: ArrayViewMut2<'_, T>) -> Result<()> {
    macro_rules! swapped {
        ($type:ty, $convert:expr) => {
            if header.big_endian {
                place(data, header, rows, out, |b| $convert(<$type>::from_be_bytes(b)))
            } else {
                place(data, header, rows, out, |b| $convert(<$type>::from_le_bytes(b)))
            }
        };
    }
    match header.element {
        // Any non-zero byte is true.
        Element::Bool => place(data, header, rows, out, |[b]: [u8; 1]| T::from_u8(u8::from(b != 0))),
        Element::U8 => place(data, header, rows, out, |[b]: [u8; 1]| T::from_u8(b)),
        Element::I8 => place(data, header, rows, out, |b: [u8; 1]| T::from_i64(i64::from(i8::from_le_bytes(b)))),
        Element::I16 => swapped!(i16, |x| T::from_i64(i64::from(x))),
        Element::I32 => swapped!(i32, |x| T::from_i64(i64::from(x))),
        Element::I64 => swapped!(i64, T::from_i64),
        Element::U16 => swapped!(u16, |x| T::from_u64(u64::from(x))),
        Element::U32 => swapped!(u32, |x| T::from_u64(u64::from(x))),
        Element::U64 => swapped!(u64, T::from_u64),
        Element::F32 => swapped!(f32, T::from_f32),
        Element::F64 => swapped!(f64, T::from_f64),
    }
}

fn place<T: Number, const B: usize>(
    data: &[u8],
    header: &Header,
    rows: &Rows<'_>,
    out: ArrayViewMut2<'_, T>,
    convert: impl Fn([u8; B]) -> T + Sync,
) -> Result<()> {
    let dim = out.ncols();
    let (values, _) = data.as_chunks::<B>();
    if !header.fortran_order {
        return fill_rows(out, |k, row| {
            let start = rows.row(k) * dim;
            for (to, from) in row.iter_mut().zip(&values[start..start + dim]) {
                *to = convert(*from);
            }
            Ok(())
        });
    }
    let offsets = fortran_offsets(&header.shape);
    fill_rows(out, |k, row| {
        let n = rows.row(k);
        for (to, offset) in row.iter_mut().zip(&offsets) {
            *to = convert(values[offset + n]);
        }
        Ok(())
    })
}

/// Where the numbers of row 0 stand in Fortran order, taken in the C order of the inner axes.
fn fortran_offsets(shape: &[usize]) -> Vec<usize> {
    let mut offsets = vec![0];
    let mut stride = shape[0];
    for &axis in &shape[1..] {
        offsets = offsets.iter().flat_map(|&outer| (0..axis).map(move |i| outer + i * stride)).collect();
        stride *= axis;
    }
    offsets
}
