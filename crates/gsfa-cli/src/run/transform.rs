//! `gsfa transform`: slow features of samples.

use gsfa_data::table::{Table, Values};
use serde_json::json;

use crate::args::ApplyArgs;
use crate::error::Result;
use crate::interrupt;
use crate::load::WantedLabels;
use crate::present::{Output, Printer, counted, write_or_print};
use crate::run::apply::{Application, Apply};

pub fn run(args: &ApplyArgs, printer: &Printer) -> Result {
    let apply = Apply { model: &args.model, data: &args.data, output: &args.output, weights: None, drawings: false };
    let opened = apply.open(|_| Ok(WantedLabels::None), printer)?;
    let features = opened.model.features(&opened.samples()).map_err(|error| opened.loaded.in_file(error, None))?;
    interrupt::check()?;
    let Application { loaded, output, .. } = opened;
    // An array holds features only; a table says whose they are, too.
    let array = output.as_ref().is_some_and(|o| o.extension().is_some_and(|e| e == "npy"));
    let (heading, ids) = loaded.ids;
    let mut columns = if array { Vec::new() } else { vec![(heading, Values::text_from(&ids))] };
    let named =
        |(j, column): (usize, ndarray::ArrayView1<'_, f64>)| (format!("y{}", j + 1), Values::Numbers(column.to_vec()));
    columns.extend(features.columns().into_iter().enumerate().map(named));
    if write_or_print(&Table::new(columns)?, output.as_ref(), printer)? {
        return Ok(());
    }
    let shown = output.is_none().then(|| features.outer_iter().map(|row| row.to_vec()).collect::<Vec<_>>());
    let value = json!({
        "samples": features.nrows(), "features": features.ncols(),
        "values": shown, "skipped": loaded.skipped,
    });
    let place = output.as_ref().map(Output::saved).unwrap_or_default();
    let paths = [("model", Some(&*args.model)), ("output", output.as_ref().and_then(Output::path))];
    let (n, j) = features.dim();
    printer.result(
        "transform",
        &paths,
        value,
        &format!("{} of {} {place}\n", counted(j, "feature"), counted(n, "sample")),
    )
}
