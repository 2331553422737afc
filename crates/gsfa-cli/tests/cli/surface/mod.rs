//! What users of the command see is that of `docs/surface`: help, flags, JSON, settings.

mod help;
mod settings;

use gsfa_surface::snapshot;
use serde_json::Value;
use settings::{Reader, Survey};

use crate::schema;
use crate::support::Folder;

#[test]
fn surface_of_flags() {
    let pages = help::pages(&Folder::new());
    assert!(pages.len() > 10, "commands are found in the help");
    snapshot::check("command-line.txt", &pages.iter().flat_map(help::Page::facts).collect::<Vec<_>>());
}

#[test]
fn surface_of_help() {
    let pages = help::pages(&Folder::new());
    snapshot::check("help.txt", &pages.iter().flat_map(help::Page::text).collect::<Vec<_>>());
}

#[test]
fn surface_of_json() {
    snapshot::check("json.txt", &schema::lines());
}

#[test]
fn surface_of_settings() {
    let folder = Folder::new();
    let settings = |value: &Value| {
        folder.write("s.toml", toml::to_string(value).map_err(|error| error.to_string())?);
        let output = folder.run("train --config s.toml --print-config --threads 1");
        let text = String::from_utf8_lossy(if output.status.success() { &output.stdout } else { &output.stderr });
        match output.status.success() {
            true => Ok(toml::from_str(&text).unwrap()),
            // Without the name of the file and the hint.
            false => {
                Err(text.lines().next().and_then(|line| line.splitn(3, ": ").nth(2)).unwrap_or_default().to_string())
            }
        }
    };
    let mut survey = Survey::new(&settings);
    survey.describe("settings", &settings);
    // What is written in Rust and Python, but in no file of settings.
    let network: Reader<'_> = &again::<gsfa::network::NetworkSpec>;
    let recipe: Reader<'_> = &again::<gsfa::recipe::Recipe>;
    survey.describe("NetworkSpec", network);
    survey.describe("Recipe", recipe);
    snapshot::check("specification.txt", &survey.lines);
}

/// A value read and written.
fn again<T: serde::de::DeserializeOwned + serde::Serialize>(value: &Value) -> Result<Value, String> {
    let read: T = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    serde_json::to_value(read).map_err(|error| error.to_string())
}
