//! Responses before they are written out: a value and a recipe.

use super::FreeResponseMethod;
use super::cosine::CosineLaw;
use crate::graph::quotient::Quotient;

/// A response with its eigenvalue μ, the uniform part left out until all are collected.
pub(super) struct Mode {
    pub mu: f64,
    pub shape: Shape,
    /// Whether its sign is that of a label already.
    pub sign_fixed: bool,
}

/// How to write a response out. Of many candidates only the slowest ones ever are.
pub(super) enum Shape {
    /// Values over all cells.
    Cells(Vec<f64>),
    /// Values over the cells of one component, zero elsewhere.
    Part { part: usize, values: Vec<f64> },
    /// The j-th cosine of a component.
    Cosine { part: usize, j: usize },
    /// A component against all earlier ones.
    Parts { part: usize },
    /// A member of a cell against the earlier members.
    WithinCell { cell: usize, member: usize },
}

/// A connected component: its cells in ascending order, and its law if it has one.
pub(super) struct Part {
    pub cells: Vec<u32>,
    pub law: Option<CosineLaw>,
}

/// Candidates over cells, in the order that settles ties.
pub(super) struct Reduced {
    pub modes: Vec<Mode>,
    pub parts: Vec<Part>,
    pub method: FreeResponseMethod,
}

impl Mode {
    pub fn new(mu: f64, shape: Shape) -> Self {
        Self { mu, shape, sign_fixed: false }
    }
}

impl Reduced {
    /// The values of a response over cells, of any scale.
    pub fn shape_over_cells(&self, mode: &Mode, quotient: &Quotient) -> Vec<f64> {
        let mut y = vec![0.0; quotient.count()];
        match &mode.shape {
            Shape::Cells(values) => y.copy_from_slice(values),
            Shape::Part { part, values } => {
                for (&cell, &value) in self.parts[*part].cells.iter().zip(values) {
                    y[cell as usize] = value;
                }
            }
            Shape::Cosine { part, j } => {
                let part = &self.parts[*part];
                if let Some(law) = &part.law {
                    law.write(*j, |place, value| y[part.cells[place] as usize] = value);
                }
            }
            Shape::Parts { part } => {
                let mass = |p: &Part| p.cells.iter().map(|&c| quotient.weights[c as usize]).sum::<f64>();
                let earlier: f64 = self.parts[..*part].iter().map(mass).sum();
                let own = mass(&self.parts[*part]);
                for p in &self.parts[..*part] {
                    p.cells.iter().for_each(|&c| y[c as usize] = -own / (own + earlier));
                }
                self.parts[*part].cells.iter().for_each(|&c| y[c as usize] = earlier / (own + earlier));
            }
            // Not constant on cells; written by `contrast::write_within`.
            Shape::WithinCell { .. } => {}
        }
        y
    }
}
