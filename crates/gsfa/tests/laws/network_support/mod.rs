//! A slow network, written from the definitions, and images to train networks with.
use crate::eigen::symmetric_eigen;
use gsfa::expansion::Expansion;
use gsfa::graph::{Ell, GraphInput, TrainingGraph};
use gsfa::labels::Labels;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec};
use gsfa::solve::SlowScaling;
use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};

use crate::solve_support::{dense, noise};

/// A label in disorder, and images that show it in every pixel, differently, beside noise.
pub fn images(n: usize, shape: InputShape, seed: u64) -> (Array2<f64>, Vec<f64>) {
    let label: Vec<f64> = (0..n).map(|k| ((k * 37 + 11) % n) as f64 / n as f64).collect();
    let dim = shape.height * shape.width * shape.channels;
    let mut x = noise(n, dim, seed);
    for ((k, i), x) in x.indexed_iter_mut() {
        *x = 0.5 + 0.2 * *x + 0.3 * (label[k] * (1.0 + (i % 5) as f64) + i as f64).cos();
    }
    (x, label)
}

/// ELL with L targets.
pub fn graph(label: &[f64], targets: usize) -> TrainingGraph {
    let labels = Labels::numbers("label", label.to_vec());
    Ell { targets: Some(targets), ..Ell::default() }.build(&GraphInput::new(&labels)).unwrap()
}

/// Bytes as pixels.
pub fn as_bytes(x: &Array2<f64>) -> Array2<u8> {
    x.mapv(|x| (x * 128.0).clamp(0.0, 255.0) as u8)
}

/// The features of every layer, by loops and dense matrices.
pub fn reference_network(spec: &NetworkSpec, x: &Array2<f64>, graph: &TrainingGraph) -> Vec<Array2<f64>> {
    let input = spec.input;
    let mut grid = Grid { values: x.clone(), height: input.height, width: input.width, channels: input.channels };
    // Which pixels each node of the layer below has seen: rows and columns from … to.
    let mut seen: Vec<[usize; 4]> =
        (0..input.height).flat_map(|r| (0..input.width).map(move |c| [r, r + 1, c, c + 1])).collect();
    let mut layers = Vec::new();
    for layer in &spec.layers {
        let field = layer.field.unwrap_or([grid.height, grid.width]);
        let stride = layer.stride.unwrap_or(field);
        let (mut outputs, mut sights) = (Vec::new(), Vec::new());
        let (mut rows, mut top) = (0, 0);
        while top + field[0] <= grid.height {
            let mut left = 0;
            while left + field[1] <= grid.width {
                let mut sight = [usize::MAX, 0, usize::MAX, 0];
                for r in top..top + field[0] {
                    for c in left..left + field[1] {
                        let below = seen[r * grid.width + c];
                        sight[0] = sight[0].min(below[0]);
                        sight[1] = sight[1].max(below[1]);
                        sight[2] = sight[2].min(below[2]);
                        sight[3] = sight[3].max(below[3]);
                    }
                }
                let patch = grid.patch([top, top + field[0], left, left + field[1]]);
                let pixels =
                    Grid { values: x.clone(), height: input.height, width: input.width, channels: input.channels };
                outputs.push(reference_node(layer, &patch, &pixels.patch(sight), graph));
                sights.push(sight);
                left += stride[1];
            }
            rows += 1;
            top += stride[0];
        }
        let views: Vec<ArrayView2<'_, f64>> = outputs.iter().map(|o| o.view()).collect();
        let values = concatenate(Axis(1), &views).unwrap();
        grid = Grid { width: outputs.len() / rows, height: rows, channels: layer.output_dim, values: values.clone() };
        seen = sights;
        layers.push(values);
    }
    layers
}

struct Grid {
    values: Array2<f64>,
    height: usize,
    width: usize,
    channels: usize,
}

