//! The real binary in temporary folders. One test program for all, because linking takes longer than running.

mod all_ways;
#[allow(dead_code, reason = "the tests of the library use the rest")]
#[path = "../../../../laws/answer.rs"]
mod answer;
#[allow(dead_code, reason = "here for the tests in it: the program itself is compiled without")]
#[path = "../../src/args/graph.rs"]
mod args_of_graphs;
mod bad_images;
mod choosing;
mod codes;
mod columns;
mod commands;
mod damaged;
mod damaged_shards;
mod defaults;
mod equivalence;
#[allow(dead_code, unused_imports, reason = "here for the tests in it: the program itself is compiled without")]
#[path = "../../src/error/mod.rs"]
mod error;
mod examples;
mod faults;
mod golden;
mod graphs;
#[cfg(unix)]
mod guide;
#[cfg(unix)]
mod interrupt;
mod keeping;
mod labels;
mod layers;
mod learned_codes;
mod learning;
mod magnitudes;
mod maps;
mod meaning;
mod naming;
mod neighbors;
#[cfg(unix)]
mod odd_paths;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(unix)]
mod places;
#[allow(dead_code, reason = "the tests of the library use the rest")]
#[path = "../../../../laws/problem.rs"]
mod problem;
mod remembering;
mod reproduce;
mod samples;
#[cfg(unix)]
mod saving;
mod schema;
mod settings;
mod streams;
mod support;
mod surface;
#[cfg(unix)]
mod surroundings;
mod telling;
mod vectors;
