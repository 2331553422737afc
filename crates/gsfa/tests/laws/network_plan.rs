//! What a network will look like, and which specifications are refused.

use gsfa::expansion::{Clip, Expansion, First};
use gsfa::network::{Gate, InputShape, LayerPlan, LayerSpec, NetworkSpec, PcaSpec, Skip};
use gsfa::samples::Precision;
use gsfa::{Error, Surplus};

type Row = ([usize; 2], [usize; 2], usize, usize, usize);

fn rows(spec: &NetworkSpec) -> Vec<Row> {
    let row = |l: &LayerPlan| (l.nodes, l.receptive_field, l.input_dim, l.expanded_dim, l.output_dim);
    spec.plan().unwrap().layers.iter().map(row).collect()
}

/// The paper's table of the network's structure: nodes, receptive field, input, expanded and output dimension.
const PAPER: [Row; 8] = [
    ([8, 8], [8, 8], 64, 100, 40),
    ([4, 8], [16, 8], 80, 160, 40),
    ([4, 4], [16, 16], 80, 160, 40),
    ([2, 4], [32, 16], 80, 160, 40),
    ([2, 2], [32, 32], 80, 160, 40),
    ([1, 2], [64, 32], 80, 160, 40),
    ([1, 1], [64, 64], 80, 160, 40),
    ([1, 1], [64, 64], 40, 80, 6),
];

#[test]
fn plan_of_the_paper_s_network_is_its_table_row_by_row() {
    let spec = NetworkSpec::paper_64();
    for (number, (ours, paper)) in rows(&spec).iter().zip(&PAPER).enumerate() {
        assert_eq!(ours, paper, "layer {}", number + 1);
    }
    let plan = spec.plan().unwrap();
    assert_eq!(plan.layers.len(), 8);
    assert_eq!(plan.layers.iter().map(|l| l.pca_dim).collect::<Vec<_>>(), [&[Some(50)][..], &[None; 7]].concat());
    // 64 nodes with 64·51 + 100·41 numbers, 63 inner nodes of 160·41, and 80·7 on top.
    assert_eq!(plan.parameters(), 64 * (64 * 51 + 100 * 41) + 63 * 160 * 41 + 80 * 7);
}

#[test]
fn networks_for_powers_of_the_label_differ_in_the_top_as_the_paper_says() {
    let mut squared = PAPER;
    squared[6].4 = 3;
    (squared[7].2, squared[7].3) = (3, 9);
    assert_eq!(rows(&NetworkSpec::paper_64_squared()), squared);
    let mut cubed = squared;
    cubed[6].3 = 80 + 80 * 81 / 2;
    // Monomials of 3 variables up to degree 6 without the constant: C(9, 3) − 1.
    cubed[7].3 = 83;
    assert_eq!(rows(&NetworkSpec::paper_64_cubed()), cubed);
}

#[test]
fn plan_of_the_sign_network_has_7380_quadratic_terms() {
    let signs = InputShape { height: 48, width: 48, channels: 3 };
    assert_eq!(rows(&NetworkSpec::quadratic(signs, 120, 31)), [([1, 1], [48, 48], 6912, 7380, 31)]);
}

#[test]
fn plan_of_a_cascade_counts_skipped_inputs_and_both_degrees() {
    let plan = rows(&NetworkSpec::cascade(InputShape::grey(10, 10), 3, 20));
    // 20 + 210 monomials up to degree 2 of all, 35 of degree 3 of the first 5.
    assert_eq!(plan[1], ([1, 1], [10, 10], 20, 100 + 230 + 35, 20));
    assert_eq!((plan.len(), plan[0].3, plan[2]), (3, 100, plan[1]));
}

