//! All codes of a run, with read-outs and settings that held-out tracks choose.

use std::ops::RangeInclusive;

use super::ChosenCode;
use super::codes::Family;
use super::judges::{Judges, Rule, error_rate, paired};
use crate::Result;

/// Errors in percent over d, on some and on all test images.
pub(super) type Curves = [Vec<f64>; 2];

/// What a family of codes came to on test images.
pub(super) struct Coded {
    /// For each rule by itself.
    pub by_rule: [Curves; 2],
    /// With the rule that held-out tracks chose as well.
    pub chosen: Option<(Vec<ChosenCode>, Curves)>,
    /// The class of every test image for each d, with what was chosen, or by nearest centroids.
    pub estimates: Vec<Option<Vec<u32>>>,
}

/// Test images, and those held-out tracks that choose, if any do.
pub(super) struct Trial<'a> {
    pub test: &'a Judges,
    pub held_out: Option<&'a Judges>,
    /// Some and all test images.
    pub rows: &'a [Vec<usize>; 2],
    pub d: RangeInclusive<usize>,
}

impl Trial<'_> {
    /// Learns and judges all codes of a family.
    pub fn of(&self, family: &Family) -> Result<Coded> {
        let codes = family.codes(&self.test.space, self.d.clone())?;
        let judged = self.held_out.map(|judges| family.judged(judges, self.d.clone())).transpose()?;
        let estimates = |choice: &[ChosenCode]| -> Result<Vec<Option<Vec<u32>>>> {
            let one =
                |c: &ChosenCode| family.code(&codes, c).map(|v| self.test.estimates(v.view(), c.rule)).transpose();
            choice.iter().map(one).collect()
        };
        let of_rule = |rule: Rule| match &judged {
            Some(judged) => family.choose(judged, &[rule]),
            None => family.unchosen(self.d.clone(), rule),
        };
        let mut by_rule = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
        let mut nearest = Vec::new();
        for (rule, curves) in Rule::ALL.into_iter().zip(&mut by_rule) {
            let own = estimates(&of_rule(rule))?;
            *curves = self.errors(&own);
            if rule == Rule::NearestCentroid {
                nearest = own;
            }
        }
        let Some(judged) = &judged else { return Ok(Coded { by_rule, chosen: None, estimates: nearest }) };
        let choice = family.choose(judged, &Rule::ALL);
        let own = estimates(&choice)?;
        Ok(Coded { by_rule, chosen: Some((choice, self.errors(&own))), estimates: own })
    }

    fn errors(&self, estimates: &[Option<Vec<u32>>]) -> Curves {
        [0, 1].map(|set: usize| {
            let rate = |own: &Option<Vec<u32>>| {
                own.as_ref().map_or(f64::NAN, |own| error_rate(own, &self.test.classes, &self.rows[set]))
            };
            estimates.iter().map(rate).collect()
        })
    }

    /// How many percent more one family errs than another for each d, and the standard error of that over images.
    pub fn paired(&self, ours: &Coded, theirs: &Coded) -> Vec<(f64, f64)> {
        let one = |(a, b): (&Option<Vec<u32>>, &Option<Vec<u32>>)| match (a, b) {
            (Some(a), Some(b)) => paired(a, b, &self.test.classes, &self.rows[0]),
            _ => (f64::NAN, f64::NAN),
        };
        ours.estimates.iter().zip(&theirs.estimates).map(one).collect()
    }
}
