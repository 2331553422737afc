//! The law over all ways, for the command line, in one run and from shards: `laws/problems.toml` has the problems,
//! `laws/expected` the answers.

use std::fmt::Write as _;
use std::ops::Range;

use gsfa::Model;

use crate::answer::{Answer, Outcome, choices, conclude, verdict};
use crate::problem::{Element, Part, Problem, Table, Way, problems};
use crate::support::{Folder, npy_bytes};

/// Where the samples of a file and their labels are.
struct Files {
    data: String,
    /// `None` if the labels are columns of the data.
    labels: Option<String>,
    /// Whether the data has named columns.
    named: bool,
}

/// How samples are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// A CSV table with the columns as the problem names them, or in the opposite order.
    Table {
        reversed: bool,
    },
    Array,
    Images,
}

impl Form {
    /// The forms that the samples of a problem can have.
    fn all(problem: &Problem) -> Vec<Self> {
        match (problem.shape, problem.element) {
            (None, Element::F64) => vec![Self::Table { reversed: false }, Self::Table { reversed: true }, Self::Array],
            (Some(_), Element::U8) => vec![Self::Images, Self::Array],
            _ => vec![Self::Array],
        }
    }

    /// Whether inputs have names.
    fn is_named(self) -> bool {
        matches!(self, Self::Table { .. })
    }

    /// Writes some rows, and for training the labels of all.
    fn put(self, folder: &Folder, problem: &Problem, part: Part, rows: Range<usize>, name: &str) -> Files {
        let table = problem.table(part);
        let mut labels: Vec<String> = problem.learn.iter().chain(&problem.weights).cloned().collect();
        if let Self::Table { reversed } = self {
            let mut columns = [labels, problem.columns.clone()].concat();
            if reversed {
                columns.reverse();
            }
            folder.write(&format!("{name}.csv"), csv(&table, &columns, rows));
            return Files { data: format!("{name}.csv"), labels: None, named: true };
        }
        let mut table = table;
        if self == Self::Images {
            table.names.push("file".into());
            table.rows.iter_mut().enumerate().for_each(|(n, row)| row.push(file_name(problem, n)));
            labels.push("file".into());
        }
        let all = 0..table.rows.len();
        let given = if self == Self::Images { rows.clone() } else { all };
        folder.write(&format!("{name}_labels.csv"), csv(&table, &labels, given));
        let data = if self == Self::Array { format!("{name}.npy") } else { name.to_string() };
        match self {
            Self::Array => folder.write(&data, array(problem, part, rows)),
            _ => rows.for_each(|n| folder.write(&format!("{name}/{}", file_name(problem, n)), image(problem, part, n))),
        }
        Files { data, labels: Some(format!("{name}_labels.csv")), named: false }
    }
}

fn csv(table: &Table, columns: &[String], rows: Range<usize>) -> String {
    let all: Vec<Vec<&str>> = columns.iter().map(|name| table.column(name)).collect();
    let mut text = columns.join(",") + "\n";
    for n in rows {
        let _ = writeln!(text, "{}", all.iter().map(|column| column[n]).collect::<Vec<_>>().join(","));
    }
    text
}

fn array(problem: &Problem, part: Part, rows: Range<usize>) -> Vec<u8> {
    let (count, all) = (rows.len(), problem.numbers(part));
    let numbers = rows.flat_map(|n| all.row(n).to_vec());
    let mut shape = vec![count];
    match problem.shape {
        None => shape.push(problem.columns.len()),
        Some([height, width, 1]) => shape.extend([height, width]),
        Some(sides) => shape.extend(sides),
    }
    match problem.element {
        Element::F64 => npy_bytes("<f8", &shape, numbers.flat_map(f64::to_le_bytes)),
        Element::F32 => npy_bytes("<f4", &shape, numbers.flat_map(|x| (x as f32).to_le_bytes())),
        Element::U8 => npy_bytes("|u1", &shape, numbers.map(|x| x as u8)),
    }
}

fn file_name(problem: &Problem, row: usize) -> String {
    format!("{row:03}.{}", if problem.input_shape().channels == 1 { "pgm" } else { "ppm" })
}

