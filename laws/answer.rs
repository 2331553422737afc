//! The answer of a way to a problem: estimates and features of the new samples, and what was chosen; and whether it is the
//! expected one.

use std::collections::BTreeSet;
use std::fs;

use gsfa::Model;
use gsfa::labels::LabelKind;
use gsfa::readout::{Estimates, LabelEstimates};
use gsfa::samples::Samples;
use serde_json::{Value, json};

use crate::problem::{Gap, Problem, Table, Way, folder};

/// Named columns over the new samples, as `gsfa transform` and `gsfa predict` name them, and choices.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub columns: Vec<(String, Vec<String>)>,
    pub choices: Value,
}

impl Answer {
    /// What a model says about samples.
    pub fn of(model: &Model, samples: &dyn Samples) -> gsfa::Result<Self> {
        let features = model.features(samples)?;
        let text = |values: &mut dyn Iterator<Item = f64>| values.map(|x| format!("{x:?}")).collect::<Vec<String>>();
        let mut columns: Vec<(String, Vec<String>)> = Vec::new();
        for (j, column) in (1..).zip(features.columns()) {
            columns.push((format!("y{j}"), text(&mut column.iter().copied())));
        }
        for (label, Estimates { label: given, standard_deviation, outlier_score, probabilities, .. }) in
            model.estimate(samples)?
        {
            let names = match &given {
                LabelEstimates::Numbers(x) => {
                    columns.push((label.clone(), text(&mut x.iter().copied())));
                    None
                }
                LabelEstimates::Classes { names, of_sample } => {
                    let texts = of_sample.iter().map(|&class| names[class as usize].clone()).collect();
                    columns.push((label.clone(), texts));
                    Some(names)
                }
            };
            for (what, values) in [("std", standard_deviation), ("outlier", outlier_score)] {
                columns.extend(values.map(|x| (format!("{label}_{what}"), text(&mut x.iter().copied()))));
            }
            if let Some((names, p)) = names.zip(probabilities) {
                let one = |(name, column): (&String, ndarray::ArrayView1<'_, f64>)| {
                    (format!("{label}_p_{name}"), text(&mut column.iter().copied()))
                };
                columns.extend(names.iter().zip(p.columns()).map(one));
            }
        }
        Ok(Self { columns, choices: choices(model) })
    }

