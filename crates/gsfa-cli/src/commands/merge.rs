//! `gsfa merge`: the sums of several shards.

use gsfa::network::PassGraphs;
use serde_json::json;

use crate::args::MergeArgs;
use crate::commands::accumulate::of_pass;
use crate::failure::{Failure, Outcome, Reason};
use crate::output::Output;
use crate::shards::{State, SumsFile, named};
use crate::talk::Talk;

pub fn run(args: &MergeArgs, talk: &Talk) -> Outcome {
    let mut inputs = args.moments.clone();
    inputs.push(args.plan.clone());
    let output = Output::required(&args.output, &inputs, "all.moments", talk)?;
    let state = State::read(&args.plan)?;
    let labels = state.plan.labels()?;
    let graphs = PassGraphs::new(state.plan.graph(&labels)?)?;
    let Some((first, others)) = args.moments.split_first() else {
        return Err(Failure::usage(Reason::NoMoments, "no moments files are given"));
    };
    let mut sums = SumsFile::read(first, &state, &graphs)?;
    for path in others {
        sums.merge(SumsFile::read(path, &state, &graphs)?).map_err(|error| named(path, error))?;
    }
    output.write(&sums.to_bytes(&state)?)?;
    let rows = sums.sums.rows();
    let (pass, passes) = state.trainer.pass();
    let value = json!({
        "shards": args.moments.len(), "rows": rows, "samples": labels.len(), "pass": pass, "passes": passes,
    });
    let text = format!("{}sums of {} of {} samples {}\n", of_pass(pass, passes), rows, labels.len(), output.saved());
    talk.result("merge", &[("moments", output.path())], value, &text)
}
