//! `gsfa select`: what is left open, chosen by left-out samples, without the final training.

use gsfa::graph::GraphInput;
use gsfa::recipe::{Choice, Selection};
use gsfa_data::gtsrb::Part;
use gsfa_report::{Axis, Bar, Bars};
use serde_json::json;

use crate::args::TrainArgs;
use crate::commands::train::{chosen, remark};
use crate::config::Config;
use crate::data::{self, Lesson, Request, Wish};
use crate::failure::{Failure, Outcome, Reason};
use crate::interrupt;
use crate::output::Output;
use crate::shards::precision;
use crate::talk::{Talk, write_stdout};

pub fn run(args: &TrainArgs, talk: &Talk) -> Outcome {
    let config = Config::of(args)?;
    if args.config.print_config {
        return write_stdout(config.toml()?.as_bytes());
    }
    let output = Output::maybe(&args.output, &data::inputs(&config), talk)?;
    if let Some(other) = output.as_ref().and_then(Output::extension).filter(|extension| extension != "svg") {
        return Err(Failure::usage(Reason::OutputFormat, format!("a drawing is no .{other} file"))
            .hint("name it something.svg"));
    }
    let request = Request { config: &config, labels: Wish::of(&config), model: None, part: Part::Training };
    let loaded = data::load(&request, talk)?;
    loaded.taken.tell(talk);
    let all: Vec<usize> = (0..loaded.len()).collect();
    let Lesson { source, labels, weights, groups, .. } = loaded.lesson(&all, &config, talk)?;
    let (recipe, input) = (config.recipe(&labels), GraphInput::new(&labels).with_weights(weights)?);
    let mut design = recipe.design(&input, loaded.shape()?)?;
    if let Some(groups) = groups {
        design = design.with_groups(groups)?;
    }
    remark(&design, talk);
    let precision = precision(&design.network, &*source);
    let samples = data::in_memory(source, precision, talk)?;
    interrupt::check()?;
    let choice = chosen(&design, &*samples, talk).map_err(|error| loaded.in_file(error, None))?;
    let Choice { spec, network, selection, notes, .. } = &choice;
    notes.iter().for_each(|note| talk.note(note));
    if let Some(output) = &output {
        output.write(drawing(selection).as_bytes())?;
    }
    let mut text = format!("{} samples of {} values\n\n{selection}", labels.len(), network.input.dim().unwrap_or(0));
    if let Some(output) = &output {
        text += &format!("\ndrawn in {output}\n");
    }
    let value = json!({
        "samples": labels.len(), "taken": loaded.taken.json(), "graph": spec, "network": network, "selection": selection,
    });
    talk.result("select", &[("output", output.as_ref().and_then(Output::path))], value, &text)
}

/// The loss of every candidate with its standard error; the one taken in another colour.
fn drawing(selection: &Selection) -> String {
    let bar = |(k, tried): (usize, &gsfa::recipe::Tried)| Bar {
        name: tried.name.clone(),
        value: tried.loss.unwrap_or(f64::NAN),
        spread: tried.error,
        kind: usize::from(k == selection.taken),
    };
    let bars = Bars {
        title: "What left-out samples say".into(),
        axis: Axis { label: "mean loss of left-out samples, with its standard error".into(), ..Axis::default() },
        bars: selection.tried.iter().enumerate().map(bar).collect(),
    };
    bars.figure().caption(selection.why.clone()).svg()
}
