//! Graphs, target labels and codes at the edge, by flags and by settings in a file.

use serde_json::Value;

use crate::support::{Draws, Folder, table};

/// A folder with 40 labelled samples, `t.csv`.
fn labeled() -> Folder {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    folder
}

fn edges(list: &[(usize, usize, f64)]) -> String {
    let list: Vec<String> = list.iter().map(|(i, j, w)| format!("[{i}, {j}, {w:?}]")).collect();
    format!("[graph]\nkind = \"edges\"\nedges = [{}]\n", list.join(", "))
}

/// A ring of all samples, each edge in both directions.
fn ring(weight: f64) -> Vec<(usize, usize, f64)> {
    (0..40).flat_map(|i| [(i, (i + 1) % 40, weight), ((i + 1) % 40, i, weight)]).collect()
}

/// What `gsfa graph` says of a list of edges.
fn analyzed(folder: &Folder, list: &[(usize, usize, f64)]) -> Value {
    folder.write("edges.toml", edges(list));
    folder.json("graph --labels t.csv --learn age --config edges.toml")
}

fn notes(result: &Value) -> String {
    result["notes"].to_string()
}

/// Asymmetric, repeated and negative edges, and an inconsistent graph (F18, F19, F20, F23).
#[test]
fn edges_are_symmetrised_added_up_and_analysed() {
    let folder = labeled();
    let both = analyzed(&folder, &ring(1.0));
    assert_eq!((&both["r"], &both["consistent"]), (&80.0.into(), &true.into()));
    assert!(!notes(&both).contains("asymmetric"), "{both}");
    let one_way: Vec<_> = (0..40).map(|i| (i, (i + 1) % 40, 2.0)).collect();
    let once = analyzed(&folder, &one_way);
    assert!(notes(&once).contains("edge weights were asymmetric for 40 pairs and were replaced by their mean"));
    assert_eq!((&once["r"], &once["delta_values"]), (&both["r"], &both["delta_values"]));
    let twice = analyzed(&folder, &[ring(0.5), ring(0.5)].concat());
    assert_eq!((&twice["r"], &twice["delta_values"]), (&both["r"], &both["delta_values"]));
    let negative = analyzed(&folder, &[ring(1.0), vec![(0, 20, -0.1), (20, 0, -0.1)]].concat());
    assert_eq!(negative["smallest_edge"], -0.1);
    assert_eq!(negative["consistent"], false);
    assert!(notes(&negative).contains("vertex and edge weights disagree most at vertex "), "{negative}");
    // What is analysed can be trained.
    let line = "train --data t.csv --learn age --ignore kind --network linear --config edges.toml -o m.gsfa";
    assert!(folder.json(line)["delta_values"][0].as_f64().unwrap().is_finite());
}

/// Edges out of range, none at all, a negative sum, self-loops only (F20, F22, F24).
#[test]
fn edges_that_make_no_graph_are_refused() {
    let folder = labeled();
    let cases = [
        (vec![(0, 1, 1.0), (3, 40, 1.0)], "edge 1 connects vertices 3 and 40, but there are 40 vertices (0 to 39)"),
        (vec![], "the sum of edge weights is 0; it must be positive"),
        (vec![(0, 1, -1.0), (1, 0, -1.0)], "the sum of edge weights is -2; it must be positive"),
        (vec![(0, 0, 1.0), (7, 7, 2.0)], "the graph has self-loops only"),
    ];
    for (list, text) in cases {
        folder.write("edges.toml", edges(&list));
        for command in ["graph --labels t.csv", "train --data t.csv --ignore kind -o m.gsfa"] {
            let stderr = folder.fails(&format!("{command} --learn age --config edges.toml"), 3, text);
            assert!(stderr.contains("hint: "), "{stderr}");
        }
    }
    assert!(!folder.files().contains(&"m.gsfa".to_string()));
}

