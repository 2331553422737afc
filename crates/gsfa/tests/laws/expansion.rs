//! Laws of the expansions.

use gsfa::Error;
use gsfa::expansion::{Clip, ClipBounds, Expandable, Expansion, First};
use ndarray::{Array1, Array2, ArrayView2, Axis, ShapeBuilder, array, s};

const CASCADE: Expansion = Expansion::Polynomial { degree: 2, first: Some(First { count: 5, degree: 3 }) };

fn polynomial(degree: u32) -> Expansion {
    Expansion::Polynomial { degree, first: None }
}

fn samples(rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(n, i)| ((n * 37 + i * 101) as f64 * 0.618).sin() * 2.5)
}

fn expand<T: Expandable>(expansion: Expansion, input: ArrayView2<'_, T>) -> Array2<T> {
    let terms = expansion.output_dim(input.ncols()).unwrap();
    let mut output = Array2::from_elem((input.nrows(), terms), T::default());
    expansion.expand_into(input, output.view_mut()).unwrap();
    output
}

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("x{i}")).collect()
}

#[test]
fn dimensions_are_those_of_the_paper() {
    assert_eq!(Expansion::QUADRATIC.output_dim(120).unwrap(), 7_380);
    assert_eq!(Expansion::QUADRATIC.output_dim(198).unwrap(), 19_899);
    assert_eq!(polynomial(6).output_dim(3).unwrap(), 83);
    assert_eq!(Expansion::EXPO_08.output_dim(50).unwrap(), 100);
    assert_eq!(Expansion::Identity.output_dim(6_912).unwrap(), 6_912);
    // 20 slow features to degree 2 (230 terms) and the cubic ones of the first 5 (35), nothing twice.
    assert_eq!(CASCADE.output_dim(20).unwrap(), 265);
    assert_eq!(polynomial(4).output_dim(0).unwrap(), 0);
    assert_eq!(polynomial(7).output_dim(1).unwrap(), 7);
}

#[test]
fn absurd_sizes_and_parameters_are_errors() {
    assert!(matches!(polynomial(6).output_dim(120), Err(Error::ExpansionTooLarge { inputs: 120, degree: 6, .. })));
    assert!(matches!(polynomial(u32::MAX).output_dim(usize::MAX), Err(Error::ExpansionTooLarge { .. })));
    assert!(matches!(polynomial(u32::MAX).output_dim(1), Err(Error::ExpansionTooLarge { .. })));
    assert!(Expansion::EXPO_08.output_dim(usize::MAX).is_err());
    assert!(polynomial(0).output_dim(3).is_err());
    for exponent in [0.0, -0.8, f64::NAN, f64::INFINITY, 9.0] {
        assert!(Expansion::Expo { exponent }.output_dim(3).is_err(), "{exponent}");
    }
    for (count, degree) in [(0, 3), (4, 3), (2, 2)] {
        let first = Some(First { count, degree });
        assert!(Expansion::Polynomial { degree: 2, first }.output_dim(3).is_err(), "{count} {degree}");
    }
    let mut short = Array2::<f64>::zeros((4, 8));
    let result = Expansion::QUADRATIC.expand_into(samples(4, 3).view(), short.view_mut());
    assert_eq!(result, Err(Error::Shape { what: "expanded samples".into(), found: vec![4, 8], needed: vec![4, 9] }));
}

/// The value of a term according to its name, by repeated multiplication.
fn naive(term: &str, row: &[f64]) -> f64 {
    term.split('*')
        .map(|factor| {
            let (variable, power) = factor.split_once('^').unwrap_or((factor, "1"));
            let x = row[variable[1..].parse::<usize>().unwrap() - 1];
            (0..power.parse().unwrap()).map(|_| x).product::<f64>()
        })
        .product()
}

