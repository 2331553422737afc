//! Gaussian classifier and soft GC against direct computations.

use gsfa::Error;
use gsfa::labels::{Classes, LabelValues, SampleWeights};
use gsfa::readout::{ClassCovariance, Estimates, FittedReadout, GaussianClassifier, LabeledFeatures, Readout};
use ndarray::{Array1, Array2, ArrayView2, Axis, array, concatenate, s};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || random.sample(StandardNormal))
}

/// Three correlated clouds of different shape; class n mod 3.
fn clouds(rows: usize, d: usize) -> (Array2<f64>, LabelValues, LabelValues) {
    let mut features = normal(rows, d, 7);
    for (n, mut row) in features.rows_mut().into_iter().enumerate() {
        let class = n % 3;
        let tilt = row[0] * 0.6 * class as f64;
        row[d - 1] += tilt;
        row.mapv_inplace(|x| x * (1.0 + 0.5 * class as f64) + 1.5 * class as f64);
    }
    let names = (0..rows).map(|n| ["a", "b", "c"][n % 3]);
    let numbers = (0..rows).map(|n| [1.0, 5.0, 7.0][n % 3]).collect();
    (features, LabelValues::Classes(Classes::new(names)), LabelValues::Numbers(numbers))
}

fn fit(readout: Readout, features: ArrayView2<'_, f64>, label: &LabelValues, weights: &SampleWeights) -> FittedReadout {
    readout.fit(&LabeledFeatures::new(features, "label", label, weights).unwrap()).unwrap()
}

const fn plain(shrinkage: f64) -> GaussianClassifier {
    GaussianClassifier { features: None, bins: 60, shrinkage, covariance: ClassCovariance::Own }
}

/// Inverse and determinant by Gauss–Jordan elimination with pivoting.
fn invert(a: &Array2<f64>) -> (Array2<f64>, f64) {
    let d = a.nrows();
    let mut work = concatenate![Axis(1), a.view(), Array2::eye(d).view()];
    let mut determinant = 1.0;
    for i in 0..d {
        let pivot = (i..d).max_by(|&p, &q| work[[p, i]].abs().total_cmp(&work[[q, i]].abs())).unwrap();
        if pivot != i {
            for j in 0..2 * d {
                work.swap([i, j], [pivot, j]);
            }
            determinant = -determinant;
        }
        determinant *= work[[i, i]];
        let scaled = &work.row(i) / work[[i, i]];
        work.row_mut(i).assign(&scaled);
        for r in (0..d).filter(|&r| r != i) {
            let factor = work[[r, i]];
            work.row_mut(r).scaled_add(-factor, &scaled);
        }
    }
    (work.slice(s![.., d..]).to_owned(), determinant)
}

/// Posterior of class c and squared Mahalanobis distances, straight from the definition, without the log domain.
fn naive(train: &Array2<f64>, class: &[usize], shrinkage: f64, test: &Array2<f64>) -> (Array2<f64>, Array2<f64>) {
    let d = train.ncols();
    let (total, count) = (train.nrows() as f64, class.iter().max().unwrap() + 1);
    let mut stats = Vec::new();
    let mut pooled = Array2::<f64>::zeros((d, d));
    for c in 0..count {
        let rows: Vec<usize> = (0..train.nrows()).filter(|&n| class[n] == c).collect();
        let data = train.select(Axis(0), &rows);
        let mean = data.mean_axis(Axis(0)).unwrap();
        let centered = &data - &mean;
        let scatter = centered.t().dot(&centered);
        pooled += &scatter;
        stats.push((rows.len() as f64, mean, scatter));
    }
    pooled /= total - count as f64;
    let kappa = shrinkage * (d as f64 + 1.0);
    let mut density = Array2::zeros((test.nrows(), count));
    let mut distance = Array2::zeros((test.nrows(), count));
    for (c, (n, mean, scatter)) in stats.iter().enumerate() {
        let (inverse, determinant) = invert(&((scatter + &(&pooled * kappa)) / (n - 1.0 + kappa)));
        for (t, row) in test.rows().into_iter().enumerate() {
            let x: Array1<f64> = &row - mean;
            distance[[t, c]] = x.dot(&inverse.dot(&x));
            density[[t, c]] = n / total * (-0.5 * distance[[t, c]]).exp() / determinant.sqrt();
        }
    }
    let sums = density.sum_axis(Axis(1)).insert_axis(Axis(1));
    (density / sums, distance)
}

