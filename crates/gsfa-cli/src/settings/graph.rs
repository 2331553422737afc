//! What flags say of the graph.

use gsfa::graph::GraphSpec;
use gsfa::specification::Kind;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Implied, Settings};
use crate::args::{GraphArgs, flag_case, flag_name};
use crate::error::{Error, ErrorCode, Result};

impl Settings {
    /// The graph of the flags. If none is named, a setting names the first kind of the table that has it.
    pub(super) fn apply_graph(&mut self, args: &GraphArgs) -> Result {
        let mut fields = args.fields.clone();
        let kind = match (&args.kind, &self.graph) {
            (Some(kind), _) => kind.clone(),
            (None, Some(graph)) => graph.kind().name.clone(),
            (None, None) => {
                // The graph of the labels has targets, whichever it is.
                let mut others = fields.keys().filter(|name| *name != "targets");
                match others.find_map(|name| Some((name, first_with(name)?))) {
                    Some((field, kind)) => {
                        self.implied = Some(Implied { setting: flag_name(field), kind: kind.name.clone() });
                        kind.name.clone()
                    }
                    None => {
                        let targets = fields.remove("targets").and_then(|targets| targets.as_u64());
                        self.targets = targets.map(|targets| targets as usize).or(self.targets);
                        return Ok(());
                    }
                }
            }
        };
        if fields.contains_key("targets") {
            // Those of the graph take the place of what a file says for the graph of the labels.
            self.targets = None;
        }
        if let Some(field) = fields.keys().next() {
            self.graph_flag = Some(Implied { setting: flag_name(field), kind: kind.clone() });
        }
        let given = self.graph.take();
        if let Some(other) = given.as_ref().filter(|graph| graph.kind().name != kind) {
            self.replaced.extend(lost("graph", other, "--graph", &kind));
        }
        let given = given.filter(|graph| graph.kind().name == kind);
        self.graph = Some(match given {
            Some(given) if fields.is_empty() => given,
            given => with_fields(&kind, given, fields)?,
        });
        Ok(())
    }
}

/// What is gone of a table that said its kind, if it said more than that.
pub(super) fn lost<T>(name: &str, given: &T, flag: &str, kind: &str) -> Option<String>
where
    T: Serialize + for<'de> Deserialize<'de>,
{
    let table = json!(given);
    // What is usual was not said, or might as well not have been.
    let usual = serde_json::from_value::<T>(json!({"kind": table["kind"]})).map_or(Value::Null, |usual| json!(usual));
    let said = |(key, value): &(&String, &Value)| *key != "kind" && usual.get(key) != Some(value);
    let others: Vec<&str> = table.as_object()?.iter().filter(said).map(|(key, _)| key.as_str()).collect();
    let old = flag_case(table["kind"].as_str()?);
    (!others.is_empty()).then(|| {
        let of = format!("{flag} {} takes the place of the {name} of kind {old} in the file", flag_case(kind));
        format!("{of}, with its {}", others.join(", "))
    })
}

/// The first kind of graph with a setting.
fn first_with(field: &str) -> Option<&'static Kind> {
    GraphSpec::kinds().iter().find(|kind| kind.field(field).is_some())
}

/// A graph of some kind, or the given one, with some settings; one that means nothing to it is an error, not ignored.
fn with_fields(kind: &str, given: Option<GraphSpec>, fields: Map<String, Value>) -> Result<GraphSpec> {
    let Some(known) = GraphSpec::kinds().iter().find(|known| known.name == kind) else {
        return Err(Error::usage(ErrorCode::UnknownSetting, format!("there is no graph '{kind}'")));
    };
    let mut table = match json!(given) {
        Value::Object(table) => table,
        _ => Map::from_iter([("kind".to_string(), json!(kind))]),
    };
    for (name, value) in fields {
        if known.field(&name).is_none() {
            let having = GraphSpec::kinds().iter().filter(|kind| kind.field(&name).is_some());
            let having: Vec<String> = having.map(|kind| flag_case(&kind.name)).collect();
            let flag = flag_name(&name);
            return Err(Error::usage(
                ErrorCode::MeaninglessFlag,
                format!("{flag} means nothing to a graph of kind {}", flag_case(kind)),
            )
            .hint(format!("graphs with {flag}: {}", having.join(", "))));
        }
        table.insert(name, value);
    }
    if let Some(lacking) = known.fields.iter().find(|field| field.required && !table.contains_key(&field.name)) {
        let flag = flag_name(&lacking.name);
        return Err(Error::usage(ErrorCode::NeededFlag, format!("a graph of kind {} needs {flag}", flag_case(kind)))
            .hint(format!("e.g. {flag} 5")));
    }
    serde_json::from_value(table.into())
        .map_err(|error| Error::usage(ErrorCode::SettingValue, format!("the graph: {error}")))
}
