//! Writes a page with every kind of figure and table on made-up numbers, to be looked at.
//!
//! ```text
//! cargo run --release -p gsfa-report --example gallery -- gallery.html
//! ```
//!
//! Beside the page it writes one figure as a file of its own, `gallery.html.svg`.

use std::f64::consts::PI;
use std::{env, fs, io};

use gsfa_report::{
    Axis, Bar, Bars, Block, Cell, Column, Comparison, Edge, Figure, GraphDrawing, HeatMap, ImageGrid, Layout,
    LineChart, Measured, Page, Picture, PointGroup, Rule, Scatter, Section, Series, Shading, Stroke, Table, Vertex,
};

fn main() -> io::Result<()> {
    let path = env::args().nth(1).unwrap_or_else(|| "gallery.html".into());
    fs::write(&path, page().html())?;
    // A figure on its own, for a README.
    let alone = lines()
        .blocks
        .into_iter()
        .find_map(|block| if let Block::Figure(figure) = block { Some(figure.svg()) } else { None });
    fs::write(format!("{path}.svg"), alone.unwrap_or_default())
}

fn page() -> Page {
    Page {
        title: "A gallery of figures & tables".into(),
        summary: vec![
            "Every kind of figure of this crate, on numbers that were made up.".into(),
            "Labels that look like <b>markup</b> & \"quotes\" stay text.".into(),
            "The page is one file, works offline, follows light and dark, and prints.".into(),
        ],
        highlights: vec![
            ("0.345".into(), "gender RMSE, made up".into()),
            ("2.89 %".into(), "sign error, made up".into()),
            ("14 / 6 / 4".into(), "slow responses".into()),
        ],
        sections: vec![lines(), points(), graphs(), maps(), tables(), odd()],
        commands: vec!["cargo run --release -p gsfa-report --example gallery -- gallery.html".into()],
        machine: vec![("processor".into(), "two cores".into()), ("memory".into(), "enough".into())],
    }
}

/// Repeatable made-up noise in −1 … 1.
fn noise(n: usize) -> f64 {
    ((n as f64 * 12.9898).sin() * 43758.5453).fract()
}

fn section(title: &str, blocks: Vec<Block>) -> Section {
    Section { title: title.into(), blocks }
}

fn lines() -> Section {
    let errors = |start: f64, name: &str| Series {
        spread: (4..=31).map(|d| if d % 3 == 0 { 0.9 + 0.3 * noise(d) } else { 0.0 }).collect(),
        ..Series::new(name, (4..=31).map(|d| (d as f64, 2.9 + start * (-(d as f64 - 4.0) / 7.0).exp())).collect())
    };
    let chart = LineChart {
        title: "Error against the number of features".into(),
        x: Axis::new("features d"),
        y: Axis::from_zero("test error, %"),
        series: vec![
            errors(33.0, "clustered"),
            errors(12.0, "compact+31"),
            errors(10.5, "compact+5"),
            errors(21.0, "sparse code"),
        ],
        rules: vec![Rule { value: 11.67, label: "paper, compact+5 at d = 5".into() }],
    };
    let response = |j: usize| {
        let points = (0..30)
            .map(|n| (n as f64 + 1.0, (2f64).sqrt() * (PI * j as f64 * (n as f64 + 0.5) / 30.0).cos()))
            .collect();
        Series::new(format!("y{j}"), points)
    };
    let responses = LineChart {
        title: "Free responses of the reordering graph, N = 30".into(),
        x: Axis::new("sample n"),
        y: Axis::new("response"),
        series: (1..=5).map(response).collect(),
        rules: Vec::new(),
    };
    let delta = |name: &str, f: &dyn Fn(f64) -> f64| Series {
        stroke: Stroke::Markers,
        ..Series::new(name, (1..30).map(|j| (f64::from(j), f(f64::from(j)))).collect())
    };
    let deltas = LineChart {
        title: "Δ of all free responses".into(),
        x: Axis::new("j"),
        y: Axis::from_zero("Δ"),
        series: vec![
            delta("reordering", &|j| 2.0 - 2.0 * (PI * j / 30.0).cos()),
            delta("serial", &|j| if j < 7.0 { 2.0 - 2.0 * (PI * j / 14.0).cos() } else { 2.0 }),
            delta("ELL-4", &|j| if j < 5.0 { 0.4 * j } else { 2.0 }),
        ],
        rules: vec![Rule { value: 2.0, label: "noise".into() }],
    };
    let many = LineChart {
        title: "Eight series, long names".into(),
        x: Axis::new("targets L"),
        y: Axis::new("RMSE"),
        series: (0..8)
            .map(|k| {
                Series::new(
                    format!("method with a long name {k}"),
                    (0..6).map(|n| (10.0 * n as f64, 0.4 - 0.02 * k as f64 + 0.01 * noise(n + 7 * k))).collect(),
                )
            })
            .collect(),
        rules: Vec::new(),
    };
    let figures = [
        chart.figure().caption("Bars are standard deviations over runs."),
        responses.figure(),
        deltas.figure(),
        many.figure(),
    ];
    section("Lines", figures.map(Block::Figure).to_vec())
}

