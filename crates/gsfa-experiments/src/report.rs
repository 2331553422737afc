//! Results as files: one page, JSON, a CSV table for every table of the page, and the main figures as SVG.

use std::path::{Path, PathBuf};

use gsfa::file::{self, Overwrite};
use gsfa_report::{Figure, Page, Table};

use crate::results::{ResultTable, Results};
use crate::{Error, Result};

impl Results {
    /// All tables of numbers.
    pub fn tables(&self) -> Vec<&ResultTable> {
        let mut tables = Vec::new();
        if let Some(gender) = &self.gender {
            tables.extend([&gender.gender, &gender.color, &gender.joint_color, &gender.chance]);
            tables.extend([&gender.beside, &gender.powers, &gender.times, &gender.times_ratio]);
        }
        if let Some(graphs) = &self.graphs {
            tables.push(&graphs.table);
        }
        if let Some(signs) = &self.signs {
            tables.extend([&signs.summary, &signs.summary_all, &signs.curves, &signs.curves_shared, &signs.codes]);
            tables.extend([&signs.codes_all, &signs.paired, &signs.orders, &signs.times]);
        }
        tables
    }

    /// What was found, one sentence per experiment.
    pub fn sentences(&self) -> Vec<String> {
        let gender = self.gender.as_ref().map(|r| r.sentence());
        let graphs = self.graphs.as_ref().map(|r| r.sentence());
        let signs = self.signs.as_ref().map(|r| r.sentence());
        [gender, graphs, signs].into_iter().flatten().collect()
    }

    /// The page about everything.
    pub fn page(&self) -> Page {
        let gender = self.gender.as_ref().map(|r| (r.highlight(), r.section()));
        let graphs = self.graphs.as_ref().map(|r| (r.highlight(), r.section()));
        let signs = self.signs.as_ref().map(|r| (r.highlight(), r.section()));
        let mut machine = self.machine.clone();
        machine.push(("size".into(), self.size.clone()));
        machine.push(("time".into(), format!("{:.0} s", self.seconds)));
        let (highlights, sections) = [gender, graphs, signs].into_iter().flatten().unzip();
        Page {
            title: "Supervised slow feature analysis: the paper's experiments".into(),
            summary: self.sentences(),
            highlights,
            sections,
            commands: vec![
                self.command_line.clone(),
                format!("{}   # in the repository", self.command_line.replacen("gsfa", "cargo run --release --", 1)),
            ],
            machine,
        }
    }

    /// The results as JSON.
    ///
    /// # Errors
    /// [`Error::Writing`], which no result leads to.
    pub fn json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map_err(|error| Error::Writing { what: "JSON", reason: error.to_string() })
    }

    /// The main figure of each experiment, for use elsewhere.
    pub fn figures(&self) -> Vec<(&'static str, Figure)> {
        let gender = self.gender.as_ref().map(|r| ("gender", r.targets_figure()));
        let graphs = self.graphs.as_ref().map(|r| ("graphs", r.delta_figure()));
        let signs = self.signs.as_ref().map(|r| ("signs", r.curves_figure()));
        [gender, graphs, signs].into_iter().flatten().collect()
    }

    /// Writes `index.html`, `results.json`, the tables as CSV and the main figures as SVG into a folder, which is made if need be; returns their paths.
    ///
    /// # Errors
    /// If a file exists without leave to replace it, or cannot be written.
    pub fn write(&self, folder: &Path, overwrite: Overwrite) -> Result<Vec<PathBuf>> {
        std::fs::create_dir_all(folder)
            .map_err(|error| Error::Folder { path: folder.into(), reason: error.to_string() })?;
        let mut files =
            vec![("index.html".to_string(), self.page().html()), ("results.json".to_string(), self.json()?)];
        files.extend(self.tables().iter().map(|table| (format!("{}.csv", table.id), table.csv())));
        files.extend(self.figures().iter().map(|(name, figure)| (format!("{name}.svg"), figure.svg())));
        let write = |(name, text): (String, String)| {
            let path = folder.join(name);
            file::write(&path, text.as_bytes(), overwrite).map_err(gsfa_data::Error::writing(&path))?;
            Ok(path)
        };
        files.into_iter().map(write).collect()
    }

    /// The most important tables, for a terminal.
    pub fn text(&self) -> String {
        let mut tables: Vec<Table> = Vec::new();
        if let Some(gender) = &self.gender {
            tables.extend([&gender.gender, &gender.color, &gender.joint_color, &gender.beside].map(ResultTable::table));
        }
        tables.extend(self.graphs.iter().map(|graphs| graphs.table.table()));
        if let Some(signs) = &self.signs {
            tables.extend([signs.summary.table(), signs.codes.table(), signs.orders.table()]);
        }
        tables.iter().map(|table| table.text() + "\n").collect()
    }
}

/// What this runs on: processor, cores, memory, system.
pub fn machine() -> Vec<(String, String)> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let unknown = || "unknown".to_string();
    let threads = std::thread::available_parallelism().map_or_else(|_| unknown(), |n| n.to_string());
    let memory = value(&read("/proc/meminfo"), "MemTotal").and_then(|text| {
        let kilobytes: f64 = text.split_whitespace().next()?.parse().ok()?;
        Some(format!("{:.0} GB", kilobytes / 1e6))
    });
    vec![
        (
            "processor".into(),
            value(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
        ),
        ("cores".into(), threads),
        ("memory".into(), memory.unwrap_or_else(unknown)),
        ("system".into(), std::env::consts::OS.into()),
        ("gsfa".into(), env!("CARGO_PKG_VERSION").into()),
    ]
}
