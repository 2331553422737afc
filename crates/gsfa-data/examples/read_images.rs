//! What reading a folder of small images costs beside decoding them.
//!
//! `cargo run --release -p gsfa-data --example read_images -- 40000` writes so many PNG images of 32×32 pixels into a
//! temporary folder, then decodes all of them with the `image` crate alone, and reads them as rows of numbers with ours, in turn.
//! Times are those of all processors together where the system tells (Linux), so that other programs do not matter.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Instant;

use gsfa::samples::{Rows, Samples};
use gsfa_data::images::{ImageOptions, ImageSet};
use gsfa_data::pixels::{Preparation, PreparedImages};
use image::{Rgb, RgbImage};
use ndarray::Array2;
use rayon::prelude::*;

const SIDE: u32 = 32;
const CHUNK: usize = 1024;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = std::env::args().nth(1).map_or(Ok(2000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let paths: Vec<PathBuf> = (0..count).map(|n| folder.path().join(format!("{n:06}.png"))).collect();
    paths.par_iter().enumerate().try_for_each(|(n, path)| {
        let shade = |x: u32, y: u32, c: u32| (x * (3 + c) + y * 5 + (x * y + n as u32 * 7) % 31) as u8;
        RgbImage::from_fn(SIDE, SIDE, |x, y| Rgb([0, 1, 2].map(|c| shade(x, y, c)))).save(path)
    })?;
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..3 {
        let start = seconds();
        let decoded: usize = paths
            .par_iter()
            .map(|path| image::load_from_memory(&std::fs::read(path)?).map(|image| image.into_rgb8().len()))
            .sum::<Result<usize, _>>()?;
        times[0].push(seconds() - start);
        assert_eq!(decoded, count * (3 * SIDE * SIDE) as usize);

        let start = seconds();
        let set = ImageSet::open(folder.path(), &ImageOptions::default())?;
        times[1].push(seconds() - start);
        let rows = PreparedImages::new(set, Preparation::default())?;
        let mut chunk = Array2::<f32>::zeros((CHUNK, rows.dim()));
        let start = seconds();
        for from in (0..count).step_by(CHUNK) {
            let to = (from + CHUNK).min(count);
            rows.read_single(Rows::Range(from..to), chunk.slice_mut(ndarray::s![..to - from, ..]))?;
        }
        times[2].push(seconds() - start);
    }
    let [decode, open, read] = times.map(|times| times.into_iter().fold(f64::INFINITY, f64::min));
    let share = |time: f64| 100.0 * time / decode;
    println!("{count} images of {SIDE}x{SIDE}, best of 3, {} threads", rayon::current_num_threads());
    println!("decoding alone   {decode:.3} s");
    println!("finding, headers {open:.3} s, {:.0} % of that", share(open));
    println!("reading as f32   {read:.3} s, {:.0} % of that", share(read));
    Ok(())
}

/// Seconds of processor time of this program, or else of the clock.
fn seconds() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    // Behind the name in brackets: the state, ten numbers, then hundredths of a second in the program and in the system.
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let numbers = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<f64>> = numbers.map(|text| text.parse().ok()).collect();
    match ticks.as_deref() {
        Some([user, system]) => (user + system) / 100.0,
        _ => START.elapsed().as_secs_f64(),
    }
}
