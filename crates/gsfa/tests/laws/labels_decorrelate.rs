//! Laws of normalised and decorrelated target labels.

use gsfa::labels::{CosineReading, RawTargets, TargetLabels, TargetSource, TargetSpec};
use gsfa::{Error, Note};
use ndarray::{Array2, ArrayView2, array};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn raw(values: Array2<f64>, originals: usize) -> RawTargets {
    let labels = values.ncols();
    RawTargets {
        names: (1..=labels).map(|j| format!("l{j}")).collect(),
        sources: (0..labels).map(TargetSource::Original).collect(),
        values,
        originals,
        requested: None,
    }
}

/// Largest violation of weighted zero mean, unit variance and decorrelation, by their definitions.
fn violation(values: ArrayView2<'_, f64>, weights: &[f64]) -> f64 {
    let q: f64 = weights.iter().sum();
    let mean = |f: &dyn Fn(usize) -> f64| weights.iter().enumerate().map(|(n, w)| w / q * f(n)).sum::<f64>();
    let mut worst = 0.0_f64;
    for i in 0..values.ncols() {
        worst = worst.max(mean(&|n| values[[n, i]]).abs());
        for j in 0..=i {
            let expected = if i == j { 1.0 } else { 0.0 };
            worst = worst.max((mean(&|n| values[[n, i]] * values[[n, j]]) - expected).abs());
        }
    }
    worst
}

fn assert_recovers(targets: &TargetLabels, raw: &RawTargets, tolerance: f64) {
    let back = targets.recover(targets.values()).unwrap();
    assert_eq!(back.ncols(), targets.raw_names().len());
    for (j, (a, b)) in back.columns().into_iter().zip(raw.values.columns()).enumerate() {
        let magnitude = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (x, y) in a.iter().zip(b) {
            assert!((x - y).abs() <= tolerance * magnitude, "label {j}: {x} instead of {y}");
        }
    }
}

fn random(rows: usize, labels: usize, rng: &mut Xoshiro256PlusPlus) -> (Array2<f64>, Vec<f64>) {
    let values = Array2::from_shape_fn((rows, labels), |_| rng.random_range(-1.0..1.0));
    (values, (0..rows).map(|_| rng.random_range(0.01..10.0)).collect())
}

fn gender(count: usize, targets: usize, reading: CosineReading) -> RawTargets {
    let values = (0..count).map(|n| n as f64 / 10.0).collect();
    let spec = TargetSpec { targets: Some(targets), cosines: reading, ..TargetSpec::default() };
    spec.raw_targets(&[("gender".to_string(), values)], &vec![1.0; count]).unwrap()
}

#[test]
fn target_labels_are_orthonormal_for_any_offset_scale_and_weights() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for (rows, labels) in [(2, 1), (3, 2), (5, 3), (20, 19), (200, 30), (5000, 8)] {
        for offset in [0.0, 1.0, 1e8] {
            for scale in [1e-100, 1.0, 1e100] {
                let (values, weights) = random(rows, labels, &mut rng);
                let raw = raw(values.mapv(|x| scale * (x + offset)), labels);
                let targets = TargetLabels::decorrelate(&raw, &weights).unwrap();
                assert_eq!(targets.names(), raw.names, "{rows} {labels} {offset} {scale:e}");
                let found = violation(targets.values(), &weights);
                assert!(found < 1e-14 * (rows as f64).sqrt().max(4.0), "{rows}x{labels} {offset} {scale:e}: {found:e}");
                assert_recovers(&targets, &raw, 1e-13);
            }
        }
    }
}

#[test]
fn one_label_becomes_its_normalisation() {
    let weights = [1.0, 3.0, 2.0];
    let targets = TargetLabels::decorrelate(&raw(array![[1.0], [4.0], [2.0]], 1), &weights).unwrap();
    let normalization = gsfa::labels::Normalization::of("l", &[1.0, 4.0, 2.0], &weights).unwrap();
    for (n, x) in [1.0, 4.0, 2.0].into_iter().enumerate() {
        assert!((targets.values()[[n, 0]] - normalization.apply(x)).abs() < 1e-15);
    }
    assert!((targets.means()[0] - normalization.mean).abs() < 1e-15);
    assert!((targets.transform()[[0, 0]] - normalization.deviation).abs() < 1e-15);
}

