//! The page's part about signs.

use gsfa_report::{
    Axis, Block, Cell, ClassMap, Column, Figure, HeatMap, ImageGrid, LineChart, MapPanel, Picture, Section, Series,
    Shading, Stroke, Table,
};

use super::summary::CHOSEN;
use super::{FeaturePicture, SignMap, SignsResults};
use crate::results::Measured;

impl SignsResults {
    fn at(&self, graph: &str, measure: usize) -> f64 {
        let measure = self.summary.measures.get(measure).map(String::as_str).unwrap_or_default();
        self.summary.mean(graph, measure).unwrap_or(f64::NAN)
    }

    /// Names of the short and the long compact graph.
    fn compact(&self) -> [String; 2] {
        let bits = self.classes.len().next_power_of_two().trailing_zeros();
        [format!("compact+{bits}"), format!("compact+{}", self.classes.len() - 1)]
    }

    fn bits(&self) -> u32 {
        self.classes.len().next_power_of_two().trailing_zeros()
    }

    /// The error of the pairwise code with d features, as held-out tracks chose its settings, if they did.
    fn learned(&self, d: u32) -> f64 {
        let measure = format!("d = {d}");
        let chosen = self.codes.mean(&format!("pairwise, {CHOSEN}"), &measure);
        chosen.or_else(|| self.codes.mean("pairwise, nearest centroid", &measure)).unwrap_or(f64::NAN)
    }

