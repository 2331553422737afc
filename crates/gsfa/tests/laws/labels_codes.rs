//! Compact and sparse codes of classes.

use std::collections::HashSet;

use gsfa::labels::{TargetLabels, TargetSource, compact_code, sparse_code};
use gsfa::{Error, Note};
use ndarray::ArrayView2;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Largest violation of weighted zero mean, unit variance and decorrelation, by their definitions.
fn violation(values: ArrayView2<'_, f64>, weights: &[f64]) -> f64 {
    let q: f64 = weights.iter().sum();
    let mut worst = 0.0_f64;
    for i in 0..values.ncols() {
        for j in 0..=values.ncols() {
            // Column L stands for the constant.
            let other = |n: usize| if j < values.ncols() { values[[n, j]] } else { 1.0 };
            let mean: f64 = weights.iter().enumerate().map(|(n, w)| w / q * values[[n, i]] * other(n)).sum();
            worst = worst.max((mean - if i == j { 1.0 } else { 0.0 }).abs());
        }
    }
    worst
}

fn random_weights(classes: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    (0..classes).map(|_| rng.random_range(0.1..10.0)).collect()
}

#[test]
fn the_code_of_32_classes_is_the_table_of_the_paper() {
    let code = compact_code(32, None).unwrap();
    assert_eq!(code.names.len(), 31);
    assert_eq!(code.originals, 5);
    let classes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 30, 31, 32];
    let printed: [(usize, [i32; 14]); 9] = [
        (1, [-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 1, 1, 1]),
        (2, [-1, -1, -1, -1, -1, -1, -1, -1, 1, 1, -1, 1, 1, 1]),
        (3, [-1, -1, -1, -1, 1, 1, 1, 1, -1, 1, -1, 1, 1, 1]),
        (4, [-1, -1, 1, 1, -1, -1, 1, 1, -1, 1, -1, -1, 1, 1]),
        (5, [-1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1]),
        (6, [-1, 1, 1, -1, 1, -1, -1, 1, 1, -1, 1, -1, -1, 1]),
        (7, [-1, -1, 1, 1, 1, 1, -1, -1, 1, 1, 1, 1, -1, -1]),
        (30, [-1, 1, -1, 1, 1, -1, 1, -1, -1, -1, -1, -1, 1, -1]),
        (31, [-1, 1, 1, -1, -1, 1, 1, -1, -1, -1, -1, 1, 1, -1]),
    ];
    for (label, row) in printed {
        for (class, expected) in classes.into_iter().zip(row) {
            assert_eq!(code.values[[class - 1, label - 1]], f64::from(expected), "label {label}, class {class}");
        }
    }
    assert_eq!(code.names[5], "bit1*bit2*bit3*bit4*bit5");
    assert_eq!((&code.names[6][..], &code.names[7][..]), ("bit1*bit2*bit3*bit4", "bit1*bit2*bit3*bit5"));
    assert_eq!((&code.names[29][..], &code.names[30][..]), ("bit3*bit5", "bit4*bit5"));
    assert_eq!(code.sources[4], TargetSource::Bit(4));
    assert_eq!(code.sources[30], TargetSource::BitProduct(vec![3, 4]));
}

#[test]
fn all_auxiliary_labels_are_signed_products_of_bits() {
    let code = compact_code(32, None).unwrap();
    let sizes: Vec<usize> = code.names.iter().map(|name| name.matches("bit").count()).collect();
    let expected = [vec![1; 5], vec![5], vec![4; 5], vec![3; 10], vec![2; 10]].concat();
    assert_eq!(sizes, expected);
    for (j, source) in code.sources.iter().enumerate() {
        if let TargetSource::BitProduct(bits) = source {
            let sign = if bits.len() % 2 == 0 { -1.0 } else { 1.0 };
            for c in 0..32 {
                let product: f64 = bits.iter().map(|&bit| code.values[[c, bit]]).product();
                assert_eq!(code.values[[c, j]], sign * product);
            }
        }
    }
}

#[test]
fn balanced_powers_of_two_need_no_decorrelation() {
    for classes in [2, 4, 8, 32, 64] {
        let code = compact_code(classes, None).unwrap();
        let targets = TargetLabels::decorrelate(&code, &vec![3.0; classes]).unwrap();
        assert_eq!(targets.values(), code.values, "{classes}");
    }
}

