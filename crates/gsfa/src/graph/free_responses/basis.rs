//! Signs, and bases of responses with equal delta values.

use ndarray::ArrayViewMut1;

use crate::linalg::tolerance;

/// Flips a response so that the first vertex that is not negligible is negative, as in the paper's figures.
pub(super) fn make_first_negative(y: &mut ArrayViewMut1<'_, f64>, order: Option<&Vec<u32>>) {
    let largest = y.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let counts = |x: f64| x.abs() > tolerance::NEGLIGIBLE_RESPONSE * largest;
    let first = match order {
        Some(order) => order.iter().map(|&n| y[n as usize]).find(|&x| counts(x)),
        None => y.iter().copied().find(|&x| counts(x)),
    };
    if first.is_some_and(|x| x > 0.0) {
        y.iter_mut().for_each(|x| *x = -*x);
    }
}

/// Rotates orthonormal vectors of equal values into a basis that depends on their span only: at the first place where
/// the set is not negligible all but one vector are made zero, and so on with the others.
///
/// `same` says whether two values are equal; values must be sorted.
pub(super) fn settle(values: &[f64], vectors: &mut [Vec<f64>], same: impl Fn(f64, f64) -> bool) {
    let mut start = 0;
    while start < values.len() {
        let length = values[start..].iter().take_while(|&&x| same(values[start], x)).count().max(1);
        echelon(&mut vectors[start..start + length]);
        start += length;
    }
}

fn echelon(mut vectors: &mut [Vec<f64>]) {
    while vectors.len() > 1 {
        let row = |i: usize, vectors: &[Vec<f64>]| vectors.iter().map(|v| v[i] * v[i]).sum::<f64>().sqrt();
        let size = vectors[0].len();
        let largest = (0..size).map(|i| row(i, vectors)).fold(0.0, f64::max);
        let pivot = (0..size).find(|&i| row(i, vectors) > tolerance::BASIS_PIVOT * largest);
        let Some(pivot) = pivot else { return };
        let (first, others) = vectors.split_at_mut(1);
        for other in others.iter_mut() {
            let (a, b) = (first[0][pivot], other[pivot]);
            let length = a.hypot(b);
            if length == 0.0 {
                continue;
            }
            let (c, s) = (a / length, b / length);
            for (x, y) in first[0].iter_mut().zip(other.iter_mut()) {
                (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
            }
            other[pivot] = 0.0;
        }
        vectors = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_basis_depends_on_the_span_only() {
        let span = [vec![0.0, 0.6, 0.0, 0.8], vec![0.0, 0.0, 1.0, 0.0]];
        for angle in [0.0_f64, 0.3, 2.0, 4.0] {
            let (s, c) = angle.sin_cos();
            let mix = |c: f64, s: f64| span[0].iter().zip(&span[1]).map(|(a, b)| c * a + s * b).collect::<Vec<_>>();
            let mut vectors = [mix(c, s), mix(-s, c)];
            settle(&[1.0, 1.0], &mut vectors, |a, b| a == b);
            for (vector, expected) in vectors.iter().zip(&span) {
                let sign = if vector.iter().zip(expected).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
                assert!(vector.iter().zip(expected).all(|(a, b)| (sign * a - b).abs() < 1e-15));
            }
        }
    }
}
