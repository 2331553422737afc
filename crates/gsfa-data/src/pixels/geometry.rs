//! Grey, crop and resize.

use std::ops::Range;

use super::{Image, Region};
use gsfa::samples::InputShape;

pub(super) fn grey(image: Image) -> Image {
    if image.shape.channels == 1 {
        return image;
    }
    let (pixels, _) = image.pixels.as_chunks::<3>();
    let pixels = pixels.iter().map(|[r, g, b]| 0.299 * r + 0.587 * g + 0.114 * b).collect();
    Image { shape: InputShape { channels: 1, ..image.shape }, pixels, region: image.region }
}

/// Lines and columns of a crop; they may reach beyond the image.
pub(super) fn crop_window(shape: InputShape, region: Option<Region>, share: f64) -> (Range<isize>, Range<isize>) {
    let whole =
        Region { left: 0, top: 0, right: shape.width.saturating_sub(1), bottom: shape.height.saturating_sub(1) };
    let r = region.unwrap_or(whole);
    (scaled(r.top, r.bottom, share), scaled(r.left, r.right, share))
}

fn scaled(first: usize, last: usize, share: f64) -> Range<isize> {
    let (start, end) = (first as f64, last as f64 + 1.0);
    let center = (start + end) / 2.0;
    let half = share * (end - start) / 2.0;
    let start = (center - half).round() as isize;
    start..((center + half).round() as isize).max(start + 1)
}

pub(super) fn crop(image: Image, share: f64) -> Image {
    let InputShape { height, width, channels } = image.shape;
    let (rows, columns) = crop_window(image.shape, image.region, share);
    if rows == (0..height as isize) && columns == (0..width as isize) {
        return Image { region: None, ..image };
    }
    let shape = InputShape { height: rows.len(), width: columns.len(), channels };
    let mut pixels = Vec::with_capacity(shape.values());
    for row in rows {
        let line = row.clamp(0, height as isize - 1) as usize * width;
        for column in columns.clone() {
            let at = (line + column.clamp(0, width as isize - 1) as usize) * channels;
            pixels.extend_from_slice(&image.pixels[at..at + channels]);
        }
    }
    Image { shape, pixels, region: None }
}

/// Resizes along lines, then along columns.
pub(super) fn resize(image: Image, height: usize, width: usize) -> Image {
    let InputShape { height: old_height, width: old_width, channels } = image.shape;
    let shape = InputShape { height, width, channels };
    if (old_height, old_width) == (height, width) {
        return Image { region: None, ..image };
    }
    let across = triangles(old_width, width);
    let mut narrow = vec![0.0_f32; old_height * width * channels];
    for (line, out) in image.pixels.chunks_exact(old_width * channels).zip(narrow.chunks_exact_mut(width * channels)) {
        for (pixel, weights) in out.chunks_exact_mut(channels).zip(&across) {
            let inputs = line[weights.first * channels..].chunks_exact(channels);
            for (input, weight) in inputs.zip(&weights.values) {
                pixel.iter_mut().zip(input).for_each(|(sum, x)| *sum += weight * x);
            }
        }
    }
    let mut pixels = vec![0.0_f32; shape.values()];
    let stride = width * channels;
    for (out, weights) in pixels.chunks_exact_mut(stride).zip(&triangles(old_height, height)) {
        for (line, weight) in narrow[weights.first * stride..].chunks_exact(stride).zip(&weights.values) {
            out.iter_mut().zip(line).for_each(|(sum, x)| *sum += weight * x);
        }
    }
    Image { shape, pixels, region: None }
}

struct Weights {
    first: usize,
    values: Vec<f32>,
}

/// For each new pixel the old ones under a triangle about its centre, as wide as two new pixels but never narrower than two
/// old ones; weights sum to 1.
fn triangles(old: usize, new: usize) -> Vec<Weights> {
    let step = old as f64 / new as f64;
    let reach = step.max(1.0);
    (0..new)
        .map(|n| {
            let center = (n as f64 + 0.5) * step - 0.5;
            let first = (center - reach).ceil().max(0.0) as usize;
            let last = ((center + reach).floor() as usize).min(old - 1);
            let raw: Vec<f64> = (first..=last).map(|i| (1.0 - (i as f64 - center).abs() / reach).max(0.0)).collect();
            let sum: f64 = raw.iter().sum();
            Weights { first, values: raw.iter().map(|weight| (weight / sum) as f32).collect() }
        })
        .collect()
}