#[test]
fn monomials_are_the_products_their_names_say_and_no_two_are_equal() {
    let mixed = Expansion::Polynomial { degree: 2, first: Some(First { count: 2, degree: 5 }) };
    for (expansion, dims) in [(polynomial(1), 1..4), (polynomial(2), 1..9), (polynomial(6), 1..4), (mixed, 2..6)] {
        for dim in dims {
            let x = samples(3, dim);
            let y = expand(expansion, x.view());
            let terms = expansion.term_names(&names(dim)).unwrap();
            assert_eq!(terms.len(), y.ncols());
            assert_eq!(terms[..dim], names(dim)[..]);
            let mut unique = terms.clone();
            unique.sort();
            unique.dedup();
            assert_eq!(unique.len(), terms.len());
            for (row, expanded) in x.rows().into_iter().zip(y.rows()) {
                for (term, &value) in terms.iter().zip(expanded) {
                    let expected = naive(term, row.as_slice().unwrap());
                    assert!((value - expected).abs() <= 8.0 * f64::EPSILON * expected.abs(), "{term}");
                }
            }
        }
    }
}

#[test]
fn the_first_inputs_expand_as_they_would_alone() {
    let x = samples(5, 7);
    let all = expand(polynomial(3), x.view());
    let first = Expansion::Polynomial { degree: 2, first: Some(First { count: 7, degree: 3 }) };
    assert_eq!(expand(first, x.view()), all, "all inputs to the higher degree is that degree");
}

#[test]
fn the_rows_of_a_chunk_do_not_know_each_other() {
    let x = samples(130, 7);
    for expansion in [Expansion::Identity, Expansion::EXPO_08, polynomial(3), CASCADE] {
        let whole = expand(expansion, x.view());
        for size in [1, 2, 73, 129] {
            for (rows, expected) in x.axis_chunks_iter(Axis(0), size).zip(whole.axis_chunks_iter(Axis(0), size)) {
                assert_eq!(expand(expansion, rows), expected, "{expansion:?} in chunks of {size}");
            }
        }
        let single = x.mapv(|v| v as f32);
        assert_eq!(expand(expansion, single.view()).row(100), expand(expansion, single.slice(s![100..101, ..])).row(0));
    }
}

#[test]
fn layout_does_not_matter() {
    let x = samples(40, 6);
    let mut transposed = Array2::zeros((40, 6).f());
    transposed.assign(&x);
    for expansion in [Expansion::Identity, Expansion::EXPO_08, polynomial(3)] {
        let expected = expand(expansion, x.view());
        assert_eq!(expand(expansion, transposed.view()), expected);
        assert_eq!(expand(expansion, x.slice(s![..;-1, ..])), expected.slice(s![..;-1, ..]));
        let mut columns = Array2::zeros(expected.raw_dim().f());
        expansion.expand_into(x.view(), columns.view_mut()).unwrap();
        assert_eq!(columns, expected);
    }
}

#[test]
fn single_precision_follows_double_precision() {
    let x = samples(50, 9);
    for expansion in [Expansion::Identity, Expansion::EXPO_08, polynomial(4)] {
        let single = expand(expansion, x.mapv(|v| v as f32).view());
        let double = expand(expansion, x.mapv(|v| f64::from(v as f32)).view());
        for (a, b) in single.iter().zip(&double) {
            assert!((f64::from(*a) - b).abs() <= 4.0 * f64::from(f32::EPSILON) * b.abs());
        }
    }
}

/// `|x|^p` of any values, through the expansion.
fn powers<T: Expandable>(exponent: f64, x: &[T]) -> Vec<T> {
    let row = Array1::from(x.to_vec()).insert_axis(Axis(1));
    expand(Expansion::Expo { exponent }, row.view()).column(1).to_vec()
}

#[test]
fn powers_in_double_precision_agree_with_powf_over_all_magnitudes() {
    let mut x: Vec<f64> =
        (0..400_000_u64).map(|i| f64::from_bits(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1)).collect();
    x.retain(|v| v.is_finite());
    x.extend((1..200_000).map(|i| f64::from(i) * 2.0e-5));
    x.extend((0..100).map(f64::from_bits)); // the smallest subnormal numbers
    for (exponent, allowed) in [(0.1, 2), (0.5, 2), (0.8, 2), (0.9, 2), (1.5, 3), (3.3, 5), (8.0, 9)] {
        for (&x, y) in x.iter().zip(powers(exponent, &x)) {
            let expected = x.powf(exponent);
            let ulps = (y.to_bits() as i64 - expected.to_bits() as i64).abs();
            assert!(ulps <= allowed, "{x:e}^{exponent} = {y:e}, powf gives {expected:e}: {ulps} ulp");
        }
    }
}

