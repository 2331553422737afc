//! Settings, found by asking whoever reads them: names from what is said of a wrong one, defaults from what is written back.
//!
//! What is seen: tables, words, kinds, lists and plain values, to any depth. What is not: values that are refused for their
//! size, names of the user's choice, fields that may be left out of a table that takes unknown names, and other spellings that
//! are accepted silently.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Reads settings and writes them back, or says what is wrong.
pub type Reader<'r> = &'r dyn Fn(&Value) -> Result<Value, String>;

/// A name that no setting has.
const WRONG: &str = "?";

/// Writes down all settings of a reader.
pub struct Survey<'r> {
    read: Reader<'r>,
    /// What was read before: asking a program takes longer than remembering.
    asked: RefCell<BTreeMap<String, Result<Value, String>>>,
    /// Where a table was described first, by its names.
    known: BTreeMap<String, String>,
    pub lines: Vec<String>,
}

/// Where in a document a value stands.
struct Place {
    document: Value,
    at: Vec<String>,
}

/// What may stand at a place.
enum Sort {
    /// Names of its fields.
    Table(Vec<String>),
    /// The field that names the kind, and the kinds.
    Kinds(String, Vec<String>),
    /// Words, some of them with a value.
    Words(Vec<String>),
    /// Any number of values.
    List,
    /// The type, in words.
    Plain(String),
}

/// What a field is if it is left out.
enum Absent {
    Refused,
    Means(Value),
    /// It is no field: an element of a list, or the value of a word.
    Never,
}

impl<'r> Survey<'r> {
    pub fn new(read: Reader<'r>) -> Self {
        Self { read, asked: RefCell::default(), known: BTreeMap::new(), lines: Vec::new() }
    }

    /// Describes everything that a reader reads; what is known already is only named.
    pub fn describe(&mut self, name: &str, read: Reader<'r>) {
        self.read = read;
        self.asked.take();
        let place = Place { document: json!({}), at: Vec::new() };
        let Sort::Table(fields) = self.sort(&place) else { panic!("{name} is no table") };
        self.table(name, &place, &fields, Map::new());
    }

    fn read(&self, place: &Place, value: Value) -> Result<Value, String> {
        let document = place.with(value);
        let mut asked = self.asked.borrow_mut();
        asked.entry(document.to_string()).or_insert_with(|| (self.read)(&document)).clone()
    }

    fn refusal(&self, place: &Place, value: Value) -> String {
        self.read(place, value).err().unwrap_or_default()
    }

    /// Whether the value is right, though something may be missing beside it.
    fn takes(&self, place: &Place, value: Value) -> bool {
        self.read(place, value).map_or_else(|error| missing(&error).is_some(), |_| true)
    }

    fn sort(&self, place: &Place) -> Sort {
        let error = self.refusal(place, json!({WRONG: 0}));
        if unknown(&error, ["unknown field", "there is no setting '"]) {
            return Sort::Table(expected(&error));
        }
        if unknown(&error, ["unknown variant", "' is unknown"]) {
            return Sort::Words(expected(&error));
        }
        let Some(first) = missing(&error) else {
            return if self.takes(place, json!([])) { Sort::List } else { Sort::Plain(self.plain(place)) };
        };
        let error = self.refusal(place, json!({&first: WRONG}));
        if unknown(&error, ["unknown variant", "' is unknown"]) {
            return Sort::Kinds(first, expected(&error));
        }
        // A table that takes unknown names: at least those that it must have are known.
        let mut table = Map::new();
        self.complete(place, &mut table, None);
        Sort::Table(table.into_iter().map(|(name, _)| name).collect())
    }

    /// What plain values are taken, in words.
    fn plain(&self, place: &Place) -> String {
        let mut taken = Vec::new();
        taken.extend(self.takes(place, json!(true)).then_some("bool".to_string()));
        if self.takes(place, json!(1.5)) {
            taken.push("number".into());
        } else if self.takes(place, json!(1)) {
            taken.push("count".into());
        }
        if let Some(length) = (1..=4).find(|&length| self.takes(place, json!(vec![1; length]))) {
            let all = if self.takes(place, json!(vec![1.5; length])) { "numbers" } else { "counts" };
            taken.push(format!("{length} {all}"));
        }
        let refusal = self.refusal(place, json!(WRONG));
        if refusal.is_empty() || missing(&refusal).is_some() {
            taken.push("text".into());
        } else if !unknown(&refusal, ["invalid type", " is not taken"]) {
            taken.push(refusal);
        }
        taken.join(" or ")
    }

    /// A right value, as short as can be.
    fn least(&self, place: &Place) -> Value {
        let (mut table, fields) = match self.sort(place) {
            Sort::Table(fields) => (Map::new(), fields),
            Sort::Kinds(tag, kinds) => self.of_kind(place, &tag, &kinds[0]),
            Sort::Words(words) => return json!(words[0]),
            Sort::List => return json!([]),
            Sort::Plain(_) => {
                let tries = [json!(1), json!(1.5), json!(true), json!(WRONG), json!([1, 1])];
                return tries.into_iter().find(|value| self.takes(place, value.clone())).unwrap_or_default();
            }
        };
        self.complete(place, &mut table, Some(&fields));
        table.into()
    }

    /// A table that says its kind, and the names of its other fields.
    fn of_kind(&self, place: &Place, tag: &str, kind: &str) -> (Map<String, Value>, Vec<String>) {
        let table = Map::from_iter([(tag.to_string(), json!(kind))]);
        let mut wrong = table.clone();
        wrong.insert(WRONG.into(), json!(0));
        (table, expected(&self.refusal(place, wrong.into())))
    }