    /// What is expected.
    pub fn expected(problem: &Problem) -> Self {
        let read = |ending: &str| {
            let path = folder().join(format!("expected/{}.{ending}", problem.name));
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let table = Table::parse(&read("csv"));
        let columns = table
            .names
            .iter()
            .map(|name| (name.clone(), table.column(name).into_iter().map(String::from).collect::<Vec<String>>()));
        Self { columns: columns.collect(), choices: serde_json::from_str(&read("json")).unwrap() }
    }

    /// Makes this the expected answer.
    pub fn write(&self, problem: &Problem) {
        let place = folder().join("expected");
        fs::create_dir_all(&place).unwrap();
        let (names, rows): (Vec<&str>, usize) =
            (self.columns.iter().map(|(name, _)| name.as_str()).collect(), self.columns[0].1.len());
        let line = |n: usize| self.columns.iter().map(|(_, column)| column[n].as_str()).collect::<Vec<_>>().join(",");
        let lines = std::iter::once(names.join(",")).chain((0..rows).map(line));
        let csv: String = lines.map(|line| line + "\n").collect();
        fs::write(place.join(format!("{}.csv", problem.name)), csv).unwrap();
        let choices = serde_json::to_string_pretty(&self.choices).unwrap();
        fs::write(place.join(format!("{}.json", problem.name)), choices + "\n").unwrap();
    }

    /// How this differs from what is expected, in words; empty if it does not.
    pub fn differences(&self, expected: &Self, problem: &Problem) -> Vec<String> {
        let names = |answer: &Self| answer.columns.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<String>>();
        if names(self) != names(expected) {
            return vec![format!("columns {:?} instead of {:?}", names(self), names(expected))];
        }
        let mut found = Vec::new();
        for (name, wanted) in &expected.columns {
            let got = self.columns.iter().find(|(own, _)| own == name).map_or(&[][..], |(_, column)| &column[..]);
            found.extend(column_difference(name, got, wanted, problem));
        }
        for part in ["graph", "network", "readouts"] {
            let (got, wanted) = (&self.choices["chosen"][part], &expected.choices["chosen"][part]);
            if got != wanted {
                found.push(format!("{part} {got} instead of {wanted}"));
            }
        }
        found.extend(number_difference(&self.choices["found"], &expected.choices["found"], problem.tolerance, ""));
        found
    }
}

/// What was chosen, which must be equal, and what was found on the way, which must be as near as estimates are.
pub fn choices(model: &Model) -> Value {
    let header = model.header();
    let settings: Vec<Value> =
        header.readouts.iter().map(|r| json!({"label": r.label, "settings": r.settings})).collect();
    let calibrations: Vec<Value> = header.readouts.iter().map(|r| json!(r.calibration)).collect();
    let top = header.summary.layers.last().and_then(|nodes| nodes.first()).and_then(Option::as_ref);
    let inputs = &header.network.input;
    let shape = [inputs.height, inputs.width, inputs.channels];
    json!({
        "chosen": {
            "graph": header.graph, "network": {"input": shape, "layers": header.network.layers}, "readouts": settings,
        },
        "found": {
            "samples": header.summary.samples, "q": header.summary.q, "r": header.summary.r,
            "calibrations": calibrations, "delta_values": top.map(|node| &node.delta_values),
            "rank": top.map(|node| node.rank),
        },
    })
}

/// The worst difference of a column.
fn column_difference(name: &str, got: &[String], wanted: &[String], problem: &Problem) -> Option<String> {
    if got.len() != wanted.len() {
        return Some(format!("{} rows of {name} instead of {}", got.len(), wanted.len()));
    }
    let scale = scale(name, problem);
    let distance = |a: &String, b: &String| match (a.parse::<f64>(), b.parse::<f64>()) {
        _ if a == b => 0.0,
        (Ok(a), Ok(b)) => (a - b).abs() / scale.unwrap_or_else(|| b.abs().max(1.0)),
        _ => f64::INFINITY,
    };
    let all = got.iter().zip(wanted).map(|(a, b)| distance(a, b)).enumerate();
    let (row, worst) = all.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (worst > problem.tolerance || worst.is_nan())
        .then(|| format!("{name} of sample {row} is {} instead of {}: {worst:.1e}", got[row], wanted[row]))
}

/// What a difference of 1 is in a column: the spread of the label for its estimates and their deviations, 1 for features
/// and probabilities; `None` for outlier scores, which have no end.
fn scale(name: &str, problem: &Problem) -> Option<f64> {
    for label in &problem.learn {
        if name == format!("{label}_outlier") {
            return None;
        }
        if problem.task.kind(label) == LabelKind::Numbers && (name == label || name == format!("{label}_std")) {
            return Some(problem.spread(label));
        }
    }
    Some(1.0)
}

/// The first difference of two values beyond a tolerance relative to the larger of 1 and the number.
fn number_difference(got: &Value, wanted: &Value, tolerance: f64, place: &str) -> Option<String> {
    let differ = || Some(format!("{place} is {got} instead of {wanted}"));
    match (got, wanted) {
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => b.iter().find_map(|(key, wanted)| {
            let place = format!("{place}/{key}");
            number_difference(a.get(key).unwrap_or(&Value::Null), wanted, tolerance, &place)
        }),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(k, (a, b))| number_difference(a, b, tolerance, &format!("{place}/{k}")))
        }
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            if (a - b).abs() <= tolerance * b.abs().max(1.0) { None } else { differ() }
        }
        _ if got == wanted => None,
        _ => differ(),
    }
}

/// What came of a problem.
pub struct Outcome {
    /// How it was tried, in words.
    pub manner: String,
    /// Whether the columns of a table were in another order.
    pub reordered: bool,
    pub answer: Result<Answer, String>,
}

/// What is wrong with what a way made of a problem, tried in several manners: every outcome is the expected answer, but for
/// a gap that the list names, which some outcome must show.
pub fn verdict(problem: &Problem, way: Way, outcomes: &[Outcome]) -> Option<String> {
    let wrong = |words: String| Some(format!("{}, {way:?}, {words}", problem.name));
    if let Some(reason) = &problem.refused {
        let done = outcomes.iter().find(|outcome| outcome.answer.is_ok())?;
        return wrong(format!("{}:\n  it was done, though {reason}", done.manner));
    }
    let (expected, gap) = (Answer::expected(problem), problem.ways.get(&way));
    let mut shown = false;
    for Outcome { manner, reordered, answer } in outcomes {
        let found = answer.as_ref().map(|answer| answer.differences(&expected, problem));
        match (gap, found) {
            (_, Ok(differences)) if differences.is_empty() => {}
            (Some(Gap::Differs(_)), Ok(_)) | (Some(Gap::Refuses(_)), Err(_)) => shown = true,
            (Some(Gap::Depends(_)), Ok(_)) if *reordered => shown = true,
            (_, Ok(differences)) => return wrong(format!("{manner}:\n  {}", differences.join("\n  "))),
            (_, Err(error)) => return wrong(format!("{manner}:\n  {error}")),
        }
    }
    let stale = gap.filter(|_| !shown)?;
    wrong(format!("it gives the expected answer by now, {stale:?} must go"))
}

/// Ends a test with all that is wrong.
pub fn conclude(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} of the problems are not solved alike\n{}", wrong.len(), wrong.join("\n"));
}
