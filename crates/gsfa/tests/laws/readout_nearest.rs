//! Nearest centroid and k nearest neighbors against naive searches.

use gsfa::Error;
use gsfa::labels::{Classes, LabelValues, SampleWeights};
use gsfa::readout::{FittedReadout, LabeledFeatures, NearestCentroid, NearestNeighbors, Readout};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, array, s};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || random.sample(StandardNormal))
}

fn fit(readout: Readout, x: ArrayView2<'_, f64>, label: &LabelValues, weights: &SampleWeights) -> FittedReadout {
    readout.fit(&LabeledFeatures::new(x, "label", label, weights).unwrap()).unwrap()
}

fn neighbors(k: usize) -> Readout {
    Readout::NearestNeighbors(NearestNeighbors { features: None, neighbors: k })
}

fn squared_distance(a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum()
}

fn names(rows: usize) -> Vec<String> {
    (0..rows).map(|n| format!("c{}", n * n % 5)).collect()
}

#[test]
fn the_nearest_weighted_mean_wins() {
    let x = normal(40, 3, 1);
    let classes = Classes::new(names(40));
    let weights: Vec<f64> = (0..40).map(|n| 1.0 + (n % 3) as f64).collect();
    let label = LabelValues::Classes(classes.clone());
    let readout = Readout::NearestCentroid(NearestCentroid { features: Some(2) });
    let fitted = fit(readout, x.view(), &label, &SampleWeights::new(weights.clone()).unwrap());
    let test = normal(300, 3, 2);
    let estimates = fitted.estimate(test.view()).unwrap();
    let means: Vec<Array1<f64>> = (0..classes.count())
        .map(|c| {
            let of_class = (0..40).filter(|&n| classes.of_sample()[n] as usize == c);
            let total: f64 = of_class.clone().map(|n| weights[n]).sum();
            of_class.fold(Array1::zeros(2), |sum, n| sum + &x.slice(s![n, ..2]) * weights[n]) / total
        })
        .collect();
    for (row, &class) in test.rows().into_iter().zip(estimates.classes().unwrap()) {
        let distances: Vec<f64> = means.iter().map(|m| squared_distance(row.slice(s![..2]), m.view())).collect();
        assert!(distances.iter().all(|&d| distances[class as usize] <= d + 1e-12));
    }
}

#[test]
fn weight_2_is_the_row_twice_for_centroids() {
    let x = array![[0.0], [1.0], [5.0]];
    let twice = array![[0.0], [1.0], [1.0], [5.0]];
    let label = |names: &[&str]| LabelValues::Classes(Classes::new(names));
    let readout = Readout::NearestCentroid(NearestCentroid::default());
    let by_weight = fit(readout, x.view(), &label(&["a", "a", "b"]), &SampleWeights::new(vec![1.0, 2.0, 1.0]).unwrap());
    let by_rows = fit(readout, twice.view(), &label(&["a", "a", "a", "b"]), &SampleWeights::uniform(4));
    let FittedReadout::Centroids(centroids) = &by_weight else { panic!("no centroids") };
    assert!((centroids.centroids()[[0, 0]] - 2.0 / 3.0).abs() < 1e-15);
    let test = normal(50, 1, 3);
    assert_eq!(by_weight.estimate(test.view()), by_rows.estimate(test.view()));
}

/// The k nearest rows by sorting all of them.
fn sorted(x: &Array2<f64>, row: ArrayView1<'_, f64>, k: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..x.nrows()).collect();
    order.sort_by(|&a, &b| squared_distance(row, x.row(a)).total_cmp(&squared_distance(row, x.row(b))).then(a.cmp(&b)));
    order.truncate(k);
    order
}

