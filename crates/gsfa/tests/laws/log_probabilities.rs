//! Logarithms of probabilities, also where the probabilities are no longer numbers other than 0.

use gsfa::labels::{Classes, LabelValues, SampleWeights};
use gsfa::readout::{
    Calibration, Estimates, GaussianClassifier, LabelReadout, LabeledFeatures, NearestCentroid, NearestNeighbors,
    Readout,
};
use ndarray::{Array2, Axis, array};

/// Deviations from the classes at which they are looked at.
const FAR: [f64; 7] = [0.0, 0.3, -2.0, 40.0, -1e3, 1e3, 1e8];

/// One feature of three classes of different spread and size.
fn samples() -> (Array2<f64>, Vec<usize>) {
    let class: Vec<usize> = (0..31).map(|n| [0, 1, 1, 2, 2, 2][n % 6]).collect();
    let spread = |n: usize| (1.7 * n as f64).sin();
    let x = class.iter().enumerate().map(|(n, &c)| [-1.0, 0.2, 1.5][c] + spread(n) * [0.3, 0.5, 0.9][c]);
    (Array2::from_shape_vec((31, 1), x.collect()).unwrap(), class)
}

fn fit(readout: Readout, x: &Array2<f64>, class: &[usize]) -> LabelReadout {
    let label = LabelValues::Classes(Classes::new(class.iter().map(|c| ["a", "b", "c"][*c])));
    let weights = SampleWeights::uniform(class.len());
    let fitted = readout.fit(&LabeledFeatures::new(x.view(), "label", &label, &weights).unwrap()).unwrap();
    LabelReadout { label: "label".into(), settings: Some(readout), fitted, calibration: None }
}

/// Logarithms of odds minus that of their sum, the largest taken out first.
fn normalized(scores: &[f64]) -> Vec<f64> {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores.iter().map(|s| (s - top).exp()).sum();
    scores.iter().map(|s| s - top - sum.ln()).collect()
}

fn compare(given: &Estimates, reference: impl Fn(f64) -> Vec<f64>) {
    let (logs, probabilities) = (given.log_probabilities.as_ref().unwrap(), given.probabilities.as_ref().unwrap());
    for (n, &x) in FAR.iter().enumerate() {
        for (c, wanted) in reference(x).into_iter().enumerate() {
            let (log, p) = (logs[[n, c]], probabilities[[n, c]]);
            assert!((log - wanted).abs() <= 1e-11 * wanted.abs().max(1.0), "{x}: class {c} has {log}, not {wanted}");
            assert!((p - wanted.exp()).abs() <= 1e-12, "{x}: {p}");
        }
        let best = (0..3).max_by(|&a, &b| logs[[n, a]].total_cmp(&logs[[n, b]])).unwrap();
        assert_eq!(given.classes().unwrap()[n] as usize, best);
    }
}

#[test]
fn gaussians_are_bayes_rule_a_thousand_deviations_away() {
    let (x, class) = samples();
    let far = Array2::from_shape_vec((FAR.len(), 1), FAR.to_vec()).unwrap();
    let reference = |at: f64| {
        let of_class = |c: usize| {
            let own: Vec<f64> = (0..31).filter(|&n| class[n] == c).map(|n| x[[n, 0]]).collect();
            let count = own.len() as f64;
            let mean = own.iter().sum::<f64>() / count;
            let variance = own.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
            (count / 31.0).ln() - 0.5 * (at - mean).powi(2) / variance - 0.5 * variance.ln()
        };
        normalized(&[of_class(0), of_class(1), of_class(2)])
    };
    let readout = Readout::GaussianClassifier(GaussianClassifier { shrinkage: 0.0, ..GaussianClassifier::default() });
    let mut fitted = fit(readout, &x, &class);
    compare(&fitted.estimate(far.view()).unwrap(), reference);
    for temperature in [0.5, 7.0] {
        fitted.calibration = Some(Calibration { temperature, ..Calibration::NONE });
        let tempered = |at: f64| normalized(&reference(at).iter().map(|log| log / temperature).collect::<Vec<_>>());
        compare(&fitted.estimate(far.view()).unwrap(), tempered);
    }
}

#[test]
fn centroids_are_gaussians_of_unit_variance_a_thousand_deviations_away() {
    let (x, class) = samples();
    let far = Array2::from_shape_vec((FAR.len(), 1), FAR.to_vec()).unwrap();
    let reference = |at: f64| {
        let of_class = |c: usize| {
            let own: Vec<f64> = (0..31).filter(|&n| class[n] == c).map(|n| x[[n, 0]]).collect();
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            // (at − mean)² without at², which is the same for all classes and would drown the rest.
            -0.5 * (mean * mean - 2.0 * at * mean)
        };
        normalized(&[of_class(0), of_class(1), of_class(2)])
    };
    compare(
        &fit(Readout::NearestCentroid(NearestCentroid::default()), &x, &class).estimate(far.view()).unwrap(),
        reference,
    );
}

#[test]
fn logarithms_are_finite_wherever_a_sample_is() {
    let (x, class) = samples();
    let wild = array![[f64::MAX], [f64::MIN], [1e200], [-1e155]];
    for readout in [
        Readout::GaussianClassifier(GaussianClassifier::default()),
        Readout::NearestCentroid(NearestCentroid::default()),
    ] {
        let mut fitted = fit(readout, &x, &class);
        for calibration in [None, Some(Calibration { temperature: 0.01, ..Calibration::NONE })] {
            fitted.calibration = calibration;
            let given = fitted.estimate(wild.view()).unwrap();
            assert!(given.log_probabilities.unwrap().iter().all(|log| log.is_finite()));
            assert!(given.probabilities.unwrap().sum_axis(Axis(1)).iter().all(|sum| (sum - 1.0).abs() < 1e-12));
        }
    }
}

#[test]
fn votes_are_shares_and_numbers_have_no_classes() {
    let (x, class) = samples();
    let votes = fit(Readout::NearestNeighbors(NearestNeighbors { features: None, neighbors: 3 }), &x, &class);
    let given = votes.estimate(x.view()).unwrap();
    assert_eq!(given.log_probabilities.unwrap(), given.probabilities.unwrap().mapv(f64::ln));
    let numbers = LabelValues::Numbers(x.column(0).to_vec());
    let weights = SampleWeights::uniform(31);
    let training = LabeledFeatures::new(x.view(), "number", &numbers, &weights).unwrap();
    let soft = Readout::SoftGc(GaussianClassifier::default()).fit(&training).unwrap();
    let given = soft.estimate(x.view()).unwrap();
    assert!(given.log_probabilities.is_none() && given.probabilities.is_some());
}
