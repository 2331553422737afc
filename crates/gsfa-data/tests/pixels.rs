//! Pixel preparation and distortion against naive computations.
#![allow(clippy::unwrap_used)]

use gsfa::samples::{Element, InputShape, Rows, Samples};
use gsfa_data::Error;
use gsfa_data::distort::{Distortion, ImageCopy, Motion, copies_of_each, cycle_classes};
use gsfa_data::pixels::{
    Area, Contrast, Gradients, Image, ImageRows, Preparation, Prepare, PreparedImages, Region, Squash, Step,
};
use ndarray::{Array2, ArrayViewMut2};

fn image(height: usize, width: usize, channels: usize) -> Image {
    let shape = InputShape { height, width, channels };
    let pixels = (0..shape.values()).map(|n| ((n * 37 + n * n % 91) % 256) as f32).collect();
    Image { shape, pixels, region: None }
}

fn apply(steps: &[Step], image: Image) -> Image {
    let preparation = Preparation { steps: steps.to_vec() };
    let expected = preparation.output_shape(image.shape, image.region).unwrap();
    let out = preparation.apply(image, Motion::NONE);
    assert_eq!(out.shape, expected);
    assert_eq!(out.pixels.len(), expected.values());
    out
}

fn close(a: &[f32], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (n, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((f64::from(*x) - y).abs() <= tolerance, "pixel {n}: {x} instead of {y}");
    }
}

#[test]
fn grey_is_the_weighted_sum_of_the_channels() {
    let rgb = image(3, 4, 3);
    let expected: Vec<f64> = rgb
        .pixels
        .chunks(3)
        .map(|p| 0.299 * f64::from(p[0]) + 0.587 * f64::from(p[1]) + 0.114 * f64::from(p[2]))
        .collect();
    close(&apply(&[Step::Grey], rgb).pixels, &expected, 1e-4);
    assert_eq!(apply(&[Step::Grey], image(3, 4, 1)), image(3, 4, 1));
}

#[test]
fn crops_are_shares_of_the_region_with_repeated_edges() {
    let region = Some(Region { left: 2, top: 1, right: 5, bottom: 4 });
    let source = Image { region, ..image(6, 8, 2) };
    let whole = apply(&[Step::Crop { share: 1.0 }], source.clone());
    for y in 0..4 {
        for x in 0..4 {
            let at = ((y + 1) * 8 + x + 2) * 2;
            assert_eq!(whole.pixels[(y * 4 + x) * 2..][..2], source.pixels[at..at + 2]);
        }
    }
    let half = apply(&[Step::Crop { share: 0.5 }], source.clone());
    assert_eq!((half.shape.height, half.shape.width), (2, 2));
    assert_eq!(half.pixels[0], source.pixels[(2 * 8 + 3) * 2]);
    let wide = apply(&[Step::Crop { share: 3.0 }], source.clone());
    assert_eq!((wide.shape.height, wide.shape.width), (12, 12));
    assert_eq!(wide.pixels[..2], source.pixels[..2]);
    assert_eq!(wide.pixels[12 * 12 * 2 - 2..], source.pixels[6 * 8 * 2 - 2..]);
    assert_eq!(apply(&[Step::Crop { share: 1.0 }], image(5, 3, 1)), image(5, 3, 1));
    assert_eq!(apply(&[Step::Crop { share: 0.001 }], image(5, 3, 1)).pixels.len(), 1);
}

/// Weights of a triangle about the centre of the new pixel, evaluated for all old pixels.
fn naive_resize(image: &Image, height: usize, width: usize) -> Vec<f64> {
    let weights = |old: usize, new: usize, n: usize| -> Vec<f64> {
        let step = old as f64 / new as f64;
        let center = (n as f64 + 0.5) * step;
        let raw: Vec<f64> =
            (0..old).map(|i| (1.0 - (i as f64 + 0.5 - center).abs() / step.max(1.0)).max(0.0)).collect();
        let sum: f64 = raw.iter().sum();
        raw.iter().map(|w| w / sum).collect()
    };
    let InputShape { height: h, width: w, channels: c } = image.shape;
    let mut out = Vec::new();
    for y in 0..height {
        for x in 0..width {
            for k in 0..c {
                let (wy, wx) = (weights(h, height, y), weights(w, width, x));
                let mut sum = 0.0;
                for (i, a) in wy.iter().enumerate() {
                    for (j, b) in wx.iter().enumerate() {
                        sum += a * b * f64::from(image.pixels[(i * w + j) * c + k]);
                    }
                }
                out.push(sum);
            }
        }
    }
    out
}

