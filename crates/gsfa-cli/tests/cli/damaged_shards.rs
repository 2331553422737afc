//! Files between the steps of shards: damaged, of another job, in another order.

use crate::support::{Draws, Folder, npy, numbers, table};

/// Two shards, their labels, and everything up to their merged sums.
fn merged(flags: &str) -> Folder {
    let folder = Folder::new();
    let csv = table(90, 3);
    folder.write("y.csv", &csv);
    let rows = numbers(&csv).0;
    for (k, part) in [&rows[..30], &rows[30..75], &rows[75..]].iter().enumerate() {
        folder.write(&format!("{k}.npy"), npy(part));
    }
    folder.ok(&format!("prepare --data 0.npy --labels y.csv {flags} -o p.job"));
    for (k, first) in [(0, 0), (1, 30), (2, 75)] {
        folder.ok(&format!("accumulate p.job {k}.npy --first-row {first} -o {k}.moments"));
    }
    folder.ok("merge p.job 0.moments 1.moments 2.moments -o all.moments");
    folder
}

const FLAGS: &str = "--learn age --network linear --ridge 0.001";

/// Not a flipped bit is accepted (F55).
#[test]
fn flipped_bits_of_jobs_and_sums_are_refused() {
    let folder = merged(FLAGS);
    let mut draws = Draws::new(5);
    let mut place = |length: usize| ((draws.next() + 1.0) / 2.0 * length as f64) as usize % length;
    for name in ["p.job", "all.moments"] {
        let good = std::fs::read(folder.file(name)).unwrap();
        for k in 0..60 {
            let mut bytes = good.clone();
            let at = if k < 20 { k.min(good.len() - 1) } else { place(good.len()) };
            bytes[at] ^= 1 << place(8);
            folder.write(name, &bytes);
            let output = folder.run("solve p.job all.moments -o m.gsfa --force");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{name}, byte {at}: {stderr}");
            assert!(stderr.contains(name) && stderr.contains("hint:"), "{stderr}");
        }
        for length in [0, 1, 8, 40, good.len() / 2, good.len() - 1] {
            folder.write(name, &good[..length]);
            folder.fails("solve p.job all.moments -o m.gsfa", 3, name);
        }
        folder.write(name, &good);
    }
    assert!(!folder.file("m.gsfa").exists());
}

/// What `prepare` writes was called a plan, and is read under that name.
#[test]
fn jobs_under_their_earlier_name_are_read() {
    let folder = merged(FLAGS);
    let job = folder.read("p.job");
    assert!(job.starts_with("gsfa-job 5 "), "{}", &job[..20]);
    folder.write("p.plan", job.replacen("gsfa-job 5", "gsfa-plan 4", 1));
    folder.write("old.plan", job.replacen("gsfa-job 5", "gsfa-plan 3", 1));
    for name in ["p.job", "p.plan"] {
        folder.ok(&format!("solve {name} all.moments --shards 0.npy 1.npy 2.npy -o {name}.gsfa"));
    }
    assert_eq!(std::fs::read(folder.file("p.job.gsfa")).unwrap(), std::fs::read(folder.file("p.plan.gsfa")).unwrap());
    folder.fails("solve old.plan all.moments -o x.gsfa", 3, "a job of format 3, not 5");
}

/// Sums of another job are refused with what differs (F55, F68).
#[test]
fn sums_of_another_job_are_refused_with_the_difference() {
    let folder = merged(FLAGS);
    let csv = folder.read("y.csv");
    let shifted: String = csv
        .lines()
        .enumerate()
        .map(|(n, line)| if n == 7 { line.replacen(",38.", ",39.", 1) } else { line.into() } + "\n")
        .collect();
    assert_ne!(csv, shifted);
    folder.write("other.csv", shifted);
    let weighted: String = csv
        .lines()
        .enumerate()
        .map(|(n, line)| format!("{line},{}\n", if n == 0 { "w".into() } else { (1 + n % 3).to_string() }))
        .collect();
    folder.write("weighted.csv", weighted);
    for (flags, what) in [
        (format!("--labels other.csv {FLAGS}"), "other labels"),
        (format!("--labels weighted.csv {FLAGS} --weights w"), "other weights"),
        (format!("--labels y.csv {FLAGS} --graph serial --groups 5"), "other graph"),
        ("--labels y.csv --learn age --network linear --ridge 0.01".into(), "other settings"),
    ] {
        folder.ok(&format!("prepare --data 0.npy {flags} -o other.job --force"));
        folder.fails("merge other.job 0.moments 1.moments -o x.moments", 3, what);
        folder.fails("solve other.job all.moments -o x.gsfa", 3, what);
    }
    // The same job, prepared again, is the same job.
    folder.ok(&format!("prepare --data 0.npy --labels y.csv {FLAGS} -o again.job"));
    folder.ok("solve again.job all.moments -o m.gsfa");
}

/// Shards are recognised by their samples, whatever their order and wherever they are cut (F65).
#[test]
fn the_order_of_shards_does_not_matter_to_solve() {
    let folder = merged(FLAGS);
    folder.ok("solve p.job all.moments --shards 0.npy 1.npy 2.npy -o m.gsfa");
    let model = std::fs::read(folder.file("m.gsfa")).unwrap();
    for order in ["0.npy 2.npy 1.npy", "2.npy 1.npy 0.npy", "1.npy 2.npy 0.npy"] {
        let output = folder.run(&format!("solve p.job all.moments --shards {order} -o o.gsfa --force"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.contains("found by their values"), "{order}: {stderr}");
        assert_eq!(std::fs::read(folder.file("o.gsfa")).unwrap(), model, "{order}");
    }
    let rows = numbers(&folder.read("y.csv")).0;
    folder.write("whole.npy", npy(&rows));
    folder.ok("solve p.job all.moments --shards whole.npy -o w.gsfa");
    assert_eq!(std::fs::read(folder.file("w.gsfa")).unwrap(), model);
    // Samples that were changed since, or that come twice, are no shards of these sums.
    let mut changed = rows[30..75].to_vec();
    changed[4][2] += 1e-9;
    folder.write("changed.npy", npy(&changed));
    folder.fails("solve p.job all.moments --shards 0.npy changed.npy 2.npy -o x.gsfa", 3, "changed.npy: these are not");
    folder.fails("solve p.job all.moments --shards 0.npy 1.npy 1.npy -o x.gsfa", 3, "sample 30 comes twice");
    folder.fails("solve p.job all.moments --shards 0.npy 1.npy -o x.gsfa", 3, "lack sample 75");
}
