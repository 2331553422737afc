//! The product of two panels in the vectors of the machine.

use faer::{Accum, MatMut, MatRef, Par, linalg::matmul::matmul};

use super::Pair;
use crate::linalg::real::Real;
use crate::linalg::upper_halves::ClearedUpperHalves;
use crate::vectors::Vectors;

/// A kernel adds the product of two panels to a sum, row by row in order, each row in one fused step.
pub struct Kernel<T> {
    /// To be called on machines only that have what it needs.
    pub multiply: unsafe fn(Pair<'_, T>),
    /// Columns of the panels that it multiplies.
    pub width: usize,
    needs: Vectors,
}

/// The kernels for a type of numbers.
pub trait PanelKernels: Sized {
    /// Those that this machine can run and may use, the fastest first. Results of the portable one may differ from those
    /// of others in the last bits.
    fn kernels() -> impl Iterator<Item = Kernel<Self>>;
}

/// Sums of `$columns` columns in registers, three vectors of `$lanes` numbers each. Three such vectors are a panel: both
/// panels of a pair then fit into the first cache beside each other.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel {
    ($name:ident, $features:literal, $type:ty, $lanes:literal, $columns:literal,
     $zero:ident, $load:ident, $column:ident, $store:ident) => {
        #[target_feature(enable = $features)]
        pub fn $name(pair: Pair<'_, $type>) {
            /// `COUNT` vectors of the left panel, from `left` on, times the columns of the right one from `right` on.
            #[target_feature(enable = $features)]
            #[inline]
            fn multiply<const COUNT: usize>(
                left: &[$type],
                right: &[$type],
                depth: usize,
                out: &mut [f64],
                stride: usize,
                replace: bool,
            ) {
                const WIDTH: usize = 3 * $lanes;
                assert!(depth > 0 && left.len() >= (depth - 1) * WIDTH + COUNT * $lanes);
                assert!(right.len() >= (depth - 1) * WIDTH + $columns);
                let mut sums = [[$zero(); COUNT]; $columns];
                let (mut a, mut b) = (left.as_ptr(), right.as_ptr());
                for _ in 0..depth {
                    let mut vectors = [$zero(); COUNT];
                    for i in 0..COUNT {
                        // SAFETY: within `left`, whose length was checked.
                        vectors[i] = unsafe { $load(a.add(i * $lanes)) };
                    }
                    for j in 0..$columns {
                        // SAFETY: within `right`, whose length was checked.
                        unsafe { $column(&mut sums[j], &vectors, b.add(j)) };
                    }
                    (a, b) = (a.wrapping_add(WIDTH), b.wrapping_add(WIDTH));
                }
                for (j, sums) in sums.iter().enumerate() {
                    let out = &mut out[j * stride..][..COUNT * $lanes];
                    for (out, sum) in out.chunks_exact_mut($lanes).zip(sums) {
                        let mut values = [0.0; $lanes];
                        // SAFETY: `values` holds one vector.
                        unsafe { $store(values.as_mut_ptr(), *sum) };
                        if replace {
                            out.iter_mut().zip(values).for_each(|(o, x)| *o = f64::from(x));
                        } else {
                            out.iter_mut().zip(values).for_each(|(o, x)| *o += f64::from(x));
                        }
                    }
                }
            }

            let Pair { left, right, depth, used, diagonal, out, stride, replace } = pair;
            let count = used.0.div_ceil($lanes);
            for j in (0..used.1).step_by($columns) {
                // Above the diagonal nothing is needed.
                let mut at = if diagonal { j / $lanes } else { 0 };
                while at < count {
                    let (left, out) = (&left[at * $lanes..], &mut out[j * stride + at * $lanes..]);
                    at += match count - at {
                        3.. => {
                            multiply::<3>(left, &right[j..], depth, out, stride, replace);
                            3
                        }
                        2 => {
                            multiply::<2>(left, &right[j..], depth, out, stride, replace);
                            2
                        }
                        _ => {
                            multiply::<1>(left, &right[j..], depth, out, stride, replace);
                            1
                        }
                    };
                }
            }
        }
    };
}

/// `sums += vectors·factor`, one fused step each.
#[cfg(target_arch = "x86_64")]
macro_rules! column {
    ($name:ident, $features:literal, $type:ty, $vector:ty, $broadcast:ident, $fused:ident) => {
        #[target_feature(enable = $features)]
        #[inline]
        unsafe fn $name<const COUNT: usize>(
            sums: &mut [$vector; COUNT],
            vectors: &[$vector; COUNT],
            factor: *const $type,
        ) {
            // SAFETY: the caller's.
            let factor = $broadcast(unsafe { *factor });
            for i in 0..COUNT {
                sums[i] = $fused(vectors[i], factor, sums[i]);
            }
        }
    };
}

