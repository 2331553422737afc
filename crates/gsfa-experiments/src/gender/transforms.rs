//! Powers of the label, learned as such.

use gsfa::expansion::Expansion;
use gsfa::graph::{Ell, GraphSpec};
use gsfa::labels::SampleWeights;
use gsfa::network::{NetworkSpec, PcaSpec};
use gsfa::readout::measures::{chance_rmse, mean, percent_of_chance, rmse};

use super::GenderSpec;
use super::faces::FaceData;
use super::trained::{Trained, scaling};
use crate::{Result, Watch};

/// Estimates of a power of the gender.
pub(super) struct Transformed {
    pub power: u32,
    /// Gender and estimate of test faces and of training faces.
    pub points: [Vec<(f64, f64)>; 2],
    /// Error in percent of the level of chance, on test and on training faces.
    pub percent: [f64; 2],
}

/// The graph of a power of the gender with auxiliary labels.
pub(super) fn graph(power: u32, targets: usize) -> GraphSpec {
    let powers = if power == 1 { Vec::new() } else { vec![power] };
    Ell { labels: vec!["gender".into()], targets: Some(targets), powers, ..Ell::default() }.into()
}

/// The paper's network for a power of the label.
pub(super) fn network(power: u32) -> NetworkSpec {
    match power {
        1 => NetworkSpec::paper_64(),
        2 => NetworkSpec::paper_64_squared(),
        _ => NetworkSpec::paper_64_cubed(),
    }
}

/// Trains the network of a power.
pub(super) fn train(power: u32, spec: &GenderSpec, data: &FaceData, watch: &dyn Watch) -> Result<Trained> {
    let mut network = network(power);
    for layer in network.layers.iter_mut().filter(|layer| layer.expansion == Expansion::QUADRATIC) {
        // The top of the network for ℓ² has three inputs, which that many components only rotate.
        layer.pca = spec.power_components.map(PcaSpec::components);
    }
    Trained::new(&network, &graph(power, spec.power_targets), data, watch)
}

/// Reads the power out of the slowest feature by linear scaling.
pub(super) fn read(power: u32, trained: &Trained, data: &FaceData) -> Result<Transformed> {
    let raised = |x: &[f64]| -> Vec<f64> { x.iter().map(|g| g.powi(power as i32)).collect() };
    let genders = [data.test.label("gender"), data.train.label("gender")];
    let truths = genders.map(raised);
    let estimates = trained.estimate(scaling(), &truths[1])?;
    let constant = mean(&truths[1], &SampleWeights::uniform(truths[1].len()))?;
    let mut transformed = Transformed { power, points: [Vec::new(), Vec::new()], percent: [f64::NAN; 2] };
    for (set, estimates) in [estimates.test, estimates.train].into_iter().enumerate() {
        let weights = SampleWeights::uniform(estimates.len());
        let chance = chance_rmse(constant, &truths[set], &weights)?;
        transformed.percent[set] = percent_of_chance(rmse(&estimates, &truths[set], &weights)?, chance);
        transformed.points[set] = genders[set].iter().copied().zip(estimates).collect();
    }
    Ok(transformed)
}
