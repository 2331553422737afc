//! `gsfa transform`: slow features of samples.

use gsfa_data::gtsrb::Part;
use gsfa_data::samples::AsSamples;
use gsfa_data::table::{Table, Values};
use serde_json::json;

use crate::args::ApplyArgs;
use crate::commands::predict::{load_model, settings, write_table};
use crate::data::{self, Request, Wish};
use crate::failure::{Failure, Fault, Outcome};
use crate::interrupt;
use crate::kept::Kept;
use crate::output::Output;
use crate::talk::{Talk, write_stdout};

pub fn run(args: &ApplyArgs, talk: &Talk) -> Outcome {
    let model = load_model(&args.model)?;
    let config = settings(&Kept::of(&model)?, &args.data);
    let mut inputs = data::inputs(&config);
    inputs.push(args.model.clone());
    let output = Output::maybe(&args.output, &inputs)?;
    let request =
        Request { config: &config, labels: Wish::Nothing, model: Some(&model), part: Part::Test, training: false };
    let loaded = data::load(&request, talk)?;
    let features = model.features(&AsSamples(&*loaded.source))?;
    interrupt::check()?;
    // An array holds features only; a table says whose they are, too.
    let array = output.as_ref().is_some_and(|o| o.path.extension().is_some_and(|e| e == "npy"));
    let (heading, ids) = loaded.ids;
    let mut columns = if array { Vec::new() } else { vec![(heading, Values::text_from(&ids))] };
    let named =
        |(j, column): (usize, ndarray::ArrayView1<'_, f64>)| (format!("y{}", j + 1), Values::Numbers(column.to_vec()));
    columns.extend(features.columns().into_iter().enumerate().map(named));
    let table = Table::new(columns)?;
    if let Some(output) = &output {
        write_table(&table, output)?;
    } else if !talk.json {
        let mut csv = Vec::new();
        table.write_csv_to(&mut csv).map_err(|error| Failure::new(Fault::Io, error.to_string()))?;
        return write_stdout(&csv);
    }
    let shown = output.is_none().then(|| features.outer_iter().map(|row| row.to_vec()).collect::<Vec<_>>());
    let path = output.map(|o| o.path);
    let value = json!({
        "model": args.model, "samples": features.nrows(), "features": features.ncols(), "output": path,
        "values": shown, "skipped": loaded.skipped,
    });
    let place = path.map(|path| path.display().to_string()).unwrap_or_default();
    let (n, j) = features.dim();
    talk.result("transform", value, &format!("{j} features of {n} samples saved as {place}\n"))
}
