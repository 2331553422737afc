//! Specifications of every kind of graph, data to build them from, and their dense definitions.
use gsfa::graph::reference::{self, DenseGraph};
use gsfa::graph::*;
use gsfa::labels::{EigenvalueProfile, LabelValues, Labels, SampleWeights};
use ndarray::{Array1, Array2};

use super::Draws;

/// Labels, classes, sequences, vectors and weights of N samples.
pub struct Data {
    pub labels: Labels,
    pub weights: Vec<f64>,
    pub vectors: Array2<f64>,
}

impl Data {
    pub fn new(n: usize, ties: bool, weighted: bool, seed: u64) -> Self {
        let mut draws = Draws::new(seed);
        // Tied values come in runs of at most three, so that all of their orders can be listed.
        let mut label: Vec<f64> =
            (0..n).map(|i| if ties { (i / 3) as f64 } else { i as f64 + draws.uniform(0.0, 0.9) }).collect();
        if label.iter().all(|&x| x == label[0]) {
            label[n - 1] += 1.0;
        }
        for i in (1..n).rev() {
            label.swap(i, draws.below(i + 1));
        }
        let second: Vec<f64> =
            (0..n).map(|i| if ties { ((i * i) % 4) as f64 + 0.1 * label[i] } else { draws.normal() }).collect();
        // Unequal classes, the last a singleton.
        let class = |i: usize| if i + 1 == n { 9 } else { [0, 0, 1, 0, 2, 1][i % 6] };
        let classes: Vec<String> = (0..n).map(|i| class(i).to_string()).collect();
        let sequence: Vec<f64> = (0..n).map(|i| (i / 5) as f64).collect();
        let labels = Labels::numbers("y", label)
            .and_numbers("z", second)
            .and_then(|l| l.and_classes("class", &classes))
            .and_then(|l| l.and_numbers("sequence", sequence))
            .unwrap();
        let weights = if weighted { draws.weights(n) } else { vec![1.0; n] };
        let vectors = Array2::from_shape_fn((n, 3), |_| draws.normal());
        Self { labels, weights, vectors }
    }

    pub fn input(&self) -> GraphInput<'_> {
        let weights = SampleWeights::new(self.weights.clone()).unwrap();
        GraphInput::new(&self.labels).with_weights(weights).unwrap().with_vectors(self.vectors.view()).unwrap()
    }

    fn number(&self, name: &str) -> &[f64] {
        match self.labels.column(name).unwrap() {
            LabelValues::Numbers(x) => x,
            LabelValues::Classes(_) => panic!("{name} holds classes"),
        }
    }

    fn class(&self) -> Vec<usize> {
        match self.labels.column("class").unwrap() {
            LabelValues::Numbers(_) => panic!("class holds numbers"),
            LabelValues::Classes(c) => c.of_sample().iter().map(|&c| c as usize).collect(),
        }
    }
}

fn y() -> Option<String> {
    Some("y".into())
}

