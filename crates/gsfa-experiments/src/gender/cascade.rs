//! A cascade of linear nodes for all labels and their products.

use gsfa::expansion::{Expansion, First};
use gsfa::graph::{Ell, GraphSpec};
use gsfa::labels::EigenvalueProfile;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, Skip};

use super::faces::FaceData;
use super::trained::Trained;
use super::{Ablation, CascadeSpec, ProductEigenvalues};
use crate::{Result, Watch};

/// Target labels of the variant with gender and colour alone.
const TWO_LABEL_TARGETS: usize = 9;

/// The cascade, or what is left of it.
struct Cascade {
    labels: Vec<String>,
    targets: usize,
    products: bool,
    skip: bool,
    ridge_factor: f64,
    nodes: usize,
}

impl CascadeSpec {
    /// Trains the whole cascade.
    pub(super) fn train(&self, data: &FaceData, watch: &dyn Watch) -> Result<Trained> {
        self.fit(&Cascade::new(data, self.nodes), data, watch)
    }

    /// Trains a cascade of at most three nodes without something.
    pub(super) fn train_without(&self, what: Ablation, data: &FaceData, watch: &dyn Watch) -> Result<Trained> {
        let mut cascade = Cascade::new(data, self.nodes.min(3));
        match what {
            Ablation::NoProducts => {
                cascade.products = false;
                cascade.targets = cascade.labels.len();
            }
            Ablation::NoSkip => cascade.skip = false,
            Ablation::LittleRidge => cascade.ridge_factor = 0.01,
            Ablation::GenderAndColor => {
                cascade.labels = vec!["gender".into(), "color".into()];
                cascade.targets = TWO_LABEL_TARGETS;
            }
        }
        self.fit(&cascade, data, watch)
    }

    fn fit(&self, cascade: &Cascade, data: &FaceData, watch: &dyn Watch) -> Result<Trained> {
        let graph = Ell {
            labels: cascade.labels.clone(),
            targets: Some(cascade.targets),
            products: cascade.products,
            eigenvalues: EigenvalueProfile::Values(self.eigenvalues.of(cascade.labels.len(), cascade.targets)),
            ..Ell::default()
        };
        Trained::new(&self.network(cascade), &GraphSpec::from(graph), data, watch)
    }

    fn network(&self, cascade: &Cascade) -> NetworkSpec {
        let first = LayerSpec { ridge: self.first_ridge * cascade.ridge_factor, ..LayerSpec::new(cascade.targets) };
        let cubed = First { count: cascade.targets.min(5), degree: 3 };
        let further = LayerSpec {
            skip: cascade.skip.then_some(Skip { feature_scale: self.feature_scale, gate: None }),
            expansion: Expansion::Polynomial { degree: 2, first: Some(cubed) },
            ridge: self.ridge * cascade.ridge_factor,
            ..LayerSpec::new(cascade.targets)
        };
        let layers = std::iter::once(first).chain(std::iter::repeat_n(further, cascade.nodes.saturating_sub(1)));
        NetworkSpec::new(InputShape::grey(64, 64), layers.collect())
    }
}

impl Cascade {
    fn new(data: &FaceData, nodes: usize) -> Self {
        let labels = data.train.label_names();
        let targets = labels.len() + labels.len() * (labels.len() + 1) / 2;
        Self { labels, targets, products: true, skip: true, ridge_factor: 1.0, nodes }
    }
}

impl ProductEigenvalues {
    /// One per target label, of which the first are originals; further originals weigh as much as the last one given.
    fn of(&self, originals: usize, targets: usize) -> Vec<f64> {
        let [first, last] = self.products;
        let least = self.originals.last().copied().unwrap_or(1.0);
        let auxiliary = targets.saturating_sub(originals);
        let step = if auxiliary > 1 { (first - last) / (auxiliary - 1) as f64 } else { 0.0 };
        let original = |j: usize| self.originals.get(j).copied().unwrap_or(least);
        (0..originals).map(original).chain((0..auxiliary).map(|k| first - step * k as f64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_products_fall_linearly_from_first_to_last() {
        let eigenvalues = ProductEigenvalues { originals: vec![1.0, 0.5], products: [0.15, 0.05] };
        let close = |a: Vec<f64>, b: &[f64]| {
            assert_eq!(a.len(), b.len());
            assert!(a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-15), "{a:?}");
        };
        close(eigenvalues.of(3, 6), &[1.0, 0.5, 0.5, 0.15, 0.1, 0.05]);
        close(eigenvalues.of(2, 3), &[1.0, 0.5, 0.15]);
        close(eigenvalues.of(2, 2), &[1.0, 0.5]);
    }
}
