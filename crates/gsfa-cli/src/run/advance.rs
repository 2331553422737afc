//! `gsfa advance`: ends a pass of a training from shards.

use serde_json::json;

use crate::args::AdvanceArgs;
use crate::error::{Error, ErrorCode, Result};
use crate::present::{Output, Printer};
use crate::run::shards::{State, SumsFile, sums_error};

pub fn run(args: &AdvanceArgs, printer: &Printer) -> Result {
    let output = Output::required(&args.output, &[&args.state, &args.moments], "next.state", printer)?;
    let mut state = State::read(&args.state)?;
    let (pass, passes) = state.trainer.pass();
    let labels = state.job.labels()?;
    let graph = state.job.graph(&labels)?;
    let sums = SumsFile::read(&args.moments, &state, &graph)?;
    if pass == passes {
        return Err(Error::usage(
            ErrorCode::PassOrder,
            format!("pass {pass} of {passes} is the last: gsfa solve ends it"),
        ));
    }
    let finished = state.trainer.layers().len();
    state.hashes = Some(sums.hashes);
    state.trainer.advance(sums.sums).map_err(|error| sums_error(&args.moments, error))?;
    if let Some([node]) = state.trainer.layers().get(finished).map(Vec::as_slice) {
        node.slow.iter().flat_map(|slow| &slow.notes).for_each(|note| printer.note(note));
    }
    output.write(&state.to_bytes()?)?;
    let value = json!({
        "samples": labels.len(), "pass": pass, "passes": passes, "finished_layers": state.trainer.layers().len(),
    });
    let then = if pass + 1 == passes { "solve" } else { "advance" };
    let text = format!(
        "pass {pass} of {passes} ended, {}\naccumulate every shard with it, merge the sums, and gsfa {then}\n",
        output.saved()
    );
    printer.result("advance", &[("state", output.path())], value, &text)
}