fn close(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= 1e-11 * scale.max(1.0)
}

#[test]
fn soft_gc_is_bayes_rule_with_full_covariances() {
    for d in [1, 2, 5] {
        for shrinkage in [0.0, 1.0] {
            let (features, _, numbers) = clouds(90, d);
            let class: Vec<usize> = (0..90).map(|n| n % 3).collect();
            let test = normal(50, d, 8) * 2.0;
            let (posterior, distance) = naive(&features, &class, shrinkage, &test);
            let weights = SampleWeights::uniform(90);
            let soft = fit(Readout::SoftGc(plain(shrinkage)), features.view(), &numbers, &weights);
            let hard = fit(Readout::GaussianClassifier(plain(shrinkage)), features.view(), &numbers, &weights);
            let (soft, hard) = (soft.estimate(test.view()).unwrap(), hard.estimate(test.view()).unwrap());
            let labels = array![1.0, 5.0, 7.0];
            for n in 0..50 {
                let p = posterior.row(n);
                for c in 0..3 {
                    assert!(close(soft.probabilities.as_ref().unwrap()[[n, c]], p[c], 1.0));
                }
                let expectation = p.dot(&labels);
                let deviation = (p.dot(&(&labels * &labels)) - expectation * expectation).max(0.0).sqrt();
                assert!(close(soft.numbers().unwrap()[n], expectation, 7.0));
                assert!((soft.standard_deviation.as_ref().unwrap()[n] - deviation).abs() < 1e-6);
                let best = (0..3).max_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap();
                assert_eq!(hard.numbers().unwrap()[n], labels[best]);
                let score = p.dot(&distance.row(n));
                assert!(close(soft.outlier_score.as_ref().unwrap()[n], score, score));
            }
        }
    }
}

#[test]
fn classes_get_the_most_probable_one_soft_or_hard() {
    let (features, classes, numbers) = clouds(60, 2);
    let weights = SampleWeights::uniform(60);
    let of_numbers = fit(Readout::SoftGc(plain(1.0)), features.view(), &numbers, &weights);
    let soft = fit(Readout::SoftGc(plain(1.0)), features.view(), &classes, &weights).estimate(features.view()).unwrap();
    let hard = fit(Readout::GaussianClassifier(plain(1.0)), features.view(), &classes, &weights)
        .estimate(features.view())
        .unwrap();
    assert_eq!(soft, hard);
    assert_eq!(soft.probabilities, of_numbers.estimate(features.view()).unwrap().probabilities);
    let class: Vec<usize> = (0..60).map(|n| n % 3).collect();
    let (posterior, _) = naive(&features, &class, 1.0, &features);
    for (p, &c) in posterior.rows().into_iter().zip(soft.classes().unwrap()) {
        assert!(p.iter().all(|&other| other <= p[c as usize] + 1e-11));
    }
}

fn agree(a: &Estimates, b: &Estimates, tolerance: f64) {
    let pairs = |x: &Array2<f64>, y: &Array2<f64>| x.iter().zip(y).all(|(p, q)| (p - q).abs() <= tolerance);
    assert!(pairs(a.probabilities.as_ref().unwrap(), b.probabilities.as_ref().unwrap()));
    for (x, y) in a.outlier_score.as_ref().unwrap().iter().zip(b.outlier_score.as_ref().unwrap()) {
        assert!((x - y).abs() <= tolerance * x.max(1.0));
    }
}