/// The same where there are sixteen registers for twelve sums, three vectors and one factor: left to itself, the compiler
/// takes a second one for the next factor, and a sum that goes through memory in every step halves the speed.
#[cfg(target_arch = "x86_64")]
macro_rules! column_of_sixteen_registers {
    ($name:ident, $plain:ident, $type:ty, $vector:ty, $broadcast:literal, $fused:literal) => {
        #[target_feature(enable = "avx2,fma")]
        #[inline]
        unsafe fn $name<const COUNT: usize>(
            sums: &mut [$vector; COUNT],
            vectors: &[$vector; COUNT],
            factor: *const $type,
        ) {
            if COUNT < 3 {
                // SAFETY: the caller's.
                return unsafe { $plain(sums, vectors, factor) };
            }
            // SAFETY: reads the one number that the caller vouches for, and writes registers only.
            unsafe {
                std::arch::asm!(
                    concat!($broadcast, " {f}, [{at}]"),
                    concat!($fused, " {s0}, {v0}, {f}"),
                    concat!($fused, " {s1}, {v1}, {f}"),
                    concat!($fused, " {s2}, {v2}, {f}"),
                    at = in(reg) factor,
                    f = out(ymm_reg) _,
                    v0 = in(ymm_reg) vectors[0],
                    v1 = in(ymm_reg) vectors[1],
                    v2 = in(ymm_reg) vectors[2],
                    s0 = inout(ymm_reg) sums[0],
                    s1 = inout(ymm_reg) sums[1],
                    s2 = inout(ymm_reg) sums[2],
                    options(pure, readonly, nostack, preserves_flags),
                );
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Pair;

    column!(avx512_column_f64, "avx512f", f64, __m512d, _mm512_set1_pd, _mm512_fmadd_pd);
    column!(avx512_column_f32, "avx512f", f32, __m512, _mm512_set1_ps, _mm512_fmadd_ps);
    column!(avx2_column_f64, "avx2,fma", f64, __m256d, _mm256_set1_pd, _mm256_fmadd_pd);
    column!(avx2_column_f32, "avx2,fma", f32, __m256, _mm256_set1_ps, _mm256_fmadd_ps);
    column_of_sixteen_registers!(packed_column_f64, avx2_column_f64, f64, __m256d, "vbroadcastsd", "vfmadd231pd");
    column_of_sixteen_registers!(packed_column_f32, avx2_column_f32, f32, __m256, "vbroadcastss", "vfmadd231ps");

    kernel!(
        avx512_f64,
        "avx512f,avx512vl,avx512dq,avx512bw",
        f64,
        8,
        8,
        _mm512_setzero_pd,
        _mm512_loadu_pd,
        avx512_column_f64,
        _mm512_storeu_pd
    );
    kernel!(
        avx512_f32,
        "avx512f,avx512vl,avx512dq,avx512bw",
        f32,
        16,
        8,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        avx512_column_f32,
        _mm512_storeu_ps
    );
    kernel!(avx2_f64, "avx2,fma", f64, 4, 4, _mm256_setzero_pd, _mm256_loadu_pd, packed_column_f64, _mm256_storeu_pd);
    kernel!(avx2_f32, "avx2,fma", f32, 8, 4, _mm256_setzero_ps, _mm256_loadu_ps, packed_column_f32, _mm256_storeu_ps);
}

macro_rules! kernels {
    ($type:ty, $avx512:ident, $avx2:ident) => {
        impl PanelKernels for $type {
            fn kernels() -> impl Iterator<Item = Kernel<Self>> {
                let portable = Kernel { multiply: portable::<Self>, width: PORTABLE_WIDTH, needs: Vectors::Portable };
                #[cfg(target_arch = "x86_64")]
                let special = {
                    let width = |vector: usize| 3 * vector / size_of::<Self>();
                    [
                        Kernel { multiply: x86::$avx512, width: width(64), needs: Vectors::Avx512 },
                        Kernel { multiply: x86::$avx2, width: width(32), needs: Vectors::Avx2 },
                    ]
                };
                #[cfg(not(target_arch = "x86_64"))]
                let special = [];
                special.into_iter().filter(|kernel| kernel.needs.usable()).chain([portable])
            }
        }
    };
}

kernels!(f32, avx512_f32, avx2_f32);
kernels!(f64, avx512_f64, avx2_f64);

/// Columns of a panel where the backend multiplies: its products are slow for small matrices.
const PORTABLE_WIDTH: usize = 96;

/// By the product of the backend, on any machine.
pub fn portable<T: Real>(pair: Pair<'_, T>) {
    let Pair { left, right, depth, used: (rows, columns), out, stride, replace, .. } = pair;
    let width = PORTABLE_WIDTH;
    let mut product = [T::default(); PORTABLE_WIDTH * PORTABLE_WIDTH];
    let left = MatRef::from_column_major_slice_with_stride(left, rows, depth, width);
    let right = MatRef::from_row_major_slice_with_stride(right, depth, columns, width);
    let product = &mut product[..rows * columns];
    let to = MatMut::from_column_major_slice_mut(&mut *product, rows, columns);
    let _cleared = ClearedUpperHalves;
    matmul(to, Accum::Replace, left, right, T::from_f64(1.0), Par::Seq);
    for (j, product) in product.chunks(rows).enumerate() {
        let out = out[j * stride..].iter_mut().zip(product);
        out.for_each(|(o, p)| *o = if replace { p.to_f64() } else { *o + p.to_f64() });
    }
}