fn image(problem: &Problem, part: Part, row: usize) -> Vec<u8> {
    let shape = problem.input_shape();
    let kind = if shape.channels == 1 { "P5" } else { "P6" };
    let mut bytes = format!("{kind}\n{} {}\n255\n", shape.width, shape.height).into_bytes();
    bytes.extend(problem.numbers(part).row(row).iter().map(|&x| x as u8));
    bytes
}

/// The settings of a problem as a TOML file has them.
fn settings(problem: &Problem, files: &Files) -> String {
    let mut config = problem.recipe.clone();
    let mut reading = toml::Table::new();
    if let Some(toml::Value::Boolean(true)) = config.remove("semi_supervised") {
        reading.insert("missing_labels".into(), "keep".into());
    }
    if let Some(weights) = &problem.weights {
        reading.insert("weights".into(), weights.as_str().into());
    }
    if files.named {
        reading.insert("columns".into(), problem.columns.clone().into());
    }
    config.insert("reading".into(), reading.into());
    config.insert("data".into(), files.data.as_str().into());
    config.extend(files.labels.iter().map(|labels| ("labels".to_string(), labels.as_str().into())));
    config.insert("learn".into(), problem.learn.clone().into());
    config.insert("task".into(), toml::Value::try_from(&problem.task).unwrap());
    toml::to_string(&config).unwrap()
}

/// The same as flags. Inputs are not named: they are all columns without another role.
fn flags(problem: &Problem, files: &Files) -> Option<String> {
    let mut line = format!("{} --data {} --learn {}", problem.flags.as_ref()?, files.data, problem.learn.join(","));
    files.labels.iter().for_each(|labels| line += &format!(" --labels {labels}"));
    problem.weights.iter().for_each(|weights| line += &format!(" --weights {weights}"));
    if problem.recipe.contains_key("semi_supervised") {
        line += " --missing-labels keep";
    }
    Some(line)
}

/// Runs a line; an error that was told well.
fn run(folder: &Folder, line: &str) -> Result<String, String> {
    let output = folder.run(line);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout).unwrap());
    }
    let told = matches!(output.status.code(), Some(2..=5)) && !stderr.contains("panicked");
    assert!(told, "gsfa {line}\n{stderr}");
    Err(format!("gsfa {line}\n  {}", stderr.trim_end().replace('\n', "\n  ")))
}

/// What the model says about the new samples, in the forms they can have; rather in others than it was trained with.
fn asked(folder: &Folder, problem: &Problem, trained: Form) -> Result<Vec<Answer>, String> {
    let model = Model::load(folder.file("model.gsfa")).map_err(|error| error.to_string())?;
    // Inputs that had names are found by them, and only by them.
    let mut forms = Form::all(problem);
    forms.retain(|form| form.is_named() == trained.is_named());
    if forms.len() > 1 {
        forms.retain(|form| *form != trained);
    }
    let rows = problem.table(Part::New).rows.len();
    let ask = |form: &Form| {
        let files = form.put(folder, problem, Part::New, 0..rows, "new");
        let table = |verb: &str| {
            Ok::<Table, String>(Table::parse(&run(folder, &format!("{verb} model.gsfa --data {}", files.data))?))
        };
        let tables: [Table; 2] = [table("transform")?, table("predict")?];
        // The first column says which sample it is.
        let column = |table: &Table, name: &String| (name.clone(), texts(table.column(name)));
        let columns = tables.iter().flat_map(|table| table.names[1..].iter().map(|name| column(table, name)));
        Ok(Answer { columns: columns.collect(), choices: choices(&model) })
    };
    forms.iter().map(ask).collect()
}

fn texts(cells: Vec<&str>) -> Vec<String> {
    cells.into_iter().map(String::from).collect()
}

