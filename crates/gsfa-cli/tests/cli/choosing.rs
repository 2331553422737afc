//! What is left open: chosen by left-out samples, told, drawn, and interrupted.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::support::{Draws, Folder, long_work, numbers, signal, table};

#[test]
fn threads_do_not_change_what_is_tried_or_taken() {
    let folder = Folder::new();
    folder.write("t.csv", table(120, 3));
    let one = folder.json("select --data t.csv --learn age --ignore kind --threads 1 -o one.svg");
    let two = folder.json("select --data t.csv --learn age --ignore kind --threads 2");
    assert_eq!(one["selection"], two["selection"]);
    let drawn = folder.read("one.svg");
    for tried in one["selection"]["tried"].as_array().unwrap() {
        // Names are not cut.
        assert!(drawn.contains(&format!("{}</text>", tried["name"].as_str().unwrap())), "{tried}\n{drawn}");
    }
    assert!(drawn.contains("mean loss of left-out samples, with its standard error</text>"), "{drawn}");
}

#[test]
fn samples_that_are_held_out_take_no_part_in_any_choice() {
    let folder = Folder::new();
    let csv = table(100, 5);
    // Two groups, one of which is held out; labels of a group are turned around.
    let turned = |group: usize| {
        let rows: Vec<&str> = csv.lines().skip(1).collect();
        let heading: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let at = heading.iter().position(|name| *name == "age").unwrap();
        let members: Vec<usize> = (0..rows.len()).filter(|n| n % 2 == group).collect();
        let mut out = format!("{},g\n", heading.join(","));
        for (n, row) in rows.iter().enumerate() {
            let mut cells: Vec<String> = row.split(',').map(str::to_string).collect();
            if let Some(k) = members.iter().position(|&m| m == n) {
                let other = rows[members[members.len() - 1 - k]].split(',').nth(at).unwrap();
                cells[at] = other.to_string();
            }
            out += &format!("{},g{}\n", cells.join(","), n % 2);
        }
        out
    };
    folder.write("t.csv", turned(2));
    folder.write("new.csv", table(20, 6));
    let estimates = |data: &str| {
        folder.write("d.csv", data);
        let line = "train --data d.csv --learn age --ignore kind --holdout 0.5 --group g -o m.gsfa --force";
        let trained = folder.json(line);
        let given = folder.ok("transform m.gsfa --data new.csv");
        (trained["selection"].clone(), trained["validation"].clone(), given)
    };
    let own = estimates(&turned(2));
    let (first, second) = (estimates(&turned(0)), estimates(&turned(1)));
    // One of the groups was held out: its labels change its own error and nothing else.
    let same = [&first, &second].map(|other| (other.0 == own.0, other.2 == own.2, other.1 == own.1));
    assert!(same.contains(&(true, true, false)), "{same:?}");
    assert!(same.iter().any(|(_, features, _)| !features), "{same:?}");
}

