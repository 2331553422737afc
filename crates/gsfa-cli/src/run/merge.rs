//! `gsfa merge`: the sums of several shards.

use serde_json::json;

use crate::args::MergeArgs;
use crate::error::{Error, ErrorCode, Result};
use crate::present::{Output, Printer, counted};
use crate::run::shards::{State, SumsFile, pass_prefix, with_path};

pub fn run(args: &MergeArgs, printer: &Printer) -> Result {
    let mut inputs = args.moments.clone();
    inputs.push(args.job.clone());
    let output = Output::required(&args.output, &inputs, "all.moments", printer)?;
    let state = State::read(&args.job)?;
    let labels = state.job.labels()?;
    let graph = state.job.graph(&labels)?;
    let Some((first, others)) = args.moments.split_first() else {
        return Err(Error::usage(ErrorCode::NoMoments, "no moments files are given"));
    };
    let mut sums = SumsFile::read(first, &state, &graph)?;
    for path in others {
        sums.merge(SumsFile::read(path, &state, &graph)?).map_err(|error| with_path(path, error))?;
    }
    output.write(&sums.to_bytes(&state)?)?;
    let rows = sums.sums.rows();
    let (pass, passes) = state.trainer.pass();
    let value = json!({
        "shards": args.moments.len(), "rows": rows, "samples": labels.len(), "pass": pass, "passes": passes,
    });
    let text = format!(
        "{}sums of {rows} of {} {}\n",
        pass_prefix(pass, passes),
        counted(labels.len(), "sample"),
        output.saved()
    );
    printer.result("merge", &[("moments", output.path())], value, &text)
}
