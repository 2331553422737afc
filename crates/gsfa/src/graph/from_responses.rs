//! A graph from the responses that it shall have: the design of `[sec:ELL]`, for anything and not only labels.

use ndarray::ArrayView2;

use super::kinds::{check_given, label_graph};
use super::{GraphTargets, Grouping, TrainingGraph};
use crate::error::Places;
use crate::labels::{EigenvalueOptions, EigenvalueProfile, TargetLabels, TargetSpec};
use crate::{Error, Result};

impl TrainingGraph {
    /// The graph whose optimal free responses are the columns of `responses` (one row for each vertex), with the delta
    /// values `delta_values`, and Δ = 2 for all that is uncorrelated with them.
    ///
    /// $\Gamma = \mathrm{Diag}(v^{1/2}) \sum_j \lambda_j u_j u_j^T\, \mathrm{Diag}(v^{1/2})$ with
    /// $u_j = Q^{-1/2}\mathrm{Diag}(v^{1/2})\ell_j$, $u_0 = Q^{-1/2} v^{1/2}$ `[eq:GGELL]`, `[eq:MMELL]`, `[eq:u_in_ell]`,
    /// $\lambda_0 = 1$, thus R = Q, and $\lambda_j = 1 - \Delta_j/2$ `[eq:delta_in_lambda]`: negative for Δ > 2.
    ///
    /// Responses are given weighted mean 0 and variance 1, and each loses what earlier ones explain of it: what is given
    /// normalised and uncorrelated stays. Order and number are free, up to N − 1; with all N − 1 free responses of a
    /// consistent graph and their delta values it is that graph, times Q/R.
    ///
    /// # Errors
    /// If there are not as many delta values as responses, a value is not finite, a vertex weight is not positive, or a
    /// response is constant or depends on earlier ones.
    ///
    /// ```
    /// use gsfa::graph::TrainingGraph;
    /// use ndarray::array;
    /// let graph = TrainingGraph::from_responses(array![[-1.0], [1.0], [-1.0]].view(), &[0.5], vec![1.0; 3])?;
    /// assert!((graph.free_responses(2)?.delta_values[0] - 0.5).abs() < 1e-15);
    /// # Ok::<(), gsfa::Error>(())
    /// ```
    pub fn from_responses(
        responses: ArrayView2<'_, f64>,
        delta_values: &[f64],
        vertex_weights: Vec<f64>,
    ) -> Result<Self> {
        let (vertices, count) = responses.dim();
        if vertices < 2 {
            return Err(Error::TooFewSamples { needed: 2, got: vertices });
        }
        check_given(&vertex_weights, vertices)?;
        if delta_values.len() != count {
            return Err(Error::LengthMismatch {
                left: "the list of responses".into(),
                left_len: count,
                right: "the list of delta values".into(),
                right_len: delta_values.len(),
            });
        }
        check_finite(responses, delta_values)?;
        let columns: Vec<Vec<f64>> = responses.columns().into_iter().map(|column| column.to_vec()).collect();
        let (grouping, first) = Grouping::by_rows(&columns.iter().map(Vec::as_slice).collect::<Vec<_>>(), vertices);
        let row_weights = grouping.sums(&vertex_weights);
        let originals: Vec<(String, Vec<f64>)> = columns
            .iter()
            .enumerate()
            .map(|(j, column)| (format!("y{}", j + 1), first.iter().map(|&n| column[n]).collect()))
            .collect();
        let labels =
            TargetLabels::decorrelate(&TargetSpec::default().raw_targets(&originals, &row_weights)?, &row_weights)?;
        if let Some(dependent) = (0..count).find(|j| !labels.kept().contains(j)) {
            let reason =
                "it depends on earlier ones: responses must be linearly independent, and not constant together";
            return Err(Error::parameter("responses", format!("column {dependent}"), reason));
        }
        let profile = EigenvalueProfile::DeltaValues(delta_values.to_vec());
        let options = EigenvalueOptions { lambda0: Some(1.0), allow_negative: true, strict: false };
        let eigenvalues = profile.eigenvalues(labels.sources(), count, &options)?;
        let rows = labels.values().to_owned();
        label_graph(vertex_weights, grouping, rows, GraphTargets { labels, eigenvalues })
    }
}

/// Refuses what is not finite by the name that its caller knows: a response and its vertex, or a delta value.
fn check_finite(responses: ArrayView2<'_, f64>, delta_values: &[f64]) -> Result<()> {
    for (j, column) in responses.columns().into_iter().enumerate() {
        if let Some(places) = Places::find(&column.to_vec(), |y| !y.is_finite()) {
            return Err(Error::NonFinite { what: format!("response 'y{}'", j + 1), places });
        }
    }
    match Places::find(delta_values, |delta| !delta.is_finite()) {
        Some(places) => Err(Error::NonFinite { what: "the list of delta values".into(), places }),
        None => Ok(()),
    }
}