/// Specifications of every kind that N samples allow.
pub fn specs(n: usize) -> Vec<GraphSpec> {
    let mut draws = Draws::new(n as u64);
    let edges: Vec<(usize, usize, f64)> = (0..3 * n)
        .map(|_| (draws.below(n), draws.below(n), draws.uniform(-0.2, 1.0)))
        .chain([(0, n - 1, 3.0)])
        .collect();
    let mut specs: Vec<GraphSpec> = vec![
        Chain::default().into(),
        Chain { vertex_weights: VertexWeights::Degrees, ..Chain::default() }.into(),
        Reordering { label: y(), end_loops: true }.into(),
        Reordering { label: y(), end_loops: false }.into(),
        Serial { groups: 2, label: y() }.into(),
        Serial { groups: 4, label: y() }.into(),
        Mixed { groups: 3, label: y() }.into(),
        SlidingWindow { half_width: 1, shape: WindowShape::Box, label: y() }.into(),
        Ell { labels: vec!["y".into()], ..Ell::default() }.into(),
        Ell { labels: vec!["y".into()], targets: Some(4), ..Ell::default() }.into(),
        Ell {
            labels: vec!["z".into(), "y".into()],
            targets: Some(5),
            products: true,
            lambda0: Some(0.7),
            ..Ell::default()
        }
        .into(),
        Edges { edges: edges.clone(), vertex_weights: VertexWeights::Uniform }.into(),
        Edges { edges: edges.clone(), vertex_weights: VertexWeights::Given(draws.weights(n)) }.into(),
        Sum {
            graphs: vec![
                Summand { share: 0.3, graph: Serial { groups: 3, label: y() }.into() },
                Summand {
                    share: 1.2,
                    graph: Ell { labels: vec!["y".into()], targets: Some(2), ..Ell::default() }.into(),
                },
            ],
        }
        .into(),
    ];
    if n > 2 {
        specs.extend([
            Chain { lag: 2, sequences: Some("sequence".into()), vertex_weights: VertexWeights::Uniform }.into(),
            SlidingWindow { half_width: 2, shape: WindowShape::Triangle, label: y() }.into(),
            SlidingWindow { half_width: n - 1, shape: WindowShape::Weights(draws.weights(n - 1)), label: y() }.into(),
            NearestNeighbors::new(1).into(),
            NearestNeighbors { neighbors: 2, heat: Some(1.5), vertex_weights: VertexWeights::Degrees }.into(),
            Clustered::default().into(),
            Clustered { balance: true, ..Clustered::default() }.into(),
            Clustered { paper_weights: true, ..Clustered::default() }.into(),
            Compact::default().into(),
            Compact {
                code: ClassCode::Sparse,
                eigenvalues: EigenvalueProfile::Linear,
                balance: true,
                ..Compact::default()
            }
            .into(),
        ]);
    }
    if n > 4 {
        let class_order = vec!["9".into(), "1".into(), "0".into(), "2".into()];
        specs.push(
            Compact { targets: Some(2), eigenvalues: EigenvalueProfile::Equal, class_order, ..Compact::default() }
                .into(),
        );
    }
    specs
}

/// The dense definition. A new kind of graph does not compile without one.
pub fn dense(spec: &GraphSpec, data: &Data, graph: &TrainingGraph) -> DenseGraph {
    let weighted = |g: DenseGraph| reference::with_sample_weights(g, &data.weights);
    let vertex_weights = |g: DenseGraph, from: &VertexWeights| match from {
        VertexWeights::Uniform => g,
        VertexWeights::Degrees => reference::with_degrees_as_vertex_weights(g),
        VertexWeights::Given(v) => DenseGraph { vertex_weights: &g.vertex_weights * &Array1::from(v.clone()), ..g },
    };
    // Which group a sample falls into is a rule of its own with tests of its own.
    let group: Vec<usize> =
        graph.terms().first().map(|t| t.grouping.of_vertex().iter().map(|&g| g as usize).collect()).unwrap_or_default();
    let n = data.weights.len();
    match spec {
        GraphSpec::Chain(chain) => {
            let sequence = match &chain.sequences {
                Some(name) => data.number(name).iter().map(|&x| x as usize).collect(),
                None => vec![0; n],
            };
            vertex_weights(weighted(reference::chain(&sequence, chain.lag)), &chain.vertex_weights)
        }
        GraphSpec::Reordering(r) => weighted(reference::reordering(data.number("y"), r.end_loops)),
        GraphSpec::Serial(_) => reference::serial(&group, &data.weights),
        GraphSpec::Mixed(_) => reference::mixed(&group, &data.weights),
        GraphSpec::SlidingWindow(window) => {
            let d = window.half_width;
            let shape = match &window.shape {
                WindowShape::Box => vec![1.0; d],
                WindowShape::Triangle => (1..=d).map(|k| 1.0 - k as f64 / (d + 1) as f64).collect(),
                WindowShape::Weights(w) => w.clone(),
            };
            weighted(reference::sliding_window(data.number("y"), &shape))
        }
        GraphSpec::Clustered(c) => {
            let class = data.class();
            let v = if c.balance { balanced(&class, &data.weights) } else { data.weights.clone() };
            if c.paper_weights {
                weighted(reference::clustered_as_in_the_paper(&class))
            } else {
                reference::clustered(&class, &v)
            }
        }
        GraphSpec::Ell(_) => ell(graph, &data.weights, &group),
        GraphSpec::Compact(c) => {
            let v = if c.balance { balanced(&data.class(), &data.weights) } else { data.weights.clone() };
            ell(graph, &v, &group)
        }
        GraphSpec::Edges(e) => vertex_weights(weighted(reference::edges(n, &e.edges)), &e.vertex_weights),
        GraphSpec::NearestNeighbors(k) => {
            let near = reference::nearest_neighbors(data.vectors.view(), k.neighbors, k.heat);
            let ones = DenseGraph { vertex_weights: Array1::ones(n), ..near };
            vertex_weights(weighted(ones), &k.vertex_weights)
        }
        GraphSpec::Sum(sum) => {
            let parts = sum.graphs.iter().map(|s| {
                let part = s.graph.build(&data.input()).unwrap();
                (s.share, dense(&s.graph, data, &part))
            });
            reference::sum(&parts.collect::<Vec<_>>())
        }
    }
}

