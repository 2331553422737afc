//! A network to start with, for images of any size and any table.

use super::spec::{InputShape, LayerSpec, NetworkSpec, PcaSpec};
use crate::expansion::Expansion;

/// What a network is to learn, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Goal {
    /// Labels to learn at once: the original ones; 1 for classes.
    pub labels: usize,
    /// Features wanted: the target labels of the graph, or the number of classes less one.
    pub targets: usize,
}

/// Images of at most this many pixels, with as many values as an RGB image of that size has, are small.
const SMALL_PIXELS: usize = 48 * 48;
const SMALL_VALUES: usize = 3 * SMALL_PIXELS;

/// Samples for each term of a quadratic node, at least.
const SAMPLES_PER_TERM: usize = 5;
const TABLE_SAMPLES_PER_TERM: usize = 10;

/// Principal components of a small image before products, at most, and at least to be worth it.
const MOST_COMPONENTS: usize = 120;
const LEAST_COMPONENTS: usize = 12;

/// Wider tables are not standardised: the map would be a matrix of this size.
const WIDE_TABLE: usize = 4096;

/// Inputs of a node, at most: 2 GB for its sums.
const MOST_INPUTS: usize = 8000;

/// Side of a field in the first layer of a hierarchy, its inputs, and features of inner nodes.
const SIDE: usize = 8;
const FIELD_INPUTS: usize = 1024;
const INNER_OUTPUTS: [usize; 2] = [40, 80];

impl NetworkSpec {
    /// A sensible network for samples of any shape. The choice depends on shapes and counts only:
    ///
    /// | input | condition | network |
    /// |---|---|---|
    /// | table (1×1 pixel) | quadratic terms ≤ N/10 | one quadratic node on standardised columns |
    /// | table | else | one linear node on standardised columns |
    /// | image, several labels | ≤ 6,912 values, products of features ≤ N/5 | [`cascade`](Self::cascade) of three nodes |
    /// | image of ≤ 2,304 pixels and ≤ 6,912 values | k ≥ 12 | k whitened principal components, quadratic |
    /// | such an image | else | one linear node |
    /// | larger image | N ≥ 5 × the widest expansion | hierarchy of 0.8Expo nodes, as the paper's |
    /// | larger image | else, if ≤ 8,000 values | one linear node |
    /// | larger image | else | hierarchy |
    ///
    /// k is the largest number up to 120 whose k(k + 3)/2 quadratic terms are at most N/5. Columns of tables with more
    /// than 4,096 columns are left as they are. The first layer of the hierarchy has fields of about 8×8 pixels
    /// (smaller if there are many channels) that overlap just as much as they must to cover every pixel; further layers
    /// join two neighbouring nodes, or three overlapping ones where their number is odd, along the side that has more,
    /// until one is left; a last node follows. For 64×64 grey pixels this is the paper's network.
    ///
    /// Ridge is on everywhere, the more the fewer samples there are for each input:
    /// [`with_chosen_ridge`](Self::with_chosen_ridge) chooses a better one from the samples where that is possible.
    ///
    /// Training needs at most 2 GiB and twice the samples in f32, beside the samples themselves, for images up to
    /// 16 channels and tables up to 8,000 columns.
    pub fn auto(input: InputShape, samples: usize, goal: Goal) -> Self {
        let outputs = goal.targets.max(1);
        let values = input.dim().unwrap_or(usize::MAX);
        if input.height == 1 && input.width == 1 {
            return Self::new(input, vec![table(values, samples, outputs)]);
        }
        if goal.labels > 1 && values <= SMALL_VALUES {
            let cascade = Self::cascade(input, 3, outputs);
            let terms = cascade.layers[1].expansion.output_dim(outputs).unwrap_or(usize::MAX);
            if terms <= samples / SAMPLES_PER_TERM && values + terms <= MOST_INPUTS {
                return cascade;
            }
        }
        if values <= SMALL_VALUES && input.height * input.width <= SMALL_PIXELS {
            return Self::new(input, vec![small_image(values, samples, outputs)]);
        }
        let network = Self::hierarchy(input, samples, outputs);
        // Nodes that see fewer samples than this fit anything, and their features are those of the training samples alone.
        let widest =
            network.plan().map_or(0, |plan| plan.layers.iter().map(|layer| layer.expanded_dim).max().unwrap_or(0));
        if samples < SAMPLES_PER_TERM * widest && values <= MOST_INPUTS {
            return Self::new(input, vec![LayerSpec { ridge: ridge(values, samples), ..LayerSpec::new(outputs) }]);
        }
        network
    }
}

impl NetworkSpec {
    /// The hierarchy of [`auto`](Self::auto), whatever the number of samples.
    pub(crate) fn hierarchy(input: InputShape, samples: usize, outputs: usize) -> Self {
        Self::new(input, hierarchy(input, samples, outputs))
    }
}

