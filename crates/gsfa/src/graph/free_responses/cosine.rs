//! Graphs whose free responses are cosines: uniform paths and sliding windows.

use std::f64::consts::PI;

use crate::graph::Sparse;

/// The cosines of a component, in the order of a path.
pub(super) struct CosineLaw {
    size: usize,
    /// Whether the outer vertices weigh half: the serial graph's $\cos(\pi jk/(K-1))$ instead of $\cos(\pi j(k+½)/K)$.
    half_ends: bool,
    /// The vertex at each place of the path; `None` if vertices are in order.
    path: Option<Vec<u32>>,
    /// μ of the cosines j = 1 … size−1.
    pub mus: Vec<f64>,
}

impl CosineLaw {
    /// Recognises the law in the numbers: equal weights along a path, or a window reflected at the ends.
    pub fn recognize(edges: &Sparse, weights: &[f64], closeness: f64) -> Option<Self> {
        let size = weights.len();
        let same = |a: f64, b: f64| (a - b).abs() <= closeness * b.abs();
        if let Some(path) = path_order(edges) {
            let place = |k: usize| path[k] as usize;
            let edge = |k: usize| edges.row(place(k)).find(|&(j, _)| j == place(k + 1)).map_or(0.0, |(_, w)| w);
            let w = edge(0);
            if !(1..size - 1).all(|k| same(edge(k), w)) {
                return None;
            }
            let inner = weights[place(size / 2)];
            let inside = (1..size - 1).all(|k| same(weights[place(k)], inner));
            let ends = |factor: f64| [0, size - 1].iter().all(|&k| same(factor * weights[place(k)], inner));
            let half_ends = size > 2 && ends(2.0);
            if !(inside && (half_ends || ends(1.0))) {
                return None;
            }
            let mus = (1..size).map(|j| {
                if half_ends {
                    2.0 * w / weights[place(0)] * half_sine_squared(j, size - 1)
                } else {
                    4.0 * w / inner * half_sine_squared(j, size)
                }
            });
            let mus = mus.collect();
            let in_order = path.iter().enumerate().all(|(k, &i)| k == i as usize);
            return Some(Self { size, half_ends, path: (!in_order).then_some(path), mus });
        }
        let window = window_weights(edges, size, closeness)?;
        if !weights.iter().all(|&v| same(v, weights[0])) {
            return None;
        }
        let mu = |j: usize| {
            let sum: f64 = window.iter().enumerate().map(|(k, w)| w * half_sine_squared(j * (k + 1), size)).sum();
            4.0 * sum / weights[0]
        };
        Some(Self { size, half_ends: false, path: None, mus: (1..size).map(mu).collect() })
    }

    /// Calls `write(vertex, value)` for the j-th cosine.
    pub fn write(&self, j: usize, mut write: impl FnMut(usize, f64)) {
        for k in 0..self.size {
            let value =
                if self.half_ends { cos_pi(j * k, self.size - 1) } else { cos_pi(j * (2 * k + 1), 2 * self.size) };
            write(self.path.as_ref().map_or(k, |p| p[k] as usize), value);
        }
    }
}

/// $\sin^2(\pi x/2n)$: keeps the digits that $1 - \cos(\pi x/n)$ loses when x/n is small.
fn half_sine_squared(x: usize, n: usize) -> f64 {
    let x = x % (2 * n);
    let x = x.min(2 * n - x);
    (PI * x as f64 / (2 * n) as f64).sin().powi(2)
}

/// $\cos(\pi x/n)$ with the argument reduced exactly, zeros exact.
fn cos_pi(x: usize, n: usize) -> f64 {
    let x = x % (2 * n);
    let x = x.min(2 * n - x);
    (PI * (n as f64 - 2.0 * x as f64) / (2 * n) as f64).sin()
}

/// The vertices along a path, from the end with the smaller number; `None` if the (connected) graph is no path.
fn path_order(edges: &Sparse) -> Option<Vec<u32>> {
    let size = edges.size();
    if size < 2 || edges.stored() != 2 * (size - 1) {
        return None;
    }
    let start = (0..size).find(|&i| edges.row(i).count() == 1)?;
    let mut path = vec![start as u32];
    let (mut before, mut at) = (usize::MAX, start);
    while path.len() < size {
        let mut ahead = edges.row(at).map(|(j, _)| j).filter(|&j| j != before);
        let next = ahead.next()?;
        if ahead.next().is_some() {
            return None;
        }
        (before, at) = (at, next);
        path.push(at as u32);
    }
    Some(path)
}

/// The weights $w_1 … w_d$ of a window of half-width d < size − 1 reflected at the ends:
/// $\gamma_{ij} = w_{|i-j|} + w_{i+j+1} + w_{2N-1-i-j}$.
fn window_weights(edges: &Sparse, size: usize, closeness: f64) -> Option<Vec<f64>> {
    let width = (0..size).flat_map(|i| edges.row(i).map(move |(j, _)| i.abs_diff(j))).max()?;
    if width + 2 > size || edges.stored() > 2 * width * size {
        return None;
    }
    let entry = |i: usize, j: usize| edges.row(i).find(|&(k, _)| k == j).map_or(0.0, |(_, w)| w);
    // In the middle no reflection reaches.
    let w: Vec<f64> = (1..=width).map(|o| entry((size - o) / 2, (size - o) / 2 + o)).collect();
    let at = |o: usize| if o <= width { w[o - 1] } else { 0.0 };
    for i in 0..size {
        let mut row = edges.row(i).filter(|&(j, _)| j > i).peekable();
        for j in i + 1..size.min(i + width + 1) {
            let stored = row.next_if(|&(k, _)| k == j).map_or(0.0, |(_, w)| w);
            let terms = [at(j - i), at(i + j + 1), at(2 * size - 1 - i - j)];
            let magnitude: f64 = terms.iter().map(|x| x.abs()).sum();
            if (stored - terms.iter().sum::<f64>()).abs() > closeness * magnitude {
                return None;
            }
        }
    }
    Some(w)
}