#[test]
fn resizing_is_a_mean_under_triangles_for_all_sizes() {
    for (h, w) in [(1, 1), (1, 2), (2, 1), (7, 5), (16, 9)] {
        for (height, width) in [(1, 1), (2, 3), (7, 5), (4, 4), (20, 31)] {
            let source = image(h, w, 3);
            let out = apply(&[Step::Resize { height, width }], source.clone());
            close(&out.pixels, &naive_resize(&source, height, width), 1e-3);
        }
    }
    let flat = Image { pixels: vec![77.0; 35], ..image(7, 5, 1) };
    close(&apply(&[Step::Resize { height: 3, width: 11 }], flat).pixels, &[77.0; 33], 1e-4);
}

#[test]
fn mean_intensity_is_the_same_for_all_images_but_black_ones() {
    for n in [1, 5] {
        let out = apply(&[Step::MeanIntensity { mean: 100.0 }], Image { pixels: vec![3.0; n * n], ..image(n, n, 1) });
        close(&out.pixels, &vec![100.0; n * n], 1e-4);
    }
    let out = apply(&[Step::MeanIntensity { mean: 80.0 }], image(9, 7, 3));
    let mean = out.pixels.iter().map(|&x| f64::from(x)).sum::<f64>() / out.pixels.len() as f64;
    assert!((mean - 80.0).abs() < 1e-4);
    assert!((out.pixels[1] / out.pixels[2] - image(9, 7, 3).pixels[1] / image(9, 7, 3).pixels[2]).abs() < 1e-5);
    let black = Image { pixels: vec![0.0; 4], ..image(2, 2, 1) };
    assert_eq!(apply(&[Step::MeanIntensity { mean: 80.0 }], black.clone()), black);
}

/// The signs recipe written out for one 48x48 RGB image, in double precision, without a motion.
fn naive_signs(image: &Image, author_like: bool) -> Vec<f64> {
    let at = |y: isize, x: isize, k: usize| {
        f64::from(image.pixels[(y.clamp(0, 47) as usize * 48 + x.clamp(0, 47) as usize) * 3 + k])
    };
    let mut out = vec![0.0; 48 * 48 * 3];
    for i in 0..48 {
        for j in 0..48 {
            // Step 0.8 about the centre 23.5.
            let (y, x) = (23.5 + 0.8 * (i as f64 - 23.5), 23.5 + 0.8 * (j as f64 - 23.5));
            let (y0, x0) = (y.floor(), x.floor());
            let (b, a) = (y - y0, x - x0);
            for k in 0..3 {
                let (y0, x0) = (y0 as isize, x0 as isize);
                let value = (1.0 - b) * ((1.0 - a) * at(y0, x0, k) + a * at(y0, x0 + 1, k))
                    + b * ((1.0 - a) * at(y0 + 1, x0, k) + a * at(y0 + 1, x0 + 1, k));
                let value = value / 255.0;
                out[(i * 48 + j) * 3 + k] = if author_like { value } else { value.sqrt() };
            }
        }
    }
    let (rows, columns) = if author_like { (17..48, 12..36) } else { (14..43, 14..34) };
    let mut inside = Vec::new();
    for i in rows {
        for j in columns.clone() {
            (0..3).for_each(|k| inside.push(out[(i * 48 + j) * 3 + k]));
        }
    }
    let count = inside.len() as f64;
    let mean = inside.iter().sum::<f64>() / count;
    let deviation = (inside.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count).sqrt();
    for (n, x) in out.iter_mut().enumerate() {
        *x = (*x - mean) / (deviation + 0.01);
        if author_like {
            *x = x.clamp(-2.5, 2.5);
        } else {
            let (i, j) = (n / 3 / 48, n / 3 % 48);
            let r = ((i as f64 - 23.5) / 24.0).hypot((j as f64 - 23.5) / 24.0);
            *x = x.tanh() * ((1.0 - r) / 0.4).clamp(0.0, 1.0);
        }
    }
    out
}

#[test]
fn the_named_recipes_are_what_they_say() {
    let source = image(48, 48, 3);
    close(&apply(&Preparation::signs().steps, source.clone()).pixels, &naive_signs(&source, false), 1e-4);
    close(&apply(&Preparation::signs_author_like().steps, source.clone()).pixels, &naive_signs(&source, true), 1e-4);
    let corner = apply(&Preparation::signs().steps, source).pixels[..3].to_vec();
    assert_eq!(corner, [0.0; 3]);
}

