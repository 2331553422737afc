//! `gsfa accumulate`: the sums over one shard.

use serde_json::json;

use crate::args::AccumulateArgs;
use crate::failure::Outcome;
use crate::output::Output;
use crate::shards::{Plan, SumsFile};
use crate::talk::Talk;

pub fn run(args: &AccumulateArgs, talk: &Talk) -> Outcome {
    let output = Output::required(&args.output, &[&args.plan, &args.shard], "shard.moments", talk)?;
    let plan = Plan::read(&args.plan)?;
    plan.check_flat()?;
    let labels = plan.labels()?;
    let graph = plan.graph(&labels)?;
    let shard = plan.load(&args.shard, talk)?;
    let rows = plan.rows(&shard, args.first_row, labels.len())?;
    let mut sums = SumsFile::new(&plan, &graph, shard.source.dim())?;
    sums.add(&plan, &*shard.source, &rows)?;
    output.write(&sums.to_bytes(&plan)?)?;
    let paths = [("moments", output.path()), ("shard", Some(&*args.shard))];
    let value = json!({
        "rows": rows.len(), "samples": labels.len(), "skipped": shard.skipped,
    });
    let text = format!("sums of {} of {} samples {}\n", rows.len(), labels.len(), output.saved());
    talk.result("accumulate", &paths, value, &text)
}