#[test]
fn plan_of_a_gate_counts_its_products_and_parameters() {
    let spec = NetworkSpec::gated(InputShape::grey(64, 60), 1);
    let plan = spec.plan().unwrap();
    // Pixels; z, z² and z³; z times 600 components.
    assert_eq!(plan.layers[1].expanded_dim, 64 * 60 + 3 + 600);
    // Sides in 8 parts of 8 rows, and 8 of at most 8 columns.
    assert_eq!(plan.layers[1].gate, Some([64, 600]));
    assert_eq!(plan.layers[1].parameters(), 64 * 601 + plan.layers[1].expanded_dim * 2);
    let several = NetworkSpec::gated(InputShape::grey(5, 7), 3).plan().unwrap();
    assert_eq!((several.layers[1].gate, several.layers[1].expanded_dim), (Some([35, 35]), 35 + 19 + 3 * 35));
    let squares = Skip { feature_scale: 1.0, gate: Some(Gate { squares: 0.1, ..Gate::components(9) }) };
    let layers = vec![LayerSpec::new(2), LayerSpec { skip: Some(squares), ..LayerSpec::new(1) }];
    let plan = NetworkSpec::new(InputShape::grey(4, 4), layers).plan().unwrap();
    assert_eq!(plan.layers[1].expanded_dim, 16 + 2 + 2 * 2 * 9);
    let faults = [
        Gate::components(0),
        Gate { features: Some(0), ..Gate::components(3) },
        Gate { patch: Some([0, 2]), ..Gate::components(3) },
        Gate { products: 0.0, ..Gate::components(3) },
        Gate { products: f64::NAN, ..Gate::components(3) },
        Gate { squares: -1.0, ..Gate::components(3) },
    ];
    for gate in faults {
        let mut spec = NetworkSpec::gated(InputShape::grey(4, 4), 1);
        spec.layers[1].skip = Some(Skip { feature_scale: 1.0, gate: Some(gate) });
        assert!(spec.plan().unwrap_err().to_string().contains("layer 2"), "{gate:?}");
    }
}

#[test]
fn overlapping_fields_see_overlapping_pixels() {
    let layer = |field, stride| LayerSpec { field: Some(field), stride: Some(stride), ..LayerSpec::new(2) };
    let layers = vec![layer([4, 3], [2, 3]), layer([2, 2], [1, 1])];
    let spec = NetworkSpec::new(InputShape { height: 10, width: 12, channels: 3 }, layers);
    assert_eq!(rows(&spec), [([4, 4], [4, 3], 36, 36, 2), ([3, 3], [6, 6], 8, 8, 2)]);
}

#[test]
fn every_preset_survives_toml_and_json() {
    let image = InputShape { height: 9, width: 7, channels: 3 };
    let mut full = NetworkSpec::quadratic(image, 4, 5);
    full.layers[0].clip = Some(Clip { sigmas: 4.0 });
    full.layers[0].standardize = true;
    full.layers[0].field = Some([3, 7]);
    full.layers[0].stride = Some([2, 7]);
    full.layers[0].surplus = Surplus::Truncate;
    full.layers[0].pca = Some(PcaSpec { variance: Some(0.1 + 0.2), whiten: true, components: None });
    let presets = [
        NetworkSpec::paper_64(),
        NetworkSpec::paper_64_squared(),
        NetworkSpec::paper_64_cubed(),
        NetworkSpec::quadratic(image, 120, 31),
        NetworkSpec::cascade(image, 3, 20),
        NetworkSpec::gated(image, 1),
        NetworkSpec::gated(InputShape::grey(64, 64), 7),
        full,
    ];
    for spec in presets {
        let toml = toml::to_string(&spec).unwrap();
        assert_eq!(toml::from_str::<NetworkSpec>(&toml).unwrap(), spec, "{toml}");
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<NetworkSpec>(&json).unwrap(), spec);
    }
    let misspelt = "input = { height = 4, width = 4 }\n[[layers]]\noutput_dim = 2\nfeild = [2, 2]";
    assert!(toml::from_str::<NetworkSpec>(misspelt).unwrap_err().to_string().contains("feild"));
}

