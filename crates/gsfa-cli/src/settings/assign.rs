//! `--set graph.groups=60`: any setting by its name, read as what it takes.

use gsfa::specification::{Field, Kind, Sort, sort_of, suggestion};
use serde_json::{Map, Value, json};

use super::meaning::clips;
use super::parse::{Refusal, read};
use super::{Implied, Settings};
use crate::args::is_word;
use crate::error::{Error, ErrorCode, Result};

/// Targets of the graph, which need no kind of graph.
const OF_GRAPH: &str = "graph.targets";

impl Settings {
    /// Sets what assignments say, in their order; what they come to together is read in the end.
    pub fn assign(&mut self, assignments: &[String]) -> Result {
        if assignments.is_empty() {
            return Ok(());
        }
        let unreadable = |message: String| Error::usage(ErrorCode::SettingValue, format!("--set: {message}"));
        let mut value = serde_json::to_value(&*self).map_err(|error| unreadable(error.to_string()))?;
        let sort = sort_of::<Self>();
        let mut names: Vec<&str> = Vec::new();
        for assignment in assignments {
            let Some((name, text)) = assignment.split_once('=') else {
                return Err(Error::usage(
                    ErrorCode::SettingForm,
                    format!("--set {assignment}: a name, = and a value are needed"),
                )
                .hint("e.g. --set graph.groups=60"));
            };
            let (mut whole, text) = (name.trim(), text.trim());
            if whole == OF_GRAPH && value["graph"].is_null() {
                // The graph of the labels has targets, whichever it is.
                whole = "targets";
                if names.contains(&whole) {
                    return Err(Error::usage(
                        ErrorCode::MeaninglessFlag,
                        format!("--set {OF_GRAPH} and --set targets say the same of the graph of the labels"),
                    )
                    .hint("leave one of them out"));
                }
            }
            let path: Vec<&str> = whole.split('.').collect();
            let open = value["graph"].is_null();
            Place { whole, at: 0, path: &path }.assign(&mut value, &sort, text)?;
            if let (true, Some(kind)) = (open && path.len() == 2 && path[1] != "kind", value["graph"]["kind"].as_str())
            {
                self.implied = Some(Implied { setting: format!("--set {whole}"), kind: kind.to_string() });
            }
            names.push(whole);
        }
        self.check_implied(&value["graph"], &names)?;
        let settings: Self = serde_json::from_value(value.clone()).map_err(|error| {
            // Read as a file would be, what is wrong is told in the same words.
            match toml::to_string(&value).map(|text| read::<Self>(&text)) {
                Ok(Err(Refusal { name, message, hint, .. })) => {
                    // A table that lacks something was begun by what was said of it last.
                    let name = name.unwrap_or_else(|| names[names.len() - 1].to_string());
                    Error::usage(ErrorCode::SettingValue, format!("--set {name}: {message}")).hint(hint)
                }
                _ => unreadable(error.to_string()),
            }
        })?;
        // Paths may hold what text cannot, and files are no setting.
        let before = std::mem::replace(self, settings);
        (self.files, self.implied, self.replaced) = (before.files, before.implied, before.replaced);
        self.reading.name_balance();
        let said = |wanted: &str| {
            assignments.iter().any(|one| {
                one.split_once('=').is_some_and(|(name, text)| name.trim() == wanted && !text.trim().is_empty())
            })
        };
        if self.clip.is_some() && said("readout.clip") {
            return Err(clips());
        }
        if !names.contains(&"data") {
            self.data = before.data;
        }
        if !names.contains(&"labels") {
            self.labels = before.labels;
        }
        Ok(())
    }
}

impl Settings {
    /// Forgets the kind of graph that a setting stood for if one is assigned after all: that of the setting, or it would be
    /// gone.
    fn check_implied(&mut self, graph: &Value, names: &[&str]) -> Result {
        let named = names.iter().any(|name| matches!(*name, "graph" | "graph.kind"));
        if let (true, Some(flag), Some(other)) = (named, &self.graph_flag, graph["kind"].as_str())
            && flag.kind != other
        {
            let text = format!("{} is of a graph of kind {}, and --set names {other}", flag.setting, flag.kind);
            return Err(Error::usage(ErrorCode::MeaninglessFlag, text)
                .hint("name the graph once, by --graph or by --set graph.kind=…"));
        }
        let Some(Implied { setting, kind }) = self.implied.take_if(|_| named) else { return Ok(()) };
        match graph["kind"].as_str() {
            // Assignments do not take the place of each other unseen.
            Some(other) if other != kind => {
                Err(Error::usage(ErrorCode::KindOpen, format!("{setting}: the kind of graph is assigned after it"))
                    .hint(format!("first --set graph.kind={other}")))
            }
            _ => Ok(()),
        }
    }
}

