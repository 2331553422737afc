//! The laws of the paper and of the design, in one program: compiled and linked once, run in parallel.
#![allow(clippy::unwrap_used)]

mod expansion;
mod free_responses;
mod graph_conformance;
mod graph_faults;
mod graph_laws;
mod gsfa_conformance;
mod labels_codes;
mod labels_decorrelate;
mod labels_eigenvalues;
mod labels_normalization;
mod labels_targets;
mod linalg_factorisations;
mod model_file;
mod model_hostile;
mod model_support;
mod moments_combination;
mod moments_conformance;
mod network_auto;
mod network_laws;
mod network_passes;
mod network_plan;
mod network_reference;
mod network_support;
mod random_walk;
mod readout_conformance;
mod readout_gaussian;
mod readout_linear;
mod readout_nearest;
mod recipe;
mod ridge;
mod solve_conformance;
mod solve_extremes;
mod solve_laws;
mod solve_support;
mod support;
