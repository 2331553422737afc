//! `gsfa graph --export`: a training graph as files for other programs.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gsfa::file::{self, AtomicFile, Overwrite};
use gsfa::graph::{FreeResponses, GraphTargets, TrainingGraph};
use gsfa::labels::{LabelValues, Labels};
use gsfa_data::output::refuse_input;
use gsfa_data::table::{Table, Values};
use ndarray::ArrayView2;

use crate::error::{Error, ErrorCode, Result};
use crate::interrupt;
use crate::present::check_folder;

/// Γ, in the format of Matrix Market.
const EDGES: &str = "edge_weights.mtx";
const VERTICES: &str = "vertices.csv";
const LABELS: &str = "labels.csv";
const RESPONSES: &str = "responses.csv";
const DELTAS: &str = "delta_values.csv";
/// Target labels, and what is known of each; only of graphs that have some.
const TARGET_LABELS: &str = "target_labels.csv";
const TARGETS: &str = "targets.csv";

const ALL: [&str; 7] = [EDGES, VERTICES, LABELS, RESPONSES, DELTAS, TARGET_LABELS, TARGETS];

/// A checked folder, to be filled with all files or none.
pub struct Export {
    folder: PathBuf,
    overwrite: Overwrite,
}

/// What is written.
pub struct Contents<'a> {
    pub kind: &'a str,
    pub graph: &'a TrainingGraph,
    pub labels: &'a Labels,
    pub free: &'a FreeResponses,
}