impl Grid {
    fn patch(&self, [top, bottom, left, right]: [usize; 4]) -> Array2<f64> {
        assert!(bottom <= self.height && right <= self.width);
        let mut columns = Vec::new();
        for row in top..bottom {
            for column in left..right {
                for channel in 0..self.channels {
                    columns.push(self.values.column((row * self.width + column) * self.channels + channel));
                }
            }
        }
        ndarray::stack(Axis(1), &columns).unwrap()
    }
}

fn reference_node(layer: &LayerSpec, below: &Array2<f64>, pixels: &Array2<f64>, graph: &TrainingGraph) -> Array2<f64> {
    let v = graph.vertex_weights();
    let mut x = below.clone();
    if layer.standardize {
        let (mean, variance) = column_moments(&x, v);
        x = (&x - &mean) / &variance.mapv(f64::sqrt);
    }
    if let Some(pca) = layer.pca {
        let (mean, _) = column_moments(&x, v);
        let eigen = symmetric_eigen(covariance(&x, v).view()).unwrap();
        let order: Vec<usize> = (0..x.ncols()).rev().collect();
        let total = eigen.values.sum();
        let count = pca.components.map(|k| k.min(x.ncols())).unwrap_or_else(|| {
            let share = pca.variance.unwrap();
            (1..=x.ncols())
                .find(|&k| order[..k].iter().map(|&i| eigen.values[i]).sum::<f64>() >= share * total)
                .unwrap()
        });
        x = (&x - &mean).dot(&eigen.vectors.select(Axis(1), &order[..count]));
        if pca.whiten {
            x /= &eigen.values.select(Axis(0), &order[..count]).mapv(f64::sqrt);
        }
    }
    if let Some(clip) = layer.clip {
        let (mean, variance) = column_moments(&x, v);
        for ((_, i), x) in x.indexed_iter_mut() {
            let reach = clip.sigmas * variance[i].sqrt();
            *x = x.clamp(mean[i] - reach, mean[i] + reach);
        }
    }
    let mut expanded = expand(layer.expansion, &x);
    let mut inputs = x.clone();
    if let Some(skip) = layer.skip {
        let (_, variance) = column_moments(pixels, v);
        let scale = variance.mean().unwrap().sqrt();
        let mut parts = vec![pixels / scale, expanded * skip.feature_scale];
        if let Some(gate) = skip.gate {
            assert!(gate.patch.is_none(), "the reference has one patch");
            let eigen = symmetric_eigen(covariance(&parts[0], v).view()).unwrap();
            let order: Vec<usize> = (0..pixels.ncols()).rev().take(gate.components).collect();
            let (mean, _) = column_moments(&parts[0], v);
            let components = (&parts[0] - &mean).dot(&eigen.vectors.select(Axis(1), &order));
            for z in x.columns().into_iter().take(gate.features.unwrap_or(x.ncols())) {
                let z = z.insert_axis(Axis(1));
                parts.push(&components * &(gate.products.sqrt() * &z));
                if gate.squares > 0.0 {
                    parts.push(&components * &(gate.squares.sqrt() * z.mapv(|z| z * z - 1.0)));
                }
            }
        }
        let views: Vec<ArrayView2<'_, f64>> = parts.iter().map(|part| part.view()).collect();
        inputs = parts[0].clone();
        expanded = concatenate(Axis(1), &views).unwrap();
    }
    if let Some(keep) = &layer.keep {
        let slow = keep.slow.expect("the reference knows the size of the slow part");
        let slow = dense_gsfa(&expanded, graph, slow, layer.ridge);
        return keeping(&inputs, &slow, v, layer.output_dim, keep.scaling);
    }
    dense_gsfa(&expanded, graph, layer.output_dim, layer.ridge)
}

