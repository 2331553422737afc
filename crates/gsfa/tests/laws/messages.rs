//! Messages stay short and on one line, whatever names and numbers they are about.

use std::path::PathBuf;

use gsfa::error::{Cause, Error, Places, brief};
use gsfa::labels::{KindReason, Recognized};
use gsfa::network::InputShape;
use gsfa::note::{CodeLength, Note};

/// A name that colours a terminal, breaks the line, turns the reading direction round, and does not end.
fn hostile() -> String {
    "\u{1b}[31m\r\n\t\u{202e}\0é".to_string() + &"x".repeat(5000)
}

fn names() -> Vec<String> {
    vec![hostile(); 50]
}

const HUGE: f64 = -1.234_567_890_123_456_7e300;
const TINY: f64 = 5e-324;

/// Every variant, with the worst it can hold.
fn errors() -> Vec<Error> {
    let places = || Places { first: vec![usize::MAX; 5], total: usize::MAX };
    let (name, what, reason) = (hostile, hostile, hostile);
    let path = || PathBuf::from("folder\u{1b}[31m\n").join("x".repeat(200));
    let shape = InputShape { height: usize::MAX, width: usize::MAX, channels: usize::MAX };
    let most = usize::MAX;
    vec![
        Error::TooFewSamples { needed: 2, got: most },
        Error::ClassesLeftOut { label: name() },
        Error::LengthMismatch { left: what(), left_len: most, right: what(), right_len: most },
        Error::NonFinite { what: what(), places: places() },
        Error::NonFiniteSample { row: most, column: most, total: most },
        Error::Overflow { row: most, column: most, value: HUGE },
        Error::ColumnRange { column: most, deviation: HUGE, problem: "has no square" },
        Error::NodeOverflow { row: most, layer: most },
        Error::NotPositive { what: what(), places: places() },
        Error::AllWeightsZero { count: most },
        Error::ConstantLabel { name: name(), value: HUGE, deviation: TINY },
        Error::NoTargetLabels { given: most },
        Error::ConstantFeature { column: most, value: HUGE },
        Error::PartlyLabeled { places: places() },
        Error::MissingClasses { name: name(), places: places() },
        Error::UnknownLabel { name: name(), available: names() },
        Error::LabelChoice { graph: "serial", kind: "numeric", found: most },
        Error::LabelKind { name: name(), found: "classes", needed: "numbers" },
        Error::TooFewClasses { names: names() },
        Error::EverySampleItsOwnClass { classes: most, samples: most },
        Error::UnknownClass { name: name(), known: names() },
        Error::EigenvalueCount { given: most, targets: most },
        Error::NegativeEigenvalue { index: most, value: HUGE },
        Error::EigenvalueOrder { earlier: most, earlier_value: HUGE, later: most, later_value: TINY },
        Error::EdgeOutOfRange { edge: most, from: most, to: most, vertices: most },
        Error::NoEdges { sum: HUGE },
        Error::SelfLoopsOnly,
        Error::NegativeEdge { smallest: HUGE, from: most, to: most, operation: "a walk" },
        Error::Disconnected { components: most, operation: "a walk" },
        Error::TooMany { what: "features", requested: most, available: most },
        Error::TooFewDirections { requested: most, available: most, rank: most, inputs: most },
        Error::NoVariance { inputs: most },
        Error::InputDim { expected: most, got: most },
        Error::RowRange { first: most, last: most, problem: "were added already" },
        Error::MissingRows { expected: most, got: most, first_missing: most },
        Error::NeedsRandomAccess { operation: "adding chunks" },
        Error::NotSeparable { reason: "it is not" },
        Error::DifferentMoments { what: "the graph" },
        Error::Damaged { at: most, reason: "they end" },
        Error::NotConverged { what: "it", residual: HUGE, tolerance: TINY, iterations: most },
        Error::Factorisation { what: "the decomposition", size: most },
        Error::Shape { what: what(), found: vec![most; 4], needed: vec![most; 4] },
        Error::ExpansionTooLarge { inputs: most, degree: most, limit: most },
        Error::Reading { cause: Cause::new(reason()) },
        Error::RowOutOfRange { row: most, len: most },
        Error::BufferShape { found: [most; 2], needed: [most; 2] },
        Error::InputShape { expected: shape, got: shape },
        Error::InputNames { missing: names(), unknown: names() },
        Error::ModelFile { path: path(), reason: reason() },
        Error::ModelEnds { path: path(), bytes: u64::MAX, promised: u64::MAX },
        Error::ModelVersion { path: path(), format: u64::MAX, library: name(), supported: u64::MAX },
        Error::ModelChecksum { path: path() },
        Error::FileExists { path: path() },
        Error::Save { path: path(), bytes: most, message: reason() },
        Error::Read { path: path(), message: reason() },
        Error::Memory { needed: most, available: most },
        Error::NoCandidate { reasons: vec![("quadratic on 120 principal components".into(), reason()); 9] },
        Error::Cancelled { layer: most },
        Error::Parameter { name: "clip", value: hostile(), reason: reason() },
    ]
}

