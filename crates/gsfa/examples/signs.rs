//! The size of the paper's experiment with traffic signs: colour images of 48×48 pixels in bytes, 120 principal
//! components, their 7,380 products, 31 features. Prints seconds, and memory as planned and as it was.
//!
//! `cargo run --release --example signs [images, 20,000 if left out] [clustered|compact]`; the paper has 69,120.
#![allow(clippy::print_stdout)]

mod by_hand;

use std::time::Instant;

use gsfa::graph::{Clustered, Compact, GraphInput, GraphSpec};
use gsfa::labels::Labels;
use gsfa::network::{InputShape, NetworkSpec};
use gsfa::samples::Precision;
use ndarray::{Array2, Axis, s};

fn main() -> Result<(), gsfa::Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: usize = arguments.first().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let class: Vec<String> = (0..count).map(|n| format!("{:02}", n * 7919 % 32)).collect();
    let images = images(count);
    let labels = Labels::classes("sign", class);
    let compact = arguments.get(1).is_some_and(|name| name == "compact");
    let graph: GraphSpec = if compact { Compact::default().into() } else { Clustered::default().into() };
    let graph = graph.build(&GraphInput::new(&labels))?;
    let spec = NetworkSpec::quadratic(InputShape { channels: 3, ..InputShape::grey(48, 48) }, 120, 31);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("planned\t{} MB", spec.plan()?.training_bytes(count, Precision::Single, threads) >> 20);
    let before = by_hand::memory("VmRSS");
    println!("images\t{before} MB");
    let start = Instant::now();
    let trained = spec.fit(&images.view(), &graph)?;
    println!("train\t{:.2}", start.elapsed().as_secs_f64());
    println!("beyond the images\t{} MB", by_hand::peak_memory() - before);
    println!("peak\t{} MB", by_hand::peak_memory());
    println!("first delta value\t{:.4}", graph.delta_values(trained.features.slice(s![.., ..1]))?[0]);
    Ok(())
}

/// Mixtures of 200 pictures, ever fainter as the principal components of real images are, and noise, in bytes.
fn images(count: usize) -> Array2<u8> {
    const PIXELS: usize = 48 * 48 * 3;
    let mut pictures = by_hand::noise(200, PIXELS, 1).mapv(|x| x as f32);
    for (k, mut picture) in pictures.outer_iter_mut().enumerate() {
        picture *= 40.0 / (k as f32 + 1.0).powf(0.8);
    }
    let mut images = Array2::zeros((count, PIXELS));
    for (k, mut block) in images.axis_chunks_iter_mut(Axis(0), 1024).enumerate() {
        let shares = by_hand::noise(block.nrows(), 200, 2 + k as u64).mapv(|x| x as f32);
        let mut mixed = shares.dot(&pictures);
        mixed.zip_mut_with(&by_hand::noise(block.nrows(), PIXELS, 1_000_000 + k as u64), |x, n| *x += 8.0 * *n as f32);
        block.zip_mut_with(&mixed, |o, x| *o = (128.0 + x).clamp(0.0, 255.0) as u8);
    }
    images
}
