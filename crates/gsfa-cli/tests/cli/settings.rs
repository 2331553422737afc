//! Settings by name: what `gsfa settings` lists is what flags, files and `--set` take.

use gsfa::graph::GraphSpec;
use gsfa::network::LayerSpec;
use gsfa::readout::Readout;
use gsfa::recipe::Recipe;
use gsfa::specification::{Field, Kind, Sort, fields_of, kinds_of};
use gsfa_surface::snapshot;
use serde_json::Value;

use crate::support::{Folder, table};

/// The settings after a line of flags.
fn settings(folder: &Folder, flags: &str) -> Value {
    toml::from_str(&folder.ok(&format!("train --print-config {flags}"))).unwrap()
}

fn is_nameable(kind: &&Kind) -> bool {
    kind.fields.iter().all(|field| !field.required || field.flag.is_some())
}

#[test]
fn any_setting_is_set_by_its_name() {
    let folder = Folder::new();
    for (set, pointer, value) in [
        ("graph.groups=7", "/graph/groups", Value::from(7)),
        ("graph.kind=mixed", "/graph/kind", "mixed".into()),
        ("graph=compact", "/graph/kind", "compact".into()),
        ("network.kind=paper-64", "/network/kind", "paper-64".into()),
        ("network.ridge=0.25", "/network/ridge", 0.25.into()),
        ("readout={kind=\"soft_gc\",bins=9}", "/readout/bins", 9.into()),
        ("reading.ignore=a,b", "/reading/ignore/1", "b".into()),
        ("reading.missing=drop", "/reading/missing", "drop".into()),
        ("clip=[0,120]", "/clip/1", 120.0.into()),
        ("clip=training", "/clip", "training".into()),
        ("calibrate=false", "/calibrate", false.into()),
        ("validation.holdout=0.5", "/validation/holdout", 0.5.into()),
        ("task=numbers", "/task", "numbers".into()),
        ("seed=9", "/seed", 9.into()),
        ("data=a=b.npy", "/data", "a=b.npy".into()),
        ("distortion.shift=2", "/distortion/shift", 2.0.into()),
        ("preparation.steps=[{step=\"grey\"}]", "/preparation/steps/0/step", "grey".into()),
    ] {
        assert_eq!(settings(&folder, &format!("--set {set}")).pointer(pointer), Some(&value), "{set}");
    }
}

#[test]
fn assignments_come_in_their_order_after_flags_and_file() {
    let folder = Folder::new();
    folder.write("s.toml", "[graph]\nkind = \"serial\"\ngroups = 3\n[[network.layers]]\noutput_dim = 4\n");
    let found = settings(&folder, "--config s.toml --groups 4 --set graph.groups=5 --set network.layers.0.ridge=0.5");
    assert_eq!((&found["graph"]["groups"], &found["network"]["layers"][0]["ridge"]), (&5.into(), &0.5.into()));
    let found = settings(&folder, "--set graph.kind=ell --set graph.eigenvalues=equal --set graph.targets=3");
    assert_eq!((&found["graph"]["eigenvalues"], &found["graph"]["targets"]), (&"equal".into(), &3.into()));
    let found = settings(&folder, "--graph ell --set graph.eigenvalues={geometric=0.5} --set graph.targets=");
    assert_eq!((&found["graph"]["eigenvalues"]["geometric"], found["graph"].get("targets")), (&0.5.into(), None));
    // A kind that is set again keeps its settings; another one takes the place of what a file says, not of flags.
    let found = settings(&folder, "--groups 4 --set graph.kind=serial");
    assert_eq!(found["graph"]["groups"], 4);
    let found = settings(&folder, "--config s.toml --set graph.kind=mixed");
    assert_eq!(found["graph"]["groups"], 60);
    for flags in ["--groups 4", "--graph serial --groups 4"] {
        let line = format!("train {flags} --set graph.kind=mixed --print-config");
        let stderr = folder.fails(&line, 2, "--groups is of a graph of kind serial, and --set names mixed");
        assert!(stderr.contains("hint: name the graph once"), "{stderr}");
    }
}

#[test]
fn wrong_assignments_are_told_with_what_was_meant() {
    let folder = Folder::new();
    for (set, text, hint) in [
        ("graph.gruops=5", "there is no setting 'gruops'", "did you mean 'groups'?"),
        ("grahp.groups=5", "there is no setting 'grahp'", "did you mean 'graph'?"),
        ("graph.kind=serail", "it is one of chain", "did you mean 'serial'?"),
        ("reading.missing=dorp", "it is one of error, drop", "did you mean 'drop'?"),
        ("readout.bins=5", "the kind of 'readout' is open", "readout.kind=gaussian_classifier or soft_gc"),
        ("graph.groups=five", "a whole number is needed", ""),
        ("graph.groups=-1", "a whole number is needed", ""),
        ("network.ridge=nan", "a number is needed", ""),
        ("calibrate=yes", "true or false is needed", ""),
        ("network.layers.0.ridge=1", "there is no '0' among 0", "numbered from 0"),
        ("seed.x=1", "'seed' holds no settings", ""),
        ("graph", "a name, = and a value are needed", "graph.groups=60"),
        ("=1", "there is no setting ''", ""),
    ] {
        let stderr = folder.fails(&format!("train --set {set} --print-config"), 2, text);
        assert!(stderr.contains(hint), "{set}: {stderr}");
    }
    let stderr = folder.fails("train --graph ell --set graph.groups=5 --print-config", 2, "no setting 'groups'");
    assert!(stderr.contains("serial, mixed"), "{stderr}");
}

