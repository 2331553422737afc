//! Saving and loading: the same value, the same bits, the same bytes; and no failure that costs the old file.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::model_support::{Dissected, Folder, Tensor, classifier, hierarchy, images, standardized, tiny};
use gsfa::model::{Header, Overwrite};
use gsfa::network::InputShape;
use gsfa::{Error, Model};
use ndarray::Array2;
use serde_json::Value;

fn models() -> [(&'static str, Model); 3] {
    [("hierarchy", hierarchy()), ("classifier", classifier()), ("tiny", tiny())]
}

fn samples(model: &Model) -> Array2<f64> {
    let (x, _) = images(30, 9);
    x.slice(ndarray::s![.., ..model.input_shape().dim().unwrap()]).to_owned()
}

fn bits(x: &Array2<f64>) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn a_loaded_model_is_the_saved_one_and_gives_the_same_bits() {
    let folder = Folder::new("round-trip");
    for (name, model) in models() {
        let path = folder.0.join(name);
        model.save(&path, Overwrite::Never).unwrap();
        let loaded = Model::load(&path).unwrap();
        assert_eq!(loaded, model);
        assert_eq!(Header::read(&path).unwrap(), *model.header());
        assert_eq!(loaded.to_bytes().unwrap(), fs::read(&path).unwrap());
        let x = samples(&model);
        assert_eq!(bits(&loaded.features(&x.view()).unwrap()), bits(&model.features(&x.view()).unwrap()));
        let (a, b) = (loaded.estimate(&x.view()).unwrap(), model.estimate(&x.view()).unwrap());
        assert_eq!(format!("{a:?}"), format!("{b:?}")); // Debug tells -0 from 0
        assert_eq!(a.len(), model.header().labels.len());
        let single = x.mapv(|x| x as f32);
        assert_eq!(bits(&loaded.features(&single.view()).unwrap()), bits(&model.features(&single.view()).unwrap()));
    }
}

#[test]
fn standardised_inputs_are_a_vector_and_were_a_diagonal_matrix() {
    let inputs = 40;
    let model = standardized(inputs);
    let bytes = model.to_bytes().unwrap();
    let loaded = Model::from_bytes(&bytes).unwrap();
    assert_eq!(loaded, model);
    // As earlier files have them.
    let new = Dissected::new(&bytes);
    let tensor = |name: &str| new.tensors[&format!("layer1.node1.scaling.{name}")].clone();
    let mut old = new.clone();
    old.tensors.retain(|name, _| !name.contains("scaling"));
    let put = |file: &mut Dissected, name: &str, shape: Vec<u64>, bytes: Vec<u8>| {
        let tensor = Tensor { dtype: "F64".into(), shape, bytes };
        file.tensors.insert(format!("layer1.node1.pca.{name}"), tensor);
    };
    let diagonal = |corner: f64| {
        let factors = tensor("factors").bytes;
        let value = |i: usize, j: usize| match (i == j, (i, j) == (0, 1)) {
            (true, _) => factors[8 * i..8 * i + 8].to_vec(),
            (false, true) => corner.to_le_bytes().to_vec(),
            (false, false) => vec![0; 8],
        };
        (0..inputs * inputs).flat_map(|k| value(k / inputs, k % inputs)).collect::<Vec<u8>>()
    };
    put(&mut old, "mean", vec![inputs as u64], tensor("mean").bytes);
    put(&mut old, "variances", vec![inputs as u64], [1.0_f64.to_le_bytes()].concat().repeat(inputs));
    put(&mut old, "weights", vec![inputs as u64; 2], diagonal(0.0));
    assert_eq!(Model::from_bytes(&old.sealed()).unwrap(), model);
    put(&mut old, "weights", vec![inputs as u64; 2], diagonal(0.5));
    assert!(Model::from_bytes(&old.sealed()).is_err());
    let x = images(5, 9).0;
    let x = Array2::from_shape_fn((5, inputs), |(n, i)| x[[n, i % x.ncols()]]);
    let affine = model.affine_features().unwrap();
    let by_hand = x.dot(&affine.weights) + &affine.offset;
    crate::support::assert_all_near(
        model.features(&x.view()).unwrap().as_slice().unwrap(),
        by_hand.as_slice().unwrap(),
        1e-10,
    );
}

#[test]
fn a_model_knows_how_it_was_trained() {
    let model = hierarchy();
    let summary = model.summary();
    assert_eq!((summary.samples, summary.q), (60, 60.0));
    let dead: Vec<bool> = summary.layers[0].iter().map(Option::is_none).collect();
    assert_eq!(dead, [false, false, true, true]);
    let top = summary.layers[1][0].as_ref().unwrap();
    assert_eq!((top.delta_values.len(), top.dead_columns), (4, 18)); // 12 black pixels, 6 outputs of dead nodes
    assert!(top.notes.iter().any(|note| note.text.contains("18 constant columns")), "{:?}", top.notes);
    let targets = model.header().targets.as_ref().unwrap();
    assert_eq!((targets.names.len(), targets.originals), (4, 2));
    assert_eq!(model.recovery().unwrap().transform().dim(), (4, targets.raw_names.len()));
    let classes = classifier().header().labels[0].classes.clone().unwrap();
    assert_eq!((classes.len(), classes[0].as_str()), (7, "sign \"0\""));
}

#[test]
fn the_same_training_gives_the_same_bytes_with_any_number_of_threads() {
    let train = || (hierarchy().to_bytes().unwrap(), classifier().to_bytes().unwrap());
    let bytes = train();
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(train) == bytes, "{threads} threads");
    }
}

