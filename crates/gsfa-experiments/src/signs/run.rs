//! Running the experiment on signs.

use std::path::Path;
use std::time::Instant;

use gsfa::graph::{ClassCode, Compact, GraphInput, GraphSpec};
use gsfa::labels::{CodeObjective, EigenvalueProfile, LearnedCode, SampleWeights};
use gsfa::readout::measures::confusion_matrix;
use gsfa::solve::ClassFeatures;
use gsfa_data::split::{FoldRule, holdout};
use ndarray::{Array2, ArrayView2, s};

use super::class_labels::ClassLabels;
use super::class_order::{Exchange, random_orders};
use super::codes::Family;
use super::judges::{Judges, Rule, error_rate, nearest};
use super::learned::{Coded, Curves, Trial};
use super::node::{Reduced, Trained};
use super::photos::{Photos, SignData};
use super::{ChosenOrder, FeaturePicture, OrderSearch, SignMap, SignsResults, SignsSpec};
use crate::expected::Expected;
use crate::watch::step;
use crate::{Result, Watch};

/// Features shown as images.
const SHOWN: usize = 8;

/// Images drawn in a map, at most.
const DRAWN: usize = 3000;

/// One run: errors in percent by graph and d.
pub(super) struct Run {
    /// The fixed graphs, then the learned codes.
    pub codes: Vec<Coded>,
    /// The binary codes as one family, and how many percent more learned codes err, with the standard error, for each d.
    pub binary: Coded,
    pub paired: Vec<(f64, f64)>,
    /// Error at the fewest features that code all classes, per random order: first the short code, then the long one.
    pub random: [Vec<f64>; 2],
    pub chosen: Option<(ChosenOrder, [f64; 2])>,
    pub different: usize,
    pub confusion: Array2<f64>,
    pub features: Vec<(String, Vec<FeaturePicture>)>,
    pub maps: Vec<SignMap>,
    pub seconds: Vec<(&'static str, f64)>,
    pub train: usize,
}

/// The graphs of the experiment.
pub(super) struct Graphs {
    pub bits: usize,
    pub labels: Vec<ClassLabels>,
    /// The fixed graphs, then learned codes.
    pub families: Vec<Family>,
    /// The binary codes together.
    pub binary: Family,
}

/// A trained node and its canonical features.
struct Node {
    reduced: Reduced,
    trained: Trained,
    canonical: ClassFeatures,
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
        let graphs = Graphs::new(data.names.len(), &self.code_scales)?;
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
        let node = Node::train(reduced, classes, watch)?;
        clock.lap("quadratic node, for all graphs");
        let pcs = node.reduced.of(&data.test)?;
        let test = node.judges(pcs.view(), &data.test)?;
        clock.lap("test images");
        let held_out = match &self.order_search {
            Some(search) => {
                say("node without held-out tracks")?;
                let held_out = self.held_out(data, (search, seed), watch)?;
                clock.lap("node without held-out tracks");
                Some((search, held_out))
            }
            None => None,
        };
        say("graphs, codes and orders")?;
        let rows = self.test_rows(&data.test);
        let d = self.features[0]..=self.features[1].min(classes - 1);
        let trial = Trial { test: &test, held_out: held_out.as_ref().map(|(_, judges)| judges), rows: &rows, d };
        let mut codes = graphs.families.iter().map(|family| trial.of(family)).collect::<Result<Vec<_>>>()?;
        let binary = trial.of(&graphs.binary)?;
        let paired = trial.paired(&codes[Graphs::PAIRWISE], &binary);
        clock.lap("all graphs and codes");
        let random = self.random_orders_of(graphs, &test, &rows[0], seed)?;
        clock.lap("random orders");
        if self.surplus {
            say("compact graph by itself")?;
            codes[Graphs::SHORT].by_rule[0] = self.by_itself(&node.reduced, graphs, &pcs, &trial, watch)?;
            clock.lap("compact graph by itself");
        }
        let mut chosen = None;
        if let Some((search, judges)) = &held_out {
            say("class order on held-out tracks")?;
            let search = Exchange { judges, d: graphs.bits, trials: search.trials, seed };
            let order = search.choose(&graphs.labels[Graphs::SHORT])?;
            let error = |graph: usize| at_order(&graphs.labels[graph], &order.order, graphs.bits, &test, &rows[0]);
            let errors = [error(Graphs::SHORT)?, error(Graphs::LONG)?];
            chosen = Some((order, errors));
            clock.lap("class order on held-out tracks");
        }
        let all = |graph: usize| {
            let v = test.space.of_labels(graphs.labels[graph].rows(), *trial.d.end())?;
            test.estimates(v.view(), Rule::NearestCentroid)
        };
        let (clustered, long) = (all(Graphs::CLUSTERED)?, all(Graphs::LONG)?);
        let weights = SampleWeights::uniform(data.test.len());
        Ok(Run {
            codes,
            binary,
            paired,
            random,
            chosen,
            different: clustered.iter().zip(&long).filter(|(a, b)| a != b).count(),
            confusion: confusion_matrix(&long, &data.test.classes, classes, &weights)?,
            features: node.pictures(graphs)?,
            maps: maps(graphs, &test, &rows[0])?,
            seconds: clock.laps,
            train: node.reduced.classes.len(),
        })
    }

