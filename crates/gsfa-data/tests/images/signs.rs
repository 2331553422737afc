//! The folder layout of the traffic signs.

use std::fs;
use std::path::Path;

use gsfa::labels::LabelValues;
use gsfa::samples::{InputShape, Samples};
use gsfa_data::gtsrb::{Gtsrb, Part};
use gsfa_data::images::ImageOptions;
use gsfa_data::pixels::{Preparation, PreparedImages, Region};
use tempfile::{TempDir, tempdir};

use crate::ppm;

fn sign_folder() -> TempDir {
    let folder = tempdir().unwrap();
    let head = "Filename;Width;Height;Roi.X1;Roi.Y1;Roi.X2;Roi.Y2;ClassId\n";
    for class in [0_u32, 14] {
        let base = folder.path().join(format!("GTSRB/Final_Training/Images/{class:05}"));
        let mut table = head.to_string();
        for track in 0..2_u32 {
            for frame in 0..3_u32 {
                let name = format!("{track:05}_{frame:05}.ppm");
                let (width, height) = (20 + frame, 22 + frame);
                ppm(&base.join(&name), width, height, 10 * class + frame);
                table.push_str(&format!("{name};{width};{height};3;4;{};{};{class}\n", width - 4, height - 5));
            }
        }
        fs::write(base.join(format!("GT-{class:05}.csv")), table.replace('\n', "\r\n")).unwrap();
    }
    let base = folder.path().join("GTSRB/Final_Test/Images");
    ppm(&base.join("00000.ppm"), 30, 30, 1);
    ppm(&base.join("00001.ppm"), 25, 25, 2);
    fs::write(
        base.join("GT-final_test.csv"),
        format!("{head}00000.ppm;30;30;2;2;27;27;14\n00001.ppm;25;25;1;1;23;23;0\n"),
    )
    .unwrap();
    folder
}

#[test]
fn the_official_layout_gives_classes_regions_and_tracks() {
    let folder = sign_folder();
    let train = Gtsrb::open(folder.path(), Part::Training, &ImageOptions::default()).unwrap();
    assert_eq!(train.classes, [0, 0, 0, 0, 0, 0, 14, 14, 14, 14, 14, 14]);
    assert_eq!(train.tracks.as_deref().unwrap(), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
    assert_eq!(train.images.files()[1].region, Some(Region { left: 3, top: 4, right: 17, bottom: 18 }));
    assert_eq!(train.images.files()[1].name, "00000/00000_00001.ppm");
    let test = Gtsrb::open(folder.path().join("GTSRB"), Part::Test, &ImageOptions::default()).unwrap();
    assert_eq!((test.classes.as_slice(), test.tracks.is_none()), (&[14, 0][..], true));
    let LabelValues::Classes(classes) = &test.labels().column("class").unwrap().clone() else { panic!("classes") };
    assert_eq!(classes.names(), ["0", "14"]);
    let prepared = PreparedImages::new(train.images, Preparation::signs()).unwrap();
    assert_eq!(prepared.image_shape(), Some(InputShape { height: 48, width: 48, channels: 3 }));
}

#[test]
fn faults_of_the_layout_are_named() {
    let open = |root: &Path, part| Gtsrb::open(root, part, &ImageOptions::default());
    let empty = tempdir().unwrap();
    assert!(open(empty.path(), Part::Training).is_err());
    assert!(open(empty.path(), Part::Test).unwrap_err().to_string().contains("GT-final_test.csv"));

    let folder = sign_folder();
    let base = folder.path().join("GTSRB/Final_Training/Images");
    fs::remove_file(base.join("00014/00001_00001.ppm")).unwrap();
    let error = open(folder.path(), Part::Training).unwrap_err().to_string();
    assert!(error.contains("00001_00001.ppm: cannot be read"), "{error}");
    let options = ImageOptions { skip_bad: 1, ..Default::default() };
    let train = Gtsrb::open(folder.path(), Part::Training, &options).unwrap();
    assert_eq!(train.classes.len(), 11);
    assert_eq!(train.tracks.unwrap(), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3]);

    let table = base.join("00000/GT-00000.csv");
    let text = fs::read_to_string(&table).unwrap();
    fs::write(&table, text.replacen(";16;", ";99;", 1)).unwrap();
    let error = open(folder.path(), Part::Training).unwrap_err().to_string();
    assert!(
        error.contains("the region of interest (3, 4) to (99, 17) does not lie in an image of 22x20 RGB"),
        "{error}"
    );
    fs::write(&table, text.replacen(";16;", ";1.5;", 1)).unwrap();
    let error = open(folder.path(), Part::Training).unwrap_err().to_string();
    assert!(error.contains("GT-00000.csv, line 2, column 'Roi.X2': '1.5' is not a number"), "{error}");
    fs::remove_file(&table).unwrap();
    assert!(
        open(folder.path(), Part::Training).unwrap_err().to_string().contains("the table of this class is missing")
    );
}

/// F62: a table that came with an archive decides which files are opened.
#[test]
fn names_that_lead_out_of_the_folder_are_refused() {
    let folder = sign_folder();
    let outside = folder.path().join("outside.ppm");
    ppm(&outside, 30, 30, 1);
    let tables = [
        (Part::Training, "GTSRB/Final_Training/Images/00014/GT-00014.csv", "00001_00000.ppm", "line 5"),
        (Part::Test, "GTSRB/Final_Test/Images/GT-final_test.csv", "00001.ppm", "line 3"),
    ];
    for (part, table, name, place) in tables {
        let table = folder.path().join(table);
        let text = fs::read_to_string(&table).unwrap();
        let absolute = outside.to_str().unwrap();
        for bad in [absolute, "../../../../outside.ppm", "..", ".", "", "sub/x.ppm", "sub\\x.ppm", "C:x.ppm"] {
            fs::write(&table, text.replace(name, bad)).unwrap();
            let error = Gtsrb::open(folder.path(), part, &ImageOptions { skip_bad: 9, ..Default::default() });
            let error = error.map(|signs| signs.classes).unwrap_err();
            let expected = format!("{}, {place}: '{bad}' is not the name of a file in this folder", table.display());
            assert_eq!(error.to_string(), expected);
            assert!(error.hint().unwrap().contains("bare names"));
        }
        fs::write(&table, text).unwrap();
        Gtsrb::open(folder.path(), part, &ImageOptions::default()).unwrap();
    }
}
