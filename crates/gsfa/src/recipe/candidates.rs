//! Networks to choose from where that is left open.

use ndarray::Array1;

use super::{NetworkKind, Recipe};
use crate::Result;
use crate::expansion::Expansion;
use crate::graph::TrainingGraph;
use crate::linalg::symmetric_eigen;
use crate::moments::Moments;
use crate::network::{LayerSpec, NetworkSpec, PcaSpec, weighing};
use crate::samples::{Precision, Samples};

/// Inputs up to which the components of all samples are looked at.
const WIDEST_SPECTRUM: usize = 2000;

impl Recipe {
    /// The networks to choose from, the simplest first, before their ridge is known. Of a table: one linear node on
    /// standardised columns; one on the principal components that stand out of the noise, if samples without labels help to
    /// find them; one quadratic node, if there are as many `distinct` labelled samples as terms: a sample given twice and one of
    /// weight 2 are the same. One only, if that is not open.
    pub(super) fn networks(
        &self,
        first: &NetworkSpec,
        samples: &dyn Samples,
        graph: &TrainingGraph,
        distinct: usize,
    ) -> Result<Vec<NetworkSpec>> {
        let (table, [layer]) = (first.input.height * first.input.width == 1, first.layers.as_slice()) else {
            return Ok(vec![first.clone()]);
        };
        if self.network.kind != NetworkKind::Auto || !table {
            return Ok(vec![first.clone()]);
        }
        let with = |layer: LayerSpec| NetworkSpec { input: first.input, layers: vec![layer] };
        let linear = LayerSpec { expansion: Expansion::Identity, ..layer.clone() };
        let mut all = vec![with(linear.clone())];
        let labelled = graph.len() - graph.unlabelled().len();
        if graph.samples() > labelled
            && let Some(components) = components(samples, graph, distinct)?
        {
            all.push(with(LayerSpec { pca: Some(PcaSpec::components(components)), ..linear.clone() }));
        }
        let columns = first.input.dim().unwrap_or(0);
        if Expansion::QUADRATIC.output_dim(columns).is_ok_and(|terms| terms <= distinct) {
            all.push(with(LayerSpec { expansion: Expansion::QUADRATIC, ..linear }));
        }
        Ok(all)
    }
}

/// How many principal components of standardised columns stand out of noise, by all samples: those above the threshold of
/// Gavish and Donoho for singular values under noise of unknown size. `None` if none does, or as many as labels can pay
/// for.
fn components(samples: &dyn Samples, graph: &TrainingGraph, labelled: usize) -> Result<Option<usize>> {
    if samples.dim() > WIDEST_SPECTRUM || samples.dim() < 3 {
        return Ok(None);
    }
    let everyone = weighing(graph)?;
    let moments = match samples.precision() {
        Precision::Single => Moments::<f32>::of(samples, &everyone)?.finish()?,
        Precision::Double => Moments::<f64>::of(samples, &everyone)?.finish()?,
    };
    let mut correlation = moments.covariance();
    let inverse: Array1<f64> = correlation.diag().mapv(|v| if v > 0.0 { v.sqrt().recip() } else { 0.0 });
    correlation.indexed_iter_mut().for_each(|((i, j), c)| *c *= inverse[i] * inverse[j]);
    let mut singular: Vec<f64> =
        symmetric_eigen(correlation.view())?.values.iter().map(|e| e.max(0.0).sqrt()).collect();
    singular.sort_by(|a, b| b.total_cmp(a));
    let (rows, columns) = (samples.len() as f64, samples.dim() as f64);
    let ratio = (rows / columns).min(columns / rows);
    let median = singular[singular.len() / 2];
    let threshold = median * (0.56 * ratio.powi(3) - 0.95 * ratio * ratio + 1.82 * ratio + 1.43);
    let count = singular.iter().filter(|s| **s > threshold).count();
    Ok((count > 0 && count < samples.dim() && count + 2 < labelled).then_some(count))
}
