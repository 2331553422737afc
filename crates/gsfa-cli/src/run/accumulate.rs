//! `gsfa accumulate`: the sums over one shard.

use serde_json::json;

use crate::args::AccumulateArgs;
use crate::error::Result;
use crate::present::{Output, Printer, counted};
use crate::run::shards::{State, SumsFile, pass_prefix};

pub fn run(args: &AccumulateArgs, printer: &Printer) -> Result {
    let output = Output::required(&args.output, &[&args.job, &args.shard], "shard.moments", printer)?;
    let state = State::read(&args.job)?;
    let job = &state.job;
    let labels = job.labels()?;
    let graph = job.graph(&labels)?;
    let shard = job.load(&args.shard, printer)?;
    let rows = job.rows(&shard, args.first_row, labels.len())?;
    let mut sums = SumsFile::new(&state, &graph)?;
    sums.add(&args.shard, &state, &*shard.source, &rows)?;
    output.write(&sums.to_bytes(&state)?)?;
    let (pass, passes) = state.trainer.pass();
    let paths = [("moments", output.path()), ("shard", Some(&*args.shard))];
    let value = json!({
        "rows": rows.len(), "samples": labels.len(), "skipped": shard.loaded.skipped, "pass": pass, "passes": passes,
    });
    let text = format!(
        "{}sums of {} of {} {}\n",
        pass_prefix(pass, passes),
        rows.len(),
        counted(labels.len(), "sample"),
        output.saved()
    );
    printer.result("accumulate", &paths, value, &text)
}
