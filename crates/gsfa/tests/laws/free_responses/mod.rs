//! Free responses of hand-built graphs against a naive solver, against closed forms, and by their definition.

mod against_naive;
mod builders;
mod laws;
mod long_graphs;
mod naive;
mod sums;
