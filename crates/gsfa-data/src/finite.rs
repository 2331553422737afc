//! NaN and infinity in samples that come from arrays: found, refused, dropped or filled.

use std::ops::Range;

use ndarray::{Array2, ArrayViewMut2};
use rayon::prelude::*;

use crate::table::Missing;
use crate::{Error, Result};
use gsfa::samples::{Element, InputShape, Rows, Samples, Subset};

/// Numbers that a thread holds at once while samples are looked through: they stay in its cache.
const CHUNK: usize = 1 << 16;

/// Where samples are not finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// Rows with at least one NaN or infinity, ascending.
    pub rows: Vec<usize>,
    /// How many numbers are NaN or infinite.
    pub total: usize,
    /// Row and column of the first one.
    pub first: Option<(usize, usize)>,
    /// How many of each column.
    pub counts: Vec<usize>,
    /// The first row of each column's.
    pub first_rows: Vec<Option<usize>>,
    /// The mean of the finite numbers of each column, by the weights of their rows; NaN if there are none.
    pub means: Vec<f64>,
}

impl Survey {
    /// Looks through all samples, which count alike.
    ///
    /// # Errors
    /// If reading fails.
    pub fn of(source: &dyn Samples) -> Result<Self> {
        Self::weighted(source, None)
    }

    /// Looks through all samples, chunk by chunk; with a weight for each row, two in a mean are the row twice. Integers are not
    /// read: they are finite.
    ///
    /// # Errors
    /// If reading fails, or [`Error::LengthMismatch`] if there are not as many weights as rows.
    pub fn weighted(source: &dyn Samples, weights: Option<&[f64]>) -> Result<Self> {
        if let Some(weights) = weights.filter(|weights| weights.len() != source.len()) {
            let (left, right) = ("X".to_string(), "the list of weights".to_string());
            return Err(Error::LengthMismatch { left, left_len: source.len(), right, right_len: weights.len() });
        }
        let dim = source.dim();
        let mut survey = Self::nothing(dim);
        if !matches!(source.element(), Element::F32 | Element::F64) {
            return Ok(survey);
        }
        let step = (CHUNK / dim.max(1)).clamp(1, source.len().max(1));
        let starts: Vec<usize> = (0..source.len()).step_by(step).collect();
        let mut means = vec![Mean::default(); dim];
        // Some at a time: what is found does not pile up, and is added in the order of rows.
        for some in starts.chunks(64) {
            let one = |&start: &usize| Chunk::read(source, start..(start + step).min(source.len()), weights);
            for chunk in some.par_iter().map(one).collect::<Vec<Result<Chunk>>>() {
                survey.add(chunk?, &mut means);
            }
        }
        survey.means = means.iter().map(Mean::value).collect();
        Ok(survey)
    }

    fn nothing(dim: usize) -> Self {
        let (counts, first_rows, means) = (vec![0; dim], vec![None; dim], vec![f64::NAN; dim]);
        Self { rows: Vec::new(), total: 0, first: None, counts, first_rows, means }
    }

    fn add(&mut self, chunk: Chunk, means: &mut [Mean]) {
        for (row, column) in chunk.gaps {
            self.total += 1;
            self.counts[column] += 1;
            self.first.get_or_insert((row, column));
            self.first_rows[column].get_or_insert(row);
            if self.rows.last() != Some(&row) {
                self.rows.push(row);
            }
        }
        means.iter_mut().zip(chunk.means).for_each(|(mean, own)| mean.add_all(own));
    }

    /// The first number that is not finite, in one column or in all, with the row that it has in the file.
    fn place(&self, source: &dyn Samples, column: Option<usize>) -> Option<Error> {
        let (row, column) = match column {
            Some(column) => (self.first_rows[column]?, column),
            None => self.first?,
        };
        Some(Error::NonFiniteSamples { total: self.total, row: source.original_row(row), column })
    }
}

/// Wider samples are no table, and their means are not kept.
const WIDEST: usize = 1 << 20;

/// Means that a model keeps to stand in for missing values: all of them, or none where a column has none.
pub fn kept_means(means: Vec<f64>) -> Option<Vec<f64>> {
    let known = means.len() <= WIDEST && means.iter().all(|mean| mean.is_finite());
    known.then_some(means)
}

/// A mean of numbers, also of some whose sum is too large to be one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mean {
    sum: f64,
    scaled: f64,
    weight: f64,
}

impl Mean {
    const SCALE: f64 = 1.0 / (1_u64 << 60) as f64;

    pub fn add(&mut self, value: f64) {
        self.add_all(Self { sum: value, scaled: value * Self::SCALE, weight: 1.0 });
    }

    fn add_all(&mut self, other: Self) {
        self.sum += other.sum;
        self.scaled += other.scaled;
        self.weight += other.weight;
    }

    /// NaN if there are no numbers.
    pub fn value(&self) -> f64 {
        if self.sum.is_finite() { self.sum / self.weight } else { self.scaled / self.weight / Self::SCALE }
    }
}

/// What some rows hold.
struct Chunk {
    /// Rows and columns of what is not finite, in order.
    gaps: Vec<(usize, usize)>,
    means: Vec<Mean>,
}

