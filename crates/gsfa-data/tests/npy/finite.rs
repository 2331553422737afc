//! Some of the rows, and samples that are not finite.

use gsfa_data::finite::{Finite, Survey};
use gsfa_data::source::Subset;
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
