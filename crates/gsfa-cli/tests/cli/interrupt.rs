//! Ctrl-C: within a second, with exit code 130, and with every earlier file as it was.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Folder, long_work, signal};

#[test]
fn an_interrupt_stops_training_and_leaves_files_alone() {
    let folder = Folder::new();
    long_work(&folder);
    folder.write("m.gsfa", "precious");
    for name in ["-INT", "-TERM"] {
        let mut child = folder
            .command("train --data t.csv --learn age --network quadratic --pca 130 -o m.gsfa --force --threads 1")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        assert!(child.try_wait().unwrap().is_none(), "training was over before it could be interrupted");
        let sent = Instant::now();
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < Duration::from_millis(1500), "{:?}", sent.elapsed());
        assert_eq!(output.status.code(), Some(130));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("error: interrupted"), "{stderr}");
        assert_eq!(folder.read("m.gsfa"), "precious");
        assert_eq!(folder.files(), ["m.gsfa", "t.csv"]);
    }
}
