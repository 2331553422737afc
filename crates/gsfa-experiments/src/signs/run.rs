//! Running the experiment on signs.

use std::path::Path;
use std::time::Instant;

use gsfa::graph::{ClassCode, Compact, GraphSpec};
use gsfa::labels::{EigenvalueProfile, SampleWeights};
use gsfa::readout::measures::confusion_matrix;
use gsfa_data::split::{FoldRule, holdout};
use ndarray::{Array2, ArrayView2, Axis};

use super::class_order::{Judges, random_orders};
use super::class_space::{ClassLabels, ClassSpace};
use super::classify::{error_rates, nearest};
use super::node::{Reduced, Trained};
use super::photos::{Photos, SignData};
use super::{ChosenOrder, FeaturePicture, OrderSearch, SignsResults, SignsSpec};
use crate::expected::Expected;
use crate::watch::step;
use crate::{Result, Watch};

/// Features shown as images.
const SHOWN: usize = 8;

/// One run: errors in percent by graph and d.
pub(super) struct Run {
    /// Per graph the errors over d, on limited and on all test images.
    pub errors: Vec<[Vec<f64>; 2]>,
    /// Error at the fewest features that code all classes, per random order: first the short code, then the long one.
    pub random: [Vec<f64>; 2],
    pub chosen: Option<(ChosenOrder, [f64; 2])>,
    pub different: usize,
    pub confusion: Array2<f64>,
    pub features: Vec<(String, Vec<FeaturePicture>)>,
    pub seconds: Vec<(&'static str, f64)>,
    pub train: usize,
}

/// The graphs of the experiment.
pub(super) struct Graphs {
    pub bits: usize,
    pub names: Vec<String>,
    pub labels: Vec<ClassLabels>,
}

impl SignsSpec {
    /// Runs the experiment, on real signs if a folder is given.
    ///
    /// # Errors
    /// If data cannot be read, a node cannot be trained, or somebody asks to stop.
    pub fn run(
        &self,
        folder: Option<&Path>,
        seed: u64,
        expected: &Expected,
        watch: &dyn Watch,
    ) -> Result<SignsResults> {
        let mut data = match folder {
            Some(folder) => {
                step(watch, "signs: reading")?;
                SignData::open(folder, self.classes)?
            }
            None => SignData::generate(self, seed),
        };
        let graphs = Graphs::new(data.names.len())?;
        let mut runs = Vec::new();
        for run in 0..self.runs.max(1) {
            let seed = seed.wrapping_add(run as u64);
            if run > 0 && folder.is_none() {
                data = SignData::generate(self, seed);
            }
            runs.push(self.one_run(&data, &graphs, (run, seed), watch)?);
        }
        Ok(self.results(&data, &graphs, folder.is_some(), &runs, expected))
    }