/// Slow features in their size, and principal components of what a regression on them leaves of the inputs.
pub fn keeping(x: &Array2<f64>, slow: &Array2<f64>, v: &[f64], outputs: usize, scaling: SlowScaling) -> Array2<f64> {
    let (mean, _) = column_moments(x, v);
    let z = x - &mean;
    let q: f64 = v.iter().sum();
    let weighted = Array2::from_shape_fn(slow.dim(), |(n, j)| v[n] / q * slow[[n, j]]);
    // Of unit variance and not correlated: covariances are the coefficients.
    let m = z.t().dot(&weighted);
    let residual = &z - &slow.dot(&m.t());
    let eigen = symmetric_eigen(covariance(&residual, v).view()).unwrap();
    let order: Vec<usize> = (0..x.ncols()).rev().take(outputs - slow.ncols()).collect();
    let components = residual.dot(&eigen.vectors.select(Axis(1), &order));
    let deviations: Vec<f64> = order.iter().map(|&k| eigen.values[k].sqrt()).collect();
    let scaled = match scaling {
        SlowScaling::None => slow.clone(),
        SlowScaling::Sensitivity => slow * &m.map_axis(Axis(0), |m| m.dot(&m).sqrt()),
        SlowScaling::Qr => slow.dot(&upper(&m).t()),
        SlowScaling::Median => slow * middle(&deviations, 0.5),
        SlowScaling::Spread => {
            let (most, least) = (middle(&deviations, 0.75).ln(), middle(&deviations, 0.25).ln());
            let last = (slow.ncols() - 1).max(1) as f64;
            slow * &Array1::from_shape_fn(slow.ncols(), |j| (most + (least - most) * j as f64 / last).exp())
        }
    };
    concatenate(Axis(1), &[scaled.view(), components.view()]).unwrap()
}

/// R of M = QR, column by column.
fn upper(m: &Array2<f64>) -> Array2<f64> {
    let mut q: Vec<Array1<f64>> = Vec::new();
    let mut r = Array2::zeros((m.ncols(), m.ncols()));
    for (j, column) in m.columns().into_iter().enumerate() {
        let mut left = column.to_owned();
        for (i, q) in q.iter().enumerate() {
            r[[i, j]] = q.dot(&left);
            left.scaled_add(-r[[i, j]], q);
        }
        r[[j, j]] = left.dot(&left).sqrt();
        q.push(left / r[[j, j]]);
    }
    r
}

/// The root of the variance at a share of all, by straight lines between the variances.
fn middle(deviations: &[f64], share: f64) -> f64 {
    let mut variances: Vec<f64> = deviations.iter().map(|d| d * d).collect();
    variances.sort_by(f64::total_cmp);
    let at = share * (variances.len() - 1) as f64;
    let (low, high) = (variances[at as usize], variances[(at as usize + 1).min(variances.len() - 1)]);
    (low + (high - low) * at.fract()).sqrt()
}

pub fn column_moments(x: &Array2<f64>, v: &[f64]) -> (Array1<f64>, Array1<f64>) {
    let q: f64 = v.iter().sum();
    let weights = Array1::from(v.to_vec()) / q;
    let mean = weights.dot(x);
    let variance = weights.dot(&(x - &mean).mapv(|z| z * z));
    (mean, variance)
}

fn covariance(x: &Array2<f64>, v: &[f64]) -> Array2<f64> {
    let (mean, _) = column_moments(x, v);
    let z = x - &mean;
    let q: f64 = v.iter().sum();
    let weighted = Array2::from_shape_fn(z.dim(), |(n, i)| v[n] / q * z[[n, i]]);
    z.t().dot(&weighted)
}

/// Inputs, and features whose products are the kernels: $K^{-1/2} k(x)$, with every sample as a centre. Others with the same
/// products are turned against them, which no slow feature notices.
fn radial(width: f64, x: &Array2<f64>) -> Array2<f64> {
    let variance = x.var_axis(Axis(0), 0.0).sum() * width * width;
    let kernels = Array2::from_shape_fn((x.nrows(), x.nrows()), |(n, m)| {
        (-(&x.row(n) - &x.row(m)).mapv(|d| d * d).sum() / (2.0 * variance)).exp()
    });
    let eigen = symmetric_eigen(kernels.view()).unwrap();
    let root = (&eigen.vectors / &eigen.values.mapv(f64::sqrt)).dot(&eigen.vectors.t());
    concatenate(Axis(1), &[x.view(), kernels.dot(&root).view()]).unwrap()
}

