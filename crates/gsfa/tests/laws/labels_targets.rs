//! Which raw target labels there are, in which order, and what their values are.

use gsfa::Error;
use gsfa::labels::{CosineReading, RawTargets, TargetSource, TargetSpec};
use std::f64::consts::PI;

fn label(name: &str, values: &[f64]) -> (String, Vec<f64>) {
    (name.to_string(), values.to_vec())
}

fn targets(count: usize) -> TargetSpec {
    TargetSpec { targets: Some(count), ..TargetSpec::default() }
}

fn raw(spec: &TargetSpec, labels: &[(String, Vec<f64>)]) -> gsfa::Result<RawTargets> {
    spec.raw_targets(labels, &vec![1.0; labels.first().map_or(0, |(_, values)| values.len())])
}

const G: [f64; 5] = [1.0, 2.0, 4.0, 8.0, 9.0];
const C: [f64; 5] = [5.0, -1.0, 0.0, 2.0, 1.0];

#[test]
fn without_a_number_the_originals_are_the_targets() {
    let raw = raw(&TargetSpec::default(), &[label("g", &G), label("c", &C)]).unwrap();
    assert_eq!(raw.names, ["g", "c"]);
    assert_eq!((raw.originals, raw.requested), (2, None));
    assert_eq!(raw.values.column(0).to_vec(), G);
    assert_eq!(raw.values.column(1).to_vec(), C);
}

#[test]
fn two_labels_take_turns() {
    let raw = raw(&targets(7), &[label("g", &G), label("c", &C)]).unwrap();
    assert_eq!(raw.names, ["g", "c", "cos2(g)", "cos2(c)", "cos3(g)", "cos3(c)", "cos4(g)"]);
    assert_eq!(raw.sources[5], TargetSource::Cosine { original: 1, order: 3 });
    assert_eq!(raw.sources[0], TargetSource::Original(0));
}

#[test]
fn cosines_follow_the_formula_or_the_prose() {
    for (reading, factor) in [(CosineReading::Formula, 1.0), (CosineReading::Prose, 0.5)] {
        let raw = raw(&TargetSpec { cosines: reading, ..targets(4) }, &[label("g", &G)]).unwrap();
        for order in 2..=4 {
            for (n, g) in G.iter().enumerate() {
                let expected = ((g - 1.0) / 8.0 * PI * f64::from(order) * factor).cos();
                assert!((raw.values[[n, order as usize - 1]] - expected).abs() < 1e-14);
            }
        }
    }
}

#[test]
fn products_of_normalised_labels_follow_the_originals() {
    let spec = TargetSpec { products: true, ..targets(6) };
    let weights = [1.0, 2.0, 1.0, 1.0, 3.0];
    let raw = spec.raw_targets(&[label("g", &G), label("c", &C)], &weights).unwrap();
    assert_eq!(raw.names, ["g", "c", "g*g", "g*c", "c*c", "cos2(g)"]);
    assert_eq!(raw.sources[3], TargetSource::Product(0, 1));
    let normalize = |x: &[f64]| -> Vec<f64> {
        let mean = x.iter().zip(weights).map(|(x, w)| w * x).sum::<f64>() / 8.0;
        let variance = x.iter().zip(weights).map(|(x, w)| w * (x - mean).powi(2)).sum::<f64>() / 8.0;
        x.iter().map(|x| (x - mean) / variance.sqrt()).collect()
    };
    let (g, c) = (normalize(&G), normalize(&C));
    for n in 0..5 {
        assert!((raw.values[[n, 2]] - g[n] * g[n]).abs() < 1e-13);
        assert!((raw.values[[n, 3]] - g[n] * c[n]).abs() < 1e-13);
    }
}

