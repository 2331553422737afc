//! The page's part about faces.

use gsfa_report::{
    Axis, Bar, Bars, Block, Figure, ImageGrid, LineChart, Picture, PointGroup, Scatter, Section, Series, Stroke,
};

use super::{GenderResults, TransformResult};
use crate::results::{ResultRow, ResultTable};

impl GenderResults {
    fn kind(&self) -> &'static str {
        if self.real { "given" } else { "generated" }
    }

    fn best(&self, table: &ResultTable, measure: &str, rows: impl Fn(&str) -> bool) -> Option<(String, f64)> {
        let column = table.measures.iter().position(|m| m == measure)?;
        let found = |row: &ResultRow| Some((row.name.clone(), row.numbers[column].mean?));
        let rows = table.rows.iter().filter(|row| rows(&row.name)).filter_map(found);
        rows.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What was found, in one sentence.
    pub fn sentence(&self) -> String {
        let best = |rows: &dyn Fn(&str) -> bool| self.best(&self.gender, "soft GC 3F", rows);
        let show = |found: Option<(String, f64)>| {
            found.map_or_else(|| "–".into(), |(name, error)| format!("{error:.3} ({name})"))
        };
        let serial = self.gender.mean("serial", "soft GC 3F").unwrap_or(f64::NAN);
        let mut sentence = format!(
            "On {} faces, the paper's network estimates gender with an RMSE of {} when it learns gender alone, {serial:.3} with the \
             serial graph, and {} when it learns colour as well",
            self.kind(),
            show(best(&|name| name.starts_with("ELL-"))),
            show(best(&|name| name.starts_with("2×"))),
        );
        if let Some(ridge) = self.beside.mean("ridge on all pixels", "scaling 1F") {
            sentence += &format!("; plain ridge on all pixels reaches {ridge:.3}");
        }
        if let Some((_, cascade)) = self.best(&self.beside, "scaling 1F", |name| name.starts_with("cascade")) {
            sentence += &format!(", a cascade for all labels and their products {cascade:.3}");
        }
        let chance = self.chance.mean("gender", "RMSE").unwrap_or(f64::NAN);
        sentence + &format!(" (chance {chance:.3}).")
    }

    /// The large number on the first screen.
    pub fn highlight(&self) -> (String, String) {
        let best = |start: &str| self.best(&self.gender, "soft GC 3F", |name| name.starts_with(start));
        let show = |found: Option<(String, f64)>| found.map_or("–".into(), |(_, error)| format!("{error:.3}"));
        (format!("{} → {}", show(best("ELL-")), show(best("2×"))), "gender RMSE, alone → with colour".into())
    }

    /// Figures and tables.
    pub fn section(&self) -> Section {
        let mut section = Section::new("Gender: a number from faces");
        let blocks = &mut section.blocks;
        let runs = self.spec.runs.max(1);
        blocks.push(Block::Text(format!(
            "{} {} training and {} test faces of 64×64 pixels; the paper's network of eight layers; 1F and 3F: read out from one or \
             three features. {}",
            self.images[0],
            self.kind(),
            self.images[1],
            if runs > 1 { format!("Mean ± standard deviation of {runs} runs.") } else { "One run.".into() }
        )));
        if !self.real {
            blocks.push(Block::Note(
                "The paper's faces came from another program: compare the order of methods, not the third digit."
                    .into(),
            ));
        }
        blocks.push(Block::Figure(self.examples_figure().wide()));
        blocks.push(Block::Figure(self.targets_figure()));
        blocks.push(Block::Figure(self.times_figure()));
        for table in [&self.gender, &self.color, &self.joint_color, &self.chance] {
            blocks.push(Block::Table(table.table()));
        }
        if !self.spec.arbitrary_surplus.is_empty() {
            blocks.push(Block::Note(
                "Outputs of a node beyond its target labels are principal components of what these leave. The paper does not say what its \
                 own are; with arbitrary directions, as a solver without a rule returns, more target labels are better, as in the \
                 paper, and everything is worse."
                    .into(),
            ));
        }
        blocks.push(Block::Text(
            "Powers of the label, each learned as such by the paper's network for it, with linear scaling of the slowest feature."
                .into(),
        ));
        if let Some(components) = self.spec.power_components {
            blocks.push(Block::Note(format!(
                "There are too few faces here for the quadratic layer of the network for ℓ³: it sees {components} principal \
                 components of its inputs. With --full it is the paper's."
            )));
        }
        for transform in &self.transforms {
            blocks.push(Block::Figure(self.estimates_figure(transform, true)));
        }
        if let Some(last) = self.transforms.last() {
            blocks.push(Block::Figure(self.estimates_figure(last, false)));
        }
        blocks.push(Block::Table(self.powers.table()));
        blocks.push(Block::Text(
            "Simpler methods, and a cascade of linear nodes that is not in the paper. Not all of it is like for like: ridge, the \
             discriminant analysis and the graphs for gender learn from gender alone; 2×d also know the colour, and the cascade \
             knows every label of the training faces."
                .into(),
        ));
        blocks.push(Block::Table(self.beside.table()));
        let labels = self.cascade_labels.join(", ");
        let ridge = self.ridge.mean.unwrap_or(f64::NAN);
        let chosen = if self.spec.ridge.candidates.len() > 1 { ", chosen by cross-validation" } else { "" };
        blocks.push(Block::Note(format!(
            "Ridge {ridge:.0e} of the pixels' mean variance{chosen}. The cascade learns {labels} and all their \
             products; each further node sees the pixels beside polynomials of the features below."
        )));
        blocks.push(Block::Table(self.times.table()));
        blocks.push(Block::Table(self.times_ratio.table()));
        blocks.push(Block::Note(
            "The paper's times are about 10 minutes for serial and 250 for ELL-40, on one thread and another machine: its ELL graph is a \
             matrix of all pairs of samples. Here it has as many columns as target labels."
                .into(),
        ));
        section
    }

    fn examples_figure(&self) -> Figure {
        let picture = |p: &super::FacePicture| Picture {
            width: 64,
            height: 64,
            channels: 1,
            pixels: p.pixels.clone(),
            caption: p.name.clone(),
        };
        let pictures = self.examples.iter().map(picture).collect();
        ImageGrid { title: "Test faces and their gender".into(), pictures, columns: 10, cell: 84.0 }.figure()
    }

    /// Error against the number of target labels.
    pub fn targets_figure(&self) -> Figure {
        let series = |name: &str, start: &str, factor: f64, measure: &str| {
            let column = self.gender.measures.iter().position(|m| m == measure).unwrap_or(0);
            let point = |row: &ResultRow| {
                let targets: f64 = row.name.strip_prefix(start)?.parse().ok()?;
                let number = &row.numbers[column];
                Some((factor * targets, number.mean?, number.deviation.unwrap_or(0.0)))
            };
            let points: Vec<(f64, f64, f64)> = self.gender.rows.iter().filter_map(point).collect();
            Series {
                spread: points.iter().map(|p| p.2).collect(),
                ..Series::new(name, points.iter().map(|p| (p.0, p.1)).collect())
            }
        };
        let targets = [&self.spec.gender_targets, &self.spec.joint_targets];
        let most = targets[0].iter().copied().chain(targets[1].iter().map(|t| 2 * t)).max().unwrap_or(1) as f64;
        // Methods without target labels are horizontal lines.
        let line = |row: &str, measure: &str, table: &ResultTable| {
            let level = table.mean(row, measure)?;
            let name = format!("{row}, {measure}");
            Some(Series { stroke: Stroke::Line, ..Series::new(name, vec![(1.0, level), (most, level)]) })
        };
        let levels =
            [line("serial", "soft GC 3F", &self.gender), line("ridge on all pixels", "scaling 1F", &self.beside)];
        let graphs = [
            series("gender, soft GC 3F", "ELL-", 1.0, "soft GC 3F"),
            series("gender, scaling 1F", "ELL-", 1.0, "scaling 1F"),
            series("gender and colour, soft GC 3F", "2×", 2.0, "soft GC 3F"),
            series("gender and colour, scaling 1F", "2×", 2.0, "scaling 1F"),
        ];
        LineChart {
            title: "Gender error against the number of target labels".into(),
            x: Axis::new("target labels L"),
            y: Axis::from_zero("test RMSE"),
            series: graphs.into_iter().chain(levels.into_iter().flatten()).collect(),
            rules: Vec::new(),
        }
        .figure()
    }

    fn times_figure(&self) -> Figure {
        let kind = |name: &str| match name {
            "serial" | "reordering" => 1,
            _ if name.contains("ELL-") && !name.contains("cascade") => 0,
            _ if name.starts_with("2×") => 2,
            _ => 7,
        };
        let bar = |row: &ResultRow| Bar {
            name: row.name.clone(),
            value: row.numbers[0].mean.unwrap_or(f64::NAN),
            spread: row.numbers[0].deviation,
            kind: kind(&row.name),
        };
        let bars = self.times.rows.iter().map(bar).collect();
        Bars { title: "Training time".into(), axis: Axis::new("seconds"), bars }.figure()
    }

    fn estimates_figure(&self, transform: &TransformResult, test: bool) -> Figure {
        let raised = |g: f64| g.powi(transform.power as i32);
        let points = if test { &transform.test } else { &transform.train };
        let mut truth: Vec<f64> = points.iter().map(|p| p.0).collect();
        truth.sort_by(f64::total_cmp);
        truth.dedup();
        let n = self.transforms.iter().position(|t| t.power == transform.power).unwrap_or(0);
        let row = &self.powers.rows[n];
        let percent = row.numbers[usize::from(!test)].mean.unwrap_or(f64::NAN);
        let set = if test { "test" } else { "training" };
        Scatter {
            title: format!("{} on {set} faces ({percent:.1} % of chance)", row.name),
            x: Axis::new("gender"),
            y: Axis::new("estimates; line: truth"),
            groups: vec![PointGroup { name: String::new(), points: points.clone() }],
            truth_line: false,
            curve: truth.iter().map(|&g| (g, raised(g))).collect(),
        }
        .figure()
    }
}