#[test]
fn the_second_label_is_what_the_paper_projects_out() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let (values, weights) = random(12, 2, &mut rng);
    let targets = TargetLabels::decorrelate(&raw(values.clone(), 2), &weights).unwrap();
    let q: f64 = weights.iter().sum();
    let normalize = |x: Vec<f64>| {
        let mean = x.iter().zip(&weights).map(|(x, v)| x * v).sum::<f64>() / q;
        let variance = x.iter().zip(&weights).map(|(x, v)| v * (x - mean).powi(2)).sum::<f64>() / q;
        x.into_iter().map(|x| (x - mean) / variance.sqrt()).collect::<Vec<f64>>()
    };
    let (first, second) = (normalize(values.column(0).to_vec()), normalize(values.column(1).to_vec()));
    let overlap = (0..12).map(|n| weights[n] * first[n] * second[n]).sum::<f64>() / q;
    let expected = normalize((0..12).map(|n| second[n] - overlap * first[n]).collect());
    for (n, expected) in expected.into_iter().enumerate() {
        assert!((targets.values()[[n, 1]] - expected).abs() < 1e-13);
    }
}

#[test]
fn decorrelating_and_recovering_undo_each_other() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    for (rows, labels) in [(2, 1), (7, 3), (40, 12)] {
        let (values, weights) = random(rows, labels, &mut rng);
        let given = raw(values, labels);
        let targets = TargetLabels::decorrelate(&given, &weights).unwrap();
        let there = targets.decorrelated(given.values.view()).unwrap();
        assert!((&there - &targets.values()).iter().all(|d| d.abs() < 1e-9));
        // Rows that it has never seen.
        let (other, _) = random(5, labels, &mut rng);
        let back = targets.recover(targets.decorrelated(other.view()).unwrap().view()).unwrap();
        assert!((&back - &other).iter().all(|d| d.abs() < 1e-9));
        let rescaled = targets.clone().rescaled(3.0).unwrap();
        assert!((rescaled.decorrelated(given.values.view()).unwrap() - there * 3.0).iter().all(|d| d.abs() < 1e-8));
        assert!(targets.decorrelated(Array2::zeros((2, labels + 1)).view()).is_err());
    }
    // What was dropped is not needed to come back.
    let given = raw(array![[1.0, 5.0, 2.0], [2.0, 8.0, 1.0], [4.0, 14.0, 7.0]], 3);
    let targets = TargetLabels::decorrelate(&given, &[1.0, 1.0, 2.0]).unwrap();
    let there = targets.decorrelated(given.values.view()).unwrap();
    assert!((there - targets.values()).iter().all(|d| d.abs() < 1e-12));
}

#[test]
fn a_weight_of_2_is_the_row_twice() {
    let values = array![[1.0, 2.0], [3.0, 1.0], [4.0, -2.0], [0.0, 7.0]];
    let twice = array![[1.0, 2.0], [3.0, 1.0], [4.0, -2.0], [0.0, 7.0], [3.0, 1.0]];
    let a = TargetLabels::decorrelate(&raw(values, 2), &[1.0, 2.0, 1.0, 1.0]).unwrap();
    let b = TargetLabels::decorrelate(&raw(twice, 2), &[1.0; 5]).unwrap();
    for n in 0..4 {
        for j in 0..2 {
            assert!((a.values()[[n, j]] - b.values()[[n, j]]).abs() < 1e-14);
        }
    }
}