/// A name, and how much of it was followed.
#[derive(Clone, Copy)]
struct Place<'n> {
    whole: &'n str,
    path: &'n [&'n str],
    at: usize,
}

impl Place<'_> {
    /// Goes on along the name, and sets the value at its end; without a text it is left out.
    fn assign(self, value: &mut Value, sort: &Sort, text: &str) -> Result {
        if self.at == self.path.len() {
            *value = if text.is_empty() { Value::Null } else { self.read(sort, text)? };
            return Ok(());
        }
        match sort {
            Sort::Table { fields } => self.into_table(value, fields, text),
            Sort::Kinds { tag, kinds } => self.into_kind(value, tag, kinds, text),
            Sort::List { of, .. } => {
                let name = self.path[self.at];
                let count = value.as_array().map_or(0, Vec::len);
                match name.parse::<usize>().ok().filter(|&index| index < count) {
                    Some(index) => self.further().assign(&mut value[index], of, text),
                    None => Err(Error::usage(
                        ErrorCode::UnknownSetting,
                        format!("--set {}: there is no '{name}' among {count}", self.whole),
                    )
                    .hint("elements are numbered from 0")),
                }
            }
            Sort::Either { sorts } => match sorts.iter().find(|sort| self.goes_into(sort)) {
                Some(sort) => self.assign(value, sort, text),
                None => Err(self.holds_nothing()),
            },
            _ => Err(self.holds_nothing()),
        }
    }

    /// Whether there is a setting of the next name.
    fn goes_into(self, sort: &Sort) -> bool {
        match sort {
            // A table without settings of its own takes any names.
            Sort::Table { fields } => fields.is_empty() || fields.iter().any(|field| field.name == self.path[self.at]),
            _ => false,
        }
    }

    fn holds_nothing(self) -> Error {
        let above = self.path[..self.at].join(".");
        Error::usage(ErrorCode::UnknownSetting, format!("--set {}: '{above}' holds no settings", self.whole))
            .hint(format!("gsfa settings {above} says what it takes"))
    }

    fn further(self) -> Self {
        Self { at: self.at + 1, ..self }
    }

    fn into_table(self, value: &mut Value, fields: &[Field], text: &str) -> Result {
        let name = self.path[self.at];
        if !value.is_object() {
            *value = json!({});
        }
        let Value::Object(table) = value else { return Ok(()) };
        if fields.is_empty() {
            // Names may have points.
            table.insert(self.path[self.at..].join("."), text.into());
            return Ok(());
        }
        match fields.iter().find(|field| field.name == name) {
            Some(field) => self.into_field(table, field, text),
            None => {
                let failure = self.unknown(name, fields.iter().map(|field| field.name.as_str()));
                let inner = fields.iter().filter(|table| match &table.sort {
                    Sort::Table { fields } => fields.iter().any(|field| field.name == name),
                    _ => false,
                });
                let above: String = self.path[..self.at].iter().map(|part| format!("{part}.")).collect();
                let meant: Vec<String> = inner.map(|table| format!("'{above}{}.{name}'", table.name)).collect();
                Err(match meant.is_empty() {
                    true => failure,
                    false => failure.hint(format!("did you mean {}?", meant.join(" or "))),
                })
            }
        }
    }

    fn into_field(self, table: &mut Map<String, Value>, field: &Field, text: &str) -> Result {
        let inner = table.entry(field.name.clone()).or_insert(Value::Null);
        self.further().assign(inner, &field.sort, text)?;
        if inner.is_null() {
            table.remove(&field.name);
        }
        Ok(())
    }

    /// Into a table that says its kind; a setting with a flag of its own names the first kind that has it, as the flag does.
    fn into_kind(self, value: &mut Value, tag: &str, kinds: &[Kind], text: &str) -> Result {
        let name = self.path[self.at];
        if name == tag && self.at + 1 == self.path.len() {
            let same = value.get(tag).and_then(Value::as_str).is_some_and(|kind| is_word(kind, text));
            if !same {
                *value = self.kind(tag, kinds, text)?;
            }
            return Ok(());
        }
        let with = |kind: &&Kind| kind.field(name).is_some();
        let kind = match value.get(tag).and_then(Value::as_str) {
            Some(given) => kinds.iter().find(|kind| kind.name == given),
            None => kinds.iter().find(|kind| kind.field(name).is_some_and(|field| field.flag.is_some())),
        };
        let known =
            |kinds: &[Kind]| -> Vec<String> { kinds.iter().filter(with).map(|kind| kind.name.clone()).collect() };
        let parent = &self.path[..self.at].join(".");
        let Some(kind) = kind else {
            let having = known(kinds);
            if having.is_empty() {
                let names = kinds.iter().flat_map(|kind| kind.fields.iter().map(|field| field.name.as_str()));
                return Err(self.unknown(name, names.chain([tag])));
            }
            return Err(Error::usage(
                ErrorCode::KindOpen,
                format!("--set {}: the kind of '{parent}' is open", self.whole),
            )
            .hint(format!("first --set {parent}.{tag}={}", having.join(" or "))));
        };
        let Some(field) = kind.field(name) else {
            let names = kind.fields.iter().map(|field| field.name.as_str());
            let failure = self.unknown(name, names.chain([tag]));
            let having = known(kinds);
            return Err(match having.is_empty() {
                true => failure,
                false => failure.hint(format!("of kind {} it is, not of {}", having.join(", "), kind.name)),
            });
        };
        if !value.is_object() {
            *value = json!({tag: kind.name});
        }
        let Value::Object(table) = value else { return Ok(()) };
        self.into_field(table, field, text)
    }

    /// A table of a kind with nothing else said.
    fn kind(self, tag: &str, kinds: &[Kind], text: &str) -> Result<Value> {
        match kinds.iter().find(|kind| is_word(&kind.name, text)) {
            Some(kind) => Ok(json!({tag: kind.name})),
            None => Err(self.wrong(text, kinds.iter().map(|kind| kind.name.as_str()))),
        }
    }

    /// A text as what is taken here.
    fn read(self, sort: &Sort, text: &str) -> Result<Value> {
        let found = match sort {
            Sort::Flag => text.parse::<bool>().ok().map(Value::from),
            Sort::Count => text.parse::<u64>().ok().map(Value::from),
            Sort::Number => text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from),
            Sort::Text => Some(text.into()),
            Sort::Word { words } => match words.iter().find(|word| is_word(&word.name, text)) {
                Some(word) => Some(word.name.clone().into()),
                None => return Err(self.wrong(text, words.iter().map(|word| word.name.as_str()))),
            },
            Sort::Kinds { tag, kinds } if !text.starts_with('{') => return self.kind(tag, kinds, text),
            Sort::List { of, .. } if !text.starts_with('[') => {
                // 8x8 is a size.
                let between = |c: char| c == ',' || c == 'x' && matches!(**of, Sort::Count);
                let parts = text.split(between).map(|part| self.read(of, part.trim()));
                return Ok(Value::Array(parts.collect::<Result<_>>()?));
            }
            Sort::Either { sorts } => match sorts.iter().find_map(|sort| self.read(sort, text).ok()) {
                Some(value) => Some(value),
                None => toml_value(text),
            },
            Sort::Table { .. } => toml_value(text).filter(Value::is_object),
            _ => toml_value(text),
        };
        found.ok_or_else(|| {
            let message = format!("--set {}={text}: {} is needed", self.whole, sort.words());
            let failure = Error::usage(ErrorCode::SettingValue, message);
            match sort {
                Sort::Table { fields } if fields.iter().any(|field| field.name == "kind") => {
                    failure.hint(format!("--set {}.kind={text}", self.whole))
                }
                Sort::Table { .. } => failure.hint(format!(
                    "--set {0}={{}} takes what is usual; gsfa settings {0} lists its settings",
                    self.whole
                )),
                Sort::Either { sorts } => {
                    let words = sorts.iter().flat_map(|sort| match sort {
                        Sort::Word { words } => &words[..],
                        _ => &[],
                    });
                    match suggestion(text, words.map(|word| word.name.as_str())) {
                        Some(hint) => failure.hint(hint),
                        None => failure,
                    }
                }
                _ => failure.hint(format!("gsfa settings {} says what it takes", self.whole)),
            }
        })
    }

    fn unknown<'k>(self, name: &str, known: impl Iterator<Item = &'k str> + Clone) -> Error {
        let mut names: Vec<&str> = known.clone().collect();
        names.sort_unstable();
        names.dedup();
        let hint = suggestion(name, known).unwrap_or_else(|| format!("there are {}", names.join(", ")));
        Error::usage(ErrorCode::UnknownSetting, format!("--set {}: there is no setting '{name}'", self.whole))
            .hint(hint)
    }

    fn wrong<'k>(self, text: &str, known: impl Iterator<Item = &'k str> + Clone) -> Error {
        let names: Vec<&str> = known.clone().collect();
        let failure = Error::usage(
            ErrorCode::SettingValue,
            format!("--set {}={text}: it is one of {}", self.whole, names.join(", ")),
        );
        let begun: Vec<&&str> = names.iter().filter(|name| !text.is_empty() && name.starts_with(text)).collect();
        match (suggestion(text, known), begun.as_slice()) {
            (Some(hint), _) => failure.hint(hint),
            (None, [only]) => failure.hint(format!("did you mean '{only}'?")),
            (None, _) => failure,
        }
    }
}

/// A value as TOML writes it.
fn toml_value(text: &str) -> Option<Value> {
    let table: toml::Table = toml::from_str(&format!("value = {text}")).ok()?;
    serde_json::to_value(table.get("value")?).ok()
}