impl Export {
    /// The folder that was asked for, if one was. Files of an earlier export need `force`.
    pub fn optional<P: AsRef<Path>>(folder: Option<&PathBuf>, force: bool, inputs: &[P]) -> Result<Option<Self>> {
        let Some(folder) = folder.cloned() else { return Ok(None) };
        let overwrite = if force { Overwrite::Replace } else { Overwrite::Never };
        if fs::metadata(&folder).is_ok_and(|found| !found.is_dir()) {
            return Err(Error::usage(ErrorCode::OutputPlace, format!("{} is no folder", folder.display()))
                .hint("name a folder"));
        }
        check_folder(&folder)?;
        for name in ALL.iter().filter(|_| folder.is_dir()) {
            let path = folder.join(name);
            refuse_input(&path, inputs)?;
            file::check(&path, overwrite).map_err(gsfa_data::Error::writing(&path))?;
        }
        Ok(Some(Self { folder, overwrite }))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes everything under other names first, so that a full disk leaves the folder as it was.
    pub fn write(&self, contents: &Contents<'_>) -> Result {
        let _saving = interrupt::saving();
        let is_new = !self.folder.exists();
        fs::create_dir_all(&self.folder).map_err(|error| Error::io("make", &self.folder, &error))?;
        let written = self.files(contents).and_then(|files| files.into_iter().try_for_each(commit));
        if written.is_err() && is_new {
            // Only if nothing is in it.
            let _ = fs::remove_dir(&self.folder);
        }
        written
    }

    fn files(&self, contents: &Contents<'_>) -> Result<Vec<AtomicFile>> {
        let (graph, free) = (contents.graph, contents.free);
        let mut files = vec![self.edges(contents)?];
        let per_vertex = |(name, values): (&str, Vec<f64>)| (name.to_string(), Values::Numbers(values));
        let vertices = [
            ("vertex_weight", graph.vertex_weights().to_vec()),
            ("degree", graph.degrees().to_vec()),
            ("self_loop", graph.self_loops()),
        ];
        files.push(self.table(VERTICES, of_vertices(graph, vertices.map(per_vertex)))?);
        files.push(self.table(LABELS, of_vertices(graph, given(graph, contents.labels)))?);
        let names = (1..=free.responses.ncols()).map(|j| format!("y{j}"));
        files.push(self.table(RESPONSES, of_vertices(graph, columns(names, free.responses.view())))?);
        let numbers = [
            ("response", (1..=free.delta_values.len()).map(|j| j as f64).collect()),
            ("delta_value", free.delta_values.clone()),
            ("eigenvalue", free.eigenvalues.clone()),
        ];
        files.push(self.table(DELTAS, numbers.map(per_vertex).into())?);
        if let (Some(targets), Some(values)) = (graph.targets(), graph.target_values()) {
            let names = targets.labels.names().iter().cloned();
            files.push(self.table(TARGET_LABELS, of_vertices(graph, columns(names, values.view())))?);
            files.push(self.table(TARGETS, of_targets(targets))?);
        }
        Ok(files)
    }

    fn create(&self, name: &str) -> Result<AtomicFile> {
        let path = self.folder.join(name);
        Ok(AtomicFile::create(&path, self.overwrite).map_err(gsfa_data::Error::writing(&path))?)
    }

    fn table(&self, name: &str, columns: Vec<(String, Values)>) -> Result<AtomicFile> {
        let mut file = self.create(name)?;
        let table = Table::new(columns)?;
        table.write_csv_to(&mut file).map_err(|error| Error::io("write", &self.folder.join(name), &error))?;
        Ok(file)
    }

    fn edges(&self, contents: &Contents<'_>) -> Result<AtomicFile> {
        let mut file = self.create(EDGES)?;
        write_matrix_market(contents, BufWriter::new(&mut file))
            .map_err(|error| Error::io("write", &self.folder.join(EDGES), &error))??;
        Ok(file)
    }
}

fn commit(file: AtomicFile) -> Result {
    let path = file.path().to_path_buf();
    Ok(file.commit().map_err(gsfa_data::Error::writing(&path))?)
}

/// Γ as a symmetric matrix: the edges of its lower triangle, vertices numbered from 1.
fn write_matrix_market(contents: &Contents<'_>, mut out: impl Write) -> io::Result<Result> {
    let list = match contents.graph.edge_list() {
        Ok(list) => list,
        Err(error) => return Ok(Err(error.into())),
    };
    let size = list.size();
    let lower = |n: usize| list.row(n).take_while(move |(m, _)| *m <= n);
    let stored: usize = (0..size).map(|n| lower(n).count()).sum();
    writeln!(out, "%%MatrixMarket matrix coordinate real symmetric")?;
    writeln!(out, "% edge weights of the {} graph of {size} samples", contents.kind)?;
    writeln!(out, "{size} {size} {stored}")?;
    for n in 0..size {
        for (m, weight) in lower(n) {
            // The shortest digits that give the same number.
            writeln!(out, "{} {} {weight:e}", n + 1, m + 1)?;
        }
    }
    out.flush()?;
    Ok(Ok(()))
}

/// Columns of the vertices, after the sample that each is, counted from 0.
fn of_vertices(graph: &TrainingGraph, columns: impl IntoIterator<Item = (String, Values)>) -> Vec<(String, Values)> {
    let sample = |n: usize| graph.rows().map_or(n, |rows| rows[n]) as f64;
    let samples = Values::Numbers((0..graph.len()).map(sample).collect());
    std::iter::once(("sample".to_string(), samples)).chain(columns).collect()
}

fn columns(names: impl Iterator<Item = String>, values: ArrayView2<'_, f64>) -> Vec<(String, Values)> {
    names.zip(values.columns()).map(|(name, column)| (name, Values::Numbers(column.to_vec()))).collect()
}

/// The labels that the graph was made of.
fn given(graph: &TrainingGraph, labels: &Labels) -> Vec<(String, Values)> {
    let of_vertices = graph.rows().map(|rows| labels.select(rows));
    let values = |(name, values): (&str, &LabelValues)| {
        let values = match values {
            LabelValues::Numbers(x) => Values::Numbers(x.clone()),
            LabelValues::Classes(classes) => Values::text_from(
                classes.of_sample().iter().map(|&c| classes.names().get(c as usize).map_or("", String::as_str)),
            ),
        };
        (name.to_string(), values)
    };
    of_vertices.as_ref().unwrap_or(labels).columns().map(values).collect()
}

fn of_targets(targets: &GraphTargets) -> Vec<(String, Values)> {
    let lambda = &targets.eigenvalues;
    let deltas = lambda.values.iter().map(|value| 2.0 - 2.0 * value / lambda.lambda0).collect();
    vec![
        ("target".into(), Values::text_from(targets.labels.names())),
        ("eigenvalue".into(), Values::Numbers(lambda.values.clone())),
        ("delta_value".into(), Values::Numbers(deltas)),
    ]
}