#[test]
fn any_number_of_classes_has_c_minus_1_orthonormal_labels_for_any_weights() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for classes in 2..=70 {
        let weights = random_weights(classes, &mut rng);
        for code in [compact_code(classes, None).unwrap(), sparse_code(&weights).unwrap()] {
            let targets = TargetLabels::decorrelate(&code, &weights).unwrap();
            assert_eq!((targets.names().len(), targets.notes()), (classes - 1, &[][..]), "{classes}");
            let found = violation(targets.values(), &weights);
            assert!(found < 1e-14 * (classes as f64).sqrt().max(4.0), "{classes}: {found:e}");
        }
    }
}

#[test]
fn bits_tell_all_classes_apart() {
    for classes in 2..=70_usize {
        let code = compact_code(classes, None).unwrap();
        let bits = classes.next_power_of_two().ilog2() as usize;
        assert_eq!(code.originals, bits);
        let words: HashSet<Vec<i64>> =
            code.values.rows().into_iter().map(|row| row.iter().take(bits).map(|&x| x as i64).collect()).collect();
        assert_eq!(words.len(), classes);
        assert!(code.values.iter().all(|x| x.abs() == 1.0));
        assert!(code.values.row(0).iter().all(|&x| x == -1.0));
    }
}

#[test]
fn fewer_targets_are_the_first_ones() {
    for classes in [5, 32, 43] {
        let all = compact_code(classes, None).unwrap();
        for targets in 1..classes {
            let some = compact_code(classes, Some(targets)).unwrap();
            assert_eq!(some.names, all.names[..targets]);
            assert_eq!(some.values, all.values.slice(ndarray::s![.., ..targets]));
        }
    }
    // Only what is asked for is formed: all labels of a million classes would not fit into memory.
    assert_eq!(compact_code(1_000_000, Some(3)).unwrap().values.dim(), (1_000_000, 3));
}

#[test]
fn more_targets_than_classes_allow_are_noted() {
    let code = compact_code(3, Some(10)).unwrap();
    let targets = TargetLabels::decorrelate(&code, &[1.0; 3]).unwrap();
    let reason = "the samples have too few distinct labels for more";
    assert_eq!(targets.notes(), [Note::FewerTargets { requested: 10, formed: 2, reason }]);
}

#[test]
fn codes_need_two_classes() {
    for classes in 0..2 {
        let error = compact_code(classes, None).unwrap_err();
        assert_eq!(error.to_string(), format!("classes = {classes}: a code tells apart at least 2 classes"));
        assert!(matches!(sparse_code(&vec![1.0; classes]), Err(Error::Parameter { name: "classes", .. })));
    }
    assert!(compact_code(4, Some(0)).is_err());
    assert!(matches!(sparse_code(&[1.0, 0.0]), Err(Error::NotPositive { .. })));
}

#[test]
fn the_sparse_code_of_8_classes_is_that_of_the_discussion() {
    let code = sparse_code(&[1.0; 8]).unwrap();
    let r = 2.0_f64.sqrt();
    let expected = [
        [2.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 2.0, -2.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 2.0, -2.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, -2.0],
        [r, r, -r, -r, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, r, r, -r, -r],
        [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0],
    ];
    assert_eq!(code.values.dim(), (8, 7));
    for (j, label) in expected.into_iter().enumerate() {
        assert_eq!(code.values.column(j).to_vec(), label, "label {}", j + 1);
    }
    assert_eq!((&code.names[0][..], &code.names[6][..]), ("haar1|2", "haar1-4|5-8"));
    assert_eq!(code.sources[5], TargetSource::Haar { start: 4, middle: 6, end: 8 });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sparse_codes_are_orthonormal_as_they_are(weights in prop::collection::vec(0.01..100.0_f64, 2..40)) {
        let code = sparse_code(&weights).unwrap();
        prop_assert_eq!(code.names.len(), weights.len() - 1);
        prop_assert!(violation(code.values.view(), &weights) < 1e-13);
        let targets = TargetLabels::decorrelate(&code, &weights).unwrap();
        for (a, b) in targets.values().iter().zip(&code.values) {
            prop_assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()));
        }
    }
}