impl Chunk {
    fn read(source: &dyn Samples, rows: Range<usize>, weights: Option<&[f64]>) -> Result<Self> {
        let mut values = Array2::<f64>::zeros((rows.len(), source.dim()));
        source.read_double(Rows::Range(rows.clone()), values.view_mut())?;
        let weight = |n: usize| weights.map_or(1.0, |weights| weights[n]);
        let (mut gaps, mut sums) = (Vec::new(), vec![0.0; source.dim()]);
        // Rows that lack nothing weigh the same in every column.
        let (mut whole, mut partial) = (0.0, vec![0.0; source.dim()]);
        for (n, mut row) in rows.clone().zip(values.outer_iter_mut()) {
            let weight = weight(n);
            if row.iter().all(|x| x.is_finite()) {
                whole += weight;
            } else {
                for (i, value) in row.iter_mut().enumerate() {
                    if value.is_finite() {
                        partial[i] += weight;
                    } else {
                        gaps.push((n, i));
                        *value = 0.0;
                    }
                }
            }
            sums.iter_mut().zip(&row).for_each(|(sum, value)| *sum += weight * value);
        }
        let mean = |i: usize| {
            let small = || rows.clone().zip(values.column(i)).map(|(n, value)| value * Mean::SCALE * weight(n)).sum();
            let scaled = if sums[i].is_finite() { sums[i] * Mean::SCALE } else { small() };
            Mean { sum: sums[i], scaled, weight: whole + partial[i] }
        };
        Ok(Self { means: (0..source.dim()).map(mean).collect(), gaps })
    }
}

/// A source without NaN and infinity: rows left out, or numbers replaced by the mean of their column.
#[derive(Debug, Clone)]
pub struct Finite<S> {
    rows: Subset<S>,
    means: Option<Vec<f64>>,
    /// What was found.
    pub survey: Survey,
}

impl<S: Samples> Finite<S> {
    /// Applies a policy to the samples of an array; [`Missing::Keep`] changes nothing.
    ///
    /// # Errors
    /// [`Error::NonFiniteSamples`] if there are some and the policy is [`Missing::Error`], or a column to impute has no
    /// finite number.
    pub fn new(source: S, policy: Missing) -> Result<Self> {
        let survey = Survey::of(&source)?;
        Self::by_policy(source, policy, survey)
    }

    /// Replaces what is not finite by the mean of its column, by the weights of the rows.
    ///
    /// # Errors
    /// [`Error::NonFiniteSamples`] if a column to impute has no finite number; [`Error::LengthMismatch`] if there are not as
    /// many weights as rows.
    pub fn imputed(source: S, weights: &[f64]) -> Result<Self> {
        let survey = Survey::weighted(&source, Some(weights))?;
        Self::by_policy(source, Missing::Impute, survey)
    }

    fn by_policy(source: S, policy: Missing, survey: Survey) -> Result<Self> {
        let all = (0..source.len()).collect();
        match (policy, survey.place(&source, None)) {
            (Missing::Error, Some(error)) => Err(error),
            (Missing::Drop, Some(_)) => {
                let mut good = vec![true; source.len()];
                survey.rows.iter().for_each(|&row| good[row] = false);
                let rows = (0..source.len()).filter(|&row| good[row]).collect();
                Ok(Self { rows: Subset::new(source, rows)?, means: None, survey })
            }
            (Missing::Impute, Some(_)) => {
                let means = survey.means.clone();
                Self::surveyed(source, means, survey)
            }
            _ => Ok(Self { rows: Subset::new(source, all)?, means: None, survey }),
        }
    }

    /// Replaces what is not finite by given numbers, one per column: the means of the samples that a model was trained on.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many means as columns; [`Error::NonFiniteSamples`] if a column that
    /// needs a mean has none.
    pub fn with_means(source: S, means: Vec<f64>) -> Result<Self> {
        if means.len() != source.dim() {
            let (left, right) = ("X".to_string(), "the list of means".to_string());
            return Err(Error::LengthMismatch { left, left_len: source.dim(), right, right_len: means.len() });
        }
        let survey = Survey::of(&source)?;
        Self::surveyed(source, means, survey)
    }

    fn surveyed(source: S, means: Vec<f64>, survey: Survey) -> Result<Self> {
        let lacks = (0..means.len()).find(|&i| survey.counts[i] > 0 && !means[i].is_finite());
        match lacks.and_then(|column| survey.place(&source, Some(column))) {
            Some(error) => Err(error),
            None => {
                let all = (0..source.len()).collect();
                Ok(Self { rows: Subset::new(source, all)?, means: (survey.total > 0).then_some(means), survey })
            }
        }
    }

    /// The rows of the underlying source that were kept.
    pub fn kept(&self) -> &[usize] {
        self.rows.rows()
    }
}

impl<S: Samples> Samples for Finite<S> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn dim(&self) -> usize {
        self.rows.dim()
    }

    fn image_shape(&self) -> Option<InputShape> {
        self.rows.image_shape()
    }

    fn element(&self) -> Element {
        self.rows.element()
    }

    fn reads_cheaply(&self) -> bool {
        self.rows.reads_cheaply()
    }

    fn original_row(&self, row: usize) -> usize {
        self.rows.original_row(row)
    }

    fn read_single(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, f32>) -> gsfa::Result<()> {
        self.rows.read_single(rows, out.view_mut())?;
        for (i, mean) in self.means.iter().flatten().enumerate() {
            out.column_mut(i).iter_mut().filter(|x| !x.is_finite()).for_each(|x| *x = *mean as f32);
        }
        Ok(())
    }

    fn read_double(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, f64>) -> gsfa::Result<()> {
        self.rows.read_double(rows, out.view_mut())?;
        for (i, mean) in self.means.iter().flatten().enumerate() {
            out.column_mut(i).iter_mut().filter(|x| !x.is_finite()).for_each(|x| *x = *mean);
        }
        Ok(())
    }
}
