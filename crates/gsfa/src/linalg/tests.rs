//! Factorisations satisfy their defining identities at any magnitude and size.

use ndarray::{Array2, Axis, s};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::cholesky::{cholesky_in_place_lower, solve_lower, solve_lower_transposed};
use super::lower_product::{add_lower, lower_product, symmetrize, zeros};
use super::panels::Panels;
use super::wide_product::{PIECE, add_wide_product};
use super::{AffineMap, Buffers, Real, largest_eigenpairs, smallest_eigenpairs, symmetric_eigen, thin_svd};

fn noise(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || StandardNormal.sample(&mut random))
}

fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Largest difference relative to the largest entry.
fn relative(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    largest(&(a - b)) / largest(b).max(f64::MIN_POSITIVE)
}

fn symmetric(n: usize, seed: u64) -> Array2<f64> {
    let a = noise(n, n, seed);
    &a + &a.t()
}

fn positive(n: usize, seed: u64) -> Array2<f64> {
    let a = noise(2 * n + 2, n, seed);
    a.t().dot(&a) / n as f64
}

#[test]
fn eigenpairs_have_small_residuals_at_any_norm() {
    for n in [1, 2, 3, 31, 127, 128, 129, 160, 257, 600] {
        let a = symmetric(n, n as u64);
        let norms: &[i32] = if n <= 160 { &[-160, -16, -12, -8, -3, 0, 3, 8, 12, 16, 150] } else { &[-16, 0, 16] };
        for &exponent in norms {
            let scaled = &a * 10.0_f64.powi(exponent);
            let eigen = symmetric_eigen(scaled.view()).unwrap();
            let residual = scaled.dot(&eigen.vectors) - &eigen.vectors * &eigen.values;
            let tolerance = 1e-14 * (n as f64).sqrt() * 10.0;
            let norm = largest(&scaled) * (n as f64).sqrt();
            assert!(largest(&residual) <= tolerance * norm, "n = {n}, norm 1e{exponent}");
            assert!(largest(&(eigen.vectors.t().dot(&eigen.vectors) - Array2::<f64>::eye(n))) < tolerance);
            assert!(eigen.values.windows(2).into_iter().all(|w| w[0] <= w[1]));
        }
    }
}

#[test]
fn singular_values_and_vectors_give_the_matrix_back() {
    for (rows, columns) in [(1, 1), (1, 5), (5, 1), (40, 3), (160, 59), (300, 200), (60, 160)] {
        for exponent in [-160, -12, 0, 12, 150] {
            let a = noise(rows, columns, 7) * 10.0_f64.powi(exponent);
            let svd = thin_svd(a.view()).unwrap();
            let product = (&svd.left * &svd.values).dot(&svd.right.t());
            assert!(
                relative(&product, &a) < 1e-13 * (rows.max(columns) as f64).sqrt(),
                "{rows}x{columns} 1e{exponent}"
            );
            assert_eq!(svd.rank(), rows.min(columns));
        }
    }
    let thin = noise(50, 3, 8);
    assert_eq!(thin_svd(thin.dot(&noise(3, 20, 9)).view()).unwrap().rank(), 3);
    assert_eq!(thin_svd(Array2::zeros((4, 2)).view()).unwrap().rank(), 0);
    assert!(thin_svd(Array2::from_elem((4, 2), f64::NAN).view()).is_err());
}

#[test]
fn a_single_entry_that_is_not_finite_is_noticed_wherever_it_stands() {
    for n in [2, 5, 450] {
        for place in [[0, 0], [n / 2, 0], [n - 1, n - 1]] {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut a = positive(n, 5);
                a[place] = bad;
                a[[place[1], place[0]]] = bad;
                let failures = [
                    symmetric_eigen(a.view()).err(),
                    largest_eigenpairs(a.view(), 3).err(),
                    smallest_eigenpairs(a.view(), 3).err(),
                    thin_svd(a.view()).err(),
                ];
                for failure in failures {
                    let failure = failure.unwrap_or_else(|| panic!("{bad} at {place:?} of {n}"));
                    assert!(failure.to_string().ends_with(&format!("of a {n}x{n} matrix failed")), "{failure}");
                }
            }
        }
    }
}

