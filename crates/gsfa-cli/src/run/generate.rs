//! `gsfa generate`: images to try things out.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use gsfa_generate::{FaceSet, FacesSpec, SignSet, SignsSpec, contact_sheet};
use ndarray::{Array2, Axis};
use serde_json::json;

use crate::args::{Drawing, GenerateArgs};
use crate::error::{Error, ErrorCode, Result};
use crate::interrupt;
use crate::present::{Printer, check_folder};

pub fn run(args: &GenerateArgs, printer: &Printer) -> Result {
    let folder = &args.output;
    if folder.symlink_metadata().is_ok() {
        return Err(Error::usage(ErrorCode::FolderExists, format!("{} exists already", folder.display()))
            .hint("choose another folder"));
    }
    check_folder(folder)?;
    let (train, test) = match args.what {
        Drawing::Faces => faces(args, folder)?,
        Drawing::Signs => signs(args, folder)?,
    };
    let text = format!("{train} training and {test} test images in {}\n", folder.display());
    printer.result("generate", &[("folder", Some(folder))], json!({"train": train, "test": test}), &text)
}

fn faces(args: &GenerateArgs, folder: &Path) -> Result<(usize, usize)> {
    let train_per_gender = (args.count / 60).max(1);
    let spec = FacesSpec { seed: args.seed, train_per_gender, test_per_gender: train_per_gender.div_ceil(4) };
    let faces = spec.generate();
    let write = |name: &str, set: &FaceSet| {
        let mut table = String::from("file,gender,color,age\n");
        for n in 0..set.len() {
            let _ = writeln!(table, "{n:05}.pgm,{:.1},{:.5},{:.4}", set.gender[n], set.color[n], set.age[n]);
        }
        write_set(&folder.join(name), &set.images, (64, 64, 1), &table)
    };
    write("train", &faces.train)?;
    write("test", &faces.test)?;
    if args.contact_sheet {
        write_sheet(folder, &faces.train.images, 64)?;
    }
    Ok((faces.train.len(), faces.test.len()))
}

fn signs(args: &GenerateArgs, folder: &Path) -> Result<(usize, usize)> {
    let train_tracks = (args.count / (32 * 5)).max(1);
    let spec = SignsSpec { seed: args.seed, train_tracks, test_tracks: train_tracks.div_ceil(4), frames: 5 };
    let signs = spec.generate();
    let write = |name: &str, set: &SignSet| {
        let mut table = String::from("file,class,track\n");
        for n in 0..set.len() {
            let _ = writeln!(table, "{n:05}.ppm,{},{}", set.class[n], set.track[n]);
        }
        write_set(&folder.join(name), &set.images, (48, 48, 3), &table)
    };
    write("train", &signs.train)?;
    write("test", &signs.test)?;
    if args.contact_sheet {
        write_sheet(folder, &signs.train.images, 48)?;
    }
    Ok((signs.train.len(), signs.test.len()))
}

/// Images and their labels.
fn write_set(folder: &Path, images: &Array2<u8>, (h, w, channels): (usize, usize, usize), table: &str) -> Result {
    fs::create_dir_all(folder).map_err(|error| Error::io("make", folder, &error))?;
    for (n, image) in images.outer_iter().enumerate() {
        interrupt::check()?;
        write_image(folder, &format!("{n:05}"), (h, w, channels), image.iter())?;
    }
    let path = folder.join("labels.csv");
    fs::write(&path, table).map_err(|error| Error::io("write", &path, &error))
}

/// Images on a contact sheet, 16 in a line, and lines.
const SHEET: (usize, usize) = (16, 12);

/// A sample of the images, evenly spaced, as one picture.
fn write_sheet(folder: &Path, images: &Array2<u8>, side: usize) -> Result {
    let count = images.nrows().min(SHEET.0 * SHEET.1);
    let chosen: Vec<usize> = (0..count).map(|k| k * images.nrows() / count).collect();
    match contact_sheet(images.select(Axis(0), &chosen).view(), side, SHEET.0) {
        Some(sheet) => {
            let shape = (sheet.height, sheet.width, sheet.channels);
            write_image(folder, "contact-sheet", shape, sheet.pixels.iter())
        }
        None => Ok(()),
    }
}

/// A portable grey map or pixmap: a line of text before the bytes, which every image program reads.
fn write_image<'a>(
    folder: &Path,
    name: &str,
    (height, width, channels): (usize, usize, usize),
    pixels: impl Iterator<Item = &'a u8>,
) -> Result {
    let (kind, extension) = if channels == 1 { ("P5", "pgm") } else { ("P6", "ppm") };
    let path = folder.join(format!("{name}.{extension}"));
    let mut bytes = format!("{kind}\n{width} {height}\n255\n").into_bytes();
    bytes.extend(pixels);
    fs::write(&path, bytes).map_err(|error| Error::io("write", &path, &error))
}