#[test]
fn powers_come_before_everything_else() {
    let spec = TargetSpec { powers: vec![2, 1], ..targets(3) };
    let raw = raw(&spec, &[label("gender", &G), label("c", &C)]).unwrap();
    assert_eq!(raw.names, ["gender^2", "c", "cos2(gender^2)"]);
    for (n, g) in G.iter().enumerate() {
        assert!((raw.values[[n, 0]] - g * g).abs() < 1e-12);
        assert!((raw.values[[n, 2]] - ((g * g - 1.0) / 80.0 * 2.0 * PI).cos()).abs() < 1e-12);
    }
    let cubes = TargetSpec { powers: vec![3], ..TargetSpec::default() }.raw_targets(&[label("c", &C)], &[1.0; 5]);
    assert!((cubes.unwrap().values[[1, 0]] + 1.0).abs() < 1e-15);
}

#[test]
fn no_more_cosines_are_formed_than_a_label_has_values() {
    let sign = [0.0, 1.0, 0.0, 1.0, 1.0];
    let raw = raw(&targets(1_000_000), &[label("sign", &sign), label("g", &G)]).unwrap();
    assert_eq!(raw.names, ["sign", "g", "cos2(sign)", "cos2(g)", "cos3(g)", "cos4(g)", "cos5(g)"]);
    assert_eq!(raw.requested, Some(1_000_000));
}

#[test]
fn too_few_targets_are_refused_with_the_reason() {
    let labels = [label("g", &G), label("c", &C)];
    let error = raw(&targets(1), &labels).unwrap_err();
    assert_eq!(error.to_string(), "targets = 1: the 2 original labels count as target labels, too");
    let error = raw(&TargetSpec { products: true, ..targets(4) }, &labels).unwrap_err();
    assert_eq!(
        error.to_string(),
        "targets = 4: the 2 original labels and their 3 products count as target labels, too"
    );
    assert!(raw(&TargetSpec { products: true, ..targets(5) }, &labels).is_ok());
    assert!(matches!(raw(&TargetSpec::default(), &[]), Err(Error::Parameter { name: "labels", .. })));
}

#[test]
fn powers_that_do_not_fit_are_refused() {
    let error = raw(&TargetSpec { powers: vec![1, 2], ..TargetSpec::default() }, &[label("g", &G)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "powers = [1, 2]: there must be one power for each of the 1 original labels, or none at all"
    );
    let error = raw(&TargetSpec { powers: vec![0], ..TargetSpec::default() }, &[label("g", &G)]).unwrap_err();
    assert_eq!(error.to_string(), "powers = [0]: a label to the power 0 is constant");
    let error =
        raw(&TargetSpec { powers: vec![2], ..TargetSpec::default() }, &[label("g", &[1e200, 1.0])]).unwrap_err();
    assert_eq!(error.to_string(), "label 'g^2' has 1 non-finite value at position 0");
}

#[test]
fn labels_without_use_are_refused() {
    let nan = raw(&TargetSpec::default(), &[label("g", &G), label("c", &[1.0, f64::NAN, 2.0, 3.0, 4.0])]).unwrap_err();
    assert_eq!(nan.to_string(), "label 'c' has 1 non-finite value at position 1");
    let constant = raw(&targets(3), &[label("g", &[2.5; 4])]).unwrap_err();
    assert_eq!(constant.to_string(), "label 'g' is constant (value 2.5, standard deviation 0e0)");
    let short = raw(&TargetSpec::default(), &[label("g", &G), label("c", &C[..3])]).unwrap_err();
    assert!(matches!(short, Error::LengthMismatch { left_len: 3, right_len: 5, .. }), "{short}");
}

#[test]
fn the_specification_reads_from_toml() {
    let spec: TargetSpec = toml::from_str("targets = 40\npowers = [2]\ncosines = \"prose\"\nproducts = true").unwrap();
    let expected = TargetSpec { targets: Some(40), powers: vec![2], cosines: CosineReading::Prose, products: true };
    assert_eq!(spec, expected);
    assert_eq!(toml::from_str::<TargetSpec>("").unwrap(), TargetSpec::default());
    assert_eq!(toml::from_str::<TargetSpec>(&toml::to_string(&spec).unwrap()).unwrap(), spec);
}
