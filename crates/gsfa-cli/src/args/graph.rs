//! Flags of graphs, made of the table of graphs: `--graph` with the kinds, and a flag for each setting that has one.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use gsfa::graph::GraphSpec;
use gsfa::specification::{Field, Kind, Sort, Word};
use serde_json::{Map, Value};

/// The kind of a graph, and settings of it.
#[derive(Debug, Default)]
pub struct GraphArgs {
    /// As in TOML.
    pub kind: Option<String>,
    /// By their names in TOML.
    pub fields: Map<String, Value>,
}

/// A flag and the kinds of graph that have it.
struct Flag {
    field: &'static Field,
    kinds: Vec<&'static Kind>,
}

/// The flags of a table, in its order.
fn flags(kinds: &'static [Kind]) -> Vec<Flag> {
    let mut flags: Vec<Flag> = Vec::new();
    for kind in kinds {
        for field in kind.fields.iter().filter(|field| field.flag.is_some()) {
            match flags.iter_mut().find(|flag| flag.field.name == field.name) {
                Some(flag) => flag.kinds.push(kind),
                None => flags.push(Flag { field, kinds: vec![kind] }),
            }
        }
    }
    flags
}

/// A name as flags write it.
pub fn flag_case(name: &str) -> String {
    name.replace('_', "-")
}

/// Whether a text is this word; flags are spelled with dashes, settings with underscores, and both are understood.
pub fn is_word(word: &str, text: &str) -> bool {
    word == text || flag_case(word) == flag_case(text)
}

/// A name of an argument, of which there are as many as there are graphs, read-outs and settings.
pub(super) fn kept(name: String) -> &'static str {
    Box::leak(name.into_boxed_str())
}

/// `--half-width`.
pub fn flag_name(field: &str) -> String {
    format!("--{}", flag_case(field))
}

/// The kinds of graph that flags can say in full.
fn nameable(kinds: &'static [Kind]) -> impl Iterator<Item = &'static Kind> {
    kinds.iter().filter(|kind| kind.fields.iter().all(|field| !field.required || field.flag.is_some()))
}

impl Flag {
    fn argument(&self) -> Arg {
        let field = self.field;
        let spelled = kept(flag_case(&field.name));
        let kinds: Vec<String> = self.kinds.iter().map(|kind| self::flag_case(&kind.name)).collect();
        let sentence = field.doc.split(['.', ';']).next().unwrap_or_default();
        let mut help = format!("{sentence} ({})", kinds.join(", "));
        if let Some(default) = field.default.as_ref().filter(|default| !default.is_boolean()) {
            help += &format!(" [default: {default}]");
        }
        let arg = Arg::new(field.name.as_str()).long(spelled).help(help);
        match &field.sort {
            Sort::Word { words } => {
                let word =
                    |word: &'static Word| PossibleValue::new(word.name.as_str()).alias(kept(flag_case(&word.name)));
                arg.value_parser(PossibleValuesParser::new(words.iter().map(word)))
            }
            Sort::Flag => arg.action(ArgAction::SetTrue),
            Sort::Count => arg.value_parser(value_parser!(u64)),
            Sort::Number => arg.value_parser(value_parser!(f64)),
            _ => arg,
        }
        .value_name(field.flag.as_deref().filter(|name| !name.is_empty()).unwrap_or("VALUE"))
    }

    fn value(&self, matches: &ArgMatches) -> Option<Value> {
        let name = self.field.name.as_str();
        match &self.field.sort {
            Sort::Word { words } => {
                let typed = matches.get_one::<String>(name)?;
                words.iter().find(|word| is_word(&word.name, typed)).map(|word| word.name.clone().into())
            }
            Sort::Flag => matches.get_flag(name).then_some(Value::Bool(true)),
            Sort::Count => matches.get_one::<u64>(name).map(|&count| count.into()),
            Sort::Number => matches.get_one::<f64>(name).map(|&number| number.into()),
            _ => matches.get_one::<String>(name).map(|text| text.clone().into()),
        }
    }
}

/// The flags of a table.
fn arguments(kinds: &'static [Kind]) -> Vec<Arg> {
    let value = |kind: &'static Kind| {
        let name = kept(flag_case(&kind.name));
        PossibleValue::new(name).alias(kind.name.as_str()).help(kind.doc.trim_end_matches('.'))
    };
    let graph = Arg::new("graph")
        .long("graph")
        .value_name("GRAPH")
        .help("The training graph [default: ell for numbers, clustered for classes]")
        .value_parser(PossibleValuesParser::new(nameable(kinds).map(value)));
    std::iter::once(graph).chain(flags(kinds).iter().map(Flag::argument)).collect()
}

/// What the flags of a table say.
fn read(matches: &ArgMatches, kinds: &'static [Kind]) -> GraphArgs {
    let given = flags(kinds).into_iter().filter_map(|flag| Some((flag.field.name.clone(), flag.value(matches)?)));
    let kind = matches.get_one::<String>("graph").map(|kind| kind.replace('-', "_"));
    GraphArgs { kind, fields: given.collect() }
}

impl Args for GraphArgs {
    fn augment_args(command: Command) -> Command {
        // When the command is asked for: all others would pay for the table as well.
        command.defer(|command| {
            let heading = "Labels and graph";
            command.args(arguments(GraphSpec::kinds()).into_iter().map(|argument| argument.help_heading(heading)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GraphArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(read(matches, GraphSpec::kinds()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = read(matches, GraphSpec::kinds());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use gsfa::specification::{Need, fields_of};
    use schemars::JsonSchema;

    use super::*;

    /// Every sample connected with those a few steps further.
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its fields are looked at")]
    struct Ladder {
        /// The length of the rungs; the last samples have none.
        #[serde(default)]
        #[schemars(extend("flag" = "N"))]
        rungs: usize,
    }

    /// `crates/gsfa/src/graph/kinds/adding.rs` adds the same graph to a table of the library, and
    /// `python/tests/test_adding.py` to that of Python.
    #[test]
    fn a_graph_that_is_added_to_the_table_has_flags_and_help() {
        let doc = "Samples connected with those a few steps further.".to_string();
        let (name, needs, fields) = ("ladder_graph".to_string(), vec![Need::Order], fields_of::<Ladder>());
        let kinds: &'static [Kind] = Vec::leak(vec![Kind { name, doc, needs, fields }]);
        let mut command = Command::new("gsfa").args(arguments(kinds));
        let help = command.render_long_help().to_string();
        for part in
            ["ladder-graph: Samples connected with those", "--rungs <N>", "The length of the rungs (ladder-graph)"]
        {
            assert!(help.contains(part), "{part} in {help}");
        }
        let matches = command.try_get_matches_from(["gsfa", "--graph", "ladder-graph", "--rungs", "3"]).unwrap();
        let GraphArgs { kind, fields } = read(&matches, kinds);
        assert_eq!((kind.as_deref(), &fields["rungs"]), (Some("ladder_graph"), &Value::from(3)));
    }
}
