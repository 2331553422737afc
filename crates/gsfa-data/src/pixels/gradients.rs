//! Histograms of the directions of gradients.

use std::f64::consts::TAU;

use super::warp::between;
use super::{Gradients, Image};
use crate::{Error, Result};
use gsfa::samples::InputShape;

/// More directions than these tell nothing apart in a cell.
const MOST_DIRECTIONS: usize = 36;

/// Added to what cells are divided by, in units of a contrast of 1: flat cells stay small.
const FLOOR: f32 = 0.1;

pub(super) fn check(spec: &Gradients, shape: InputShape) -> Result<()> {
    let Gradients { cell, directions, weight } = *spec;
    if cell < 2 || !shape.height.is_multiple_of(cell) || !shape.width.is_multiple_of(cell) {
        return Err(Error::parameter(
            "cell",
            cell,
            "cells have two pixels a side or more, and cover the image without a rest",
        ));
    }
    if !(2..=MOST_DIRECTIONS).contains(&directions) {
        return Err(Error::parameter("directions", directions, "2 to 36 can be told apart"));
    }
    if !(weight.is_finite() && weight > 0.0) {
        return Err(Error::parameter("weight", weight, "must be positive"));
    }
    Ok(())
}

/// The cells, with three values for each direction.
pub(super) fn shape(spec: &Gradients, shape: InputShape) -> InputShape {
    InputShape { height: shape.height / spec.cell, width: shape.width / spec.cell, channels: 3 * spec.directions }
}

pub(super) fn apply(spec: &Gradients, image: &Image) -> Image {
    let cells = shape(spec, image.shape);
    let sums = cell_sums(spec, image, cells);
    let mut pixels = vec![0.0; cells.values()];
    let signed = 2 * spec.directions;
    for (values, sums) in pixels.chunks_exact_mut(cells.channels).zip(sums.chunks_exact(signed)) {
        let (own, both) = values.split_at_mut(signed);
        own.copy_from_slice(sums);
        let (here, opposite) = sums.split_at(spec.directions);
        both.iter_mut().zip(here.iter().zip(opposite)).for_each(|(both, (a, b))| *both = a + b);
    }
    let norms = norms(&pixels, cells);
    for (values, norm) in pixels.chunks_exact_mut(cells.channels).zip(norms) {
        let factor = spec.weight as f32 / norm;
        values.iter_mut().for_each(|value| *value *= factor);
    }
    Image { shape: cells, pixels, region: None }
}

/// How much of each direction there is in each cell: one and the opposite one apart by `directions`.
fn cell_sums(spec: &Gradients, image: &Image, cells: InputShape) -> Vec<f32> {
    let count = 2 * spec.directions;
    let angle = TAU / count as f64;
    let units: Vec<[f32; 2]> =
        (0..count).map(|k| (k as f64 * angle).sin_cos()).map(|(y, x)| [x as f32, y as f32]).collect();
    let (least, span) = (angle.cos() as f32, (1.0 - angle.cos()) as f32);
    let mut sums = vec![0.0; cells.height * cells.width * count];
    let mut shares = vec![0.0_f32; count];
    for y in 0..image.shape.height {
        let (above, below, part_y) = neighbours(y, spec.cell, cells.height);
        for x in 0..image.shape.width {
            let [gx, gy] = steepest(image, y, x);
            let length = (gx * gx + gy * gy).sqrt();
            if length == 0.0 {
                continue;
            }
            for (share, unit) in shares.iter_mut().zip(&units) {
                *share = ((gx * unit[0] + gy * unit[1] - least * length) / span).max(0.0);
            }
            let (left, right, part_x) = neighbours(x, spec.cell, cells.width);
            let corners = [
                (above, left, (1.0 - part_y) * (1.0 - part_x)),
                (above, right, (1.0 - part_y) * part_x),
                (below, left, part_y * (1.0 - part_x)),
                (below, right, part_y * part_x),
            ];
            for (row, column, part) in corners.into_iter().filter(|corner| corner.2 > 0.0) {
                let cell = &mut sums[(row * cells.width + column) * count..][..count];
                cell.iter_mut().zip(&shares).for_each(|(sum, share)| *sum += part * share);
            }
        }
    }
    sums
}

/// The cells whose centres lie on both sides of a pixel, and how far it lies between them.
fn neighbours(pixel: usize, cell: usize, count: usize) -> (usize, usize, f32) {
    between((pixel as f64 + 0.5) / cell as f64 - 0.5, count)
}

/// The central differences of the channel where they are largest; beyond the edge pixels repeat.
fn steepest(image: &Image, y: usize, x: usize) -> [f32; 2] {
    let InputShape { height, width, channels } = image.shape;
    let at = |y: usize, x: usize| &image.pixels[(y * width + x) * channels..][..channels];
    let (left, right) = (at(y, x.saturating_sub(1)), at(y, (x + 1).min(width - 1)));
    let (above, below) = (at(y.saturating_sub(1), x), at((y + 1).min(height - 1), x));
    let (mut found, mut largest) = ([0.0; 2], -1.0);
    for channel in 0..channels {
        let gradient = [right[channel] - left[channel], below[channel] - above[channel]];
        let size = gradient[0] * gradient[0] + gradient[1] * gradient[1];
        if size > largest {
            (found, largest) = (gradient, size);
        }
    }
    found
}

/// The root of the mean square of values over each cell and those around it.
fn norms(values: &[f32], cells: InputShape) -> Vec<f32> {
    let squares: Vec<f32> =
        values.chunks_exact(cells.channels).map(|cell| cell.iter().map(|value| value * value).sum()).collect();
    let around = |at: usize, count: usize| at.saturating_sub(1)..(at + 2).min(count);
    let mut norms = Vec::with_capacity(squares.len());
    for row in 0..cells.height {
        for column in 0..cells.width {
            let (rows, columns) = (around(row, cells.height), around(column, cells.width));
            let count = rows.len() * columns.len() * cells.channels;
            let total: f32 = rows.map(|row| squares[row * cells.width..][columns.clone()].iter().sum::<f32>()).sum();
            norms.push((total / count as f32).sqrt() + FLOOR);
        }
    }
    norms
}
