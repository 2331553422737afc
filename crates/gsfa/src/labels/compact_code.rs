//! Compact codes of classes: the bits of the class number, and their products as auxiliary labels (tab:compact_classes).

use super::gram_schmidt::{GramSchmidt, Outcome};
use super::targets::{Columns, RawTargets, TargetSource};
use super::weights::shares;
use crate::{Error, Result};

/// Binary labels −1 and 1 of each of `classes` C, linearly independent, at most C − 1 and at most `targets` of them.
///
/// With $b = \lceil\log_2 C\rceil$ bits, class c (from 0) has the code number $\lfloor c\,2^b/C\rfloor$. First come the
/// bits from the highest to the lowest, then the products of b, b − 1, … 2 of them, each in lexicographic order; a
/// product of evenly many is negated so that the first class is always −1. Products that depend on earlier labels are
/// left out. For $C = 2^b$ of equal weight these labels are normalised and decorrelated as they are: 32 classes give the
/// 31 labels of the paper's table.
///
/// ```
/// let code = gsfa::labels::compact_code(4, None)?;
/// assert_eq!(code.names, ["bit1", "bit2", "bit1*bit2"]);
/// assert_eq!(code.values.column(2).to_vec(), [-1.0, 1.0, 1.0, -1.0]);
/// # Ok::<(), gsfa::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parameter`] if there are fewer than two classes or no targets.
pub fn compact_code(classes: usize, targets: Option<usize>) -> Result<RawTargets> {
    if classes < 2 {
        return Err(Error::parameter("classes", classes, "a code tells apart at least 2 classes"));
    }
    if targets == Some(0) {
        return Err(Error::parameter("targets", 0, "at least one target label is needed"));
    }
    let bits = bits(classes);
    let wanted = targets.unwrap_or(classes - 1).min(classes - 1);
    // Independence of ±1 labels does not depend on the weights of the classes, so equal ones decide it here.
    let mut independent = GramSchmidt::new(shares(&vec![1.0; classes])?);
    let mut columns = Columns::default();
    for chosen in (1..=1).chain((2..=bits).rev()).flat_map(|size| Combinations::new(bits, size)) {
        if columns.len() == wanted {
            break;
        }
        let values = bit_product(classes, bits, &chosen);
        if classes.is_power_of_two() || matches!(independent.push(&values).outcome, Outcome::Kept) {
            let name = chosen.iter().map(|bit| format!("bit{}", bit + 1)).collect::<Vec<_>>().join("*");
            let source = match chosen[..] {
                [bit] => TargetSource::Bit(bit),
                _ => TargetSource::BitProduct(chosen),
            };
            columns.push((name, values), source);
        }
    }
    Ok(columns.finish(bits.min(wanted), targets))
}

/// b = ⌈log₂C⌉, the bits that number `classes` C.
pub(crate) fn bits(classes: usize) -> usize {
    classes.next_power_of_two().trailing_zeros() as usize
}

fn bit_product(classes: usize, bits: usize, chosen: &[usize]) -> Vec<f64> {
    let value = |class: usize| {
        let code = ((class as u128) << bits) / classes as u128;
        let ones = chosen.iter().filter(|&&bit| (code >> (bits - 1 - bit)) & 1 == 1).count();
        // The product of the bits as ±1, with the sign that makes it −1 for class 0, which has zeros only.
        if ones.is_multiple_of(2) { -1.0 } else { 1.0 }
    };
    (0..classes).map(value).collect()
}

/// All choices of `size` of the numbers 0 … n−1, in lexicographic order.
struct Combinations {
    n: usize,
    next: Option<Vec<usize>>,
}

impl Combinations {
    fn new(n: usize, size: usize) -> Self {
        Self { n, next: (size <= n).then(|| (0..size).collect()) }
    }
}

impl Iterator for Combinations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let size = current.len();
        if let Some(place) = (0..size).rev().find(|&i| current[i] < self.n - size + i) {
            let mut following = current.clone();
            for (i, number) in following.iter_mut().enumerate().skip(place) {
                *number = current[place] + 1 + i - place;
            }
            self.next = Some(following);
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_all_increasing_choices_in_order() {
        for n in 1..8 {
            for size in 1..=n {
                let found: Vec<Vec<usize>> = Combinations::new(n, size).collect();
                let mut expected: Vec<Vec<usize>> = (0_usize..1 << n)
                    .filter(|set| set.count_ones() as usize == size)
                    .map(|set| (0..n).filter(|i| set >> i & 1 == 1).collect())
                    .collect();
                expected.sort();
                assert_eq!(found, expected);
            }
        }
    }
}
