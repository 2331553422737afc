//! The one list of problems and its data, as the tests of every crate read it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gsfa::labels::{LabelKind, Labels, SampleWeights};
use gsfa::network::InputShape;
use gsfa::samples::Samples;
use ndarray::{Array2, Axis};
use serde::{Deserialize, Serialize};

/// A problem of `problems.toml`, whose head says what the fields are.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    pub name: String,
    pub data: String,
    #[serde(default)]
    pub columns: Vec<String>,
    pub shape: Option<[usize; 3]>,
    #[serde(default)]
    pub element: Element,
    pub learn: Vec<String>,
    pub task: Task,
    pub weights: Option<String>,
    pub recipe: toml::Table,
    pub flags: Option<String>,
    pub refused: Option<String>,
    #[serde(default = "default_tolerance")]
    pub tolerance: f64,
    #[serde(default)]
    pub ways: BTreeMap<Way, Gap>,
}

fn default_tolerance() -> f64 {
    1e-8
}

/// The ways to train.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    Rust,
    CommandLine,
    Shards,
    Python,
    Chunks,
    Dask,
}

/// How a way fails at a problem, and why.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    Lacks(String),
    Refuses(String),
    Differs(String),
    Depends(String),
}

/// The type of the samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    #[default]
    F64,
    F32,
    U8,
}

/// What labels are: all the same, or each its own.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Task {
    All(LabelKind),
    Each(BTreeMap<String, LabelKind>),
}

impl Task {
    pub fn kind(&self, label: &str) -> LabelKind {
        match self {
            Self::All(kind) => *kind,
            Self::Each(kinds) => kinds[label],
        }
    }
}

/// The folder of all this.
pub fn folder() -> PathBuf {
    // Packages that read it are not all as deep.
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("laws"));
    above.filter(|laws| laws.join("problems.toml").exists()).last().expect("a folder of laws above the package")
}

/// All problems.
///
/// # Panics
/// If two have the same name, or a reason is none.
pub fn problems() -> Vec<Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct List {
        data: BTreeMap<String, Inputs>,
        problem: Vec<Problem>,
    }
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inputs {
        inputs: Vec<String>,
    }
    let text = fs::read_to_string(folder().join("problems.toml")).unwrap();
    let List { data, mut problem } = toml::from_str(&text).unwrap();
    for one in problem.iter_mut().filter(|one| one.columns.is_empty()) {
        one.columns.clone_from(&data[&one.data].inputs);
    }
    let names: BTreeSet<&str> = problem.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names.len(), problem.len(), "two problems have one name");
    for reason in problem.iter().flat_map(|one| one.ways.values()) {
        let (Gap::Lacks(words) | Gap::Refuses(words) | Gap::Differs(words) | Gap::Depends(words)) = reason;
        assert!(words.split(' ').count() > 2, "{words:?} is no reason");
    }
    problem
}

/// Which rows of the data.
#[derive(Debug, Clone, Copy)]
pub enum Part {
    Train,
    New,
}

/// A table of texts with named columns.
#[derive(Debug, Clone)]
pub struct Table {
    pub names: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads what has neither quotes nor commas in cells.
    pub fn parse(text: &str) -> Self {
        let cells = |line: &str| line.split(',').map(String::from).collect::<Vec<String>>();
        let mut lines = text.lines().map(cells);
        Self { names: lines.next().unwrap_or_default(), rows: lines.collect() }
    }

    pub fn column(&self, name: &str) -> Vec<&str> {
        let place = self.names.iter().position(|own| own == name);
        let place = place.unwrap_or_else(|| panic!("there is no column {name}"));
        self.rows.iter().map(|row| row[place].as_str()).collect()
    }

    /// The numbers of a column; NaN where there is none.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        let number = |cell: &str| if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() };
        self.column(name).into_iter().map(number).collect()
    }
}

/// Samples in memory, in the type of the problem.
pub enum Held {
    F64(Array2<f64>),
    F32(Array2<f32>),
    U8(Array2<u8>),
}

impl Held {
    pub fn with<R>(&self, work: impl FnOnce(&dyn Samples) -> R) -> R {
        match self {
            Self::F64(x) => work(&x.view()),
            Self::F32(x) => work(&x.view()),
            Self::U8(x) => work(&x.view()),
        }
    }
}

impl Problem {
    /// A recipe of the library.
    pub fn recipe(&self) -> gsfa::recipe::Recipe {
        self.recipe.clone().try_into().unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// Whether a way has words for it.
    pub fn has_words(&self, way: Way) -> bool {
        !matches!(self.ways.get(&way), Some(Gap::Lacks(_)))
    }

    pub fn table(&self, part: Part) -> Table {
        let part = match part {
            Part::Train => "train",
            Part::New => "new",
        };
        let path = folder().join(format!("data/{}_{part}.csv", self.data));
        Table::parse(&fs::read_to_string(path).unwrap())
    }

    pub fn input_shape(&self) -> InputShape {
        match self.shape {
            Some([height, width, channels]) => InputShape { height, width, channels },
            None => InputShape::vector(self.columns.len()),
        }
    }

    /// Samples as numbers.
    pub fn numbers(&self, part: Part) -> Array2<f64> {
        let table = self.table(part);
        let columns: Vec<Vec<f64>> = self.columns.iter().map(|name| table.numbers(name)).collect();
        Array2::from_shape_fn((table.rows.len(), columns.len()), |(n, i)| columns[i][n])
    }

    pub fn held(&self, numbers: Array2<f64>) -> Held {
        match self.element {
            Element::F64 => Held::F64(numbers),
            Element::F32 => Held::F32(numbers.mapv(|x| x as f32)),
            Element::U8 => Held::U8(numbers.mapv(|x| x as u8)),
        }
    }

    pub fn labels(&self) -> Labels {
        let table = self.table(Part::Train);
        let mut labels = Labels::none(table.rows.len());
        for name in &self.learn {
            labels = match self.task.kind(name) {
                LabelKind::Numbers => labels.and_numbers(name, table.numbers(name)),
                LabelKind::Classes => {
                    let some = |cell: &'_ str| (!cell.is_empty()).then(|| cell.to_string());
                    labels.and_some_classes(name, table.column(name).into_iter().map(some))
                }
            }
            .unwrap();
        }
        labels
    }

    /// Samples, labels and weights to learn from. The library wants positive weights: whoever calls it leaves out samples
    /// of weight 0, as the command line and Python do for their users.
    pub fn training(&self) -> (Array2<f64>, Labels, SampleWeights) {
        let (samples, labels) = (self.numbers(Part::Train), self.labels());
        let weights = match &self.weights {
            Some(name) => self.table(Part::Train).numbers(name),
            None => vec![1.0; labels.len()],
        };
        let rows: Vec<usize> = (0..labels.len()).filter(|&n| weights[n] > 0.0).collect();
        let weights = SampleWeights::new(rows.iter().map(|&n| weights[n]).collect()).unwrap();
        (samples.select(Axis(0), &rows), labels.select(&rows), weights)
    }

    /// Largest minus smallest value of a label.
    pub fn spread(&self, label: &str) -> f64 {
        let values = self.table(Part::Train).numbers(label);
        let known = || values.iter().copied().filter(|x| !x.is_nan());
        known().fold(f64::MIN, f64::max) - known().fold(f64::MAX, f64::min)
    }
}
