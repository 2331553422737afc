//! One node of the paper's network: 10,800 samples of 160 inputs, ELL-40 and serial, 40 outputs.
//!
//! The same work in NumPy: `numpy_reference.py node`.
#![allow(missing_docs)]

#[path = "../examples/by_hand/mod.rs"]
mod by_hand;

use criterion::{Criterion, criterion_group, criterion_main};
use gsfa::Gsfa;
use gsfa::moments::Moments;

fn node(c: &mut Criterion) {
    let (n, groups) = (10_800, 60);
    let group: Vec<u32> = (0..n).map(|i| (i * groups / n) as u32).collect();
    let mut x = by_hand::noise(n, 160, 1);
    x.outer_iter_mut().zip(&group).for_each(|(mut row, &g)| row += 0.1 * (f64::from(g) / 10.0 - 3.0));
    let single = x.mapv(|x| x as f32);
    let ell = by_hand::ell(&group, groups, 40);
    let serial = by_hand::serial(&group, groups);
    let gsfa = Gsfa::new(40);
    let mut bench = c.benchmark_group("node 10800x160");
    bench.sample_size(20);
    for (name, graph) in [("ELL-40", &ell), ("serial", &serial)] {
        bench.bench_function(format!("{name} f64"), |b| b.iter(|| gsfa.fit(&x.view(), graph)));
        bench.bench_function(format!("{name} f32"), |b| b.iter(|| gsfa.fit(&single.view(), graph)));
        bench.bench_function(format!("{name} f64 sums"), |b| b.iter(|| Moments::<f64>::of(&x.view(), graph)));
    }
    bench.finish();
}

criterion_group!(benches, node);
criterion_main!(benches);
