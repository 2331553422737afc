//! What every read-out must do, and the measures.

use gsfa::Error;
use gsfa::labels::{Classes, LabelValues, SampleWeights};
use gsfa::readout::measures::{
    chance_error_rate, chance_rmse, class_indices, confusion_matrix, error_rate, mae, majority_class, mean,
    percent_of_chance, r_squared, rmse,
};
use gsfa::readout::{
    ClassCovariance, FittedReadout, GaussianClassifier, LabelClip, LabeledFeatures, LinearRegression, LinearScaling,
    NearestCentroid, NearestNeighbors, PartsHeader, Readout,
};
use ndarray::{Array2, ArrayD, Axis, IxDyn, ShapeBuilder, array, concatenate};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

const READOUTS: [Readout; 6] = [
    Readout::LinearScaling(LinearScaling { clip: LabelClip::Training }),
    Readout::LinearRegression(LinearRegression { features: Some(2), clip: LabelClip::Training }),
    Readout::GaussianClassifier(GaussianClassifier {
        features: Some(2),
        bins: 60,
        shrinkage: 1.0,
        covariance: ClassCovariance::Shared,
    }),
    Readout::SoftGc(GaussianClassifier { features: None, bins: 10, shrinkage: 0.5, covariance: ClassCovariance::Own }),
    Readout::NearestCentroid(NearestCentroid { features: None }),
    Readout::NearestNeighbors(NearestNeighbors { features: Some(3), neighbors: 4 }),
];

fn features(rows: usize) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    Array2::from_shape_simple_fn((rows, 3), || random.sample(StandardNormal))
}

/// Every read-out, fitted to numbers and to classes where it can be.
fn all_fitted() -> Vec<FittedReadout> {
    let x = features(80);
    let weights = SampleWeights::new((0..80).map(|n| 1.0 + (n % 3) as f64).collect()).unwrap();
    let numbers = LabelValues::Numbers(x.rows().into_iter().map(|row| row[0] + 0.2 * row[1]).collect());
    let classes =
        LabelValues::Classes(Classes::new(x.rows().into_iter().map(|row| (row[0].floor() as i32).to_string())));
    let mut fitted = Vec::new();
    for readout in READOUTS {
        for label in [&numbers, &classes] {
            match readout.fit(&LabeledFeatures::new(x.view(), "label", label, &weights).unwrap()) {
                Ok(one) => fitted.push(one),
                Err(error) => assert!(matches!(error, Error::LabelKind { .. }), "{error}"),
            }
        }
    }
    assert_eq!(fitted.len(), 9);
    fitted
}

#[test]
fn parts_give_back_the_same_readout() {
    for fitted in all_fitted() {
        let mut parts = fitted.to_parts();
        let header = serde_json::to_string(&parts.header).unwrap();
        parts.header = serde_json::from_str(&header).unwrap();
        let again = FittedReadout::from_parts(parts).unwrap();
        assert_eq!(again, fitted);
        assert_eq!(again.estimate(features(30).view()), fitted.estimate(features(30).view()));
    }
}

#[test]
fn parts_of_the_wrong_shape_are_refused() {
    for fitted in all_fitted() {
        let good = fitted.to_parts();
        for name in good.arrays.keys() {
            let array = &good.arrays[name];
            let mut missing = good.clone();
            missing.arrays.remove(name);
            assert!(FittedReadout::from_parts(missing).is_err(), "{name}");

            let mut flat = good.clone();
            flat.arrays.insert(name.clone(), array.clone().insert_axis(Axis(0)));
            assert!(FittedReadout::from_parts(flat).is_err(), "{name}");

            let mut broken = good.clone();
            if let Some(x) = broken.arrays.get_mut(name).unwrap().first_mut() {
                *x = f64::NAN;
                assert!(FittedReadout::from_parts(broken).is_err(), "{name}");
            }
            // One more entry along any axis disagrees with the header or another array.
            for axis in 0..array.ndim() {
                let alone = ["coefficients"].contains(&name.as_str()) || (name == "centroids" && axis == 1);
                if alone || (name == "samples" && axis == 0) {
                    continue; // the only array that knows this length
                }
                let mut longer = good.clone();
                let first = array.index_axis(Axis(axis), 0).insert_axis(Axis(axis)).to_owned();
                longer.arrays.insert(name.clone(), concatenate![Axis(axis), array.view(), first.view()]);
                assert!(FittedReadout::from_parts(longer).is_err(), "{name}, axis {axis}");
            }
        }
        let mut surplus = good.clone();
        surplus.arrays.insert("surplus".into(), ArrayD::zeros(IxDyn(&[2])));
        assert!(FittedReadout::from_parts(surplus).is_err());
        let mut renamed = good;
        renamed.header = match renamed.header {
            PartsHeader::Linear => PartsHeader::NearestCentroid { classes: vec!["a".into(), "b".into()] },
            _ => PartsHeader::Linear,
        };
        assert!(FittedReadout::from_parts(renamed).is_err());
    }
}

