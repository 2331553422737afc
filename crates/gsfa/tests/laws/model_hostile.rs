//! Files that are truncated, damaged or made up: an error or the very model, never a panic or another result.

use std::fs;

use crate::model_support::{Dissected, Folder, classifier, container, hierarchy, tiny};
use crate::support::Draws;
use gsfa::model::{Header, Overwrite};
use gsfa::{Error, Model};
use serde_json::{Value, json};

#[track_caller]
fn refused(bytes: &[u8]) -> Error {
    Model::from_bytes(bytes).expect_err("this file must be refused")
}

#[track_caller]
fn assert_refused(bytes: &[u8], says: &str) {
    let error = refused(bytes);
    assert!(matches!(error, Error::ModelFile { .. }), "{error:?}");
    assert!(error.to_string().contains(says), "'{error}' does not say '{says}'");
    assert!(error.hint().is_some());
}

#[test]
fn every_truncated_file_is_refused() {
    let bytes = hierarchy().to_bytes().unwrap();
    let n = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for len in (0..bytes.len()).filter(|len| len % 13 == 0 || *len < 100 || len.abs_diff(8 + n) < 20) {
        match refused(&bytes[..len]) {
            Error::ModelEnds { bytes: end, promised, .. } => {
                assert_eq!(end, len as u64);
                let needed = if len < 8 {
                    8
                } else if len < 8 + n {
                    8 + n
                } else {
                    bytes.len()
                };
                assert_eq!(promised, needed as u64);
            }
            other => panic!("{len}: {other:?}"),
        }
    }
    assert!(matches!(refused(&[&bytes[..], b" "].concat()), Error::ModelEnds { .. }));
}

