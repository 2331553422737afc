//! What every figure, table and page keeps: well-formed, rounded, escaped, the same each time, and never a panic.

use gsfa_report::{
    Axis, Bar, Bars, Block, Cell, Column, Comparison, Edge, Figure, GraphDrawing, HeatMap, ImageGrid, Layout,
    LineChart, Measured, Page, Picture, PointGroup, Rule, Scatter, Section, Series, Shading, Stroke, Table, Vertex,
};

const HOSTILE: &str = "</text><script>alert('x')</script> & \"quotes\" ]]> \u{1}\u{ffff} 漢字 <!-- --";

/// Every kind of figure of the given numbers, all texts being `name`.
fn figures(values: &[f64], name: &str) -> Vec<Figure> {
    let points: Vec<(f64, f64)> = values.iter().enumerate().map(|(n, &v)| (n as f64, v)).collect();
    let title = || name.to_owned();
    let axes =
        || [Axis::new(name), Axis::from_zero(name), Axis::spanning(name, values.first().copied().unwrap_or(0.0), 1.0)];
    let names: Vec<String> = values.iter().map(|_| title()).collect();
    let mut figures = Vec::new();
    for (axis, stroke) in axes().into_iter().zip([Stroke::Both, Stroke::Line, Stroke::Markers]) {
        let series = Series { spread: values.to_vec(), stroke, ..Series::new(name, points.clone()) };
        let turned = Series::new(name, points.iter().map(|&(x, y)| (y, x)).collect());
        let rules = values.iter().map(|&value| Rule { value, label: title() }).collect();
        figures.push(
            LineChart { title: title(), x: Axis::new(name), y: axis.clone(), series: vec![series, turned], rules }
                .figure(),
        );
        let groups = vec![PointGroup { name: title(), points: points.clone() }];
        figures.push(
            Scatter {
                title: title(),
                x: axis.clone(),
                y: Axis::new(name),
                groups,
                truth_line: stroke == Stroke::Both,
                curve: points.clone(),
            }
            .figure(),
        );
        let bars = values.iter().map(|&value| Bar { name: title(), value, spread: Some(value), kind: 9 }).collect();
        figures.push(Bars { title: title(), axis, bars }.figure());
    }
    for (layout, shading) in [(Layout::Circle, Shading::Linear), (Layout::Line, Shading::SquareRoot)] {
        let vertices = values.iter().map(|&v| Vertex { label: title(), weight: v, value: v }).collect();
        let edges = values
            .iter()
            .enumerate()
            .flat_map(|(n, &weight)| (0..4).map(move |to| Edge { from: n, to, weight }))
            .collect();
        figures.push(GraphDrawing { title: title(), vertices, edges, layout }.figure());
        let labels = (title(), title());
        let map = HeatMap {
            title: title(),
            row_label: labels.0,
            column_label: labels.1,
            rows: names.clone(),
            columns: names.clone(),
            values: values.to_vec(),
            shading,
        };
        figures.push(map.figure());
    }
    let picture = |&v: &f64| Picture { width: 2, height: 1, channels: 1, pixels: vec![v as u8; 2], caption: title() };
    let mut pictures: Vec<Picture> = values.iter().map(picture).collect();
    pictures.extend(pictures.first().cloned().map(|p| Picture { pixels: vec![1], ..p }));
    figures.push(ImageGrid { title: title(), pictures, columns: 3, cell: 40.0 }.figure());
    figures
}

fn page(values: &[f64], name: &str) -> Page {
    let measured = values.iter().map(|&v| Measured { ours: Some(v), spread: Some(v), paper: Some(1.0) }).collect();
    let comparison = Comparison {
        title: name.into(),
        subject: name.into(),
        measures: values.iter().map(|_| name.into()).collect(),
        rows: vec![(name.into(), measured), (name.into(), vec![])],
        decimals: 3,
        smaller_is_better: true,
    };
    let mut blocks = vec![Block::Text(name.into()), Block::Note(name.into()), Block::Code(name.into())];
    blocks.push(Block::Table(comparison.table()));
    blocks.extend(figures(values, name).into_iter().map(|figure| Block::Figure(figure.caption(name).wide())));
    Page {
        title: name.into(),
        summary: vec![name.into()],
        highlights: vec![(name.into(), name.into())],
        sections: vec![Section { title: name.into(), blocks }, Section::new(name)],
        commands: vec![name.into()],
        machine: vec![(name.into(), name.into())],
    }
}

fn odd_data() -> Vec<Vec<f64>> {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    vec![
        vec![],
        vec![0.0],
        vec![3.5],
        vec![nan],
        vec![nan, nan, nan],
        vec![inf, -inf],
        vec![1.0, nan, 2.0],
        vec![7.0; 5],
        vec![1e-320, -1e-320],
        vec![1e308, -1e308],
        vec![1.0, 1.0 + f64::EPSILON],
        (0..40).map(|n| (n as f64 * 0.7).sin()).collect(),
    ]
}

/// Name, attributes and text of an element.
type Element = (String, Vec<(String, String)>, String);