#[test]
fn graphs_of_the_table_are_those_of_the_flags_with_their_defaults() {
    let folder = Folder::new();
    let help = folder.ok("train --help");
    for kind in GraphSpec::kinds().iter().filter(is_nameable) {
        let flag = kind.name.replace('_', "-");
        assert!(help.contains(&format!("- {flag}: ")), "{flag} in {help}");
        let needed: Vec<String> =
            kind.fields.iter().filter(|field| field.required).map(|field| field.name.clone()).collect();
        let given: String = needed.iter().map(|name| format!(" --{} 3", name.replace('_', "-"))).collect();
        let by_flags = settings(&folder, &format!("--graph {flag}{given}"));
        let set: String = needed.iter().map(|name| format!(" --set graph.{name}=3")).collect();
        let by_name = settings(&folder, &format!("--set graph.kind={}{set}", kind.name));
        assert_eq!(by_flags["graph"], by_name["graph"]);
        for field in &kind.fields {
            let found = by_flags["graph"].get(&field.name);
            match &field.default {
                // What is empty is not written.
                Some(value) => assert_eq!(found.unwrap_or(&Value::Array(Vec::new())), value, "{}.{}", flag, field.name),
                None => assert_eq!(found.is_some(), field.required, "{}.{}", flag, field.name),
            }
        }
        if let Some(lacking) = needed.first() {
            let flag = format!("needs --{}", lacking.replace('_', "-"));
            folder.fails(&format!("train --graph {} --print-config", kind.name.replace('_', "-")), 2, &flag);
        }
    }
}

/// The line of what is wrong, also in tables that say their kind, of which serde knows the first line only.
#[test]
fn errors_in_files_of_settings_have_the_line_of_the_flaw() {
    let folder = Folder::new();
    let graph = "seed = 1\n\n[graph]\nkind = 'serial'\n# groups\n";
    let layers = "[network]\nkind = 'layers'\n[[network.layers]]\noutput_dim = 2\n[[network.layers]]\noutput_dim = 3\n";
    let cases = [
        (format!("{graph}gruops = 5\n"), 6, "did you mean 'groups'?"),
        (format!("{graph}groups = 'five'\n"), 6, ""),
        (format!("{graph}groups = -5\n"), 6, ""),
        (format!("{graph}groups = 5\nnumbers = true\n"), 7, ""),
        ("seed = 1\n[graph]\ngroups = 5\nkind = 'serail'\n".into(), 4, "did you mean 'serial'?"),
        ("readout = { kind = 'soft_gc', bnis = 5 }\n".into(), 1, "did you mean 'bins'?"),
        ("seed = 1\nreadout = { kind = 'soft_gc',\n  bins = 5,\n  features = 'x' }\n".into(), 4, ""),
        (format!("{layers}expansion = {{ kind = 'polynomial', degre = 2 }}\n"), 7, "did you mean 'degree'?"),
        (
            "[[preparation.steps]]\nstep = 'grey'\n\n[[preparation.steps]]\nstep = 'resize'\nheight = 3\nwidht = 4\n"
                .into(),
            7,
            "",
        ),
        ("laern = ['age']\n".into(), 1, "did you mean 'learn'?"),
        ("seed = 1\nlaern = ['age']\n".into(), 2, "did you mean 'learn'?"),
        ("seed = 1\ncalibrate = 3\n".into(), 2, ""),
        ("seed = 1\n\neffort = 'hard'\n".into(), 3, ""),
        ("seed = 1\n[reading\n".into(), 2, ""),
    ];
    for (text, line, hint) in cases {
        folder.write("s.toml", &text);
        let stderr = folder.fails("train --config s.toml --print-config", 2, &format!("s.toml, line {line}: "));
        assert!(stderr.contains(hint), "{text}{stderr}");
    }
}

/// What is written of a table is what the library takes if nothing is said; returned are defaults that are not written.
fn check_defaults(fields: &[Field], written: &Value, place: &str) -> Vec<(String, Value)> {
    let mut unwritten = Vec::new();
    for field in fields.iter().filter(|field| !field.required) {
        let (name, found) = (format!("{place}.{}", field.name), written.get(&field.name));
        match (&field.sort, &field.default, found) {
            (Sort::Table { fields }, _, Some(inner)) => unwritten.extend(check_defaults(fields, inner, &name)),
            (_, Some(default), Some(found)) => assert_eq!(found, default, "{name}"),
            (_, Some(default), None) => unwritten.push((name, default.clone())),
            (_, None, found) => assert_eq!(found, None, "{name}"),
        }
    }
    unwritten
}

