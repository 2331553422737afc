//! Shards as one list of samples.

use gsfa::samples::{Element, Precision, Rows, Samples};
use ndarray::{Array2, ArrayViewMut2};

/// Samples in several sources, each at its row among all.
pub struct Joined {
    parts: Vec<Box<dyn Samples>>,
    /// For each row its source, and its place there.
    places: Vec<Option<(usize, usize)>>,
    dim: usize,
    precision: Precision,
}

impl Joined {
    /// No samples yet, of so many.
    pub fn new(total: usize, dim: usize, precision: Precision) -> Self {
        Self { parts: Vec::new(), places: vec![None; total], dim, precision }
    }

    /// The first of some rows that a source has already.
    pub fn first_taken(&self, rows: &[usize]) -> Option<usize> {
        rows.iter().copied().find(|&row| self.places[row].is_some())
    }

    /// Adds a source whose samples stand at the given rows.
    pub fn add(&mut self, source: Box<dyn Samples>, rows: &[usize]) {
        let part = self.parts.len();
        rows.iter().enumerate().for_each(|(place, &row)| self.places[row] = Some((part, place)));
        self.parts.push(source);
    }

    /// The first row that no source has.
    pub fn first_missing(&self) -> Option<usize> {
        self.places.iter().position(Option::is_none)
    }

    /// Hands every source its rows and the places in the block that they belong to.
    fn read<T: Copy>(
        &self,
        rows: &Rows<'_>,
        out: &mut ArrayViewMut2<'_, T>,
        mut read: impl FnMut(&dyn Samples, &[usize]) -> gsfa::Result<Array2<T>>,
    ) -> gsfa::Result<()> {
        for (part, source) in self.parts.iter().enumerate() {
            let own = (0..rows.len()).filter_map(|k| match self.places[rows.row(k)] {
                Some((of, place)) if of == part => Some((k, place)),
                _ => None,
            });
            let (at, places): (Vec<usize>, Vec<usize>) = own.unzip();
            if places.is_empty() {
                continue;
            }
            let block = read(&**source, &places)?;
            at.iter().zip(block.outer_iter()).for_each(|(&k, row)| out.row_mut(k).assign(&row));
        }
        Ok(())
    }
}

impl Samples for Joined {
    fn len(&self) -> usize {
        self.places.len()
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn element(&self) -> Element {
        self.parts.first().map_or(Element::F64, |part| part.element())
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn read_single(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, f32>) -> gsfa::Result<()> {
        self.read(&rows, &mut out, |source, places| {
            let mut block = Array2::zeros((places.len(), self.dim));
            source.read_single(Rows::List(places), block.view_mut())?;
            Ok(block)
        })
    }

    fn read_double(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, f64>) -> gsfa::Result<()> {
        self.read(&rows, &mut out, |source, places| {
            let mut block = Array2::zeros((places.len(), self.dim));
            source.read_double(Rows::List(places), block.view_mut())?;
            Ok(block)
        })
    }
}