#[test]
fn weight_2_is_the_row_twice_and_the_scale_of_weights_does_not_matter() {
    let (features, classes, _) = clouds(20, 2);
    let LabelValues::Classes(of) = &classes else { unreachable!() };
    let twice: Vec<usize> = (0..20).chain([3, 4, 10]).collect();
    let more = LabelValues::Classes(Classes::new(twice.iter().map(|&n| &of.names()[of.of_sample()[n] as usize])));
    let numbers = LabelValues::Numbers((0..20).map(|n| features[[n, 0]]).collect());
    let more_numbers = LabelValues::Numbers(twice.iter().map(|&n| features[[n, 0]]).collect());
    let weight = |scale: f64| {
        SampleWeights::new((0..20).map(|n| if [3, 4, 10].contains(&n) { 2.0 * scale } else { scale }).collect())
            .unwrap()
    };
    let rows = features.select(Axis(0), &twice);
    for (label, repeated) in [(&classes, &more), (&numbers, &more_numbers)] {
        let readout = Readout::SoftGc(plain(1.0));
        let by_weight = fit(readout, features.view(), label, &weight(1.0)).estimate(features.view()).unwrap();
        let by_rows =
            fit(readout, rows.view(), repeated, &SampleWeights::uniform(23)).estimate(features.view()).unwrap();
        let scaled = fit(readout, features.view(), label, &weight(1000.0)).estimate(features.view()).unwrap();
        agree(&by_weight, &by_rows, 1e-9);
        agree(&by_weight, &scaled, 1e-9);
    }
}

#[test]
fn far_from_all_classes_probabilities_are_finite_and_the_outlier_score_is_large() {
    let (features, _, numbers) = clouds(90, 3);
    let soft = fit(Readout::SoftGc(plain(1.0)), features.view(), &numbers, &SampleWeights::uniform(90));
    let near = soft.estimate(features.view()).unwrap();
    let typical = near.outlier_score.as_ref().unwrap().mean().unwrap();
    assert!(typical > 0.5 && typical < 6.0, "about d = 3, not {typical}");
    let far = array![[1e3, 0.0, 0.0], [-1e6, 1e6, 0.0], [1e100, 1e150, -1e300], [f64::MAX, f64::MIN, 0.0]];
    let estimates = soft.estimate(far.view()).unwrap();
    for n in 0..4 {
        let p = estimates.probabilities.as_ref().unwrap().row(n).to_owned();
        assert!(p.iter().all(|x| (0.0..=1.0).contains(x)) && (p.sum() - 1.0).abs() < 1e-12, "{p}");
        assert!((1.0..=7.0).contains(&estimates.numbers().unwrap()[n]));
        assert!(estimates.standard_deviation.as_ref().unwrap()[n].is_finite());
        let score = estimates.outlier_score.as_ref().unwrap()[n];
        assert!(score > 1e4 && score.is_finite(), "{score}");
    }
}

#[test]
fn classes_of_one_and_two_samples_have_a_shape() {
    let mut features = normal(43, 2, 3);
    features.slice_mut(s![40.., ..]).mapv_inplace(|x| x + 10.0);
    let names = (0..43).map(|n| {
        if n < 40 {
            "many"
        } else if n < 42 {
            "two"
        } else {
            "one"
        }
    });
    let label = LabelValues::Classes(Classes::new(names));
    let readout = Readout::GaussianClassifier(plain(1.0));
    let fitted = fit(readout, features.view(), &label, &SampleWeights::uniform(43));
    assert_eq!(fitted.class_names().unwrap(), ["many", "one", "two"]);
    let at_one = fitted.estimate(features.slice(s![42.., ..])).unwrap();
    let p = at_one.probabilities.unwrap();
    assert!(p.iter().all(|x| x.is_finite()) && p[[0, 0]] < 1e-6 && p[[0, 1]] > 0.1, "{p}");
    // With the pooled covariance of the many, a deviation away from the single sample is no outlier.
    let beside = fitted.estimate((&features.slice(s![42.., ..]) + 0.5).view()).unwrap();
    assert!(beside.outlier_score.unwrap()[0] < 3.0);
    // Without shrinkage a single sample still gets the pooled covariance.
    let bare = fit(Readout::GaussianClassifier(plain(0.0)), features.view(), &label, &SampleWeights::uniform(43));
    assert!(bare.estimate(features.view()).unwrap().probabilities.unwrap().iter().all(|x| x.is_finite()));
}