    fn kind(&self) -> &'static str {
        if self.real { "real" } else { "generated" }
    }

    /// What was found, in one sentence.
    pub fn sentence(&self) -> String {
        let [short, long] = self.compact();
        format!(
            "On {} {} traffic signs with {} classes, {} features of a compact graph leave {:.1} % errors ({short}) and {:.1} % \
             ({long}) where the clustered graph (Fisher discriminant analysis) leaves {:.1} %, and a code learned for so many \
             features {:.1} %; with all {} features both graphs err in {:.1} %.",
            self.test[0],
            self.kind(),
            self.classes.len(),
            self.bits(),
            self.at(&short, 0),
            self.at(&long, 0),
            self.at("clustered", 0),
            self.learned(self.bits()),
            self.classes.len() - 1,
            self.at(&long, 1),
        )
    }

    /// The large number on the first screen.
    pub fn highlight(&self) -> (String, String) {
        let [short, _] = self.compact();
        (
            format!(
                "{:.1} % / {:.1} % / {:.1} %",
                self.learned(self.bits()),
                self.at(&short, 0),
                self.at("clustered", 0)
            ),
            format!("sign errors with {} features: learned code, {short}, clustered", self.bits()),
        )
    }

    /// Figures and tables.
    pub fn section(&self) -> Section {
        let mut section = Section::new("Signs: many classes from few features");
        let blocks = &mut section.blocks;
        let spec = &self.spec;
        let copies = match spec.per_class {
            Some(count) => format!("{count} randomly distorted copies per class"),
            None => "every image once, randomly distorted, classes balanced by vertex weights".into(),
        };
        blocks.push(Block::Text(format!(
            "{} {} training images ({copies}), {} principal components, one quadratic node, nearest centroid. The node is trained \
             once: the features of every graph over classes lie in the span of the {} clustered ones, so that any graph, code, \
             class order or number of features costs milliseconds.",
            self.train,
            self.kind(),
            spec.components,
            self.classes.len() - 1
        )));
        blocks.push(Block::Figure(self.curves_figure()));
        blocks.push(Block::Figure(self.close_up()));
        blocks.push(Block::Table(self.summary.table()));
        if self.test[0] < self.test[1] {
            blocks.push(Block::Table(self.summary_all.table()));
        }
        let runs = spec.runs.max(1);
        let [short, long] = self.compact();
        blocks.push(Block::Note(format!(
            "Preparation of pixels: {}. {}{long} and clustered disagree on {} of {} estimates with all features: their features are \
             linear maps of each other, and only rounding separates them.",
            spec.preparation.name(),
            if runs > 1 { format!("Mean ± standard deviation of {runs} runs. ") } else { "One run. ".into() },
            self.different_estimates,
            runs * self.test[1],
        )));
        if spec.surplus {
            blocks.push(Block::Note(format!(
                "{short} is trained by itself here: beyond its {} target labels it returns principal components of what is left, which \
                 know little about the class.",
                self.bits()
            )));
        }
        self.learned_codes(blocks);
        blocks.push(Block::Text(
            "Which classes share a bit of the code matters: the order of the classes decides. Features of the clustered graph do not \
             depend on it, nor does any graph with all features."
                .into(),
        ));
        blocks.push(Block::Table(self.orders.table()));
        if !self.chosen.is_empty() {
            blocks.push(Block::Table(self.chosen_table()));
            blocks.push(Block::Note(format!(
                "The order was chosen by exchanging codes of two classes as long as {short} errs less on held-out tracks, which the \
                 node of that search has not seen; its error there is optimistic. No test image took part."
            )));
        }
        blocks.push(Block::Text("What the signs look like, and what their first features respond to.".into()));
        blocks.push(Block::Figure(grid("One test image per class", &self.examples, 8, 104.0).wide()));
        for (name, pictures) in &self.features {
            blocks.push(Block::Figure(grid(&format!("{name}: first features"), pictures, 4, 84.0)));
        }
        blocks.push(Block::Note(
            "Features are quadratic; shown is their covariance with the prepared pixels, grey for none: where a feature grows with the \
             intensity it is bright, where it falls dark."
                .into(),
        ));
        blocks.push(Block::Figure(self.confusion_figure().wide()));
        blocks.push(Block::Table(self.times.table()));
        section
    }

    /// Codes that are learned from the class means of the same pass.
    fn learned_codes(&self, blocks: &mut Vec<Block>) {
        blocks.push(Block::Text(
            "Codes need not be bits. Every choice of d combinations of the clustered features is a training graph, so that the code can \
             be learned from the class means of the same pass: weighted Fisher by one eigenproblem, pairwise by the least bound on the \
             error for exactly d features, nested for all d at once. A shared Gaussian is the nearest centroid among features that \
             are white within classes."
                .into(),
        ));
        if !self.maps.is_empty() {
            blocks.push(Block::Figure(self.map_figure().wide()));
        }
        blocks.push(Block::Table(self.codes.table()));
        if self.test[0] < self.test[1] {
            blocks.push(Block::Table(self.codes_all.table()));
        }
        if self.chosen_codes.is_empty() {
            return;
        }
        blocks.push(Block::Table(self.settings_table()));
        blocks.push(Block::Note(
            "Scales of the distances, binary code and read-out are those that err least on held-out tracks, which the node of that \
             search has not seen; their errors there are optimistic. No test image took part."
                .into(),
        ));
        blocks.push(Block::Table(self.paired.table()));
    }

    /// Test images by two features, learned ones beside those of discriminant analysis.
    fn map_figure(&self) -> Figure {
        let panel = |map: &SignMap| MapPanel {
            title: format!("{}: {:.1} % errors on test images with these two features", map.name, map.error),
            points: map.points.clone(),
            new: Vec::new(),
        };
        let panels = self.maps.iter().map(panel).collect();
        ClassMap { title: "Test images by two features".into(), names: self.classes.clone(), panels }
            .figure()
            .caption("Each class with its name at its centre and the ellipse of two deviations.")
    }

    /// What held-out tracks chose, for a few numbers of features.
    fn settings_table(&self) -> Table {
        let names = ["code", "number of features", "settings", "read-out"].map(Column::text);
        let columns = names.into_iter().chain([Column::number("error on held-out tracks, %")]).collect();
        let mut table = Table::new("What held-out tracks chose in the first run", columns);
        for (family, chosen) in &self.chosen_codes {
            for c in chosen.iter().filter(|c| self.codes.measures.contains(&format!("d = {}", c.d))) {
                table.rows.push(vec![
                    Cell::Text(family.clone()),
                    Cell::Text(c.d.to_string()),
                    Cell::Text(c.code.clone()),
                    Cell::Text(c.rule.name().into()),
                    Cell::Number(c.held_out, 2),
                ]);
            }
        }
        table
    }

    /// Error against the number of features.
    pub fn curves_figure(&self) -> Figure {
        self.chart("Test error against the number of features", Axis::from_zero("test error, %"))
    }

    /// The lower part of it, up to twice the error of the short code.
    fn close_up(&self) -> Figure {
        let high = (2.0 * self.at(&self.compact()[0], 0)).clamp(1.0, 100.0);
        self.chart("The same, close up", Axis::spanning("test error, %", 0.0, high.ceil()))
    }

    fn chart(&self, title: &str, y: Axis) -> Figure {
        let series = self.curves.measures.iter().enumerate().map(|(g, name)| {
            let point = |d: &str, m: &Measured| (d.parse().unwrap_or(f64::NAN), m.mean.unwrap_or(f64::NAN));
            let points = self.curves.rows.iter().map(|row| point(&row.name, &row.numbers[g])).collect();
            let spread = self.curves.rows.iter().map(|row| row.numbers[g].deviation.unwrap_or(0.0)).collect();
            Series { spread, ..Series::new(name, points) }
        });
        let published = self.summary.rows.iter().flat_map(|row| self.summary.measures.iter().zip(&row.numbers));
        let published = published.filter_map(|(d, m)| Some((d.strip_prefix("d = ")?.parse().ok()?, m.paper?)));
        let paper = Series { stroke: Stroke::Markers, ..Series::new("the paper's", published.collect()) };
        LineChart {
            title: title.into(),
            x: Axis::new("features d"),
            y,
            series: series.chain([paper]).collect(),
            rules: Vec::new(),
        }
        .figure()
    }

    fn chosen_table(&self) -> Table {
        let names = ["own order, held-out tracks", "chosen order, held-out tracks"];
        let columns = std::iter::once(Column::text("run")).chain(names.map(Column::number));
        let mut table = Table::new(
            "The search for an order, error in %",
            columns.chain([Column::number("orders tried")]).collect(),
        );
        for (n, chosen) in self.chosen.iter().enumerate() {
            table.rows.push(vec![
                Cell::Text((n + 1).to_string()),
                Cell::Number(chosen.own_held_out, 2),
                Cell::Number(chosen.held_out, 2),
                Cell::Number(chosen.trials as f64, 0),
            ]);
        }
        table
    }

    fn confusion_figure(&self) -> Figure {
        let [_, long] = self.compact();
        let title = format!("Estimated classes of all test images, {long}, d = {}", self.classes.len() - 1);
        HeatMap {
            title,
            row_label: "true class".into(),
            column_label: "estimated class".into(),
            rows: self.classes.clone(),
            columns: self.classes.clone(),
            values: self.confusion.concat(),
            shading: Shading::SquareRoot,
        }
        .figure()
        .caption("Shades by the square root, so that single errors can be seen.")
    }
}

fn grid(title: &str, pictures: &[FeaturePicture], columns: usize, cell: f64) -> Figure {
    let picture = |p: &FeaturePicture| Picture {
        width: 48,
        height: 48,
        channels: 3,
        pixels: p.pixels.clone(),
        caption: p.name.clone(),
    };
    ImageGrid { title: title.into(), pictures: pictures.iter().map(picture).collect(), columns, cell }.figure()
}
