//! What can be set, from the types that read it.

use gsfa::expansion::Expansion;
use gsfa::graph::GraphSpec;
use gsfa::network::LayerSpec;
use gsfa::readout::Readout;
use gsfa::recipe::Recipe;
use gsfa::specification::{fields_of, kinds_of};
use pyo3::prelude::*;
use serde_json::json;

/// Graphs, read-outs and expansions with their kinds, and the settings of layers and recipes, as JSON.
#[pyfunction]
pub fn specification() -> String {
    json!({
        "graphs": GraphSpec::kinds(),
        "readouts": kinds_of::<Readout>(),
        "expansions": kinds_of::<Expansion>(),
        "layer": fields_of::<LayerSpec>(),
        "recipe": fields_of::<Recipe>(),
    })
    .to_string()
}
