//! The native module `gsfa._core`: arrays and specifications in, fitted values out.
//!
//! Specifications travel as JSON, arrays as views of NumPy memory, errors through one doorway (`failure`), and work runs
//! without the interpreter (`doorway`). Everything that a user sees is in `python/gsfa`.

mod doorway;
mod failure;
mod fit;
mod graph;
mod held;
mod images;
mod labels;
mod model;
mod moments;
mod passes;
mod readout;
mod recipe;
mod specification;
mod spectrum;

use pyo3::prelude::*;

// Every class is frozen and holds what nobody changes, so that threads need no lock of the interpreter.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::doorway::{thread_remark, vectors};
    #[pymodule_export]
    use crate::fit::{fit_flat, fit_network};
    #[pymodule_export]
    use crate::graph::{Graph, default_groups};
    #[pymodule_export]
    use crate::images::distorted;
    #[pymodule_export]
    use crate::labels::{days, missing_cells, recognized};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::moments::Moments;
    #[pymodule_export]
    use crate::passes::Passes;
    #[pymodule_export]
    use crate::readout::Readout;
    #[pymodule_export]
    use crate::recipe::{choose, design, fit_recipe, network, plan};
    #[pymodule_export]
    use crate::specification::specification;
    #[pymodule_export]
    use crate::spectrum::{prepare_spectra, spectrum};
}
