//! Settings that would have no effect beside others: refused by name, whether a flag, `--set` or a file says them.

use gsfa::graph::GraphSpec;
use gsfa::readout::{LabelClip, LinearRegression, LinearScaling, Readout};
use gsfa::recipe::{Effort, NetworkKind};
use gsfa_data::table::Missing;
use serde_json::json;

use super::Settings;
use crate::args::flag_case;
use crate::error::{Error, ErrorCode, Result};

impl Settings {
    /// Refuses what contradicts another setting or means nothing beside it.
    pub fn check(&self) -> Result {
        self.check_network()?;
        if let Some(share) = self.validation.holdout.filter(|share| !(*share > 0.0 && *share < 1.0)) {
            return Err(Error::usage(
                ErrorCode::SettingValue,
                format!("--holdout (validation.holdout) is {share}: it must lie between 0 and 1"),
            )
            .hint("--holdout 0.2 holds out every fifth sample"));
        }
        if let (Some(targets), Some(graph)) = (self.targets, &self.graph) {
            return Err(targets_of_graph(targets, graph));
        }
        if self.validation.holdout.is_some() && self.validation.folds.is_some() {
            return Err(meaningless(
                "--holdout (validation.holdout) and --folds (validation.folds) exclude each other".into(),
            )
            .hint("leave one of them out; --set validation.folds= takes away what a file says"));
        }
        if self.reading.missing_labels == Missing::Impute
            && (self.validation.holdout.is_some() || self.validation.folds.is_some())
        {
            return Err(meaningless(
                "--missing-labels impute (reading.missing_labels) leaves errors without meaning: they would be measured by \
                 means that stand for labels"
                    .into(),
            )
            .hint("--missing-labels drop leaves such samples out, keep learns from them without their labels"));
        }
        if self.reading.weights.is_some() && self.reading.balanced {
            return Err(meaningless(
                "a column of weights (reading.weights) and balanced classes (reading.balanced) exclude each other"
                    .into(),
            )
            .hint("leave one of them out"));
        }
        if let (Some(clip), Some(own)) = (self.clip, self.readout.as_ref().and_then(own_clip))
            && clip != own
        {
            return Err(clips());
        }
        if !self.calibrate && self.effort != Effort::default() {
            return Err(meaningless("--effort (effort) means nothing beside --no-calibrate (calibrate)".into())
                .hint("what is left open is chosen by left-out samples: leave out one of the two"));
        }
        let copies = [("copies", self.copies), ("copies_per_image", self.copies_per_image)];
        if self.distortion.is_some() && copies.iter().all(|(_, count)| count.is_none()) {
            return Err(meaningless("distortion means nothing without copies, which are distorted".into())
                .hint("--copies N says how many of each class, --copies-per-image N of each image"));
        }
        if copies.iter().all(|(_, count)| count.is_some()) {
            return Err(meaningless("copies and copies_per_image exclude each other".into())
                .hint("leave one of them out; --set copies= takes away what a file says"));
        }
        if let Some((name, _)) = copies.iter().find(|(_, count)| *count == Some(0)) {
            let message = format!("--{} ({name}) is 0: it must be at least 1", flag_case(name));
            return Err(Error::usage(ErrorCode::SettingValue, message).hint("leave it out for images as they are"));
        }
        Ok(())
    }

    fn check_network(&self) -> Result {
        let network = &self.network;
        let kind = json!(network.kind).as_str().unwrap_or_default().to_string();
        if network.features == Some(0) {
            let message = "--features (network.features) is 0: it must be at least 1";
            return Err(Error::usage(ErrorCode::SettingValue, message).hint("leave it out for what the graph asks for"));
        }
        if network.pca.is_some() && network.kind != NetworkKind::Quadratic {
            return Err(meaningless(format!("--pca (network.pca) means nothing to a network of kind {kind}")).hint(
                "--network quadratic has principal components; layers that are written out have their own (pca)",
            ));
        }
        if network.standardize.is_some() && network.kind == NetworkKind::Layers {
            return Err(meaningless(
                "--standardize (network.standardize) means nothing to layers that are written out".into(),
            )
            .hint("layers have their own (standardize)"));
        }
        if !network.layers.is_empty() && network.kind != NetworkKind::Layers {
            return Err(meaningless(format!("network.layers means nothing to a network of kind {kind}"))
                .hint("network.kind = \"layers\" takes them"));
        }
        Ok(())
    }
}

/// Where a linear read-out holds its estimates, if that is said of it: what is usual is not.
fn own_clip(readout: &Readout) -> Option<LabelClip> {
    match readout {
        Readout::LinearScaling(scaling) => Some(scaling.clip).filter(|&clip| clip != LinearScaling::default().clip),
        Readout::LinearRegression(regression) => {
            Some(regression.clip).filter(|&clip| clip != LinearRegression::default().clip)
        }
        _ => None,
    }
}

/// Two places that say where estimates are held.
pub(super) fn clips() -> Error {
    meaningless("--clip (clip) and readout.clip exclude each other".into())
        .hint("leave one of them out; --set clip= takes away what a file says")
}

fn meaningless(message: String) -> Error {
    Error::usage(ErrorCode::MeaninglessFlag, message)
}

/// Target labels beside a graph that is named: they are settings of the graph, if of anything.
fn targets_of_graph(targets: usize, graph: &GraphSpec) -> Error {
    let kind = graph.kind();
    let error = meaningless(format!("--targets (targets) means nothing to a graph of kind {}", flag_case(&kind.name)));
    if kind.field("targets").is_some() {
        return error.hint(format!("of a graph that is named they are its own: --set graph.targets={targets}"));
    }
    let having = GraphSpec::kinds().iter().filter(|kind| kind.field("targets").is_some());
    let having: Vec<String> = having.map(|kind| flag_case(&kind.name)).collect();
    error.hint(format!("graphs with --targets: {}", having.join(", ")))
}