/// Term by term.
pub fn expand(expansion: Expansion, x: &Array2<f64>) -> Array2<f64> {
    if let Some(rbf) = expansion.rbf() {
        assert!(rbf.centers >= x.nrows(), "the reference has every sample as a centre");
        return radial(rbf.width, x);
    }
    let rows = x.outer_iter().map(|row| {
        let row = row.to_vec();
        match expansion {
            Expansion::Identity => row,
            Expansion::Expo { exponent } => {
                row.iter().copied().chain(row.iter().map(|x| x.abs().powf(exponent))).collect()
            }
            Expansion::Polynomial { degree, first } => {
                let mut terms = monomials(&row, degree as usize, 1);
                if let Some(first) = first {
                    terms.extend(monomials(&row[..first.count], first.degree as usize, degree as usize + 1));
                }
                terms
            }
            Expansion::Rbf { .. } => unreachable!("not term by term"),
        }
    });
    let rows: Vec<Vec<f64>> = rows.collect();
    Array2::from_shape_fn((rows.len(), rows[0].len()), |(n, i)| rows[n][i])
}

/// All products of `lowest` … `highest` factors.
fn monomials(x: &[f64], highest: usize, lowest: usize) -> Vec<f64> {
    fn extend(x: &[f64], from: usize, product: f64, factors: usize, range: (usize, usize), out: &mut Vec<f64>) {
        if factors >= range.0 {
            out.push(product);
        }
        if factors < range.1 {
            (from..x.len()).for_each(|i| extend(x, i, product * x[i], factors + 1, range, out));
        }
    }
    let mut out = Vec::new();
    extend(x, 0, 1.0, 0, (lowest, highest), &mut out);
    out
}

/// The slowest features from C and Ċ over all pairs. Ridge is independent noise in the inputs; the span of what is slowest
/// with it has its slowest features without it.
pub fn dense_gsfa(x: &Array2<f64>, graph: &TrainingGraph, output_dim: usize, ridge: f64) -> Array2<f64> {
    let moments = dense(x.view(), graph);
    let live = moments.covariance.diag().iter().filter(|v| **v > 1e-20).count();
    let noise = ridge * moments.covariance.diag().sum() / live as f64;
    let identity = Array2::<f64>::eye(x.ncols());
    let c = symmetric_eigen((&moments.covariance + &(&identity * noise)).view()).unwrap();
    let least = 1e-11 * c.values[c.values.len() - 1];
    let kept: Vec<usize> = (0..c.values.len()).filter(|&k| c.values[k] > least).collect();
    let sphering = c.vectors.select(Axis(1), &kept) / c.values.select(Axis(0), &kept).mapv(f64::sqrt);
    let derivative = &moments.derivative + &(identity * (2.0 * noise));
    let slow = symmetric_eigen(sphering.t().dot(&derivative).dot(&sphering).view()).unwrap();
    let weights = sphering.dot(&slow.vectors.slice(s![.., ..output_dim]));
    let gram = symmetric_eigen(weights.t().dot(&moments.covariance).dot(&weights).view()).unwrap();
    let inner = weights.dot(&(&gram.vectors / &gram.values.mapv(f64::sqrt)));
    let rotated = symmetric_eigen(inner.t().dot(&moments.derivative).dot(&inner).view()).unwrap();
    let weights = inner.dot(&rotated.vectors);
    let y = (x - &moments.mean).dot(&weights);
    let (_, variance) = column_moments(&y, graph.vertex_weights());
    y / variance.mapv(f64::sqrt)
}

/// Largest difference of columns, up to the sign of each.
pub fn difference_up_to_signs(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    assert_eq!(a.dim(), b.dim());
    let columns = a.columns().into_iter().zip(b.columns());
    let largest = |x: Array1<f64>| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    columns.map(|(a, b)| largest(&a - &b).min(largest(&a + &b))).fold(0.0, f64::max)
}
