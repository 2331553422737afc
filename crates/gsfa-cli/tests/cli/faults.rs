//! What goes wrong gets a message with numbers and places, a cure, an exit code, and leaves files alone.

use crate::support::{Folder, image, images, npy, numbers, table};

#[test]
fn usage_faults() {
    let folder = Folder::new();
    folder.write("t.csv", table(50, 1));
    let code = |line: &str| folder.run(line).status.code();
    assert_eq!(code("train --no-such-flag"), Some(2));
    assert_eq!(code("frobnicate"), Some(2));
    assert_eq!(code("train --data t.csv --learn age -o m.gsfa --threads 0"), Some(2));
    assert_eq!(code("train --data t.csv --learn age -o m.gsfa --seed -1"), Some(2));
    let stderr = folder.fails("train --data t.csv --learn age --ignore kind", 2, "no output file");
    assert!(stderr.contains("hint: add -o model.gsfa"));
    folder.fails("train -o m.gsfa", 2, "no data");
    let stderr = folder.fails("train --data t.csv -o m.gsfa", 2, "which label?");
    assert!(stderr.contains("hint: name the labels with --learn"));
    folder.fails("train --data t.csv --learn age --ignore kind --network deep -o m.gsfa", 2, "no network 'deep'");
    folder.fails("train --data t.csv --learn kind --graph clustered --groups 3 -o m.gsfa", 2, "--groups");
    folder.fails(
        "train --data t.csv --learn age --ignore kind --features 0 -o m.gsfa",
        2,
        "--features (network.features) is 0",
    );
    assert_eq!(folder.files(), ["t.csv"]);
}

#[test]
fn missing_files() {
    let folder = Folder::new();
    folder.fails("train --data nowhere.csv --learn age -o m.gsfa", 5, "nowhere.csv");
    folder.fails("train --data nowhere/ --learn age -o m.gsfa", 5, "nowhere");
    folder.fails("predict nowhere.gsfa --data t.csv", 5, "nowhere.gsfa");
    folder.fails("graph --labels nowhere.csv --learn age", 5, "nowhere.csv");
    folder.fails("train --config nowhere.toml -o m.gsfa", 5, "nowhere.toml");
    assert!(folder.files().is_empty());
}

#[test]
fn missing_values_are_refused_dropped_or_imputed() {
    let folder = Folder::new();
    let mut csv = table(60, 1);
    csv += "0.1,,0.2,0.3,40,middle\n";
    folder.write("t.csv", &csv);
    let line = "train --data t.csv --learn age --ignore kind";
    let stderr = folder.fails(&format!("{line} -o m.gsfa"), 3, "line 62");
    assert!(stderr.contains("'b'") && stderr.contains("hint: use --missing drop"), "{stderr}");
    assert_eq!(folder.json(&format!("{line} --missing drop -o d.gsfa"))["samples"], 60);
    let imputed = folder.json(&format!("{line} --missing impute -o i.gsfa"));
    assert_eq!(imputed["samples"], 61);
    let note = "1 missing value was replaced by the mean of its column: 1 of 'b'";
    assert!(imputed["notes"].as_array().unwrap().contains(&note.into()), "{imputed}");

    let (mut rows, _) = numbers(&table(60, 1));
    rows[17][2] = f64::NAN;
    folder.write("x.npy", npy(&rows));
    folder.write("y.csv", table(60, 1));
    let line = "train --data x.npy --labels y.csv --learn age";
    let stderr = folder.fails(&format!("{line} -o m.gsfa"), 3, "row 17, column 2");
    assert!(stderr.contains("--missing"), "{stderr}");
    let dropped = folder.json(&format!("{line} --missing drop -o dn.gsfa"));
    assert_eq!(dropped["samples"], 59);
    assert_eq!(dropped["notes"][0], "1 sample with non-finite values was left out: row '17'");

    folder.write("l.csv", table(60, 1) + "0.1,0.2,0.2,0.3,,middle\n");
    folder.fails("train --data l.csv --learn age --ignore kind -o m.gsfa", 3, "line 62");
    assert_eq!(
        folder.json("train --data l.csv --learn age --ignore kind --missing-labels drop -o ld.gsfa")["samples"],
        60
    );
}