#[test]
fn powers_in_single_precision_agree_with_powf_over_all_magnitudes() {
    let x: Vec<f32> = (0..0x7f80_0000_u32).step_by(4093).chain(0..100).map(f32::from_bits).collect();
    for (exponent, allowed) in [(0.1, 1.5), (0.5, 1.5), (0.8, 1.5), (0.9, 1.5), (1.5, 2.0), (3.3, 4.0)] {
        for (&x, y) in x.iter().zip(powers(exponent, &x)) {
            let exact = f64::from(x).powf(exponent);
            let nearest = exact as f32;
            if nearest.is_infinite() {
                assert!(y.is_infinite() || y > 0.999_999 * f32::MAX);
                continue;
            }
            let ulp =
                f64::from(nearest.next_up().min(f32::MAX)) - f64::from(nearest.next_up().min(f32::MAX).next_down());
            assert!((f64::from(y) - exact).abs() <= allowed * ulp, "{x:e}^{exponent} = {y:e}, exactly {exact:e}");
        }
    }
}

#[test]
fn powers_are_exact_at_the_ends_and_at_one() {
    for exponent in [0.3, 0.8, 1.0, 2.5] {
        let y = powers(exponent, &[0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
        assert_eq!(y[..6], [0.0, 0.0, 1.0, 1.0, f64::INFINITY, f64::INFINITY]);
        assert!(y[6].is_nan());
        let y = powers(exponent, &[0.0_f32, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]);
        assert_eq!(y[..6], [0.0, 0.0, 1.0, 1.0, f32::INFINITY, f32::INFINITY]);
        assert!(y[6].is_nan());
    }
    assert_eq!(powers(3.0, &[1e200, 1e-200]), [f64::INFINITY, 0.0]);
    assert_eq!(powers(2.0, &[1e-160]), [1e-160_f64.powf(2.0)], "subnormal results are rounded once");
}

#[test]
fn clipping_holds_values_within_the_training_range() {
    let bounds = Clip { sigmas: 3.0 }.fit(array![0.0, 1.0, 5.0].view(), array![1.0, 2.0, 0.0].view()).unwrap();
    let mut x = array![[4.0, -9.0, 5.1], [-4.0, 9.0, 4.9], [0.5, 1.5, f64::NAN]];
    bounds.apply(x.view_mut()).unwrap();
    assert_eq!(x.slice(s![..2, ..]), array![[3.0, -5.0, 5.0], [-3.0, 7.0, 5.0]]);
    assert_eq!(x.slice(s![2, ..2]), array![0.5, 1.5]);
    assert!(x[[2, 2]].is_nan());
    assert!(bounds.apply(Array2::<f32>::zeros((2, 4)).view_mut()).is_err());
    assert!(Clip { sigmas: 0.0 }.fit(array![0.0].view(), array![1.0].view()).is_err());
    assert!(Clip { sigmas: 1.0 }.fit(array![0.0].view(), array![1.0, 2.0].view()).is_err());
    assert!(Clip { sigmas: 1.0 }.fit(array![0.0].view(), array![-1.0].view()).is_err());
    assert!(ClipBounds::new(array![1.0], array![0.0]).is_err());
    assert!(ClipBounds::new(array![f64::NAN], array![0.0]).is_err());
}

#[test]
fn specifications_survive_toml() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Node {
        expansion: Expansion,
    }
    for (text, expansion) in [
        ("expansion = { kind = 'identity' }", Expansion::Identity),
        ("expansion = { kind = 'expo' }", Expansion::EXPO_08),
        ("expansion = { kind = 'polynomial', degree = 6 }", polynomial(6)),
        ("expansion = { kind = 'polynomial', degree = 2, first = { count = 5, degree = 3 } }", CASCADE),
    ] {
        let node: Node = toml::from_str(text).unwrap();
        assert_eq!(node.expansion, expansion);
        assert_eq!(toml::from_str::<Node>(&toml::to_string(&node).unwrap()).unwrap(), node);
    }
    assert!(toml::from_str::<Node>("expansion = { kind = 'polynomial', degree = 2, frist = 3 }").is_err());
    assert_eq!(Expansion::EXPO_08.term_names(&names(2)).unwrap(), ["x1", "x2", "|x1|^0.8", "|x2|^0.8"]);
}
