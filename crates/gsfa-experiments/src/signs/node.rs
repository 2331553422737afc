//! Principal components and one quadratic node: trained once, for all graphs.

use gsfa::expansion::Expansion;
use gsfa::graph::{Chain, Clustered, GraphInput, GraphSpec};
use gsfa::labels::Labels;
use gsfa::network::{InputShape, LayerSpec, Network, NetworkSpec, PcaSpec};
use gsfa::samples::{Rows, Samples, Subset};
use gsfa_data::distort::{ImageCopy, cycle_classes};
use gsfa_data::pixels::PreparedImages;
use ndarray::{Array1, Array2, s};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::SignsSpec;
use super::photos::Photos;
use crate::watch::progress;
use crate::{Result, Watch};

/// Rows that are projected at a time.
const ROWS: usize = 2048;

/// Training samples reduced to principal components, with their classes.
pub(super) struct Reduced {
    pub components: Array2<f32>,
    pub classes: Vec<u32>,
    /// The prepared pixels' mean, one column of weights per component.
    pub mean: Array1<f64>,
    pub weights: Array2<f64>,
    spec: SignsSpec,
}

/// A trained node and the features of its training samples.
pub(super) struct Trained {
    pub network: Network,
    pub features: Array2<f64>,
}

impl Reduced {
    /// Distorts and prepares training images and finds their principal components.
    pub fn new(spec: &SignsSpec, photos: &Photos, seed: u64) -> Result<Self> {
        let rows = match spec.per_class {
            Some(count) => cycle_classes(&photos.classes, count, seed)?,
            None => (0..photos.len()).map(|image| ImageCopy { image, copy: 0 }).collect(),
        };
        let classes: Vec<u32> = rows.iter().map(|row| photos.classes[row.image]).collect();
        let prepared = PreparedImages::new(photos, spec.preparation.steps())?;
        let source = prepared.distorted(rows, spec.distortion, seed)?;
        let mut some: Vec<usize> = (0..source.len()).collect();
        some.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        some.truncate(spec.pca_images);
        some.sort_unstable();
        let (mean, weights) = principal_components(&Subset::new(&source, some)?, spec.components)?;
        let components = project(&source, &mean, &weights)?;
        Ok(Self { components, classes, mean, weights, spec: spec.clone() })
    }

    /// The components of images as they are.
    pub fn of(&self, photos: &Photos) -> Result<Array2<f32>> {
        let source = PreparedImages::new(photos, self.spec.preparation.steps())?;
        project(&source, &self.mean, &self.weights)
    }

    /// The class labels of the training samples.
    pub fn labels(&self) -> Labels {
        Labels::classes("class", self.classes.iter().map(u32::to_string))
    }

    /// Whether vertex weights have to balance the classes.
    pub fn balance(&self) -> bool {
        self.spec.per_class.is_none()
    }

    /// Trains the node with a graph.
    pub fn train(&self, graph: &GraphSpec, features: usize, watch: &dyn Watch) -> Result<Trained> {
        let labels = self.labels();
        let graph = graph.build(&GraphInput::new(&labels))?;
        let layer = LayerSpec { expansion: Expansion::QUADRATIC, ..LayerSpec::new(features) };
        let spec = NetworkSpec::new(InputShape::vector(self.components.ncols()), vec![layer]);
        let trained = spec.fit_with(&self.components.view(), &graph, &progress(watch))?;
        Ok(Trained { network: trained.network, features: trained.features })
    }

    /// Trains the node with the clustered graph, whose C − 1 features span those of every graph over classes.
    pub fn train_clustered(&self, classes: usize, watch: &dyn Watch) -> Result<Trained> {
        let graph = Clustered { balance: self.balance(), ..Clustered::default() };
        self.train(&graph.into(), classes - 1, watch)
    }
}

/// Mean and principal components of samples: those of a node that sees all of them, in any order.
fn principal_components(samples: &dyn Samples, count: usize) -> Result<(Array1<f64>, Array2<f64>)> {
    let rows = Labels::numbers("row", (0..samples.len()).map(|n| n as f64).collect());
    let graph = Chain::default().build(&GraphInput::new(&rows))?;
    let layer = LayerSpec { pca: Some(PcaSpec::components(count)), ..LayerSpec::new(1) };
    let spec = NetworkSpec::new(InputShape::vector(samples.dim()), vec![layer]);
    // Prepared once, though the node reads them several times.
    let mut pixels = Array2::<f32>::zeros((samples.len(), samples.dim()));
    samples.read_single(Rows::Range(0..samples.len()), pixels.view_mut())?;
    let mut nodes = spec.fit(&pixels, &graph)?.network.layers.into_iter().flatten();
    let pca = nodes.next().and_then(|node| node.pca);
    Ok(pca.map_or_else(Default::default, |pca| (pca.mean, pca.weights)))
}

/// Prepared images as principal components, some rows at a time.
fn project(source: &dyn Samples, mean: &Array1<f64>, weights: &Array2<f64>) -> Result<Array2<f32>> {
    let (mean, weights) = (mean.mapv(|x| x as f32), weights.mapv(|x| x as f32));
    let mut out = Array2::zeros((source.len(), weights.ncols()));
    for start in (0..source.len()).step_by(ROWS) {
        let end = (start + ROWS).min(source.len());
        let mut block = Array2::<f32>::zeros((end - start, source.dim()));
        source.read_single(Rows::Range(start..end), block.view_mut())?;
        block -= &mean;
        out.slice_mut(s![start..end, ..]).assign(&block.dot(&weights));
    }
    Ok(out)
}
