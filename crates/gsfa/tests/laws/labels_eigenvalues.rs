//! Eigenvalue profiles.

use gsfa::labels::{EigenvalueOptions, EigenvalueProfile, Eigenvalues, TargetSource, compact_code};
use gsfa::{Error, Note};
use proptest::prelude::*;
use serde::Deserialize;

fn cosines(targets: usize) -> Vec<TargetSource> {
    (1..=targets)
        .map(|order| if order == 1 { TargetSource::Original(0) } else { TargetSource::Cosine { original: 0, order } })
        .collect()
}

fn plain(profile: EigenvalueProfile, targets: usize) -> gsfa::Result<Eigenvalues> {
    profile.eigenvalues(&cosines(targets), 1, &EigenvalueOptions::default())
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= 4.0 * f64::EPSILON * y.abs(), "{a:?} instead of {b:?}");
    }
}

#[test]
fn linear_eigenvalues_decrease_from_l_to_1() {
    let linear = plain(EigenvalueProfile::default(), 4).unwrap();
    close(&linear.values, &[0.4, 0.3, 0.2, 0.1]);
    assert_eq!((linear.lambda0, linear.notes), (linear.values[0], vec![]));
    close(&plain(EigenvalueProfile::Linear, 1).unwrap().values, &[1.0]);
}

#[test]
fn linear_eigenvalues_with_lambda0_of_l_plus_1_space_the_delta_values_evenly() {
    let targets = 40;
    let values = plain(EigenvalueProfile::Linear, targets).unwrap().values;
    let lambda0 = values[0] * (targets + 1) as f64 / targets as f64;
    let options = EigenvalueOptions { lambda0: Some(lambda0), ..EigenvalueOptions::default() };
    let linear = EigenvalueProfile::Linear.eigenvalues(&cosines(targets), 1, &options).unwrap();
    for (j, value) in linear.values.iter().enumerate() {
        let delta = 2.0 - 2.0 * value / linear.lambda0;
        assert!((delta - 2.0 * (j + 1) as f64 / 41.0).abs() < 1e-14);
    }
}

#[test]
fn compact_eigenvalues_are_those_of_the_paper() {
    let sources = compact_code(32, None).unwrap().sources;
    let compact = EigenvalueProfile::Compact.eigenvalues(&sources, 5, &EigenvalueOptions::default()).unwrap();
    let mut expected = vec![1.0 / 18.0; 5];
    expected.extend((1..=26).map(|k| f64::from(27 - k) / 27.0 / 18.0));
    close(&compact.values, &expected);
    let printed: Vec<String> = compact.values.iter().map(|x| format!("{x:.3}")).collect();
    // The paper prints 0.053 for 0.05350, rounded down.
    assert_eq!(
        (&printed[0][..], &printed[4][..], &printed[6][..], &printed[30][..]),
        ("0.056", "0.056", "0.051", "0.002")
    );
    assert!((compact.values[5] - 0.0535).abs() < 5e-5);
    assert_eq!(compact.notes, []);

    let five = compact_code(32, Some(5)).unwrap().sources;
    let compact = EigenvalueProfile::Compact.eigenvalues(&five, 5, &EigenvalueOptions::default()).unwrap();
    close(&compact.values, &[0.2; 5]);
}

#[test]
fn equal_and_geometric_eigenvalues() {
    close(&plain(EigenvalueProfile::Equal, 5).unwrap().values, &[0.2; 5]);
    close(&plain(EigenvalueProfile::Geometric(0.5), 3).unwrap().values, &[4.0 / 7.0, 2.0 / 7.0, 1.0 / 7.0]);
    close(&plain(EigenvalueProfile::Geometric(1.0), 4).unwrap().values, &[0.25; 4]);
    for ratio in [0.0, -0.5, 1.5, f64::NAN] {
        let error = plain(EigenvalueProfile::Geometric(ratio), 3).unwrap_err();
        assert_eq!(error.to_string(), format!("geometric = {ratio}: the ratio must lie in (0, 1]"));
    }
}

#[test]
fn given_values_are_not_rescaled() {
    let given = plain(EigenvalueProfile::Values(vec![3.0, 2.0]), 2).unwrap();
    assert_eq!((given.values, given.lambda0), (vec![3.0, 2.0], 3.0));
}

