//! A network whose lower layers are one node each, shared by all fields: for few samples, and content that moves.

use super::auto::ridge;
use super::higsfa::covering;
use super::spec::{InputShape, LayerSpec, NetworkSpec};
use crate::expansion::Expansion;
use crate::solve::Keep;

/// Side of a field, outputs of its node, and the expansion of its inputs, in each shared layer; fields are two apart.
const LAYERS: [(usize, usize, Expansion); 2] = [(5, 25, Expansion::Identity), (4, 16, Expansion::EXPO_08)];
const STEP: usize = 2;

/// The largest delta value of a slow feature.
const DELTA: f64 = 1.99;

impl NetworkSpec {
    /// Two layers of nodes that keep information and are shared by all fields, by the sizes of a study of handwritten digits with
    /// few samples (Hlynsson and others, 2019): fields of 5×5 pixels and of 4×4 nodes in steps of 2, 25 and 16 outputs, the
    /// second with |x|^0.8; and a last node over everything, with the same expansion, that gives `output_dim` features.
    /// Fields are larger where that covers the image.
    pub fn shared(input: InputShape, samples: usize, output_dim: usize) -> Self {
        let (mut grid, mut below) = ([input.height, input.width], input.channels);
        let mut layers = Vec::new();
        for (side, outputs, expansion) in LAYERS {
            let fields = grid.map(|along| covering(along, side, STEP));
            let [field, stride] = [0, 1].map(|part| fields.map(|f| f[part]));
            let inputs = field[0].saturating_mul(field[1]).saturating_mul(below);
            layers.push(LayerSpec {
                field: Some(field),
                stride: Some(stride),
                shared: true,
                expansion,
                keep: Some(Keep { delta: Some(DELTA), ..Keep::default() }),
                ridge: 0.1 * ridge(2 * inputs, samples),
                ..LayerSpec::new(outputs.min(inputs).max(1))
            });
            below = outputs.min(inputs).max(1);
            grid = [0, 1].map(|a| (grid[a] - field[a]) / stride[a].max(1) + 1);
        }
        let inputs = grid[0].saturating_mul(grid[1]).saturating_mul(below);
        let ridge = 0.1 * ridge(2 * inputs, samples);
        layers.push(LayerSpec { expansion: Expansion::EXPO_08, ridge, ..LayerSpec::new(output_dim) });
        Self::new(input, layers)
    }
}
