//! Householder factorisation of a few long columns, and the orthonormal basis that completes them.

use ndarray::Array2;

use super::dot::{add_scaled, dot, norm};

/// $X = P\,R$ with P orthogonal (rows × rows, never formed) and R upper triangular.
///
/// The first columns of P span the columns of X in order, whatever their rank; the further ones complete them to a
/// basis of the whole space. Unlike Gram–Schmidt this holds to round-off for dependent columns too.
#[derive(Debug, Clone)]
pub struct Householder {
    /// Unit vectors w of the reflections $1 - 2ww^T$; entries before the reflection's position are zero.
    reflections: Vec<Vec<f64>>,
    r: Array2<f64>,
    rows: usize,
}

impl Householder {
    /// Factorises the matrix with these columns, in their memory.
    pub fn new(mut columns: Vec<Vec<f64>>) -> Self {
        let rows = columns.first().map_or(0, Vec::len);
        let steps = columns.len().min(rows);
        let mut r = Array2::zeros((steps, columns.len()));
        let mut reflections: Vec<Vec<f64>> = Vec::with_capacity(steps);
        for j in 0..columns.len() {
            let (done, rest) = columns.split_at_mut(j);
            debug_assert_eq!(done.len(), j);
            let column = &mut rest[0];
            for (k, w) in reflections.iter().enumerate() {
                reflect(w, column, k);
            }
            for i in 0..j.min(steps) {
                r[[i, j]] = column[i];
            }
            if j < steps {
                let mut w = std::mem::take(column);
                w[..j].fill(0.0);
                r[[j, j]] = make_reflection(&mut w, j);
                reflections.push(w);
            }
        }
        Self { reflections, r, rows }
    }

    /// R: as many rows as there are reflections, one column per column of X.
    pub fn r(&self) -> &Array2<f64> {
        &self.r
    }

    /// $P\,c$ for coefficients c of the leading columns of P; the missing ones are zero.
    pub fn combine(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut x = vec![0.0; self.rows];
        x[..coefficients.len()].copy_from_slice(coefficients);
        for (k, w) in self.reflections.iter().enumerate().rev() {
            reflect(w, &mut x, k);
        }
        x
    }

    /// Column `j` of P, also beyond the columns of X.
    pub fn column(&self, j: usize) -> Vec<f64> {
        let mut unit = vec![0.0; j + 1];
        unit[j] = 1.0;
        self.combine(&unit)
    }
}

/// Turns w (zero before `at`) into the unit vector that reflects it onto axis `at`, and returns the entry it gets.
///
/// A zero column needs no reflection: w stays zero, the reflection is the identity.
fn make_reflection(w: &mut [f64], at: usize) -> f64 {
    let largest = w.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    w.iter_mut().for_each(|x| *x /= largest);
    // The sign that adds magnitudes, so that nothing cancels.
    let entry = -norm(w).copysign(w[at]);
    w[at] -= entry;
    let length = norm(w);
    w.iter_mut().for_each(|x| *x /= length);
    entry * largest
}

fn reflect(w: &[f64], x: &mut [f64], from: usize) {
    let along = dot(&w[from..], &x[from..]);
    add_scaled(&mut x[from..], -2.0 * along, &w[from..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_reproduced_and_completed_orthonormally() {
        let dependent = vec![vec![1.0, 2.0, 3.0, 4.0], vec![2.0, 4.0, 6.0, 8.0], vec![0.0, 1.0, 0.0, -1.0]];
        let wide = vec![vec![1.0, 1e-200], vec![0.0, 0.0], vec![3.0, 4.0]];
        for x in [dependent, wide, vec![vec![-2.0]], vec![vec![0.0; 3]]] {
            let rows = x[0].len();
            let factored = Householder::new(x.clone());
            let p: Vec<Vec<f64>> = (0..rows).map(|j| factored.column(j)).collect();
            for (i, a) in p.iter().enumerate() {
                for (j, b) in p.iter().enumerate() {
                    assert!((dot(a, b) - f64::from(u8::from(i == j))).abs() < 1e-14);
                }
            }
            for (j, column) in x.iter().enumerate() {
                let back = factored.combine(&factored.r().column(j).to_vec());
                assert!(back.iter().zip(column).all(|(a, b)| (a - b).abs() < 1e-14 * 10.0));
            }
        }
    }
}
