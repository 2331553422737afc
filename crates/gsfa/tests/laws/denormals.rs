//! Columns at the lower end of the range of numbers: used like any other, or named.

use gsfa::expansion::{Clip, Expansion};
use gsfa::graph::TrainingGraph;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
use gsfa::{Error, Gsfa};
use ndarray::Array2;

use crate::network_support::{graph, images};

const COLUMNS: usize = 5;

/// Whole numbers, which denormal numbers hold exactly.
fn table() -> (Array2<f64>, TrainingGraph) {
    let (x, label) = images(300, InputShape::vector(COLUMNS), 2);
    let graph = graph(&label, 2);
    (x.mapv(|x| (x * 1e4).round()), graph)
}

fn networks() -> Vec<(&'static str, NetworkSpec)> {
    let several = |layers| NetworkSpec::new(InputShape::vector(COLUMNS), layers);
    let one = |layer| several(vec![layer]);
    let plain = LayerSpec::new(2);
    let pca = |whiten| Some(PcaSpec { whiten, ..PcaSpec::components(COLUMNS) });
    vec![
        ("linear", one(plain.clone())),
        ("quadratic", one(LayerSpec { expansion: Expansion::QUADRATIC, ..plain.clone() })),
        ("|x|^0.8", one(LayerSpec { expansion: Expansion::EXPO_08, ..plain.clone() })),
        ("PCA", one(LayerSpec { pca: pca(false), ..plain.clone() })),
        ("whitened", one(LayerSpec { pca: pca(true), ..plain.clone() })),
        ("standardized", one(LayerSpec { standardize: true, ..plain.clone() })),
        ("clipped", one(LayerSpec { clip: Some(Clip { sigmas: 2.0 }), ..plain.clone() })),
        (
            "skipping",
            several(vec![plain.clone(), LayerSpec { skip: Some(Skip { feature_scale: 1.0, gate: None }), ..plain }]),
        ),
    ]
}

/// The column times a factor, or all columns.
fn scaled(x: &Array2<f64>, factor: f64, column: Option<usize>) -> Array2<f64> {
    let mut x = x.clone();
    x.columns_mut()
        .into_iter()
        .enumerate()
        .filter(|(i, _)| column.is_none_or(|column| column == *i))
        .for_each(|(_, mut values)| values.mapv_inplace(|x| x * factor));
    x
}

fn farthest(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).iter().fold(0.0_f64, |m, d| if d.is_nan() { f64::INFINITY } else { m.max(d.abs()) })
}

/// Whether the features are those of columns near one; otherwise the error must name the column.
fn is_used_or_named(name: &str, column: Option<usize>, error: Result<f64, Error>, tolerance: f64) -> bool {
    match error {
        Ok(error) => {
            assert!(error < tolerance, "{name}: {error:e}");
            true
        }
        Err(Error::ColumnRange { column: found, .. }) => {
            assert!(column.is_none_or(|column| column == found), "{name}: column {found}");
            false
        }
        Err(other) => panic!("{name}: {other}"),
    }
}

#[test]
fn denormal_columns_are_used_or_named() {
    let (x, graph) = table();
    let plain = Gsfa::default().fit(&x.view(), &graph).unwrap().apply(x.view()).unwrap();
    let mut used = 0;
    for factor in [1e-290, 1e-300, 1e-307, 1e-310, 5e-324] {
        for column in [Some(3), None] {
            let tiny = scaled(&x, factor, column);
            // 5e-324 times a whole number is exact; the others lose digits.
            let tolerance = if factor == 1e-310 { 1e-3 } else { 1e-6 };
            let fit = || Ok(farthest(&Gsfa::default().fit(&tiny.view(), &graph)?.apply(tiny.view())?, &plain));
            used += usize::from(is_used_or_named(&format!("GSFA, {factor:e}"), column, fit(), tolerance));
            for (name, spec) in networks() {
                let plain = spec.fit(&x.view(), &graph).unwrap().features;
                let fit = || {
                    let trained = spec.fit(&tiny.view(), &graph)?;
                    let applied = trained.network.apply(&tiny.view())?;
                    Ok(farthest(&trained.features, &plain).max(farthest(&applied, &plain)))
                };
                used += usize::from(is_used_or_named(&format!("{name}, {factor:e}"), column, fit(), tolerance));
            }
        }
    }
    assert!(used >= 20, "{used} used");
}

#[test]
fn denormal_columns_of_single_precision_are_used_or_named() {
    let (x, graph) = table();
    let single = x.mapv(|x| x as f32);
    let slow = Gsfa::default().fit(&single.view(), &graph).unwrap();
    let plain = slow.apply(single.view()).unwrap().mapv(f64::from);
    let mut used = 0;
    for factor in [1e-30_f32, 1e-38, 1e-45] {
        for column in [Some(3), None] {
            let mut tiny = single.clone();
            for (i, mut values) in tiny.columns_mut().into_iter().enumerate() {
                if column.is_none_or(|column| column == i) {
                    values.mapv_inplace(|x| x * factor);
                }
            }
            let fit = || {
                let slow = Gsfa::default().fit(&tiny.view(), &graph)?;
                Ok(farthest(&slow.apply(tiny.view())?.mapv(f64::from), &plain))
            };
            used += usize::from(is_used_or_named(&format!("GSFA, {factor:e}"), column, fit(), 1e-2));
            for (name, spec) in networks() {
                // Principal components of ordinary columns of other units are those of the large ones: their definition.
                if name.starts_with("PCA") | name.starts_with("whitened") && column.is_some() && factor > 1e-40 {
                    continue;
                }
                let plain = spec.fit(&single.view(), &graph).unwrap().features;
                let fit = || {
                    let trained = spec.fit(&tiny.view(), &graph)?;
                    let applied = trained.network.apply(&tiny.view())?;
                    Ok(farthest(&trained.features, &plain).max(farthest(&applied, &plain)))
                };
                used += usize::from(is_used_or_named(&format!("{name}, {factor:e}"), column, fit(), 1e-2));
            }
        }
    }
    assert!(used >= 20, "{used} used");
}