#[test]
fn specifications_that_do_not_fit_are_refused_with_the_place() {
    let base = LayerSpec::new(2);
    let cases: Vec<(LayerSpec, &str)> = vec![
        (LayerSpec { output_dim: 0, ..base.clone() }, "output_dim = 0 in layer 1: a node needs at least one output"),
        (
            LayerSpec { field: Some([7, 2]), ..base.clone() },
            "field = [7, 2] in layer 1: it must lie within the 6x8 nodes below",
        ),
        (
            LayerSpec { field: Some([0, 2]), ..base.clone() },
            "field = [0, 2] in layer 1: it must lie within the 6x8 nodes below",
        ),
        (
            LayerSpec { field: Some([4, 4]), ..base.clone() },
            "field = [4, 4] in layer 1: with its stride it does not cover the 6x8 nodes below evenly",
        ),
        (
            LayerSpec { field: Some([2, 2]), stride: Some([3, 2]), ..base.clone() },
            "stride = [3, 2] in layer 1: it must be at least 1 and at most the field",
        ),
        (
            LayerSpec { field: Some([2, 2]), stride: Some([2, 0]), ..base.clone() },
            "stride = [2, 0] in layer 1: it must be at least 1 and at most the field",
        ),
        (
            LayerSpec { pca: Some(PcaSpec::default()), ..base.clone() },
            "pca = {}: give either `components` or `variance`",
        ),
        (
            LayerSpec { pca: Some(PcaSpec { variance: Some(0.5), ..PcaSpec::components(3) }), ..base.clone() },
            "pca = components and variance: give one of them",
        ),
        (
            LayerSpec { pca: Some(PcaSpec::components(0)), ..base.clone() },
            "components = 0: at least one component is needed",
        ),
        (LayerSpec { ridge: -1.0, ..base.clone() }, "ridge = -1 in layer 1: it must be finite and not negative"),
        (LayerSpec { ridge: f64::NAN, ..base.clone() }, "ridge = NaN in layer 1: it must be finite and not negative"),
        (
            LayerSpec { clip: Some(Clip { sigmas: 0.0 }), ..base.clone() },
            "sigmas = 0 in layer 1: it must be positive and finite",
        ),
        (
            LayerSpec { skip: Some(Skip { feature_scale: 0.0, gate: None }), ..base.clone() },
            "feature_scale = 0 in layer 1: it must be positive and finite",
        ),
        (
            LayerSpec { expansion: Expansion::Polynomial { degree: 9, first: None }, ..base.clone() },
            "expanding 48 inputs to degree 9 gives more than 1000000 terms",
        ),
        (
            LayerSpec {
                expansion: Expansion::Polynomial { degree: 2, first: Some(First { count: 49, degree: 3 }) },
                ..base.clone()
            },
            "first.count = 49: there are 48 inputs",
        ),
        (
            LayerSpec { expansion: Expansion::Expo { exponent: 0.0 }, ..base.clone() },
            "exponent = 0: it must be positive and at most 8",
        ),
    ];
    for (layer, message) in cases {
        let spec = NetworkSpec::new(InputShape::grey(6, 8), vec![layer]);
        assert_eq!(spec.plan().unwrap_err().to_string(), message);
    }
    for share in [0.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
        let pca = Some(PcaSpec { variance: Some(share), ..PcaSpec::default() });
        let spec = NetworkSpec::new(InputShape::grey(6, 8), vec![LayerSpec { pca, ..base.clone() }]);
        assert_eq!(spec.plan().unwrap_err().to_string(), format!("variance = {share}: the share must lie in (0, 1]"));
    }
}

#[test]
fn networks_without_inputs_or_layers_are_refused() {
    for (height, width, channels) in [(0, 4, 1), (4, 0, 1), (4, 4, 0), (usize::MAX, 2, 1), (1 << 40, 1 << 40, 3)] {
        let spec = NetworkSpec::new(InputShape { height, width, channels }, vec![LayerSpec::new(1)]);
        assert!(matches!(spec.plan(), Err(Error::Parameter { name: "input", .. })), "{height}x{width}x{channels}");
    }
    let empty = NetworkSpec::new(InputShape::grey(2, 2), Vec::new());
    assert!(matches!(empty.plan(), Err(Error::Parameter { name: "layers", .. })));
}

