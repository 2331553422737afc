//! `gsfa merge`: the sums of several shards.

use serde_json::json;

use crate::args::MergeArgs;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::shards::{Plan, named, pack, unpack};
use crate::talk::Talk;

pub fn run(args: &MergeArgs, talk: &Talk) -> Outcome {
    let mut inputs = args.moments.clone();
    inputs.push(args.plan.clone());
    let output = Output::required(&args.output, &inputs, "all.moments")?;
    let plan = Plan::read(&args.plan)?;
    let labels = plan.labels()?;
    let graph = plan.graph(&labels)?;
    let Some((first, others)) = args.moments.split_first() else {
        return Err(Failure::usage("no moments files are given"));
    };
    let mut sums = unpack(first, &plan, &graph)?;
    for path in others {
        sums.merge(unpack(path, &plan, &graph)?).map_err(|error| named(path, error))?;
    }
    output.write(&pack(&sums, &plan)?)?;
    let value = json!({
        "moments": output.path, "shards": args.moments.len(), "rows": sums.rows(), "samples": labels.len(),
    });
    let text = format!("sums of {} of {} samples saved as {}\n", sums.rows(), labels.len(), output.path.display());
    talk.result("merge", value, &text)
}
