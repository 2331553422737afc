//! The help of all commands, and the flags, values and defaults in it.

use crate::support::Folder;

/// The help of one command.
pub struct Page {
    /// `gsfa`, `gsfa train`, …
    command: String,
    help: String,
}

/// The help of `gsfa` and of all commands that it lists.
pub fn pages(folder: &Folder) -> Vec<Page> {
    let help = |command: &str| {
        let output = folder.command(&format!("{command} --help")).env("COLUMNS", "100").output().unwrap();
        let name = format!("gsfa {command}").trim_end().to_string();
        Page { command: name, help: String::from_utf8(output.stdout).unwrap() }
    };
    let all = help("");
    let commands = all.help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description that fills several lines begins further to the right.
    let names = commands.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    let pages: Vec<Page> = names.filter(|name| *name != "help").map(help).collect();
    std::iter::once(all).chain(pages).collect()
}

/// A flag or an argument, with its description in one line.
struct Entry {
    head: String,
    description: String,
    values: Vec<String>,
}

impl Page {
    /// As it is printed.
    pub fn text(&self) -> Vec<String> {
        let heading = format!("$ {} --help", self.command);
        std::iter::once(heading).chain(self.help.lines().map(|line| line.trim_end().to_string())).collect()
    }

    /// How the command is called, its flags with what they take, and what values and defaults they have.
    pub fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        let usage = self.help.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or_default();
        facts.push(format!("{}: usage {usage}", self.command));
        for entry in self.entries() {
            let words: Vec<&str> = entry.head.split([' ', ',']).filter(|word| !word.is_empty()).collect();
            let name = words.iter().find(|word| word.starts_with("--")).unwrap_or(&words[0]);
            let rest: Vec<&str> = words.iter().filter(|word| *word != name).copied().collect();
            let address = format!("{} {name}", self.command);
            facts.push(format!("{address}: {}", if rest.is_empty() { "flag".into() } else { rest.join(" ") }));
            let default = bracket(&entry.description, "default").map(|default| format!("default {default}"));
            let listed = bracket(&entry.description, "possible values").unwrap_or_default();
            let values = listed.split(", ").map(str::to_string).chain(entry.values).filter(|value| !value.is_empty());
            facts.extend(
                default
                    .into_iter()
                    .chain(values.map(|value| format!("value {value}")))
                    .map(|f| format!("{address}: {f}")),
            );
        }
        if let Some((_, codes)) = self.help.split_once("Exit codes: ") {
            let codes = codes.split_once("\n\n").map_or(codes, |(codes, _)| codes).replace('\n', " ");
            let codes = codes.trim_end_matches('.').split(", ").filter_map(|code| code.split_once(' '));
            facts.extend(codes.map(|(code, meaning)| format!("{} exit {code}: {}", self.command, meaning.trim())));
        }
        facts
    }

    fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut inside = false;
        for line in self.help.lines() {
            if !line.is_empty() && !line.starts_with(' ') {
                // Headings of lists end with a colon; commands have pages of their own, and examples are no list.
                inside = line.ends_with(':') && line != "Commands:" && !line.starts_with("Example");
                continue;
            }
            let indentation = line.len() - line.trim_start().len();
            let text = line.trim();
            let begins = text.starts_with(['-', '<', '[']) && indentation < 10;
            match entries.last_mut() {
                _ if !inside || text.is_empty() => {}
                _ if begins => {
                    let (head, description) = text.split_once("  ").unwrap_or((text, ""));
                    let (head, description) = (head.to_string(), description.trim().to_string());
                    entries.push(Entry { head, description, values: Vec::new() });
                }
                Some(entry) => match text.strip_prefix("- ") {
                    Some(value) => entry.values.extend(value.split(':').next().map(str::to_string)),
                    None => entry.description = format!("{} {text}", entry.description),
                },
                None => {}
            }
        }
        entries
    }
}

/// What stands in `[name: …]`.
fn bracket(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("[{name}: "))?;
    rest.split_once(']').map(|(value, _)| value.to_string())
}
