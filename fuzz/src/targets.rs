//! What is fuzzed: each target takes any bytes and must return.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use gsfa::Model;
use gsfa::graph::{Ell, GraphInput, TrainingGraph};
use gsfa::labels::Labels;
use gsfa::moments::Moments;
use gsfa::samples::{Rows, Samples};
use gsfa_data::images::{ImageOptions, ImageSet};
use gsfa_data::npy::{NpyArray, NpzFile};
use gsfa_data::pixels::{Preparation, PreparedImages};
use gsfa_data::table::{CsvOptions, LabelSpec, Missing, Table, TableSpec};
use image::{DynamicImage, ImageFormat};
use ndarray::{Array2, array};
use sha2::{Digest, Sha256};

use crate::model;

/// A parser, inputs to start from, and words of its format.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
    pub tokens: &'static [&'static str],
}

pub const TARGETS: &[Target] = &[
    Target { name: "npy", run: npy, seeds: npy_seeds, tokens: NPY_TOKENS },
    Target { name: "npz", run: npz, seeds: npz_seeds, tokens: NPY_TOKENS },
    Target { name: "csv", run: csv, seeds: csv_seeds, tokens: CSV_TOKENS },
    Target { name: "model", run: sealed_model, seeds: model_seeds, tokens: MODEL_TOKENS },
    Target { name: "container", run: container, seeds: model::files, tokens: MODEL_TOKENS },
    Target { name: "moments", run: moments, seeds: moments_seeds, tokens: &[] },
    Target { name: "images", run: images, seeds: image_seeds, tokens: &["P5\n", "P6\n", "P2\n", "IHDR", "IDAT", "#"] },
];

const NPY_TOKENS: &[&str] = &[
    "\u{93}NUMPY",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (",
    "'descr'",
    "'fortran_order'",
    "'shape'",
    "True",
    "False",
    "|u1",
    "<f4",
    ">i8",
    "|O",
    "|b1",
    "<U4",
    "(",
    ")",
    ",",
    "'",
    "\"",
    "\\",
    "PK\u{3}\u{4}",
    ".npy",
];
const CSV_TOKENS: &[&str] =
    &["\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", "\u{feff}", "1,5", "nan", "?", " ", "é"];
const MODEL_TOKENS: &[&str] = &[
    "\"shape\":",
    "\"dtype\":\"F64\"",
    "\"data_offsets\":",
    "\\\"layers\\\":",
    "\\\"classes\\\":",
    "\\\"output_dim\\\":",
    "\\\"kind\\\":",
    "null",
    "true",
    "[",
    "]",
    "{",
    "}",
    "\\\"",
    "layer1.node1.gsfa.weights",
    "checksum",
    "F32",
    "U8",
    "\\\"pca\\\":",
    "\\\"field\\\":",
    "\\\"stride\\\":",
    "\\\"expansion\\\":",
];

/// A file of this process that is overwritten for each input; memory-backed where the system offers that.
fn file(name: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let folder = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    let folder = folder.join(format!("gsfa-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder.join(name)
}

fn read(source: &dyn Samples) {
    let (rows, dim) = (source.len().min(64), source.dim());
    if rows.checked_mul(dim).is_some_and(|numbers| numbers <= 1 << 16) {
        let _ = source.read_double(Rows::Range(0..rows), Array2::zeros((rows, dim)).view_mut());
        let _ = source.read_single(Rows::Range(0..rows), Array2::zeros((rows, dim)).view_mut());
    }
}

fn npy(input: &[u8]) {
    let path = file("x.npy");
    fs::write(&path, input).expect("a temporary file");
    if let Ok(array) = NpyArray::open(&path) {
        read(&array);
    }
}

fn npy_file(kind: &str, order: &str, shape: &str, bytes: usize) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend((0..bytes).map(|k| (k * 37) as u8));
    file
}

fn npy_seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![
        npy_file("<f8", "False", "(3, 2)", 48),
        npy_file("|u1", "True", "(2, 2, 3)", 12),
        npy_file(">i2", "False", "(2, 2, 2, 3)", 48),
        npy_file("|b1", "False", "(5,)", 5),
    ];
    // Version 2 has a longer length.
    let mut second = seeds[0].clone();
    (second[6], second[9]) = (2, 0);
    second.splice(10..10, [0, 0]);
    seeds.push(second);
    seeds
}

fn npz(input: &[u8]) {
    let path = file("x.npz");
    fs::write(&path, input).expect("a temporary file");
    let Ok(archive) = NpzFile::open(&path) else { return };
    let _ = archive.only().map(|array| read(&array));
    for name in archive.names().iter().take(4) {
        let _ = archive.array(name).map(|array| read(&array));
    }
}

/// An archive with one stored array; a sum that mutation breaks is an error like others.
fn npz_seeds() -> Vec<Vec<u8>> {
    let array = npy_file("<f4", "False", "(2, 3)", 24);
    let sum = array.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    });
    let (name, len) = (b"x.npy", (array.len() as u32).to_le_bytes());
    let common = [&[0; 4][..], &[0, 0, 0x21, 0], &(!sum).to_le_bytes(), &len, &len, &[5, 0, 0, 0]].concat();
    let mut file = [b"PK\x03\x04\x14\x00", &common[..], name, &array].concat();
    let start = (file.len() as u32).to_le_bytes();
    let entry = [b"PK\x01\x02\x14\x00\x14\x00", &common[..], &[0; 14], name].concat();
    let size = (entry.len() as u32).to_le_bytes();
    file.extend(entry);
    file.extend([b"PK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x00", &size[..], &start, &[0, 0]].concat());
    vec![file]
}