#[test]
fn flat_images_stay_flat_and_finite() {
    for value in [0.0, 255.0] {
        let flat = Image { pixels: vec![value; 48 * 48 * 3], ..image(48, 48, 3) };
        assert!(apply(&Preparation::signs().steps, flat).pixels.iter().all(|x| x.abs() < 1e-4));
    }
}

/// One bright pixel: where it goes tells the sense of each motion.
fn moved(motion: Motion) -> (usize, usize) {
    let mut source = Image { pixels: vec![0.0; 81], ..image(9, 9, 1) };
    source.pixels[4 * 9 + 7] = 255.0;
    let steps = vec![Step::Warp { height: 9, width: 9, central: 1.0 }];
    let out = Preparation { steps }.apply(source, motion);
    let brightest = (0..81).max_by(|&a, &b| out.pixels[a].total_cmp(&out.pixels[b])).unwrap();
    (brightest / 9, brightest % 9)
}

#[test]
fn motions_move_the_content_as_named() {
    assert_eq!(moved(Motion::NONE), (4, 7));
    assert_eq!(moved(Motion { rotation: 90.0, ..Motion::NONE }), (1, 4), "anticlockwise");
    assert_eq!(moved(Motion { shift_x: 1.0, ..Motion::NONE }), (4, 8), "to the right");
    assert_eq!(moved(Motion { shift_y: 2.0, ..Motion::NONE }), (6, 7), "downwards");
    assert_eq!(moved(Motion { scale: 1.0 / 3.0, ..Motion::NONE }), (4, 5), "towards the centre");
}

#[test]
fn a_warp_without_motion_and_crop_is_the_identity() {
    for (h, w) in [(1, 1), (1, 2), (2, 2), (5, 8)] {
        let out = apply(&[Step::Warp { height: h, width: w, central: 1.0 }], image(h, w, 3));
        let expected: Vec<f64> = image(h, w, 3).pixels.iter().map(|&x| f64::from(x)).collect();
        close(&out.pixels, &expected, 1e-3);
    }
}

#[test]
fn steps_that_make_no_sense_are_refused() {
    let contrast = Contrast { sqrt: false, area: Area::Whole, floor: 0.01, squash: Squash::None };
    for step in [
        Step::Crop { share: 0.0 },
        Step::Crop { share: f64::NAN },
        Step::Crop { share: 1e300 },
        Step::Resize { height: 0, width: 4 },
        Step::Resize { height: 4, width: 1 << 40 },
        Step::Warp { height: 4, width: 4, central: -1.0 },
        Step::MeanIntensity { mean: 0.0 },
        Step::Disc { fade: 0.0 },
        Step::Contrast(Contrast { floor: 0.0, ..contrast }),
        Step::Contrast(Contrast { squash: Squash::Clip { at: -1.0 }, ..contrast }),
        Step::Contrast(Contrast { area: Area::Box { rows: [0.5, 0.5], columns: [0.0, 1.0] }, ..contrast }),
        Step::Contrast(Contrast { area: Area::Box { rows: [0.0, 1.5], columns: [0.0, 1.0] }, ..contrast }),
    ] {
        let error = Preparation { steps: vec![step.clone()] }.output_shape(image(4, 4, 3).shape, None).unwrap_err();
        assert!(matches!(error, Error::Parameter { .. }), "{step:?}");
    }
    let error = Preparation { steps: vec![Step::Grey] }.output_shape(image(4, 4, 2).shape, None).unwrap_err();
    assert!(error.to_string().starts_with("channels = 2"));
}

#[test]
fn preparations_are_values() {
    for preparation in
        [Preparation::signs(), Preparation::signs_author_like(), Preparation::signs_gradients(), Preparation::faces()]
    {
        let text = toml::to_string(&preparation).unwrap();
        assert_eq!(toml::from_str::<Preparation>(&text).unwrap(), preparation, "{text}");
        let text = serde_json::to_string(&preparation).unwrap();
        assert_eq!(serde_json::from_str::<Preparation>(&text).unwrap(), preparation, "{text}");
    }
    assert!(toml::from_str::<Preparation>("[[steps]]\nstep = 'blur'").is_err());
}

/// Images in memory that count as a source.
struct Memory(Vec<Image>);

