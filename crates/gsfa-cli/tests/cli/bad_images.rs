//! Folders of images as they really are: damaged, huge, mixed, missing, linked in circles.

use crate::support::{Draws, Folder, image, images};

/// Twenty good images of class `low` and twenty of class `high`.
fn class_folders() -> Folder {
    let folder = Folder::new();
    let mut draws = Draws::new(1);
    for n in 0..20 {
        folder.write(&format!("x/low/{n}.pgm"), image(6, 0.1, &mut draws));
        folder.write(&format!("x/high/{n}.pgm"), image(6, 0.9, &mut draws));
    }
    folder
}

/// Files that are no usable image, with a word of the reason.
fn bad_files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let good = image(6, 0.5, &mut Draws::new(2));
    vec![
        ("cut.pgm", good[..good.len() - 5].to_vec(), "truncated"),
        ("empty.png", Vec::new(), "empty"),
        ("text.jpg", b"this is no image".to_vec(), "not an image"),
        ("bomb.pgm", b"P5\n100000 100000\n255\n".to_vec(), "100000"),
        ("animated.gif", b"GIF89a\x01\x00\x01\x00".to_vec(), "GIF"),
        ("zero.pgm", b"P5\n0 5\n255\n".to_vec(), ""),
    ]
}

#[test]
fn each_bad_image_is_named_with_its_reason_and_skipped_if_allowed() {
    for (name, bytes, reason) in bad_files() {
        let folder = class_folders();
        folder.write(&format!("x/low/{name}"), bytes);
        let stderr = folder.fails("train --data x -o m.gsfa", 3, name);
        assert!(stderr.contains(reason), "{name}: {stderr}");
        assert!(stderr.contains("--skip-bad"), "{stderr}");
        let trained = folder.json("train --data x --skip-bad 1 -o m.gsfa");
        assert_eq!(trained["samples"], 40);
        assert!(trained["skipped"][0].as_str().unwrap().contains(name), "{trained}");
        let predicted = folder.json("predict m.gsfa --data x --skip-bad 1");
        assert_eq!((&predicted["samples"], predicted["skipped"].as_array().unwrap().len()), (&40.into(), 1));
        folder.fails("predict m.gsfa --data x", 3, name);
    }
}

#[test]
fn more_bad_images_than_allowed_are_counted_and_listed() {
    let folder = class_folders();
    for (name, bytes, _) in bad_files() {
        folder.write(&format!("x/low/{name}"), bytes);
    }
    let stderr = folder.fails("train --data x --skip-bad 3 -o m.gsfa", 3, "6 images cannot be used, 3 may be skipped");
    assert!(stderr.contains("bomb.pgm") && stderr.contains("--skip-bad"), "{stderr}");
    let trained = folder.json("train --data x --skip-bad 6 -o m.gsfa");
    assert_eq!((&trained["samples"], trained["skipped"].as_array().unwrap().len()), (&40.into(), 6));
    assert!(trained["notes"].as_array().unwrap().len() >= 6);
}

#[cfg(unix)]
#[test]
fn links_in_circles_and_odd_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    let folder = class_folders();
    symlink(folder.file("x"), folder.file("x/low/loop")).unwrap();
    symlink("self.pgm", folder.file("x/low/self.pgm")).unwrap();
    symlink("nowhere.pgm", folder.file("x/high/dangling.pgm")).unwrap();
    let odd = folder.file("x/high").join(OsStr::from_bytes(b"caf\xe9.pgm"));
    let odd = std::fs::copy(folder.file("x/high/0.pgm"), odd).is_ok();
    let bad = 3 + usize::from(odd);
    folder.fails("train --data x -o m.gsfa", 3, "x/");
    folder.fails(&format!("train --data x --skip-bad {} -o m.gsfa", bad - 1), 3, &format!("{bad} images"));
    let trained = folder.json(&format!("train --data x --skip-bad {bad} -o m.gsfa"));
    assert_eq!((&trained["samples"], trained["skipped"].as_array().unwrap().len()), (&40.into(), bad));
    // A link to an image is an image.
    symlink(folder.file("x/low/1.pgm"), folder.file("x/low/link.pgm")).unwrap();
    assert_eq!(folder.json(&format!("train --data x --skip-bad {bad} -o n.gsfa"))["samples"], 41);
}

#[test]
fn labels_of_images_that_are_missing_or_bad() {
    let folder = Folder::new();
    images(&folder, "x", 30, 8);
    std::fs::remove_file(folder.file("x/007.pgm")).unwrap();
    let stderr = folder.fails("train --data x --labels x.csv -o m.gsfa", 3, "1 file of x.csv not in x: '007.pgm'");
    assert!(stderr.contains("--unmatched drop"), "{stderr}");
    let trained = folder.json("train --data x --labels x.csv --unmatched drop -o m.gsfa");
    assert_eq!(trained["samples"], 29);
    // A bad image that is skipped takes its label with it.
    folder.write("x/007.pgm", "broken");
    assert_eq!(folder.json("train --data x --labels x.csv --skip-bad 1 -o n.gsfa")["samples"], 29);
}

#[test]
fn sizes_depths_and_colours_are_made_alike_by_rule() {
    let folder = class_folders();
    // 16 bits, colour, another size.
    let mut deep = b"P5\n6 6\n65535\n".to_vec();
    deep.extend((0..36).flat_map(|k: u16| (k * 1800).to_be_bytes()));
    folder.write("x/low/deep.pgm", deep);
    assert_eq!(folder.json("train --data x -o deep.gsfa")["inputs"], 36);
    let mut color = b"P6\n6 6\n255\n".to_vec();
    color.extend((0..108).map(|k| k as u8 * 2));
    folder.write("x/low/color.ppm", color);
    assert_eq!(folder.json("train --data x -o color.gsfa")["inputs"], 108);
    assert_eq!(folder.json("train --data x --grey -o grey.gsfa")["inputs"], 36);
    folder.write("x/low/large.pgm", image(9, 0.1, &mut Draws::new(3)));
    let stderr = folder.fails("train --data x -o m.gsfa", 3, "9x9");
    assert!(stderr.contains("--resize"), "{stderr}");
    assert_eq!(folder.json("train --data x --resize 4x4 --grey -o m.gsfa")["inputs"], 16);
    folder.fails("predict grey.gsfa --data x", 3, "9x9");
}
