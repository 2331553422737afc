//! Labels of graphs over classes, in any order of these.

use gsfa::graph::{GraphInput, GraphSpec};
use gsfa::labels::Labels;
use ndarray::{Array2, ArrayView2, Axis};

use crate::Result;

/// The labels of a graph over classes, which weigh the same: √λⱼ ℓⱼ, one row per class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClassLabels(Array2<f64>);

impl ClassLabels {
    /// The labels that a compact or clustered graph gives to classes in their own order.
    pub fn of(graph: &GraphSpec, classes: usize) -> Result<Self> {
        // Two samples of each class are enough to build a graph.
        let labels = Labels::classes("class", (0..2 * classes).map(|n| (n / 2).to_string()));
        let graph = graph.build(&GraphInput::new(&labels))?;
        let Some(targets) = graph.targets() else { return Ok(Self::clustered(classes)) };
        let mut rows = targets.labels.values().to_owned();
        let lambdas = &targets.eigenvalues.values;
        rows.axis_iter_mut(Axis(1)).zip(lambdas).for_each(|(mut label, lambda)| label *= lambda.sqrt());
        Ok(Self(rows))
    }

    /// The labels of the clustered graph: orthonormal contrasts, all equally important.
    pub fn clustered(classes: usize) -> Self {
        let one = 1.0 / classes as f64;
        let indicator = |(c, d): (usize, usize)| (classes as f64).sqrt() * (f64::from(u8::from(c == d)) - one);
        Self(Array2::from_shape_fn((classes, classes), indicator))
    }

    /// The same labels for another order of classes: class c is coded as number `order[c]`.
    pub fn reordered(&self, order: &[usize]) -> Self {
        Self(self.0.select(Axis(0), order))
    }

    pub fn rows(&self) -> ArrayView2<'_, f64> {
        self.0.view()
    }
}

#[cfg(test)]
mod tests {
    use gsfa::graph::Compact;

    use super::*;

    #[test]
    fn another_order_of_classes_is_the_compact_graph_with_that_order() {
        let classes = 8;
        let order = [3, 1, 0, 2, 7, 5, 6, 4];
        // `class_order` lists names by code number, `order` gives the code number of each class.
        let mut names = vec![String::new(); classes];
        order.iter().enumerate().for_each(|(class, &code)| names[code] = class.to_string());
        let graph = |class_order| GraphSpec::from(Compact { targets: Some(3), class_order, ..Compact::default() });
        let labels = Labels::classes("class", (0..2 * classes).map(|n| (n / 2).to_string()));
        let built = graph(names).build(&GraphInput::new(&labels)).unwrap();
        let ours = ClassLabels::of(&graph(Vec::new()), classes).unwrap().reordered(&order);
        // Γ is λ₀ + Σ λ ℓ ℓ' between classes, up to a factor.
        for (a, b) in (0..classes).flat_map(|a| (0..classes).map(move |b| (a, b))) {
            let coded = ours.0.row(a).dot(&ours.0.row(b)) + 1.0 / 3.0;
            assert!((built.edge_weight(2 * a, 2 * b) * built.q() - coded).abs() < 1e-12);
        }
    }
}
