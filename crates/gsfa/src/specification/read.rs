//! From a JSON schema to what can be set.

use serde_json::{Map, Value};

use super::{Field, Kind, Sort, Word};

/// What a schema with its definitions describes.
pub fn sort(root: &Value) -> Sort {
    let name = text(root, "title");
    Reader { definitions: root.get("$defs").unwrap_or(&Value::Null), outer: vec![name] }.sort(root)
}

struct Reader<'s> {
    definitions: &'s Value,
    /// The types that are being read, so that one which holds itself is read once.
    outer: Vec<String>,
}

impl Reader<'_> {
    fn sort(&mut self, schema: &Value) -> Sort {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or_default().to_string();
            if self.outer.contains(&name) {
                return Sort::Again { of: name };
            }
            let Some(definition) = self.definitions.get(&name) else { return Sort::Any };
            self.outer.push(name);
            let sort = self.sort(definition);
            self.outer.pop();
            return sort;
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(parts) = schema.get(key).and_then(Value::as_array) {
                return self.one_of(parts);
            }
        }
        if let Some(word) = schema.get("const").and_then(Value::as_str) {
            return Sort::Word { words: vec![Word { name: word.into(), doc: doc(schema) }] };
        }
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            let words = words.iter().filter_map(Value::as_str);
            return Sort::Word { words: words.map(|name| Word { name: name.into(), doc: String::new() }).collect() };
        }
        match type_of(schema) {
            "boolean" => Sort::Flag,
            "integer" => Sort::Count,
            "number" => Sort::Number,
            "string" => Sort::Text,
            "array" => self.list(schema),
            "object" => Sort::Table { fields: self.fields(schema) },
            _ => Sort::Any,
        }
    }

    /// Kinds, words, or different sorts; that it may be null is no sort.
    fn one_of(&mut self, parts: &[Value]) -> Sort {
        let parts: Vec<&Value> = parts.iter().filter(|part| type_of(part) != "null").collect();
        if let [only] = parts[..] {
            return self.sort(only);
        }
        if let Some(tag) = parts.first().and_then(|part| tag(part))
            && parts.iter().all(|part| part["properties"][tag].get("const").is_some())
        {
            let kinds = parts.iter().map(|part| self.kind(part, tag)).collect();
            return Sort::Kinds { tag: tag.into(), kinds };
        }
        let mut sorts: Vec<Sort> = Vec::new();
        for part in parts {
            match (self.sort(part), sorts.last_mut()) {
                (Sort::Word { words: more }, Some(Sort::Word { words })) => words.extend(more),
                (sort, _) => sorts.push(sort),
            }
        }
        if sorts.len() == 1 { sorts.remove(0) } else { Sort::Either { sorts } }
    }

    fn kind(&mut self, part: &Value, tag: &str) -> Kind {
        let name = part["properties"][tag]["const"].as_str().unwrap_or_default().to_string();
        let mut fields = self.fields(part);
        fields.retain(|field| field.name != tag);
        Kind { name, doc: doc(part), needs: Vec::new(), fields }
    }

    fn list(&mut self, schema: &Value) -> Sort {
        if let Some(parts) = schema.get("prefixItems").and_then(Value::as_array) {
            return Sort::Row { of: parts.iter().map(|part| self.sort(part)).collect() };
        }
        let of = Box::new(schema.get("items").map_or(Sort::Any, |items| self.sort(items)));
        let length = schema.get("maxItems").filter(|most| schema.get("minItems") == Some(most));
        Sort::List { of, length: length.and_then(Value::as_u64).map(|length| length as usize) }
    }

    /// Required ones first, each in the order of its name.
    fn fields(&mut self, schema: &Value) -> Vec<Field> {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let required = schema.get("required").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let mut fields: Vec<Field> = properties
            .iter()
            .map(|(name, property)| {
                let sort = self.sort(property);
                let required = required.iter().any(|field| field == name);
                let default =
                    if required { None } else { property.get("default").cloned().or_else(|| empty(property, &sort)) };
                Field {
                    name: name.clone(),
                    default: default.filter(|value| !value.is_null()),
                    sort,
                    required,
                    doc: doc(property),
                    flag: property.get("flag").and_then(Value::as_str).map(String::from),
                    minimum: property.get("minimum").and_then(Value::as_f64),
                    exclusive_minimum: property.get("exclusiveMinimum").and_then(Value::as_f64),
                }
            })
            .collect();
        fields.sort_by_key(|field| !field.required);
        fields
    }
}

/// What leaving out a value means that is not written because it is empty.
fn empty(property: &Value, sort: &Sort) -> Option<Value> {
    let nullable = property.get("type").and_then(Value::as_array).is_some_and(|types| types.contains(&"null".into()));
    match sort {
        _ if nullable => None,
        Sort::List { length: None, .. } => Some(Value::Array(Vec::new())),
        Sort::Flag => Some(false.into()),
        _ => None,
    }
}

/// The property whose value is fixed.
fn tag(part: &Value) -> Option<&str> {
    let properties = part.get("properties")?.as_object()?;
    properties.iter().find(|(_, property)| property.get("const").is_some()).map(|(name, _)| name.as_str())
}

/// The type, which may be beside null.
fn type_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|name| *name != "null").unwrap_or("null")
        }
        _ => "",
    }
}

fn text(schema: &Value, key: &str) -> String {
    schema.get(key).and_then(Value::as_str).unwrap_or_default().to_string()
}

/// The first paragraph of what is said, in one line and without links into the sources.
fn doc(schema: &Value) -> String {
    let text = text(schema, "description");
    let first = text.split("\n\n").next().unwrap_or_default();
    without_links(&first.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `[name](path)` and [`name`] become the name.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find("[`") {
        let Some(close) = rest[open..].find("`]").map(|at| open + at) else { break };
        out += &rest[..open];
        out += &rest[open + 1..=close];
        rest = &rest[close + 2..];
        if let Some(after) = rest.strip_prefix('(').and_then(|path| path.find(')')) {
            rest = &rest[after + 2..];
        }
    }
    out + rest
}