    fn one_run(&self, data: &SignData, graphs: &Graphs, (run, seed): (usize, u64), watch: &dyn Watch) -> Result<Run> {
        let say = |what: &str| step(watch, &format!("signs, run {} of {}: {what}", run + 1, self.runs.max(1)));
        let classes = data.names.len();
        let mut clock = Clock::default();
        say("principal components")?;
        let reduced = Reduced::new(self, &data.train, seed)?;
        clock.lap("distortion, preparation, principal components");
        say("quadratic node")?;
        let trained = reduced.train_clustered(classes, watch)?;
        clock.lap("quadratic node, for all graphs");
        let space = ClassSpace::new(trained.features.view(), &reduced.classes, classes)?;
        let pcs = reduced.of(&data.test)?;
        let test = trained.network.apply(&pcs.view())?;
        clock.lap("test images");
        say("graphs, codes and orders")?;
        let rows = self.test_rows(&data.test);
        let d = self.features[0]..=self.features[1].min(classes - 1);
        let mut run = Run {
            errors: Vec::new(),
            random: [Vec::new(), Vec::new()],
            chosen: None,
            different: 0,
            confusion: Array2::zeros((classes, classes)),
            features: Vec::new(),
            seconds: Vec::new(),
            train: reduced.classes.len(),
        };
        let errors =
            |estimates: &Array2<u32>| [0, 1].map(|set: usize| error_rates(estimates, &data.test.classes, &rows[set]));
        let mut full = Vec::new();
        for labels in &graphs.labels {
            let weights = space.directions(labels, *d.end())?;
            let features = space.features(test.view(), &weights);
            let estimates = nearest(features.view(), &space.centroids(&weights), d.clone());
            run.errors.push(errors(&estimates).map(|rates| known(rates, weights.ncols(), *d.start())));
            run.features.push(pictures(&graphs.names[run.errors.len() - 1], &reduced, &trained, &space, &weights));
            full.push(estimates.index_axis(Axis(1), estimates.ncols() - 1).to_vec());
        }
        let [clustered, long] = [Graphs::CLUSTERED, Graphs::LONG];
        run.different = full[clustered].iter().zip(&full[long]).filter(|(a, b)| a != b).count();
        let weights = SampleWeights::uniform(data.test.len());
        run.confusion = confusion_matrix(&full[long], &data.test.classes, classes, &weights)?;
        for order in random_orders(classes, self.random_orders, seed) {
            for (which, graph) in [Graphs::SHORT, long].into_iter().enumerate() {
                let labels = graphs.labels[graph].reordered(&order);
                run.random[which].push(self.error_at(graphs.bits, &labels, &space, test.view(), data, &rows[0])?);
            }
        }
        clock.lap("all graphs, codes and orders");
        if self.surplus {
            say("compact graph by itself")?;
            let short = GraphSpec::from(Compact { balance: reduced.balance(), ..graphs.compact(graphs.bits) });
            run.errors[Graphs::SHORT] = errors(&self.by_itself(&reduced, &short, &pcs, *d.end(), watch)?);
            clock.lap("compact graph by itself");
        }
        if let Some(search) = &self.order_search {
            say("class order on held-out tracks")?;
            let chosen = self.choose_order(data, graphs, (search, seed), watch)?;
            let short = graphs.labels[Graphs::SHORT].reordered(&chosen.order);
            let long = graphs.labels[long].reordered(&chosen.order);
            let on_test = |labels| self.error_at(graphs.bits, labels, &space, test.view(), data, &rows[0]);
            let on_test = [on_test(&short)?, on_test(&long)?];
            run.chosen = Some((chosen, on_test));
            clock.lap("class order on held-out tracks");
        }
        run.seconds = clock.laps;
        Ok(run)
    }

    /// Error in percent with d features of one graph.
    fn error_at(
        &self,
        d: usize,
        labels: &ClassLabels,
        space: &ClassSpace,
        test: ArrayView2<'_, f64>,
        data: &SignData,
        rows: &[usize],
    ) -> Result<f64> {
        let weights = space.directions(labels, d)?;
        let features = space.features(test, &weights);
        let estimates = nearest(features.view(), &space.centroids(&weights), d..=d);
        Ok(error_rates(&estimates, &data.test.classes, rows)[0])
    }

    /// The node trained with a graph and as many outputs as the clustered one, surplus ones included.
    fn by_itself(
        &self,
        reduced: &Reduced,
        graph: &GraphSpec,
        test: &Array2<f32>,
        most: usize,
        watch: &dyn Watch,
    ) -> Result<Array2<u32>> {
        let trained = reduced.train(graph, most, watch)?;
        let count = reduced.classes.iter().max().map_or(0, |&c| c as usize + 1);
        let centroids = centroids(trained.features.view(), &reduced.classes, count);
        let features = trained.network.apply(&test.view())?;
        Ok(nearest(features.view(), &centroids, self.features[0]..=most))
    }

    /// Trains on a part of the tracks and lets the others judge orders.
    fn choose_order(
        &self,
        data: &SignData,
        graphs: &Graphs,
        (search, seed): (&OrderSearch, u64),
        watch: &dyn Watch,
    ) -> Result<ChosenOrder> {
        let classes = data.names.len();
        let rule = FoldRule { groups: Some(&data.train.tracks), strata: Some(&data.train.classes) };
        let split = holdout(data.train.len(), search.held_out, rule, seed)?;
        let reduced = Reduced::new(self, &data.train.select(&split.train), seed)?;
        let trained = reduced.train_clustered(classes, watch)?;
        let space = ClassSpace::new(trained.features.view(), &reduced.classes, classes)?;
        let held_out = data.train.select(&split.test);
        let features = trained.network.apply(&reduced.of(&held_out)?.view())?;
        let judges = Judges { space: &space, features: features.view(), classes: &held_out.classes, d: graphs.bits };
        judges.choose(&graphs.labels[Graphs::SHORT], classes, search.trials, seed)
    }

