//! Probabilities from logarithms, which are still numbers where the probabilities are 0.

/// Log scores, of which `best` is the place of the largest, become probabilities; their logarithms are appended to `logs`.
///
/// Relative to the best score, so that far from all classes nothing underflows to 0/0.
pub fn normalize(scores: &mut [f64], best: usize, logs: &mut Vec<f64>) {
    let highest = scores[best];
    let start = logs.len();
    logs.extend(scores.iter().map(|score| (score - highest).max(f64::MIN)));
    for (score, log) in scores.iter_mut().zip(&logs[start..]) {
        *score = log.exp();
    }
    // The best one alone is 1: its logarithm keeps the digits of all others.
    let others: f64 = scores.iter().enumerate().filter(|(c, _)| *c != best).map(|(_, odd)| odd).sum();
    let sum: f64 = scores.iter().sum();
    logs[start..].iter_mut().for_each(|log| *log = (*log - others.ln_1p()).max(f64::MIN));
    scores.iter_mut().for_each(|score| *score /= sum);
}

/// The place of the largest; of equal ones the first.
pub fn largest(scores: &[f64]) -> usize {
    (0..scores.len()).fold(0, |best, c| if scores[c] > scores[best] { c } else { best })
}