#[test]
fn a_dependent_original_is_dropped_named_and_recovered() {
    for offset in [0.0, 1e3, 1e8] {
        let values = Array2::from_shape_fn((50, 3), |(n, j)| {
            let l1 = offset + ((n * n) % 17) as f64;
            [l1, 3.0 * l1 + 1.0, (n % 5) as f64][j]
        });
        let raw = raw(values, 3);
        let targets = TargetLabels::decorrelate(&raw, &[1.0; 50]).unwrap();
        assert_eq!(targets.names(), ["l1", "l3"], "offset {offset}");
        assert_eq!(targets.kept(), [0, 2]);
        assert_eq!(targets.raw_names().len(), 3);
        assert!(violation(targets.values(), &[1.0; 50]) < 1e-13);
        assert_recovers(&targets, &raw, 1e-12);
        let note = targets.notes()[0].to_string();
        assert!(note.starts_with("label l2 is dependent on earlier labels and was dropped (tolerance "), "{note}");
        if offset == 0.0 {
            assert!(note.ends_with("(tolerance 1e-8); 2 are left"), "{note}");
        }
    }
}

#[test]
fn an_offset_that_takes_the_digits_of_the_first_label_does_not_leave_its_rounding_as_a_second() {
    let values = Array2::from_shape_fn((50, 2), |(n, j)| {
        let small = (n as f64 * 0.7).sin();
        if j == 0 { small + 1e8 } else { small }
    });
    let targets = TargetLabels::decorrelate(&raw(values, 2), &[1.0; 50]).unwrap();
    assert_eq!(targets.names(), ["l1"]);
}

#[test]
fn a_label_just_above_the_tolerance_is_kept_and_orthonormal() {
    let values = Array2::from_shape_fn((40, 2), |(n, j)| {
        let l1 = (n as f64 * 0.7).sin();
        if j == 0 { l1 } else { l1 + 1e-7 * (n as f64 * 1.3).cos() }
    });
    let targets = TargetLabels::decorrelate(&raw(values, 2), &[1.0; 40]).unwrap();
    assert_eq!(targets.names().len(), 2);
    assert!(violation(targets.values(), &[1.0; 40]) < 1e-14);
}

#[test]
fn a_constant_original_is_an_error_and_a_constant_auxiliary_label_is_dropped() {
    let values = array![[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]];
    let error = TargetLabels::decorrelate(&raw(values.clone(), 2), &[1.0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "label 'l2' is constant (value 5, standard deviation 0e0)");
    let auxiliary = raw(values, 1);
    let targets = TargetLabels::decorrelate(&auxiliary, &[1.0; 3]).unwrap();
    assert_eq!(targets.names(), ["l1"]);
    let expected = Note::DependentLabels { names: vec!["l2".into()], tolerance: 1e-8, kept: 1 };
    assert_eq!(targets.notes(), [expected]);
    assert_recovers(&targets, &auxiliary, 1e-15);
}

#[test]
fn nothing_left_is_an_error_that_says_so() {
    let error = TargetLabels::decorrelate(&raw(array![[1.0, 2.0], [1.0, 2.0]], 0), &[1.0; 2]).unwrap_err();
    assert_eq!(error.to_string(), "none of 2 target labels is left to learn: all are constant");
    assert!(error.hint().is_some());
}

#[test]
fn cosines_by_the_formula_fill_the_space_of_60_values() {
    for targets in [1, 10, 40, 59] {
        let raw = gender(60, targets, CosineReading::Formula);
        let labels = TargetLabels::decorrelate(&raw, &[1.0; 60]).unwrap();
        assert_eq!((labels.names().len(), labels.notes()), (targets, &[][..]));
        assert!(violation(labels.values(), &[1.0; 60]) < 1e-13);
    }
}

#[test]
fn cosines_beyond_the_number_of_values_are_dropped_and_named() {
    let raw = gender(60, 70, CosineReading::Formula);
    let labels = TargetLabels::decorrelate(&raw, &[1.0; 60]).unwrap();
    assert_eq!(labels.names().len(), 59);
    let notes: Vec<String> = labels.notes().iter().map(Note::to_string).collect();
    assert!(notes[0].starts_with("label cos60(gender) is dependent on earlier labels and was dropped"), "{}", notes[0]);
    assert_eq!(notes[1], "59 target labels instead of 70: the samples have too few distinct labels for more");
    assert_recovers(&labels, &raw, 1e-12);
}

#[test]
fn cosines_by_the_prose_become_dependent_from_about_20_on() {
    let kept = |targets| {
        let raw = gender(60, targets, CosineReading::Prose);
        let labels = TargetLabels::decorrelate(&raw, &[1.0; 60]).unwrap();
        assert!(violation(labels.values(), &[1.0; 60]) < 1e-13);
        (labels.names().len(), labels.notes().to_vec())
    };
    assert_eq!(kept(18), (18, vec![]));
    let (count, notes) = kept(30);
    assert!((18..26).contains(&count), "{count}");
    assert!(matches!(&notes[0], Note::DependentLabels { names, .. } if names.len() == 30 - count));
    assert!(matches!(notes[1], Note::FewerTargets { requested: 30, formed, .. } if formed == count));
    assert!(notes[1].to_string().ends_with("no further label is independent of these"));
}

#[test]
fn labels_that_are_kept_do_not_come_from_the_last_digits_of_the_raw_values() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    for (reading, targets, tolerance) in [(CosineReading::Formula, 59, 1e-12), (CosineReading::Prose, 30, 0.1)] {
        let raw = gender(60, targets, reading);
        let mut shaken = raw.clone();
        shaken.values.mapv_inplace(|x| x * (1.0 + f64::EPSILON * rng.random_range(-1.0..1.0_f64).round()));
        let (a, b) = (
            TargetLabels::decorrelate(&raw, &[1.0; 60]).unwrap(),
            TargetLabels::decorrelate(&shaken, &[1.0; 60]).unwrap(),
        );
        assert_eq!(a.names(), b.names());
        for (j, (x, y)) in a.values().columns().into_iter().zip(b.values().columns()).enumerate() {
            let distance = (x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum::<f64>() / 60.0).sqrt();
            assert!(distance < tolerance, "label {j}: {distance:e}");
        }
    }
}

