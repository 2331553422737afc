//! Some of the rows, and samples that are not finite.

use gsfa::samples::{Samples, Subset};
use gsfa_data::finite::{Finite, Survey};
use gsfa_data::table::Missing;
use ndarray::array;

use crate::support::read64;

#[test]
fn non_finite_samples_are_refused_dropped_or_imputed() {
    let data = array![[1.0, 2.0], [f64::NAN, 4.0], [3.0, f64::INFINITY], [5.0, 6.0]];
    let survey = Survey::of(&data).unwrap();
    assert_eq!((survey.rows.as_slice(), survey.total, survey.first), (&[1, 2][..], 2, Some((1, 0))));
    let error = Finite::new(&data, Missing::Error).unwrap_err();
    assert_eq!(error.to_string(), "X has 2 non-finite values, first at row 1, column 0");
    assert!(error.hint().unwrap().contains("impute"));
    assert_eq!(read64(&Finite::new(&data, Missing::Drop).unwrap()), array![[1.0, 2.0], [5.0, 6.0]]);
    let filled = read64(&Finite::new(&data, Missing::Impute).unwrap());
    assert_eq!(filled, array![[1.0, 2.0], [3.0, 4.0], [3.0, 4.0], [5.0, 6.0]]);
    assert_eq!(survey.counts, [1, 1]);
    // New samples get the means of those that were learned, not their own.
    let filled = read64(&Finite::with_means(&data, vec![-1.0, -2.0]).unwrap());
    assert_eq!(filled, array![[1.0, 2.0], [-1.0, 4.0], [3.0, -2.0], [5.0, 6.0]]);
    assert!(Finite::with_means(&data, vec![0.0]).is_err());
    assert!(Finite::with_means(&data, vec![0.0, f64::NAN]).is_err());
    let none = array![[f64::NAN], [f64::NAN]];
    assert!(Finite::new(&none, Missing::Impute).is_err());
}

#[test]
fn a_subset_shows_its_rows() {
    let data = array![[1.0], [2.0], [3.0]];
    let subset = Subset::new(&data, vec![2, 0, 2]).unwrap();
    assert_eq!(read64(&subset), array![[3.0], [1.0], [3.0]]);
    assert!(Subset::new(&data, vec![3]).is_err());
}

/// F70: who reads the message looks for the row in the file.
#[test]
fn rows_in_messages_are_those_of_the_file() {
    let nan = f64::NAN;
    let data = array![[1.0, 2.0], [nan, 0.0], [3.0, 4.0], [5.0, f64::INFINITY], [7.0, 8.0]];
    let subset = Subset::new(&data, vec![0, 2, 3]).unwrap();
    let error = Finite::new(&subset, Missing::Error).unwrap_err().to_string();
    assert_eq!(error, "X has 1 non-finite value, first at row 3, column 1");
    let nested = Subset::new(&subset, vec![2, 0]).unwrap();
    let error = Finite::new(&nested, Missing::Error).unwrap_err().to_string();
    assert_eq!(error, "X has 1 non-finite value, first at row 3, column 1");
    assert_eq!((nested.original_row(0), nested.original_row(1)), (3, 0));

    let finite = Finite::new(&data, Missing::Drop).unwrap();
    assert_eq!((0..3).map(|row| finite.original_row(row)).collect::<Vec<_>>(), [0, 2, 4]);
    // What the method says of the rows that are left.
    let error = gsfa::Error::Overflow { row: 2, column: 0, value: 7.0 }.with_rows(|row| finite.original_row(row));
    assert!(matches!(error, gsfa::Error::Overflow { row: 4, .. }), "{error}");

    // The column without a mean, not the first that lacks a value.
    let error = Finite::with_means(&data, vec![0.0, nan]).unwrap_err().to_string();
    assert_eq!(error, "X has 2 non-finite values, first at row 3, column 1");
}

#[test]
fn means_of_huge_numbers_are_numbers() {
    let data = array![[1.5e308], [1.5e308], [f64::NAN], [1.5e308]];
    let filled = read64(&Finite::new(&data, Missing::Impute).unwrap())[[2, 0]];
    assert!((filled / 1.5e308 - 1.0).abs() < 1e-15, "{filled:e}");
}

/// Weight 2 is the row twice, and rows of a column that lack its value do not count there.
#[test]
fn means_weigh_rows_as_copies_do() {
    let nan = f64::NAN;
    let data = array![[1.0, nan], [nan, 4.0], [3.0, 8.0], [1.5e308, nan]];
    let weights = [2.0, 1.0, 3.0, 1.0];
    let rows: Vec<usize> = (0..4).flat_map(|n| vec![n; weights[n] as usize]).collect();
    let copies = Survey::of(&Subset::new(&data, rows).unwrap()).unwrap();
    let weighted = Survey::weighted(&data, Some(&weights)).unwrap();
    assert_eq!(weighted.means, copies.means);
    assert_eq!(weighted.means[1], 7.0);
    assert_eq!(read64(&Finite::imputed(&data, &weights).unwrap())[[0, 1]], 7.0);
    assert!(Survey::weighted(&data, Some(&weights[..3])).is_err());
}
