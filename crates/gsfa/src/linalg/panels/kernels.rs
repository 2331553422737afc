//! The product of two panels in the vectors of the machine.

use faer::{Accum, MatMut, MatRef, Par, linalg::matmul::matmul};

use super::{Pair, panel_width};
use crate::linalg::real::Real;

/// A kernel adds the product of two panels to a sum, row by row in order, each row in one fused step.
pub type Kernel<T> = unsafe fn(Pair<'_, T>);

/// The kernels for a type of numbers.
pub trait PanelKernels: Sized {
    /// Those that this machine can run, the fastest first. Their results may differ in the last bits.
    fn kernels() -> [Option<Kernel<Self>>; 3];
}

/// Sums of `$columns` columns in registers, `$vectors` vectors of `$lanes` numbers each; whole lines of 64 bytes.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel {
    ($name:ident, $features:literal, $type:ty, $lanes:literal, $vectors:expr, $columns:literal,
     $zero:ident, $load:ident, $broadcast:ident, $fused:ident, $store:ident) => {
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
                const WIDTH: usize = panel_width::<$type>();
                assert!(depth > 0 && left.len() >= (depth - 1) * WIDTH + COUNT * $lanes);
                assert!(right.len() >= (depth - 1) * WIDTH + $columns);
                let mut sums = [[$zero(); COUNT]; $columns];
                for (a, b) in left.chunks(WIDTH).zip(right.chunks(WIDTH)).take(depth) {
                    let (a, b) = (a.as_ptr(), b.as_ptr());
                    let mut vectors = [$zero(); COUNT];
                    for i in 0..COUNT {
                        // SAFETY: within `left`, whose length was checked.
                        vectors[i] = unsafe { $load(a.add(i * $lanes)) };
                    }
                    for j in 0..$columns {
                        // SAFETY: within `right`, whose length was checked.
                        let factor = $broadcast(unsafe { *b.add(j) });
                        for i in 0..COUNT {
                            sums[j][i] = $fused(vectors[i], factor, sums[j][i]);
                        }
                    }
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
                        3.. if $vectors == 3 => {
                            multiply::<3>(left, &right[j..], depth, out, stride, replace);
                            3
                        }
                        2.. => {
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{Pair, panel_width};

    // More than the foundation: without the other sets half of the registers cannot be widened to f64.
    kernel!(
        avx512_f64,
        "avx512f,avx512vl,avx512dq,avx512bw",
        f64,
        8,
        3,
        8,
        _mm512_setzero_pd,
        _mm512_loadu_pd,
        _mm512_set1_pd,
        _mm512_fmadd_pd,
        _mm512_storeu_pd
    );
    kernel!(
        avx512_f32,
        "avx512f,avx512vl,avx512dq,avx512bw",
        f32,
        16,
        3,
        8,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_storeu_ps
    );
    // Sixteen registers: twelve sums, two vectors, one factor.
    kernel!(
        avx2_f64,
        "avx2,fma",
        f64,
        4,
        2,
        6,
        _mm256_setzero_pd,
        _mm256_loadu_pd,
        _mm256_set1_pd,
        _mm256_fmadd_pd,
        _mm256_storeu_pd
    );
    kernel!(
        avx2_f32,
        "avx2,fma",
        f32,
        8,
        2,
        6,
        _mm256_setzero_ps,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_storeu_ps
    );

    pub fn with_avx512<K>(kernel: K) -> Option<K> {
        let wide = std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512vl");
        let rest = std::arch::is_x86_feature_detected!("avx512dq") && std::arch::is_x86_feature_detected!("avx512bw");
        (wide && rest).then_some(kernel)
    }

    pub fn with_avx2<K>(kernel: K) -> Option<K> {
        let both = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
        both.then_some(kernel)
    }
}

macro_rules! kernels {
    ($type:ty, $avx512:ident, $avx2:ident) => {
        impl PanelKernels for $type {
            fn kernels() -> [Option<Kernel<Self>>; 3] {
                #[cfg(target_arch = "x86_64")]
                let [first, second] = [x86::with_avx512(x86::$avx512 as _), x86::with_avx2(x86::$avx2 as _)];
                #[cfg(not(target_arch = "x86_64"))]
                let [first, second] = [None, None];
                [first, second, Some(portable)]
            }
        }
    };
}

kernels!(f32, avx512_f32, avx2_f32);
kernels!(f64, avx512_f64, avx2_f64);

/// By the product of the backend, on any machine.
pub fn portable<T: Real>(pair: Pair<'_, T>) {
    /// As wide as the widest panel.
    const SIDE: usize = panel_width::<f32>();
    let Pair { left, right, depth, used: (rows, columns), out, stride, replace, .. } = pair;
    let width = panel_width::<T>();
    let mut product = [T::default(); SIDE * SIDE];
    let left = MatRef::from_column_major_slice_with_stride(left, rows, depth, width);
    let right = MatRef::from_row_major_slice_with_stride(right, depth, columns, width);
    let product = &mut product[..rows * columns];
    let to = MatMut::from_column_major_slice_mut(&mut *product, rows, columns);
    matmul(to, Accum::Replace, left, right, T::from_f64(1.0), Par::Seq);
    for (j, product) in product.chunks(rows).enumerate() {
        let out = out[j * stride..].iter_mut().zip(product);
        out.for_each(|(o, p)| *o = if replace { p.to_f64() } else { *o + p.to_f64() });
    }
}
