//! Laws of splits.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use gsfa_data::Error;
use gsfa_data::split::{FoldRule, Split, folds, holdout, per_value};
use proptest::prelude::*;

#[test]
fn each_label_value_gives_its_share() {
    let labels: Vec<f64> = (0..600).map(|n| f64::from(n % 3) / 10.0 - 3.0).collect();
    let split = per_value(&labels, 180, 20, 5).unwrap();
    for (side, each) in [(&split.train, 180), (&split.test, 20)] {
        assert!(side.is_sorted());
        for value in 0..3 {
            assert_eq!(side.iter().filter(|&&n| n % 3 == value).count(), each);
        }
    }
    assert!(split.test.iter().all(|n| !split.train.contains(n)));
    assert_eq!(split, per_value(&labels, 180, 20, 5).unwrap());
    assert_ne!(split, per_value(&labels, 180, 20, 6).unwrap());
    let error = per_value(&labels, 190, 20, 5).unwrap_err();
    assert_eq!(error.to_string(), "label value -3 has 200 samples, 210 are needed");
    assert!(matches!(per_value(&[1.0, f64::NAN], 1, 0, 0), Err(Error::Parameter { .. })));
}

proptest! {
    #[test]
    fn folds_keep_groups_whole_and_sizes_even(
        samples in 2_usize..60, count in 2_usize..6, seed in any::<u64>(),
        groups in prop::collection::vec(0_usize..12, 60), strata in prop::collection::vec(0_u32..4, 60),
    ) {
        prop_assume!(count <= samples);
        let plain = folds(samples, count, FoldRule::default(), seed).unwrap();
        let sizes: Vec<usize> = (0..count).map(|f| plain.iter().filter(|&&x| x == f).count()).collect();
        prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        prop_assert_eq!(&plain, &folds(samples, count, FoldRule::default(), seed).unwrap());

        let strata = &strata[..samples];
        let stratified = folds(samples, count, FoldRule { groups: None, strata: Some(strata) }, seed).unwrap();
        for stratum in 0..4 {
            let sizes: Vec<usize> = (0..count)
                .map(|f| (0..samples).filter(|&n| stratified[n] == f && strata[n] == stratum).count())
                .collect();
            prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        }

        let groups = &groups[..samples];
        let rule = FoldRule { groups: Some(groups), strata: Some(strata) };
        match folds(samples, count, rule, seed) {
            Ok(fold_of) => {
                let mut fold_of_group = HashMap::new();
                for n in 0..samples {
                    prop_assert_eq!(*fold_of_group.entry(groups[n]).or_insert(fold_of[n]), fold_of[n]);
                }
                let split = Split::of_fold(&fold_of, 0);
                prop_assert_eq!(split.train.len() + split.test.len(), samples);
                prop_assert!(split.test.iter().all(|&n| fold_of[n] == 0));
            }
            Err(error) => {
                prop_assert!(error.to_string().contains("fewer samples, or groups"));
                let distinct: std::collections::HashSet<_> = groups.iter().collect();
                prop_assert!(distinct.len() < count);
            }
        }
    }

    #[test]
    fn a_holdout_tears_no_group_apart(seed in any::<u64>(), share in 0.1_f64..0.9) {
        let groups: Vec<usize> = (0..300).map(|n| n / 10).collect();
        let strata: Vec<u32> = (0..300).map(|n| n / 100).collect();
        let split = holdout(300, share, FoldRule { groups: Some(&groups), strata: Some(&strata) }, seed).unwrap();
        prop_assert_eq!(split.train.len() + split.test.len(), 300);
        prop_assert!(split.test.iter().all(|&n| !split.train.iter().any(|&m| groups[m] == groups[n])));
        for stratum in 0..3 {
            let test = split.test.iter().filter(|&&n| strata[n] == stratum).count() as f64;
            prop_assert!((test - 100.0 * share).abs() <= 5.0 + 1e-9);
        }
    }
}

#[test]
fn splits_that_cannot_be_are_errors() {
    assert!(folds(5, 1, FoldRule::default(), 0).is_err());
    assert!(folds(5, 6, FoldRule::default(), 0).is_err());
    let error = folds(5, 2, FoldRule { groups: Some(&[0, 1]), strata: None }, 0).unwrap_err();
    assert_eq!(error.to_string(), "samples has 5 rows, groups has 2");
    assert!(holdout(5, 0.0, FoldRule::default(), 0).is_err());
    assert!(holdout(1, 0.5, FoldRule::default(), 0).is_err());
    assert!(holdout(3, 0.01, FoldRule::default(), 0).is_err());
}
