//! Networks of the paper, and ones that are good to start with.

use super::gate::Gate;
use super::spec::{InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
use crate::expansion::{Expansion, First};

/// Components of the input that one feature is multiplied with, and how many features share them at most.
const GATED: usize = 600;
const MOST_GATING: usize = 5;

impl NetworkSpec {
    /// The paper's eight layers for 64×64 grey images (its table of the network's structure): 0.8Expo nodes with 40
    /// outputs, 50 principal components in the first layer, 6 outputs on top.
    pub fn paper_64() -> Self {
        let node = |field: Option<[usize; 2]>, output_dim| LayerSpec {
            field,
            expansion: Expansion::EXPO_08,
            ..LayerSpec::new(output_dim)
        };
        let first = LayerSpec { pca: Some(PcaSpec::components(50)), ..node(Some([8, 8]), 40) };
        let pairs = [[2, 1], [1, 2], [2, 1], [1, 2], [2, 1], [1, 2]].map(|field| node(Some(field), 40));
        let layers = std::iter::once(first).chain(pairs).chain([node(None, 6)]).collect();
        Self::new(InputShape::grey(64, 64), layers)
    }

    /// The paper's network for the squared label: quadratic on top, 3 outputs in the layer below.
    pub fn paper_64_squared() -> Self {
        let mut spec = Self::paper_64();
        spec.layers[6].output_dim = 3;
        spec.layers[7].expansion = Expansion::QUADRATIC;
        spec
    }

    /// The paper's network for the cubed label: quadratic in layer 7 with 3 outputs, degree 6 on top.
    pub fn paper_64_cubed() -> Self {
        let mut spec = Self::paper_64();
        spec.layers[6].output_dim = 3;
        spec.layers[6].expansion = Expansion::QUADRATIC;
        spec.layers[7].expansion = Expansion::Polynomial { degree: 6, first: None };
        spec
    }

    /// One node over everything: `components` principal components, expanded to degree 2. With 120 components and 31
    /// features it is the paper's classifier of traffic signs.
    pub fn quadratic(input: InputShape, components: usize, output_dim: usize) -> Self {
        let pca = Some(PcaSpec::components(components));
        let layer = LayerSpec { pca, expansion: Expansion::QUADRATIC, ..LayerSpec::new(output_dim) };
        Self::new(input, vec![layer])
    }

    /// A cascade of linear nodes for several labels: the first sees the input, the others the input again beside
    /// polynomials of the slow features below. For graphs that code several labels and their products.
    ///
    /// `output_dim` is the number of target labels.
    pub fn cascade(input: InputShape, nodes: usize, output_dim: usize) -> Self {
        let first = LayerSpec { ridge: 3e-4, ..LayerSpec::new(output_dim) };
        let further = LayerSpec {
            skip: Some(Skip { feature_scale: 1.0, gate: None }),
            expansion: Expansion::Polynomial { degree: 2, first: Some(First { count: output_dim.min(5), degree: 3 }) },
            ridge: 3e-3,
            ..LayerSpec::new(output_dim)
        };
        let layers = std::iter::once(first).chain(std::iter::repeat_n(further, nodes.saturating_sub(1))).collect();
        Self::new(input, layers)
    }

    /// A [`cascade`](Self::cascade) of two nodes, also for one label: the second node sees the products of the first features
    /// below with the leading principal components of the input's patches, too.
    pub fn gated(input: InputShape, output_dim: usize) -> Self {
        let mut spec = Self::cascade(input, 2, output_dim);
        let features = output_dim.clamp(1, MOST_GATING);
        // Patches where components of everything would be dear; their leading ones hold what neighbours share.
        let patch = (input.dim().is_none_or(|dim| dim > GATED) && input.height * input.width > 1).then_some([8, 8]);
        let gate = Gate { patch, features: Some(features), ..Gate::components(GATED / features) };
        spec.layers[1].skip = Some(Skip { feature_scale: 1.0, gate: Some(gate) });
        spec.layers[1].ridge = 1e-3;
        spec
    }
}
