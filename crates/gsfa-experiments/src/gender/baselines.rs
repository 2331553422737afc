//! What simpler methods reach.

use gsfa::graph::{Clustered, Ell, GraphInput, GraphSpec};
use gsfa::labels::Labels;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, PcaSpec};

use super::GenderSpec;
use super::faces::FaceData;
use super::trained::Trained;
use crate::{Result, Watch};

fn one_node(layer: LayerSpec) -> NetworkSpec {
    NetworkSpec::new(InputShape::grey(64, 64), vec![layer])
}

/// Ridge regression on all pixels: a linear node with the graph of the label alone.
pub(super) fn ridge(spec: &GenderSpec, label: &str, data: &FaceData, watch: &dyn Watch) -> Result<(Trained, f64)> {
    let graph = GraphSpec::from(Ell { labels: vec![label.into()], ..Ell::default() });
    let labels = data.train.labels()?;
    let built = graph.build(&GraphInput::new(&labels))?;
    let linear = one_node(LayerSpec::new(1));
    let ridge = match spec.ridge.candidates[..] {
        [only] => only,
        ref several => linear.choose_ridge(&data.train.images.view(), &built, several, spec.ridge.folds)?.ridge,
    };
    let network = one_node(LayerSpec { ridge, ..LayerSpec::new(1) });
    Ok((Trained::new(&network, &graph, data, watch)?, ridge))
}

/// Linear discriminant analysis of the gender values on principal components of all pixels.
pub(super) fn lda(spec: &GenderSpec, data: &FaceData, watch: &dyn Watch) -> Result<Trained> {
    let classes = Labels::classes("gender", data.train.label("gender").iter().map(f64::to_string));
    let pca = Some(PcaSpec::components(spec.lda_components));
    let network = one_node(LayerSpec { pca, ..LayerSpec::new(6) });
    Trained::with_labels(&network, &GraphSpec::from(Clustered::default()), &classes, data, watch)
}