impl Samples for Memory {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn dim(&self) -> usize {
        self.0[0].shape.values()
    }
    fn image_shape(&self) -> Option<InputShape> {
        Some(self.0[0].shape)
    }
    fn element(&self) -> Element {
        Element::U8
    }
    fn read_single(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, f32>) -> gsfa::Result<()> {
        for k in 0..rows.len() {
            out.row_mut(k).iter_mut().zip(&self.0[rows.row(k)].pixels).for_each(|(to, &from)| *to = from);
        }
        Ok(())
    }
    fn read_double(&self, _: Rows<'_>, _: ArrayViewMut2<'_, f64>) -> gsfa::Result<()> {
        unreachable!("images are read in single precision")
    }
}

fn distorted(rows: Vec<ImageCopy>, seed: u64) -> PreparedImages<ImageRows<Memory>> {
    let images = ImageRows::new(Memory(
        (0..3)
            .map(|n| Image {
                pixels: image(12, 12, 3).pixels.iter().map(|x| x / (n + 1) as f32).collect(),
                ..image(12, 12, 3)
            })
            .collect(),
    ))
    .unwrap();
    let steps = vec![Step::Warp { height: 12, width: 12, central: 0.8 }];
    PreparedImages::new(images, Preparation { steps }).unwrap().distorted(rows, Distortion::default(), seed).unwrap()
}

fn read(source: &dyn Samples) -> Array2<f32> {
    let mut out = Array2::zeros((source.len(), source.dim()));
    source.read_single(Rows::Range(0..source.len()), out.view_mut()).unwrap();
    out
}

#[test]
fn a_copy_is_distorted_the_same_whatever_the_threads_order_and_other_copies() {
    let copies: Vec<ImageCopy> = (0..24).map(|n| ImageCopy { image: n % 3, copy: n / 3 }).collect();
    let reversed: Vec<ImageCopy> = copies.iter().rev().copied().collect();
    let on = |threads: usize, rows: &[ImageCopy]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| read(&distorted(rows.to_vec(), 7)))
    };
    let one = on(1, &copies);
    assert_eq!(one, on(3, &copies));
    assert_eq!(one, on(2, &reversed).slice(ndarray::s![..;-1, ..]));
    assert_eq!(one.row(5), on(1, &copies[5..6]).row(0));
    for a in 0..24 {
        (0..a).for_each(|b| assert_ne!(one.row(a), one.row(b), "copies {a} and {b}"));
    }
    assert_ne!(one, read(&distorted(copies, 8)));
}

#[test]
fn motions_fill_the_papers_ranges_evenly() {
    let count = 20_000;
    let all: Vec<Motion> =
        (0..count).map(|n| Distortion::default().draw(3, ImageCopy { image: n / 5, copy: n % 5 })).collect();
    type Part = fn(&Motion) -> f64;
    let parts: [(Part, f64); 4] =
        [(|m| m.rotation, 3.15), (|m| m.shift_x, 1.73), (|m| m.shift_y, 1.73), (|m| m.scale - 1.0, 0.09)];
    for (part, range) in parts {
        let values: Vec<f64> = all.iter().map(part).collect();
        assert!(values.iter().all(|x| x.abs() <= range));
        // A uniform draw has mean 0 ± range/√(3n) and mean square range²/3; five standard errors.
        let mean = values.iter().sum::<f64>() / count as f64;
        let square = values.iter().map(|x| x * x).sum::<f64>() / count as f64;
        assert!(mean.abs() < 5.0 * range / (3.0 * count as f64).sqrt());
        assert!((square / (range * range / 3.0) - 1.0).abs() < 5.0 * 0.9 / (count as f64).sqrt());
    }
    let product = all.iter().map(|m| m.shift_x * m.shift_y).sum::<f64>() / count as f64;
    assert!(product.abs() < 5.0 * 1.73_f64.powi(2) / 3.0 / (count as f64).sqrt());
}

#[test]
fn distortion_needs_sensible_ranges() {
    let plain = || {
        let images = ImageRows::new(Memory(vec![image(4, 4, 1)])).unwrap();
        PreparedImages::new(images, Preparation::default()).unwrap()
    };
    for bad in [
        Distortion { scale: 1.0, ..Default::default() },
        Distortion { shift: -1.0, ..Default::default() },
        Distortion { rotation: f64::NAN, ..Default::default() },
        Distortion { brightness: -0.1, ..Default::default() },
        Distortion { contrast: 1.0, ..Default::default() },
    ] {
        assert!(matches!(plain().distorted(vec![], bad, 0), Err(Error::Parameter { .. })));
    }
    assert!(matches!(ImageRows::new(Array2::<f64>::zeros((2, 4))), Err(Error::NotImages { dim: 4 })));
}