    /// Errors of the short and the long code in random orders of the classes.
    fn random_orders_of(&self, graphs: &Graphs, test: &Judges, rows: &[usize], seed: u64) -> Result<[Vec<f64>; 2]> {
        let orders = random_orders(test.space.classes(), self.random_orders, seed);
        let of = |graph: usize| {
            let one = |order: &Vec<usize>| at_order(&graphs.labels[graph], order, graphs.bits, test, rows);
            orders.iter().map(one).collect::<Result<Vec<f64>>>()
        };
        Ok([of(Graphs::SHORT)?, of(Graphs::LONG)?])
    }

    /// Errors of the node trained with the short code and as many outputs as the clustered one, surplus ones included.
    fn by_itself(
        &self,
        reduced: &Reduced,
        graphs: &Graphs,
        test: &Array2<f32>,
        trial: &Trial<'_>,
        watch: &dyn Watch,
    ) -> Result<Curves> {
        let graph = GraphSpec::from(Compact { balance: reduced.balance(), ..compact(graphs.bits) });
        let trained = reduced.train(&graph, *trial.d.end(), watch)?;
        let centroids = centroids(trained.features.view(), &reduced.classes, trial.test.space.classes());
        let features = trained.network.apply(&test.view())?;
        let estimates: Vec<Vec<u32>> =
            trial.d.clone().map(|d| nearest(features.slice(s![.., ..d]), centroids.slice(s![.., ..d]))).collect();
        Ok([0, 1].map(|set: usize| {
            estimates.iter().map(|own| error_rate(own, &trial.test.classes, &trial.rows[set])).collect()
        }))
    }

