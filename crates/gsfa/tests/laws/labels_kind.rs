//! What a label is where nobody says.

use gsfa::labels::{KindReason, LabelKind, Recognized};

/// Value k as often as `counts` says.
fn values(counts: &[usize]) -> Vec<f64> {
    counts.iter().enumerate().flat_map(|(k, &count)| std::iter::repeat_n(k as f64, count)).collect()
}

fn kind(values: &[f64]) -> LabelKind {
    Recognized::of_numbers(values.iter().copied()).kind
}

#[test]
fn a_few_frequent_whole_numbers_are_classes() {
    for classes in 1..=Recognized::MOST_VALUES {
        for count in [Recognized::FEWEST_SAMPLES, 7, 200] {
            assert_eq!(kind(&values(&vec![count; classes])), LabelKind::Classes, "{classes} of {count}");
        }
    }
}

#[test]
fn ages_are_numbers_however_often_each_occurs() {
    for distinct in Recognized::MOST_VALUES + 1..=120 {
        for count in [1, 5, 1000] {
            let found = Recognized::of_numbers(values(&vec![count; distinct]));
            assert_eq!(found, Recognized { kind: LabelKind::Numbers, reason: KindReason::ManyValues { distinct } });
        }
    }
}

#[test]
fn a_value_that_is_rare_makes_whole_numbers_numbers() {
    // Fewer than a handful, among few samples and among many.
    assert_eq!(kind(&values(&[4, 20])), LabelKind::Numbers);
    // A handful, but less than a hundredth: counts that thin out.
    let found = Recognized::of_numbers(values(&[600, 300, 80, 9]));
    assert_eq!(found.reason, KindReason::RareValue { value: 3.0, count: 9, samples: 989 });
    assert_eq!(kind(&values(&[600, 300, 80, 10])), LabelKind::Classes);
}

#[test]
fn a_fraction_makes_a_label_numbers_and_a_missing_value_says_nothing() {
    let mut labels = values(&[50, 50]);
    labels.push(f64::NAN);
    assert_eq!(kind(&labels), LabelKind::Classes);
    labels.push(0.5);
    let found = Recognized::of_numbers(labels);
    assert_eq!(found, Recognized { kind: LabelKind::Numbers, reason: KindReason::Fraction { example: 0.5 } });
    assert_eq!(Recognized::of_numbers([f64::NAN, f64::NAN]).reason, KindReason::NoValues);
    assert_eq!(kind(&[f64::INFINITY; 9]), LabelKind::Numbers);
}

#[test]
fn what_a_label_is_depends_neither_on_the_order_of_samples_nor_on_the_sign_of_zero() {
    let mut labels = values(&[5, 6, 7]);
    let expected = Recognized::of_numbers(labels.clone());
    labels.reverse();
    let last = labels.len() - 1;
    labels[last] = -0.0;
    assert_eq!(Recognized::of_numbers(labels), expected);
    // The rarest value is named; of several, the smallest.
    let found = Recognized::of_numbers(values(&[20, 3, 3]));
    assert_eq!(found.reason, KindReason::RareValue { value: 1.0, count: 3, samples: 26 });
}

#[test]
fn reasons_say_how_many() {
    let reason = |counts: &[usize]| Recognized::of_numbers(values(counts)).reason.to_string();
    assert_eq!(reason(&[50, 60, 40]), "3 whole numbers, each at least 40 times in 150 samples");
    assert_eq!(reason(&[9; 99]), "99 different whole numbers; classes are at most 10");
    assert_eq!(
        reason(&[50, 2]),
        "a few whole numbers, but 1 occurs only 2 times in 52 samples; each class occurs at least 5 times and in 1 % of \
         them"
    );
    assert_eq!(Recognized::of_text("old", "line 2").reason.to_string(), "'old', line 2, is text");
}
