//! Principal components and one quadratic node: trained once, for all graphs.

use gsfa::expansion::Expansion;
use gsfa::graph::{Clustered, GraphInput, GraphSpec, TrainingGraph};
use gsfa::labels::Labels;
use gsfa::linalg::{AffineMap, largest_eigenpairs, multiply};
use gsfa::moments::Moments;
use gsfa::network::{InputShape, LayerSpec, Network, NetworkSpec};
use gsfa::samples::{Rows, Samples, Subset};
use gsfa_data::distort::{ImageCopy, cycle_classes};
use gsfa_data::pixels::PreparedImages;
use ndarray::{Array1, Array2, Axis, s};
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
        let prepared = PreparedImages::new(photos, spec.recipe.preparation())?;
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
        let source = PreparedImages::new(photos, self.spec.recipe.preparation())?;
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
        let spec = NetworkSpec { input: InputShape::vector(self.components.ncols()), layers: vec![layer] };
        let trained = spec.fit_with(&self.components.view(), &graph, &progress(watch))?;
        Ok(Trained { network: trained.network, features: trained.features })
    }

    /// Trains the node with the clustered graph, whose C − 1 features span those of every graph over classes.
    pub fn train_clustered(&self, classes: usize, watch: &dyn Watch) -> Result<Trained> {
        let graph = Clustered { balance: self.balance(), ..Clustered::default() };
        self.train(&graph.into(), classes - 1, watch)
    }
}

/// Mean and principal components of samples, through whichever is smaller: the covariance of their values, or the products
/// of the samples with each other.
fn principal_components(samples: &dyn Samples, count: usize) -> Result<(Array1<f64>, Array2<f64>)> {
    let vertices = samples.len();
    if vertices >= samples.dim() {
        // A graph without structure: only the covariance is wanted.
        let graph = TrainingGraph::new(vec![1.0; vertices], Vec::new(), 1.0 / vertices as f64)?;
        let moments = Moments::<f32>::of(samples, &graph)?.finish()?;
        let mean = moments.mean().iter().copied().collect();
        return Ok((mean, largest_eigenpairs(moments.covariance().view(), count)?.vectors));
    }
    let mut rows = Array2::<f64>::zeros((vertices, samples.dim()));
    samples.read_double(Rows::Range(0..vertices), rows.view_mut())?;
    let mean = rows.mean_axis(Axis(0)).unwrap_or_default();
    rows -= &mean;
    let eigen = largest_eigenpairs(multiply(rows.view(), rows.t()).view(), count)?;
    let mut weights = multiply(rows.t(), eigen.vectors.view());
    let lengths = eigen.values.iter().map(|x| x.max(f64::MIN_POSITIVE).sqrt());
    weights.axis_iter_mut(Axis(1)).zip(lengths).for_each(|(mut column, length)| column /= length);
    Ok((mean, weights))
}

/// Prepared images as principal components, some rows at a time.
fn project(source: &dyn Samples, mean: &Array1<f64>, weights: &Array2<f64>) -> Result<Array2<f32>> {
    let map = AffineMap::<f32>::new(mean, weights);
    let mut out = Array2::zeros((source.len(), weights.ncols()));
    for start in (0..source.len()).step_by(ROWS) {
        let end = (start + ROWS).min(source.len());
        let mut block = Array2::zeros((end - start, source.dim()));
        source.read_single(Rows::Range(start..end), block.view_mut())?;
        map.apply_into(block.view(), out.slice_mut(s![start..end, ..]));
    }
    Ok(out)
}