#[test]
fn rows_are_independent_in_any_layout_and_number_of_threads() {
    let x = features(700);
    let mut columns = Array2::zeros((700, 3).f());
    columns.assign(&x);
    for fitted in all_fitted() {
        let whole = fitted.estimate(x.view()).unwrap();
        assert_eq!(fitted.estimate(columns.view()).unwrap(), whole);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| fitted.estimate(x.view())).unwrap(), whole);
        }
        let one = fitted.estimate(x.slice(ndarray::s![401..402, ..])).unwrap();
        assert_eq!(one.numbers().map(|v| v[0]), whole.numbers().map(|v| v[401]));
        assert_eq!(one.classes().map(|c| c[0]), whole.classes().map(|c| c[401]));
        let none = fitted.estimate(x.slice(ndarray::s![..0, ..])).unwrap();
        assert_eq!(none.numbers().map_or(0, |v| v.len()) + none.classes().map_or(0, <[u32]>::len), 0);
    }
}

#[test]
fn huge_values_are_errors_in_training_and_harmless_later() {
    let weights = SampleWeights::uniform(3);
    let (good, huge) = (array![[1.0], [2.0], [4.0]], array![[1.0], [1e200], [4.0]]);
    let label = LabelValues::Numbers(vec![1.0, 2.0, 3.0]);
    let result = LabeledFeatures::new(huge.view(), "x", &label, &weights).map(|_| ());
    assert_eq!(result, Err(Error::Overflow { row: 1, column: 0, value: 1e200 }));
    let label = LabelValues::Numbers(vec![1.0, 2.0, 1e200]);
    assert!(matches!(LabeledFeatures::new(good.view(), "x", &label, &weights), Err(Error::Parameter { .. })));
    for fitted in all_fitted() {
        let estimates = fitted.estimate(array![[1e200, -1e200, 1e300]].view()).unwrap();
        assert!(estimates.numbers().is_none_or(|v| v[0].is_finite()), "{estimates:?}");
        assert!(estimates.standard_deviation.is_none_or(|v| v[0].is_finite()));
        assert!(estimates.probabilities.is_none_or(|p| (p.sum() - 1.0).abs() < 1e-12));
    }
}

#[test]
fn specifications_survive_toml() {
    for readout in READOUTS {
        let text = toml::to_string(&readout).unwrap();
        assert_eq!(toml::from_str::<Readout>(&text).unwrap(), readout, "{text}");
    }
    let short: Readout = toml::from_str("kind = 'soft_gc'\nfeatures = 3").unwrap();
    assert_eq!(short, Readout::SoftGc(GaussianClassifier { features: Some(3), ..Default::default() }));
    assert!(toml::from_str::<Readout>("kind = 'soft_gc'\nfeature = 3").is_err());
    assert!(toml::from_str::<Readout>("kind = 'softer_gc'").is_err());
}