/// The specification written twice: the library's checksum is that of the test's own writer, and files of another
/// writer, with the tensors in another order, are read.
#[test]
fn files_of_another_writer_are_read() {
    for (_, model) in models() {
        let file = Dissected::new(&model.to_bytes().unwrap());
        let own: Value = serde_json::from_str(&serde_json::to_string(model.header()).unwrap()).unwrap();
        assert_eq!(file.header, own);
        assert_eq!(Model::from_bytes(&file.sealed()).unwrap(), model);
        let mut order: Vec<&String> = file.tensors.keys().collect();
        order.rotate_left(2);
        // The text of the header differs from the library's in the order of fields, so the checksum is made anew.
        let mut renewed = file.clone();
        renewed.tensors.get_mut("checksum").unwrap().bytes = file.checksum();
        assert_eq!(Model::from_bytes(&renewed.assemble(order.into_iter())).unwrap(), model);
    }
}

#[test]
fn columns_are_found_by_their_names() {
    let model = classifier();
    let mut names: Vec<String> = (0..24).map(|i| format!("column {i}")).collect();
    names.swap(0, 5);
    let order = model.column_order(&names).unwrap();
    assert_eq!((order[0], order[5], order[7]), (5, 0, 7));
    names[3] = "column 0".into();
    let error = model.column_order(&names).unwrap_err();
    assert_eq!(error.to_string(), "the columns are not those of training: missing 'column 3' unknown 'column 0'");
    assert!(matches!(model.column_order(&names[1..]), Err(Error::InputNames { .. })));
    assert!(matches!(hierarchy().column_order(&names[1..]), Err(Error::InputDim { expected: 24, got: 23 })));
    let color = InputShape { height: 48, width: 48, channels: 3 };
    let error = hierarchy().check_shape(color).unwrap_err();
    assert_eq!(error.to_string(), "the model expects 4x6 grey, got 48x48 RGB");
    assert!(hierarchy().check_shape(InputShape::grey(4, 6)).is_ok());
    assert!(model.clone().with_input_names(names.clone()).is_err());
    assert!(model.with_input_names(names[1..].to_vec()).is_err());
}

#[test]
fn parts_that_do_not_fit_together_make_no_model() {
    let (model, other) = (hierarchy(), classifier());
    let mut network = model.network().clone();
    network.layers[0].pop();
    let labels = gsfa::labels::Labels::numbers("age", vec![1.0, 2.0, 3.0]);
    let spec = gsfa::graph::GraphSpec::from(gsfa::graph::Ell::default());
    let graph = spec.build(&gsfa::graph::GraphInput::new(&labels)).unwrap();
    let training = gsfa::model::Training { labels: &labels, spec: None, graph: &graph };
    assert!(matches!(Model::new(network, Vec::new(), &training), Err(Error::Shape { .. })));
    let mut network = model.network().clone();
    network.layers[1][0].skip_scale = None;
    assert!(matches!(Model::new(network, Vec::new(), &training), Err(Error::Parameter { .. })));
    let mut network = model.network().clone();
    network.layers[1][0].slow.as_mut().unwrap().weights[[0, 0]] = f64::NAN;
    assert!(matches!(Model::new(network, Vec::new(), &training), Err(Error::Parameter { .. })));
    let readouts = other.readouts().to_vec();
    assert!(matches!(Model::new(model.network().clone(), readouts, &training), Err(Error::UnknownLabel { .. })));
    let mut network = model.network().clone();
    network.spec.layers[1].ridge = f64::INFINITY;
    assert!(matches!(Model::new(network, Vec::new(), &training), Err(Error::Parameter { .. })));
}

#[test]
fn what_is_in_the_way_is_kept_unless_told_otherwise() {
    let folder = Folder::new("overwrite");
    let (model, other) = (tiny(), classifier());
    let path = folder.0.join("a.gsfa");
    model.save(&path, Overwrite::Replace).unwrap();
    assert_eq!(other.save(&path, Overwrite::Never), Err(Error::FileExists { path: path.clone() }));
    assert_eq!(Model::load(&path).unwrap(), model);
    other.save(&path, Overwrite::Replace).unwrap();
    assert_eq!(Model::load(&path).unwrap(), other);
    assert_eq!(folder.names(), ["a.gsfa"]);
}

