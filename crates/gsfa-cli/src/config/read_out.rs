//! What flags say of the read-out.

use gsfa::readout::{GaussianClassifier, LinearRegression, LinearScaling, NearestCentroid, NearestNeighbors, Readout};

use crate::args::ReadoutKind;
use crate::failure::{Failure, Outcome, Reason};

/// A read-out of some kind, with so many features if a number is given.
pub fn read_out(kind: ReadoutKind, features: Option<usize>) -> Outcome<Readout> {
    let mut readout = match kind {
        ReadoutKind::LinearScaling => Readout::LinearScaling(LinearScaling::default()),
        ReadoutKind::LinearRegression => Readout::LinearRegression(LinearRegression::default()),
        ReadoutKind::Gaussian => Readout::GaussianClassifier(GaussianClassifier::default()),
        ReadoutKind::SoftGc => Readout::SoftGc(GaussianClassifier::default()),
        ReadoutKind::NearestCentroid => Readout::NearestCentroid(NearestCentroid::default()),
        ReadoutKind::NearestNeighbors => Readout::NearestNeighbors(NearestNeighbors::default()),
    };
    if let Some(count) = features {
        set_features(&mut readout, count)?;
    }
    Ok(readout)
}

pub fn set_features(readout: &mut Readout, count: usize) -> Outcome {
    match readout {
        Readout::LinearScaling(_) => {
            return Err(Failure::usage(
                Reason::MeaninglessFlag,
                "--readout-features means nothing to linear scaling: it uses one per target",
            ));
        }
        Readout::LinearRegression(spec) => spec.features = Some(count),
        Readout::GaussianClassifier(spec) | Readout::SoftGc(spec) => spec.features = Some(count),
        Readout::NearestCentroid(spec) => spec.features = Some(count),
        Readout::NearestNeighbors(spec) => spec.features = Some(count),
    }
    Ok(())
}
