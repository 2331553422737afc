//! From stored bytes to rows of floating-point numbers.
//!
//! Bytes pass through a scratch buffer of the thread, which stays in its cache: one call to the system brings as many
//! rows as follow each other, and they are converted before the next.

use std::cell::RefCell;

use ndarray::{ArrayViewMut1, ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::bytes::Bytes;
use super::header::Header;
use super::runs::{Wanted, wanted};
use crate::Result;
use gsfa::samples::{Element, Rows};

/// Bytes that a thread holds at a time.
const SCRATCH: usize = 256 << 10;

/// Less is not worth another thread.
const SMALLEST_SHARE: usize = 16 << 10;

/// Columns of an array in Fortran order that are read together, so that whole lines of the cache are written.
const COLUMNS: usize = 16;

/// Rows of an array in Fortran order that are written together, while they are in the cache.
const ROWS: usize = 64;

thread_local! {
    static SCRATCH_OF_THREAD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

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
pub(super) fn read<T: Number>(
    bytes: &Bytes,
    header: &Header,
    rows: &Rows<'_>,
    out: ArrayViewMut2<'_, T>,
) -> Result<()> {
    macro_rules! swapped {
        ($type:ty, $convert:expr) => {
            if header.big_endian {
                place(bytes, header, rows, out, |b| $convert(<$type>::from_be_bytes(b)))
            } else {
                place(bytes, header, rows, out, |b| $convert(<$type>::from_le_bytes(b)))
            }
        };
    }
    match header.element {
        // Any non-zero byte is true.
        Element::Bool => place(bytes, header, rows, out, |[b]: [u8; 1]| T::from_u8(u8::from(b != 0))),
        Element::U8 => place(bytes, header, rows, out, |[b]: [u8; 1]| T::from_u8(b)),
        Element::I8 => place(bytes, header, rows, out, |b: [u8; 1]| T::from_i64(i64::from(i8::from_le_bytes(b)))),
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
    bytes: &Bytes,
    header: &Header,
    rows: &Rows<'_>,
    mut out: ArrayViewMut2<'_, T>,
    convert: impl Fn([u8; B]) -> T + Sync,
) -> Result<()> {
    let (count, dim) = out.dim();
    if count == 0 || dim == 0 {
        return Ok(());
    }
    if header.fortran_order {
        let offsets = fortran_offsets(&header.shape);
        let all = wanted(rows, 0..count);
        let shares: Vec<_> = out.axis_chunks_iter_mut(Axis(1), COLUMNS).zip(offsets.chunks(COLUMNS)).collect();
        return in_parallel(shares, |(share, offsets), scratch| {
            columns(bytes, offsets, &all, share, scratch, &convert)
        });
    }
    let width = dim * B;
    let even = count.div_ceil(rayon::current_num_threads()).max(SMALLEST_SHARE / width);
    let share = even.min(SCRATCH / width).max(1);
    let shares: Vec<_> = out.axis_chunks_iter_mut(Axis(0), share).enumerate().collect();
    in_parallel(shares, |(k, share_out), scratch| {
        let first = k * share;
        let all = wanted(rows, first..first + share_out.nrows());
        whole_rows(bytes, &all, share_out, scratch, &convert)
    })
}

/// Does the work on all shares; of several failures the one of the first share is returned, whatever the threads.
fn in_parallel<S: Send>(shares: Vec<S>, work: impl Fn(S, &mut [u8]) -> Result<()> + Sync) -> Result<()> {
    let with_scratch = |share: S| {
        SCRATCH_OF_THREAD.with_borrow_mut(|scratch| {
            scratch.resize(SCRATCH, 0);
            work(share, scratch)
        })
    };
    let failures = shares.into_par_iter().enumerate().filter_map(|(k, share)| Some((k, with_scratch(share).err()?)));
    failures.min_by_key(|(k, _)| *k).map_or(Ok(()), |(_, error)| Err(error))
}

/// Rows one after the other, as in C order.
fn whole_rows<T: Number, const B: usize>(
    bytes: &Bytes,
    all: &Wanted,
    mut out: ArrayViewMut2<'_, T>,
    scratch: &mut [u8],
    convert: &impl Fn([u8; B]) -> T,
) -> Result<()> {
    let width = out.ncols() * B;
    for run in all.runs(width, SCRATCH) {
        let start = (run.first * width) as u64;
        if width > SCRATCH {
            let mut row = out.row_mut(run.wanted[0].place);
            for (k, part) in row.axis_chunks_iter_mut(Axis(0), SCRATCH / B).enumerate() {
                let stored = &mut scratch[..part.len() * B];
                bytes.read_at(start + (k * SCRATCH) as u64, stored)?;
                fill(part, stored, convert);
            }
            continue;
        }
        let stored = &mut scratch[..run.len * width];
        bytes.read_at(start, stored)?;
        for one in run.wanted {
            fill(out.row_mut(one.place), &stored[(one.row - run.first) * width..][..width], convert);
        }
    }
    Ok(())
}

fn fill<T: Number, const B: usize>(mut row: ArrayViewMut1<'_, T>, stored: &[u8], convert: &impl Fn([u8; B]) -> T) {
    let (numbers, _) = stored.as_chunks::<B>();
    match row.as_slice_mut() {
        Some(row) => row.iter_mut().zip(numbers).for_each(|(to, from)| *to = convert(*from)),
        None => row.iter_mut().zip(numbers).for_each(|(to, from)| *to = convert(*from)),
    }
}

/// A few columns of all rows wanted, in Fortran order; `offsets` is where each column begins.
fn columns<T: Number, const B: usize>(
    bytes: &Bytes,
    offsets: &[usize],
    all: &Wanted,
    mut out: ArrayViewMut2<'_, T>,
    scratch: &mut [u8],
    convert: &impl Fn([u8; B]) -> T,
) -> Result<()> {
    let most = SCRATCH / COLUMNS;
    for run in all.runs(B, most) {
        for (&offset, stored) in offsets.iter().zip(scratch.chunks_mut(most)) {
            bytes.read_at(((offset + run.first) * B) as u64, &mut stored[..run.len * B])?;
        }
        for rows in run.wanted.chunks(ROWS) {
            for (mut column, stored) in out.columns_mut().into_iter().zip(scratch.chunks(most)) {
                let (numbers, _) = stored.as_chunks();
                rows.iter().for_each(|one| column[one.place] = convert(numbers[one.row - run.first]));
            }
        }
    }
    Ok(())
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
