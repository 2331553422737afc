//! Image folders: formats, faults, skipping, labels; the GTSRB layout.
#![allow(clippy::unwrap_used)]

mod signs;

use std::fs;
use std::path::Path;

use gsfa::labels::LabelValues;
use gsfa::samples::{Element, InputShape, Rows, Samples};
use gsfa_data::Error;
use gsfa_data::images::{ImageFault, ImageOptions, ImageSet, labeled};
use gsfa_data::pixels::{ImageSource, Preparation, PreparedImages, Step, mean_intensities};
use gsfa_data::table::{CsvOptions, LabelSpec, Table, TableSpec, Unmatched};
use image::{DynamicImage, GrayImage, ImageBuffer, Luma, LumaA, Rgb, RgbImage, Rgba};
use ndarray::Array2;
use tempfile::{TempDir, tempdir};

fn rgb(width: u32, height: u32, seed: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        Rgb([(x * 7 + seed) as u8, (y * 11 + seed) as u8, (x * y + 3 * seed) as u8])
    })
}

fn ppm(path: &Path, width: u32, height: u32, seed: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut bytes = format!("P6\n{width} {height}\n255\n").into_bytes();
    bytes.extend(rgb(width, height, seed).into_raw());
    fs::write(path, bytes).unwrap();
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

fn open(folder: &TempDir) -> Result<ImageSet, Error> {
    ImageSet::open(folder.path(), &ImageOptions::default())
}

fn skipping(folder: &TempDir, skip_bad: usize) -> Result<ImageSet, Error> {
    ImageSet::open(folder.path(), &ImageOptions { skip_bad, ..Default::default() })
}

fn bytes_of(set: &ImageSet, n: usize) -> Vec<u8> {
    set.read_image(n).unwrap().pixels.iter().map(|&x| x as u8).collect()
}

#[test]
fn lossless_formats_give_back_their_pixels_whatever_the_extension() {
    let folder = tempdir().unwrap();
    let image = DynamicImage::from(rgb(5, 4, 1));
    for (name, format) in [
        ("a.png", image::ImageFormat::Png),
        ("b.bmp", image::ImageFormat::Bmp),
        ("c.ppm", image::ImageFormat::Pnm),
        ("d.jpg", image::ImageFormat::Png),
    ] {
        image.save_with_format(folder.path().join(name), format).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "not an image").unwrap();
    fs::write(folder.path().join(".hidden.png"), "").unwrap();
    let set = open(&folder).unwrap();
    let names: Vec<&str> = set.files().iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["a.png", "b.bmp", "c.ppm", "d.jpg"]);
    for n in 0..4 {
        assert_eq!(bytes_of(&set, n), rgb(5, 4, 1).into_raw());
        assert_eq!(set.shape(n), InputShape { height: 4, width: 5, channels: 3 });
    }
}

#[test]
fn jpeg_is_close_and_cmyk_becomes_rgb() {
    let folder = tempdir().unwrap();
    RgbImage::from_pixel(8, 8, Rgb([200, 100, 50])).save(folder.path().join("a.jpg")).unwrap();
    fs::write(folder.path().join("b.jpeg"), fixture("cmyk.jpg")).unwrap();
    let set = open(&folder).unwrap();
    for (n, expected) in [[200_i32, 100, 50], [255, 0, 0]].into_iter().enumerate() {
        for pixel in bytes_of(&set, n).chunks(3) {
            assert!(pixel.iter().zip(expected).all(|(&a, b)| (i32::from(a) - b).abs() < 12), "{n}: {pixel:?}");
        }
    }
}