    /// Adds the fields that a table must have, some of those given if they are known.
    fn complete(&self, place: &Place, table: &mut Map<String, Value>, fields: Option<&[String]>) {
        while let Some(name) = missing(&self.refusal(place, table.clone().into())) {
            // It may be missing further out.
            if table.contains_key(&name) || fields.is_some_and(|fields| !fields.contains(&name)) {
                break;
            }
            let inner = place.inner(place.with(table.clone().into()), &name);
            table.insert(name, self.least(&inner));
        }
    }

    /// All fields of a table of which some are given.
    fn table(&mut self, name: &str, place: &Place, fields: &[String], given: Map<String, Value>) {
        let mut least = given.clone();
        self.complete(place, &mut least, Some(fields));
        let document = place.with(least.clone().into());
        for field in fields.iter().filter(|field| !given.contains_key(*field)) {
            let inner = place.inner(document.clone(), field);
            let absent = if least.contains_key(field) { Absent::Refused } else { self.absent(place, &least, field) };
            self.value(&format!("{name}.{field}"), &inner, &absent);
        }
    }

    /// What is meant if a field is left out.
    fn absent(&self, place: &Place, least: &Map<String, Value>, field: &str) -> Absent {
        let without = self.read(place, least.clone().into()).unwrap_or_default();
        if let Some(value) = place.inner(Value::Null, field).of(&without) {
            return Absent::Means(value.clone());
        }
        // What is not written back means the same as one of these, or nothing.
        let with = |value: &Value| {
            let mut table = least.clone();
            table.insert(field.to_string(), value.clone());
            self.read(place, table.into())
        };
        let usual = [json!(false), json!(true), json!(0), json!({}), json!([])];
        Absent::Means(usual.into_iter().find(|value| with(value).is_ok_and(|read| read == without)).unwrap_or_default())
    }

    /// A value and whatever is in it.
    fn value(&mut self, name: &str, place: &Place, absent: &Absent) {
        let default = match absent {
            Absent::Refused => ", required".to_string(),
            Absent::Never => String::new(),
            Absent::Means(Value::Null) => " = none".to_string(),
            Absent::Means(value) => format!(" = {value}"),
        };
        let sort = self.sort(place);
        if let Sort::Table(names) | Sort::Kinds(_, names) = &sort {
            if let Some(first) = self.known.get(&names.join(",")) {
                self.lines.push(format!("{name}: as {first}{default}"));
                return;
            }
            self.known.insert(names.join(","), name.to_string());
        }
        match sort {
            Sort::Table(fields) => {
                // Defaults inside are told there.
                let default = if matches!(absent, Absent::Means(Value::Object(_))) { "" } else { &default };
                self.lines.push(format!("{name}: table{default}"));
                self.table(name, place, &fields, Map::new());
            }
            Sort::Kinds(tag, kinds) => {
                self.lines.push(format!("{name}: table with {tag}{default}"));
                for kind in kinds {
                    self.lines.push(format!("{name}.{tag}: {kind:?}"));
                    let (given, fields) = self.of_kind(place, &tag, &kind);
                    self.table(&format!("{name}.{kind}"), place, &fields, given);
                }
            }
            Sort::Words(words) => {
                self.lines.push(format!("{name}: word{default}"));
                for word in words {
                    if self.takes(place, json!(word)) {
                        self.lines.push(format!("{name}: {word:?}"));
                    } else {
                        let inner = place.inner(place.with(json!({})), &word);
                        self.value(&format!("{name}.{word}"), &inner, &Absent::Never);
                    }
                }
            }
            Sort::List => {
                self.lines.push(format!("{name}: list{default}"));
                let inner = place.inner(place.with(json!([0])), "0");
                self.value(&format!("{name}[]"), &inner, &Absent::Never);
            }
            Sort::Plain(plain) => self.lines.push(format!("{name}: {plain}{default}")),
        }
    }
}

impl Place {
    fn inner(&self, document: Value, step: &str) -> Self {
        Self { document, at: self.at.iter().cloned().chain([step.to_string()]).collect() }
    }

    /// The document with a value here.
    fn with(&self, value: Value) -> Value {
        let mut document = self.document.clone();
        let mut at = &mut document;
        for step in &self.at {
            at = match at {
                Value::Array(list) => &mut list[0],
                table => {
                    if !table.is_object() {
                        *table = json!({});
                    }
                    &mut table[step]
                }
            };
        }
        *at = value;
        document
    }

    /// What stands here in a document.
    fn of<'d>(&self, document: &'d Value) -> Option<&'d Value> {
        self.at.iter().try_fold(document, |value, step| match value {
            Value::Array(list) => list.first(),
            other => other.get(step),
        })
    }
}

/// The names that would have been right.
fn expected(error: &str) -> Vec<String> {
    let named = error.split_once("expected ").map_or("", |(_, names)| names);
    named.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// Whether a name is refused as of some sort, in serde's words or in those of the command line.
fn unknown(error: &str, words: [&str; 2]) -> bool {
    words.iter().any(|words| error.contains(words))
}

/// The field that is missing.
fn missing(error: &str) -> Option<String> {
    let of_serde = || error.split_once("missing field `")?.1.split('`').next();
    let own = || error.split_once("' is missing")?.0.rsplit('\'').next();
    of_serde().or_else(own).map(str::to_string)
}