#[test]
fn a_failed_save_names_the_file_and_the_bytes_and_leaves_nothing() {
    let folder = Folder::new("failures");
    let model = tiny();
    let needed = model.to_bytes().unwrap().len();
    fs::create_dir(folder.0.join("taken")).unwrap();
    for bad in [folder.0.join("no/such/folder/a.gsfa"), folder.0.join("taken"), folder.0.join(".."), PathBuf::new()] {
        for overwrite in [Overwrite::Never, Overwrite::Replace] {
            match model.save(&bad, overwrite) {
                Err(Error::Save { path, bytes, .. }) => assert_eq!((path, bytes), (bad.clone(), needed)),
                other => panic!("{bad:?}: {other:?}"),
            }
        }
    }
    assert_eq!(folder.names(), ["taken"]);
    assert!(matches!(Model::load(folder.0.join("taken")), Err(Error::Read { .. })));
    assert!(matches!(Model::load(folder.0.join("absent")), Err(Error::Read { .. })));
    assert!(Error::Save { path: PathBuf::new(), bytes: 1, message: String::new() }.hint().is_some());
}

#[test]
#[cfg(unix)]
fn a_read_only_folder_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("read-only");
    let inner = folder.0.join("inner");
    fs::create_dir(&inner).unwrap();
    let path = inner.join("a.gsfa");
    tiny().save(&path, Overwrite::Never).unwrap();
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o555)).unwrap();
    // For root no folder is read-only.
    if fs::write(inner.join("probe"), b"").is_err() {
        assert!(matches!(classifier().save(&path, Overwrite::Replace), Err(Error::Save { .. })));
        assert_eq!(Model::load(&path).unwrap(), tiny());
    }
    fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).unwrap();
}

const LIMITED: &str = "GSFA_TEST_SAVE_WITHIN_A_LIMIT";

/// Runs in a process of its own, whose files cannot grow beyond a limit; does nothing otherwise.
#[test]
fn child_of_the_full_disk() {
    let Some(path) = std::env::var_os(LIMITED) else { return };
    let error = classifier().save(PathBuf::from(path), Overwrite::Replace).unwrap_err();
    assert!(matches!(error, Error::Save { .. }), "{error:?}");
}

#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_old_file_and_no_other() {
    let folder = Folder::new("full-disk");
    let path = folder.0.join("a.gsfa");
    tiny().save(&path, Overwrite::Never).unwrap();
    let old = fs::read(&path).unwrap();
    let blocks = classifier().to_bytes().unwrap().len() / 1024; // sh counts in 512 bytes or in 1024
    for limit in [0, 1, 2, blocks / 2, blocks - 1] {
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" --exact model_file::child_of_the_full_disk");
        let this = std::env::current_exe().unwrap();
        let output = Command::new("sh").arg("-c").arg(script).arg(this).env(LIMITED, &path).output().unwrap();
        assert!(output.status.success(), "{limit}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
        assert_eq!(fs::read(&path).unwrap(), old);
        assert_eq!(folder.names(), ["a.gsfa"]);
    }
}

const KILLED: &str = "GSFA_TEST_SAVE_UNTIL_KILLED";

/// Runs in a process of its own, which saves two models in turn until it is killed; does nothing otherwise.
#[test]
fn child_that_is_killed() {
    let Some(path) = std::env::var_os(KILLED).map(PathBuf::from) else { return };
    for model in [tiny(), classifier()].iter().cycle() {
        model.save(&path, Overwrite::Replace).unwrap();
    }
}

#[test]
fn a_process_killed_while_saving_leaves_a_complete_file() {
    let folder = Folder::new("killed");
    let path = folder.0.join("a.gsfa");
    let (tiny, classifier) = (tiny(), classifier());
    let old = tiny.to_bytes().unwrap();
    for round in 0..12 {
        tiny.save(&path, Overwrite::Replace).unwrap();
        let this = std::env::current_exe().unwrap();
        let output = std::process::Stdio::null();
        let name = "model_file::child_that_is_killed";
        let mut child = Command::new(this).args(["--exact", name]).env(KILLED, &path).stdout(output).spawn().unwrap();
        // Only once it has begun to save is there something to interrupt.
        let begun = Instant::now();
        while fs::read(&path).unwrap() == old {
            assert!(begun.elapsed() < Duration::from_secs(60), "the child saves nothing");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(1_700 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let left = Model::load(&path).unwrap();
        assert!(left == tiny || left == classifier);
    }
}
