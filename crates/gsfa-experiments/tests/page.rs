//! The whole way at a tiny size: results, JSON, tables, and the page in a real browser.

use std::fs;
use std::path::Path;
use std::process::Command;

use gsfa::file::Overwrite;
use gsfa_experiments::expected::Expected;
use gsfa_experiments::spec::{Size, Specs};
use gsfa_experiments::{Results, Silent, report};
use serde_json::Value;

/// Everything, on as few images as make sense.
fn results() -> Results {
    let Specs { mut gender, graphs, mut signs } = Specs::built_in(Size::Quick).unwrap();
    gender.runs = 2;
    (gender.train_per_value, gender.test_per_value) = (6, 2);
    (gender.gender_targets, gender.color_targets, gender.joint_targets) = (vec![1, 4], vec![1], vec![1, 2]);
    (gender.groups, gender.power_targets, gender.power_components, gender.lda_components) = (30, 4, Some(8), 10);
    if let Some(cascade) = &mut gender.cascade {
        (cascade.nodes, cascade.ablation) = (2, Vec::new());
    }
    signs.classes = 8;
    signs.tracks = gsfa_experiments::signs::Tracks { train: 8, test: 3, frames: 2 };
    (signs.per_class, signs.components, signs.pca_images, signs.features) = (Some(30), 8, 100, [2, 7]);
    signs.random_orders = 3;
    signs.order_search.as_mut().unwrap().trials = 30;
    let expected = Expected::built_in().unwrap();
    Results {
        version: env!("CARGO_PKG_VERSION").into(),
        size: "tiny".into(),
        seed: 7,
        seconds: 0.0,
        command_line: "gsfa reproduce --seed 7".into(),
        machine: report::machine(),
        gender: Some(gender.run(None, 7, &expected, &Silent).unwrap()),
        graphs: Some(graphs.run(7, &expected, &Silent).unwrap()),
        signs: Some(signs.run(None, 7, &expected, &Silent).unwrap()),
    }
}

#[test]
fn the_page_the_json_and_the_tables_hold_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("report");
    let results = results();
    let files = results.write(&target, Overwrite::Never).unwrap();
    assert!(results.write(&target, Overwrite::Never).is_err(), "nothing is replaced without leave");
    results.write(&target, Overwrite::Replace).unwrap();
    assert!(files.iter().all(|file| file.is_file()));

    let html = fs::read_to_string(target.join("index.html")).unwrap();
    let json: Value = serde_json::from_str(&fs::read_to_string(target.join("results.json")).unwrap()).unwrap();
    for table in results.tables() {
        let csv = fs::read_to_string(target.join(format!("{}.csv", table.id))).unwrap();
        assert_eq!(csv.lines().count(), 1 + table.rows.len() * table.measures.len(), "{}", table.id);
    }
    for figure in ["gender.svg", "graphs.svg", "signs.svg"] {
        assert!(fs::read_to_string(target.join(figure)).unwrap().contains("<svg"), "{figure}");
    }
    let means = numbers(&json, "mean");
    assert!(means.len() > 100, "{}", means.len());
    // Curves are drawn, and have too many numbers for a page.
    let drawn = ["signs_curves", "signs_curves_shared", "signs_all"];
    for table in results.tables().iter().filter(|table| !drawn.contains(&table.id.as_str())) {
        for number in table.rows.iter().flat_map(|row| &row.numbers) {
            let Some(mean) = number.mean else { continue };
            assert!(means.contains(&mean), "{mean} of {} is not in the JSON", table.id);
            assert!(html.contains(&format!("data-value=\"{mean}\"")), "{mean} of {} is not on the page", table.id);
        }
    }
    let back: Results = serde_json::from_value(json).unwrap();
    assert_eq!(back.tables(), results.tables());
    assert_eq!(results.page().summary.len(), 3);

    let figures = html.matches("<figure").count();
    assert!(figures >= 20, "{figures} figures");
    assert!(!html.contains("http://") || html.matches("http://").count() == html.matches("http://www.w3.org/").count());
    assert!(!html.contains("https://") && !html.contains("<script"));
    in_a_browser(&target.join("index.html"), figures);
}

/// All numbers under a key, anywhere.
fn numbers(value: &Value, key: &str) -> Vec<f64> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| match value {
                Value::Number(x) if name == key => x.as_f64().into_iter().collect(),
                value => numbers(value, key),
            })
            .collect(),
        Value::Array(values) => values.iter().flat_map(|value| numbers(value, key)).collect(),
        _ => Vec::new(),
    }
}

/// Loads the page and looks at what became of it.
fn in_a_browser(page: &Path, figures: usize) {
    let profile = tempfile::tempdir().unwrap();
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
    else {
        assert!(
            std::env::var_os("CI").is_none(),
            "there is no Chromium to load the page in, and CI must not do without"
        );
        eprintln!("skipped: there is no Chromium to load the page in (Debian: apt-get install chromium)");
        return;
    };
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success());
    let log = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    let dom = String::from_utf8_lossy(&output.stdout);
    assert_eq!(dom.matches("<figure").count(), figures, "the browser sees other figures than were written");
    assert!(dom.matches("<svg").count() >= figures);
    // Images are letters that may spell anything.
    let text: String = dom
        .split("base64,")
        .enumerate()
        .map(|(n, part)| if n == 0 { part } else { part.split_once('"').map_or("", |p| p.1) })
        .collect();
    assert!(!text.contains("NaN") && !text.contains("no data"), "a figure or table is empty");
}
