//! The laws of the paper and of the design, in one program: compiled and linked once, run in parallel.
#![allow(clippy::unwrap_used)]

mod all_ways;
#[path = "../../../../laws/answer.rs"]
mod answer;
mod class_space;
mod class_sums;
mod code_choice;
mod code_notes;
mod column_scales;
mod denormals;
mod eigen;
mod expansion;
mod free_responses;
mod graph_conformance;
mod graph_faults;
mod graph_laws;
mod gsfa_conformance;
mod keeping;
mod labels_codes;
mod labels_decorrelate;
mod labels_eigenvalues;
mod labels_kind;
mod labels_normalization;
mod labels_targets;
mod learned_codes;
mod log_probabilities;
mod messages;
mod model_file;
mod model_golden;
mod model_hostile;
mod model_support;
mod moments_combination;
mod moments_conformance;
mod neighbors;
mod network_auto;
mod network_laws;
mod network_passes;
mod network_plan;
mod network_reference;
mod network_shared;
mod network_support;
mod noise_delta;
mod outliers;
#[allow(dead_code, reason = "the tests of the command line use the rest")]
#[path = "../../../../laws/problem.rs"]
mod problem;
mod random_walk;
mod rbf;
mod readout_conformance;
mod readout_gaussian;
mod readout_linear;
mod readout_nearest;
mod recipe;
mod remarks;
mod ridge;
mod selection;
mod selection_series;
mod solve_conformance;
mod solve_extremes;
mod solve_laws;
mod solve_support;
mod specification;
mod spectra;
mod support;
mod weights_extremes;
