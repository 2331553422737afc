//! `gsfa graph`: a training graph by itself.

use gsfa::graph::{FreeResponses, GraphInput, TrainingGraph};
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa_data::gtsrb::Part;
use gsfa_data::table::{Columns, Dataset, TableSpec};
use gsfa_report::{Axis, Block, Edge, GraphDrawing, Layout, LineChart, Page, Section, Series, Vertex};
use serde_json::json;

use crate::args::GraphCommand;
use crate::commands::graph_export::{Contents, Export};
use crate::config::Config;
use crate::data::{self, Kind, Request, Taken, Wish, heavy, label_specs, read_table};
use crate::digits::{brief, feature_table};
use crate::failure::{Failure, Outcome, Reason};
use crate::output::Output;
use crate::talk::{Aside, Talk, write_stdout};

/// Vertices that can be told apart in a drawing.
const DRAWN: usize = 60;

pub fn run(args: &GraphCommand, talk: &Talk) -> Outcome {
    let mut config = Config::file(&args.config)?;
    config.apply_data(&args.data);
    config.apply_learn(&args.learn)?;
    config.assign(&args.config.set)?;
    if args.config.print_config {
        return write_stdout(config.toml()?.as_bytes());
    }
    let output = Output::maybe(&args.output, &data::inputs(&config), talk)?;
    let export = Export::maybe(args.export.as_ref(), args.output.force, &data::inputs(&config))?;
    let page = output.as_ref().map(is_page).transpose()?.unwrap_or(false);
    let Labelled { labels, taken, weights } = labels(&config, talk)?;
    taken.tell(talk);
    let spec = config.recipe(&labels).graph(&labels)?;
    let graph = spec.build(&GraphInput::new(&labels).with_weights(weights)?)?;
    graph.notes().iter().for_each(|note| talk.note(note));
    let consistency = graph.consistency();
    if let Some(note) = consistency.note() {
        talk.note(&note);
    }
    let components = graph.components().count;
    if components > 1 {
        let first = components - 1;
        talk.remark(
            Aside::SeveralComponents,
            format!("{components} components: {first} responses have Δ = 0 and may be rotated among each other"),
        );
    }
    let smallest = graph.smallest_edge();
    let responses = graph.free_responses(args.responses.min(graph.len() - 1).max(1))?;
    let kind = json!(spec)["kind"].as_str().unwrap_or_default().to_string();
    if let Some(output) = &output {
        output.write(&drawing(&kind, &graph, &labels, &responses, page))?;
    }
    if let Some(export) = &export {
        export.write(&Contents { kind: &kind, graph: &graph, labels: &labels, free: &responses })?;
    }
    let slow = responses.delta_values.iter().filter(|&&delta| delta < 2.0).count();
    let none = vec![None; responses.delta_values.len()];
    let mut text = format!(
        "{kind} graph of {} samples: Q = {}, R = {}, {components} component{}, {}, smallest edge {}\n\n{}",
        graph.len(),
        brief(graph.q()),
        brief(graph.r()),
        if components == 1 { "" } else { "s" },
        if consistency.holds { "consistent" } else { "not consistent" },
        brief(smallest.weight),
        feature_table("free responses", &responses.delta_values, &none).text(),
    );
    if let Some(output) = &output {
        text += &format!("\ndrawn in {output}\n");
    }
    if let Some(export) = &export {
        text += &format!("\nwritten to {}\n", export.folder().display());
    }
    let value = json!({
        "taken": taken.json(), "graph": spec, "samples": graph.len(), "q": graph.q(), "r": graph.r(), "components": components,
        "consistent": consistency.holds, "violation": consistency.violation(), "smallest_edge": smallest.weight,
        "delta_values": responses.delta_values, "eigenvalues": responses.eigenvalues, "below_two": slow,
        "targets": graph.targets().map(|targets| targets.labels.names()),
    });
    let paths = [("output", output.as_ref().and_then(Output::path)), ("export", export.as_ref().map(Export::folder))];
    talk.result("graph", &paths, value, &text)
}

/// Labels and weights without samples.
struct Labelled {
    labels: Labels,
    taken: Taken,
    weights: SampleWeights,
}

/// Labels and weights alone: of a table, or of the data.
fn labels(config: &Config, talk: &Talk) -> Outcome<Labelled> {
    let Wish::Labels(wanted) = Wish::of(config) else {
        return Err(Failure::usage(Reason::NoLabels, "no labels are named"));
    };
    let table = match (&config.labels, &config.data) {
        (Some(labels), _) => labels,
        (None, Some(data)) if Kind::of(data)? == Kind::Table => data,
        (None, Some(_)) => {
            let request = Request { config, labels: Wish::Labels(wanted), model: None, part: Part::Training };
            let loaded = data::load(&request, talk)?;
            let (labels, weights) = (loaded.labels()?.clone(), loaded.weights()?);
            return Ok(Labelled { labels, taken: loaded.taken, weights });
        }
        (None, None) => return Err(Failure::usage(Reason::NoLabels, "no labels are given").hint("--labels TABLE.csv")),
    };
    let table = read_table(table, &config.reading)?;
    let file = data::file_column(&table, &config.reading).ok();
    let spec = TableSpec {
        samples: Columns::None,
        labels: label_specs(&table, &wanted, config, file.as_deref())?,
        weights: config.reading.weights.clone(),
        missing_labels: config.reading.missing_labels,
        ..TableSpec::default()
    };
    let Dataset { labels, kinds, weights, .. } = table.dataset(&spec)?;
    let taken = Taken(kinds);
    let Some(weights) = weights else {
        let uniform = || Ok(SampleWeights::uniform(labels.len()));
        let weights = if config.reading.balanced { data::balanced(&labels) } else { uniform() }?;
        return Ok(Labelled { labels, taken, weights });
    };
    let rows = heavy(&weights, talk).unwrap_or_else(|| (0..labels.len()).collect());
    let weights = SampleWeights::new(rows.iter().map(|&row| weights[row]).collect())?;
    Ok(Labelled { labels: labels.select(&rows), taken, weights })
}

/// An SVG of the graph, or a page of the graph and its responses.
fn drawing(kind: &str, graph: &TrainingGraph, labels: &Labels, free: &FreeResponses, page: bool) -> Vec<u8> {
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

/// Whether a page is to be written, and not a drawing: a file's name decides; what is no file gets a drawing.
fn is_page(output: &Output) -> Outcome<bool> {
    let is_file = output.path().is_some_and(|path| path.is_file() || !path.exists());
    match (is_file, output.extension().as_deref()) {
        (false, _) | (true, Some("svg")) => Ok(false),
        (true, Some("html")) => Ok(true),
        _ => Err(Failure::usage(Reason::OutputFormat, format!("{output}: graphs are drawn as .svg or .html"))
            .hint("-o graph.svg")),
    }
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
