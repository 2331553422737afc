use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{Banded, Coupling, EdgeTerm, GraphInput, TrainingGraph, ranks};
use crate::{Error, Result};

/// The sliding window graph: samples in the order of a label, each connected with those up to `half_width` ranks away.
///
/// The weight at distance k is $w_k$. At the ends indices are reflected (0 → 1, −1 → 2, N+1 → N), weights that meet are
/// added and self-loops kept, so all degrees are $2\sum_k w_k$ and all vertex weights 1. With a half width of 1 it is
/// the reordering graph. Equal labels have no order; the graph is the mean over all of their orders. Sample weights
/// multiply: $v_n = s_n$, $\gamma_{n,n'} \to s_n s_{n'} \gamma_{n,n'}$.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlidingWindow {
    /// The largest distance in ranks.
    #[schemars(extend("flag" = "D", "minimum" = 1))]
    pub half_width: usize,
    /// The weights over the distance.
    #[serde(default)]
    pub shape: WindowShape,
    /// The numeric label to order by; may be left out if there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Edge weights of a sliding window over the distance in ranks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WindowShape {
    /// 1 at every distance.
    #[default]
    Box,
    /// Falling linearly to reach 0 one rank beyond the window.
    Triangle,
    /// $w_1, w_2, …$, one per distance.
    Weights(Vec<f64>),
}

impl SlidingWindow {
    /// Builds the graph.
    ///
    /// # Errors
    /// If the half width is 0 or not below N, the weights do not fit it, or the label is missing, constant or not
    /// finite.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let (name, values) = input.number(self.label.as_deref(), "sliding_window")?;
        let weights = self.weights(values.len())?;
        let grouping = ranks::tie_groups(name, values)?;
        let sizes = grouping.sums(&vec![1.0; values.len()]);
        let (diagonals, own) = mean_over_tie_orders(&weights, &sizes);
        let shares = input.weights().to_vec();
        let loops = shares.iter().zip(grouping.of_vertex()).map(|(s, &k)| s * s * own[k as usize]).collect();
        let coupling = Coupling::Banded(Banded::trusted(sizes.len(), diagonals));
        let term = EdgeTerm { grouping, shares: shares.clone(), coupling, loops: Some(loops) };
        TrainingGraph::new(shares, vec![term], 0.0)
    }

    /// $w_1 … w_d$.
    pub(crate) fn weights(&self, vertices: usize) -> Result<Vec<f64>> {
        let width = self.half_width;
        if width == 0 || width >= vertices.max(2) {
            let reason = format!("it must be at least 1 and below the number of samples, {vertices}");
            return Err(Error::parameter("half_width", width, reason));
        }
        match &self.shape {
            WindowShape::Box => Ok(vec![1.0; width]),
            WindowShape::Triangle => Ok((1..=width).map(|k| 1.0 - k as f64 / (width as f64 + 1.0)).collect()),
            WindowShape::Weights(w) if w.len() != width => {
                let reason = format!("half_width = {width} needs as many weights, one per distance");
                Err(Error::parameter("shape.weights", format!("{} values", w.len()), reason))
            }
            WindowShape::Weights(w) => match w.iter().find(|x| !x.is_finite()) {
                Some(x) => Err(Error::parameter("shape.weights", x, "weights must be finite")),
                None => Ok(w.clone()),
            },
        }
    }
}

/// The coupling of tie groups as diagonals, and the self-loop of each group's members beyond it.
///
/// Members of a group take its positions in every order with equal probability, so the weight between two groups is
/// the mean over their positions, that within a group the mean over its pairs of different positions, and the loop
/// the mean of the loops.
#[allow(clippy::type_complexity)]
fn mean_over_tie_orders(weights: &[f64], sizes: &[f64]) -> (Vec<(usize, Vec<f64>)>, Vec<f64>) {
    let groups = sizes.len();
    let group_at: Vec<usize> =
        sizes.iter().enumerate().flat_map(|(k, &m)| std::iter::repeat_n(k, m as usize)).collect();
    let n = group_at.len();
    let reach = weights.len().min(groups - 1);
    let mut diagonals: Vec<(usize, Vec<f64>)> = (0..=reach).map(|o| (o, vec![0.0; groups - o])).collect();
    let mut loops = vec![0.0; groups];
    // Upper triangle p ≤ q of the window over positions: the window itself, and its reflections at both ends.
    let mut add = |p: usize, q: usize, w: f64| {
        let (g, h) = (group_at[p], group_at[q]);
        if p == q { loops[g] += w } else { diagonals[h - g].1[g] += w }
    };
    for (k, &w) in weights.iter().enumerate() {
        let distance = k + 1;
        for p in 0..n - distance {
            add(p, p + distance, w);
        }
        for p in 0..distance {
            let q = distance - 1 - p;
            if p <= q {
                add(p, q, w);
                add(n - 1 - q, n - 1 - p, w);
            }
        }
    }
    for (offset, values) in &mut diagonals {
        for (g, value) in values.iter_mut().enumerate() {
            let pairs = if *offset == 0 { sizes[g] * (sizes[g] - 1.0) / 2.0 } else { sizes[g] * sizes[g + *offset] };
            *value = if pairs > 0.0 { *value / pairs } else { 0.0 };
        }
    }
    let own = (0..groups).map(|g| loops[g] / sizes[g] - diagonals[0].1[g]).collect();
    (diagonals, own)
}