#[test]
fn constant_and_repeated_features_change_nothing() {
    let (features, classes, _) = clouds(60, 2);
    let weights = SampleWeights::uniform(60);
    let constant = Array2::from_elem((60, 1), 0.1);
    let wide = concatenate![Axis(1), features.view(), constant.view()];
    let readout = Readout::SoftGc(plain(0.0));
    let plain_fit = fit(readout, features.view(), &classes, &weights).estimate(features.view()).unwrap();
    let mut odd = wide.clone();
    odd.column_mut(2).fill(99.0);
    let fitted = fit(readout, wide.view(), &classes, &weights);
    agree(&plain_fit, &fitted.estimate(wide.view()).unwrap(), 1e-10);
    agree(&plain_fit, &fitted.estimate(odd.view()).unwrap(), 1e-10);
    let repeated = concatenate![Axis(1), features.view(), features.slice(s![.., ..1])];
    let estimates = fit(readout, repeated.view(), &classes, &weights).estimate(repeated.view()).unwrap();
    assert_eq!(estimates.classes(), plain_fit.classes());
    // Nothing but constant features: the priors decide.
    let nothing = fit(readout, constant.view(), &classes, &weights).estimate(constant.view()).unwrap();
    assert!(nothing.probabilities.unwrap().iter().all(|p| (p - 1.0 / 3.0).abs() < 1e-12));
}

#[test]
fn a_continuous_label_is_estimated_through_rank_bins() {
    let noise = normal(3000, 1, 5);
    let values: Vec<f64> = (0..3000).map(|n| f64::from(n) / 300.0).collect();
    let features = Array2::from_shape_fn((3000, 1), |(n, _)| values[n].powi(3) / 100.0 + 0.02 * noise[[n, 0]]);
    let label = LabelValues::Numbers(values.clone());
    let fitted = fit(Readout::SoftGc(plain(1.0)), features.view(), &label, &SampleWeights::uniform(3000));
    let FittedReadout::Gaussian(gaussian) = &fitted else { panic!("not a Gaussian classifier") };
    assert_eq!(gaussian.class_count(), 60);
    let estimates = fitted.estimate(features.view()).unwrap();
    let error = |from: usize| {
        let squares = (from..3000).map(|n| (estimates.numbers().unwrap()[n] - values[n]).powi(2));
        (squares.sum::<f64>() / (3000 - from) as f64).sqrt()
    };
    assert!(error(600) < 0.15, "the curve is steep there: {}", error(600));
    // Bins of 50 consecutive labels; √(Σ P(ℓ̄² + σ²) − ℓ̂²) from raw second moments.
    let mean = |bin: usize| values[50 * bin..50 * bin + 50].iter().sum::<f64>() / 50.0;
    let square = |bin: usize| values[50 * bin..50 * bin + 50].iter().map(|l| l * l).sum::<f64>() / 50.0;
    for n in (0..3000).step_by(7) {
        let p = estimates.probabilities.as_ref().unwrap().row(n);
        let expectation: f64 = (0..60).map(|bin| p[bin] * mean(bin)).sum();
        let variance: f64 = (0..60).map(|bin| p[bin] * square(bin)).sum::<f64>() - expectation * expectation;
        assert!(close(estimates.numbers().unwrap()[n], expectation, 10.0));
        let deviation = estimates.standard_deviation.as_ref().unwrap()[n];
        assert!(close(deviation * deviation, variance, 100.0), "{deviation} {}", variance.sqrt());
    }
}

