//! All monomials up to a degree.
//!
//! Within a degree they are ordered by their last variable (x1², x1x2, x2², x1x3, …). Two things follow: the monomials
//! of the first few variables are the first ones of every degree, and those of degree k that end with xᵢ are xᵢ times
//! the first ones of degree k−1, one product of a number and a contiguous slice.

use ndarray::ArrayViewMut2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Expandable;
use crate::linalg::vectorized;
use crate::{Error, Result};

/// The most terms an expansion may have: a covariance matrix of this size would already take 8 TB.
const MOST_TERMS: usize = 1_000_000;

/// The first few inputs of a polynomial expansion, which go up to a higher degree than the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct First {
    /// How many inputs.
    pub count: usize,
    /// Up to which degree, above that of the others.
    pub degree: u32,
}

/// A checked polynomial expansion of a given number of inputs.
#[derive(Debug, Clone, Copy)]
pub struct Polynomial {
    inputs: usize,
    degree: usize,
    first: Option<First>,
}

impl Polynomial {
    pub fn new(inputs: usize, degree: u32, first: Option<First>) -> Result<Self> {
        if degree == 0 {
            return Err(Error::parameter("degree", degree, "the linear terms are degree 1"));
        }
        if let Some(first) = first {
            if first.degree <= degree {
                return Err(Error::parameter(
                    "first.degree",
                    first.degree,
                    format!("it must exceed degree = {degree}"),
                ));
            }
            if first.count == 0 || first.count > inputs {
                return Err(Error::parameter("first.count", first.count, format!("there are {inputs} inputs")));
            }
        }
        Ok(Self { inputs, degree: degree as usize, first })
    }

    /// The number of monomials, Σₖ C(Iₖ + k − 1, k), where Iₖ counts the inputs that reach degree k.
    pub fn terms(&self) -> Result<usize> {
        if self.inputs == 0 {
            return Ok(0);
        }
        let highest = self.highest_degree();
        let too_large = || Error::ExpansionTooLarge { inputs: self.inputs, degree: highest, limit: MOST_TERMS };
        let mut total = 0;
        let mut of_degree = 1;
        for k in 1..=highest {
            of_degree = match self.variables(k) {
                variables if variables == self.variables(k - 1) => next_degree(of_degree, variables, k),
                fewer => (1..=k).try_fold(1, |count, j| next_degree(count, fewer, j)),
            }
            .ok_or_else(too_large)?;
            total += of_degree;
            if total > MOST_TERMS {
                return Err(too_large());
            }
        }
        Ok(total)
    }

    fn highest_degree(&self) -> usize {
        self.first.map_or(self.degree, |first| first.degree as usize)
    }

    /// How many inputs go up to degree `k`.
    fn variables(&self, k: usize) -> usize {
        match self.first {
            Some(first) if k > self.degree => first.count,
            _ => self.inputs,
        }
    }

    /// Fills rows that begin with their linear terms.
    pub fn expand<T: Expandable>(&self, rows: ArrayViewMut2<'_, T>) {
        expand_rows(self, rows);
    }

    /// Fills the terms of degree 2 and more of a row that begins with its linear terms.
    #[inline(always)]
    fn fill<T: Expandable>(&self, row: &mut [T]) {
        let (mut previous, mut start) = (0, self.inputs);
        for k in 2..=self.highest_degree() {
            let (known, rest) = row.split_at_mut(start);
            let mut at = 0;
            let mut lower = 1; // monomials of degree k−1 of the variables 0 … i: C(i+k−1, k−1)
            for i in 0..self.variables(k) {
                let x = known[i];
                let products = &mut rest[at..at + lower];
                for (product, &factor) in products.iter_mut().zip(&known[previous..previous + lower]) {
                    *product = x * factor;
                }
                at += lower;
                lower = lower * (i + k) / (i + 1);
            }
            (previous, start) = (start, start + at);
        }
    }

    pub fn names(&self, inputs: &[String]) -> Vec<String> {
        let mut all: Vec<Vec<usize>> = (0..self.inputs).map(|i| vec![i]).collect();
        let mut previous = 0;
        for k in 2..=self.highest_degree() {
            let known = all.len();
            for i in 0..self.variables(k) {
                for lower in previous..known {
                    if all[lower].iter().all(|&v| v <= i) {
                        let product = [all[lower].as_slice(), &[i]].concat();
                        all.push(product);
                    }
                }
            }
            previous = known;
        }
        all.iter().map(|factors| name(factors, inputs)).collect()
    }
}

vectorized! {
    fn expand_rows<T: Expandable>(polynomial: &Polynomial, rows: ArrayViewMut2<'_, T>) {
        let mut rows = rows;
        let mut scattered = Vec::new(); // needed only for rows that are not contiguous
        for mut row in rows.rows_mut() {
            if let Some(slice) = row.as_slice_mut() {
                polynomial.fill(slice);
            } else {
                scattered.clear();
                scattered.extend(row.iter().copied());
                polynomial.fill(&mut scattered);
                row.iter_mut().zip(&scattered).for_each(|(out, &x)| *out = x);
            }
        }
    }
}

/// The number of monomials of degree `k`, C(I + k − 1, k), from that of degree k − 1, if it is not absurdly large.
fn next_degree(count: usize, variables: usize, k: usize) -> Option<usize> {
    let next = count as u128 * (variables as u128 + k as u128 - 1) / k as u128;
    usize::try_from(next).ok().filter(|&next| next <= MOST_TERMS)
}

/// `x1^2*x3` for the factors 0, 0, 2, which are in ascending order.
fn name(factors: &[usize], inputs: &[String]) -> String {
    let powers: Vec<String> = factors
        .chunk_by(|a, b| a == b)
        .map(|equal| match equal.len() {
            1 => inputs[equal[0]].clone(),
            n => format!("{}^{n}", inputs[equal[0]]),
        })
        .collect();
    powers.join("*")
}
