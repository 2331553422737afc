//! Laws of `[eq:label_normalization]`.

use gsfa::Error;
use gsfa::labels::Normalization;
use proptest::prelude::*;

/// Weighted mean and mean square of the normalised label, by their definition.
fn moments(normalization: &Normalization, values: &[f64], weights: &[f64]) -> (f64, f64) {
    let q: f64 = weights.iter().sum();
    let normalized: Vec<f64> = values.iter().map(|&x| normalization.apply(x)).collect();
    let mean = normalized.iter().zip(weights).map(|(x, w)| w * x).sum::<f64>() / q;
    let square = normalized.iter().zip(weights).map(|(x, w)| w * x * x).sum::<f64>() / q;
    (mean, square)
}

#[test]
fn mean_and_deviation_are_the_weighted_ones() {
    let n = Normalization::of("l", &[1.0, 2.0, 7.0], &[2.0, 1.0, 1.0]).unwrap();
    assert_eq!(n.mean, 11.0 / 4.0);
    assert!((n.deviation.powi(2) - (2.0 * 1.75_f64.powi(2) + 0.75_f64.powi(2) + 4.25_f64.powi(2)) / 4.0).abs() < 1e-14);
}

#[test]
fn an_offset_of_1e8_costs_only_the_digits_it_takes() {
    let small: Vec<f64> = (0..1000).map(|n| f64::from(n % 7) / 8.0).collect();
    let weights: Vec<f64> = (0..1000).map(|n| 1.0 + f64::from(n % 3)).collect();
    let shifted: Vec<f64> = small.iter().map(|x| x + 1e8).collect();
    let (a, b) =
        (Normalization::of("l", &small, &weights).unwrap(), Normalization::of("l", &shifted, &weights).unwrap());
    assert!((a.deviation - b.deviation).abs() < 1e-14, "{} {}", a.deviation, b.deviation);
    assert!((a.mean + 1e8 - b.mean).abs() <= 2.0 * f64::EPSILON * 1e8);
}

#[test]
fn a_scale_neither_overflows_nor_vanishes() {
    for scale in [1e-300, 1e-160, 1e-100, 1.0, 1e100, 1e160, 1e307] {
        let values = [scale, 3.0 * scale, -2.0 * scale];
        for weight in [1e-300, 1.0, 1e307] {
            let n = Normalization::of("l", &values, &[weight; 3]).unwrap();
            let expected = (38.0_f64 / 9.0).sqrt();
            assert!((n.deviation / scale - expected).abs() < 1e-14, "{scale:e} {}", n.deviation / scale);
        }
    }
}

#[test]
fn a_constant_label_is_an_error_that_names_it() {
    let error = Normalization::of("gender", &[1.0; 4], &[1.0; 4]).unwrap_err();
    assert_eq!(error.to_string(), "label 'gender' is constant (value 1, standard deviation 0e0)");
    assert!(error.hint().unwrap().contains("must vary"));
    assert!(matches!(Normalization::of("l", &[0.0; 3], &[1.0; 3]), Err(Error::ConstantLabel { .. })));
    assert!(matches!(Normalization::of("l", &[5.0], &[1.0]), Err(Error::ConstantLabel { .. })));
}

#[test]
fn a_nearly_constant_label_is_an_error_that_quotes_its_deviation() {
    let error = Normalization::of("gender", &[1e6, 1e6 + 1e-7], &[1.0, 1.0]).unwrap_err();
    assert!(matches!(error, Error::ConstantLabel { deviation, .. } if deviation > 4e-8 && deviation < 6e-8));
    assert!(error.to_string().contains("standard deviation 4.") || error.to_string().contains("standard deviation 5."));
    assert!(Normalization::of("gender", &[1e6, 1e6 + 1e-5], &[1.0, 1.0]).is_ok());
}

#[test]
fn what_is_not_a_label_is_refused_with_its_place() {
    let refuse = |values: &[f64], weights: &[f64]| Normalization::of("age", values, weights).unwrap_err().to_string();
    assert_eq!(refuse(&[1.0, f64::NAN, 2.0], &[1.0; 3]), "label 'age' has 1 non-finite value at position 1");
    assert_eq!(refuse(&[f64::INFINITY, f64::NAN], &[1.0; 2]), "label 'age' has 2 non-finite values at positions 0, 1");
    assert_eq!(refuse(&[1.0, 2.0], &[1.0; 3]), "label 'age' has 2 rows, sample weights has 3");
    assert_eq!(refuse(&[1.0, 2.0], &[1.0, 0.0]), "sample weights must be positive; 1 value is not at position 1");
    assert_eq!(refuse(&[], &[]), "need at least 2 samples, got 0");
    assert!(refuse(&[f64::MAX, f64::MIN], &[1.0; 2]).contains("overflows"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn normalised_labels_have_mean_0_and_variance_1_and_come_back(
        rows in prop::collection::vec((-1.0..1.0_f64, 0.01..10.0_f64), 2..40),
        offset in prop::sample::select(vec![0.0, 1.0, -1e3, 1e8]),
        exponent in -100..100_i32,
    ) {
        let scale = 10.0_f64.powi(exponent);
        let values: Vec<f64> = rows.iter().map(|(x, _)| scale * (x + offset)).collect();
        let weights: Vec<f64> = rows.iter().map(|(_, w)| *w).collect();
        let normalization = Normalization::of("l", &values, &weights).unwrap();
        let (mean, square) = moments(&normalization, &values, &weights);
        // The mean cannot be stored better than the offset allows.
        let tolerance = 1e-13 + 4.0 * f64::EPSILON * scale * (offset.abs() + 1.0) / normalization.deviation;
        prop_assert!(mean.abs() <= tolerance, "mean {mean:e}");
        prop_assert!((square - 1.0).abs() <= 4.0 * tolerance, "square {square}");
        for &x in &values {
            let back = normalization.undo(normalization.apply(x));
            prop_assert!((back - x).abs() <= 8.0 * f64::EPSILON * scale * (offset.abs() + 1.0));
        }
    }
}
