//! Sparse codes of classes: a weighted Haar basis, in which most labels are 0 for most classes.

use super::targets::{Columns, RawTargets, TargetSource};
use super::weights::shares;
use crate::{Error, Result};

/// C − 1 labels of C classes, most of them 0 for most classes, normalised and decorrelated in the class weights.
///
/// The classes are halved again and again; each cut of classes of weight W into parts of weight $W_l$ and $W_r$ gives a
/// label that is $\sqrt{QW_r/(W_lW)}$ on the left, $-\sqrt{QW_l/(W_rW)}$ on the right and 0 elsewhere. The finest cuts
/// come first, each level from left to right; of an odd number of classes the left part gets one more. Eight classes of
/// equal weight give the code in the paper's discussion.
///
/// **Paper note.** Its ℓ₃ is printed with ten entries; it should be (0, 0, 0, 0, 2, −2, 0, 0).
///
/// ```
/// let code = gsfa::labels::sparse_code(&[1.0; 4])?;
/// assert_eq!(code.values.column(1).to_vec(), [0.0, 0.0, 2f64.sqrt(), -2f64.sqrt()]);
/// assert_eq!(code.values.column(2).to_vec(), [1.0, 1.0, -1.0, -1.0]);
/// # Ok::<(), gsfa::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] if there are fewer than two classes; weights that are not positive.
pub fn sparse_code(class_weights: &[f64]) -> Result<RawTargets> {
    let classes = class_weights.len();
    if classes < 2 {
        return Err(Error::parameter("classes", classes, "a code tells apart at least 2 classes"));
    }
    let shares = shares(class_weights)?;
    let mut columns = Columns::default();
    for Cut { start, middle, end } in cuts_finest_first(classes) {
        let (left, right): (f64, f64) = (shares[start..middle].iter().sum(), shares[middle..end].iter().sum());
        let mut values = vec![0.0; classes];
        values[start..middle].fill((right / left / (left + right)).sqrt());
        values[middle..end].fill(-(left / right / (left + right)).sqrt());
        let name = format!("haar{}|{}", numbered(start, middle), numbered(middle, end));
        columns.push((name, values), TargetSource::Haar { start, middle, end });
    }
    Ok(columns.finish(classes - 1, None))
}

/// Classes `start..end`, cut in two at `middle`.
#[derive(Clone, Copy)]
struct Cut {
    start: usize,
    middle: usize,
    end: usize,
}

fn cuts_finest_first(classes: usize) -> Vec<Cut> {
    let mut levels: Vec<Vec<Cut>> = Vec::new();
    let mut ranges = vec![(0, classes)];
    while !ranges.is_empty() {
        let cuts: Vec<Cut> =
            ranges.iter().map(|&(start, end)| Cut { start, middle: start + (end - start).div_ceil(2), end }).collect();
        let halves = cuts.iter().flat_map(|cut| [(cut.start, cut.middle), (cut.middle, cut.end)]);
        ranges = halves.filter(|(start, end)| end - start > 1).collect();
        levels.push(cuts);
    }
    levels.into_iter().rev().flatten().collect()
}

fn numbered(start: usize, end: usize) -> String {
    if end - start == 1 { format!("{end}") } else { format!("{}-{end}", start + 1) }
}
