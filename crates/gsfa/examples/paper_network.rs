//! The paper's eight-layer network on 10,800 images of 64×64 pixels made of noise and a weak label, ELL-40 and serial:
//! seconds of training, which gives the features of these images, of applying it to 1,200 more, and to all 12,000.
//!
//! `cargo run --release --example paper_network [images per label value, 180 if left out]`

mod by_hand;

use std::time::Instant;

use gsfa::graph::{Ell, GraphInput, GraphSpec, Serial, TrainingGraph};
use gsfa::labels::Labels;
use gsfa::model::{Model, Training};
use gsfa::network::{Network, NetworkSpec};
use gsfa::samples::Precision;
use ndarray::{Array2, ArrayView2, s};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let per_value: usize = std::env::args().nth(1).map_or(Ok(180), |count| count.parse())?;
    let train: Vec<f64> = (0..60 * per_value).map(|n| (n / per_value) as f64 / 10.0 - 3.0).collect();
    let test: Vec<f64> = (0..60 * per_value / 9).map(|n| (n * 9 / per_value) as f64 / 10.0 - 3.0).collect();
    let images = images(&[train.clone(), test].concat());
    let training_images = images.slice(s![..train.len(), ..]);
    let labels = Labels::numbers("label", train);
    let spec = NetworkSpec::paper_64();
    println!("{}", spec.plan()?);
    let graphs: [(&str, GraphSpec); 2] = [
        ("ELL-40", Ell { targets: Some(40), ..Ell::default() }.into()),
        ("serial", Serial { groups: 60, label: None }.into()),
    ];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (name, graph) in graphs {
        let graph = graph.build(&GraphInput::new(&labels))?;
        let before = by_hand::memory("VmRSS");
        let start = Instant::now();
        let trained = spec.fit(&training_images, &graph)?;
        println!("{name} train\t{:.3}", start.elapsed().as_secs_f64());
        let planned = spec.plan()?.training_bytes(training_images.nrows(), Precision::Single, threads) >> 20;
        println!("{name} memory beyond the images\t{} MB", by_hand::peak_memory() - before);
        println!("planned\t{planned} MB");
        // Features of the training images came with training; these are the other ones.
        let start = Instant::now();
        trained.network.apply(&images.slice(s![training_images.nrows().., ..]))?;
        println!("{name} rest\t{:.3}", start.elapsed().as_secs_f64());
        let start = Instant::now();
        let features = trained.network.apply(&images.view())?;
        println!("{name} apply\t{:.3}", start.elapsed().as_secs_f64());
        let delta = graph.delta_values(features.slice(s![..training_images.nrows(), ..1]))?[0];
        println!("{name} delta 1\t{delta:.4}");
        let images_of = |count: usize| images.slice(s![..count.min(images.nrows()), ..]);
        if name == "ELL-40" {
            let start = Instant::now();
            trained.network.apply(&images_of(10_000))?;
            println!("apply to 10,000\t{:.4}", start.elapsed().as_secs_f64());
            load(&trained.network, &labels, &graph)?;
            per_image(&trained.network, images.slice(s![..images.nrows().min(1000), ..]))?;
        }
    }
    println!("peak\t{} MB", by_hand::peak_memory());
    Ok(())
}

/// Seconds of reading a model file that is in memory already.
fn load(network: &Network, labels: &Labels, graph: &TrainingGraph) -> Result<(), Box<dyn std::error::Error>> {
    let bytes = Model::new(network.clone(), Vec::new(), &Training { labels, spec: None, graph })?.to_bytes()?;
    let start = Instant::now();
    Model::from_bytes(&bytes)?;
    println!("load\t{:.4}", start.elapsed().as_secs_f64());
    println!("load size\t{:.1} MB", bytes.len() as f64 / 1e6);
    Ok(())
}

/// Microseconds per image, a thousand at once and one at a time.
fn per_image(network: &Network, images: ArrayView2<'_, f32>) -> Result<(), Box<dyn std::error::Error>> {
    let ready = network.ready(Precision::Single)?;
    let start = Instant::now();
    let together = ready.apply(&images)?;
    println!("per image in batches of 1000\t{:.1} us", start.elapsed().as_secs_f64() * 1e6 / images.nrows() as f64);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let start = Instant::now();
    alone.install(|| ready.apply(&images))?;
    let each = start.elapsed().as_secs_f64() * 1e6 / images.nrows() as f64;
    println!("per image in batches of 1000 on one thread\t{each:.1} us");
    let start = Instant::now();
    let mut same = true;
    for n in 0..images.nrows() {
        same &= ready.apply(&images.slice(s![n..n + 1, ..]))?.row(0) == together.row(n);
    }
    println!("per image in batches of 1\t{:.1} us", start.elapsed().as_secs_f64() * 1e6 / images.nrows() as f64);
    println!("same bits\t{same}");
    Ok(())
}

/// Twenty random pictures in random mixtures, a tenth of the label in each, and noise.
fn images(labels: &[f64]) -> Array2<f32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut normal = || -> f32 { rng.sample(StandardNormal) };
    let pictures = Array2::from_shape_fn((20, 4096), |_| normal());
    let mixtures = Array2::from_shape_fn((labels.len(), 20), |(n, _)| normal() + 0.1 * labels[n] as f32);
    let mut images = mixtures.dot(&pictures);
    images.mapv_inplace(|x| x + 0.3 * normal());
    images
}