fn points() -> Section {
    let estimates = (0..1200).map(|n| {
        let truth = (n / 20) as f64 / 10.0 - 3.0;
        (truth, 0.93 * truth + 0.35 * (noise(n) + noise(n + 5000) + noise(n + 9000)))
    });
    let scatter = Scatter {
        title: "Estimates against the truth".into(),
        x: Axis::new("gender"),
        y: Axis::new("estimated gender"),
        groups: vec![PointGroup { name: String::new(), points: estimates.collect() }],
        truth_line: true,
        curve: Vec::new(),
    };
    let bar = |name: &str, value: f64, spread: Option<f64>, kind: usize| Bar { name: name.into(), value, spread, kind };
    let bars = Bars {
        title: "Training time".into(),
        axis: Axis::new("seconds"),
        bars: vec![
            bar("serial", 8.13, Some(0.4), 0),
            bar("ELL-1", 8.02, Some(0.3), 1),
            bar("ELL-40", 9.46, Some(0.5), 1),
            bar("gender and colour, 2×25", 10.9, None, 1),
            bar("ridge on pixels", 0.0123, None, 7),
            bar("not run", f64::NAN, None, 7),
        ],
    };
    section(
        "Points and bars",
        vec![Block::Figure(scatter.figure()), Block::Figure(bars.figure().caption("Mean of three runs."))],
    )
}

fn graphs() -> Section {
    const N: usize = 30;
    let vertices = |weight: &dyn Fn(usize) -> f64| -> Vec<Vertex> {
        (0..N)
            .map(|n| Vertex {
                label: if n % 5 == 0 { (n + 1).to_string() } else { String::new() },
                weight: weight(n),
                value: n as f64,
            })
            .collect()
    };
    let edges = |f: &dyn Fn(usize, usize) -> f64| -> Vec<Edge> {
        (0..N)
            .flat_map(|a| (0..=a).map(move |b| (a, b)))
            .map(|(from, to)| Edge { from, to, weight: f(from, to) })
            .collect()
    };
    let drawing = |title: &str, layout, weight: &dyn Fn(usize) -> f64, edge: &dyn Fn(usize, usize) -> f64| -> Figure {
        GraphDrawing { title: title.into(), vertices: vertices(weight), edges: edges(edge), layout }.figure()
    };
    let ends = |n: usize| if n == 0 || n == N - 1 { 1.0 } else { 2.0 };
    let reordering = |a: usize, b: usize| if a.abs_diff(b) == 1 || (a == b && ends(a) < 2.0) { 1.0 } else { 0.0 };
    let groups = |n: usize| if (2..N - 2).contains(&n) { 2.0 } else { 1.0 };
    let serial = |a: usize, b: usize| if (a / 2).abs_diff(b / 2) == 1 { 1.0 } else { 0.0 };
    let ell = |a: usize, b: usize| {
        let label = |n: usize| (n as f64 - 14.5) / 8.65;
        let weight = 0.4 + label(a) * label(b) + 0.5 * (PI * label(a)).cos() * (PI * label(b)).cos();
        if weight.abs() > 1.0 { weight } else { 0.0 }
    };
    let figures = [
        drawing("Reordering", Layout::Circle, &ends, &reordering),
        drawing("Serial, 15 groups", Layout::Circle, &groups, &serial),
        drawing("ELL, strongest edges", Layout::Circle, &|n| 1.0 + 0.5 * noise(n).abs(), &ell),
        drawing("ELL on a line", Layout::Line, &|n| 1.0 + noise(n).abs(), &ell).wide(),
        drawing("Serial on a line", Layout::Line, &groups, &serial).wide(),
    ];
    section("Graphs", figures.map(Block::Figure).to_vec())
}