/// The ELL definition from the graph's target labels, which have tests of their own; rows follow the vertices.
fn ell(graph: &TrainingGraph, v: &[f64], group: &[usize]) -> DenseGraph {
    let targets = graph.targets().unwrap();
    let rows = targets.labels.values();
    let labels = Array2::from_shape_fn((v.len(), rows.ncols()), |(n, j)| rows[[group[n], j]]);
    reference::ell(labels.view(), v, targets.eigenvalues.lambda0, &targets.eigenvalues.values)
}

fn balanced(class: &[usize], a: &[f64]) -> Vec<f64> {
    let classes = class.iter().max().unwrap() + 1;
    let share = a.iter().sum::<f64>() / classes as f64;
    let total = |c: usize| class.iter().zip(a).filter(|(k, _)| **k == c).map(|(_, a)| a).sum::<f64>();
    class.iter().zip(a).map(|(&c, a)| a * share / total(c)).collect()
}

pub fn every_case(mut visit: impl FnMut(&str, &GraphSpec, &Data, TrainingGraph)) {
    for n in [2, 3, 4, 5, 6, 9, 14, 30] {
        for (ties, weighted) in [(false, false), (false, true), (true, false), (true, true)] {
            if ties && n > 14 {
                continue;
            }
            let data = Data::new(n, ties, weighted, 100 + n as u64);
            for spec in specs(n) {
                let name = format!("N = {n}, ties {ties}, weighted {weighted}, {spec:?}");
                match spec.build(&data.input()) {
                    Ok(graph) => visit(&name, &spec, &data, graph),
                    // The only refusals are of data this small: too few different values or classes.
                    Err(error) => assert!(n <= 6, "{name}: {error}"),
                }
            }
        }
    }
}

/// Numbers the variants; a new one does not compile without a number, and then fails without a case.
pub fn variant(spec: &GraphSpec) -> usize {
    match spec {
        GraphSpec::Chain(_) => 0,
        GraphSpec::Reordering(_) => 1,
        GraphSpec::Serial(_) => 2,
        GraphSpec::Mixed(_) => 3,
        GraphSpec::SlidingWindow(_) => 4,
        GraphSpec::Clustered(_) => 5,
        GraphSpec::Ell(_) => 6,
        GraphSpec::Compact(_) => 7,
        GraphSpec::Edges(_) => 8,
        GraphSpec::NearestNeighbors(_) => 9,
        GraphSpec::Sum(_) => 10,
    }
}