#[test]
fn every_changed_byte_is_an_error_or_changes_nothing() {
    let model = tiny();
    let bytes = model.to_bytes().unwrap();
    assert!(bytes.len() < 4000, "{} bytes take too long", bytes.len());
    let mut unchanged = 0;
    for at in 0..bytes.len() {
        for change in (0..8).map(|bit| 1 << bit).chain([0xff, b' ' ^ b'\n', bytes[at]]) {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            match Model::from_bytes(&changed) {
                Ok(same) => {
                    assert_eq!(same, model, "byte {at}");
                    unchanged += 1;
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    // White space after the JSON of safetensors; everything else counts.
    assert!(unchanged <= 8 * 4, "{unchanged} changes went unnoticed");
}

#[test]
fn every_changed_number_is_a_checksum_error_and_the_header_can_still_be_read() {
    let model = tiny();
    let bytes = model.to_bytes().unwrap();
    let n = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let folder = Folder::new("checksum");
    for at in 8 + n..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        assert!(matches!(refused(&changed), Error::ModelChecksum { .. }));
        let path = folder.0.join("damaged");
        fs::write(&path, changed).unwrap();
        assert_eq!(Model::load(&path), Err(Error::ModelChecksum { path: path.clone() }));
        assert_eq!(Header::read(&path).unwrap(), *model.header());
    }
}

#[test]
fn other_formats_are_told_apart() {
    let mut file = Dissected::new(&tiny().to_bytes().unwrap());
    file.header["format"] = json!(4);
    file.header["library"] = json!("3.1.4");
    file.header["something new"] = json!({});
    let error = refused(&file.sealed());
    assert_eq!(error.to_string(), "'<bytes>' was made by format 4 (gsfa 3.1.4), this library reads 3");
    assert!(error.hint().unwrap().contains("upgrade"));
    // Even if the newer format has another checksum.
    file.tensors.remove("checksum");
    assert!(matches!(refused(&file.assemble(file.tensors.keys())), Error::ModelVersion { .. }));
    for (format, says) in [(json!(0), "no format 0"), (json!(-1), "not understood"), (json!("1"), "not understood")] {
        file.header["format"] = format;
        assert_refused(&file.sealed(), says);
    }
    assert_refused(&[&1u64.to_le_bytes()[..], b"x"].concat(), "no safetensors file");
    assert_refused(b"\x89PNG\r\n\x1a\n and so on", "at most 67108864 are read");
    assert_refused(b"\x80\x05\x95\x0a\0\0\0\0\0\0\0pickle", "are read");
    assert_refused(&container("{}", b""), "not a model of this library");
    assert_refused(&container(r#"{"__metadata__":{"gsfa":"{}","more":""}}"#, b""), "not a model of this library");
    assert_refused(&container(r#"{"__metadata__":{"gsfa":"{}"}}"#, b""), "not understood");
}

#[test]
fn headers_that_promise_the_world_are_refused_before_anything_is_allocated() {
    for n in [u64::MAX, u64::MAX - 7, 1 << 63, (64 << 20) + 1] {
        assert_refused(&[&n.to_le_bytes()[..], &[b' '; 100]].concat(), "at most 67108864 are read");
    }
    let long = [&(64_u64 << 20).to_le_bytes()[..], &[b' '; 100]].concat();
    assert!(matches!(refused(&long), Error::ModelEnds { bytes: 108, promised: 67108872, .. }));
    let with = |shape: Value, offsets: Value| {
        let tensor = json!({"dtype": "F64", "shape": shape, "data_offsets": offsets});
        container(&json!({"__metadata__": {"gsfa": "{}"}, "x": tensor}).to_string(), &[0; 8])
    };
    let most = u64::MAX;
    assert_refused(&with(json!([1_u64 << 32, 1_u64 << 32]), json!([0, 8])), "overflow");
    assert_refused(&with(json!([most]), json!([0, 8])), "overflow");
    assert_refused(&with(json!([1]), json!([8, 16])), "offset");
    assert_refused(&with(json!([1]), json!([8, 0])), "offset");
    assert_refused(&with(json!([2]), json!([0, 8])), "invalid shape");
    assert!(matches!(refused(&with(json!([1_u64 << 50]), json!([0, 1_u64 << 53]))), Error::ModelEnds { .. }));
    assert_refused(&container(&format!("{{\"x\":{}", "[".repeat(100_000)), b""), "recursion limit");
    let deep = json!({"__metadata__": {"gsfa": "[".repeat(100_000)}}).to_string();
    assert_refused(&container(&deep, b""), "not understood");
}

#[test]
fn sizes_that_no_model_has_are_refused() {
    let base = Dissected::new(&hierarchy().to_bytes().unwrap());
    let largest = json!(u64::MAX);
    for (pointer, value) in [
        ("/network/input/height", &largest),
        ("/network/input/channels", &json!(1_u64 << 41)),
        ("/network/input/width", &json!(0)),
        ("/network/layers/0/output_dim", &largest),
        ("/network/layers/0/output_dim", &json!(1 << 19)), // 4 nodes
        ("/network/layers/1/output_dim", &json!(3)),
        ("/network/layers/0/field/0", &largest),
        ("/network/layers/0/expansion", &json!({"kind": "polynomial", "degree": u32::MAX})),
        ("/network/layers/0/expansion", &json!({"kind": "identity"})),
        ("/network/layers/0/pca/variance", &json!(7)),
        ("/network/layers/1/skip/feature_scale", &json!(0)),
        ("/network/layers", &json!([])),
        ("/summary/layers/0", &json!([])),
        ("/summary/layers/0/2", &base.header["summary"]["layers"][0][0]),
        ("/summary/layers/0/0", &json!(null)),
        ("/summary/layers/1/0/delta_values", &json!([1.0])),
        ("/summary/layers/1/0/correlations", &json!([])),
        ("/summary/layers/1/0/informative", &json!(5)),
        ("/summary/samples", &json!(-1)),
        ("/targets/originals", &json!(9)),
        ("/targets/eigenvalues", &json!([1.0])),
        ("/targets/names", &json!([])),
        ("/targets", &json!(null)),
        ("/labels", &json!([])),
        ("/labels/0/classes", &json!(["a", "b"])),
        ("/readouts/1/label", &json!("age")),
        ("/readouts/0/fitted", &json!({"kind": "nearest_centroid", "classes": ["a", "b"]})),
        ("/input_names", &json!(["a"])),
        ("/graph", &json!({"kind": "none"})),
    ] {
        let mut file = base.clone();
        *file.header.pointer_mut(pointer).unwrap() = value.clone();
        let error = refused(&file.sealed());
        assert!(matches!(error, Error::ModelFile { .. }), "{pointer} {value}: {error:?}");
    }
}

#[test]
fn missing_unknown_and_misshapen_tensors_are_refused() {
    for model in [hierarchy(), classifier()] {
        let base = Dissected::new(&model.to_bytes().unwrap());
        assert_eq!(Model::from_bytes(&base.sealed()).unwrap(), model);
        for name in base.tensors.keys().filter(|name| *name != "checksum") {
            let mut file = base.clone();
            file.tensors.remove(name);
            assert_refused(&file.sealed(), name.rsplit('.').next().unwrap());
            let mut file = base.clone();
            let tensor = file.tensors[name].clone();
            file.tensors.insert(format!("{name}.more"), tensor);
            assert_refused(&file.sealed(), "more");
            let mut file = base.clone();
            file.tensors.get_mut(name).unwrap().shape.push(1);
            assert_refused(&file.sealed(), "axes");
            let mut file = base.clone();
            let tensor = file.tensors.get_mut(name).unwrap();
            (tensor.dtype, tensor.shape) = ("F32".into(), [tensor.shape.clone(), vec![2]].concat());
            assert_refused(&file.sealed(), "F32");
            let mut file = base.clone();
            let tensor = file.tensors.get_mut(name).unwrap();
            tensor.bytes[..8].copy_from_slice(&f64::NAN.to_le_bytes());
            assert_refused(&file.sealed(), "");
            let mut file = base.clone();
            let tensor = file.tensors.get_mut(name).unwrap();
            let Some(side) = tensor.shape.first_mut() else { continue };
            // One row more.
            let row = tensor.bytes.len() / *side as usize;
            *side += 1;
            tensor.bytes.extend(vec![0; row]);
            assert_refused(&file.sealed(), "");
        }
    }
}

#[test]
fn tensors_under_each_others_names_are_noticed() {
    let mut file = Dissected::new(&classifier().to_bytes().unwrap());
    // Both 2 numbers per class: with the old checksum, only names tell them apart.
    let names = ["readout3.centre", "readout3.inverse_scale"];
    let [a, b] = names.map(|name| file.tensors[name].clone());
    assert_eq!(a.shape, b.shape);
    let old = file.checksum();
    file.tensors.insert(names[0].into(), b);
    file.tensors.insert(names[1].into(), a);
    file.tensors.get_mut("checksum").unwrap().bytes = old;
    assert!(matches!(refused(&file.assemble(file.tensors.keys())), Error::ModelChecksum { .. }));
    file.tensors.remove("checksum");
    assert_refused(&file.assemble(file.tensors.keys()), "no checksum");
}

/// Random changes of the header under a right checksum: whatever is accepted can be used without a panic.
#[test]
fn made_up_headers_never_panic() {
    let mut draws = Draws::new(5);
    let x = crate::model_support::images(5, 4).0;
    for model in [hierarchy(), classifier()] {
        let base = Dissected::new(&model.to_bytes().unwrap());
        let (mut places, mut accepted) = (Vec::new(), 0);
        collect(&base.header, String::new(), &mut places);
        for _ in 0..3000 {
            let mut file = base.clone();
            for _ in 0..1 + draws.below(2) {
                let place = &places[draws.below(places.len())];
                let other = base.header.pointer(&places[draws.below(places.len())]).unwrap().clone();
                let Some(value) = file.header.pointer_mut(place) else { continue };
                *value = match draws.below(8) {
                    0 => json!(0),
                    1 => json!(1),
                    2 => json!(2),
                    3 => json!(u64::MAX),
                    4 => json!(-1.5),
                    5 => json!(null),
                    6 => json!([]),
                    _ => other,
                };
            }
            if let Ok(model) = Model::from_bytes(&file.sealed()) {
                let _ = model.estimate(&x.view());
                accepted += 1;
                assert_eq!(Model::from_bytes(&model.to_bytes().unwrap()).unwrap(), model);
            }
        }
        // Other numbers in the summary are as good as the right ones; sizes and names are not.
        assert!((50..2500).contains(&accepted), "{accepted} of 3000");
    }
}

fn collect(value: &Value, at: String, places: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Array(list) => list.iter().enumerate().map(|(k, x)| (k.to_string(), x)).collect(),
        Value::Object(map) => map.iter().map(|(k, x)| (k.clone(), x)).collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        let place = format!("{at}/{name}");
        collect(child, place.clone(), places);
        places.push(place);
    }
}

/// A device, a pipe or a folder is not waited for.
#[test]
fn only_regular_files_are_read() {
    #[cfg(unix)]
    assert!(matches!(Model::load("/dev/zero"), Err(Error::Read { .. })));
    assert!(matches!(Model::load(std::env::temp_dir()), Err(Error::Read { .. })));
    let folder = Folder::new("regular");
    tiny().save(folder.0.join("a"), Overwrite::Never).unwrap();
    assert!(Model::load(folder.0.join("a")).is_ok());
}