/// Parses a document; HTML's doctype is the one line XML does not know here.
fn elements(text: &str) -> Vec<Element> {
    let text = text.strip_prefix("<!DOCTYPE html>\n").unwrap_or(text);
    let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let describe = |node: roxmltree::Node<'_, '_>| {
        let attributes = node.attributes().map(|a| (a.name().to_owned(), a.value().to_owned())).collect();
        (node.tag_name().name().to_owned(), attributes, node.text().unwrap_or_default().to_owned())
    };
    document.descendants().filter(roxmltree::Node::is_element).map(describe).collect()
}

#[test]
fn odd_data_never_panics_and_stays_well_formed() {
    for values in odd_data() {
        for figure in figures(&values, "a name") {
            assert!(elements(&figure.svg()).len() > 3, "{values:?}");
        }
        assert!(elements(&page(&values, "a name").html()).len() > 30, "{values:?}");
    }
}

#[test]
fn no_coordinate_is_infinite_nor_has_more_than_three_decimals() {
    for values in odd_data() {
        for figure in figures(&values, "name") {
            for (element, attributes, _) in elements(&figure.svg()) {
                for (attribute, value) in
                    attributes.iter().filter(|(name, _)| !matches!(name.as_str(), "href" | "xmlns" | "data-value"))
                {
                    assert!(!value.contains("NaN") && !value.contains("inf"), "{element} {attribute}={value}");
                    for decimals in value.split('.').skip(1) {
                        let count = decimals.chars().take_while(char::is_ascii_digit).count();
                        assert!(count <= 3, "{element} {attribute}={value}");
                    }
                }
            }
        }
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let html = page(&[1.0, 2.0], HOSTILE).html();
    let parsed = elements(&html);
    assert!(parsed.iter().all(|(name, ..)| name != "script"));
    assert!(!html.contains("<script") && !html.contains('\u{1}') && !html.contains("<!-- --"));
    let shown = HOSTILE.replace(['\u{1}', '\u{ffff}'], "\u{fffd}");
    for place in ["h1", "h2", "p", "pre", "figcaption", "caption", "dt", "td", "a"] {
        assert!(parsed.iter().any(|(name, _, text)| name == place && *text == shown), "{place}");
    }
    for figure in figures(&[1.0, 2.0], HOSTILE) {
        assert!(elements(&figure.svg()).iter().all(|(name, ..)| name != "script"));
    }
}

#[test]
fn pages_need_nothing_from_outside() {
    let parsed = elements(&page(&[1.0, 2.0], "name").html());
    for (name, attributes, _) in &parsed {
        assert!(!matches!(name.as_str(), "script" | "link" | "iframe" | "img"), "{name}");
        for (attribute, value) in attributes.iter().filter(|(attribute, _)| attribute == "href" || attribute == "src") {
            assert!(value.starts_with('#') || value.starts_with("data:image/png;base64,"), "{attribute}={value}");
        }
    }
    let ids: Vec<&str> =
        parsed.iter().flat_map(|(_, a, _)| a.iter().filter(|(n, _)| n == "id").map(|(_, v)| v.as_str())).collect();
    assert!(ids.iter().enumerate().all(|(n, id)| !ids[..n].contains(id)), "{ids:?}");
    let links = parsed.iter().filter(|(name, ..)| name == "a").flat_map(|(_, a, _)| a.iter().map(|(_, v)| &v[1..]));
    assert!(links.into_iter().all(|target| ids.contains(&target)));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for values in odd_data() {
        assert_eq!(page(&values, HOSTILE).html(), page(&values, HOSTILE).html());
    }
}

#[test]
fn a_line_chart_is_drawn_to_scale_and_breaks_at_gaps() {
    let points = vec![(0.0, 0.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 3.0), (4.0, 4.0)];
    let chart = LineChart {
        x: Axis::spanning("x", 0.0, 4.0),
        y: Axis::spanning("y", 0.0, 4.0),
        series: vec![Series { stroke: Stroke::Line, ..Series::new("", points) }],
        ..LineChart::default()
    };
    let parsed = elements(&chart.figure().svg());
    let line = parsed
        .iter()
        .find(|(name, ..)| name == "path")
        .map(|(_, a, _)| a.iter().find(|(n, _)| n == "d").unwrap().1.clone());
    let line = line.unwrap();
    assert_eq!(line.matches('M').count(), 2, "{line}");
    let numbers: Vec<f64> = line.split(['M', 'L', ' ']).filter(|t| !t.is_empty()).map(|t| t.parse().unwrap()).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = numbers.chunks(2).map(|p| (p[0], p[1])).unzip();
    // Equal steps of the data are equal steps on paper, to rounding; up is up.
    assert!((x[1] - x[0] - (x[3] - x[2])).abs() < 0.003 && ((x[2] - x[1]) - 2.0 * (x[1] - x[0])).abs() < 0.004);
    assert!(y[0] > y[1] && (y[0] - y[1] - (y[2] - y[3])).abs() < 0.003);
}

#[test]
fn what_lies_outside_a_fixed_range_is_clipped() {
    let series = vec![Series::new("", vec![(-9.0, -9.0), (9.0, 9.0)])];
    let (x, y) = (Axis::spanning("x", 0.0, 1.0), Axis::spanning("y", 0.0, 1.0));
    let svg = LineChart { x, y, series, ..LineChart::default() }.figure().svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let line = document.descendants().find(|node| node.attribute("class") == Some("line s0")).unwrap();
    // A nested `svg` element hides what is outside of it.
    let window = line.parent_element().unwrap();
    assert_eq!(window.tag_name().name(), "svg");
    assert!(window != document.root_element());
}

#[test]
fn bars_are_as_long_as_their_numbers() {
    let bar = |value| Bar { name: "b".into(), value, spread: None, kind: 0 };
    let bars = Bars { axis: Axis::new("s"), bars: vec![bar(1.0), bar(4.0), bar(f64::NAN)], ..Bars::default() };
    let parsed = elements(&bars.figure().svg());
    let widths: Vec<f64> = parsed
        .iter()
        .filter(|(name, a, _)| name == "rect" && a.iter().any(|(n, v)| n == "class" && v == "f0"))
        .map(|(_, a, _)| a.iter().find(|(n, _)| n == "width").unwrap().1.parse().unwrap())
        .collect();
    assert_eq!(widths.len(), 2);
    assert!((widths[1] - 4.0 * widths[0]).abs() < 0.01, "{widths:?}");
    assert!(parsed.iter().any(|(name, _, text)| name == "text" && text == "–"));
}

#[test]
fn heat_maps_leave_zero_and_missing_cells_empty() {
    let names = || vec!["a".to_owned(), "b".to_owned()];
    let map = HeatMap { rows: names(), columns: names(), values: vec![9.0, 0.0, f64::NAN], ..HeatMap::default() };
    let titles: Vec<String> =
        elements(&map.figure().svg()).into_iter().filter(|e| e.0 == "title").map(|e| e.2).collect();
    assert_eq!(titles, ["", "a → a: 9"]);
}

#[test]
fn graphs_draw_every_edge_they_can() {
    let vertices = vec![Vertex { weight: 1.0, ..Vertex::default() }, Vertex { weight: 2.0, ..Vertex::default() }];
    let edge = |from, to, weight| Edge { from, to, weight };
    let edges = vec![edge(0, 1, 1.0), edge(1, 1, -0.5), edge(0, 7, 1.0), edge(0, 1, f64::NAN), edge(1, 0, 0.0)];
    for layout in [Layout::Circle, Layout::Line] {
        let drawing =
            GraphDrawing { vertices: vertices.clone(), edges: edges.clone(), layout, ..GraphDrawing::default() };
        let parsed = elements(&drawing.figure().svg());
        let lines = parsed.iter().filter(|(_, a, _)| a.iter().any(|(n, v)| n == "class" && v.starts_with("line")));
        assert_eq!(lines.count(), 2);
    }
}

#[test]
fn comparisons_show_ours_the_papers_and_the_difference() {
    let comparison = Comparison {
        title: "Gender RMSE".into(),
        subject: "graph".into(),
        measures: vec!["1F".into()],
        rows: vec![
            ("ELL-40".into(), vec![Measured { ours: Some(0.3414), spread: Some(0.004), paper: Some(0.346) }]),
            ("ridge".into(), vec![Measured { ours: Some(0.32), spread: None, paper: None }]),
        ],
        decimals: 3,
        smaller_is_better: true,
    };
    let table = comparison.table();
    let expected = "\
Gender RMSE
                       1F
graph            ours  paper  difference
----------------------------------------
ELL-40  0.341 ± 0.004  0.346      −0.005
ridge           0.320      –           –
";
    assert_eq!(table.text(), expected);
    let lines: Vec<String> = table.csv().lines().map(str::to_owned).collect();
    assert_eq!(lines[0], "graph,1F: ours,1F: ours sd,1F: paper,1F: difference");
    assert!(lines[1].starts_with("ELL-40,0.3414,0.004,0.346,-0.004"), "{lines:?}");
    assert_eq!(lines[2], "ridge,0.32,,,");
    let section = Section { title: "t".into(), blocks: vec![Block::Table(table)] };
    let parsed = elements(&Page { sections: vec![section], ..Page::default() }.html());
    let ours = parsed.iter().find(|(name, _, text)| name == "td" && text == "0.341 ± 0.004").unwrap();
    assert!(ours.1.contains(&("data-value".into(), "0.3414".into())), "full precision beside the rounded number");
    let difference = parsed.iter().find(|(_, _, text)| text == "−0.005").unwrap();
    assert!(difference.1.iter().any(|(name, value)| name == "class" && value.contains("better")));
}

#[test]
fn csv_fields_with_commas_and_quotes_are_quoted() {
    let mut table = Table::new("", vec![Column::text("a,b"), Column::number("n")]);
    table.rows = vec![vec![Cell::Text("say \"x\"".into()), Cell::Number(1.5, 0)], vec![]];
    assert_eq!(table.csv(), "\"a,b\",n\n\"say \"\"x\"\"\",1.5\n,\n");
}
