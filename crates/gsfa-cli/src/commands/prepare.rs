//! `gsfa prepare`: labels and settings of all samples into a plan file.

use gsfa::graph::GraphInput;
use gsfa::labels::SampleWeights;
use gsfa::model::Remembered;
use gsfa::network::Trainer;
use gsfa::recipe::NetworkKind;
use gsfa::samples::Precision;
use gsfa_data::gtsrb::Part;
use gsfa_data::table::{Categories, Columns, Missing, TableSpec};
use serde_json::json;

use crate::args::TrainArgs;
use crate::commands::train::remark;
use crate::config::Config;
use crate::data::{self, Kind, Request, Taken, Wish, file_column, label_specs, read_table};
use crate::failure::{Failure, Outcome, Reason};
use crate::output::Output;
use crate::shards::{Plan, PlannedLabel, precision};
use crate::talk::{Aside, Talk, write_stdout};

pub fn run(args: &TrainArgs, talk: &Talk) -> Outcome {
    let mut config = Config::of(args)?;
    if args.config.print_config {
        return write_stdout(config.toml()?.as_bytes());
    }
    let output = Output::required(&args.output, &data::inputs(&config), "name.plan", talk)?;
    let Some(path) = &config.labels else {
        return Err(Failure::usage(Reason::NoLabels, "no labels are given")
            .hint("--labels must list the labels of all samples"));
    };
    let Some(shard) = config.data.clone() else {
        return Err(
            Failure::usage(Reason::NoData, "no data is given").hint("--data names any one shard, to look at its shape")
        );
    };
    if config.reading.missing_labels != Missing::Error || config.reading.missing != Missing::Error {
        return Err(
            Failure::usage(Reason::ShardGaps, "shards need every sample and every label").hint("clean the data first")
        );
    }
    if config.reading.categories != Categories::Error {
        return Err(Failure::usage(Reason::ShardGaps, "shards need numbers: --categories is for gsfa train")
            .hint("write the words as numbers into the shards"));
    }
    if config.copies.is_some() {
        return Err(Failure::usage(
            Reason::Copies,
            "shards learn from samples as they are: --copies is for gsfa train",
        )
        .hint("leave it out, or write the distorted copies into the shards"));
    }
    let table = read_table(path, &config.reading)?;
    let images = matches!(Kind::of(&shard)?, Kind::Images);
    let file = if images { Some(file_column(&table, &config.reading)?) } else { config.reading.file_column.clone() };
    let Wish::Labels(wanted) = Wish::of(&config) else {
        return Err(Failure::usage(Reason::NoLabels, "no labels are named"));
    };
    let specs = label_specs(&table, &wanted, &config, file.as_deref())?;
    let weights = config.reading.weights.clone();
    let spec = TableSpec { samples: Columns::None, labels: specs, file, weights, ..TableSpec::default() };
    let labelled = table.dataset(&spec)?;
    let (labels, taken) = (labelled.labels, Taken(labelled.kinds));
    taken.tell(talk);
    config.learn = labels.columns().map(|(name, _)| name.to_string()).collect();
    // A table of samples may hold its labels, too: they are no inputs.
    let ignored = config.learn.iter().chain(&config.reading.weights);
    let ignored: Vec<String> = ignored.filter(|name| !config.reading.ignore.contains(name)).cloned().collect();
    let mut looking = config.clone();
    looking.reading.ignore.extend(ignored);
    let request = Request { config: &looking, labels: Wish::Nothing, model: None, part: Part::Training };
    let loaded = data::load(&request, talk)?;

    if config.network.kind == NetworkKind::Auto {
        // What is chosen for a single run is chosen by training on parts of all samples, which no shard has.
        config.network.kind = NetworkKind::Linear;
        talk.remark(
            Aside::LinearShards,
            "shards train one linear node on inputs as they are; gsfa train --network linear gives the same model",
        );
    }
    let mut input = GraphInput::new(&labels);
    let weights = match config.reading.balanced {
        true => Some(data::balanced(&labels)?.as_slice().to_vec()),
        false => labelled.weights,
    };
    if let Some(weights) = &weights {
        input = input.with_weights(SampleWeights::new(weights.clone())?)?;
    }
    let recipe = config.recipe(&labels);
    let design = recipe.design(&input, loaded.shape()?)?;
    remark(&design, talk);
    let (graph, network) = (design.spec, design.network);
    config.data = None;
    let source = loaded.to_apply(None, &Remembered::default(), Missing::Error, talk)?;
    let single = precision(&network, &*source) == Precision::Single;
    let passes = Trainer::new(network.clone(), Precision::Double)?.pass().1;
    let plan = Plan {
        config,
        graph,
        network,
        labels: PlannedLabel::all(&labels),
        files: labelled.files,
        input_names: loaded.names,
        weights,
        single,
    };
    output.write(&plan.to_bytes()?)?;
    let value = json!({
        "samples": labels.len(), "inputs": plan.network.input.dim(), "taken": taken.json(),
        "graph": plan.graph, "passes": passes,
    });
    let several = if passes > 1 { format!(", {passes} passes over the shards") } else { String::new() };
    let text = format!("plan for {} samples{several} {}\n", labels.len(), output.saved());
    talk.result("prepare", &[("plan", output.path())], value, &text)
}
