//! Parquet tables in and out, with the feature `parquet`.

use crate::support::{Folder, table};

#[test]
fn parquet_is_data_labels_and_result() {
    let folder = Folder::new();
    folder.write("t.csv", table(80, 1));
    folder.write("n.csv", table(40, 2));
    folder.ok("train --data t.csv --learn age --ignore kind --network linear -o m.gsfa");
    // Tables in Parquet come from ourselves: features as samples, estimates as labels.
    folder.ok("transform m.gsfa --data t.csv -o f.parquet");
    folder.ok("predict m.gsfa --data t.csv -o e.parquet");
    folder.ok("transform m.gsfa --data t.csv -o f.csv");
    folder.ok("predict m.gsfa --data t.csv -o e.csv");
    let line = "--learn age --network linear --ignore row";
    let one = folder.json(&format!("train --data f.parquet --labels e.parquet {line} -o p.gsfa"));
    let other = folder.json(&format!("train --data f.csv --labels e.csv {line} -o c.gsfa"));
    assert_eq!(one["training"], other["training"]);
    assert_eq!(folder.ok("predict p.gsfa --data f.parquet"), folder.ok("predict c.gsfa --data f.csv"));
    let bytes = std::fs::read(folder.file("f.parquet")).unwrap();
    folder.write("cut.parquet", &bytes[..bytes.len() / 2]);
    folder.fails("predict p.gsfa --data cut.parquet", 3, "cut.parquet");
    folder.fails("predict p.gsfa --data nowhere.parquet", 5, "nowhere.parquet");
}
