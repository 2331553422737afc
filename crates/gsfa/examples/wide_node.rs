//! One wide node: 7,380 inputs, 20,000 samples, 31 labels of 32 classes. Prints seconds and peak memory.
//!
//! `cargo run --release --example wide_node [inputs] [samples] [f32]`; the same work in NumPy: `numpy_reference.py wide`.
#![allow(clippy::print_stdout)]

mod by_hand;

use std::time::Instant;

use gsfa::Gsfa;
use gsfa::moments::Moments;

fn main() -> Result<(), gsfa::Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, default: usize| arguments.get(k).and_then(|a| a.parse().ok()).unwrap_or(default);
    let (inputs, samples) = (number(0, 7380), number(1, 20_000));
    let class: Vec<u32> = (0..samples).map(|i| (i * 7919 % 32) as u32).collect();
    let graph = by_hand::ell(&class, 32, 31);
    let x = by_hand::noise(samples, inputs, 1);
    let seconds = |start: Instant| start.elapsed().as_secs_f64();
    let single = arguments.iter().any(|a| a == "f32").then(|| x.mapv(|x| x as f32));
    let begin = Instant::now();
    let sums = match &single {
        Some(x) => Moments::<f32>::of(&x.view(), &graph)?.finish()?,
        None => Moments::<f64>::of(&x.view(), &graph)?.finish()?,
    };
    println!("sums\t{:.3}", seconds(begin));
    let slow = Gsfa::new(31).solve(&sums)?;
    println!("node\t{:.3}\t{} features, first delta {:.4}", seconds(begin), slow.output_dim(), slow.delta_values[0]);
    println!("peak\t{} MB", by_hand::peak_memory());
    Ok(())
}
