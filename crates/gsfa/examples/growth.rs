//! How time grows: over samples (streamed, so that memory does not), inputs, target labels, or the side of images.
//!
//! `cargo run --release --example growth [samples|inputs|labels|images]`; prints a size, a tab and seconds, and
//! the peak of memory so far.
#![allow(clippy::print_stdout)]

mod by_hand;

use std::time::Instant;

use gsfa::Gsfa;
use gsfa::expansion::Expansion;
use gsfa::graph::{Ell, GraphInput, GraphSpec};
use gsfa::labels::Labels;
use gsfa::moments::Moments;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, PcaSpec};
use ndarray::Array2;

/// Samples are passed in chunks of this many.
const CHUNK: usize = 10_000;

fn main() -> Result<(), gsfa::Error> {
    let what = std::env::args().nth(1).unwrap_or_else(|| "samples".into());
    // Threads start and memory is touched before anything is timed.
    streamed(10 * CHUNK, &by_hand::noise(CHUNK, 200, 1), 40)?;
    match what.as_str() {
        "samples" => {
            let chunk = by_hand::noise(CHUNK, 200, 1);
            for samples in [100_000, 200_000, 400_000, 1_000_000] {
                show(samples, streamed(samples, &chunk, 40)?);
            }
        }
        "inputs" => {
            for inputs in [50, 100, 200, 400, 800, 1600, 3200] {
                let chunk = by_hand::noise(CHUNK, inputs, 1);
                show(inputs, streamed(20_000, &chunk, 40)?);
            }
        }
        "labels" => {
            let chunk = by_hand::noise(CHUNK, 200, 1);
            for labels in [1, 5, 10, 20, 40, 80, 160] {
                show(labels, streamed(100_000, &chunk, labels)?);
            }
        }
        "images" => {
            for side in [16, 32, 64, 128] {
                show(side * side, images(1200, side)?);
            }
        }
        other => println!("{other}: name one of samples, inputs, labels, images"),
    }
    Ok(())
}

fn show(size: usize, seconds: f64) {
    println!("{size}\t{seconds:.4}\npeak {size}\t{} MB", by_hand::peak_memory());
}

/// Seconds of an ELL node on the same chunk again and again; 200 label values.
fn streamed(samples: usize, chunk: &Array2<f64>, labels: usize) -> Result<f64, gsfa::Error> {
    let group: Vec<u32> = (0..samples).map(|i| (i * 7919 % 200) as u32).collect();
    let graph = by_hand::ell(&group, 200, labels);
    let begin = Instant::now();
    let mut moments = Moments::new(&graph, chunk.ncols());
    for first in (0..samples).step_by(chunk.nrows()) {
        moments.add(first, chunk.view())?;
    }
    Gsfa::new(labels.min(40).min(chunk.ncols())).solve(&moments.finish()?)?;
    Ok(begin.elapsed().as_secs_f64())
}

/// Seconds of training a network like the paper's on images of any size: 8×8 pixels per node of the first layer, then
/// pairs of nodes, one below and one beside the other in turn.
fn images(count: usize, side: usize) -> Result<f64, gsfa::Error> {
    let node = |field, output_dim| LayerSpec { field, expansion: Expansion::EXPO_08, ..LayerSpec::new(output_dim) };
    let mut layers = vec![LayerSpec { pca: Some(PcaSpec::components(50)), ..node(Some([8, 8]), 40) }];
    let halvings = (side / 8).ilog2();
    layers.extend((0..2 * halvings).map(|k| node(Some(if k % 2 == 0 { [2, 1] } else { [1, 2] }), 40)));
    layers.push(node(None, 6));
    let spec = NetworkSpec::new(InputShape::grey(side, side), layers);
    let label: Vec<f64> = (0..count).map(|n| (n % 60) as f64).collect();
    let images = by_hand::noise(count, side * side, 2).mapv(|x| x as f32);
    let labels = Labels::numbers("label", label);
    let graph: GraphSpec = Ell { targets: Some(40), ..Ell::default() }.into();
    let graph = graph.build(&GraphInput::new(&labels))?;
    let begin = Instant::now();
    spec.fit(&images.view(), &graph)?;
    Ok(begin.elapsed().as_secs_f64())
}
