//! What Δ noise has on a graph.

use rayon::prelude::*;

use super::TrainingGraph;

/// Step of the trapezoidal rule over x, $\log 2Qt = x - e^{-x}$, where the integrand falls off fast on both sides. It is
/// analytic in a strip of about 0.8 to either side of the real line, so that the rule errs by $e^{-1.6\pi/h}$.
const STEP: f64 = 0.125;

/// Terms below this share of the largest end the sum.
const NEGLIGIBLE: f64 = 1e-17;

impl TrainingGraph {
    /// The expected Δ of a feature of independent noise with zero mean and unit variance:
    /// $2(R - \mathrm{trace}\,\Gamma)/R$.
    pub fn expected_noise_delta(&self) -> f64 {
        2.0 * (self.r() - self.self_loops().iter().sum::<f64>()) / self.r()
    }

    /// The expected Δ of a random *feasible* feature: independent normal noise that was then given weighted zero mean and
    /// unit variance.
    ///
    /// With equal vertex weights such features are uniform on the sphere of the N−1 feasible directions, so this is the
    /// mean Δ of all free responses, $\frac{2Q}{R}\sum_n ((\Gamma 1)_n - \gamma_{n,n})/v_n \,/\, (N-1)$; for consistent
    /// graphs $2 - \frac{2Q}{R}(\mathrm{trace}\,M - R/Q)/(N-1)$.
    ///
    /// With unequal ones it is the mean of a ratio of two quadratic forms of the noise z,
    /// $\frac{2Q}{R}\,\mathrm E\,\frac{z^T L z}{z^T B z}$ with $L = \mathrm{Diag}(\Gamma 1) - \Gamma$ and
    /// $B = \mathrm{Diag}(v) - vv^T/Q$, that is
    /// $\frac{2Q}{R}\int_0^\infty \det(1 + 2tB)^{-1/2}\,\mathrm{trace}(L(1 + 2tB)^{-1})\,dt$. Since B is a diagonal less
    /// one product of vectors, each value takes one product with Γ: with $d_n = 1/(1 + 2tv_n)$, $u_n = d_n v_n$ and
    /// $S = \sum_n u_n$ the determinant is $\frac{S}{Q}\prod_n d_n^{-1}$, the trace $\sum_n L_{nn}d_n + 2t\,u^TLu/S$. The
    /// integral is taken by the trapezoidal rule in a variable near $\log t$, to about twelve digits.
    pub fn expected_feasible_noise_delta(&self) -> f64 {
        let (v, loops) = (self.vertex_weights(), self.self_loops());
        let own: Vec<f64> = self.degrees().iter().zip(&loops).map(|(degree, own)| degree - own).collect();
        let factor = 2.0 * self.q() / self.r();
        if v.iter().all(|x| *x == v[0]) {
            let trace: f64 = own.iter().zip(v).map(|(d, v)| d / v).sum();
            return factor * trace / (self.len() - 1) as f64;
        }
        // Near 1/Q the determinant begins to fall; from there on both sides until nothing is added.
        let term = |k: i64| {
            let x = STEP * k as f64;
            let t = (x - (-x).exp()).exp() / (2.0 * self.q());
            if t > 0.0 { (1.0 + (-x).exp()) * self.feasible_term(&own, t) } else { 0.0 }
        };
        let sum_of = |direction: i64, first: i64| {
            let (mut sum, mut largest, mut from) = (0.0_f64, 0.0_f64, first);
            loop {
                let terms: Vec<f64> = (from..from + 16).into_par_iter().map(|k| term(direction * k)).collect();
                sum += terms.iter().sum::<f64>();
                largest = terms.iter().fold(largest, |m, x| m.max(x.abs()));
                from += 16;
                let last = terms.last().map_or(0.0, |x| x.abs());
                if last <= NEGLIGIBLE * largest || from > 16_000 {
                    return sum;
                }
            }
        };
        factor * STEP * (sum_of(1, 0) + sum_of(-1, 1))
    }

    /// The integrand at t, times t: the integral is over log t. `own` is the diagonal of L.
    fn feasible_term(&self, own: &[f64], t: f64) -> f64 {
        let v = self.vertex_weights();
        let shrunk: Vec<f64> = v.iter().map(|v| v / (1.0 + 2.0 * t * v)).collect();
        let sum: f64 = shrunk.iter().sum();
        let log_determinant = v.iter().map(|v| (2.0 * t * v).ln_1p()).sum::<f64>() + (sum / self.q()).ln();
        let size = (t.ln() - 0.5 * log_determinant).exp();
        if size == 0.0 {
            return 0.0;
        }
        let trace: f64 = own.iter().zip(v).map(|(own, v)| own / (1.0 + 2.0 * t * v)).sum();
        let image = self.multiply(&shrunk);
        let terms = shrunk.iter().zip(self.degrees()).zip(&image);
        let quadratic: f64 = terms.map(|((u, degree), image)| u * (degree * u - image)).sum();
        size * (trace + 2.0 * t * quadratic / sum)
    }
}