#[test]
fn labels_that_cannot_be_learned() {
    let folder = Folder::new();
    folder.write("t.csv", table(40, 1));
    let stderr = folder.fails("train --data t.csv --learn agee --ignore kind -o m.gsfa", 3, "'agee'");
    assert!(stderr.contains("'age'") && stderr.contains("hint:"), "{stderr}");
    let constant: String = table(40, 1).lines().map(|line| format!("{line},1.5\n")).collect();
    folder.write("c.csv", constant.replacen("kind,1.5", "kind,same", 1));
    folder.fails(
        "train --data c.csv --learn same --ignore kind --task numbers -o m.gsfa",
        3,
        "label 'same' is constant",
    );
    folder.fails("train --data c.csv --learn same --ignore kind --task classes -o m.gsfa", 3, "1 class found");
    folder.write("short.csv", table(39, 1));
    let (rows, _) = numbers(&table(40, 1));
    folder.write("x.npy", npy(&rows));
    folder.fails("train --data x.npy --labels short.csv --learn age -o m.gsfa", 3, "39");
    folder.write("one.csv", table(1, 1));
    folder.fails(
        "train --data one.csv --learn age --ignore kind --task numbers -o m.gsfa",
        3,
        "need at least 2 samples",
    );
    assert!(!folder.files().contains(&"m.gsfa".to_string()));
}

#[test]
fn tables_that_cannot_be_read() {
    let folder = Folder::new();
    folder.write("ragged.csv", "a,b,age\n1,2,3\n1,2\n");
    folder.fails("train --data ragged.csv --learn age -o m.gsfa", 3, "line 3");
    folder.write("empty.csv", "");
    folder.fails("train --data empty.csv --learn age -o m.gsfa", 3, "empty.csv");
    folder.write("twice.csv", "a,a,age\n1,2,3\n1,2,4\n");
    folder.fails("train --data twice.csv --learn age -o m.gsfa", 3, "'a'");
    folder.write("text.csv", table(30, 1));
    let stderr = folder.fails("train --data text.csv --learn age -o m.gsfa", 3, "'kind'");
    assert!(stderr.contains("--ignore"), "{stderr}");
    folder.write("cut.npy", &npy(&[[1.0; 4]; 9])[..200]);
    folder.fails("train --data cut.npy --labels text.csv --learn age -o m.gsfa", 3, "200");
    folder.write("huge.csv", "a,age\n1e200,1\n2,2\n3,3\n4,4\n");
    // Columns are scaled before they are squared.
    folder.ok("train --data huge.csv --learn age --network linear -o huge.gsfa");
}

#[test]
fn images_that_do_not_fit() {
    let folder = Folder::new();
    images(&folder, "x", 30, 8);
    folder.ok("train --data x --labels x.csv -o m.gsfa");
    let mut draws = crate::support::Draws::new(1);
    folder.write("big/0.pgm", image(9, 0.5, &mut draws));
    folder.fails("predict m.gsfa --data big", 3, "8x8 grey, got 9x9 grey");
    folder.write("mixed/0.pgm", image(8, 0.5, &mut draws));
    folder.write("mixed/1.pgm", image(9, 0.5, &mut draws));
    let stderr = folder.fails("predict m.gsfa --data mixed", 3, "1.pgm");
    assert!(stderr.contains("--resize"), "{stderr}");
    folder.write("x/extra.pgm", image(8, 0.5, &mut draws));
    let stderr = folder.fails("train --data x --labels x.csv -o n.gsfa", 3, "extra.pgm");
    assert!(stderr.contains("--unmatched drop"), "{stderr}");
    assert_eq!(folder.json("train --data x --labels x.csv --unmatched drop -o n.gsfa")["samples"], 30);
    folder.write("nothing/readme.txt", "no images");
    folder.fails("predict m.gsfa --data nothing", 3, "nothing");
}

#[test]
fn columns_of_a_table_are_found_by_name() {
    let folder = Folder::new();
    let csv = table(50, 1);
    folder.write("t.csv", &csv);
    folder.ok("train --data t.csv --learn age --ignore kind -o m.gsfa");
    let swapped: String = csv
        .lines()
        .map(|line| {
            let mut cells: Vec<&str> = line.split(',').collect();
            cells.swap(0, 3);
            cells.join(",") + "\n"
        })
        .collect();
    folder.write("swapped.csv", swapped);
    assert_eq!(folder.ok("predict m.gsfa --data t.csv"), folder.ok("predict m.gsfa --data swapped.csv"));
    folder.write("renamed.csv", csv.replacen("a,b", "a,beta", 1));
    let stderr = folder.fails("predict m.gsfa --data renamed.csv", 3, "'b'");
    assert!(stderr.contains("'beta'"), "{stderr}");
}

