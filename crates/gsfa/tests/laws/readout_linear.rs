//! Linear scaling and linear regression.

use gsfa::Error;
use gsfa::labels::{Classes, LabelValues, Labels, SampleWeights};
use gsfa::readout::{LabelClip, LabeledFeatures, LinearRegression, LinearScaling, Readout, Recovery};
use ndarray::{Array1, Array2, Axis, array, concatenate, s};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || random.sample(StandardNormal))
}

fn weights(rows: usize) -> SampleWeights {
    SampleWeights::new((0..rows).map(|n| 1.0 + (n % 4) as f64).collect()).unwrap()
}

/// Weighted mean 0, weighted variance 1.
fn normalized(values: &[f64], weights: &SampleWeights) -> (Vec<f64>, f64, f64) {
    let total: f64 = weights.as_slice().iter().sum();
    let mean = values.iter().zip(weights.as_slice()).map(|(x, w)| x * w).sum::<f64>() / total;
    let variance = values.iter().zip(weights.as_slice()).map(|(x, w)| w * (x - mean) * (x - mean)).sum::<f64>() / total;
    (values.iter().map(|x| (x - mean) / variance.sqrt()).collect(), mean, variance.sqrt())
}

#[test]
fn scaling_the_normalised_label_of_either_sign_gives_the_label() {
    let raw: Vec<f64> = normal(40, 1, 1).iter().map(|x| 30.0 + 9.0 * x).collect();
    let weights = weights(40);
    let (label, mean, deviation) = normalized(&raw, &weights);
    for sign in [1.0, -1.0] {
        let features = Array2::from_shape_fn((40, 1), |(n, _)| sign * label[n]);
        let values = LabelValues::Numbers(raw.clone());
        let training = LabeledFeatures::new(features.view(), "age", &values, &weights).unwrap();
        let fitted = Readout::LinearScaling(LinearScaling::default()).fit(&training).unwrap();
        for (estimate, expected) in fitted.estimate(features.view()).unwrap().numbers().unwrap().iter().zip(&raw) {
            assert!((estimate - expected).abs() < 1e-12 * 60.0);
        }
        let linear = LinearScaling { clip: LabelClip::None }.fit(&training).unwrap();
        assert!((linear.intercept() - mean).abs() < 1e-12 * mean);
        assert!((linear.coefficients()[0] - sign * deviation).abs() < 1e-12 * deviation);
    }
}

#[test]
fn estimates_are_clipped_to_the_label_range_if_asked() {
    let features = array![[-1.0], [1.0]];
    let label = LabelValues::Numbers(vec![-3.0, 2.9]);
    let weights = SampleWeights::uniform(2);
    let training = LabeledFeatures::new(features.view(), "gender", &label, &weights).unwrap();
    let far = array![[-9.0], [9.0]];
    for (readout, clipped) in [
        (Readout::LinearScaling(LinearScaling { clip: LabelClip::Training }), true),
        (Readout::LinearScaling(LinearScaling { clip: LabelClip::None }), false),
        (Readout::LinearRegression(LinearRegression { features: None, clip: LabelClip::Training }), true),
        (Readout::LinearRegression(LinearRegression { features: None, clip: LabelClip::None }), false),
    ] {
        let y = readout.fit(&training).unwrap().estimate(far.view()).unwrap().numbers().unwrap().to_owned();
        if clipped {
            assert_eq!(y, array![-3.0, 2.9]);
        } else {
            assert!((y[0] + 26.6).abs() < 1e-12 && (y[1] - 26.5).abs() < 1e-12, "{y}");
        }
    }
}

