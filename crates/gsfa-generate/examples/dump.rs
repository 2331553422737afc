//! Writes generated faces or signs as raw bytes and CSV, to be measured or looked at with other tools.
//!
//! ```text
//! cargo run --release -p gsfa-generate --example dump -- faces DIR [per gender, training] [per gender, test]
//! cargo run --release -p gsfa-generate --example dump -- signs DIR [training tracks] [test tracks]
//! ```

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

use gsfa_generate::{FaceSet, FacesSpec, SignSet, SignsSpec};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |i: usize, default| arguments.get(i).and_then(|text| text.parse().ok()).unwrap_or(default);
    let directory = Path::new(arguments.get(1).map_or(".", String::as_str));
    fs::create_dir_all(directory)?;
    if arguments.first().is_some_and(|kind| kind == "signs") {
        let default = SignsSpec::default();
        let spec = SignsSpec {
            train_tracks: number(2, default.train_tracks),
            test_tracks: number(3, default.test_tracks),
            ..default
        };
        let signs = spec.generate();
        write_signs(directory, "train", &signs.train)?;
        write_signs(directory, "test", &signs.test)
    } else {
        let default = FacesSpec::default();
        let spec = FacesSpec {
            train_per_gender: number(2, default.train_per_gender),
            test_per_gender: number(3, default.test_per_gender),
            ..default
        };
        let faces = spec.generate();
        write_faces(directory, "train", &faces.train)?;
        write_faces(directory, "test", &faces.test)
    }
}

fn write_faces(directory: &Path, name: &str, faces: &FaceSet) -> io::Result<()> {
    let mut table = String::from("gender,color,age,race1,race2,race3\n");
    for n in 0..faces.len() {
        let (gender, color, age, race) = (faces.gender[n], faces.color[n], faces.age[n], faces.race.row(n));
        let _ = writeln!(table, "{gender:.1},{color:.5},{age:.4},{:.6},{:.6},{:.6}", race[0], race[1], race[2]);
    }
    fs::write(directory.join(format!("faces_{name}.csv")), table)?;
    fs::write(directory.join(format!("faces_{name}.u8")), faces.images.as_slice().unwrap_or_default())
}

fn write_signs(directory: &Path, name: &str, signs: &SignSet) -> io::Result<()> {
    let mut table = String::from("class,track,frame\n");
    for n in 0..signs.len() {
        let _ = writeln!(table, "{},{},{}", signs.class[n], signs.track[n], signs.frame[n]);
    }
    fs::write(directory.join(format!("signs_{name}.csv")), table)?;
    fs::write(directory.join(format!("signs_{name}.u8")), signs.images.as_slice().unwrap_or_default())
}
