//! What is left open: chosen by left-out samples, told, drawn, and interrupted.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::support::{Folder, long_work, signal, table};

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