/// Two interruptions of a search that has a candidate: the first keeps it.
#[cfg(unix)]
#[test]
fn an_interrupted_search_trains_the_best_so_far_and_says_so() {
    let folder = Folder::new();
    long_work(&folder);
    let mut child = folder
        .command("train --data t.csv --learn age -o m.gsfa --threads 1 --effort thorough")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    for line in lines.by_ref() {
        said += &format!("{line}\n");
        if line.contains("candidate 2") {
            break;
        }
    }
    signal(&child, "-INT");
    lines.for_each(|line| said += &format!("{line}\n"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("the best so far is taken; once more ends the command"), "{said}");
    assert!(said.contains("the best of 1 candidate was taken"), "{said}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("the search was interrupted"), "{text}");
    assert!(folder.files().contains(&"m.gsfa".to_string()));
}

/// The cells of a CSV table, without its heading.
fn cells(csv: &str) -> Vec<Vec<f64>> {
    csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

/// A table of four inputs, an age and a group, from the rows of [`table`] with given ages.
fn with_groups(rows: &[[f64; 4]], ages: &[f64], keep: impl Fn(usize) -> bool) -> String {
    let mut csv = String::from("a,b,c,d,age,g\n");
    for (n, (x, age)) in rows.iter().zip(ages).enumerate().filter(|(n, _)| keep(*n)) {
        csv += &format!("{},{},{},{},{age},{}\n", x[0], x[1], x[2], x[3], n % 4);
    }
    csv
}

/// What commands say about each group by models of the others, as one list in the order of the samples.
fn by_hand(folder: &Folder, rows: &[[f64; 4]], ages: &[f64], what: &str) -> Vec<f64> {
    let mut given = vec![0.0; ages.len()];
    for group in 0..4 {
        folder.write("rest.csv", with_groups(rows, ages, |n| n % 4 != group));
        folder.write("left.csv", with_groups(rows, ages, |n| n % 4 == group));
        folder
            .ok(&format!("train --data rest.csv --learn age --ignore g {what} --no-calibrate -o by_hand.gsfa --force"));
        let estimates = cells(&folder.ok("predict by_hand.gsfa --data left.csv --ignore age,g"));
        let left = (0..ages.len()).filter(|n| n % 4 == group);
        left.zip(estimates).for_each(|(n, row)| given[n] = row[1]);
    }
    given
}

/// Squared error of estimates that are drawn towards the mean label by the slope with which labels follow them, at most 1,
/// in units of the label's variance.
fn loss(given: &[f64], truth: &[f64]) -> f64 {
    let centre = truth.iter().sum::<f64>() / truth.len() as f64;
    let products: f64 = given.iter().zip(truth).map(|(g, t)| (g - centre) * (t - centre)).sum();
    let slope = (products / given.iter().map(|g| (g - centre).powi(2)).sum::<f64>()).clamp(0.0, 1.0);
    let errors: f64 = given.iter().zip(truth).map(|(g, t)| (t - centre - slope * (g - centre)).powi(2)).sum();
    errors / truth.iter().map(|t| (t - centre).powi(2)).sum::<f64>()
}

#[test]
fn left_out_errors_are_those_of_commands_that_never_saw_the_samples() {
    let folder = Folder::new();
    let (rows, ages) = numbers(&table(80, 7));
    folder.write(
        "bent.toml",
        "graph = { kind = 'ell', targets = 1 }\nreadout = { kind = 'linear_regression' }\n[network]\nkind = 'layers'\n\
         layers = [{ standardize = true, expansion = { kind = 'rbf', centers = 15, width = 2.0 }, output_dim = 1, ridge = 0.01 }]\n",
    );
    let linear = "--graph ell --targets 1 --network linear --ridge 0.02 --readout linear-regression";
    for what in [linear, "--config bent.toml"] {
        let judged = |ages: &[f64]| {
            folder.write("all.csv", with_groups(&rows, ages, |_| true));
            let line = format!("select --data all.csv --learn age --set validation.group=g {what}");
            let selection = folder.json(&line)["selection"].clone();
            assert_eq!((&selection["folds"], selection["tried"].as_array().unwrap().len()), (&4.into(), 1));
            selection["tried"][0]["loss"].as_f64().unwrap()
        };
        let own = by_hand(&folder, &rows, &ages, what);
        assert!((judged(&ages) - loss(&own, &ages)).abs() < 1e-10, "{what}");
        // Labels of a group that change places: nothing that judges the group has seen them.
        let mut turned = ages.clone();
        let group: Vec<usize> = (0..80).filter(|n| n % 4 == 2).collect();
        group.iter().zip(group.iter().rev()).for_each(|(&to, &from)| turned[to] = ages[from]);
        let other = by_hand(&folder, &rows, &turned, what);
        assert!(group.iter().all(|&n| own[n] == other[n]), "{what}");
        assert!((judged(&turned) - loss(&other, &turned)).abs() < 1e-10, "{what}");
        assert!((judged(&turned) - judged(&ages)).abs() > 1e-3, "{what}");
    }
}

#[test]
fn neither_the_order_of_samples_nor_that_of_columns_changes_what_is_tried_or_taken() {
    let folder = Folder::new();
    let csv = table(90, 11);
    let turned = |line: &str| line.split(',').rev().collect::<Vec<_>>().join(",");
    let mut lines: Vec<&str> = csv.lines().collect();
    folder.write("t.csv", &csv);
    folder.write("columns.csv", lines.iter().map(|line| turned(line) + "\n").collect::<String>());
    lines[1..].reverse();
    folder.write("rows.csv", lines.join("\n"));
    for learn in ["--learn age --ignore kind", "--learn kind --ignore age"] {
        let select = |name: &str| folder.json(&format!("select --data {name} {learn}"))["selection"].clone();
        let one = select("t.csv");
        for other in ["columns.csv", "rows.csv"].map(select) {
            assert_eq!((&one["taken"], &one["folds"]), (&other["taken"], &other["folds"]));
            let tried = |selection: &serde_json::Value| selection["tried"].as_array().unwrap().clone();
            assert_eq!(tried(&one).len(), tried(&other).len());
            for (a, b) in tried(&one).iter().zip(&tried(&other)) {
                assert_eq!((&a["name"], &a["ridge"]), (&b["name"], &b["ridge"]), "{one}\n{other}");
                let apart = a["loss"].as_f64().unwrap() - b["loss"].as_f64().unwrap();
                assert!(apart.abs() < 1e-7, "{a}\n{b}");
            }
        }
    }
}

/// A slow wave that is the difference of two columns once one of them is squared, beside noise.
fn series(rows: usize) -> Vec<[f64; 3]> {
    let mut draws = Draws::new(8);
    let row = |t: usize| {
        let t = t as f64;
        let slow = (t / 23.0).sin() + 0.7 * (t / 41.0).cos();
        let fast = (2.3 * t).cos() + 0.5 * (1.7 * t).sin();
        [slow + fast * fast, fast, draws.next()]
    };
    (0..rows).map(row).collect()
}

#[test]
fn a_series_without_labels_is_judged_by_how_slow_its_left_out_blocks_are() {
    let folder = Folder::new();
    let rows = series(500);
    let line = |row: &[f64; 3]| format!("{},{},{}", row[0], row[1], row[2]);
    let csv: Vec<String> = std::iter::once("x,y,z".to_string()).chain(rows.iter().map(line)).collect();
    folder.write("series.csv", csv.join("\n"));
    let selection = folder.json("select --data series.csv --graph chain -o tried.svg")["selection"].clone();
    let taken = &selection["tried"][selection["taken"].as_u64().unwrap() as usize];
    assert!(taken["name"].as_str().unwrap().starts_with("quadratic"), "{selection}");
    assert_eq!(selection["folds"], 10);
    assert!(taken["loss"].as_f64().unwrap() < 0.1, "{selection}");
    // As the plan says, and as it is trained; the model has features and nothing to estimate.
    let planned = folder.json("plan --data series.csv --graph chain");
    assert_eq!(planned["candidates"][0]["name"], selection["tried"][0]["name"]);
    let trained = folder.json("train --data series.csv --graph chain -o m.gsfa");
    assert_eq!((&trained["selection"], &trained["labels"]), (&selection, &serde_json::json!([])));
    assert_eq!(cells(&folder.ok("transform m.gsfa --data series.csv")).len(), 500);
    folder.fails("predict m.gsfa --data series.csv", 2, "no read-out");
    folder.fails(
        "train --data series.csv --graph chain --holdout 0.2 -o n.gsfa",
        2,
        "--holdout measures errors of labels",
    );
    // A column that tells sequences apart is no input, and none to learn.
    let in_two = |(t, row): (usize, &[f64; 3])| format!("{},{}", line(row), t / 250);
    let csv: Vec<String> =
        std::iter::once("x,y,z,run".to_string()).chain(rows.iter().enumerate().map(in_two)).collect();
    folder.write("two.csv", csv.join("\n"));
    let two = folder.json("select --data two.csv --graph chain --set graph.sequences=run");
    assert_eq!(folder.json("plan --data two.csv --graph chain --set graph.sequences=run")["inputs"], 3);
    assert!(two["selection"]["tried"][0]["loss"].as_f64().unwrap() < 2.5, "{two}");
    // Who has a label to learn says which; other graphs still ask for one.
    folder.fails("select --data two.csv --graph serial", 2, "which label?");
}

#[test]
fn where_every_candidate_fails_the_error_has_the_reason_of_each() {
    let folder = Folder::new();
    let mut draws = Draws::new(3);
    let heading: Vec<String> = (0..36).map(|i| format!("p{i}")).collect();
    let mut csv = format!("{},y\n", heading.join(","));
    for _ in 0..60 {
        let row: Vec<f64> = (0..36).map(|i| draws.next() * if i == 0 { 1e200 } else { 1.0 }).collect();
        let cells: Vec<String> = row.iter().map(f64::to_string).collect();
        csv += &format!("{},{}\n", cells.join(","), row[1] + row[2]);
    }
    folder.write("t.csv", csv);
    for command in ["select", "train -o m.gsfa"] {
        let error = folder.fails(&format!("{command} --data t.csv --learn y --image-shape 6x6"), 3, "none of");
        for name in ["linear: column 0", "gated cascade: column 0", "hierarchy of 2 layers: column 0"] {
            assert!(error.contains(name), "{name}\n{error}");
        }
    }
}

/// People with five rows each: what is said of one is known by the others.
fn people() -> String {
    let mut draws = Draws::new(7);
    let mut csv = "x0,x1,x2,person,y\n".to_string();
    for person in 0..24 {
        let (own, label) = ([draws.next(), draws.next(), draws.next()], 2.0 * draws.next());
        for _ in 0..5 {
            let x = own.map(|x| x + 0.1 * draws.next());
            csv += &format!("{},{},{},p{person},{}\n", x[0], x[1], x[2], label + x[0] + 0.1 * draws.next());
        }
    }
    csv
}

#[test]
fn groups_are_left_out_together_to_choose_without_anything_to_measure() {
    let folder = Folder::new();
    folder.write("p.csv", people());
    let loss = |line: &str| {
        let selection = folder.json(line)["selection"].clone();
        selection["tried"][selection["taken"].as_u64().unwrap() as usize]["loss"].as_f64().unwrap()
    };
    let grouped = loss("train --data p.csv --learn y --group person -o g.gsfa");
    assert_eq!(loss("select --data p.csv --learn y --group person"), grouped);
    assert_eq!(loss("select --data p.csv --learn y --set validation.group=person"), grouped);
    let leaked = loss("select --data p.csv --learn y --ignore person");
    assert!(leaked < 0.5 * grouped, "{leaked} {grouped}");
    folder.fails(
        "train --data p.csv --learn y --ignore person --by-value -o n.gsfa",
        2,
        "--by-value says how to measure",
    );
}

#[test]
fn what_a_table_calls_a_candidate_can_be_asked_for() {
    let folder = Folder::new();
    folder.write("t.csv", table(80, 3));
    let chosen = folder.json("select --data t.csv --learn age --ignore kind")["selection"].clone();
    let ridge = chosen["tried"][0]["ridge"].as_f64().unwrap();
    assert_eq!(chosen["tried"][0]["name"], "linear, standardized");
    let line = format!("select --data t.csv --learn age --ignore kind --network linear --standardize --ridge {ridge}");
    let fixed = folder.json(&line)["selection"].clone();
    assert_eq!(
        (&fixed["tried"][0]["name"], &fixed["tried"][0]["loss"]),
        (&chosen["tried"][0]["name"], &chosen["tried"][0]["loss"])
    );
    let raw = folder.json("select --data t.csv --learn age --ignore kind --network linear");
    assert_eq!(raw["selection"]["tried"][0]["name"], "linear");
    let off = folder.json("select --data t.csv --learn age --ignore kind --standardize=false");
    assert_eq!(off["selection"]["tried"][0]["name"], "linear");
}

#[test]
fn without_calibration_nothing_is_said_to_be_judged() {
    let folder = Folder::new();
    folder.write("t.csv", table(80, 3));
    let said = folder.ok("train --data t.csv --learn age --ignore kind --no-calibrate -o m.gsfa");
    assert!(!said.contains("chosen by left-out samples") && said.contains("calibration is off"), "{said}");
    let kept = folder.ok("inspect m.gsfa");
    assert!(!kept.contains("chosen by left-out samples") && kept.contains("calibration is off"), "{kept}");
}