#[test]
fn several_raw_labels_are_recovered_through_their_transform() {
    // Decorrelated target labels of unit variance, and three raw labels made from them.
    let weights = weights(60);
    let mut targets = normal(60, 3, 2);
    let total: f64 = weights.as_slice().iter().sum();
    for k in 0..3 {
        for j in 0..k {
            let product: f64 = (0..60).map(|n| weights.as_slice()[n] * targets[[n, j]] * targets[[n, k]]).sum();
            let earlier = targets.column(j).to_owned();
            targets.column_mut(k).scaled_add(-product / total, &earlier);
        }
        let (column, ..) = normalized(&targets.column(k).to_vec(), &weights);
        targets.column_mut(k).assign(&Array1::from(column));
    }
    let transform = array![[2.0, -0.5, 0.25], [0.0, 3.0, -1.0], [0.0, 0.0, 0.125]];
    let means = array![10.0, -4.0, 0.5];
    let raw = targets.dot(&transform) + &means;
    let names: Vec<String> = ["age", "colour", "race"].map(String::from).to_vec();
    let mut labels = Labels::numbers("age", raw.column(0).to_vec());
    for (j, name) in [(1, "colour"), (2, "race")] {
        labels = labels.and_numbers(name, raw.column(j).to_vec()).unwrap();
    }
    // Features out of the order of the labels, and one of them with the other sign.
    let features =
        ndarray::stack![ndarray::Axis(1), targets.column(2), targets.column(0), targets.column(1).mapv(|x| -x)];
    let correlations = array![[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let recovery = Recovery::new(names, means, transform).unwrap();
    let shape = recovery.clone().paired(correlations.slice(s![.., ..2]));
    assert!(shape.is_err(), "one column for each target label");
    let recovery = recovery.paired(correlations.view()).unwrap();
    let readout = Readout::LinearScaling(LinearScaling::default());
    let fitted = readout.fit_all(features.view(), &labels, &weights, Some(&recovery)).unwrap();
    assert_eq!(fitted.len(), 3);
    for (j, fitted) in fitted.iter().enumerate() {
        let name = &fitted.label;
        assert_eq!(name, &recovery.names()[j]);
        for (estimate, expected) in
            fitted.estimate(features.view()).unwrap().numbers().unwrap().iter().zip(raw.column(j))
        {
            assert!((estimate - expected).abs() < 1e-11 * 20.0, "{name}");
        }
    }
    assert!(readout.fit_all(features.view(), &labels, &weights, None).is_err(), "one feature cannot give three labels");
    // The feature of the first target label alone gives the first label, of a triangular transform.
    let own = features.slice(s![.., 1..2]);
    let alone = recovery.paired(array![[1.0, 0.0, 0.0]].view()).unwrap();
    let first = readout.fit_all(own, &labels, &weights, Some(&alone)).unwrap();
    assert!((first[0].estimate(own).unwrap().numbers().unwrap()[5] - raw[[5, 0]]).abs() < 1e-10);
}

#[test]
fn a_recovery_of_the_wrong_shape_is_an_error() {
    let names = || vec!["a".to_string(), "b".to_string()];
    assert!(matches!(Recovery::new(names(), array![1.0], Array2::zeros((2, 2))), Err(Error::Shape { .. })));
    assert!(matches!(Recovery::new(names(), array![1.0, 2.0], Array2::zeros((2, 3))), Err(Error::Shape { .. })));
    assert!(Recovery::new(names(), array![1.0, f64::NAN], Array2::zeros((2, 2))).is_err());
    let recovery = Recovery::new(names(), array![1.0, 2.0], Array2::eye(2)).unwrap();
    let (x, label, weights) = (normal(3, 2, 1), LabelValues::Numbers(vec![1.0, 2.0, 3.0]), SampleWeights::uniform(3));
    let training = LabeledFeatures::new(x.view(), "c", &label, &weights).unwrap();
    assert!(matches!(LinearScaling::default().fit_recovering(&training, &recovery), Err(Error::UnknownLabel { .. })));
}

/// Solves the weighted normal equations of [1, x] by elimination without pivoting (they are positive definite).
fn normal_equations(x: &Array2<f64>, y: &[f64], weights: &[f64]) -> Array1<f64> {
    let rows = x.nrows();
    let design = concatenate![Axis(1), Array2::ones((rows, 1)).view(), x.view()];
    let weighted = &design * &Array1::from(weights.to_vec()).insert_axis(Axis(1));
    let mut a = weighted.t().dot(&design);
    let mut b = weighted.t().dot(&Array1::from(y.to_vec()));
    let d = b.len();
    for i in 0..d {
        for r in i + 1..d {
            let factor = a[[r, i]] / a[[i, i]];
            let row = a.row(i).to_owned();
            a.row_mut(r).scaled_add(-factor, &row);
            b[r] -= factor * b[i];
        }
    }
    for i in (0..d).rev() {
        let known: f64 = (i + 1..d).map(|j| a[[i, j]] * b[j]).sum();
        b[i] = (b[i] - known) / a[[i, i]];
    }
    b
}

#[test]
fn regression_solves_the_weighted_normal_equations() {
    for (rows, d) in [(3, 1), (10, 2), (200, 7)] {
        let x = normal(rows, d + 1, 3) * 4.0 + 1.0;
        let noise = normal(rows, 1, 4);
        let y: Vec<f64> = (0..rows).map(|n| 2.0 + x.row(n).sum() + noise[[n, 0]]).collect();
        let weights = weights(rows);
        let label = LabelValues::Numbers(y.clone());
        let training = LabeledFeatures::new(x.view(), "y", &label, &weights).unwrap();
        let fitted = LinearRegression { features: Some(d), clip: LabelClip::None }.fit(&training).unwrap();
        let expected = normal_equations(&x.slice(s![.., ..d]).to_owned(), &y, weights.as_slice());
        assert!((fitted.intercept() - expected[0]).abs() < 1e-10 * (1.0 + expected[0].abs()));
        for i in 0..d {
            assert!((fitted.coefficients()[i] - expected[i + 1]).abs() < 1e-10 * (1.0 + expected[i + 1].abs()));
        }
    }
}

#[test]
fn regression_ignores_constant_features_and_shares_among_equal_ones() {
    let x = normal(50, 1, 5);
    let wide = concatenate![Axis(1), x.view(), Array2::from_elem((50, 1), 0.1).view(), x.view()];
    let y: Vec<f64> = x.iter().map(|x| 1.0 + 3.0 * x).collect();
    let (label, weights) = (LabelValues::Numbers(y), SampleWeights::uniform(50));
    let training = LabeledFeatures::new(wide.view(), "y", &label, &weights).unwrap();
    let fitted = LinearRegression { features: None, clip: LabelClip::None }.fit(&training).unwrap();
    for (coefficient, expected) in fitted.coefficients().iter().zip([1.5, 0.0, 1.5]) {
        assert!((coefficient - expected).abs() < 1e-12);
    }
    assert_eq!(fitted.coefficients()[1], 0.0);
}

#[test]
fn linear_readouts_need_numbers_and_finite_features() {
    let mut x = normal(4, 2, 6);
    let classes = LabelValues::Classes(Classes::new(["a", "b", "a", "b"]));
    let weights = SampleWeights::uniform(4);
    let training = LabeledFeatures::new(x.view(), "sign", &classes, &weights).unwrap();
    assert!(matches!(LinearScaling::default().fit(&training), Err(Error::LabelKind { found: "classes", .. })));
    assert!(matches!(LinearRegression::default().fit(&training), Err(Error::LabelKind { found: "classes", .. })));
    let numbers = LabelValues::Numbers(vec![1.0, 2.0, 3.0, 4.0]);
    let training = LabeledFeatures::new(x.view(), "age", &numbers, &weights).unwrap();
    let fitted = Readout::LinearRegression(LinearRegression::default()).fit(&training).unwrap();
    assert!(matches!(fitted.estimate(x.slice(s![.., ..1])), Err(Error::Shape { .. })));
    x[[2, 1]] = f64::INFINITY;
    let bad = Error::NonFiniteSample { row: 2, column: 1, total: 1 };
    assert_eq!(fitted.estimate(x.view()).unwrap_err(), bad);
    assert_eq!(LabeledFeatures::new(x.view(), "age", &numbers, &weights).unwrap_err(), bad);
}