/// One run: with settings in a file and as flags, samples in every form, one thread and two.
fn in_one_run(problem: &Problem) -> Vec<Outcome> {
    let folder = Folder::new();
    let rows = problem.table(Part::Train).rows.len();
    let mut outcomes = Vec::new();
    for (k, form) in Form::all(problem).into_iter().enumerate() {
        let files = form.put(&folder, problem, Part::Train, 0..rows, "train");
        folder.write("settings.toml", settings(problem, &files));
        let lines = [Some("--config settings.toml".to_string()), flags(problem, &files)];
        for (given, line) in
            ["settings", "flags"].into_iter().zip(lines).filter_map(|(given, line)| Some((given, line?)))
        {
            let line = format!("train {line} --force --threads {} -o model.gsfa", 1 + k % 2);
            let answers = run(&folder, &line).and_then(|_| asked(&folder, problem, form));
            // Settings name the columns, so that their order is given.
            let reordered = form == Form::Table { reversed: true } && given == "flags";
            outcomes.extend(each(&format!("{form:?} with {given}"), reordered, answers));
        }
    }
    outcomes
}

/// From shards, one of them a single sample and one with its columns in another order, which come in one order to be summed,
/// in another to be merged and in a third to be read out.
fn from_shards(problem: &Problem) -> Vec<Outcome> {
    let forms = Form::all(problem).into_iter().filter(|form| *form != Form::Table { reversed: true });
    forms.flat_map(|form| each(&format!("{form:?}"), false, from_shards_of(problem, form))).collect()
}

fn from_shards_of(problem: &Problem, form: Form) -> Result<Vec<Answer>, String> {
    let folder = Folder::new();
    let rows = problem.table(Part::Train).rows.len();
    let cuts = [0, 1, rows / 2, rows];
    let mut shards = Vec::new();
    for k in 0..3 {
        let form = if form.is_named() { Form::Table { reversed: k == 1 } } else { form };
        shards.push(form.put(&folder, problem, Part::Train, cuts[k]..cuts[k + 1], &format!("shard{k}")).data);
    }
    let all = form.put(&folder, problem, Part::Train, 0..rows, "all");
    let files = Files { data: shards[1].clone(), labels: Some(all.labels.unwrap_or(all.data)), named: all.named };
    folder.write("settings.toml", settings(problem, &files));
    let prepared = run(&folder, "prepare --config settings.toml -o 1.state --json")?;
    let prepared: serde_json::Value = serde_json::from_str(&prepared).unwrap();
    let passes = prepared["passes"].as_u64().unwrap();
    for pass in 1..=passes {
        let state = format!("{pass}.state");
        for k in [2, 0, 1] {
            let first = if form == Form::Images { String::new() } else { format!("--first-row {}", cuts[k]) };
            let line = format!("accumulate {state} {} {first} -o {k}.moments --force", shards[k]);
            run(&folder, &format!("{line} --threads {}", 1 + k % 2))?;
        }
        run(&folder, &format!("merge {state} 1.moments 2.moments 0.moments -o all.moments --force"))?;
        if pass < passes {
            run(&folder, &format!("advance {state} all.moments -o {}.state", pass + 1))?;
        }
    }
    let shards = format!("{} {} {}", shards[1], shards[2], shards[0]);
    run(&folder, &format!("solve {passes}.state all.moments --shards {shards} -o model.gsfa"))?;
    asked(&folder, problem, form)
}

fn each(manner: &str, reordered: bool, answers: Result<Vec<Answer>, String>) -> Vec<Outcome> {
    let outcome = |answer| Outcome { manner: manner.to_string(), reordered, answer };
    match answers {
        Ok(answers) => answers.into_iter().map(Ok).map(outcome).collect(),
        Err(error) => vec![outcome(Err(error))],
    }
}

fn holds_for_all(way: Way, outcomes: impl Fn(&Problem) -> Vec<Outcome>) {
    let mut wrong = Vec::new();
    for problem in problems() {
        if problem.has_words(way) {
            wrong.extend(verdict(&problem, way, &outcomes(&problem)));
        }
    }
    conclude(&wrong);
}

#[test]
fn the_command_line_gives_the_expected_answers_by_settings_and_flags_in_any_form_and_order_of_columns() {
    holds_for_all(Way::CommandLine, in_one_run);
}

#[test]
fn shards_give_the_expected_answers_in_any_order() {
    holds_for_all(Way::Shards, from_shards);
}