#[test]
fn cholesky_factors_multiply_to_the_matrix_and_solve() {
    for n in [1, 2, 17, 255, 256, 257, 700] {
        let a = positive(n, 10 + n as u64);
        let mut factor = ndarray::Array2::zeros(ndarray::ShapeBuilder::f((n, n)));
        factor.assign(&a);
        assert!(cholesky_in_place_lower(&mut factor));
        let lower = Array2::from_shape_fn((n, n), |(i, j)| if i >= j { factor[[i, j]] } else { 0.0 });
        assert!(relative(&lower.dot(&lower.t()), &a) < 1e-14 * n as f64, "n = {n}");
        let b = noise(n, 3, 11);
        let mut x = b.clone();
        solve_lower(factor.view(), &mut x);
        solve_lower_transposed(factor.view(), &mut x);
        assert!(relative(&a.dot(&x), &b) < 1e-11 * n as f64, "n = {n}");
    }
    assert!(!cholesky_in_place_lower(&mut (symmetric(300, 12) - Array2::<f64>::eye(300) * 50.0)));
}

#[test]
fn a_few_extreme_pairs_are_those_of_the_full_decomposition() {
    for (n, count) in [(30, 4), (450, 1), (450, 20), (600, 12)] {
        for exponent in [-12, 0, 12] {
            let a = positive(n, 13) * 10.0_f64.powi(exponent);
            let full = symmetric_eigen(a.view()).unwrap();
            let top = largest_eigenpairs(a.view(), count).unwrap();
            let bottom = smallest_eigenpairs(a.view(), count).unwrap();
            let norm = full.values[n - 1];
            for k in 0..count {
                assert!((top.values[count - 1 - k] - full.values[n - 1 - k]).abs() < 1e-12 * norm, "n = {n}, top {k}");
                assert!((bottom.values[k] - full.values[k]).abs() < 1e-12 * norm, "n = {n}, bottom {k}");
            }
            for pairs in [top, bottom] {
                assert!(pairs.values.windows(2).into_iter().all(|w| w[0] <= w[1]));
                let residual = a.dot(&pairs.vectors) - &pairs.vectors * &pairs.values;
                assert!(largest(&residual) < 1e-10 * norm, "n = {n}");
            }
        }
    }
}

#[test]
fn extreme_pairs_of_degenerate_and_singular_matrices_are_found() {
    // Rank 5, eigenvalue 2 three times: subspaces, not vectors, are defined.
    let n = 500;
    let basis = thin_svd(noise(n, 5, 14).view()).unwrap().left;
    let values = [0.5, 2.0, 2.0, 2.0, 3.0];
    let a = (&basis * &ndarray::aview1(&values)).dot(&basis.t());
    let top = largest_eigenpairs(a.view(), 5).unwrap();
    for (value, expected) in top.values.iter().zip(values) {
        assert!((value - expected).abs() < 1e-12);
    }
    let along = basis.slice(s![.., 1..4]).t().dot(&top.vectors.slice(s![.., 1..4]));
    assert!(along.axis_iter(Axis(1)).all(|c| (c.dot(&c) - 1.0).abs() < 1e-10));
    let bottom = smallest_eigenpairs(a.view(), 3).unwrap();
    assert!(bottom.values.iter().all(|x| x.abs() < 1e-12));
}

fn in_pieces<'b, T: Real>(rows: &Array2<T>, buffers: &'b Buffers<T>) -> Vec<Panels<'b, T>> {
    rows.axis_chunks_iter(Axis(0), PIECE).map(|rows| Panels::of(rows, buffers)).collect()
}