    /// Tracks that a node has not seen, as it sees them: they judge orders, codes and read-outs.
    fn held_out(&self, data: &SignData, (search, seed): (&OrderSearch, u64), watch: &dyn Watch) -> Result<Judges> {
        let rule = FoldRule { groups: Some(&data.train.tracks), strata: Some(&data.train.classes) };
        let split = holdout(data.train.len(), search.held_out, rule, seed)?;
        let reduced = Reduced::new(self, &data.train.select(&split.train), seed)?;
        let node = Node::train(reduced, data.names.len(), watch)?;
        let held_out = data.train.select(&split.test);
        node.judges(node.reduced.of(&held_out)?.view(), &held_out)
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

impl Node {
    fn train(reduced: Reduced, classes: usize, watch: &dyn Watch) -> Result<Self> {
        let trained = reduced.train_clustered(classes, watch)?;
        let labels = reduced.labels();
        let canonical = ClassFeatures::fit(&trained.features, &GraphInput::new(&labels), reduced.balance())?;
        Ok(Self { reduced, trained, canonical })
    }

    /// Samples given by their principal components as judges of codes.
    fn judges(&self, components: ArrayView2<'_, f32>, photos: &Photos) -> Result<Judges> {
        let clustered = self.trained.network.apply(&components)?;
        Judges::new(&self.canonical, clustered.view(), photos.classes.clone())
    }

    /// How the first features of fixed graphs vary with the pixels: their covariance with the principal components, as images.
    fn pictures(&self, graphs: &Graphs) -> Result<Vec<(String, Vec<FeaturePicture>)>> {
        let z = self.canonical.slow.apply(self.trained.features.view())?;
        let covariance = self.reduced.components.mapv(f64::from).t().dot(&z);
        let picture = |(j, image): (usize, ndarray::ArrayView1<'_, f64>)| {
            let largest = image.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
            let pixels = image.iter().map(|x| (127.5 + 127.5 * x / largest).round() as u8).collect();
            FeaturePicture { name: format!("y{}", j + 1), pixels }
        };
        let one = |(family, labels): (&Family, &ClassLabels)| {
            let v = self.canonical.space.of_labels(labels.rows(), SHOWN)?;
            let images = self.reduced.weights.dot(&covariance.dot(&v));
            Ok((family.name.clone(), images.columns().into_iter().enumerate().map(picture).collect()))
        };
        graphs.families.iter().zip(&graphs.labels).map(one).collect()
    }
}

impl Graphs {
    pub const CLUSTERED: usize = 0;
    pub const SHORT: usize = 1;
    pub const LONG: usize = 2;
    pub const SPARSE: usize = 3;
    pub const PAIRWISE: usize = 5;

    fn new(classes: usize, scales: &[f64]) -> Result<Self> {
        let bits = classes.next_power_of_two().trailing_zeros() as usize;
        let of = |graph: Compact| ClassLabels::of(&graph.into(), classes);
        let sparse = Compact { code: ClassCode::Sparse, eigenvalues: EigenvalueProfile::Linear, ..Compact::default() };
        let labels = vec![ClassLabels::clustered(classes), of(compact(bits))?, of(compact(classes - 1))?, of(sparse)?];
        let (short, long) = (format!("compact+{bits}"), format!("compact+{}", classes - 1));
        let names = ["clustered", short.as_str(), long.as_str(), "sparse code"];
        let mut families: Vec<Family> = names.iter().zip(&labels).map(|(name, own)| Family::of(name, own)).collect();
        for (name, objective) in [
            ("weighted Fisher", CodeObjective::WeightedFisher),
            ("pairwise", CodeObjective::Pairwise),
            ("nested", CodeObjective::Nested),
        ] {
            families.push(Family::learned(name, objective, scales));
        }
        let makers = [Self::SHORT, Self::LONG].iter().flat_map(|&g| families[g].makers.clone()).collect();
        let binary = Family { name: "binary".into(), makers, together: false };
        Ok(Self { bits, labels, families, binary })
    }
}

fn compact(targets: usize) -> Compact {
    Compact { targets: Some(targets), ..Compact::default() }
}

/// Error in percent with d features of a graph, for an order of the classes.
fn at_order(labels: &ClassLabels, order: &[usize], d: usize, test: &Judges, rows: &[usize]) -> Result<f64> {
    let v = test.space.of_labels(labels.reordered(order).rows(), d)?;
    Ok(error_rate(&test.estimates(v.view(), Rule::NearestCentroid)?, &test.classes, rows))
}

/// Some of the images by two features, learned ones and those of the clustered graph.
fn maps(graphs: &Graphs, test: &Judges, rows: &[usize]) -> Result<Vec<SignMap>> {
    if test.space.dim() < 2 {
        return Ok(Vec::new());
    }
    let learned = test.space.learn(&LearnedCode::new(CodeObjective::Pairwise), 2)?;
    let clustered = test.space.of_labels(graphs.labels[Graphs::CLUSTERED].rows(), 2)?;
    let map = |(name, v): (&str, Array2<f64>)| {
        let error = error_rate(&test.estimates(v.view(), Rule::NearestCentroid)?, &test.classes, rows);
        let y = test.features(v.view());
        let shown = rows.iter().step_by(rows.len().div_ceil(DRAWN).max(1));
        let points = shown.map(|&n| (test.classes[n] as usize, (y[[n, 0]], y[[n, 1]]))).collect();
        Ok(SignMap { name: name.into(), error, points })
    };
    [("pairwise code", learned), ("clustered graph", clustered)].into_iter().map(map).collect()
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
