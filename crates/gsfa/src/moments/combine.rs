//! Sums of sums: merging and subtracting.

use ndarray::Array2;

use super::Covariance;
use super::frame::Frame;
use super::sums::{FactorSums, Sums, Weighted};
use crate::samples::SampleType;
use crate::{Error, Result};

impl<T: SampleType> Covariance<T> {
    /// Adds the sums over other rows of the same graph and width.
    ///
    /// # Errors
    /// If a row is in both.
    pub fn merge(&mut self, mut other: Self) -> Result<()> {
        self.check_parts()?;
        for range in other.rows.ranges() {
            self.rows.insert(range.clone())?;
        }
        self.flush()?;
        other.flush()?;
        self.combine(&other, 1.0);
        Ok(())
    }

    /// Takes away the sums over some of the rows, of the same graph and width.
    ///
    /// # Errors
    /// If not all of these rows are part of the sums.
    pub fn subtract(&mut self, mut other: Self) -> Result<()> {
        self.check_parts()?;
        for range in other.rows.ranges() {
            self.rows.remove(range.clone())?;
        }
        self.flush()?;
        other.flush()?;
        self.combine(&other, -1.0);
        Ok(())
    }

    fn check_parts(&self) -> Result<()> {
        match self.plan.needs_random_access() {
            true => Err(Error::NeedsRandomAccess { operation: "combining sums" }),
            false => Ok(()),
        }
    }

    fn combine(&mut self, other: &Self, sign: f64) {
        let Some(theirs) = &other.frame else { return };
        if sign > 0.0 && self.is_outweighed_by(other.sums.main.weight) {
            self.move_to(theirs.clone());
        }
        let ours = self.frame.get_or_insert_with(|| theirs.clone());
        Translation::between(ours, theirs).add(&mut self.sums, &other.sums, sign);
    }

    /// Whether samples of this weight say where the mean is: sums about a shift far from it would lose digits.
    pub(super) fn is_outweighed_by(&self, weight: f64) -> bool {
        !self.fixed_frame && outweighs(weight, self.sums.main.weight)
    }

    /// Moves the sums to another frame, in scales in which they stay in range.
    pub(super) fn move_to(&mut self, frame: Frame<T>) {
        let Some(old) = self.frame.take() else {
            self.frame = Some(frame);
            return;
        };
        let sums = std::mem::replace(&mut self.sums, Sums::zero(&self.plan, self.dim));
        let constant = |i: usize| sums.main.second[[i, i]] == 0.0;
        let frame = frame.in_range_of(&old, constant);
        Translation::between(&frame, &old).add(&mut self.sums, &sums, 1.0);
        self.frame = Some(frame);
    }
}

/// How many times heavier than all samples before a block must be to set the frame anew: about as many times sums may
/// cancel, and as rarely are sums moved.
const DOMINANT: f64 = 16.0;

/// Whether samples of the first weight outweigh all those of the second by far.
pub(super) fn outweighs(weight: f64, all_before: f64) -> bool {
    weight > DOMINANT * all_before
}

/// y = ρ y' + δ: from another frame to ours. ρ is a power of two, so that scaling changes no digit.
struct Translation {
    ratio: Vec<f64>,
    offset: Vec<f64>,
}

impl Translation {
    fn between<T: SampleType>(ours: &Frame<T>, theirs: &Frame<T>) -> Self {
        let ratio = ours.exponent.iter().zip(&theirs.exponent).map(|(a, b)| 2.0_f64.powi(a - b)).collect();
        let offset = (ours.shift.iter().zip(&theirs.shift).zip(ours.scales()))
            .map(|((a, b), scale)| (b.to_f64() - a.to_f64()) * scale)
            .collect();
        Self { ratio, offset }
    }

    /// `ours += sign·theirs`.
    fn add(&self, ours: &mut Sums, theirs: &Sums, sign: f64) {
        self.add_weighted(&mut ours.main, &theirs.main, sign);
        if let (Some(ours), Some(theirs)) = (&mut ours.extra, &theirs.extra) {
            self.add_weighted(ours, theirs, sign);
        }
        let factors = ours.factors.iter_mut().chain(&mut ours.classes);
        for (ours, theirs) in factors.zip(theirs.factors.iter().chain(&theirs.classes)) {
            self.add_factor(ours, theirs, sign);
        }
    }

    fn add_weighted(&self, ours: &mut Weighted, theirs: &Weighted, sign: f64) {
        let first: Vec<f64> = theirs.first.iter().zip(&self.ratio).map(|(m, r)| m * r).collect();
        self.add_second(&mut ours.second, theirs, &first, sign);
        for ((sum, m), offset) in ours.first.iter_mut().zip(&first).zip(&self.offset) {
            *sum += sign * (m + theirs.weight * offset);
        }
        ours.weight += sign * theirs.weight;
    }

    /// $\sum yy^T = \rho\rho^T\circ\sum y'y'^T + m\delta^T + \delta m^T + w\,\delta\delta^T$ with $m = \rho\sum y'$.
    fn add_second(&self, ours: &mut Array2<f64>, theirs: &Weighted, first: &[f64], sign: f64) {
        let (ratio, offset) = (&self.ratio, &self.offset);
        for j in 0..first.len() {
            for i in j..first.len() {
                let moved = first[i] * offset[j] + offset[i] * first[j] + theirs.weight * offset[i] * offset[j];
                ours[[i, j]] += sign * (theirs.second[[i, j]] * ratio[i] * ratio[j] + moved);
            }
        }
    }

    fn add_factor(&self, ours: &mut FactorSums, theirs: &FactorSums, sign: f64) {
        for (k, weight) in theirs.weights.iter().enumerate() {
            let row = ours.sums.row_mut(k);
            for (((sum, x), r), d) in row.into_iter().zip(theirs.sums.row(k)).zip(&self.ratio).zip(&self.offset) {
                *sum += sign * (x * r + weight * d);
            }
            ours.weights[k] += sign * weight;
        }
    }
}