#[test]
fn delta_values_come_back_for_any_lambda0() {
    let deltas = vec![0.1, 0.5, 1.5];
    for lambda0 in [None, Some(0.25)] {
        let options = EigenvalueOptions { lambda0, ..EigenvalueOptions::default() };
        let profile = EigenvalueProfile::DeltaValues(deltas.clone());
        let found = profile.eigenvalues(&cosines(3), 1, &options).unwrap();
        assert_eq!(found.lambda0, lambda0.unwrap_or(1.0));
        for (value, delta) in found.values.iter().zip(&deltas) {
            assert!((2.0 - 2.0 * value / found.lambda0 - delta).abs() < 1e-15);
        }
    }
}

#[test]
fn importance_decreases_over_the_targets_of_each_label() {
    use TargetSource::{Cosine, Original, Product};
    let sources = [
        Original(0),
        Original(1),
        Product(0, 0),
        Product(0, 1),
        Product(1, 1),
        Cosine { original: 0, order: 2 },
        Cosine { original: 1, order: 2 },
        Cosine { original: 0, order: 3 },
    ];
    let profile = EigenvalueProfile::Importance(vec![4.0, 1.0]);
    let found = profile.eigenvalues(&sources, 2, &EigenvalueOptions::default()).unwrap();
    let shares = [4.0, 1.0, 4.0 * 0.75, 2.0 * 0.5, 0.25, 4.0 * 2.0 / 3.0, 0.5, 4.0 / 3.0];
    let sum: f64 = shares.iter().sum();
    close(&found.values, &shares.map(|x| x / sum));
    assert_eq!(found.notes, [Note::EigenvalueOrder { later: 3, earlier: 2 }]);

    let one = plain(EigenvalueProfile::Importance(vec![7.0]), 6).unwrap();
    close(&one.values, &plain(EigenvalueProfile::Linear, 6).unwrap().values);
}

#[test]
fn importance_that_does_not_fit_is_refused() {
    let refuse = |weights: Vec<f64>| plain(EigenvalueProfile::Importance(weights), 3).unwrap_err().to_string();
    assert_eq!(
        refuse(vec![1.0, 2.0]),
        "importance = [1.0, 2.0]: there must be one weight for each of the 1 original labels"
    );
    assert!(refuse(vec![-1.0]).contains("must not be negative"));
    assert!(refuse(vec![0.0]).contains("one at least must be positive"));
    assert_eq!(refuse(vec![f64::NAN]), "importance has 1 non-finite value at position 0");
    let code = compact_code(4, None).unwrap();
    let error =
        EigenvalueProfile::Importance(vec![1.0; 2]).eigenvalues(&code.sources, 2, &EigenvalueOptions::default());
    assert!(error.unwrap_err().to_string().contains("codes of classes have none"));
}

#[test]
fn eigenvalues_that_increase_are_noted_or_with_strict_refused() {
    let profile = EigenvalueProfile::Values(vec![2.0, 2.0, 3.0]);
    let found = plain(profile.clone(), 3).unwrap();
    let note = Note::EigenvalueOrder { later: 3, earlier: 1 };
    assert_eq!(note.to_string(), "label 3 has a larger eigenvalue than label 1: feature order will follow it");
    assert_eq!((found.notes, found.lambda0), (vec![note], 3.0));
    let strict = EigenvalueOptions { strict: true, ..EigenvalueOptions::default() };
    let error = profile.eigenvalues(&cosines(3), 1, &strict).unwrap_err();
    assert_eq!(error.to_string(), "label 3 has a larger eigenvalue (3) than label 1 (2)");
    assert!(error.hint().unwrap().contains("strict"));
    assert!(EigenvalueProfile::Equal.eigenvalues(&cosines(9), 1, &strict).is_ok());
}

