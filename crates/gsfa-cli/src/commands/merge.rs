//! `gsfa merge`: the sums of several shards.

use serde_json::json;

use crate::args::MergeArgs;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::shards::{Plan, SumsFile, named};
use crate::talk::Talk;

pub fn run(args: &MergeArgs, talk: &Talk) -> Outcome {
    let mut inputs = args.moments.clone();
    inputs.push(args.plan.clone());
    let output = Output::required(&args.output, &inputs, "all.moments", talk)?;
    let plan = Plan::read(&args.plan)?;
    let labels = plan.labels()?;
    let graph = plan.graph(&labels)?;
    let Some((first, others)) = args.moments.split_first() else {
        return Err(Failure::usage("no moments files are given"));
    };
    let mut sums = SumsFile::read(first, &plan, &graph)?;
    for path in others {
        sums.merge(SumsFile::read(path, &plan, &graph)?).map_err(|error| named(path, error))?;
    }
    output.write(&sums.to_bytes(&plan)?)?;
    let rows = sums.moments.rows();
    let value = json!({
        "shards": args.moments.len(), "rows": rows, "samples": labels.len(),
    });
    let text = format!("sums of {} of {} samples {}\n", rows, labels.len(), output.saved());
    talk.result("merge", &[("moments", output.path())], value, &text)
}
