//! Models that are affine functions of their inputs, as such.

use ndarray::{Array1, Array2, Axis, s};

use super::Model;
use crate::expansion::Expansion;
use crate::readout::{FittedReadout, LabelReadout};

/// $x \mapsto b + A^T x$.
#[derive(Debug, Clone, PartialEq)]
pub struct Affine {
    /// A: one row for each input, one column for each output.
    pub weights: Array2<f64>,
    /// b: the outputs for inputs of 0.
    pub offset: Array1<f64>,
}

impl Affine {
    /// $x \mapsto A^T (x - \mu)$.
    fn centered(weights: Array2<f64>, mean: &Array1<f64>) -> Self {
        let offset = -weights.t().dot(mean);
        Self { weights, offset }
    }

    /// `next` after this.
    fn then(self, next: &Self) -> Self {
        let offset = next.weights.t().dot(&self.offset) + &next.offset;
        Self { weights: self.weights.dot(&next.weights), offset }
    }
}

impl Model {
    /// The features as a function of the inputs, if the network is a single node that neither expands nor clips them. A
    /// derivative of spectra is part of the function; where these are divided by their deviation (SNV), it is one of rows
    /// after that.
    pub fn affine_features(&self) -> Option<Affine> {
        let features = self.affine_of_prepared()?;
        Some(match self.network.spec.spectrum.and_then(|spectrum| spectrum.ready()) {
            Some(ready) => Affine { weights: ready.of_given(features.weights), offset: features.offset },
            None => features,
        })
    }

    /// The same, as a function of what the node sees.
    fn affine_of_prepared(&self) -> Option<Affine> {
        let ([layer], [nodes]) = (&self.network.spec.layers[..], &self.network.layers[..]) else { return None };
        let [node] = &nodes[..] else { return None };
        if layer.expansion != Expansion::Identity || node.clip.is_some() || layer.skip.is_some() {
            return None;
        }
        let inputs = self.network.spec.input.dim()?;
        let Some(slow) = &node.slow else {
            let (weights, offset) = (Array2::zeros((inputs, layer.output_dim)), Array1::zeros(layer.output_dim));
            return Some(Affine { weights, offset });
        };
        let features = Affine::centered(slow.weights.clone(), &slow.mean);
        Some(match (&node.pca, &node.scaling) {
            (Some(pca), _) => Affine::centered(pca.weights.clone(), &pca.mean).then(&features),
            (None, Some(scaling)) => {
                // (Sᵀ(x − m) − m′)W: each row of W times the factor of its input.
                let weights = &slow.weights * &scaling.factors.view().insert_axis(Axis(1));
                let offset = features.offset - scaling.mean.dot(&weights);
                Affine { weights, offset }
            }
            (None, None) => features,
        })
    }

    /// The estimates of all labels as a function of the inputs, if features are one and estimates are held in no range.
    pub fn affine_estimates(&self) -> Option<Affine> {
        let features = self.affine_features()?;
        let count = features.offset.len();
        let mut estimates =
            Affine { weights: Array2::zeros((count, self.readouts.len())), offset: Array1::zeros(self.readouts.len()) };
        for (j, readout) in self.readouts.iter().enumerate() {
            let (coefficients, intercept) = affine(readout)?;
            estimates.weights.slice_mut(s![..coefficients.len(), j]).assign(&coefficients);
            estimates.offset[j] = intercept;
        }
        (!self.readouts.is_empty()).then(|| features.then(&estimates))
    }
}

/// Factors of the first features, and what is added.
fn affine(readout: &LabelReadout) -> Option<(Array1<f64>, f64)> {
    let FittedReadout::Linear(linear) = &readout.fitted else { return None };
    if linear.range() != (f64::MIN, f64::MAX) {
        return None;
    }
    let (slope, center) = match &readout.calibration {
        Some(calibration) if calibration.range.is_some() => return None,
        Some(calibration) => (calibration.slope, calibration.center),
        None => (1.0, 0.0),
    };
    Some((&linear.coefficients() * slope, center + slope * (linear.intercept() - center)))
}