/// Classes without an edge between them (F21), and one of a single sample (F15).
#[test]
fn components_and_single_samples_are_told() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1) + "0.1,0.1,0.2,0.3,40.5,unique\n");
    let graph = folder.json("graph --labels t.csv --learn kind");
    assert_eq!(graph["components"], 4);
    assert!(notes(&graph).contains("4 components: 3 responses have Δ = 0 and may be rotated among each other"));
    assert!(!notes(&graph).contains("single sample"), "{graph}");
    let slow: Vec<f64> =
        graph["delta_values"].as_array().unwrap().iter().map(|delta| delta.as_f64().unwrap()).collect();
    assert!(slow[..3].iter().all(|delta| delta.abs() < 1e-9) && slow[3] > 1.0, "{slow:?}");
    folder.ok("train --data t.csv --learn kind --ignore age --network linear -o m.gsfa");
    folder.write("paper.toml", "[graph]\nkind = \"clustered\"\npaper_weights = true\n");
    let paper = folder.json("graph --labels t.csv --learn kind --config paper.toml");
    assert!(notes(&paper).contains("class unique has a single sample and got a self-loop of 1"), "{paper}");
}

/// A fold without which a label is constant (F5).
#[test]
fn a_part_whose_rest_has_a_constant_label_is_left_out_and_named() {
    let folder = Folder::new();
    let with = |(n, line): (usize, &str)| match n {
        0 => format!("{line},rare\n"),
        n => format!("{line},{}\n", if n == 7 { 1.5 } else { 0.5 }),
    };
    folder.write("t.csv", table(60, 1).lines().enumerate().map(with).collect::<String>());
    let line = "train --data t.csv --learn rare --ignore kind,age --task numbers --network linear";
    let folds = folder.json(&format!("{line} --folds 5 -o m.gsfa"));
    assert_eq!(folds["validation"].as_array().unwrap().len(), 4);
    let said = notes(&folds);
    assert!(said.contains("of 5 was left out: label 'rare' is constant (value 0.5"), "{said}");
    // The same for the parts that judge a model.
    assert!(said.contains("parts of the samples could not be left out"), "{said}");
    assert!(!notes(&folder.json(&format!("{line} --no-calibrate -o n.gsfa"))).contains("could not be left out"));
}

/// Labels that depend on others, and more targets than the labels allow (F30, F31).
#[test]
fn target_labels_that_do_not_exist_are_dropped_and_counted() {
    let folder = Folder::new();
    let with = |(n, line): (usize, &str)| match n {
        0 => format!("{line},six,twice\n"),
        n => format!("{line},{}.5,{}\n", n % 6, 3 * (n % 6) + 10),
    };
    folder.write("t.csv", table(60, 1).lines().enumerate().map(with).collect::<String>());
    let said = notes(&folder.json("graph --labels t.csv --learn six,twice --task numbers"));
    assert!(said.contains("label twice is dependent on earlier labels and was dropped (tolerance 1e-8); 1 is left"));
    let capped = folder.json("graph --labels t.csv --learn six --task numbers --graph ell --targets 9");
    let said = notes(&capped);
    assert!(said.contains("5 target labels instead of 9: the samples have too few distinct labels for more"), "{said}");
    assert_eq!(capped["targets"].as_array().unwrap().len(), 5);
    let trained = folder.json(
        "train --data t.csv --learn six --ignore kind,age,twice --task numbers --targets 9 --network linear -o m.gsfa",
    );
    assert!(notes(&trained).contains("5 target labels instead of 9"), "{trained}");
}

/// More target labels than nodes below the top have outputs (F32), and more outputs than slow features (F33).
#[test]
fn targets_and_outputs_that_do_not_match_are_remarked_on() {
    let folder = labeled();
    let layers = |outputs: &[usize]| -> String {
        outputs.iter().map(|count| format!("[[layers]]\noutput_dim = {count}\nridge = 0.001\n")).collect()
    };
    folder.write("narrow.toml", layers(&[2, 3]));
    folder.write("wide.toml", layers(&[3, 3]));
    let narrow = "3 target labels, but nodes of layer 1 pass on only 2 features";
    for command in ["plan", "train --force -o m.gsfa"] {
        let line = format!("{command} --data t.csv --learn age --ignore kind --targets 3 --network");
        assert!(notes(&folder.json(&format!("{line} narrow.toml"))).contains(narrow), "{command}");
        assert!(!notes(&folder.json(&format!("{line} wide.toml"))).contains("pass on only"), "{command}");
    }
    let surplus = folder.json("train --data t.csv --learn age --ignore kind --network linear --features 3 -o s.gsfa");
    let said = notes(&surplus);
    assert!(said.contains("1 feature is slower than noise; 2 more outputs are principal components"), "{said}");
    assert_eq!(surplus["delta_values"].as_array().unwrap()[1..], [2.0, 2.0]);
    let fewer = folder.json("train --data t.csv --learn age --ignore kind --network linear --features 9 -o f.gsfa");
    assert!(notes(&fewer).contains("4 features instead of 9: there are no more directions"), "{fewer}");
}

