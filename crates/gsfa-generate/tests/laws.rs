//! Laws both generators keep: sizes, labels, statistics, and bits that depend on the seed alone.

use gsfa_generate::faces::{GENDERS, SIDE as FACE};
use gsfa_generate::signs::{CLASSES, DESIGNS, SIDE as SIGN};
use gsfa_generate::{FacesSpec, SignsSpec, contact_sheet};
use ndarray::{ArrayView1, Axis};

fn small_faces() -> FacesSpec {
    FacesSpec { train_per_gender: 4, test_per_gender: 1, ..FacesSpec::default() }
}

fn small_signs() -> SignsSpec {
    SignsSpec { train_tracks: 2, test_tracks: 1, frames: 4, ..SignsSpec::default() }
}

fn with_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a thread pool").install(run)
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values.into_iter().fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

fn correlation(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    let (ma, mb) = (mean(a.to_vec()), mean(b.to_vec()));
    let product = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(&b).map(|(&x, &y)| f(x - ma, y - mb)).sum::<f64>();
    product(&|x, y| x * y) / (product(&|x, _| x * x) * product(&|_, y| y * y)).sqrt()
}

#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let (faces, signs) = (small_faces(), small_signs());
    let one = with_threads(1, || (faces.generate(), signs.generate()));
    for threads in [2, 3] {
        assert!(with_threads(threads, || (faces.generate(), signs.generate())) == one, "{threads} threads");
    }
}

#[test]
fn other_seeds_give_other_images_of_the_same_labels() {
    let other = FacesSpec { seed: 2, ..small_faces() }.generate();
    let faces = small_faces().generate();
    assert_eq!(faces.train.gender, other.train.gender);
    assert_ne!(faces.train.images, other.train.images);
    let other = SignsSpec { seed: 2, ..small_signs() }.generate();
    let signs = small_signs().generate();
    assert_eq!(signs.train.class, other.train.class);
    assert_ne!(signs.train.images, other.train.images);
}

#[test]
fn a_smaller_set_is_a_part_of_a_larger_one() {
    let few = FacesSpec { train_per_gender: 1, ..small_faces() }.generate().train;
    let many = small_faces().generate().train;
    assert_eq!(few.images.row(7), many.images.row(7 * 4));
    let few = SignsSpec { train_tracks: 1, ..small_signs() }.generate().train;
    let many = small_signs().generate().train;
    assert_eq!(few.images.row(5 * 4 + 3), many.images.row(5 * 8 + 3));
}

#[test]
fn faces_have_the_sizes_and_label_ranges_of_the_paper() {
    let spec = FacesSpec::default();
    assert_eq!((spec.train_per_gender * GENDERS, spec.test_per_gender * GENDERS), (10_800, 1_200));
    let faces = small_faces().generate();
    for (set, count) in [(&faces.train, 240), (&faces.test, 60)] {
        assert_eq!(set.images.dim(), (count, FACE * FACE));
        assert_eq!(set.samples().dim(), (count, FACE * FACE));
        assert_eq!((set.len(), set.color.len(), set.age.len(), set.race.dim()), (count, count, count, (count, 3)));
        assert_eq!((set.gender[0], set.gender[count - 1]), (-3.0, 2.9));
        assert!((set.gender.std(0.0) - 1.7318).abs() < 1e-4);
        assert!(set.gender.windows(2).into_iter().all(|pair| pair[0] <= pair[1]));
        assert!(set.age.iter().all(|age| (18.0..=70.0).contains(age)));
        assert!(set.race.iter().all(|weight| (0.0..=1.0).contains(weight)));
        assert!(set.race.sum_axis(Axis(1)).iter().all(|sum| (sum - 1.0).abs() < 1e-12));
        assert!(!set.is_empty());
    }
}

#[test]
fn all_faces_have_one_mean_and_color_is_not_gender() {
    let faces = FacesSpec { train_per_gender: 10, ..small_faces() }.generate().train;
    let means: Vec<f64> = faces.images.outer_iter().map(|image| mean(image.iter().map(|&p| f64::from(p)))).collect();
    // Rounding 4096 pixels moves a mean by a few thousandths of a grey level, a saturated highlight by a little more.
    let (low, high) = means.iter().fold((f64::MAX, f64::MIN), |(low, high), &m| (low.min(m), high.max(m)));
    assert!(high - low < 0.2, "{low} {high}");
    assert!(faces.images.iter().filter(|&&p| p == 255).count() * 1000 < faces.images.len());
    let spread = faces.color.std(0.0);
    assert!((3.0..12.0).contains(&spread), "{spread}");
    // Labels are drawn apart; with 600 faces a correlation of zero stays below four standard errors.
    assert!(correlation(faces.gender.view(), faces.age.view()).abs() < 0.17);
    assert!(correlation(faces.gender.view(), faces.race.column(0)).abs() < 0.17);
    assert!(correlation(faces.gender.view(), faces.color.view()).abs() < 0.5);
}

