//! Which inputs each node of a layer sees.

use super::gate::Gate;
use super::spec::{InputShape, LayerSpec, NetworkSpec};
use crate::{Error, Result};

/// The grid of a layer's nodes and their fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LayerGeometry {
    /// Rows and columns of nodes.
    pub nodes: [usize; 2],
    /// Field in nodes of the layer below.
    field: [usize; 2],
    stride: [usize; 2],
    /// Columns of nodes below, and values per node.
    below: (usize, usize),
    /// Field in pixels, and the distance between fields.
    pub pixels: [usize; 2],
    pixel_stride: [usize; 2],
    input: InputShape,
}

impl NetworkSpec {
    /// The geometry of every layer.
    pub(crate) fn geometry(&self) -> Result<Vec<LayerGeometry>> {
        let input = self.input;
        match input.dim() {
            Some(0) | None => {
                let shape = format!("{}x{}x{}", input.height, input.width, input.channels);
                return Err(Error::parameter(
                    "input",
                    shape,
                    "every side must be at least 1, and their product a size",
                ));
            }
            Some(_) => {}
        }
        if self.layers.is_empty() {
            return Err(Error::parameter("layers", "[]", "a network needs at least one layer"));
        }
        let mut grid = [input.height, input.width];
        let mut values = input.channels;
        let (mut pixels, mut pixel_stride) = ([1, 1], [1, 1]);
        let mut layers = Vec::new();
        for (number, layer) in self.layers.iter().enumerate() {
            let [field, stride] = fields(layer, grid, number + 1)?;
            let axes = [0, 1];
            let nodes = axes.map(|a| (grid[a] - field[a]) / stride[a] + 1);
            pixels = axes.map(|a| pixels[a] + (field[a] - 1) * pixel_stride[a]);
            pixel_stride = axes.map(|a| stride[a] * pixel_stride[a]);
            let product = |factors: [usize; 3]| factors.iter().try_fold(1_usize, |a, &b| a.checked_mul(b));
            let sizes = [[field[0], field[1], values], [nodes[0], nodes[1], layer.output_dim]];
            if sizes.into_iter().any(|size| product(size).is_none()) {
                let value = format!("{} in layer {}", layer.output_dim, number + 1);
                return Err(Error::parameter("output_dim", value, "the layer would have more values than a computer"));
            }
            layers.push(LayerGeometry { nodes, field, stride, below: (grid[1], values), pixels, pixel_stride, input });
            (grid, values) = (nodes, layer.output_dim);
        }
        Ok(layers)
    }
}

/// Field and stride of a layer over a grid, checked: fields must cover the grid without a rest.
fn fields(layer: &LayerSpec, grid: [usize; 2], number: usize) -> Result<[[usize; 2]; 2]> {
    let field = layer.field.unwrap_or(grid);
    let stride = layer.stride.unwrap_or(field);
    let refuse = |name, value: [usize; 2], reason: String| {
        Error::parameter(name, format!("[{}, {}] in layer {number}", value[0], value[1]), reason)
    };
    let below = format!("{}x{}", grid[0], grid[1]);
    if number == 1 && grid == [1, 1] && field != grid {
        let reason = "samples that are no images have no fields: say the shape of the images, or use a network without";
        return Err(refuse("field", field, reason.into()));
    }
    if field.contains(&0) || field[0] > grid[0] || field[1] > grid[1] {
        return Err(refuse("field", field, format!("it must lie within the {below} nodes below")));
    }
    if stride.contains(&0) || stride[0] > field[0] || stride[1] > field[1] {
        return Err(refuse("stride", stride, "it must be at least 1 and at most the field".into()));
    }
    if !(grid[0] - field[0]).is_multiple_of(stride[0]) || !(grid[1] - field[1]).is_multiple_of(stride[1]) {
        return Err(refuse(
            "field",
            field,
            format!("with its stride it does not cover the {below} nodes below evenly"),
        ));
    }
    if layer.output_dim == 0 {
        return Err(Error::parameter("output_dim", format!("0 in layer {number}"), "a node needs at least one output"));
    }
    Ok([field, stride])
}

impl LayerGeometry {
    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.nodes[0] * self.nodes[1]
    }

    /// Inputs per node, from the layer below.
    pub fn input_dim(&self) -> usize {
        self.field[0] * self.field[1] * self.below.1
    }

    /// Whether the only node sees everything, in order.
    pub fn is_whole(&self) -> bool {
        self.count() == 1 && self.stride == self.field
    }

    /// Positions of a node's inputs in a row of the layer below: field row by row, values innermost.
    pub fn columns(&self, node: usize) -> Vec<usize> {
        let (width, values) = self.below;
        positions(self.corner(node, self.stride), self.field, width, values)
    }

    /// Positions of a node's receptive field among the original inputs.
    pub fn original_columns(&self, node: usize) -> Vec<usize> {
        positions(self.corner(node, self.pixel_stride), self.pixels, self.input.width, self.input.channels)
    }

    /// The patches of a gate in a node's receptive field, all nodes alike.
    pub fn patches(&self, gate: &Gate) -> Vec<Vec<usize>> {
        gate.patches(self.pixels, self.input.channels)
    }

    /// Original inputs in a node's receptive field.
    pub fn original_dim(&self) -> usize {
        self.pixels[0] * self.pixels[1] * self.input.channels
    }

    fn corner(&self, node: usize, stride: [usize; 2]) -> [usize; 2] {
        [node / self.nodes[1] * stride[0], node % self.nodes[1] * stride[1]]
    }
}

fn positions(corner: [usize; 2], field: [usize; 2], width: usize, values: usize) -> Vec<usize> {
    let mut columns = Vec::with_capacity(field[0] * field[1] * values);
    for row in corner[0]..corner[0] + field[0] {
        for column in corner[1]..corner[1] + field[1] {
            let at = (row * width + column) * values;
            columns.extend(at..at + values);
        }
    }
    columns
}
