//! The codes of errors and remarks are those of `docs/codes.md`, with what their variants say of themselves.

use std::path::Path;

use gsfa_surface::snapshot;
use syn::{Attribute, Expr, Item, Lit, Meta, Variant};

/// The first sentence of a doc comment.
fn meaning(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_string()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let text = attributes.iter().filter_map(line).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}

/// As `strum` spells the name of a variant.
fn code(name: &str) -> String {
    let mut out = String::new();
    for (k, c) in name.chars().enumerate() {
        if c.is_uppercase() && k > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

fn variants(file: &str, name: &str) -> Vec<Variant> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let source = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let found = source.items.into_iter().find_map(|item| match item {
        Item::Enum(item) if item.ident == name => Some(item.variants.into_iter().collect()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{file} has no {name}"))
}

/// A table of `python/gsfa/_codes.py`: one line for each code, with its meaning.
fn python_table(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/gsfa/_codes.py");
    let text = std::fs::read_to_string(&path).unwrap();
    let start = text.lines().skip_while(|line| *line != format!("{name} = {{")).skip(1);
    let pair = |line: &str| {
        let parts: Vec<&str> = line.trim().trim_end_matches(',').trim_matches('"').splitn(2, "\": \"").collect();
        match parts[..] {
            [code, meaning] => (code.to_string(), meaning.to_string()),
            _ => panic!("_codes.py: this is no code with its meaning: {line}"),
        }
    };
    start.take_while(|line| *line != "}").map(pair).collect()
}

#[test]
fn surface_of_codes() {
    let mut lines: Vec<String> = vec![
        "# Codes".into(),
        String::new(),
        "What sort an error or a remark is, for programs: `code` of `gsfa::Error`, `gsfa_data::Error` and `gsfa::Note` in \
         Rust, of `GsfaError` and `Remark` in Python, and in the JSON of the command line. Texts may change with every version; a code that \
         is gone or renamed is told under *Breaking*. Made from the sources; `CONTRIBUTING.md`, *The surface*, says how."
            .into(),
    ];
    for (title, file, name) in [
        ("Errors of the method", "gsfa/src/error/mod.rs", "Error"),
        ("Errors of files and tables", "gsfa-data/src/error/mod.rs", "Error"),
        ("Errors of the command line", "gsfa-cli/src/error/codes.rs", "ErrorCode"),
        ("Remarks of the method", "gsfa/src/note.rs", "Note"),
        ("Remarks of the command line", "gsfa-cli/src/error/codes.rs", "RemarkCode"),
    ] {
        lines.extend([String::new(), format!("## {title}"), "| code | |".into(), "|---|---|".into()]);
        for variant in variants(file, name).iter().filter(|variant| variant.ident != "Core") {
            lines.push(format!("| `{}` | {} |", code(&variant.ident.to_string()), meaning(&variant.attrs)));
        }
    }
    for (title, name) in [("Errors of the Python package", "ERRORS"), ("Remarks of the Python package", "REMARKS")] {
        lines.extend([String::new(), format!("## {title}"), "| code | |".into(), "|---|---|".into()]);
        lines.extend(python_table(name).into_iter().map(|(code, meaning)| format!("| `{code}` | {meaning} |")));
    }
    snapshot::check("../codes.md", &lines);
}