#[test]
fn no_pixel_gives_gender_away_but_many_carry_a_little() {
    let faces = FacesSpec { train_per_gender: 20, ..small_faces() }.generate().train;
    let samples = faces.images.mapv(f64::from);
    let live = samples.columns().into_iter().filter(|pixel| pixel.std(0.0) > 2.0);
    let strength: Vec<f64> = live.map(|pixel| correlation(pixel, faces.gender.view()).abs()).collect();
    assert!(strength.iter().all(|&r| r < 0.8));
    assert!(strength.iter().filter(|&&r| r > 0.15).count() > 300);
}

#[test]
fn signs_have_their_sizes_and_labels() {
    let signs = small_signs().generate();
    for (set, tracks) in [(&signs.train, 2), (&signs.test, 1)] {
        let count = CLASSES * tracks * 4;
        assert_eq!(set.images.dim(), (count, SIGN * SIGN * 3));
        assert_eq!(set.samples().dim(), (count, SIGN * SIGN * 3));
        assert_eq!((set.len(), set.track.len(), set.frame.len()), (count, count, count));
        for n in 0..count {
            assert_eq!((set.class[n], set.track[n], set.frame[n]), (n / (4 * tracks), n / 4, n % 4));
        }
    }
    let brightness = mean(signs.train.images.iter().map(|&p| f64::from(p)));
    assert!((40.0..130.0).contains(&brightness), "{brightness}");
    let spread = signs.train.images.mapv(f64::from).std(0.0);
    assert!((30.0..80.0).contains(&spread), "{spread}");
}

#[test]
fn no_two_classes_look_the_same() {
    let signs = SignsSpec { train_tracks: 8, ..small_signs() }.generate().train;
    // Per-image contrast is removed first, else light would separate classes by chance.
    let mut samples = signs.images.mapv(f64::from);
    for mut image in samples.rows_mut() {
        let (m, s) = (mean(image.to_vec()), image.std(0.0));
        image.mapv_inplace(|p| (p - m) / s);
    }
    let center = |c: usize| samples.slice(ndarray::s![c * 32..(c + 1) * 32, ..]).mean_axis(Axis(0)).unwrap();
    let centers: Vec<_> = (0..CLASSES).map(center).collect();
    for a in 0..CLASSES {
        for b in 0..a {
            let distance = mean((&centers[a] - &centers[b]).mapv(|d| d * d)).sqrt();
            assert!(distance > 0.1, "{} and {}: {distance}", DESIGNS[a], DESIGNS[b]);
        }
    }
}

#[test]
fn frames_of_a_track_resemble_each_other_more_than_other_tracks() {
    let signs = SignsSpec { train_tracks: 4, ..small_signs() }.generate().train;
    let distance = |a: usize, b: usize| {
        mean(signs.images.row(a).iter().zip(signs.images.row(b)).map(|(&p, &q)| (f64::from(p) - f64::from(q)).powi(2)))
    };
    let within = mean((0..CLASSES * 4).map(|track| distance(4 * track + 1, 4 * track + 2)));
    let between = mean((0..CLASSES).map(|class| distance(16 * class + 1, 16 * class + 6)));
    assert!(2.0 * within < between, "{within} {between}");
}

#[test]
fn asking_for_nothing_gives_empty_sets() {
    let faces = FacesSpec { train_per_gender: 0, test_per_gender: 0, ..FacesSpec::default() }.generate();
    assert!(faces.train.is_empty() && faces.test.is_empty() && faces.train.race.dim() == (0, 3));
    let none = SignsSpec { train_tracks: 0, test_tracks: 3, frames: 0, ..SignsSpec::default() }.generate();
    assert!(none.train.is_empty() && none.test.is_empty());
    let single = SignsSpec { train_tracks: 1, test_tracks: 0, frames: 1, ..SignsSpec::default() }.generate();
    assert_eq!(single.train.len(), CLASSES);
}

#[test]
fn contact_sheets_are_grey_for_faces_and_coloured_for_signs() {
    let faces = contact_sheet(small_faces().generate().test.images.view(), FACE, 7).unwrap();
    assert_eq!((faces.width, faces.height, faces.channels), (7 * FACE, 9 * FACE, 1));
    let signs = contact_sheet(small_signs().generate().test.images.view(), SIGN, 16).unwrap();
    assert_eq!((signs.width, signs.height, signs.channels), (16 * SIGN, 8 * SIGN, 3));
    assert_eq!(signs.pixels.len(), signs.width * signs.height * 3);
}

#[test]
fn specifications_survive_json_and_refuse_unknown_fields() {
    let spec = SignsSpec { seed: 9, ..small_signs() };
    let text = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<SignsSpec>(&text).unwrap(), spec);
    assert_eq!(serde_json::from_str::<FacesSpec>("{}").unwrap(), FacesSpec::default());
    assert!(serde_json::from_str::<FacesSpec>(r#"{"sed": 1}"#).is_err());
}
