//! `gsfa settings`: all settings, from the types that read them; `docs/specification.md` is what it prints.

use gsfa::graph::GraphSpec;
use gsfa::specification::{Field, Kind, Sort, sort_of, suggestion};
use serde_json::{Value, json};

use crate::args::{SettingsArgs, flag_name};
use crate::error::{Error, ErrorCode, Result};
use crate::present::Printer;
use crate::settings::Settings;

pub fn run(args: &SettingsArgs, printer: &Printer) -> Result {
    let mut sections = Vec::new();
    collect("", &sort_of::<Settings>(), "All settings, in a file as on the command line after --set.", &mut sections);
    if let Some(name) = &args.name {
        let known = sections.iter().flat_map(|section| {
            let fields = section.fields.iter().map(|field| inside(&section.name, &field.name));
            std::iter::once(section.name.clone()).chain(fields)
        });
        let known: Vec<String> = known.collect();
        // One setting of a table.
        let (table, field) = name.rsplit_once('.').unwrap_or(("", name));
        let only =
            sections.iter().find(|section| section.name == table && section.fields.iter().any(|f| f.name == field));
        let only = only.map(|section| section.only(field));
        // A table, those in it, and those of a list.
        let under = |one: &str| {
            one.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        sections.retain(|section| under(&section.name));
        if let (true, Some(only)) = (sections.is_empty(), only) {
            sections.push(only);
        }
        if sections.is_empty() {
            let hint = suggestion(name, known.iter().map(String::as_str));
            let failure = Error::usage(ErrorCode::UnknownSetting, format!("there are no settings '{name}'"));
            return Err(failure.hint(hint.unwrap_or_else(|| "gsfa settings lists all".into())));
        }
    }
    let text: String = sections.iter().map(Section::text).collect::<Vec<_>>().join("\n");
    printer.result("settings", &[], json!({"settings": sections.iter().map(Section::json).collect::<Vec<_>>()}), &text)
}

/// A table of settings.
struct Section {
    /// `graph.serial`, or nothing for the outermost table.
    name: String,
    /// `kind` and its value, where a table says its kind.
    kind: Option<(String, String)>,
    doc: String,
    needs: Vec<gsfa::specification::Need>,
    fields: Vec<Field>,
}

/// The name of a setting in a table.
fn inside(table: &str, field: &str) -> String {
    if table.is_empty() { field.to_string() } else { format!("{table}.{field}") }
}

/// A table and those in it, outer ones first.
fn collect(name: &str, sort: &Sort, doc: &str, sections: &mut Vec<Section>) {
    let inner = |field: &str| inside(name, field);
    match sort {
        Sort::Table { fields } => {
            let (name, doc) = (name.to_string(), doc.to_string());
            sections.push(Section { name, kind: None, doc, needs: Vec::new(), fields: fields.clone() });
            for field in fields {
                collect(&inner(&field.name), &field.sort, &field.doc, sections);
            }
        }
        Sort::Kinds { tag, kinds } => {
            // What graphs need beside their settings stands in their table alone.
            let kinds: &[Kind] = if name == "graph" { GraphSpec::kinds() } else { kinds };
            for kind in kinds {
                sections.push(Section {
                    name: inner(&kind.name),
                    kind: Some((tag.clone(), kind.name.clone())),
                    doc: kind.doc.clone(),
                    needs: kind.needs.clone(),
                    fields: kind.fields.clone(),
                });
                for field in &kind.fields {
                    collect(&inner(&format!("{}.{}", kind.name, field.name)), &field.sort, &field.doc, sections);
                }
            }
        }
        Sort::List { of, .. } => collect(&format!("{name}[]"), of, doc, sections),
        _ => {}
    }
}

impl Section {
    /// One of its settings.
    fn only(&self, name: &str) -> Self {
        let fields = self.fields.iter().filter(|field| field.name == name).cloned().collect();
        Self {
            name: self.name.clone(),
            kind: self.kind.clone(),
            doc: self.doc.clone(),
            needs: self.needs.clone(),
            fields,
        }
    }

    fn text(&self) -> String {
        let title = if self.name.is_empty() { "Settings" } else { &self.name };
        let mut text = format!("## {title}\n{}", self.doc);
        if let Some((tag, kind)) = &self.kind {
            text += &format!(" Written `{tag} = \"{kind}\"`.");
        }
        let needs: Vec<&str> = self.needs.iter().map(|need| need.words()).collect();
        if !needs.is_empty() {
            text += &format!(" Needs {}.", needs.join(", "));
        }
        text += "\n";
        for field in &self.fields {
            text += &line(field);
        }
        text
    }

    fn json(&self) -> Value {
        json!({"name": self.name, "kind": self.kind, "doc": self.doc, "needs": self.needs, "fields": self.fields})
    }
}

fn line(field: &Field) -> String {
    let default = match &field.default {
        Some(value) => format!(" = {value}"),
        None if field.required => ", required".into(),
        None => String::new(),
    };
    let flag = field.flag.as_ref().map(|_| format!("; {}", flag_name(&field.name))).unwrap_or_default();
    format!("- `{}{default}` ({}{flag}): {}\n", field.name, field.words(), field.doc)
}
