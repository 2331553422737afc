//! `--weights balanced`: all classes weigh the same, however many samples they have.

use gsfa::labels::{Classes, LabelValues, Labels, SampleWeights};

use crate::error::{Error, ErrorCode, Result};

/// Weights N/(C·n) of samples whose class has n of N samples, which sum to N; 1 for samples without class.
pub fn balanced_weights(labels: &Labels) -> Result<SampleWeights> {
    let classes: Vec<&Classes> = labels.columns().filter_map(|(_, values)| of_classes(values)).collect();
    let [classes] = classes[..] else {
        let found = classes.len();
        return Err(Error::usage(
            ErrorCode::MeaninglessFlag,
            format!("--weights balanced needs one label of classes, there are {found}"),
        )
        .hint("name one with --learn, or a column of weights"));
    };
    let mut counts = vec![0_usize; classes.count()];
    let known = || classes.of_sample().iter().filter(|&&class| class != Classes::MISSING);
    known().for_each(|&class| counts[class as usize] += 1);
    let present = counts.iter().filter(|&&count| count > 0).count();
    let weight = |class: u32| match counts.get(class as usize) {
        Some(&count) => known().count() as f64 / (present * count) as f64,
        None => 1.0,
    };
    let of_class: Vec<f64> = (0..classes.count() as u32).map(weight).collect();
    let of_sample = classes.of_sample().iter().map(|&class| of_class.get(class as usize).copied().unwrap_or(1.0));
    Ok(SampleWeights::new(of_sample.collect())?)
}

fn of_classes(values: &LabelValues) -> Option<&Classes> {
    match values {
        LabelValues::Classes(classes) => Some(classes),
        LabelValues::Numbers(_) => None,
    }
}
