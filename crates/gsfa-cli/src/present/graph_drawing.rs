//! Drawings of training graphs and of their free responses.

use gsfa::graph::{FreeResponses, TrainingGraph};
use gsfa::labels::{LabelValues, Labels};
use gsfa_report::{Axis, Block, Edge, GraphDrawing, Layout, LineChart, Page, Section, Series, Vertex};

/// Vertices that can be told apart in a drawing.
const DRAWN: usize = 60;

/// An SVG of the graph, or a page of the graph and its responses.
pub fn graph_drawing(kind: &str, graph: &TrainingGraph, labels: &Labels, free: &FreeResponses, page: bool) -> Vec<u8> {
    let order = by_label(labels, graph.len());
    let picture = picture(kind, graph, labels, &order);
    let responses = responses(kind, free, &order);
    let text = if page {
        let mut section = Section::new("Graph and free responses");
        section.blocks = vec![Block::Figure(picture.figure().wide()), Block::Figure(responses.figure().wide())];
        let title = format!("{kind} graph of {} samples", graph.len());
        Page { title, sections: vec![section], ..Page::default() }.html()
    } else {
        stacked(&picture.figure().svg(), &responses.figure().svg())
    };
    text.into_bytes()
}

/// Samples in the order of their first label.
fn by_label(labels: &Labels, samples: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..samples).collect();
    match labels.columns().next() {
        Some((_, LabelValues::Numbers(x))) => order.sort_by(|&a, &b| x[a].total_cmp(&x[b])),
        Some((_, LabelValues::Classes(c))) => order.sort_by_key(|&n| c.of_sample()[n]),
        None => {}
    }
    order
}

/// The graph, or evenly chosen samples of a large one.
fn picture(kind: &str, graph: &TrainingGraph, labels: &Labels, order: &[usize]) -> GraphDrawing {
    let count = order.len().min(DRAWN);
    let shown: Vec<usize> = (0..count).map(|k| order[k * (order.len() - 1) / (count - 1).max(1)]).collect();
    let value = |n: usize| match labels.columns().next() {
        Some((_, LabelValues::Numbers(x))) => x[n],
        Some((_, LabelValues::Classes(c))) => f64::from(c.of_sample()[n]),
        None => n as f64,
    };
    let vertex = |&n: &usize| Vertex { label: String::new(), weight: graph.vertex_weights()[n], value: value(n) };
    let mut edges = Vec::new();
    for from in 0..count {
        for to in from..count {
            edges.push(Edge { from, to, weight: graph.edge_weight(shown[from], shown[to]) });
        }
    }
    let of = if count < order.len() { format!(", {count} of {} samples", order.len()) } else { String::new() };
    let title = format!("{kind} graph{of}");
    GraphDrawing { title, vertices: shown.iter().map(vertex).collect(), edges, layout: Layout::Circle }
}

fn responses(kind: &str, free: &FreeResponses, order: &[usize]) -> LineChart {
    let step = order.len().div_ceil(400).max(1);
    let series = free.responses.columns().into_iter().zip(&free.delta_values).take(5).enumerate();
    let series = series.map(|(j, (y, delta))| {
        let points = order.iter().enumerate().step_by(step).map(|(k, &n)| (k as f64 + 1.0, y[n])).collect();
        Series::new(format!("y{} (Δ = {delta:.3})", j + 1), points)
    });
    LineChart {
        title: format!("Free responses of the {kind} graph"),
        x: Axis::new("sample, in the order of the label"),
        y: Axis::new("response"),
        series: series.collect(),
        rules: Vec::new(),
    }
}

/// Two SVG files one above the other in a third.
fn stacked(above: &str, below: &str) -> String {
    let body = |svg: &str| svg.split_once('\n').map_or(svg, |(_, body)| body).to_string();
    let size = |svg: &str, name: &str| -> f64 {
        let after = svg.split_once(&format!(" {name}=\"")).map_or("", |(_, after)| after);
        after.split('"').next().and_then(|text| text.parse().ok()).unwrap_or(0.0)
    };
    let (width, first) = (size(above, "width").max(size(below, "width")), size(above, "height"));
    let height = first + size(below, "height");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\"><title>Training graph</title>{}<g transform=\"translate(0 \
         {first})\">{}</g></svg>\n",
        body(above),
        body(below)
    )
}