fn quadratic_terms(inputs: usize) -> usize {
    inputs.saturating_mul(inputs.saturating_add(3)) / 2
}

/// Noise as strong as a regression on that many inputs needs against its own, for labels that are half noise.
pub(super) fn ridge(inputs: usize, samples: usize) -> f64 {
    (0.1 * inputs as f64 / samples.max(1) as f64).clamp(1e-6, 1.0)
}

fn table(columns: usize, samples: usize, outputs: usize) -> LayerSpec {
    let terms = quadratic_terms(columns);
    let (expansion, inputs) = if terms <= samples / TABLE_SAMPLES_PER_TERM {
        (Expansion::QUADRATIC, terms)
    } else {
        (Expansion::Identity, columns)
    };
    LayerSpec {
        standardize: columns <= WIDE_TABLE,
        expansion,
        ridge: ridge(inputs, samples),
        ..LayerSpec::new(outputs)
    }
}

fn small_image(values: usize, samples: usize, outputs: usize) -> LayerSpec {
    let fits = |k: &usize| quadratic_terms(*k) <= samples / SAMPLES_PER_TERM;
    let components = (1..=MOST_COMPONENTS.min(values)).rev().find(fits).unwrap_or(0);
    if components < LEAST_COMPONENTS.min(values) {
        return LayerSpec { ridge: ridge(values, samples), ..LayerSpec::new(outputs) };
    }
    // Whitened, so that ridge does not single out products of small components.
    let pca = Some(PcaSpec { whiten: true, ..PcaSpec::components(components) });
    let ridge = ridge(quadratic_terms(components), samples);
    LayerSpec { pca, expansion: Expansion::QUADRATIC, ridge, ..LayerSpec::new(outputs) }
}

fn hierarchy(input: InputShape, samples: usize, outputs: usize) -> Vec<LayerSpec> {
    let sides = [input.height, input.width];
    let fields = first_fields(sides, input.channels);
    let [field, stride] = [0, 1].map(|part| fields.map(|f| f[part]));
    let own = stride[0] * stride[1] * input.channels;
    // No more features than values that a field does not share, so that a layer never outgrows the image.
    let inner = outputs.clamp(INNER_OUTPUTS[0], INNER_OUTPUTS[1].min(own).max(INNER_OUTPUTS[0]));
    let node = |inputs: usize, output_dim: usize| LayerSpec {
        expansion: Expansion::EXPO_08,
        // Light: inner nodes should pass on what later ones may need.
        ridge: 0.1 * ridge(2 * inputs, samples),
        ..LayerSpec::new(output_dim)
    };
    let inputs = field[0] * field[1] * input.channels;
    let components = inputs.min(inner + 10);
    let pca = (components < inputs).then(|| PcaSpec::components(components));
    let mut layers = vec![LayerSpec { field: Some(field), stride: Some(stride), pca, ..node(components, inner) }];
    let mut grid = [0, 1].map(|a| (sides[a] - field[a]) / stride[a] + 1);
    while grid != [1, 1] {
        let axis = usize::from(grid[1] > grid[0]);
        let (mut field, mut stride) = ([1, 1], [1, 1]);
        (field[axis], stride[axis]) = if grid[axis].is_multiple_of(2) { (2, 2) } else { (3, 2) };
        grid[axis] = (grid[axis] - field[axis]) / 2 + 1;
        layers.push(LayerSpec { field: Some(field), stride: Some(stride), ..node(field[axis] * inner, inner) });
    }
    layers.push(node(inner, outputs));
    layers
}

/// Field and stride of the first layer along both sides: about 8×8 pixels, longer if one side is short.
fn first_fields(sides: [usize; 2], channels: usize) -> [[usize; 2]; 2] {
    let most = (FIELD_INPUTS / channels.max(1)).isqrt().max(1);
    let side = SIDE.min(most);
    let short = usize::from(sides[1] < sides[0]);
    let mut fields = [[1, 1]; 2];
    fields[short] = field_and_stride(sides[short], side);
    let along = (side * side / fields[short][1]).max(1);
    fields[1 - short] = field_and_stride(sides[1 - short], along);
    fields
}

/// The stride near `wanted` that leaves the smallest rest, which the field then covers.
fn field_and_stride(side: usize, wanted: usize) -> [usize; 2] {
    let (least, most) = ((3 * wanted / 4).max(1), (9 * wanted / 8).max(1));
    if side <= most {
        return [side, side];
    }
    let stride = (least..=most).min_by_key(|s| (side % s, s.abs_diff(wanted))).unwrap_or(wanted);
    [stride + side % stride, stride]
}
