//! Every example that a help shows, run.

use crate::support::{Draws, Folder, npy, table};

/// What the examples name: images, tables, arrays and shards.
fn files(folder: &Folder) {
    folder.ok("generate faces -o drawn --count 60");
    for name in ["images", "new", "test"] {
        std::fs::create_dir(folder.file(name)).unwrap();
        for n in 0..60 {
            let (from, to) = (format!("drawn/train/{n:05}.pgm"), format!("{name}/{n:05}.pgm"));
            std::fs::copy(folder.file(&from), folder.file(&to)).unwrap();
        }
    }
    for name in ["y.csv", "t.csv"] {
        folder.write(name, folder.read("drawn/train/labels.csv"));
    }
    folder.write("table.csv", table(60, 1).replacen("age,kind", "size,species", 1));
    folder.write("more.csv", table(20, 2).replacen("age,kind", "size,species", 1));
    let mut draws = Draws::new(1);
    let x: Vec<[f64; 4]> = (0..60).map(|_| [draws.next(), draws.next(), draws.next(), draws.next()]).collect();
    folder.write("x.npy", npy(&x));
    folder.write("part0.npy", npy(&x[..40]));
    folder.write("part1.npy", npy(&x[40..]));
}

/// The examples in the help of all commands; those of `reproduce` take minutes.
fn examples(folder: &Folder) -> Vec<String> {
    let help = folder.ok("--help");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = commands.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    let mut lines = Vec::new();
    for name in names.filter(|name| !["help", "reproduce"].contains(name)) {
        let help = folder.ok(&format!("{name} --help"));
        let shown = help.lines().skip_while(|line| !line.starts_with("Example"));
        let own: Vec<String> = shown.filter_map(|line| Some(line.split_once("gsfa ")?.1.to_string())).collect();
        assert!(!own.is_empty(), "{name} has no example");
        lines.extend(own);
    }
    lines
}

fn command(line: &str) -> &str {
    line.split(' ').next().unwrap()
}

#[test]
fn every_example_of_every_help_runs() {
    let folder = Folder::new();
    files(&folder);
    let mut lines = examples(&folder);
    // Models and sums come before what reads them.
    let order = ["train", "prepare", "accumulate", "merge", "advance"];
    lines.sort_by_key(|line| order.iter().position(|name| *name == command(line)).unwrap_or(order.len()));
    folder.ok("generate signs -o signs --count 160");
    for line in &lines {
        // Where an example writes its standard output is the shell's affair; the files here are smaller.
        let mut line = line.split(" > ").next().unwrap().replace("2400", "60").replace("1000", "40");
        match command(&line) {
            "accumulate" => drop(folder.ok("accumulate age.job part0.npy --first-row 0 -o part0.moments")),
            // That of a network that takes several passes, which this one does not.
            "advance" => {
                folder.fails(&line, 2, "gsfa solve ends it");
                continue;
            }
            "predict" | "transform" | "evaluate" => model(&folder, "--network linear --resize 8x8"),
            "reconstruct" => {
                folder.write("keeps.toml", "[[layers]]\nkeep = { slow = 1 }\nridge = 0.01\noutput_dim = 9\n");
                model(&folder, "--network keeps.toml --resize 8x8");
            }
            "train" | "solve" => line += " --force",
            "map" => line += " --network linear --force",
            "select" => line += " --network linear --resize 8x8",
            _ => {}
        }
        folder.ok(&line.replace(
            "images/ --labels y.csv --learn age -o m",
            "images/ --labels y.csv --learn age --resize 8x8 -o m",
        ));
    }
    for flag in ["graph.groups=60", "network.ridge=0.1"] {
        assert!(folder.ok("train --help").contains(flag), "{flag}");
        folder.ok(&format!("plan --data table.csv --learn size --ignore species --set {flag}"));
    }
}

/// A model of the images, for commands that apply one.
fn model(folder: &Folder, network: &str) {
    folder.ok(&format!("train --data images --labels y.csv --learn age {network} --no-calibrate -o m.gsfa --force"));
}
