//! Raw target labels: the originals and what is derived from them, before normalisation.

use ndarray::{Array2, ShapeBuilder};
use serde::{Deserialize, Serialize};

use super::CosineReading;
use super::auxiliary::highest_order;
use super::normalization::{Normalization, check_values};
use crate::{Error, Result};

/// Which target labels an exact-label-learning graph codes.
///
/// The order is: originals, products if asked for, then cosines, taking one of each original in turn, until there are
/// `targets`. Two originals g and c give g, c, cos₂ g, cos₂ c, cos₃ g, …
///
/// ```
/// use gsfa::labels::TargetSpec;
/// let age = ("age".to_string(), vec![20.0, 35.0, 61.0, 80.0]);
/// let raw = TargetSpec { targets: Some(3), ..TargetSpec::default() }.raw_targets(&[age], &[1.0; 4])?;
/// assert_eq!(raw.names, ["age", "cos2(age)", "cos3(age)"]);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TargetSpec {
    /// How many target labels in all, originals included; none means the originals and products only.
    pub targets: Option<usize>,
    /// The power each original is raised to before anything else; empty means 1 for all.
    pub powers: Vec<u32>,
    /// How the formula of the cosines is read.
    pub cosines: CosineReading,
    /// Whether to add the products of all pairs of normalised originals, squares included.
    pub products: bool,
}

/// Labels to learn, one column each, over rows that stand for samples with equal labels or for classes.
#[derive(Debug, Clone, PartialEq)]
pub struct RawTargets {
    /// Their names.
    pub names: Vec<String>,
    /// Rows × labels.
    pub values: Array2<f64>,
    /// What each one was made from.
    pub sources: Vec<TargetSource>,
    /// How many of them, the leading ones, are originals: these must not be constant.
    pub originals: usize,
    /// How many target labels were asked for, if a number was given.
    pub requested: Option<usize>,
}

/// Where a target label comes from. Labels, bits and classes are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetSource {
    /// A label as it was given.
    Original(usize),
    /// The product of two normalised originals.
    Product(usize, usize),
    /// A cosine of an original `[eq:auxiliary_labels]`.
    Cosine {
        /// The original.
        original: usize,
        /// The order k of the cosine.
        order: usize,
    },
    /// A bit of the class number.
    Bit(usize),
    /// The product of several bits.
    BitProduct(Vec<usize>),
    /// Classes `start..middle` against classes `middle..end`.
    Haar {
        /// First class on the left.
        start: usize,
        /// First class on the right.
        middle: usize,
        /// One past the last class on the right.
        end: usize,
    },
}

impl TargetSource {
    /// Whether the label only helps to learn others.
    pub(crate) fn is_auxiliary(&self) -> bool {
        matches!(self, Self::Product(..) | Self::Cosine { .. } | Self::BitProduct(_))
    }
}

impl TargetSpec {
    /// The raw target labels made from `originals`, names and values over rows with `weights`.
    ///
    /// An original with n distinct values contributes cosines up to order n: there are no more functions on n values.
    ///
    /// # Errors
    /// Values that are not finite, constant originals, lengths that differ, a number of `targets` below that of the
    /// originals and products, powers that do not match.
    pub fn raw_targets(&self, originals: &[(String, Vec<f64>)], weights: &[f64]) -> Result<RawTargets> {
        self.check(originals.len())?;
        let mut columns = Columns::default();
        for (i, (name, values)) in originals.iter().enumerate() {
            check_values(name, values)?;
            columns.push(self.powered(i, name, values)?, TargetSource::Original(i));
        }
        let normalized = columns.labels.iter().map(|(name, values)| {
            let normalization = Normalization::of(name, values, weights)?;
            Ok(values.iter().map(|&x| normalization.apply(x)).collect())
        });
        let normalized: Vec<Vec<f64>> = normalized.collect::<Result<_>>()?;
        if self.products {
            columns.push_products(&normalized);
        }
        if let Some(targets) = self.targets {
            columns.push_cosines(originals.len(), self.cosines, targets);
        }
        Ok(columns.finish(originals.len(), self.targets))
    }

    fn check(&self, originals: usize) -> Result<()> {
        if originals == 0 {
            return Err(Error::parameter("labels", 0, "at least one label is needed to derive target labels from"));
        }
        if !self.powers.is_empty() && self.powers.len() != originals {
            let reason = format!("there must be one power for each of the {originals} original labels, or none at all");
            return Err(Error::parameter("powers", format!("{:?}", self.powers), reason));
        }
        if self.powers.contains(&0) {
            return Err(Error::parameter("powers", format!("{:?}", self.powers), "a label to the power 0 is constant"));
        }
        let products = if self.products { originals * (originals + 1) / 2 } else { 0 };
        match self.targets {
            Some(targets) if targets < originals + products => {
                let with = if products > 0 { format!(" and their {products} products") } else { String::new() };
                let reason = format!("the {originals} original labels{with} count as target labels, too");
                Err(Error::parameter("targets", targets, reason))
            }
            _ => Ok(()),
        }
    }

    fn powered(&self, i: usize, name: &str, values: &[f64]) -> Result<(String, Vec<f64>)> {
        match self.powers.get(i) {
            None | Some(1) => Ok((name.to_string(), values.to_vec())),
            Some(&power) => {
                let name = format!("{name}^{power}");
                let values: Vec<f64> = values.iter().map(|x| x.powf(f64::from(power))).collect();
                check_values(&name, &values)?;
                Ok((name, values))
            }
        }
    }
}

/// Named columns that grow to the right.
#[derive(Default)]
pub(crate) struct Columns {
    labels: Vec<(String, Vec<f64>)>,
    sources: Vec<TargetSource>,
}

impl Columns {
    pub fn push(&mut self, label: (String, Vec<f64>), source: TargetSource) {
        self.labels.push(label);
        self.sources.push(source);
    }

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    fn push_products(&mut self, normalized: &[Vec<f64>]) {
        for i in 0..normalized.len() {
            for j in i..normalized.len() {
                let name = format!("{}*{}", self.labels[i].0, self.labels[j].0);
                let values = normalized[i].iter().zip(&normalized[j]).map(|(a, b)| a * b).collect();
                self.push((name, values), TargetSource::Product(i, j));
            }
        }
    }

    fn push_cosines(&mut self, originals: usize, reading: CosineReading, targets: usize) {
        let highest: Vec<usize> = self.labels[..originals].iter().map(|(_, values)| highest_order(values)).collect();
        let last = highest.iter().copied().max().unwrap_or(0);
        for order in 2..=last {
            for original in (0..originals).filter(|&i| order <= highest[i]) {
                if self.len() >= targets {
                    return;
                }
                let (name, values) = &self.labels[original];
                let label = (format!("cos{order}({name})"), reading.column(values, order));
                self.push(label, TargetSource::Cosine { original, order });
            }
        }
    }

    /// All columns have the same length.
    pub fn finish(self, originals: usize, requested: Option<usize>) -> RawTargets {
        let rows = self.labels.first().map_or(0, |(_, values)| values.len());
        let mut values = Array2::zeros((rows, self.len()).f());
        for (mut column, (_, label)) in values.columns_mut().into_iter().zip(&self.labels) {
            column.iter_mut().zip(label).for_each(|(to, from)| *to = *from);
        }
        let names = self.labels.into_iter().map(|(name, _)| name).collect();
        RawTargets { names, values, sources: self.sources, originals, requested }
    }
}