/// Eigenvalues of a settings file (F34, F35, F36).
#[test]
fn eigenvalues_are_checked_and_remarked_on() {
    let folder = labeled();
    let settings = |values: &str, more: &str| {
        let text = format!("[graph]\nkind = \"ell\"\ntargets = 3\neigenvalues = {{ values = {values} }}\n{more}");
        folder.write("e.toml", text);
        "graph --labels t.csv --learn age --config e.toml"
    };
    let line = settings("[0.2, 0.5, 0.1]", "");
    assert!(notes(&folder.json(line)).contains("label 2 has a larger eigenvalue than label 1"));
    folder.fails(settings("[0.2, 0.5, 0.1]", "strict = true"), 3, "label 2 has a larger eigenvalue (0.5) than label 1");
    let ignored = folder.json(settings("[1.0, 0.0, 0.0]", ""));
    assert!(notes(&ignored).contains("target labels with eigenvalue 0 have no influence: 2, 3"), "{ignored}");
    folder.fails(settings("[1.0, 0.5, -0.1]", ""), 3, "eigenvalue 3 is negative (-0.1)");
    folder.ok(settings("[1.0, 0.5, -0.1]", "allow_negative = true"));
    for bad in ["nan", "inf"] {
        let line = settings(&format!("[1.0, {bad}, 0.1]"), "");
        folder.fails(line, 3, "the list of eigenvalues has 1 non-finite value at position 1");
    }
    folder.fails(settings("[1.0, 0.5]", ""), 3, "2 eigenvalues were given for 3 target labels");
}

/// Codes of any number of classes, equal weights for unequal ones (F38).
#[test]
fn compact_codes_exist_for_any_number_of_classes() {
    let folder = Folder::new();
    for classes in [2, 3, 5, 7] {
        let mut draws = Draws::new(classes as u64);
        let mut csv = String::from("a,b,c,kind\n");
        for n in 0..60 {
            // The first class has as many samples as all others together.
            let class = if n % 2 == 0 { 0 } else { (n / 2) % classes };
            let value = |bit: usize, draws: &mut Draws| (class >> bit & 1) as f64 + 0.05 * draws.next();
            let x: Vec<String> = (0..3).map(|bit| value(bit, &mut draws).to_string()).collect();
            csv += &format!("{},k{class}\n", x.join(","));
        }
        folder.write("t.csv", csv);
        let bits = (classes as f64).log2().ceil() as usize;
        let line = format!("--learn kind --graph compact --targets {bits} --balance");
        let graph = folder.json(&format!("graph --labels t.csv {line}"));
        assert_eq!(graph["targets"].as_array().unwrap().len(), bits, "{classes} classes");
        let trained = folder.json(&format!("train --data t.csv {line} --network linear --force -o m.gsfa"));
        assert_eq!(trained["labels"][0]["classes"].as_array().unwrap().len(), classes);
        assert_eq!(trained["training"][0]["error_rate"], 0.0, "{classes} classes");
    }
}