#[test]
fn neighbors_are_those_of_a_full_sort() {
    // Coordinates on a coarse grid: many distances are equal.
    let x = normal(120, 2, 4).mapv(|v| (2.0 * v).round());
    let test = normal(400, 2, 5).mapv(|v| (2.0 * v).round());
    let weights: Vec<f64> = (0..120).map(|n| 1.0 + (n % 2) as f64).collect();
    let sample_weights = SampleWeights::new(weights.clone()).unwrap();
    let values: Vec<f64> = normal(120, 1, 6).into_raw_vec_and_offset().0;
    let classes = Classes::new(names(120));
    for k in [1, 2, 7, 120] {
        let numbers = fit(neighbors(k), x.view(), &LabelValues::Numbers(values.clone()), &sample_weights);
        let numbers = numbers.estimate(test.view()).unwrap();
        let votes = fit(neighbors(k), x.view(), &LabelValues::Classes(classes.clone()), &sample_weights);
        let votes = votes.estimate(test.view()).unwrap();
        for (n, row) in test.rows().into_iter().enumerate() {
            let nearest = sorted(&x, row, k);
            let total: f64 = nearest.iter().map(|&m| weights[m]).sum();
            let mean = nearest.iter().map(|&m| weights[m] * values[m]).sum::<f64>() / total;
            let square = nearest.iter().map(|&m| weights[m] * (values[m] - mean).powi(2)).sum::<f64>() / total;
            assert!((numbers.numbers().unwrap()[n] - mean).abs() < 1e-12);
            assert!((numbers.standard_deviation.as_ref().unwrap()[n] - square.sqrt()).abs() < 1e-7);
            let mut shares = vec![0.0; classes.count()];
            for &m in &nearest {
                shares[classes.of_sample()[m] as usize] += weights[m] / total;
            }
            let winner = votes.classes().unwrap()[n] as usize;
            assert!(shares.iter().enumerate().all(|(c, &s)| s < shares[winner] + 1e-12 || c == winner));
            for (share, p) in shares.iter().zip(votes.probabilities.as_ref().unwrap().row(n)) {
                assert!((share - p).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn ties_go_to_the_earlier_sample_and_the_first_class() {
    let x = array![[1.0], [-1.0], [1.0], [-1.0]];
    let weights = SampleWeights::uniform(4);
    let numbers = LabelValues::Numbers(vec![10.0, 20.0, 30.0, 40.0]);
    let at_zero = |k| fit(neighbors(k), x.view(), &numbers, &weights).estimate(array![[0.0]].view()).unwrap();
    assert_eq!(at_zero(1).numbers().unwrap(), array![10.0]);
    assert_eq!(at_zero(2).numbers().unwrap(), array![15.0]);
    let classes = LabelValues::Classes(Classes::new(["z", "a", "z", "a"]));
    let vote = fit(neighbors(4), x.view(), &classes, &weights).estimate(array![[0.0]].view()).unwrap();
    assert_eq!(vote.classes().unwrap(), [0]);
    assert_eq!(vote.probabilities.unwrap().index_axis(Axis(0), 0), array![0.5, 0.5]);
}

#[test]
fn wrong_requests_are_errors() {
    let x = normal(4, 1, 1);
    let (weights, numbers) = (SampleWeights::uniform(4), LabelValues::Numbers(vec![1.0, 2.0, 3.0, 4.0]));
    let training = LabeledFeatures::new(x.view(), "age", &numbers, &weights).unwrap();
    assert!(neighbors(0).fit(&training).is_err());
    assert!(matches!(neighbors(5).fit(&training), Err(Error::TooMany { requested: 5, available: 4, .. })));
    assert!(matches!(NearestCentroid::default().fit(&training), Err(Error::LabelKind { needed: "classes", .. })));
    let one = LabelValues::Classes(Classes::new(["a"; 4]));
    let training = LabeledFeatures::new(x.view(), "sign", &one, &weights).unwrap();
    assert!(matches!(NearestCentroid::default().fit(&training), Err(Error::TooFewClasses { .. })));
}

/// Far away the direction decides: squares of distances are no numbers there, or all the same.
#[test]
fn far_away_the_nearest_is_that_of_the_same_direction() {
    let x = normal(40, 3, 3);
    let weights = SampleWeights::uniform(40);
    let classes = LabelValues::Classes(Classes::new(names(40)));
    let numbers = LabelValues::Numbers((0..40).map(f64::from).collect());
    let directions = normal(30, 3, 4);
    for (readout, label) in [
        (Readout::NearestCentroid(NearestCentroid::default()), &classes),
        (neighbors(3), &classes),
        (neighbors(3), &numbers),
    ] {
        let fitted = fit(readout, x.view(), label, &weights);
        // So far that only the direction counts, and near enough for squares.
        let expected = fitted.estimate((&directions * 1e5).view()).unwrap();
        for distance in [1e7, 1e20, 1e150, 1e200, 1e300] {
            let far = fitted.estimate((&directions * distance).view()).unwrap();
            assert_eq!(far.label, expected.label, "{readout:?}, {distance:e}");
            if let Some(probabilities) = &far.probabilities {
                assert!(probabilities.rows().into_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
            }
        }
    }
}
