//! Sums over many vertices whose round-off does not grow with their number.

/// Entries per block: short enough that the error of a block is a few units, long enough to be fast.
const BLOCK: usize = 256;

/// $\sum_n a_n b_n$, summed in eight lanes within blocks and pairwise over blocks.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    if a.len() <= BLOCK {
        return short_dot(a, b);
    }
    let half = (a.len() / 2).next_multiple_of(BLOCK).min(a.len() - 1);
    dot(&a[..half], &b[..half]) + dot(&a[half..], &b[half..])
}

/// The sum of a few numbers, in eight lanes.
pub fn sum(values: &[f64]) -> f64 {
    let (eights, rest) = values.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    eights.iter().for_each(|eight| lanes.iter_mut().zip(eight).for_each(|(lane, x)| *lane += x));
    lanes.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

/// $\sum_n a_n b_n^2$.
pub fn weighted_square(a: &[f64], b: &[f64]) -> f64 {
    if a.len() <= BLOCK {
        return a.iter().zip(b).map(|(a, b)| a * b * b).sum();
    }
    let half = (a.len() / 2).next_multiple_of(BLOCK).min(a.len() - 1);
    weighted_square(&a[..half], &b[..half]) + weighted_square(&a[half..], &b[half..])
}

/// The Euclidean norm.
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `y += factor·x`.
pub fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

fn short_dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a8.zip(b8) {
        for ((lane, x), y) in lanes.iter_mut().zip(x).zip(y) {
            *lane += x * y;
        }
    }
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sums_keep_their_digits() {
        for n in [1, 2, 7, 255, 256, 257, 1000, 300_001] {
            let a = vec![0.1; n];
            let exact = n as f64 * 0.01;
            assert!((dot(&a, &a) - exact).abs() <= 1e-15 * exact * 8.0, "{n}");
            assert!((weighted_square(&a, &vec![1.0; n]) - n as f64 * 0.1).abs() <= 1e-15 * n as f64, "{n}");
        }
    }
}