/// Any images can be distorted: before what is done to the brightness of pixels, and after what is done to their places.
#[test]
fn images_without_a_warp_move_before_their_brightness_is_looked_at() {
    let motion = Motion { shift_x: 1.0, mirror: true, brightness: 0.5, contrast: 0.8, ..Motion::NONE };
    let colours = image(6, 4, 3);
    let (grey, resize) = (Step::Grey, Step::Resize { height: 3, width: 5 });
    let contrast = Step::Contrast(Contrast::default());
    let warp = Step::Warp { height: 3, width: 5, central: 1.0 };
    let with = |steps: &[Step]| Preparation { steps: steps.to_vec() }.apply(colours.clone(), motion).pixels;
    let plain = with(&[grey.clone(), resize.clone(), contrast.clone()]);
    assert_eq!(plain, with(&[grey.clone(), resize.clone(), warp, contrast.clone()]));
    assert_ne!(plain, with(&[grey.clone(), resize.clone()]));
    let still = |steps: &[Step]| Preparation { steps: steps.to_vec() }.apply(colours.clone(), Motion::NONE);
    assert_eq!(still(&[]), colours, "what does not move stays as it is");

    let warp = |motion| {
        let steps = vec![Step::Warp { height: 6, width: 4, central: 1.0 }];
        Preparation { steps }.apply(image(6, 4, 1), motion).pixels
    };
    let (as_it_is, mirrored) = (warp(Motion::NONE), warp(Motion { mirror: true, ..Motion::NONE }));
    for (row, other) in as_it_is.chunks(4).zip(mirrored.chunks(4)) {
        assert!(row.iter().eq(other.iter().rev()));
    }
    let statistics = |pixels: &[f32]| {
        let mean = pixels.iter().sum::<f32>() / pixels.len() as f32;
        (mean, (pixels.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / pixels.len() as f32).sqrt())
    };
    let (mean, deviation) = statistics(&as_it_is);
    let lit = statistics(&warp(Motion { brightness: 0.5, contrast: 0.8, ..Motion::NONE }));
    assert!((lit.0 - mean - 0.5 * deviation).abs() < 1e-3 * mean && (lit.1 / deviation - 0.8).abs() < 1e-3, "{lit:?}");
    assert!(warp(Motion { brightness: -50.0, ..Motion::NONE }).iter().all(|x| *x >= 0.0), "there is no root of less");
}

#[test]
fn every_image_has_as_many_copies() {
    let copies = copies_of_each(2, 3).into_iter().map(|copy| (copy.image, copy.copy));
    assert_eq!(copies.collect::<Vec<_>>(), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]);
    let distortion = Distortion { mirror: true, ..Distortion::default() };
    let mirrored = (0..1000).filter(|&image| distortion.draw(1, ImageCopy { image, copy: 0 }).mirror).count();
    assert!((400..600).contains(&mirrored), "{mirrored}");
    // What was drawn before there was more to draw is drawn still.
    let (old, new) = (Distortion::default(), Distortion { brightness: 0.3, mirror: true, ..Distortion::default() });
    let of = ImageCopy { image: 3, copy: 1 };
    assert_eq!(old.draw(5, of).scale, new.draw(5, of).scale);
}

#[test]
fn classes_cycle_through_all_their_images() {
    let classes = [0_u32, 1, 1, 0, 1, 2];
    let rows = cycle_classes(&classes, 7, 1).unwrap();
    assert_eq!(rows.len(), 21);
    for class in 0..3_u32 {
        let of_class: Vec<&ImageCopy> = rows.iter().filter(|row| classes[row.image] == class).collect();
        assert_eq!(of_class.len(), 7);
        let images = classes.iter().filter(|&&c| c == class).count();
        for n in (0..classes.len()).filter(|&n| classes[n] == class) {
            let copies: Vec<usize> = of_class.iter().filter(|row| row.image == n).map(|row| row.copy).collect();
            assert!(copies.len() == 7 / images || copies.len() == 7 / images + 1);
            assert_eq!(copies, (0..copies.len()).collect::<Vec<_>>());
        }
    }
    assert_eq!(rows, cycle_classes(&classes, 7, 1).unwrap());
    assert!(cycle_classes(&[0, 2], 7, 1).is_err());
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}

