//! The tables of docs/json.md, read as the schema that they are.

use std::collections::HashMap;

use serde_json::Value;

/// Keys and types of each table.
struct Schema(HashMap<String, Vec<(String, String)>>);

impl Schema {
    fn read() -> Self {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md")).unwrap();
        let mut tables: HashMap<String, Vec<(String, String)>> = HashMap::new();
        let mut name = String::new();
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                name = heading.to_string();
                tables.insert(name.clone(), Vec::new());
            } else if let Some(row) = line.strip_prefix("| `") {
                let mut cells = row.split(" | ");
                let key = cells.next().unwrap().trim_end_matches('`').to_string();
                tables.get_mut(&name).unwrap().push((key, cells.next().unwrap().to_string()));
            }
        }
        Self(tables)
    }

    /// The first place where a value is not of the type.
    fn fault(&self, value: &Value, kind: &str) -> Option<String> {
        // "list of A or null" is a list or null, but "list of A or B" is a list of either.
        if let Some(inner) = kind.strip_suffix(" or null")
            && (value.is_null() || !inner.starts_with("list of ") || value.is_array())
        {
            let elements = kind.strip_prefix("list of ").filter(|_| value.is_array());
            return match elements {
                Some(element) => value.as_array()?.iter().find_map(|item| self.fault(item, element)),
                None if value.is_null() => None,
                None => self.fault(value, inner),
            };
        }
        if let Some(element) = kind.strip_prefix("list of ") {
            return match value.as_array() {
                Some(items) => items.iter().find_map(|item| self.fault(item, element)),
                None => Some(format!("{value} is no {kind}")),
            };
        }
        if let Some((one, other)) = kind.split_once(" or ") {
            let faults = [self.fault(value, one)?, self.fault(value, other)?];
            return Some(faults.join("; "));
        }
        let good = match kind {
            "text" => value.is_string(),
            "number" => value.is_number(),
            "count" => value.is_u64(),
            "bool" => value.is_boolean(),
            "object" => value.is_object(),
            "any" => true,
            table => return self.table_fault(value, &[table]),
        };
        (!good).then(|| format!("{value} is no {kind}"))
    }

    fn table_fault(&self, value: &Value, tables: &[&str]) -> Option<String> {
        let Some(object) = value.as_object() else { return Some(format!("{value} is no {tables:?}")) };
        let keys: Vec<&(String, String)> = tables
            .iter()
            .flat_map(|table| self.0.get(*table).unwrap_or_else(|| panic!("no table '{table}'")))
            .collect();
        if let Some(key) = object.keys().find(|key| !keys.iter().any(|(known, _)| known == *key)) {
            return Some(format!("key '{key}' is not documented in {tables:?}"));
        }
        keys.iter().find_map(|(key, kind)| match object.get(key) {
            None => Some(format!("key '{key}' of {tables:?} is missing")),
            Some(value) => self.fault(value, kind).map(|fault| format!("{key}: {fault}")),
        })
    }
}

/// Every key of every table with its type.
pub fn lines() -> Vec<String> {
    let tables = Schema::read().0;
    let keys =
        tables.iter().flat_map(|(table, keys)| keys.iter().map(move |(key, kind)| format!("{table}.{key}: {kind}")));
    let mut lines: Vec<String> = keys.collect();
    lines.sort();
    lines
}

/// Holds the result of a command to the documentation.
pub fn check(command: &str, value: &Value) {
    if let Some(fault) = Schema::read().table_fault(value, &["every command", command]) {
        panic!("{command}: {fault}\n{value}");
    }
}

#[test]
fn the_schema_tells_right_from_wrong() {
    let schema = Schema::read();
    let good = serde_json::json!({"folder": "f", "train": 1, "test": 2});
    assert_eq!(schema.table_fault(&good, &["generate"]), None);
    for wrong in [r#"{"folder": "f", "train": 1}"#, r#"{"folder": "f", "train": 1.5, "test": 2}"#, "[]"] {
        assert!(schema.table_fault(&serde_json::from_str(wrong).unwrap(), &["generate"]).is_some(), "{wrong}");
    }
    let more = serde_json::json!({"folder": "f", "train": 1, "test": 2, "new": 3});
    assert!(schema.table_fault(&more, &["generate"]).unwrap().contains("'new'"));
    let lists = [
        ("[1, null]", "list of number or null", true),
        ("null", "list of number or null", true),
        ("[[1]]", "list of list of number or null", true),
        ("[\"a\"]", "list of number or null", false),
        ("3", "list of number", false),
        ("null", "text", false),
        ("null", "text or null", true),
    ];
    for (value, kind, good) in lists {
        assert_eq!(schema.fault(&serde_json::from_str(value).unwrap(), kind).is_none(), good, "{value} as {kind}");
    }
}
