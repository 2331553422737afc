//! `gsfa reconstruct`: what a network that keeps information says of its inputs, in numbers and in pictures.

use gsfa::network::{Network, Reconstruction};
use gsfa::samples::{InputShape, Rows, Samples};
use gsfa_data::table::{Table as DataTable, Values};
use gsfa_report::{Cell, Column, ImageGrid, Picture, Table};
use ndarray::Array2;
use serde_json::json;

use crate::args::ApplyArgs;
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::interrupt;
use crate::load::WantedLabels;
use crate::present::{Output, Printer, of_scale, write_or_print};
use crate::run::apply::Apply;

/// Samples in a drawing.
const DRAWN: usize = 8;

/// Width of an image in a drawing.
const CELL: f64 = 72.0;

pub fn run(args: &ApplyArgs, printer: &Printer) -> Result {
    let apply = Apply { model: &args.model, data: &args.data, output: &args.output, weights: None, drawings: true };
    let opened = apply.open(|_| Ok(WantedLabels::None), printer)?;
    let (network, samples) = (kept_part(opened.model.network(), printer), opened.samples());
    let network = &network;
    let output = opened.output.as_ref();
    let drawn = output.is_some_and(|output| output.extension().is_some_and(|e| e == "svg"));
    if drawn {
        check_images(network.spec.input)?;
    }
    let quality = network.reconstructions(&samples).map_err(|error| opened.loaded.in_file(error, None))?;
    interrupt::check()?;
    if let (Some(output), true) = (output, drawn) {
        output.write(drawing(network, &samples)?.figure().svg().as_bytes())?;
    } else if let Some(output) = output {
        let inputs = network.inverse(network.apply(&samples)?.view())?;
        let names = opened.loaded.names.as_ref().filter(|names| names.len() == inputs.ncols());
        let name = |i: usize| names.map_or_else(|| format!("x{}", i + 1), |names| names[i].clone());
        let column = |(i, column): (usize, ndarray::ArrayView1<'_, f64>)| (name(i), Values::Numbers(column.to_vec()));
        let columns = inputs.columns().into_iter().enumerate().map(column).collect();
        if write_or_print(&DataTable::new(columns)?, Some(output), printer)? {
            return Ok(());
        }
    }
    let layers: Vec<_> = quality.iter().map(|q| json!({ "error": q.error, "explained": q.explained })).collect();
    let value = json!({ "samples": samples.len(), "layers": layers, "skipped": opened.loaded.skipped });
    let paths = [("model", Some(&*args.model)), ("output", output.and_then(Output::path))];
    let place =
        output.map(|output| format!("inputs as the network kept them {}\n", output.saved())).unwrap_or_default();
    printer.result("reconstruct", &paths, value, &(table(&quality).text() + &place))
}

/// The network, or its first layers if the others are there for the labels alone.
fn kept_part(network: &Network, printer: &Printer) -> Network {
    let (all, count) = (network.layers.len(), network.keeping_layers());
    if count == 0 || count == all {
        return network.clone();
    }
    let told = format!("inputs are told from layer {count} of {all}: what comes above keeps nothing of them");
    printer.remark(RemarkCode::KeepingLayers, told);
    network.first_layers(count)
}

fn check_images(shape: InputShape) -> Result {
    match shape.height * shape.width > 1 && matches!(shape.channels, 1 | 3) {
        true => Ok(()),
        false => Err(Error::usage(ErrorCode::OutputFormat, "only images, grey or in colour, can be drawn")
            .hint("-o inputs.npy writes the inputs as numbers")),
    }
}

fn table(quality: &[Reconstruction]) -> Table {
    let columns = vec![Column::text("layer"), Column::number("squared error"), Column::number("explained variance")];
    let mut table = Table::new("inputs told from the outputs of each layer", columns);
    for (layer, quality) in (1..).zip(quality) {
        table.rows.push(vec![
            Cell::Text(layer.to_string()),
            of_scale(quality.error, quality.error),
            Cell::Number(quality.explained, 4),
        ]);
    }
    table
}

/// Some samples, and what is left of them after each layer: one line for each.
fn drawing(network: &Network, samples: &dyn Samples) -> Result<ImageGrid> {
    let count = samples.len().min(DRAWN);
    let mut originals = Array2::zeros((count, samples.dim()));
    samples.read_double(Rows::Range(0..count), originals.view_mut())?;
    let mut stages = vec![("input".to_string(), originals.clone())];
    for layers in 1..=network.layers.len() {
        let part = network.first_layers(layers);
        stages.push((format!("layer {layers}"), part.inverse(part.apply(&originals.view())?.view())?));
    }
    let darkest = originals.iter().copied().fold(f64::INFINITY, f64::min);
    let brightest = originals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = if brightest > darkest { brightest - darkest } else { 1.0 };
    let shape = network.spec.input;
    let picture = |n: usize, (caption, values): &(String, Array2<f64>)| Picture {
        width: shape.width,
        height: shape.height,
        channels: shape.channels,
        pixels: values.row(n).iter().map(|x| ((x - darkest) / range * 255.0).round().clamp(0.0, 255.0) as u8).collect(),
        caption: caption.clone(),
    };
    let pictures =
        (0..count).flat_map(|n| stages.iter().map(move |stage| (n, stage))).map(|(n, stage)| picture(n, stage));
    let title = "What each layer kept of its inputs".to_string();
    Ok(ImageGrid { title, pictures: pictures.collect(), columns: stages.len(), cell: CELL })
}