/// Entries of a symmetric Matrix Market file, as a full matrix.
fn matrix_market(text: &str) -> Vec<Vec<f64>> {
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    assert!(text.starts_with("%%MatrixMarket matrix coordinate real symmetric\n"));
    let size: Vec<usize> = lines.next().unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    let mut matrix = vec![vec![0.0; size[1]]; size[0]];
    let mut entries = 0;
    for line in lines {
        let cells: Vec<&str> = line.split(' ').collect();
        let (n, m): (usize, usize) = (cells[0].parse().unwrap(), cells[1].parse().unwrap());
        assert!(m <= n);
        let weight: f64 = cells[2].parse().unwrap();
        (matrix[n - 1][m - 1], matrix[m - 1][n - 1]) = (weight, weight);
        entries += 1;
    }
    assert_eq!(entries, size[2]);
    matrix
}

fn rows(csv: &str) -> Vec<Vec<f64>> {
    csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()).collect()
}

/// All files of an export say what the graph is: its responses and their Δ, by the definition.
#[test]
fn an_exported_graph_is_the_one_that_was_analysed() {
    let folder = labeled();
    let line = "graph --labels t.csv --learn age --graph ell --targets 3 --responses 5 --export out/graph";
    let said = folder.json(line);
    assert_eq!(said["export"], "out/graph");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out/graph").join(name)).unwrap();
    let (gamma, vertices) = (matrix_market(&read("edge_weights.mtx")), rows(&read("vertices.csv")));
    let (responses, deltas) = (rows(&read("responses.csv")), rows(&read("delta_values.csv")));
    let r: f64 = gamma.iter().flatten().sum();
    assert!((r - said["r"].as_f64().unwrap()).abs() < 1e-9 * r);
    for n in 0..40 {
        assert!((vertices[n][2] - gamma[n].iter().sum::<f64>()).abs() < 1e-9);
        assert!((vertices[n][3] - gamma[n][n]).abs() < 1e-12);
    }
    for (j, delta) in deltas.iter().enumerate() {
        let difference = |n: usize, m: usize| (responses[n][j + 1] - responses[m][j + 1]).powi(2);
        let sum: f64 =
            (0..40).flat_map(|n| (0..40).map(move |m| (n, m))).map(|(n, m)| gamma[n][m] * difference(n, m)).sum();
        assert!((sum / r - delta[1]).abs() < 1e-9, "{j}: {} is not {}", sum / r, delta[1]);
        assert!((delta[1] - said["delta_values"][j].as_f64().unwrap()).abs() < 1e-12);
    }
    assert_eq!((deltas.len(), responses[0].len()), (5, 6));
    assert!(read("targets.csv").starts_with("target,eigenvalue,delta_value\nage,0.5,0\n"), "{}", read("targets.csv"));
    let (labels, targets) = (rows(&read("labels.csv")), rows(&read("target_labels.csv")));
    let correlation: f64 = targets.iter().zip(&labels).map(|(t, l)| t[1] * l[1]).sum::<f64>() / 40.0;
    assert!(correlation > 0.0 && targets[0].len() == 4);
    assert!((targets[7][1] - responses[7][1]).abs() < 1e-9);
}

/// Nothing is replaced without leave, nothing is left half-written, and what is given twice is the same.
#[test]
fn an_export_replaces_nothing_by_surprise() {
    let folder = labeled();
    let line = "graph --labels t.csv --learn kind --graph clustered --export out";
    folder.json(line);
    let names = ["delta_values.csv", "edge_weights.mtx", "labels.csv", "responses.csv", "vertices.csv"];
    let found = || {
        let entries = std::fs::read_dir(folder.path().join("out")).unwrap();
        let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(found(), names);
    let before = std::fs::read(folder.path().join("out/edge_weights.mtx")).unwrap();
    folder.fails(line, 2, "exists");
    folder.json(&format!("{line} --force"));
    assert_eq!(std::fs::read(folder.path().join("out/edge_weights.mtx")).unwrap(), before);
    assert_eq!(found(), names);
    folder.fails("graph --labels t.csv --learn kind --graph clustered --export t.csv", 2, "t.csv");
    // A graph that cannot be built leaves no folder.
    folder.fails("graph --labels t.csv --learn age --graph ell --targets 0 --export new", 2, "targets");
    assert!(!folder.path().join("new").exists());
    // One of the files is what is read.
    folder.write("labels.csv", table(40, 1));
    folder.fails("graph --labels labels.csv --learn age --export . --force", 2, "labels.csv");
}