#[test]
fn bad_model_files() {
    let folder = Folder::new();
    folder.write("t.csv", table(50, 1));
    folder.write("wrong.gsfa", "this is no model, but it is long enough to look like one");
    folder.fails("predict wrong.gsfa --data t.csv", 4, "wrong.gsfa");
    folder.fails("inspect wrong.gsfa", 4, "wrong.gsfa");
    folder.ok("train --data t.csv --learn age --ignore kind -o m.gsfa");
    let good = std::fs::read(folder.file("m.gsfa")).unwrap();
    folder.write("cut.gsfa", &good[..good.len() - 7]);
    folder.fails("evaluate cut.gsfa --data t.csv", 4, "ends at byte");
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    folder.write("damaged.gsfa", &damaged);
    let stderr = folder.fails("inspect damaged.gsfa", 4, "checksum");
    assert!(stderr.contains("inspect --force"), "{stderr}");
    assert_eq!(folder.json("inspect damaged.gsfa --force")["samples"], 50);
}

#[test]
fn outputs_are_never_overwritten_by_accident() {
    let folder = Folder::new();
    folder.write("t.csv", table(50, 1));
    folder.write("m.gsfa", "precious");
    let line = "train --data t.csv --learn age --ignore kind";
    let stderr = folder.fails(&format!("{line} -o m.gsfa"), 2, "m.gsfa");
    assert!(stderr.contains("--force"), "{stderr}");
    assert_eq!(folder.read("m.gsfa"), "precious");
    folder.ok(&format!("{line} -o m.gsfa --force"));
    folder.fails("predict m.gsfa --data t.csv -o t.csv --force", 2, "t.csv");
    folder.fails("predict m.gsfa --data t.csv -o m.gsfa --force", 2, "m.gsfa");
    folder.fails(&format!("{line} -o nowhere/m.gsfa"), 5, "nowhere");
    folder.fails("evaluate m.gsfa --data new.csv", 5, "new.csv");
    folder.write("new.csv", table(50, 1).replace("young", "newborn"));
    folder.ok("train --data t.csv --learn kind --ignore age -o k.gsfa");
    folder.fails("evaluate k.gsfa --data new.csv", 3, "class 'newborn' is unknown");
    assert_eq!(folder.files(), ["k.gsfa", "m.gsfa", "new.csv", "t.csv"]);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_needs_its_feature() {
    let folder = Folder::new();
    folder.write("t.csv", table(50, 1));
    folder.write("t.parquet", "PAR1");
    let stderr = folder.fails("train --data t.parquet --learn age -o m.gsfa", 2, "does not read Parquet");
    assert!(stderr.contains("--features parquet"), "{stderr}");
    folder.ok("train --data t.csv --learn age --ignore kind -o m.gsfa");
    folder.fails("predict m.gsfa --data t.csv -o e.parquet", 2, "does not write Parquet");
    assert_eq!(folder.files(), ["m.gsfa", "t.csv", "t.parquet"]);
}

/// Constant and repeated columns change no estimate (F7, F8), where no ridge weighs columns; the former are counted.
#[test]
fn columns_without_information_are_harmless() {
    let folder = Folder::new();
    let csv = table(60, 1);
    let more = |line: (usize, &str)| match line {
        (0, head) => format!("{head},same,twice\n"),
        (_, line) => format!("{line},7.5,{}\n", line.split(',').next().unwrap()),
    };
    folder.write("plain.csv", &csv);
    folder.write("more.csv", csv.lines().enumerate().map(more).collect::<String>());
    let line = "--learn age --ignore kind --network linear --ridge 0 --readout linear-regression";
    folder.ok(&format!("train --data plain.csv {line} -o plain.gsfa"));
    let trained = folder.json(&format!("train --data more.csv {line} -o more.gsfa"));
    let notes = trained["notes"].to_string();
    assert!(notes.contains("constant"), "{notes}");
    let numbers = |model: &str, data: &str| -> Vec<f64> {
        let csv = folder.ok(&format!("predict {model} --data {data}"));
        csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect()
    };
    for (a, b) in numbers("plain.gsfa", "plain.csv").iter().zip(numbers("more.gsfa", "more.csv")) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}

/// Fewer samples than inputs (F9), dependent labels (F30), more targets than values (F31), a chain (F23).
#[test]
fn what_works_but_deserves_a_remark() {
    let folder = Folder::new();
    let mut wide = (0..30).map(|i| format!("x{i},")).collect::<String>() + "y,z\n";
    let mut draws = crate::support::Draws::new(4);
    for n in 0..12 {
        wide += &(0..30).map(|_| format!("{},", draws.next())).collect::<String>();
        wide += &format!("{}.5,{}.5\n", n % 6, 3 * (n % 6) + 10);
    }
    folder.write("wide.csv", wide);
    let notes = |line: &str| folder.json(line)["notes"].to_string();
    let overfit = notes("train --data wide.csv --learn y --ignore z --network linear --ridge 0 -o a.gsfa");
    assert!(overfit.contains("12 samples for 11 directions"), "{overfit}");
    let dependent = notes("train --data wide.csv --learn y,z --network linear -o b.gsfa");
    assert!(dependent.contains("depend"), "{dependent}");
    let capped = notes("graph --labels wide.csv --learn y --graph ell --targets 9");
    assert!(capped.contains("depend") || capped.contains("dropped"), "{capped}");
    let fewer = notes("graph --labels wide.csv --learn y --graph serial --groups 9");
    assert!(fewer.contains("6 groups instead of 9"), "{fewer}");
    let chain = notes("graph --labels wide.csv --learn y --graph chain");
    assert!(chain.contains("vertex and edge weights disagree"), "{chain}");
    let parts = notes("graph --labels wide.csv --learn y --task classes");
    assert!(parts.contains("6 components"), "{parts}");
}

#[test]
fn labels_and_numbers_that_make_no_sense() {
    let folder = Folder::new();
    let csv = table(30, 1);
    folder.write("t.csv", &csv);
    let infinite: String = csv.replacen(",old", ",old\n0,0,0,0,inf,old", 1);
    folder.write("inf.csv", infinite);
    folder.fails("train --data inf.csv --learn age --ignore kind -o m.gsfa", 3, "the value is infinite");
    let nearly: String = csv
        .lines()
        .enumerate()
        .map(|(n, line)| match n {
            0 => format!("{line},flat\n"),
            _ => format!("{line},{}\n", 1e6 + 1e-9 * n as f64),
        })
        .collect();
    folder.write("flat.csv", nearly);
    folder.fails("train --data flat.csv --learn flat --ignore kind --task numbers -o m.gsfa", 3, "constant");
    let each: String = csv
        .lines()
        .enumerate()
        .map(|(n, line)| match n {
            0 => format!("{line},id\n"),
            _ => format!("{line},person{n}\n"),
        })
        .collect();
    folder.write("each.csv", each);
    folder.fails("train --data each.csv --learn id --ignore kind -o m.gsfa", 3, "must exceed the number of classes");
    let line = "train --data t.csv --learn age --ignore kind -o m.gsfa";
    for (flags, code, text) in [
        ("--targets 0", 2, "targets"),
        ("--graph serial --groups 1", 2, "groups"),
        ("--graph sliding-window --half-width 0", 2, "half_width"),
        ("--ridge=-1 --network linear", 2, "ridge"),
        ("--readout-features 0 --readout soft-gc", 2, "one feature or more"),
        ("--readout-features 0", 2, "one feature or more"),
        ("--readout-features 1", 2, "means nothing"),
        ("--readout linear-scaling --readout-features 1", 2, "means nothing"),
        ("--features 0", 2, ""),
        ("--network quadratic --pca 0", 2, ""),
        ("--readout-features 9 --network linear --readout soft-gc", 2, "9"),
        ("--copies 5", 2, "--copies"),
    ] {
        folder.fails(&format!("{line} {flags}"), code, text);
    }
    assert!(!folder.files().contains(&"m.gsfa".to_string()));
    for count in ["0", "1000001", "18446744073709551615", "-1", "many"] {
        folder.fails(&format!("generate faces --count={count} -o faces"), 2, "from 1 to 1000000");
    }
    // More features than there are directions take no memory and no time.
    let begun = std::time::Instant::now();
    for (kind, features) in [("age", 1_000_000_000), ("kind", 1_000_000)] {
        let other = if kind == "age" { "kind" } else { "age" };
        let line =
            format!("train --data t.csv --learn {kind} --ignore {other} --features {features} --force -o f.gsfa");
        let value = folder.json(&line);
        let notes = value["notes"].to_string();
        assert!(notes.contains(&format!("features instead of {features}")), "{notes}");
        assert!(value["features"].as_u64().unwrap() < 100);
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// Work that no machine has room for is refused before it starts (F52).
#[test]
fn too_much_is_refused_before_work_starts() {
    let folder = Folder::new();
    // A file with a hole for its numbers takes no room.
    let (rows, columns) = (30_000, 1_400);
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    npy.extend(format!("{header:<117}\n").bytes());
    folder.write("x.npy", &npy);
    let file = std::fs::OpenOptions::new().write(true).open(folder.file("x.npy")).unwrap();
    file.set_len((npy.len() + rows * columns) as u64).unwrap();
    folder.write("x.csv", format!("angle\n{}", (0..rows).map(|n| format!("{}.5\n", n % 90)).collect::<String>()));
    let network = |pca: usize| {
        format!(
            "[[layers]]\npca = {{ components = {pca} }}\nexpansion = {{ kind = 'polynomial', degree = 2 }}\noutput_dim = 1\n"
        )
    };
    folder.write("large.toml", network(1400));
    folder.write("larger.toml", network(1400).replace("degree = 2", "degree = 9"));
    let plan = folder.json("plan --data x.npy --labels x.csv --network large.toml");
    assert!(plan["training_bytes"].as_u64().unwrap() > 1 << 40, "{plan}");
    let line = "train --data x.npy --labels x.csv -o m.gsfa --network";
    if cfg!(target_os = "linux") {
        let stderr = folder.fails(&format!("{line} large.toml"), 2, "this needs about");
        assert!(stderr.contains("--pca"), "{stderr}");
    }
    folder.fails(&format!("{line} larger.toml"), 3, "terms");
    assert!(!folder.files().contains(&"m.gsfa".to_string()));
}

/// CSV as people write it (F51).
#[test]
fn tables_as_people_write_them() {
    let folder = Folder::new();
    let csv = table(40, 1);
    folder.write("plain.csv", &csv);
    let german: String = csv.lines().map(|line| line.replace(',', ";").replace('.', ",") + "\r\n").collect();
    folder.write("german.csv", format!("\u{feff}{german}"));
    let line = "--learn age --ignore kind --network linear";
    let plain = folder.json(&format!("train --data plain.csv {line} -o a.gsfa"));
    let german = folder.json(&format!("train --data german.csv {line} -o b.gsfa"));
    assert_eq!(plain["training"], german["training"]);
    folder.write("quoted.csv", "a,age,\"note\nlong\"\n1,2,\"two\nlines\"\n2,3,x\n");
    // What a file says stays on one line, and does not speak to the terminal.
    folder.fails(
        "train --data quoted.csv --learn age -o c.gsfa",
        3,
        r"line 3, column 'note\nlong': 'two\nlines' is not",
    );
    folder.write("columns.csv", "a,age,b\n1,2,\"1\n\"\n2,3,1\n3,oops,1\n");
    folder.fails("train --data columns.csv --learn age --task numbers -o c.gsfa", 3, "line 5, column 'age': 'oops'");
    folder.write("header.csv", "1.5,2.5,3.5\n1,2,3\n");
    folder.fails("train --data header.csv --learn age -o c.gsfa", 3, "must name the columns");
    folder.write("latin.csv", b"a,age\n1,2\n\xe9,3\n");
    folder.fails("train --data latin.csv --learn age -o c.gsfa", 3, "line 3: the text is not UTF-8");
}

/// Arrays of other kinds (F26 to F28, F43, F44).
#[test]
fn arrays_that_are_no_samples() {
    let folder = Folder::new();
    folder.write("y.csv", table(9, 1));
    let array = |kind: &str, shape: &str, bytes: usize| {
        let header = format!("{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes());
        file.extend(vec![1; bytes]);
        file
    };
    for (kind, shape, bytes, text) in [
        ("'|O'", "(9, 2)", 10, "pickled arrays are refused"),
        ("'<c16'", "(9, 2)", 288, "'<c16' is not a real number"),
        ("'<U4'", "(9, 2)", 288, "is not a real number"),
        ("'<f8'", "(9, 9223372036854775807)", 8, ""),
        ("'<f8'", "(9, 2, 2, 2, 2)", 1152, "shape"),
        ("'<f8'", "()", 8, "shape"),
    ] {
        folder.write("x.npy", array(kind, shape, bytes));
        folder.fails("train --data x.npy --labels y.csv --learn age -o m.gsfa", 3, text);
    }
    // Images of whole numbers and truth values are numbers.
    let mut grey = array("'|u1'", "(9, 3, 3)", 0);
    grey.extend((0..81).map(|k: u32| (k * k % 251) as u8));
    folder.write("grey.npy", grey);
    assert_eq!(folder.json("train --data grey.npy --labels y.csv --learn age --network linear -o g.gsfa")["inputs"], 9);
}