#[test]
fn a_two_valued_label_has_no_auxiliary_labels() {
    let spec = TargetSpec { targets: Some(5), ..TargetSpec::default() };
    let raw = spec.raw_targets(&[("sign".into(), vec![0.0, 1.0])], &[3.0, 7.0]).unwrap();
    let targets = TargetLabels::decorrelate(&raw, &[3.0, 7.0]).unwrap();
    assert_eq!(targets.names(), ["sign"]);
    assert!(matches!(&targets.notes()[0], Note::DependentLabels { names, .. } if names[..] == ["cos2(sign)"]));
    assert!(matches!(targets.notes()[1], Note::FewerTargets { requested: 5, formed: 1, .. }));
}

#[test]
fn decorrelation_stops_when_enough_labels_are_kept() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (values, weights) = random(9, 6, &mut rng);
    let all = TargetLabels::decorrelate(&raw(values.clone(), 6), &weights).unwrap();
    let first = TargetLabels::decorrelate(&RawTargets { requested: Some(4), ..raw(values, 6) }, &weights).unwrap();
    assert_eq!(first.names(), &all.names()[..4]);
    assert_eq!(first.raw_names(), first.names());
    assert_eq!(first.values(), all.values().slice(ndarray::s![.., ..4]));
    assert_eq!(first.notes(), []);
}

#[test]
fn rescaled_labels_have_unit_variance_over_unlabelled_samples_too() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let (values, mut weights) = random(9, 3, &mut rng);
    let raw = raw(values, 3);
    let labeled: f64 = weights.iter().sum();
    let unlabelled = 2.5;
    let targets = TargetLabels::decorrelate(&raw, &weights).unwrap();
    let targets = targets.rescaled(((labeled + unlabelled) / labeled).sqrt()).unwrap();
    assert_recovers(&targets, &raw, 1e-14);
    let mut with_zero = targets.values().to_owned();
    with_zero.push_row(ndarray::ArrayView1::from(&[0.0; 3])).unwrap();
    weights.push(unlabelled);
    assert!(violation(with_zero.view(), &weights) < 1e-14);
    for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(targets.clone().rescaled(factor), Err(Error::Parameter { name: "factor", .. })));
    }
}

