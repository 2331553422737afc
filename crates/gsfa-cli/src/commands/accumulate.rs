//! `gsfa accumulate`: the sums over one shard.

use gsfa::moments::Moments;
use serde_json::json;

use crate::args::AccumulateArgs;
use crate::failure::Outcome;
use crate::output::Output;
use crate::shards::{Plan, add, pack};
use crate::talk::Talk;

pub fn run(args: &AccumulateArgs, talk: &Talk) -> Outcome {
    let output = Output::required(&args.output, &[&args.plan, &args.shard], "shard.moments")?;
    let plan = Plan::read(&args.plan)?;
    plan.check_flat()?;
    let labels = plan.labels()?;
    let graph = plan.graph(&labels)?;
    let shard = plan.load(&args.shard, talk)?;
    let rows = plan.rows(&shard, args.first_row, labels.len())?;
    let mut moments = Moments::new(&graph, plan.expansion().output_dim(shard.source.dim())?);
    add(&mut moments, &plan, &*shard.source, &rows)?;
    output.write(&pack(&moments, &plan)?)?;
    let value = json!({
        "moments": output.path, "shard": args.shard, "rows": rows.len(), "samples": labels.len(), "skipped": shard.skipped,
    });
    let text = format!("sums of {} of {} samples saved as {}\n", rows.len(), labels.len(), output.path.display());
    talk.result("accumulate", value, &text)
}
