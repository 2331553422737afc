//! Codes of classes that are learned from class means: the fewest features that tell classes apart.

mod bound;
mod descent;
mod fisher;
mod points;

use ndarray::{Array2, s};

pub(super) use points::Points;

use crate::Result;
use crate::labels::{CodeObjective, LearnedCode};
use crate::linalg::qr::orthonormal_basis;
use bound::{Bound, NestedBound, PairwiseBound};
use descent::Place;

/// Scales of the distances with which weighted Fisher directions are starts of a search.
const STARTS: [f64; 3] = [1.0, 0.5, 0.25];

/// Steps from each start, and from the best of these places, at most.
const TRIED: usize = 30;
const STEPS: usize = 500;

/// P: orthonormal columns among features that are white within classes.
pub(super) fn directions(code: &LearnedCode, points: &Points, d: usize) -> Result<Array2<f64>> {
    match code.objective {
        CodeObjective::WeightedFisher => fisher::directions(points, d, 1.0),
        CodeObjective::Pairwise => best(&PairwiseBound { points }, points, d),
        CodeObjective::Nested => best(&NestedBound { points, power: code.power }, points, d),
    }
}

/// The best of the searches from several starts, none of which depends on the order of classes; of equal ones the first.
fn best(bound: &dyn Bound, points: &Points, d: usize) -> Result<Array2<f64>> {
    let mut starts: Vec<Array2<f64>> = Vec::new();
    for scale in STARTS {
        starts.push(fisher::directions(points, d, scale)?);
    }
    starts.push(fisher::one_by_one(points, d)?);
    // Discriminant analysis: features are sorted by ρ².
    starts.push(Array2::eye(points.dim()).slice(s![.., ..d]).to_owned());
    // All of them for a while, then the one that is ahead.
    let mut ahead: Option<Place> = None;
    for start in starts {
        let place = Place::new(bound, orthonormal_basis(start.view())?.columns).descend(bound, TRIED)?;
        if ahead.as_ref().is_none_or(|ahead| place.value < ahead.value) {
            ahead = Some(place);
        }
    }
    Ok(ahead.map(|place| place.descend(bound, STEPS)).transpose()?.map(|place| place.p).unwrap_or_default())
}