#[test]
fn the_first_features_alone_give_the_least_squares_estimate() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let (values, weights) = random(9, 3, &mut rng);
    let targets = TargetLabels::decorrelate(&raw(values.clone(), 3), &weights).unwrap();
    let two = targets.recover(targets.values().slice(ndarray::s![.., ..2])).unwrap();
    for n in 0..9 {
        assert!((two[[n, 0]] - values[[n, 0]]).abs() < 1e-14);
        assert!((two[[n, 1]] - values[[n, 1]]).abs() < 1e-14);
        // What is missing of the third is orthogonal to the rest: the third target label itself.
        let missing = targets.transform()[[2, 2]] * targets.values()[[n, 2]];
        assert!((two[[n, 2]] + missing - values[[n, 2]]).abs() < 1e-14);
    }
    let error = targets.recover(Array2::zeros((2, 4)).view()).unwrap_err();
    assert_eq!(error.to_string(), "features = 4 columns: there are 3 target labels to recover from");
}

#[test]
fn tables_that_do_not_fit_are_refused() {
    let refuse = |raw: &RawTargets, weights: &[f64]| TargetLabels::decorrelate(raw, weights).unwrap_err().to_string();
    let good = raw(array![[1.0], [2.0]], 1);
    assert_eq!(refuse(&good, &[1.0; 3]), "the table of labels has 2 rows, sample weights has 3");
    assert_eq!(refuse(&good, &[1.0, -1.0]), "sample weights must be positive; 1 value is not at position 1");
    assert!(refuse(&RawTargets { names: vec![], ..good.clone() }, &[1.0; 2]).contains("list of label names"));
    assert!(refuse(&RawTargets { requested: Some(0), ..good }, &[1.0; 2]).starts_with("targets = 0"));
    assert_eq!(refuse(&raw(Array2::zeros((0, 1)), 1), &[]), "need at least 2 samples, got 0");
    assert!(refuse(&raw(Array2::zeros((2, 0)), 0), &[1.0; 2]).starts_with("labels = 0"));
    assert_eq!(refuse(&raw(array![[1.0]], 1), &[1.0]), "label 'l1' is constant (value 1, standard deviation 0e0)");
    assert_eq!(
        refuse(&raw(array![[f64::NAN], [2.0]], 1), &[1.0; 2]),
        "label 'l1' has 1 non-finite value at position 0"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_integer_tables_give_orthonormal_labels_and_come_back(
        table in prop::collection::vec((prop::collection::vec(-2..=2_i32, 4), 1..5_u32), 2..8),
    ) {
        // Entries this coarse make dependent labels, constant columns and repeated rows common.
        let values = Array2::from_shape_fn((table.len(), 4), |(n, j)| f64::from(table[n].0[j]));
        let weights: Vec<f64> = table.iter().map(|(_, w)| f64::from(*w)).collect();
        let raw = raw(values, 0);
        match TargetLabels::decorrelate(&raw, &weights) {
            Ok(targets) => {
                prop_assert!(violation(targets.values(), &weights) < 1e-13);
                assert_recovers(&targets, &raw, 1e-13);
                prop_assert_eq!(targets.names().len(), rank_without_constant(&raw.values));
            }
            Err(error) => {
                prop_assert_eq!(error, Error::NoTargetLabels { given: 4 });
                prop_assert_eq!(rank_without_constant(&raw.values), 0);
            }
        }
    }
}

/// Rank of the differences to the first row, by exact elimination in fractions of integers.
fn rank_without_constant(values: &Array2<f64>) -> usize {
    let mut rows: Vec<Vec<i128>> = (1..values.nrows())
        .map(|n| (0..values.ncols()).map(|j| (values[[n, j]] - values[[0, j]]) as i128).collect())
        .collect();
    let mut rank = 0;
    for column in 0..values.ncols() {
        let Some(pivot) = (rank..rows.len()).find(|&n| rows[n][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let (head, tail) = rows.split_at_mut(rank + 1);
        for row in tail {
            let (a, b) = (head[rank][column], row[column]);
            row.iter_mut().zip(&head[rank]).for_each(|(x, p)| *x = *x * a - p * b);
        }
        rank += 1;
    }
    rank
}
