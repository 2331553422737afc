//! One node of the paper's network: 10,800 samples of 160 inputs, 40 features, ELL-40 and serial. Prints the seconds of
//! each of five fits.
//!
//! `cargo run --release --example one_node`; the same work in NumPy: `bench/numpy_reference.py node`.
#![allow(clippy::print_stdout)]

mod by_hand;

use std::time::Instant;

use gsfa::Gsfa;
use gsfa::moments::Moments;
use gsfa::samples::Samples;

fn main() -> Result<(), gsfa::Error> {
    let (n, groups) = (10_800, 60);
    let group: Vec<u32> = (0..n).map(|i| (i * groups / n) as u32).collect();
    let mut x = by_hand::noise(n, 160, 1);
    x.outer_iter_mut().zip(&group).for_each(|(mut row, &g)| row += 0.1 * (f64::from(g) / 10.0 - 3.0));
    let single = x.mapv(|x| x as f32);
    let (x, single) = (x.view(), single.view());
    let graphs = [("ELL-40", by_hand::ell(&group, groups, 40)), ("serial", by_hand::serial(&group, groups))];
    for _ in 0..5 {
        // The covariance and the sums of groups alone, beside the bare product of the reference.
        let begin = Instant::now();
        Moments::<f64>::of(&x, &graphs[0].1)?;
        println!("sums f64\t{:.5}", begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        Moments::<f32>::of(&single, &graphs[0].1)?;
        println!("sums f32\t{:.5}", begin.elapsed().as_secs_f64());
        for (name, graph) in &graphs {
            for (precision, samples) in [("f64", &x as &dyn Samples), ("f32", &single as &dyn Samples)] {
                let begin = Instant::now();
                Gsfa::new(40).fit(samples, graph)?;
                println!("node {name} {precision}\t{:.5}", begin.elapsed().as_secs_f64());
            }
        }
    }
    println!("peak\t{} MB", by_hand::peak_memory());
    Ok(())
}
