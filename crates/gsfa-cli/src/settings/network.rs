//! What flags say of the network and its read-out.

use std::path::Path;

use gsfa::network::LayerSpec;
use gsfa::recipe::{Effort, NetworkChoice, NetworkKind};
use gsfa::specification::suggestion;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::graph::lost;
use super::parse::parse;
use super::readout::read_out;
use super::{Settings, set};
use crate::args::NetworkArgs;
use crate::error::{Error, ErrorCode, Result};

impl Settings {
    pub(super) fn apply_network(&mut self, args: &NetworkArgs) -> Result {
        if let Some(name) = &args.network {
            // What a file says of features, ridge and others is said of any network.
            let NetworkChoice { kind, layers, .. } = named_network(name)?;
            self.network = NetworkChoice { kind, layers, ..self.network.clone() };
            // A file, or the name of a network, which is no file.
            self.files.push(name.clone());
        }
        set(&mut self.network.features, args.features);
        set(&mut self.network.pca, args.pca);
        set(&mut self.network.standardize, args.standardize);
        if args.spectrum {
            self.network.spectrum.get_or_insert_default();
        }
        set(&mut self.network.ridge, args.ridge);
        set(&mut self.network.solver, args.solver.map(Into::into));
        if args.readout_features == Some(0) {
            return Err(Error::usage(
                ErrorCode::SettingValue,
                "--readout-features 0: a read-out uses one feature or more",
            ));
        }
        match (&args.readout, args.readout_features, self.readout) {
            (Some(kind), features, given) => {
                if let Some(other) = given.filter(|other| json!(other)["kind"] != json!(kind)) {
                    self.replaced.extend(lost("readout", &other, "--readout", kind));
                }
                self.readout = Some(read_out(Some(kind), given, features)?);
            }
            (None, Some(count), given @ Some(_)) => self.readout = Some(read_out(None, given, Some(count))?),
            (None, Some(_), None) => {
                return Err(Error::usage(
                    ErrorCode::MeaninglessFlag,
                    "--readout-features means nothing while the read-out is chosen by left-out samples",
                )
                .hint("name it with --readout"));
            }
            (None, None, _) => {}
        }
        set(&mut self.clip, args.clip);
        self.calibrate &= !args.no_calibrate;
        self.effort = args.effort.map_or(self.effort, Effort::from);
        Ok(())
    }
}

/// The networks that have a name.
const NETWORKS: [&str; 7] = ["auto", "linear", "quadratic", "cascade", "paper-64", "higsfa", "shared"];

fn named_network(name: &Path) -> Result<NetworkChoice> {
    let kind = match &*name.to_string_lossy() {
        "auto" => NetworkKind::Auto,
        "linear" => NetworkKind::Linear,
        "quadratic" => NetworkKind::Quadratic,
        "cascade" => NetworkKind::Cascade,
        "paper-64" => NetworkKind::Paper64,
        "higsfa" => NetworkKind::Higsfa,
        "shared" => NetworkKind::Shared,
        _ if name.extension().is_some_and(|e| e == "toml") => {
            #[derive(Deserialize, JsonSchema)]
            #[serde(deny_unknown_fields)]
            struct Layers {
                layers: Vec<LayerSpec>,
            }
            let Layers { layers } = parse(name)?;
            return Ok(NetworkChoice { kind: NetworkKind::Layers, layers, ..NetworkChoice::default() });
        }
        unknown => {
            let all = || format!("{}, or a .toml file with [[layers]]", NETWORKS.join(", "));
            return Err(Error::usage(ErrorCode::UnknownNetwork, format!("there is no network '{unknown}'"))
                .hint(suggestion(unknown, NETWORKS).unwrap_or_else(all)));
        }
    };
    Ok(NetworkChoice { kind, ..NetworkChoice::default() })
}