#[test]
fn measures_of_numbers_are_the_ones_computed_by_hand() {
    let (estimates, labels) = ([1.0, 2.0, 4.0, 7.0], [1.0, 4.0, 3.0, 8.0]);
    let uniform = SampleWeights::uniform(4);
    assert_eq!(rmse(&estimates, &labels, &uniform).unwrap(), 1.5_f64.sqrt()); // (0 + 4 + 1 + 1)/4
    assert_eq!(mae(&estimates, &labels, &uniform).unwrap(), 1.0);
    assert_eq!(mean(&labels, &uniform).unwrap(), 4.0);
    assert_eq!(chance_rmse(4.0, &labels, &uniform).unwrap(), 6.5_f64.sqrt()); // (9 + 0 + 1 + 16)/4
    assert!((r_squared(&estimates, &labels, &uniform).unwrap() - (1.0 - 1.5 / 6.5)).abs() < 1e-15);
    assert_eq!(percent_of_chance(1.0, 4.0), 25.0);
    let weights = SampleWeights::new(vec![1.0, 1.0, 2.0, 4.0]).unwrap();
    assert_eq!(rmse(&estimates, &labels, &weights).unwrap(), 1.25_f64.sqrt()); // (0 + 4 + 2 + 4)/8
    assert_eq!(mae(&estimates, &labels, &weights).unwrap(), 1.0); // (0 + 2 + 2 + 4)/8
    assert_eq!(mean(&labels, &weights).unwrap(), 5.375); // (1 + 4 + 6 + 32)/8
    // 60 equal steps of 0.1: the chance level of the paper's gender labels.
    let gender: Vec<f64> = (0..60).map(|g| -3.0 + 0.1 * f64::from(g)).collect();
    let uniform = SampleWeights::uniform(60);
    let chance = chance_rmse(mean(&gender, &uniform).unwrap(), &gender, &uniform).unwrap();
    assert!((chance - 1.7318).abs() < 5e-5, "{chance}");
}

#[test]
fn measures_of_classes_are_the_ones_computed_by_hand() {
    let (estimates, classes) = ([0, 1, 1, 2, 2], [0, 1, 2, 2, 2]);
    let uniform = SampleWeights::uniform(5);
    assert_eq!(error_rate(&estimates, &classes, &uniform).unwrap(), 0.2);
    assert_eq!(majority_class(&classes, &uniform).unwrap(), 2);
    assert_eq!(chance_error_rate(2, &classes, &uniform).unwrap(), 0.4);
    let weights = SampleWeights::new(vec![6.0, 1.0, 1.0, 1.0, 1.0]).unwrap();
    assert_eq!(error_rate(&estimates, &classes, &weights).unwrap(), 0.1);
    assert_eq!(majority_class(&classes, &weights).unwrap(), 0);
    let confusion = confusion_matrix(&estimates, &classes, 3, &weights).unwrap();
    assert_eq!(confusion, array![[6.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 2.0]]);
    assert!(confusion_matrix(&estimates, &classes, 2, &weights).is_err());
}

#[test]
fn scoring_an_unseen_class_names_it() {
    let known = ["a".to_string(), "b".to_string()];
    assert_eq!(class_indices(&Classes::new(["b", "b", "a"]), &known).unwrap(), [1, 1, 0]);
    let error = class_indices(&Classes::new(["b", "horse"]), &known).unwrap_err();
    assert_eq!(error, Error::UnknownClass { name: "horse".into(), known: known.to_vec() });
}

#[test]
fn measures_refuse_nothing_and_unequal_lengths() {
    assert!(matches!(rmse(&[], &[], &SampleWeights::uniform(0)), Err(Error::TooFewSamples { .. })));
    assert!(matches!(rmse(&[1.0], &[1.0, 2.0], &SampleWeights::uniform(2)), Err(Error::LengthMismatch { .. })));
    assert!(matches!(mae(&[1.0], &[1.0], &SampleWeights::uniform(2)), Err(Error::LengthMismatch { .. })));
    assert!(majority_class(&[], &SampleWeights::uniform(0)).is_err());
    assert!(matches!(
        r_squared(&[1.0, 2.0], &[3.0, 3.0], &SampleWeights::uniform(2)),
        Err(Error::ConstantLabel { .. })
    ));
}