#[test]
fn defaults_are_those_of_the_library() {
    let folder = Folder::new();
    let mut recipe = fields_of::<Recipe>();
    // Said by --missing-labels keep; and clip, left out, leaves a read-out that is named its own.
    recipe.retain(|field| !["semi_supervised", "clip"].contains(&field.name.as_str()));
    assert!(recipe.len() > 5);
    let lists = |unwritten: Vec<(String, Value)>| unwritten.iter().all(|(_, default)| *default == Value::Array(vec![]));
    assert!(lists(check_defaults(&recipe, &settings(&folder, ""), "recipe")));
    for kind in kinds_of::<Readout>() {
        let readout = settings(&folder, &format!("--set readout.kind={}", kind.name))["readout"].clone();
        assert!(lists(check_defaults(&kind.fields, &readout, &kind.name)));
    }
    let layer = |more: &str| {
        settings(&folder, &format!("--set network.kind=layers --set network.layers=[{{output_dim=3{more}}}]"))
    };
    let bare = layer("");
    for (name, default) in check_defaults(&fields_of::<LayerSpec>(), &bare["network"]["layers"][0], "layer") {
        let name = name.trim_start_matches("layer.");
        assert_eq!(layer(&format!(",{name}={default}")), bare, "{name}");
    }
}

#[test]
fn a_flag_that_means_nothing_to_the_graph_names_those_that_have_it() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    let stderr = folder.fails("graph --labels t.csv --learn age --graph ell --groups 3", 2, "--groups means nothing");
    assert!(stderr.contains("graphs with --groups: serial, mixed"), "{stderr}");
}

#[test]
fn surface_of_the_page_of_settings() {
    let folder = Folder::new();
    let text = folder.ok("settings");
    let page = format!(
        "# Settings\n\nEverything that can be set, from the types that read it (`gsfa settings`): in a TOML file \
         (`--config`), after `--set` on the command line, in model files, and, for graphs, networks and read-outs, in \
         Python and Rust under the same names. What has no default may be left out and then means what is said.\n\n{text}"
    );
    snapshot::check("../specification.md", &page.lines().map(String::from).collect::<Vec<_>>());
    let listed = folder.json("settings graph.serial");
    assert_eq!(listed["settings"][0]["fields"][0]["name"], "groups");
    assert!(folder.fails("settings graph.seriel", 2, "no settings").contains("did you mean 'graph.serial'?"));
}

#[test]
fn mistakes_in_a_file_are_told_in_its_lines_and_without_words_of_a_program() {
    let folder = Folder::new();
    for (text, line, words) in [
        ("learn = [\"age\"]\n[task]\nage = \"number\"\n", 3, "'number' is neither 'numbers' nor 'classes'"),
        ("[graph]\nkind = \"serial\"\ngroups = \"many\"\n", 3, "expected a whole number"),
        ("graph = 3\n", 1, "expected a table of settings"),
        ("[network]\nridge = \"small\"\n", 2, "expected a number"),
        ("learn = 4\n", 1, "expected a list"),
    ] {
        folder.write("s.toml", text);
        let stderr = folder.fails("train --print-config --config s.toml", 2, words);
        assert!(stderr.contains(&format!("line {line}:")), "{stderr}");
        for word in ["usize", "f64", "enum", "struct", "sequence"] {
            assert!(!stderr.contains(word), "{stderr}");
        }
    }
}

#[test]
fn words_are_understood_with_dashes_and_with_underscores() {
    let folder = Folder::new();
    folder.write("t.csv", table(60, 3));
    let printed =
        |line: &str| folder.ok(&format!("train --data t.csv --learn kind --ignore age {line} --print-config"));
    assert_eq!(printed("--code weighted-fisher"), printed("--code weighted_fisher"));
    assert_eq!(printed("--set graph.kind=compact --set graph.code=weighted-fisher"), printed("--code weighted_fisher"));
    assert_eq!(printed("--readout nearest_centroid"), printed("--set readout=nearest-centroid"));
    let wide = "--half-width 3";
    assert_eq!(printed(&format!("--graph sliding_window {wide}")), printed(&format!("--graph sliding-window {wide}")));
    let stderr = folder.fails("train --data t.csv --set readout=gaussian", 2, "it is one of");
    assert!(stderr.contains("did you mean 'gaussian_classifier'?"), "{stderr}");
    let stderr = folder.fails("train --data t.csv --set network=linear", 2, "a table is needed");
    assert!(stderr.contains("hint: --set network.kind=linear"), "{stderr}");
    let stderr = folder.fails("train --data t.csv --code sparce", 2, "sparce");
    assert!(stderr.contains("'sparse'"), "{stderr}");
}
