//! Streams 100,000 to 1,000,000 samples of 200 inputs through an ELL-40 node: time grows in proportion, memory does not.
//!
//! `cargo run --release --example growth`
#![allow(clippy::print_stdout)]

mod by_hand;

use std::time::Instant;

use gsfa::Gsfa;
use gsfa::moments::Moments;
use ndarray::Array2;

fn main() -> Result<(), gsfa::Error> {
    let chunk = by_hand::noise(10_000, 200, 1);
    warm_up(&chunk)?;
    let mut last: Option<(f64, f64)> = None;
    for samples in [100_000, 200_000, 400_000, 1_000_000] {
        let group: Vec<u32> = (0..samples).map(|i| (i * 7919 % 60) as u32).collect();
        let graph = by_hand::ell(&group, 60, 40);
        let begin = Instant::now();
        let mut moments = Moments::new(&graph, 200);
        for first in (0..samples).step_by(chunk.nrows()) {
            moments.add(first, chunk.view())?;
        }
        let slow = Gsfa::new(40).solve(&moments.finish()?)?;
        let seconds = begin.elapsed().as_secs_f64();
        let slope =
            last.map_or(String::from("-"), |(n, t)| format!("{:.3}", (seconds / t).ln() / (samples as f64 / n).ln()));
        println!(
            "N {samples}\t{seconds:.3}\tslope {slope}\tpeak {} MB\t{} features",
            by_hand::peak_memory(),
            slow.output_dim()
        );
        last = Some((samples as f64, seconds));
    }
    Ok(())
}

/// Threads start and memory is touched before anything is timed.
fn warm_up(chunk: &Array2<f64>) -> Result<(), gsfa::Error> {
    let graph = by_hand::ell(&(0..chunk.nrows()).map(|i| (i % 60) as u32).collect::<Vec<_>>(), 60, 40);
    for _ in 0..10 {
        Gsfa::new(40).fit(&chunk.view(), &graph)?;
    }
    Ok(())
}
