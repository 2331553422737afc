//! `gsfa generate`: images to try things out.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use gsfa_generate::{FaceSet, FacesSpec, SignSet, SignsSpec};
use ndarray::Array2;
use serde_json::json;

use crate::args::{Drawing, GenerateArgs};
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::talk::Talk;

pub fn run(args: &GenerateArgs, talk: &Talk) -> Outcome {
    let folder = &args.output;
    if folder.symlink_metadata().is_ok() {
        return Err(Failure::usage(format!("{} exists already", folder.display())).hint("choose another folder"));
    }
    let (train, test) = match args.what {
        Drawing::Faces => faces(args, folder)?,
        Drawing::Signs => signs(args, folder)?,
    };
    let text = format!("{train} training and {test} test images in {}\n", folder.display());
    talk.result("generate", json!({"folder": folder, "train": train, "test": test}), &text)
}

fn faces(args: &GenerateArgs, folder: &Path) -> Outcome<(usize, usize)> {
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
    Ok((faces.train.len(), faces.test.len()))
}

fn signs(args: &GenerateArgs, folder: &Path) -> Outcome<(usize, usize)> {
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
    Ok((signs.train.len(), signs.test.len()))
}

/// Portable grey maps or pixmaps: a line of text before the bytes, which every image program reads.
fn write_set(folder: &Path, images: &Array2<u8>, (h, w, channels): (usize, usize, usize), table: &str) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
    let (kind, extension) = if channels == 1 { ("P5", "pgm") } else { ("P6", "ppm") };
    for (n, image) in images.outer_iter().enumerate() {
        interrupt::check()?;
        let path = folder.join(format!("{n:05}.{extension}"));
        let mut bytes = format!("{kind}\n{w} {h}\n255\n").into_bytes();
        bytes.extend(image.iter());
        fs::write(&path, bytes).map_err(|error| Failure::io("write", &path, &error))?;
    }
    let path = folder.join("labels.csv");
    fs::write(&path, table).map_err(|error| Failure::io("write", &path, &error))
}
