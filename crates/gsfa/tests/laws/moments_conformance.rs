//! Every graph's moments equal the dense definition, in any chunks and any number of threads.

use crate::solve_support::*;
use gsfa::graph::TrainingGraph;
use gsfa::moments::{CenteredMoments, Moments};
use ndarray::{Array2, s};

fn in_chunks(x: &Array2<f64>, graph: &TrainingGraph, size: usize) -> CenteredMoments {
    let mut moments = Moments::new(graph, x.ncols());
    let mut at = 0;
    while at < x.nrows() {
        let to = (at + size).min(x.nrows());
        moments.add(at, x.slice(s![at..to, ..])).unwrap();
        at = to;
    }
    moments.finish().unwrap()
}

fn assert_same_bits(a: &CenteredMoments, b: &CenteredMoments, what: &str) {
    assert!(a.mean() == b.mean(), "{what}: mean");
    assert!(a.covariance() == b.covariance(), "{what}: C");
    assert!(a.derivative_covariance() == b.derivative_covariance(), "{what}: derivative");
}

#[test]
fn moments_of_every_graph_equal_the_dense_definition() {
    for (n, dim) in [(2, 1), (3, 2), (12, 1), (12, 2), (40, 7), (120, 33), (300, 4)] {
        let x = samples(n, dim, 1);
        for (name, graph) in &graphs(n) {
            let moments = Moments::of(&x.view(), graph).unwrap() as Moments<f64>;
            let moments = moments.finish().unwrap();
            let expected = dense(x.view(), graph);
            let tolerance = 1e-12 * (n as f64).sqrt();
            assert!(relative(&moments.covariance(), &expected.covariance) < tolerance, "{name}, {n}x{dim}: C");
            // Relative to C: a graph may make Ċ vanish.
            let off =
                largest(&(moments.derivative_covariance() - &expected.derivative)) / largest(&expected.covariance);
            assert!(off < 10.0 * tolerance, "{name}, {n}x{dim}: derivative {off:e}");
            let mean = Array2::from_shape_vec((1, dim), moments.mean().to_vec()).unwrap();
            assert!(
                relative(&mean, &expected.mean.insert_axis(ndarray::Axis(0))) < tolerance,
                "{name}, {n}x{dim}: mean"
            );
        }
    }
}

/// All graphs, or those that make sense on very few vertices.
fn graphs(n: usize) -> Vec<(&'static str, TrainingGraph)> {
    if n >= 12 {
        return all_graphs(n);
    }
    vec![("chain", chain(n)), ("two labels", ell_labels(&uneven_weights(n), targets(&uneven_weights(n), 1), &[1.0]))]
}

#[test]
fn bits_do_not_depend_on_chunks() {
    for (n, dim) in [(5, 2), (1300, 3)] {
        let x = samples(n, dim, 2);
        for (name, graph) in &graphs(n) {
            let whole: Moments<f64> = Moments::of(&x.view(), graph).unwrap();
            let mut probe = Moments::<f64>::new(graph, dim);
            if probe.add(0, x.slice(s![..1, ..])).is_err() {
                continue;
            }
            let whole = whole.finish().unwrap();
            for size in [1, 2, 7, 512, 700, n] {
                assert_same_bits(&in_chunks(&x, graph, size), &whole, &format!("{name}, chunks of {size}"));
            }
        }
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    for (n, dim) in [(2600, 5), (2100, 1003)] {
        let x = samples(n, 5, 3);
        let x = Array2::from_shape_fn((n, dim), |(i, j)| x[[i, j % 5]] + ((i * j) % 17) as f64);
        let mut graphs = all_graphs(n);
        if dim > 1000 {
            graphs.retain(|(name, _)| ["serial", "ELL-3", "chain", "clustered, paper's weights"].contains(name));
        }
        for (name, graph) in graphs {
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap())
            };
            let one = run(1);
            for threads in [2, 3, 8] {
                assert_same_bits(&run(threads), &one, &format!("{name}, {n}x{dim}, {threads} threads"));
            }
        }
    }
}

#[test]
fn wide_and_narrow_moments_agree() {
    // The wide path on 1003 columns, of which the first ones are compared with the narrow path on them alone.
    let (n, dim) = (2500, 1003);
    let x = noise(n, dim, 4);
    for (name, graph) in [("ELL-3", ell(&uneven_weights(n), 9, &[1.0, 0.5, 0.2])), ("chain", chain(n))] {
        let wide = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
        let narrow = Moments::<f64>::of(&x.slice(s![.., ..40]), &graph).unwrap().finish().unwrap();
        let corner = |a: Array2<f64>| a.slice(s![..40, ..40]).to_owned();
        assert!(relative(&corner(wide.covariance()), &narrow.covariance()) < 1e-12, "{name}");
        let (a, b) = (corner(wide.derivative_covariance()), narrow.derivative_covariance());
        assert!(relative(&a, &b) < 1e-12, "{name}");
    }
}

#[test]
fn single_precision_samples_give_nearly_the_same_moments() {
    let x = samples(1500, 12, 5).mapv(|x| x as f32);
    let exact = x.mapv(f64::from);
    for (name, graph) in all_graphs(1500) {
        let single = Moments::<f32>::of(&x.view(), &graph).unwrap().finish().unwrap();
        let double = Moments::<f64>::of(&exact.view(), &graph).unwrap().finish().unwrap();
        assert!(relative(&single.covariance(), &double.covariance()) < 1e-6, "{name}");
        assert!(relative(&single.derivative_covariance(), &double.derivative_covariance()) < 3e-6, "{name}");
    }
}

#[test]
fn bytes_are_samples_too() {
    let x = Array2::from_shape_fn((60, 5), |(i, j)| ((i * 37 + j * 91 + i * j) % 256) as u8);
    let graph = serial(&vec![1.0; 60], contiguous(60, 6));
    let bytes = Moments::<f32>::of(&x.view(), &graph).unwrap().finish().unwrap();
    let exact = x.mapv(f64::from);
    let double = Moments::<f64>::of(&exact.view(), &graph).unwrap().finish().unwrap();
    assert!(relative(&bytes.covariance(), &double.covariance()) < 1e-6);
}

#[test]
fn memory_order_does_not_matter() {
    let x = samples(700, 6, 6);
    let graph = ell(&uneven_weights(700), 9, &[1.0, 0.5]);
    let mut columns_first = ndarray::Array2::zeros(ndarray::ShapeBuilder::f((700, 6)));
    columns_first.assign(&x);
    let a = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
    let b = Moments::<f64>::of(&columns_first.view(), &graph).unwrap().finish().unwrap();
    assert_same_bits(&a, &b, "column-major");
    let mut backwards = x.clone();
    backwards.invert_axis(ndarray::Axis(0));
    backwards = backwards.as_standard_layout().into_owned();
    backwards.invert_axis(ndarray::Axis(0));
    let c = Moments::<f64>::of(&backwards.view(), &graph).unwrap().finish().unwrap();
    assert_same_bits(&a, &c, "negative strides");
}
