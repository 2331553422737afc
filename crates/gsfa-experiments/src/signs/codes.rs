//! Codes for every number of features: fixed ones, learned ones, and what held-out tracks choose among them.

use std::ops::RangeInclusive;

use gsfa::labels::{CodeObjective, LearnedCode};
use gsfa::solve::ClassSpace;
use ndarray::{Array2, s};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::class_labels::ClassLabels;
use super::judges::{Judges, Rule};
use crate::Result;

/// How a code is made from a class space.
#[derive(Debug, Clone)]
pub(super) enum Maker {
    /// The features of a graph with these labels, slowest first.
    Labels(ClassLabels),
    /// Learned from the class means, distances times a scale.
    Learned(CodeObjective, f64),
}

/// A code: for each number of features from `first` on its combinations of canonical features.
pub(super) struct Code {
    first: usize,
    by_d: Vec<Array2<f64>>,
}

/// Codes of one kind, from which held-out tracks choose.
pub(super) struct Family {
    pub name: String,
    pub makers: Vec<(String, Maker)>,
    /// One of them serves all numbers of features.
    pub together: bool,
}

/// A code and a read-out for a number of features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenCode {
    /// Number of features.
    pub d: usize,
    /// The code.
    pub code: String,
    /// The read-out.
    pub rule: Rule,
    /// Error on held-out tracks in percent; optimistic where it was chosen by it.
    pub held_out: f64,
}

impl Maker {
    /// Whether every prefix is the code of fewer features.
    fn is_nested(&self) -> bool {
        !matches!(self, Self::Learned(CodeObjective::Pairwise, _))
    }

    /// The code for each d of a range, as far as it has so many features.
    fn code(&self, space: &ClassSpace, d: RangeInclusive<usize>) -> Result<Code> {
        let (first, last) = (*d.start(), (*d.end()).min(space.dim()));
        let own = |d: usize| match self {
            Self::Labels(labels) => Ok(space.of_labels(labels.rows(), d)?),
            Self::Learned(objective, scale) => {
                Ok(space.learn(&LearnedCode { scale: *scale, ..LearnedCode::new(*objective) }, d)?)
            }
        };
        let by_d = if self.is_nested() {
            let all = own(last)?;
            (first..=all.ncols()).map(|d| all.slice(s![.., ..d]).to_owned()).collect()
        } else {
            (first..=last).collect::<Vec<_>>().into_par_iter().map(own).collect::<Result<_>>()?
        };
        Ok(Code { first, by_d })
    }
}

impl Code {
    /// The combinations for d features, if there are so many.
    pub fn at(&self, d: usize) -> Option<&Array2<f64>> {
        self.by_d.get(d.checked_sub(self.first)?)
    }
}

impl Family {
    /// A single code.
    pub fn of(name: &str, labels: &ClassLabels) -> Self {
        let makers = vec![(name.to_string(), Maker::Labels(labels.clone()))];
        Self { name: name.to_string(), makers, together: true }
    }

    /// A learned code with several scales; one that is nested has the same scale for all numbers of features.
    pub fn learned(name: &str, objective: CodeObjective, scales: &[f64]) -> Self {
        let maker = |&scale: &f64| (format!("{name}, scale {scale}"), Maker::Learned(objective, scale));
        let together = objective != CodeObjective::Pairwise;
        Self { name: name.to_string(), makers: scales.iter().map(maker).collect(), together }
    }

    /// All its codes in a space.
    pub fn codes(&self, space: &ClassSpace, d: RangeInclusive<usize>) -> Result<Vec<Code>> {
        self.makers.par_iter().map(|(_, maker)| maker.code(space, d.clone())).collect()
    }

    /// The code of a choice among all codes.
    pub fn code<'c>(&self, codes: &'c [Code], chosen: &ChosenCode) -> Option<&'c Array2<f64>> {
        let place = self.makers.iter().position(|(name, _)| *name == chosen.code)?;
        codes.get(place)?.at(chosen.d)
    }

    /// The first of its codes for every number of features, where nobody chooses.
    pub fn unchosen(&self, d: RangeInclusive<usize>, rule: Rule) -> Vec<ChosenCode> {
        let code = self.makers.first().map(|(name, _)| name.clone()).unwrap_or_default();
        d.map(|d| ChosenCode { d, code: code.clone(), rule, held_out: f64::NAN }).collect()
    }

    /// All codes with all rules and numbers of features, judged by held-out samples.
    pub fn judged(&self, judges: &Judges, d: RangeInclusive<usize>) -> Result<Vec<Vec<ChosenCode>>> {
        let codes = self.codes(&judges.space, d.clone())?;
        let mut all = Vec::new();
        for ((name, _), code) in self.makers.iter().zip(&codes) {
            for rule in Rule::ALL {
                let one = |d: usize| {
                    let held_out = code.at(d).map_or(Ok(f64::INFINITY), |v| judges.error(v.view(), rule))?;
                    Ok(ChosenCode { d, code: name.clone(), rule, held_out })
                };
                all.push(d.clone().map(one).collect::<Result<Vec<_>>>()?);
            }
        }
        Ok(all)
    }

    /// The judged codes with one of the rules that err least; of equal ones the first.
    pub fn choose(&self, judged: &[Vec<ChosenCode>], rules: &[Rule]) -> Vec<ChosenCode> {
        let allowed: Vec<&Vec<ChosenCode>> =
            judged.iter().filter(|row| row.first().is_some_and(|c| rules.contains(&c.rule))).collect();
        let least = |error: &dyn Fn(&[ChosenCode]) -> f64| {
            allowed.iter().min_by(|a, b| error(a).total_cmp(&error(b))).copied().cloned().unwrap_or_default()
        };
        if self.together {
            return least(&|row| row.iter().map(|c| c.held_out).filter(|error| error.is_finite()).sum());
        }
        let count = allowed.first().map_or(0, |row| row.len());
        (0..count).map(|k| least(&|row| row[k].held_out)[k].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(code: &str, rule: Rule, errors: [f64; 2]) -> Vec<ChosenCode> {
        let one = |(k, held_out): (usize, f64)| ChosenCode { d: 2 + k, code: code.into(), rule, held_out };
        errors.into_iter().enumerate().map(one).collect()
    }

    #[test]
    fn each_number_of_features_has_its_own_choice_unless_the_code_is_one() {
        let [nearest, shared] = Rule::ALL;
        let judged = [row("a", nearest, [5.0, 3.0]), row("a", shared, [4.0, 9.0]), row("b", nearest, [5.0, 2.5])];
        let mut family = Family { name: "f".into(), makers: Vec::new(), together: false };
        let names =
            |chosen: Vec<ChosenCode>| -> Vec<(String, Rule)> { chosen.into_iter().map(|c| (c.code, c.rule)).collect() };
        assert_eq!(names(family.choose(&judged, &Rule::ALL)), [("a".into(), shared), ("b".into(), nearest)]);
        assert_eq!(names(family.choose(&judged, &[nearest])), [("a".into(), nearest), ("b".into(), nearest)]);
        family.together = true;
        assert_eq!(names(family.choose(&judged, &Rule::ALL)), [("b".into(), nearest), ("b".into(), nearest)]);
    }
}
