//! The page's part about graphs.

use gsfa_report::{Axis, Block, Edge, Figure, GraphDrawing, Layout, LineChart, Rule, Section, Series, Stroke, Vertex};

use super::{GraphResult, GraphsResults};

impl GraphsResults {
    /// What was found, in one sentence.
    pub fn sentence(&self) -> String {
        let counts: Vec<String> = self.graphs.iter().map(|g| format!("{} ({})", g.slow, g.name)).collect();
        format!(
            "Of the {} free responses that {} graphs for the same label admit, {} are slower than noise: the more selective a \
             graph, the less room for unwanted features, and the slowest response of an ELL graph is the label itself.",
            self.label.len() - 1,
            self.graphs.len(),
            counts.join(", ")
        )
    }

    /// The large number on the first screen.
    pub fn highlight(&self) -> (String, String) {
        let counts: Vec<String> = self.graphs.iter().map(|g| g.slow.to_string()).collect();
        let names: Vec<&str> = self.graphs.iter().map(|g| g.name.as_str()).collect();
        (counts.join(" / "), format!("slow free responses: {}", names.join(", ")))
    }

    /// Figures and tables.
    pub fn section(&self) -> Section {
        let mut section = Section::new("Graphs: what is slow, before anything is trained");
        let blocks = &mut section.blocks;
        blocks.push(Block::Text(format!(
            "A label of {} samples and three training graphs made from it. Free responses are the features that GSFA would find \
             if the function space were unlimited; Δ = 2 is noise. All of this is computed exactly, from the graphs alone.",
            self.label.len()
        )));
        blocks.push(Block::Figure(self.label_figure()));
        blocks.push(Block::Figure(self.delta_figure()));
        blocks.push(Block::Text(
            "The graphs: samples clockwise, darker for larger labels, larger for larger weights.".into(),
        ));
        blocks.extend(self.graphs.iter().map(|graph| Block::Figure(self.drawing(graph))));
        blocks.push(Block::Text("Their slowest free responses, over the samples and over the label.".into()));
        for graph in &self.graphs {
            blocks.push(Block::Figure(self.responses(graph, "sample n", |n| n as f64)));
            blocks.push(Block::Figure(self.responses(graph, "label", |n| self.label[n])));
        }
        blocks.push(Block::Text(
            "Why selectivity matters: a feature that is half the label and half noise should be preferred to an unwanted \
             response such as y₆. The reordering graph finds y₆ slower and would take it; the others would not."
                .into(),
        ));
        blocks.push(Block::Table(self.table.table()));
        let errors: Vec<String> = self.graphs.iter().map(|g| format!("{:.3}", g.noisy_error)).collect();
        blocks.push(Block::Note(format!(
            "Δ of the half-noise label: mean over draws of the noise, standard errors {}. The slowest response of the ELL graph \
             differs from the normalised label by {:.0e} at most. Responses at Δ = 2 exactly are one choice of many: any other one \
             that is orthogonal to the slower ones would do.",
            errors.join(", "),
            self.graphs.iter().map(|g| g.label_distance).fold(f64::INFINITY, f64::min)
        )));
        section
    }

    fn label_figure(&self) -> Figure {
        let points = self.label.iter().enumerate().map(|(n, &l)| (n as f64, l)).collect();
        let (x, y) = (Axis::new("sample n"), Axis::new("label ℓ"));
        let series = vec![Series::new("", points)];
        LineChart { title: "The label".into(), x, y, series, rules: Vec::new() }.figure()
    }

    /// The delta values of all graphs.
    pub fn delta_figure(&self) -> Figure {
        let series = self.graphs.iter().map(|graph| {
            let points = graph.delta_values.iter().enumerate().map(|(j, &delta)| (j as f64 + 1.0, delta)).collect();
            let name = format!("{}: {} below 2", graph.name, graph.slow);
            Series { stroke: Stroke::Markers, ..Series::new(name, points) }
        });
        LineChart {
            title: "Delta values of all free responses".into(),
            x: Axis::new("free response j"),
            y: Axis::from_zero("Δ"),
            series: series.collect(),
            rules: vec![Rule { value: 2.0, label: "noise".into() }],
        }
        .figure()
    }

    fn drawing(&self, graph: &GraphResult) -> Figure {
        let vertex = |(n, &weight): (usize, &f64)| Vertex {
            label: if n % 5 == 0 { n.to_string() } else { String::new() },
            weight,
            value: self.label[n],
        };
        let (mut title, mut caption) = (graph.name.clone(), String::new());
        if !graph.all_edges {
            title += ", strongest edges";
            let all = self.label.len() * (self.label.len() - 1) / 2;
            caption = format!("The {} strongest of {all} edges.", graph.edges.len());
        }
        GraphDrawing {
            title,
            vertices: graph.vertex_weights.iter().enumerate().map(vertex).collect(),
            edges: graph.edges.iter().map(|&(from, to, weight)| Edge { from, to, weight }).collect(),
            layout: Layout::Circle,
        }
        .figure()
        .caption(caption)
    }

    fn responses(&self, graph: &GraphResult, axis: &str, x: impl Fn(usize) -> f64) -> Figure {
        let series = graph.responses.iter().enumerate().map(|(j, y)| {
            let points = y.iter().enumerate().map(|(n, &y)| (x(n), y)).collect();
            // Round-off may leave a negative zero.
            Series::new(format!("y{}, Δ = {:.2}", j + 1, graph.delta_values[j].abs()), points)
        });
        LineChart {
            title: format!("{}: slowest responses over the {axis}", graph.name).replace("sample n", "samples"),
            x: Axis::new(axis),
            y: Axis::new("response"),
            series: series.collect(),
            rules: Vec::new(),
        }
        .figure()
    }
}