#[test]
fn few_samples_make_few_bins() {
    let features = normal(12, 1, 1);
    let label = LabelValues::Numbers((0..12).map(f64::from).collect());
    let fitted = fit(Readout::SoftGc(plain(1.0)), features.view(), &label, &SampleWeights::uniform(12));
    let FittedReadout::Gaussian(gaussian) = &fitted else { panic!("not a Gaussian classifier") };
    assert_eq!(gaussian.class_count(), 4, "12 samples / (1 feature + 2)");
    assert_eq!(gaussian.bin_means(), array![1.0, 4.0, 7.0, 10.0]);
    let two = LabelValues::Numbers(vec![1.0, 2.0]);
    let estimates = fit(Readout::SoftGc(plain(1.0)), features.slice(s![..2, ..]), &two, &SampleWeights::uniform(2))
        .estimate(features.slice(s![..2, ..]))
        .unwrap();
    assert!((estimates.numbers().unwrap()[0] - 1.0).abs() < 1e-12);
}

#[test]
fn bad_labels_and_parameters_are_errors() {
    let features = normal(6, 2, 1);
    let weights = SampleWeights::uniform(6);
    let fit = |readout: GaussianClassifier, label: LabelValues| {
        readout.fit(&LabeledFeatures::new(features.view(), "x", &label, &weights)?).map(|_| ())
    };
    let classes = |names: &[&str]| LabelValues::Classes(Classes::new(names));
    let good = ["a", "b", "a", "b", "a", "b"];
    assert!(matches!(fit(plain(1.0), classes(&["a"; 6])), Err(Error::TooFewClasses { .. })));
    assert!(matches!(
        fit(plain(1.0), classes(&["a", "b", "c", "d", "e", "f"])),
        Err(Error::EverySampleItsOwnClass { classes: 6, samples: 6 })
    ));
    assert!(matches!(fit(plain(1.0), LabelValues::Numbers(vec![3.0; 6])), Err(Error::ConstantLabel { .. })));
    assert!(matches!(fit(plain(1.0), LabelValues::Numbers(vec![f64::NAN; 6])), Err(Error::NonFinite { .. })));
    assert!(matches!(fit(plain(1.0), classes(&good[..5])), Err(Error::LengthMismatch { .. })));
    assert!(fit(plain(-1.0), classes(&good)).is_err());
    assert!(fit(GaussianClassifier { bins: 1, ..plain(1.0) }, classes(&good)).is_err());
    assert!(matches!(
        fit(GaussianClassifier { features: Some(3), ..plain(1.0) }, classes(&good)),
        Err(Error::TooMany { requested: 3, available: 2, .. })
    ));
    assert!(fit(plain(1.0), classes(&good)).is_ok());
}

#[test]
fn a_shared_covariance_is_the_limit_of_strong_shrinkage() {
    let (features, classes, numbers) = clouds(90, 3);
    let weights = SampleWeights::uniform(90);
    for label in [&classes, &numbers] {
        let shared = GaussianClassifier { covariance: ClassCovariance::Shared, ..plain(1.0) };
        let ours = fit(Readout::SoftGc(shared), features.view(), label, &weights).estimate(features.view()).unwrap();
        let limit = fit(Readout::SoftGc(plain(1e12)), features.view(), label, &weights);
        let limit = limit.estimate(features.view()).unwrap();
        let probabilities = |estimates: &Estimates| estimates.probabilities.clone().unwrap_or_default();
        let off = (probabilities(&ours) - probabilities(&limit)).mapv(f64::abs);
        assert!(off.iter().all(|x| *x < 1e-8));
        if let (Some(a), Some(b)) = (ours.numbers(), limit.numbers()) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8));
        }
    }
}