/// An image that rises by `slope` along a direction.
fn ramp(angle: f64, slope: f64) -> Image {
    let shape = InputShape { height: 24, width: 24, channels: 1 };
    let (y, x) = angle.to_radians().sin_cos();
    let pixels = (0..24 * 24).map(|n| (slope * ((n % 24) as f64 * x + (n / 24) as f64 * y)) as f32).collect();
    Image { shape, pixels, region: None }
}

#[test]
fn gradients_tell_directions_and_not_strength() {
    let spec = Gradients { cell: 6, directions: 6, weight: 1.0 };
    for k in 0..12 {
        let image = apply(&[Step::Gradients(spec)], ramp(30.0 * k as f64, 100.0));
        assert_eq!(image.shape, InputShape { height: 4, width: 4, channels: 18 });
        // A cell in the middle: all of it in one direction, and in the same one without its sign.
        let cell = &image.pixels[5 * 18..6 * 18];
        let largest = |values: &[f32]| (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
        assert_eq!((largest(&cell[..12]), largest(&cell[12..])), (k, k % 6), "{cell:?}");
        assert!(cell[..12].iter().enumerate().all(|(at, &value)| at == k || value < 1e-3 * cell[k]), "{cell:?}");
        let steeper = apply(&[Step::Gradients(spec)], ramp(30.0 * k as f64, 300.0));
        close(&image.pixels, &wide(&steeper.pixels), 1e-3);
    }
    // Half way between two directions both count alike.
    let image = apply(&[Step::Gradients(spec)], ramp(15.0, 100.0));
    let cell = &image.pixels[5 * 18..6 * 18];
    assert!((cell[0] - cell[1]).abs() < 1e-4 * cell[0], "{cell:?}");
    // The opposite contrast is the opposite direction, and the same without its sign.
    let (up, down) = (ramp(40.0, 50.0), ramp(220.0, 50.0));
    let (up, down) = (apply(&[Step::Gradients(spec)], up).pixels, apply(&[Step::Gradients(spec)], down).pixels);
    for (up, down) in up.chunks(18).zip(down.chunks(18)) {
        close(&up[12..], &wide(&down[12..]), 1e-4);
        close(&up[..6], &wide(&down[6..12]), 1e-4);
    }
    let flat = Image { shape: InputShape { height: 24, width: 24, channels: 1 }, pixels: vec![7.0; 576], region: None };
    assert!(apply(&[Step::Gradients(spec)], flat).pixels.iter().all(|&value| value == 0.0));
}

#[test]
fn joined_parts_stand_one_behind_the_other() {
    let spec = Gradients { cell: 6, directions: 4, weight: 3.0 };
    let image = ramp(70.0, 9.0);
    let part = |steps: &[Step]| Preparation { steps: steps.to_vec() };
    let join = Step::Join { parts: vec![part(&[]), part(&[Step::Gradients(spec)])] };
    let both = apply(std::slice::from_ref(&join), image.clone());
    let own = apply(&[Step::Gradients(spec)], image.clone()).pixels;
    assert_eq!(both.shape, InputShape { height: 1, width: 1, channels: 576 + 16 * 12 });
    assert_eq!((&both.pixels[..576], &both.pixels[576..]), (&image.pixels[..], &own[..]));
    let weak = apply(&[Step::Gradients(Gradients { weight: 1.0, ..spec })], image.clone()).pixels;
    close(&own, &wide(&weak).iter().map(|value| 3.0 * value).collect::<Vec<_>>(), 1e-5);
    // What is wrong in a part is refused as it is alone.
    let shape = image.shape;
    for wrong in [
        Step::Gradients(Gradients { cell: 7, ..spec }),
        Step::Gradients(Gradients { cell: 1, ..spec }),
        Step::Gradients(Gradients { directions: 1, ..spec }),
        Step::Gradients(Gradients { weight: f64::NAN, ..spec }),
        Step::Join { parts: Vec::new() },
    ] {
        assert!(part(std::slice::from_ref(&wrong)).output_shape(shape, None).is_err(), "{wrong:?}");
        let joined = Step::Join { parts: vec![part(&[]), part(&[wrong])] };
        assert!(part(&[joined]).output_shape(shape, None).is_err());
    }
    // As TOML and JSON, which models keep.
    let text = toml::to_string(&part(std::slice::from_ref(&join))).unwrap();
    assert_eq!(toml::from_str::<Preparation>(&text).unwrap(), part(&[join]));
}