#[test]
fn sixteen_bits_are_rounded_and_transparency_is_blended_over_black() {
    let folder = tempdir().unwrap();
    let deep = ImageBuffer::<Luma<u16>, _>::from_fn(4, 1, |x, _| Luma([[0, 256, 385, 65535][x as usize]]));
    DynamicImage::from(deep).save(folder.path().join("a.png")).unwrap();
    let clear = ImageBuffer::<LumaA<u8>, _>::from_fn(4, 1, |x, _| LumaA([200, [0, 128, 254, 255][x as usize]]));
    DynamicImage::from(clear).save(folder.path().join("b.png")).unwrap();
    let set = open(&folder).unwrap();
    assert_eq!(bytes_of(&set, 0), [0, 1, 1, 255]);
    assert_eq!(bytes_of(&set, 1), [0, 100, 199, 200]);
    let color = ImageBuffer::<Rgba<u16>, _>::from_pixel(4, 1, Rgba([65535, 0, 32768, 65535]));
    DynamicImage::from(color).save(folder.path().join("c.png")).unwrap();
    let set = open(&folder).unwrap();
    assert_eq!(bytes_of(&set, 2)[..3], [255, 0, 128]);
    assert_eq!(bytes_of(&set, 0)[..6], [0, 0, 0, 1, 1, 1], "grey among colour is repeated");
}

fn fault(name: &str, contents: &[u8]) -> String {
    let folder = tempdir().unwrap();
    ppm(&folder.path().join("good.ppm"), 2, 2, 0);
    fs::write(folder.path().join(name), contents).unwrap();
    // Found when the folder is opened, or at the latest when the image is read.
    let error = match open(&folder) {
        Err(error) => error,
        Ok(set) => (0..set.len()).find_map(|n| set.read_image(n).err()).unwrap(),
    };
    assert!(matches!(error, Error::BadImage { .. }));
    assert!(error.hint().unwrap().contains("skip_bad"));
    let set = skipping(&folder, 1).unwrap();
    assert_eq!((set.len(), set.skipped().len()), (1, 1));
    assert!(serde_json::to_string(set.skipped()).unwrap().contains(name));
    let text = error.to_string();
    assert!(text.contains(name), "{text}");
    text
}

#[test]
fn every_bad_image_is_named_with_the_reason() {
    let png = {
        let folder = tempdir().unwrap();
        rgb(40, 40, 1).save(folder.path().join("a.png")).unwrap();
        fs::read(folder.path().join("a.png")).unwrap()
    };
    let jpg = {
        let folder = tempdir().unwrap();
        rgb(40, 40, 1).save(folder.path().join("a.jpg")).unwrap();
        fs::read(folder.path().join("a.jpg")).unwrap()
    };
    assert!(fault("a.png", b"").ends_with("the file is empty"));
    assert!(fault("a.png", b"hello world").ends_with("not an image: it begins with hello wo"));
    assert!(fault("a.png", b"GIF89a\x01\0\x01\0\0\0\0").ends_with("GIF images are not read"));
    assert!(fault("a.gif", b"GIF89a").ends_with("GIF images are not read"));
    assert!(fault("a.png", &fixture("animated.png")).ends_with("the image is animated"));
    assert!(
        fault("a.png", &fixture("bomb.png")).ends_with("100000x100000 pixels, at most 67108864 in all are allowed")
    );
    assert!(fault("a.ppm", b"P6\n100000 100000\n255\n").contains("100000x100000 pixels"));
    assert!(fault("a.ppm", b"P6\n4 4\n255\nxxxx").contains("truncated"));
    assert!(fault("a.ppm", b"P6\n4\n").contains("a.ppm"));
    for cut in [png.len() / 2, png.len() - 40] {
        let text = fault("a.png", &png[..cut]);
        assert!(text.contains("truncated") || text.contains("cannot be decoded"), "{text}");
    }
    assert!(fault("a.jpg", &jpg[..jpg.len() / 2]).contains("truncated"));
    let mut damaged = png.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    assert!(fault("a.png", &damaged).contains("cannot be decoded"));
}