#[test]
fn zero_negative_and_non_finite_eigenvalues() {
    let values = |values: &[f64]| plain(EigenvalueProfile::Values(values.to_vec()), values.len());
    let zero = values(&[2.0, 0.0, 0.0]).unwrap();
    assert_eq!(zero.notes, [Note::IgnoredLabels { labels: vec![2, 3] }]);
    assert_eq!(zero.notes[0].to_string(), "target labels with eigenvalue 0 have no influence: 2, 3");

    let negative = values(&[1.0, -0.5]).unwrap_err();
    assert_eq!(
        negative.to_string(),
        "eigenvalue 2 is negative (-0.5): its label would be made dissimilar, not learned"
    );
    assert_eq!(negative.hint(), Some("set allow_negative if this is intended"));
    let allowed = EigenvalueOptions { allow_negative: true, ..EigenvalueOptions::default() };
    let found = EigenvalueProfile::Values(vec![1.0, -0.5]).eigenvalues(&cosines(2), 1, &allowed).unwrap();
    assert_eq!(found.values, [1.0, -0.5]);
    assert!(matches!(plain(EigenvalueProfile::DeltaValues(vec![2.5]), 1), Err(Error::NegativeEigenvalue { .. })));

    assert_eq!(
        values(&[1.0, f64::NAN, f64::INFINITY]).unwrap_err().to_string(),
        "the list of eigenvalues has 2 non-finite values at positions 1, 2"
    );
    let error = EigenvalueProfile::Values(vec![-1.0]).eigenvalues(&cosines(1), 1, &allowed).unwrap_err();
    assert_eq!(error.to_string(), "eigenvalues = -1: the largest one must be positive");
    assert!(matches!(values(&[0.0]), Err(Error::Parameter { .. })));
}

#[test]
fn the_number_of_eigenvalues_is_that_of_the_target_labels() {
    for profile in [EigenvalueProfile::Values(vec![1.0; 3]), EigenvalueProfile::DeltaValues(vec![0.0; 3])] {
        let error = plain(profile, 2).unwrap_err();
        assert_eq!(error.to_string(), "3 eigenvalues were given for 2 target labels");
    }
    assert!(plain(EigenvalueProfile::Linear, 0).is_err());
}

#[test]
fn lambda0_must_be_positive() {
    for lambda0 in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = EigenvalueOptions { lambda0: Some(lambda0), ..EigenvalueOptions::default() };
        let error = EigenvalueProfile::Linear.eigenvalues(&cosines(2), 1, &options).unwrap_err();
        assert_eq!(error.to_string(), format!("lambda0 = {lambda0}: it must be positive"));
    }
}

#[test]
fn profiles_read_from_toml() {
    #[derive(Deserialize)]
    struct Spec {
        eigenvalues: EigenvalueProfile,
    }
    let read = |value: &str| toml::from_str::<Spec>(&format!("eigenvalues = {value}")).unwrap().eigenvalues;
    assert_eq!(read("\"linear\""), EigenvalueProfile::Linear);
    assert_eq!(read("\"equal\""), EigenvalueProfile::Equal);
    assert_eq!(read("\"compact\""), EigenvalueProfile::Compact);
    assert_eq!(read("{ geometric = 0.8 }"), EigenvalueProfile::Geometric(0.8));
    assert_eq!(read("{ values = [2.0, 1.0] }"), EigenvalueProfile::Values(vec![2.0, 1.0]));
    assert_eq!(read("{ importance = [1.0, 0.5] }"), EigenvalueProfile::Importance(vec![1.0, 0.5]));
    assert_eq!(read("{ delta_values = [0.0, 0.5] }"), EigenvalueProfile::DeltaValues(vec![0.0, 0.5]));
    assert!(toml::from_str::<EigenvalueOptions>("strict = true").unwrap().strict);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn profiles_sum_to_1_and_decrease(targets in 1..60_usize, ratio in 0.05..1.0_f64) {
        use EigenvalueProfile::{Compact, Equal, Geometric, Importance, Linear};
        for profile in [Linear, Equal, Compact, Geometric(ratio), Importance(vec![ratio])] {
            let found = plain(profile, targets).unwrap();
            prop_assert!((found.values.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            prop_assert!(found.values.windows(2).all(|pair| pair[1] <= pair[0]));
            prop_assert!(found.values.iter().all(|&x| x > 0.0));
            prop_assert_eq!(found.lambda0, found.values[0]);
            prop_assert_eq!(found.notes, vec![]);
        }
    }
}
