//! Low-rank couplings over consistent vertex weights: a problem as large as there are columns.

use ndarray::{Array1, Array2};

use super::FreeResponseMethod;
use super::low_rank_update::MOST_COLUMNS;
use super::modes::{Mode, Reduced, Shape};
use super::order;
use crate::Result;
use crate::graph::Coupling;
use crate::graph::quotient::{CellTerm, Quotient};
use crate::linalg::dot::dot;
use crate::linalg::householder::Householder;
use crate::linalg::{SymmetricEigen, symmetric_eigen, tolerance};

/// Solves $\Gamma = V^{1/2} X \Lambda X^T V^{1/2}$ if all terms are of low rank and degrees are proportional to v, as in
/// every ELL graph.
///
/// With $[\sqrt v\; X] = P R$ and the constant taken away, the eigenvalues of the small matrix $R \Lambda R^T$ are the θ
/// of the responses, $\mu = \kappa - \theta$ with κ the common degree per weight. All other responses have μ = κ; they
/// are the completing columns of P, in order. The Gram matrix of X is never formed: it would cost half of the digits.
///
/// In `large` sums of graphs, terms of few groups are taken by columns, too.
pub(super) fn solve(quotient: &Quotient, count: usize, large: bool) -> Result<Option<Reduced>> {
    let Some((columns, values)) = scaled_columns(quotient, large)? else { return Ok(None) };
    let q: f64 = quotient.weights.iter().sum();
    let kappa = dot(&quotient.rates, &quotient.weights) / q;
    let scale: f64 = columns[1..].iter().zip(&values).map(|(x, l)| l.abs() * dot(x, x)).sum::<f64>() + kappa.abs();
    // Round-off of Γ1 in the row of a vertex, whose norm is √(v/Q) of the whole.
    let consistent = quotient
        .rates
        .iter()
        .zip(&quotient.weights)
        .all(|(rate, v)| (rate - kappa).abs() <= tolerance::consistency(1) * scale * (q / v).sqrt());
    if !consistent {
        return Ok(None);
    }
    let factored = Householder::new(columns);
    let small = factored.r().slice(ndarray::s![1.., 1..]).to_owned();
    let rank = small.nrows();
    let eigen = eigen_by_columns(&small, &values)?;
    let largest = eigen.values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let mut mus: Vec<f64> = eigen
        .values
        .iter()
        .map(|&theta| if theta.abs() <= tolerance::rank(rank) * largest { kappa } else { kappa - theta })
        .collect();
    let fill = (quotient.count() - 1 - rank).min(count);
    mus.extend(std::iter::repeat_n(kappa, fill));
    let root: Vec<f64> = quotient.weights.iter().map(|v| v.sqrt()).collect();
    let modes = order::ascending(&mus).into_iter().take(count).map(|i| {
        let (z, sign) = if i < rank {
            let u = eigen.vectors.column(i);
            let coefficients: Vec<f64> = std::iter::once(0.0).chain(u.iter().copied()).collect();
            (factored.combine(&coefficients), Some(label_sign(&small, &values, &u.to_owned())))
        } else {
            (factored.column(i + 1), None)
        };
        let y = z.iter().zip(&root).map(|(z, r)| sign.unwrap_or(1.0) * z / r).collect();
        Mode { mu: mus[i], shape: Shape::Cells(y), sign_fixed: sign.is_some() }
    });
    let modes = modes.collect();
    Ok(Some(Reduced { modes, parts: Vec::new(), method: FreeResponseMethod::LowRank }))
}

/// Columns over cells, and a value for each but the first.
type Columns = (Vec<Vec<f64>>, Vec<f64>);

/// √v and the columns of X, with λ; `None` if a term is not of low rank.
fn scaled_columns(quotient: &Quotient, large: bool) -> Result<Option<Columns>> {
    let low_rank = |term: &CellTerm<'_>| matches!(term.coupling, Coupling::LowRank(_));
    let sum = large && quotient.terms.len() > 1;
    if quotient.terms.is_empty() || !(sum || quotient.terms.iter().all(low_rank)) {
        return Ok(None);
    }
    let root: Vec<f64> = quotient.weights.iter().map(|v| v.sqrt()).collect();
    let mut columns = Vec::new();
    let mut values = Vec::new();
    for term in &quotient.terms {
        let most = if sum { MOST_COLUMNS } else { usize::MAX };
        let Some(low_rank) = term.by_columns(most)? else { return Ok(None) };
        for (j, &lambda) in low_rank.values.iter().enumerate() {
            let entry = |i: usize| term.shares[i] / root[i] * low_rank.columns[[term.grouping.group(i), j]];
            columns.push((0..root.len()).map(entry).collect());
            values.push(lambda);
        }
    }
    columns.insert(0, root);
    Ok((!sum || columns.len() <= MOST_COLUMNS).then_some((columns, values)))
}

/// Eigenpairs of $R\Lambda R^T$, θ descending, where equal θ are rotated onto the columns in order.
fn eigen_by_columns(small: &Array2<f64>, values: &[f64]) -> Result<SymmetricEigen> {
    let lambda = Array1::from(values.to_vec());
    let matrix = (small * &lambda).dot(&small.t());
    let size = matrix.nrows();
    let largest = matrix.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let diagonal = matrix.indexed_iter().all(|((i, j), x)| i == j || x.abs() <= tolerance::rank(size) * largest);
    if diagonal {
        // Columns that are decorrelated already are the responses; an eigensolver would mix those with equal λ.
        return Ok(SymmetricEigen { values: matrix.diag().to_owned(), vectors: Array2::eye(size) });
    }
    let mut eigen = symmetric_eigen(matrix.view())?;
    eigen.values.invert_axis(ndarray::Axis(0));
    eigen.vectors.invert_axis(ndarray::Axis(1));
    let mut start = 0;
    while start < size {
        let first = eigen.values[start];
        let same = |x: &&f64| (**x - first).abs() <= tolerance::EQUAL_DELTA * largest;
        let length = eigen.values.iter().skip(start).take_while(same).count().max(1);
        if length > 1 {
            rotate_to_columns(&mut eigen.vectors, start, length, small);
        }
        start += length;
    }
    Ok(eigen)
}

/// Replaces eigenvectors of one eigenvalue by the directions in which the columns of R lie in their span, in order.
fn rotate_to_columns(vectors: &mut Array2<f64>, start: usize, length: usize, small: &Array2<f64>) {
    let span = vectors.slice(ndarray::s![.., start..start + length]).to_owned();
    let inside = span.t().dot(small);
    // The orthonormal factor of the coordinates: its columns follow the label columns, and complete them if dependent.
    let coordinates = inside.columns().into_iter().map(|c| c.to_vec()).collect();
    let rotation = Householder::new(coordinates);
    for k in 0..length {
        let direction = span.dot(&Array1::from(rotation.column(k)));
        vectors.column_mut(start + k).assign(&direction);
    }
}

/// The sign that makes a response correlate positively with its own column: the one with the largest share in it.
fn label_sign(small: &Array2<f64>, values: &[f64], u: &Array1<f64>) -> f64 {
    let along = small.t().dot(u);
    let shares = along.iter().zip(values).map(|(a, l)| (l.abs() * a * a, *a));
    let (_, own) = shares.fold((-1.0, 1.0), |best, next| if next.0 > best.0 { next } else { best });
    if own < 0.0 { -1.0 } else { 1.0 }
}
