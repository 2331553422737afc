//! `gsfa accumulate`: the sums over one shard.

use gsfa::network::PassGraphs;
use serde_json::json;

use crate::args::AccumulateArgs;
use crate::failure::Outcome;
use crate::output::Output;
use crate::shards::{State, SumsFile};
use crate::talk::Talk;

pub fn run(args: &AccumulateArgs, talk: &Talk) -> Outcome {
    let output = Output::required(&args.output, &[&args.plan, &args.shard], "shard.moments", talk)?;
    let state = State::read(&args.plan)?;
    let plan = &state.plan;
    let labels = plan.labels()?;
    let graphs = PassGraphs::new(plan.graph(&labels)?)?;
    let shard = plan.load(&args.shard, talk)?;
    let rows = plan.rows(&shard, args.first_row, labels.len())?;
    let mut sums = SumsFile::new(&state, &graphs)?;
    sums.add(&args.shard, &state, &*shard.source, &rows)?;
    output.write(&sums.to_bytes(&state)?)?;
    let (pass, passes) = state.trainer.pass();
    let paths = [("moments", output.path()), ("shard", Some(&*args.shard))];
    let value = json!({
        "rows": rows.len(), "samples": labels.len(), "skipped": shard.skipped, "pass": pass, "passes": passes,
    });
    let text =
        format!("{}sums of {} of {} samples {}\n", of_pass(pass, passes), rows.len(), labels.len(), output.saved());
    talk.result("accumulate", &paths, value, &text)
}

/// Which pass, if there are several.
pub fn of_pass(pass: usize, passes: usize) -> String {
    if passes > 1 { format!("pass {pass} of {passes}: ") } else { String::new() }
}