fn notes() -> Vec<Note> {
    let most = usize::MAX;
    vec![
        Note::DependentLabels { names: names(), tolerance: TINY, kept: most },
        Note::FewerTargets { requested: most, formed: most, reason: "there are no more" },
        Note::EqualCodes { classes: most, of: CodeLength::Targets, length: most, codes: most, enough: most },
        Note::NarrowLayer { targets: most, layer: most, outputs: most },
        Note::IgnoredLabels { labels: vec![most; 100] },
        Note::EigenvalueOrder { later: most, earlier: most },
        Note::Symmetrized { pairs: most },
        Note::FewerGroups { requested: most, formed: most },
        Note::Inconsistent { vertex: most, vertex_share: HUGE, edge_share: -HUGE },
        Note::SingletonClasses { names: names() },
        Note::NoVariance { dead: most, dropped: most, rank: most },
        Note::Overfit { samples: most, rank: most },
        Note::Surplus { slow: most, residual: most },
        Note::ArbitrarySurplus { slow: most, arbitrary: most },
        Note::FewerFeatures { requested: most, returned: most },
        Note::NodesOverfit { layer: most, nodes: most, of: most, samples: most, rank: most },
        Note::InSample { reason: hostile() },
        Note::PartsNotLeftOut { parts: most, of: most, reason: hostile() },
        Note::FewerFolds { folds: most, groups: true },
        Note::UnjudgedClasses { names: vec![hostile(); 9] },
        Note::SearchInterrupted { tried: most },
        Note::DefaultRidge { ridge: HUGE },
        Note::UnchosenSpectrum { taken: "SNV".into() },
        Note::Unlabelled { count: most, weight: -HUGE },
    ]
}

/// The names of an enum's variants, from its source: a new one has to be added above.
fn variants(source: &str, name: &str) -> Vec<String> {
    let body = source.split(&format!("pub enum {name} {{\n")).nth(1).unwrap().split("\n}\n").next().unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| !line.starts_with(' '));
    let starts = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    starts.map(|line| line.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_string()).collect()
}

fn variant(debug: &str) -> String {
    debug.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_string()
}

fn check(message: &str, longest: usize) {
    assert!(message.chars().count() <= longest, "{} characters: {message}", message.chars().count());
    assert!(!message.chars().any(|c| c.is_control() || c == '\u{202e}'), "{message:?}");
    let digits = message.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap();
    assert!(digits <= 20, "{digits} digits in a row: {message}");
}

#[test]
fn errors_are_short_whatever_they_are_about() {
    let all = errors();
    let told: Vec<String> = all.iter().map(|error| variant(&format!("{error:?}"))).collect();
    assert_eq!(told, variants(include_str!("../../src/error/mod.rs"), "Error"));
    for error in &all {
        // Two lists of five names, or two sentences of others.
        check(&error.to_string(), 2400);
        assert!(error.hint().is_none_or(|hint| hint.len() < 400));
    }
}

#[test]
fn notes_are_short_whatever_they_are_about() {
    let told: Vec<String> = notes().iter().map(|note| variant(&format!("{note:?}"))).collect();
    assert_eq!(told, variants(include_str!("../../src/note.rs"), "Note"));
    notes().iter().for_each(|note| check(&note.to_string(), 1200));
    let reasons = [
        Recognized::of_text(hostile(), hostile()).reason,
        KindReason::Fraction { example: HUGE },
        KindReason::RareValue { value: HUGE, count: 1, samples: 9 },
    ];
    reasons.iter().for_each(|reason| check(&reason.to_string(), 400));
}

#[test]
fn names_of_usual_length_are_shown_as_they_are() {
    let error =
        Error::UnknownLabel { name: "Größe in m²".into(), available: vec!["age".into(), "日本語".into()] };
    assert_eq!(error.to_string(), "there is no label 'Größe in m²'; the labels are 'age', '日本語'");
    let error = Error::ConstantLabel { name: "gender".into(), value: 1.0, deviation: 0.0 };
    assert_eq!(error.to_string(), "label 'gender' is constant (value 1, standard deviation 0e0)");
    for (x, shown) in [(1e300, "1e300"), (-1e-300, "-1e-300"), (0.1, "0.1"), (1e15, "1000000000000000"), (0.0, "0")] {
        assert_eq!(brief::number(x), shown);
        assert_eq!(brief::number(x).parse::<f64>().unwrap(), x);
    }
}

/// From the outside: numbers and names that a caller gives.
#[test]
fn parameters_of_300_digits_have_short_messages() {
    use gsfa::expansion::{Clip, ClipBounds, Expansion};
    use gsfa::labels::{Labels, SampleWeights};
    use ndarray::array;
    let message = Clip { sigmas: -1e300 }.fit(array![0.0].view(), array![1.0].view()).unwrap_err().to_string();
    assert_eq!(message, "sigmas = -1e300: it must be positive and finite");
    let message = ClipBounds::new(array![1e300], array![-1e300]).unwrap_err().to_string();
    assert_eq!(message, "clip bounds = [1e300, -1e300]: no finite interval, in column 0");
    let message = Expansion::Expo { exponent: 1e300 }.output_dim(2).unwrap_err().to_string();
    assert_eq!(message, "exponent = 1e300: it must be positive and at most 8");
    let message = Labels::numbers("\u{1b}[31m".repeat(30), vec![1e300; 3]).and_numbers("b", vec![1.0]).unwrap_err();
    check(&message.to_string(), 200);
    assert!(SampleWeights::new(vec![f64::NAN]).is_err());
}