    /// The rows of test images: at most so many per class, and all.
    pub(super) fn test_rows(&self, test: &Photos) -> [Vec<usize>; 2] {
        let mut seen = vec![0; test.classes.iter().max().map_or(0, |&c| c as usize + 1)];
        let few = (0..test.len()).filter(|&n| {
            let count = &mut seen[test.classes[n] as usize];
            *count += 1;
            *count <= self.test_limit
        });
        [few.collect(), (0..test.len()).collect()]
    }
}

impl Graphs {
    pub const CLUSTERED: usize = 0;
    pub const SHORT: usize = 1;
    pub const LONG: usize = 2;

    fn new(classes: usize) -> Result<Self> {
        let bits = classes.next_power_of_two().trailing_zeros() as usize;
        let of = |graph: Compact| ClassLabels::of(&graph.into(), classes);
        let sparse = Compact { code: ClassCode::Sparse, eigenvalues: EigenvalueProfile::Linear, ..Compact::default() };
        let mut graphs = Self { bits, names: Vec::new(), labels: Vec::new() };
        graphs.labels = vec![
            ClassLabels::clustered(classes),
            of(graphs.compact(bits))?,
            of(graphs.compact(classes - 1))?,
            of(sparse)?,
        ];
        graphs.names = vec![
            "clustered".into(),
            format!("compact+{bits}"),
            format!("compact+{}", classes - 1),
            "sparse code".into(),
        ];
        Ok(graphs)
    }

    fn compact(&self, targets: usize) -> Compact {
        Compact { targets: Some(targets), ..Compact::default() }
    }
}

/// Errors over d from `first` on, as far as the graph has features; what others would be is not known here.
fn known(mut rates: Vec<f64>, features: usize, first: usize) -> Vec<f64> {
    rates.iter_mut().skip((features + 1).saturating_sub(first)).for_each(|rate| *rate = f64::NAN);
    rates
}

/// Measures the parts of a run.
struct Clock {
    laps: Vec<(&'static str, f64)>,
    last: Instant,
}

impl Default for Clock {
    fn default() -> Self {
        Self { laps: Vec::new(), last: Instant::now() }
    }
}

impl Clock {
    fn lap(&mut self, name: &'static str) {
        self.laps.push((name, self.last.elapsed().as_secs_f64()));
        self.last = Instant::now();
    }
}

fn centroids(features: ArrayView2<'_, f64>, classes: &[u32], count: usize) -> Array2<f64> {
    let mut sizes = vec![0.0; count];
    classes.iter().for_each(|&c| sizes[c as usize] += 1.0);
    let mut means = Array2::zeros((count, features.ncols()));
    for (row, &c) in features.outer_iter().zip(classes) {
        means.row_mut(c as usize).scaled_add(1.0 / sizes[c as usize], &row);
    }
    means
}

/// How the first features vary with the pixels: their covariance with the principal components, as an image.
fn pictures(
    name: &str,
    reduced: &Reduced,
    trained: &Trained,
    space: &ClassSpace,
    weights: &Array2<f64>,
) -> (String, Vec<FeaturePicture>) {
    let features = space.features(trained.features.view(), weights);
    let components = reduced.components.mapv(f64::from);
    let images = reduced.weights.dot(&components.t().dot(&features));
    let picture = |(j, image): (usize, ndarray::ArrayView1<'_, f64>)| {
        let largest = image.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let pixels = image.iter().map(|x| (127.5 + 127.5 * x / largest).round() as u8).collect();
        FeaturePicture { name: format!("y{}", j + 1), pixels }
    };
    let shown = images.columns().into_iter().enumerate().take(SHOWN).map(picture);
    (name.to_string(), shown.collect())
}