#[test]
fn every_cut_of_a_file_is_an_error_and_never_a_panic() {
    let folder = tempdir().unwrap();
    for format in ["png", "jpg", "bmp", "ppm"] {
        let path = folder.path().join(format!("a.{format}"));
        rgb(6, 5, 1).save(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        for cut in 0..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let error = skipping(&folder, 1);
            // A PNG is complete before its closing chunk.
            let complete = format == "png" && cut + 12 >= bytes.len();
            assert!(complete || matches!(error, Err(Error::NoImages { .. })), "{format} cut at {cut}");
        }
        fs::remove_file(&path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn links_and_names_that_cannot_be_used_are_reported() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempdir().unwrap();
    ppm(&folder.path().join("sub/good.ppm"), 2, 2, 0);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("sub/loop")).unwrap();
    let error = open(&folder).unwrap_err().to_string();
    assert!(error.ends_with("sub/loop: the symbolic link leads back to a folder above it"), "{error}");
    std::os::unix::fs::symlink("nowhere.png", folder.path().join("broken.png")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff.png");
    fs::write(folder.path().join(odd), "x").unwrap();
    fs::create_dir(folder.path().join("dir.png")).unwrap();
    let error = skipping(&folder, 2).unwrap_err();
    assert!(error.to_string().starts_with("3 images cannot be used, 2 may be skipped; "), "{error}");
    let set = skipping(&folder, 3).unwrap();
    assert_eq!(set.len(), 1);
    let faults: Vec<&ImageFault> = set.skipped().iter().map(|bad| &bad.fault).collect();
    assert!(matches!(faults[..], [ImageFault::Unreadable(_), ImageFault::Name, ImageFault::Loop]), "{faults:?}");
    // A link to a folder elsewhere is followed.
    let other = tempdir().unwrap();
    std::os::unix::fs::symlink(folder.path().join("sub"), other.path().join("linked")).unwrap();
    fs::remove_file(folder.path().join("sub/loop")).unwrap();
    assert_eq!(open(&other).unwrap().files()[0].name, "linked/good.ppm");
}

#[test]
fn empty_folders_and_missing_folders_are_errors() {
    let folder = tempdir().unwrap();
    assert!(matches!(open(&folder), Err(Error::NoImages { .. })));
    assert!(matches!(ImageSet::open(folder.path().join("x"), &ImageOptions::default()), Err(Error::Io { .. })));
}

#[test]
fn a_file_that_changes_after_opening_is_an_error() {
    let folder = tempdir().unwrap();
    ppm(&folder.path().join("a.ppm"), 2, 2, 0);
    let set = open(&folder).unwrap();
    ppm(&folder.path().join("a.ppm"), 3, 2, 0);
    assert!(set.read_image(0).unwrap_err().to_string().ends_with("the file changed: it was 2x2 RGB and is 2x3 RGB"));
}

#[test]
fn mixed_sizes_need_a_resize() {
    let folder = tempdir().unwrap();
    ppm(&folder.path().join("a.ppm"), 4, 4, 0);
    ppm(&folder.path().join("b.ppm"), 6, 4, 0);
    let error = PreparedImages::new(open(&folder).unwrap(), Preparation::default()).unwrap_err();
    assert!(error.to_string().contains("b.ppm is 4x6 RGB pixels"), "{error}");
    assert!(error.hint().unwrap().contains("resize"));
    let steps = vec![Step::Resize { height: 3, width: 5 }];
    let prepared = PreparedImages::new(open(&folder).unwrap(), Preparation { steps }).unwrap();
    assert_eq!(prepared.image_shape(), Some(InputShape { height: 3, width: 5, channels: 3 }));
    assert_eq!(prepared.element(), Element::F32);
}

#[test]
fn rows_are_the_same_for_any_number_of_threads_and_any_chunks() {
    let folder = tempdir().unwrap();
    (0..23).for_each(|n| ppm(&folder.path().join(format!("{n:02}.ppm")), 4, 3, n));
    let source = PreparedImages::new(open(&folder).unwrap(), Preparation::default()).unwrap();
    assert_eq!(source.element(), Element::U8);
    let read = |threads: usize, step: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut out = Array2::<f32>::zeros((23, 36));
        pool.install(|| {
            for start in (0..23).step_by(step) {
                let end = (start + step).min(23);
                source.read_single(Rows::Range(start..end), out.slice_mut(ndarray::s![start..end, ..])).unwrap();
            }
        });
        out
    };
    let one = read(1, 23);
    assert_eq!(one, read(2, 5));
    assert_eq!(one, read(4, 1));
    assert_eq!(one.row(7).mapv(|x| x as u8).to_vec(), rgb(4, 3, 7).into_raw());
    let mean = mean_intensities(source.images()).unwrap()[7];
    assert!((mean - one.row(7).mapv(f64::from).mean().unwrap()).abs() < 1e-12);
    // Of several damaged images the first is reported, whatever the threads.
    for n in [5, 9, 17] {
        fs::write(folder.path().join(format!("{n:02}.ppm")), "P6\n4 3\n255\nx").unwrap();
    }
    let mut out = Array2::<f64>::zeros((23, 36));
    for _ in 0..20 {
        let error = source.read_double(Rows::Range(0..23), out.view_mut()).unwrap_err();
        assert!(error.to_string().contains("05.ppm"), "{error}");
    }
}

#[test]
fn class_folders_are_labels() {
    let folder = tempdir().unwrap();
    ppm(&folder.path().join("stop/1.ppm"), 2, 2, 0);
    ppm(&folder.path().join("stop/deep/2.ppm"), 2, 2, 0);
    ppm(&folder.path().join("go/1.ppm"), 2, 2, 0);
    let labels = open(&folder).unwrap().class_folders().unwrap();
    let LabelValues::Classes(classes) = labels.column("class").unwrap() else { panic!("classes") };
    assert_eq!((classes.names(), classes.of_sample()), (&["go".to_string(), "stop".to_string()][..], &[0, 1, 1][..]));
    ppm(&folder.path().join("lost.ppm"), 2, 2, 0);
    let error = open(&folder).unwrap().class_folders().unwrap_err();
    assert!(error.to_string().ends_with("lost.ppm lies outside the class folders"));
}

#[test]
fn a_table_labels_the_images_and_skipped_ones_lose_their_rows() {
    let folder = tempdir().unwrap();
    (0..4).for_each(|n| ppm(&folder.path().join(format!("{n}.ppm")), 2, 2, n));
    fs::write(folder.path().join("bad.ppm"), "").unwrap();
    fs::write(folder.path().join("unlisted.ppm"), "").unwrap();
    let csv = "file,age\n3.ppm,3.5\nbad.ppm,9.5\n0.ppm,0.5\n2.ppm,\n1.ppm,1.5\n";
    let table = Table::parse_csv(csv.as_bytes(), Path::new("y.csv"), &CsvOptions::default()).unwrap();
    let mut spec = TableSpec {
        samples: gsfa_data::table::Columns::None,
        labels: vec![LabelSpec::named("age")],
        ..Default::default()
    };
    let set = skipping(&folder, 2).unwrap();
    let error = labeled(&set, &table, "file", &spec, Unmatched::Error).unwrap_err().to_string();
    assert_eq!(error, "y.csv: 1 missing value, first at line 5, column 'age'");
    spec.missing_labels = gsfa_data::table::Missing::Drop;
    let both = labeled(&set, &table, "file", &spec, Unmatched::Error).unwrap();
    let names: Vec<&str> = both.images.files().iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["0.ppm", "1.ppm", "3.ppm"]);
    assert_eq!(both.data.labels.column("age").unwrap(), &LabelValues::Numbers(vec![0.5, 1.5, 3.5]));
}

#[test]
fn a_grey_folder_stays_grey() {
    let folder = tempdir().unwrap();
    GrayImage::from_pixel(3, 2, Luma([9])).save(folder.path().join("a.png")).unwrap();
    fs::write(folder.path().join("b.pgm"), b"P5 3 2 255\n123456").unwrap();
    fs::write(folder.path().join("c.pbm"), b"P1\n3 2\n1 0 1\n0 1 0\n").unwrap();
    let set = open(&folder).unwrap();
    assert_eq!(set.shape(0).channels, 1);
    assert_eq!(bytes_of(&set, 1), b"123456");
    assert_eq!(bytes_of(&set, 2), [0, 255, 0, 255, 0, 255]);
}
