//! HiGSFA: a hierarchy that keeps information, by the general rule of the authors' networks.

use super::auto::ridge;
use super::spec::{InputShape, LayerSpec, NetworkSpec, PcaSpec};
use crate::expansion::Expansion;
use crate::solve::Keep;

/// Side of a field in the first layer, the distance between fields, and its principal components.
const SIDE: usize = 6;
const STEP: usize = 3;
const COMPONENTS: usize = 20;

/// Outputs of a node, layer by layer; further ones have as many as the last.
const OUTPUTS: [usize; 9] = [18, 27, 37, 66, 79, 88, 88, 93, 95];

/// Slow features of the first layers; further ones have those below a delta value.
const SLOW: [usize; 2] = [3, 4];
const DELTA: f64 = 1.96;

impl NetworkSpec {
    /// A hierarchy for images of any size whose nodes keep information, by the general rule of the authors' networks: fields of
    /// 6×6 pixels in steps of 3 with 20 principal components, then three neighbouring nodes in steps of 2 along the side
    /// that has more (two where their number is even), 18 … 95 outputs, a slow part of 3, of 4, and then of all features
    /// with Δ ≤ 1.96; a last node gives `output_dim` features. For 96×96 grey pixels these are the fields, steps and outputs of
    /// their network for ages. All nodes have the 0.8Expo expansion, where the authors expand a part of the inputs.
    ///
    /// Ridge is light, the less the more samples there are.
    pub fn higsfa(input: InputShape, samples: usize, output_dim: usize) -> Self {
        let sides = [input.height, input.width];
        let fields = sides.map(|side| covering(side, SIDE, STEP));
        let [field, stride] = [0, 1].map(|part| fields.map(|f| f[part]));
        let inputs = field[0].saturating_mul(field[1]).saturating_mul(input.channels);
        let components = inputs.min(COMPONENTS);
        let pca = (components < inputs).then(|| PcaSpec::components(components));
        let first = node(0, components, samples);
        let mut below = first.output_dim;
        let mut layers = vec![LayerSpec { field: Some(field), stride: Some(stride), pca, ..first }];
        let mut grid = [0, 1].map(|a| (sides[a] - field[a]) / stride[a].max(1) + 1);
        while grid != [1, 1] {
            let axis = usize::from(grid[1] > grid[0]);
            let (mut field, mut stride) = ([1, 1], [1, 1]);
            (field[axis], stride[axis]) = if grid[axis].is_multiple_of(2) { (2, 2) } else { (3, 2) };
            grid[axis] = (grid[axis] - field[axis]) / 2 + 1;
            let next = node(layers.len(), field[axis] * below, samples);
            below = next.output_dim;
            layers.push(LayerSpec { field: Some(field), stride: Some(stride), ..next });
        }
        layers.push(LayerSpec { output_dim, keep: None, ..node(layers.len(), below, samples) });
        Self::new(input, layers)
    }
}

/// A node of a layer that sees so many inputs.
fn node(depth: usize, inputs: usize, samples: usize) -> LayerSpec {
    let keep = match SLOW.get(depth) {
        Some(&slow) => Keep { slow: Some(slow), ..Keep::default() },
        None => Keep { delta: Some(DELTA), ..Keep::default() },
    };
    LayerSpec {
        expansion: Expansion::EXPO_08,
        keep: Some(keep),
        ridge: 0.1 * ridge(2 * inputs, samples),
        ..LayerSpec::new(OUTPUTS[depth.min(OUTPUTS.len() - 1)].min(inputs).max(1))
    }
}

/// Field and stride along a side that fields of about a size cover in steps.
pub(super) fn covering(side: usize, field: usize, step: usize) -> [usize; 2] {
    match side.checked_sub(field) {
        None => [side, side],
        Some(further) => [field + further % step, step],
    }
}