#[test]
fn blocked_products_equal_the_plain_one() {
    // One piece and less, several, more than are added up at a time; one tile and less, several, with odd rests.
    for (rows, columns) in [(1, 1), (2, 2), (127, 5), (128, 288), (129, 289), (300, 700), (1200, 333)] {
        let (x, y) = (noise(rows, columns, 15), noise(rows, columns, 16));
        let plain = x.t().dot(&y);
        let mut wide = Array2::zeros(plain.dim());
        let buffers = Buffers::default();
        let pieces = (in_pieces(&x, &buffers), in_pieces(&y, &buffers));
        add_wide_product(wide.view_mut(), 1.0, &pieces.0, &pieces.1);
        let mut narrow = Array2::zeros(plain.dim());
        add_lower(&mut narrow, &[&lower_product(&pieces.0, &pieces.1, &buffers)]);
        let whole = ([Panels::of(x.view(), &buffers)], [Panels::of(y.view(), &buffers)]);
        let mut at_once = Array2::zeros(plain.dim());
        add_lower(&mut at_once, &[&lower_product(&whole.0, &whole.1, &buffers)]);
        let mut single = zeros(columns, columns);
        let (x, y) = (x.mapv(|x| x as f32), y.mapv(|y| y as f32));
        let buffers = Buffers::default();
        add_wide_product(single.view_mut(), 1.0, &in_pieces(&x, &buffers), &in_pieces(&y, &buffers));
        let near = |a: f64, b: f64, epsilon: f64| (a - b).abs() <= 2.0 * epsilon * (rows as f64 + 16.0);
        for i in 0..columns {
            for j in 0..=i {
                assert!(near(wide[[i, j]], plain[[i, j]], f64::EPSILON), "{rows}x{columns}");
                assert!(near(narrow[[i, j]], plain[[i, j]], f64::EPSILON), "{rows}x{columns}");
                assert!(near(at_once[[i, j]], plain[[i, j]], f64::EPSILON), "{rows}x{columns}");
                assert!(near(single[[i, j]], plain[[i, j]], f64::from(f32::EPSILON)), "{rows}x{columns}");
            }
        }
        symmetrize(&mut narrow);
        assert!(narrow.indexed_iter().all(|((i, j), x)| *x == narrow[[j, i]]));
    }
}

#[test]
fn blocked_work_has_the_same_bits_for_any_number_of_threads() {
    let (x, size) = (noise(700, 650, 17), 650);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sum = zeros(size, size);
            let buffers = Buffers::default();
            let pieces = in_pieces(&x, &buffers);
            add_wide_product(sum.view_mut(), 1.0, &pieces, &pieces);
            let mut factor = sum.clone();
            assert!(cholesky_in_place_lower(&mut factor));
            let mut solved = x.t().to_owned();
            solve_lower(factor.view(), &mut solved);
            solve_lower_transposed(factor.view(), &mut solved);
            (sum, factor, solved)
        })
    };
    let (sum, factor, solved) = run(1);
    for threads in [2, 3, 8] {
        let other = run(threads);
        assert_eq!(solved, other.2);
        for j in 0..size {
            assert_eq!(sum.slice(s![j.., j]), other.0.slice(s![j.., j]));
            assert_eq!(factor.slice(s![j.., j]), other.1.slice(s![j.., j]));
        }
    }
}

#[test]
fn bits_of_an_affine_map_do_not_depend_on_how_many_rows_go_together() {
    fn check<T: Real + std::fmt::Debug>(inputs: usize, outputs: usize) {
        let x = noise(300, inputs, 18).mapv(T::from_f64);
        let map = AffineMap::<T>::new(&noise(1, inputs, 19).row(0).to_owned(), &noise(inputs, outputs, 20));
        let mut together = Array2::from_elem((300, outputs), T::default());
        map.apply_into(x.view(), together.view_mut());
        for rows in [1, 2, 3, 5, 16, 299] {
            for (x, expected) in x.axis_chunks_iter(Axis(0), rows).zip(together.axis_chunks_iter(Axis(0), rows)) {
                let mut out = Array2::from_elem((x.nrows(), outputs), T::default());
                map.apply_block(x, out.view_mut());
                assert_eq!(out, expected, "{rows} rows of {inputs} to {outputs}");
            }
        }
    }
    for (inputs, outputs) in [(1, 1), (3, 1), (2, 2), (17, 6), (64, 50), (100, 40), (600, 3), (1100, 31)] {
        check::<f32>(inputs, outputs);
        check::<f64>(inputs, outputs);
    }
}
