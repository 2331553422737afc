//! Laws that every way of computing graphs, features and estimates obeys: see `laws/main.rs`.