#[test]
fn absurd_sizes_are_refused_or_saturate_and_never_wrap() {
    let huge = LayerSpec { field: Some([1, 1]), ..LayerSpec::new(usize::MAX / 2) };
    let spec = NetworkSpec::new(InputShape::grey(2, 2), vec![huge, LayerSpec::new(1)]);
    assert!(matches!(spec.plan(), Err(Error::Parameter { name: "output_dim", .. })));
    let wide = NetworkSpec::new(InputShape::vector(1 << 40), vec![LayerSpec::new(1 << 40)]);
    let plan = wide.plan().unwrap();
    assert_eq!(plan.parameters(), usize::MAX);
    assert_eq!(plan.training_bytes(1 << 40, Precision::Single, 2), usize::MAX);
    assert!(plan.operations(1 << 40).is_finite());
}

#[test]
fn memory_of_the_paper_s_network_is_that_of_two_layers_and_the_sums_of_the_nodes_at_work() {
    let plan = NetworkSpec::paper_64().plan().unwrap();
    let (n, threads) = (10_800, 2);
    let outputs = |nodes: usize| n * nodes * 40 * 4;
    // A node at work: its expanded inputs, kept as long as it is trained, its sums and their factor, and the blocks of
    // rows of two threads, packed, with the ten sums of each that wait to be added, in double precision.
    let node = n * 160 * 4 + 2 * 8 * 160 * 160 + 2 * 160 * (4 * 2 * 512 + 8 * 10 * 160);
    // The second layer holds most: 64 and 32 nodes' outputs.
    let expected = outputs(64) + outputs(32) + 2 * node;
    assert_eq!(plan.training_bytes(n, Precision::Single, threads), expected);
    // About as much as the images themselves.
    assert!(expected < n * 4096 * 4 * 11 / 10);
    assert!(plan.operations(2 * n) > 1.9 * plan.operations(n));
}

#[test]
fn a_plan_prints_one_line_per_layer() {
    let text = NetworkSpec::paper_64().plan().unwrap().to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["1", "8x8", "8x8", "64", "50", "100", "40", "471296"]);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    assert!(include_str!("../../docs/networks.md").contains(&text), "the page shows another plan");
}

#[test]
fn higsfa_of_96x96_pixels_has_the_fields_and_outputs_of_the_authors() {
    let plan = NetworkSpec::higsfa(InputShape::grey(96, 96), 50_000, 75).plan().unwrap();
    let rows: Vec<([usize; 2], usize)> = plan.layers.iter().map(|layer| (layer.nodes, layer.output_dim)).collect();
    let grids = [[31, 31], [15, 31], [15, 15], [7, 15], [7, 7], [3, 7], [3, 3], [1, 3], [1, 1], [1, 1]];
    let outputs = [18, 27, 37, 66, 79, 88, 88, 93, 95, 75];
    assert_eq!(rows, grids.into_iter().zip(outputs).collect::<Vec<_>>());
    assert_eq!((plan.layers[0].receptive_field, plan.layers[0].pca_dim), ([6, 6], Some(20)));
    assert_eq!(plan.layers[9].receptive_field, [96, 96]);
    // Any other size, the smallest included, is covered.
    for (height, width, channels) in
        [(1, 1, 7), (1, 5, 1), (6, 6, 1), (7, 31, 3), (28, 28, 1), (48, 48, 3), (135, 101, 1)]
    {
        let plan = NetworkSpec::higsfa(InputShape { height, width, channels }, 300, 2).plan().unwrap();
        let top = plan.layers.last().unwrap();
        assert_eq!((top.nodes, top.receptive_field, top.output_dim), ([1, 1], [height, width], 2), "{height}x{width}");
    }
}