fn maps() -> Section {
    let confusion = |classes: usize, name: &dyn Fn(usize) -> String| HeatMap {
        title: format!("Confusion of {classes} classes"),
        row_label: "true class".into(),
        column_label: "estimated class".into(),
        rows: (0..classes).map(name).collect(),
        columns: (0..classes).map(name).collect(),
        values: (0..classes * classes)
            .map(|n| if n / classes == n % classes { 95.0 + 5.0 * noise(n) } else { (9.0 * noise(n) - 6.0).max(0.0) })
            .collect(),
        shading: Shading::SquareRoot,
    };
    let picture = |n: usize, channels: usize| {
        let pixels = (0..32 * 32 * channels).map(|p| {
            let (c, x, y) = (p % channels, p / channels % 32, p / channels / 32);
            (128.0 + 120.0 * ((x * (n + 1)) as f64 / 9.0 + c as f64).sin() * ((y * (c + 1)) as f64 / 11.0).cos()) as u8
        });
        Picture { width: 32, height: 32, channels, pixels: pixels.collect(), caption: format!("y{}", n + 1) }
    };
    let grid = |title: &str, channels: usize| ImageGrid {
        title: title.into(),
        pictures: (0..10).map(|n| picture(n, channels)).collect(),
        columns: 5,
        cell: 84.0,
    };
    let figures = [
        confusion(8, &|n| format!("c{n}")).figure(),
        grid("Features as images", 1).figure(),
        grid("In colour", 3).figure(),
        confusion(32, &|n| format!("{n} a sign with a name")).figure().wide(),
    ];
    section("Maps and images", figures.map(Block::Figure).to_vec())
}

fn tables() -> Section {
    let measured = |ours: f64, paper: Option<f64>| Measured { ours: Some(ours), spread: Some(0.004), paper };
    let comparison = Comparison {
        title: "Gender RMSE".into(),
        subject: "graph".into(),
        measures: vec!["soft GC 1F".into(), "soft GC 3F".into()],
        rows: vec![
            ("ELL-1".into(), vec![measured(0.371, Some(0.364)), measured(0.369, Some(0.365))]),
            ("ELL-40".into(), vec![measured(0.341, Some(0.346)), measured(0.339, Some(0.345))]),
            ("ridge on pixels".into(), vec![measured(0.32, None), Measured::default()]),
        ],
        decimals: 3,
        smaller_is_better: true,
    };
    let mut plain = Table::new(
        "The noisy feature",
        vec![Column::text("graph"), Column::number("Δ of y₆"), Column::number("Δ of a half-noise label")],
    );
    plain.rows.push(vec![Cell::Text("reordering".into()), Cell::Number(0.382, 3), Cell::Number(1.0, 3)]);
    plain.rows.push(vec![Cell::Text("serial".into()), Cell::Number(1.555, 3), Cell::Number(1.02, 3)]);
    let text = comparison.table().text();
    let blocks = vec![
        Block::Table(comparison.table()),
        Block::Table(plain),
        Block::Text("The same as text:".into()),
        Block::Code(text),
        Block::Note("Numbers in this gallery were made up.".into()),
    ];
    section("Tables", blocks)
}

fn odd() -> Section {
    let chart = |title: &str, points: Vec<(f64, f64)>| {
        let series = vec![Series::new("<script>alert(1)</script> & \"quotes\"", points)];
        LineChart { title: title.into(), x: Axis::new("x"), y: Axis::new("y"), series, rules: Vec::new() }.figure()
    };
    let figures = vec![
        chart("Nothing", Vec::new()),
        chart("One point", vec![(3.0, 0.5)]),
        chart("A gap", vec![(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.5), (4.0, 1.6)]),
        chart("A constant near 1e-7", (0..9).map(|n| (n as f64, 1e-7)).collect()),
    ];
    section("Odd data", figures.into_iter().map(Block::Figure).collect())
}
