//! The class space of a node: all features that any code of the classes can have.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::codes::{self, Points};
use crate::labels::LearnedCode;
use crate::linalg::qr::orthonormal_basis;
use crate::linalg::{multiply, symmetric_eigen, tolerance};
use crate::{Error, Result};

/// The canonical features z of C classes: uncorrelated, of unit variance, between-class covariance $\mathrm{Diag}(\rho^2)$.
///
/// A graph whose labels depend on the class alone (clustered, compact, any ELL graph over classes) has no features outside
/// the span of $C^{-1}$ times the class means: their combinations zV are all there is, and every such combination of d
/// features *is* an ELL graph, whose labels are [`labels`](Self::labels). Choosing a code of the classes therefore means
/// choosing V, and takes nothing but the class means of z: [`learn`](Self::learn).
#[derive(Debug, Clone)]
pub struct ClassSpace {
    /// π, the share of each class.
    pub(super) shares: Vec<f64>,
    /// ρ², descending.
    pub(super) correlations: Vec<f64>,
    /// μ: one row per class.
    pub(super) means: Array2<f64>,
}

impl ClassSpace {
    /// From the shares of the classes, ρ² of the canonical features and their class means, one row per class.
    ///
    /// # Errors
    /// If shapes differ, there are fewer than two classes, a share is not positive, or ρ² is not in (0, 1].
    pub fn new(shares: Vec<f64>, correlations: Vec<f64>, means: Array2<f64>) -> Result<Self> {
        Error::check_shape("class means", means.shape(), &[shares.len(), correlations.len()])?;
        if shares.len() < 2 {
            return Err(Error::parameter("classes", shares.len(), "a code tells apart at least 2 classes"));
        }
        if let Some(bad) = shares.iter().find(|p| !(p.is_finite() && **p > 0.0)) {
            return Err(Error::parameter("shares", bad, "the share of a class must be positive"));
        }
        let allowed = 1.0 + tolerance::WITHIN_CLASS;
        if let Some(bad) = correlations.iter().find(|c| !(**c > 0.0 && **c <= allowed)) {
            return Err(Error::parameter("correlations", bad, "squared correlations are above 0 and at most 1"));
        }
        if means.iter().any(|m| !m.is_finite()) {
            return Err(Error::parameter("means", "NaN or infinite", "class means must be finite"));
        }
        Ok(Self { shares, correlations, means })
    }

    /// C.
    pub fn classes(&self) -> usize {
        self.shares.len()
    }

    /// The number of canonical features, C − 1 at most.
    pub fn dim(&self) -> usize {
        self.correlations.len()
    }

    /// V: the d combinations of canonical features that a code learns, as orthonormal columns.
    ///
    /// Within the span that was learned, features are those of the code's graph, slowest first; a nested code keeps its
    /// order, in which every prefix was learned.
    ///
    /// # Errors
    /// If there are fewer than d canonical features, or costs do not fit the classes.
    pub fn learn(&self, code: &LearnedCode, d: usize) -> Result<Array2<f64>> {
        if d == 0 || d > self.dim() {
            return Err(Error::parameter("targets", d, format!("these classes have codes of 1 to {}", self.dim())));
        }
        let within = self.within();
        let mut points = self.means.clone();
        points.axis_iter_mut(Axis(1)).zip(&within).for_each(|(mut column, w)| column /= *w);
        let mut p = codes::directions(code, &Points::new(points, &self.shares, code)?, d)?;
        // Directions among features whitened within classes, as weights of z.
        p.outer_iter_mut().zip(&within).for_each(|(mut row, w)| row /= *w);
        let v = orthonormal_basis(p.view())?.columns;
        if code.is_nested() { Ok(v) } else { self.slowest_first(&v) }
    }

    /// Standard deviations of the canonical features within classes.
    pub(super) fn within(&self) -> Vec<f64> {
        self.correlations.iter().map(|c| (1.0 - c).max(tolerance::WITHIN_CLASS).sqrt()).collect()
    }

    /// $V E$ with the eigenvectors E of $V^T\mathrm{Diag}(\rho^{-2})V$: the features of the graph that V is.
    fn slowest_first(&self, v: &Array2<f64>) -> Result<Array2<f64>> {
        let eigen = symmetric_eigen(multiply(v.t(), self.divided(v.view()).view()).view())?;
        Ok(multiply(v.view(), eigen.vectors.view()))
    }

    /// $\mathrm{Diag}(\rho^{-2})V$.
    fn divided(&self, v: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut divided = v.to_owned();
        divided.outer_iter_mut().zip(&self.correlations).for_each(|(mut row, c)| row /= *c);
        divided
    }

    /// $\mu\,\mathrm{Diag}(\rho^{-2})V$: what spans the labels of the code that V stands for, one row per class.
    pub(super) fn class_values(&self, v: ArrayView2<'_, f64>) -> Array2<f64> {
        multiply(self.means.view(), self.divided(v).view())
    }

    /// The code that V stands for: $\mu\,\mathrm{Diag}(\rho^{-2})V$, one row per class, centred, of unit variance and
    /// uncorrelated under the shares, in order. The ELL graph of these labels with equal eigenvalues has the features zV.
    ///
    /// # Errors
    /// If V has another number of rows than there are canonical features.
    pub fn labels(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        Error::check_shape("V", v.shape(), &[self.dim(), v.ncols()])?;
        let mut labels = self.class_values(v);
        let total: f64 = self.shares.iter().sum();
        let shares: Array1<f64> = self.shares.iter().map(|p| p / total).collect();
        let mean = shares.dot(&labels);
        labels -= &mean;
        // Orthonormal with the roots of the shares, in order.
        labels.outer_iter_mut().zip(&shares).for_each(|(mut row, p)| row *= p.sqrt());
        let mut basis = orthonormal_basis(labels.view())?.columns;
        for (k, mut column) in basis.axis_iter_mut(Axis(1)).enumerate() {
            // The way the label itself points.
            if column.dot(&labels.slice(s![.., k])) < 0.0 {
                column.mapv_inplace(|x| -x);
            }
        }
        basis.outer_iter_mut().zip(&shares).for_each(|(mut row, p)| row /= p.sqrt());
        Ok(basis)
    }
}
