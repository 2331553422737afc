//! `gsfa advance`: ends a pass of a training from shards.

use gsfa::network::PassGraphs;
use serde_json::json;

use crate::args::AdvanceArgs;
use crate::failure::{Failure, Outcome, Reason};
use crate::output::Output;
use crate::shards::{State, SumsFile, of_sums};
use crate::talk::Talk;

pub fn run(args: &AdvanceArgs, talk: &Talk) -> Outcome {
    let output = Output::required(&args.output, &[&args.state, &args.moments], "next.state", talk)?;
    let mut state = State::read(&args.state)?;
    let (pass, passes) = state.trainer.pass();
    let labels = state.plan.labels()?;
    let graphs = PassGraphs::new(state.plan.graph(&labels)?)?;
    let sums = SumsFile::read(&args.moments, &state, &graphs)?;
    if pass == passes {
        return Err(Failure::usage(
            Reason::PassOrder,
            format!("pass {pass} of {passes} is the last: gsfa solve ends it"),
        ));
    }
    let finished = state.trainer.layers().len();
    state.places = Some(sums.places);
    state.trainer.advance(sums.sums).map_err(|error| of_sums(&args.moments, error))?;
    if let Some([node]) = state.trainer.layers().get(finished).map(Vec::as_slice) {
        node.slow.iter().flat_map(|slow| &slow.notes).for_each(|note| talk.note(note));
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
    talk.result("advance", &[("state", output.path())], value, &text)
}
