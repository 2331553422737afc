//! Solving with the Laplacian of a connected graph of non-negative weights, digits of small eigenvalues kept.

/// The factorised Laplacian $L = \mathrm{Diag}(W1) - W$ of a connected graph whose edges join vertices at most `band`
/// apart, with the last vertex grounded; or $L + \mathrm{Diag}(g)$, where g are edges to a ground beyond all vertices.
///
/// Eliminating a vertex k replaces its edges by $w_{ik}w_{kj}/\sum_l w_{kl}$ between its later neighbours: again a graph
/// with non-negative weights, whose diagonal is the sum of its weights and is never stored. So nothing is subtracted,
/// and every pivot and multiplier keeps its relative accuracy however small the eigenvalues are (the elimination of
/// Grassmann, Taksar and Heyman). Time is $N\,b^2/2$, memory $N\,b$.
#[derive(Debug, Clone)]
pub struct BandedLaplacian {
    band: usize,
    /// Row k holds $w_{k,k+1…k+b}/p_k$ after elimination.
    multipliers: Vec<f64>,
    /// $p_k = g_k + \sum_{l>k} w_{kl}$; zero for the last vertex of a component without ground.
    pivots: Vec<f64>,
}

impl BandedLaplacian {
    /// From weights in band storage: entry `k·band + o − 1` is the weight between vertices k and k+o.
    pub fn factor(weights: Vec<f64>, vertices: usize, band: usize) -> Self {
        Self::factor_grounded(weights, vec![0.0; vertices], band)
    }

    /// The same with a weight between each vertex and the ground. Components without ground have their last vertex
    /// grounded.
    pub fn factor_grounded(mut weights: Vec<f64>, mut ground: Vec<f64>, band: usize) -> Self {
        let vertices = ground.len();
        let mut pivots = vec![0.0; vertices];
        let mut row = vec![0.0; band];
        for (k, kept) in pivots.iter_mut().enumerate() {
            let at = k * band;
            row.copy_from_slice(&weights[at..at + band]);
            let to_ground = ground[k];
            let pivot: f64 = row.iter().sum::<f64>() + to_ground;
            *kept = pivot;
            if pivot == 0.0 {
                continue;
            }
            for w in &mut weights[at..at + band] {
                *w /= pivot;
            }
            for (g, r) in ground[k + 1..].iter_mut().zip(&row) {
                *g += r / pivot * to_ground;
            }
            for o in 1..band {
                let multiplier = row[o - 1] / pivot;
                if multiplier == 0.0 {
                    continue;
                }
                // Neighbours k+o and k+p, p > o, get an edge; it stands in row k+o at offset p−o.
                let target = (k + o) * band;
                let length = band - o;
                for (w, r) in weights[target..target + length].iter_mut().zip(&row[o..]) {
                    *w += multiplier * r;
                }
            }
        }
        Self { band, multipliers: weights, pivots }
    }

    /// Replaces b by the x with $Lx = b$ and $x = 0$ at the last vertex; the entries of b must sum to zero. In general, by
    /// the x with $x = 0$ at the last vertex of each component without ground, and $Lx = b$ at all other vertices.
    pub fn solve(&self, b: &mut [f64]) {
        let (n, band) = (self.pivots.len(), self.band);
        for k in 0..n {
            let reach = band.min(n - 1 - k);
            let (head, tail) = b.split_at_mut(k + 1);
            let bk = head[k];
            for (x, m) in tail[..reach].iter_mut().zip(&self.multipliers[k * band..]) {
                *x += m * bk;
            }
        }
        for k in (0..n).rev() {
            let reach = band.min(n - 1 - k);
            let (head, tail) = b.split_at_mut(k + 1);
            let later: f64 = tail[..reach].iter().zip(&self.multipliers[k * band..]).map(|(x, m)| x * m).sum();
            head[k] = if self.pivots[k] > 0.0 { head[k] / self.pivots[k] + later } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solution_gives_back_the_right_hand_side() {
        let (n, band) = (9, 3);
        let mut weights = vec![0.0; n * band];
        for k in 0..n {
            for o in 1..=band.min(n - 1 - k) {
                weights[k * band + o - 1] = 1.0 + ((k * 7 + o * 3) % 5) as f64;
            }
        }
        let mut b: Vec<f64> = (0..n).map(|k| (k as f64).sin()).collect();
        let mean = b.iter().sum::<f64>() / n as f64;
        b.iter_mut().for_each(|x| *x -= mean);
        let mut x = b.clone();
        BandedLaplacian::factor(weights.clone(), n, band).solve(&mut x);
        for i in 0..n {
            let mut sum = 0.0;
            for j in 0..n {
                let offset = i.abs_diff(j);
                if (1..=band).contains(&offset) {
                    sum += weights[i.min(j) * band + offset - 1] * (x[i] - x[j]);
                }
            }
            assert!((sum - b[i]).abs() < 1e-13, "{i}: {sum} {}", b[i]);
        }
    }
}