fn csv(input: &[u8]) {
    let Ok(table) = Table::parse_csv(input, "x.csv".as_ref(), &CsvOptions::default()) else { return };
    let names: Vec<String> = table.names().map(String::from).collect();
    for name in &names {
        let _ = (table.recognize(name), table.numbers(name), table.texts(name));
    }
    for missing in [Missing::Error, Missing::Drop, Missing::Impute, Missing::Keep] {
        let labels = names.last().map(LabelSpec::named).into_iter().collect();
        let _ = table.dataset(&TableSpec { labels, missing, missing_labels: missing, ..TableSpec::default() });
    }
    // What was read can be written, and reads back as the same table.
    let mut written = Vec::new();
    table.write_csv_to(&mut written).expect("memory");
    let again =
        Table::parse_csv(&written, "x.csv".as_ref(), &CsvOptions { delimiter: Some(','), ..CsvOptions::default() });
    let again = again.expect("what was written can be read");
    assert_eq!((again.len(), again.names().collect::<Vec<_>>()), (table.len(), table.names().collect::<Vec<_>>()));
}

fn csv_seeds() -> Vec<Vec<u8>> {
    let seeds = [
        "a,b,y\n1,2,x\n3,,z\n",
        "\u{feff}a;b;y\r\n1,5;2;x\r\n\r\n3;4;\"q\"\"q\"\r\n",
        "name\tvalue\n\"two\nlines\"\t1e5\n",
        "y\n1\n\n2\n",
        "0,1,2\n1,2,3\n",
    ];
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

fn sealed_model(input: &[u8]) {
    container(&model::seal(input));
}

fn container(input: &[u8]) {
    let Ok(model) = Model::from_bytes(input) else { return };
    let dim = model.network().spec.input.dim().unwrap_or(usize::MAX);
    if dim <= 64 {
        let samples = Array2::from_shape_fn((3, dim), |(n, i)| (n * 3 + i) as f64);
        let _ = (model.features(&samples.view()), model.estimate(&samples.view()));
    }
    let bytes = model.to_bytes().expect("what was read can be written");
    assert_eq!(Model::from_bytes(&bytes).expect("what was written can be read").to_bytes().expect("again"), bytes);
}

fn model_seeds() -> Vec<Vec<u8>> {
    model::files().iter().map(|file| model::open(file)).collect()
}

fn graph() -> TrainingGraph {
    let labels = Labels::numbers("age", vec![1.0, 2.0, 4.0, 7.0, 11.0, 16.0]);
    Ell::default().build(&GraphInput::new(&labels)).expect("a graph")
}

/// Sums without their checksum, which is put where it belongs.
fn moments(input: &[u8]) {
    let graph = graph();
    let sealed = [input, &Sha256::digest(input)].concat();
    let Ok(sums) = Moments::<f64>::from_bytes(&graph, &sealed) else { return };
    let mut rest = Moments::new(&graph, 2);
    let _ = rest.add(4, array![[1.0, 2.0], [0.0, -1.0]].view()).and_then(|()| rest.merge(sums.clone()));
    let _ = (rest.finish(), sums.finish());
}

fn moments_seeds() -> Vec<Vec<u8>> {
    let graph = graph();
    let mut sums = Moments::<f64>::new(&graph, 2);
    sums.add(0, array![[1.0, 0.0], [2.0, 1.0], [0.5, 0.5], [3.0, 2.0]].view()).expect("sums");
    let some = sums.to_bytes().expect("bytes");
    sums.add(4, array![[1.0, 1.0], [0.0, 1.0]].view()).expect("sums");
    let all = [some, sums.to_bytes().expect("bytes"), Moments::<f64>::new(&graph, 2).to_bytes().expect("bytes")];
    all.iter().map(|bytes| bytes[..bytes.len() - 32].to_vec()).collect()
}

fn images(input: &[u8]) {
    let path = file("images/x.png");
    let folder = path.parent().expect("a folder");
    fs::create_dir_all(folder).and_then(|()| fs::write(&path, input)).expect("a temporary file");
    let options = ImageOptions { skip_bad: 0, max_pixels: 1 << 14 };
    let Ok(set) = ImageSet::open(folder, &options) else { return };
    if let Ok(prepared) = PreparedImages::new(set, Preparation::default()) {
        read(&prepared);
    }
}

fn image_seeds() -> Vec<Vec<u8>> {
    let grey = DynamicImage::ImageLuma8(image::GrayImage::from_fn(5, 4, |x, y| image::Luma([(x * 40 + y * 9) as u8])));
    let color =
        DynamicImage::ImageRgb8(image::RgbImage::from_fn(4, 4, |x, y| image::Rgb([x as u8 * 60, y as u8 * 50, 9])));
    let mut seeds = Vec::new();
    for picture in [grey, color] {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Pnm, ImageFormat::Bmp] {
            let mut bytes = Cursor::new(Vec::new());
            picture.write_to(&mut bytes, format).expect("an image");
            seeds.push(bytes.into_inner());
        }
    }
    seeds
}
