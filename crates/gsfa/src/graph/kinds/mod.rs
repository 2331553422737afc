//! One file per training graph: its specification and how it is built.

mod balance;
mod pairs;
mod unlabelled;

pub(super) use ell::label_graph;
pub use pairs::VertexWeights;
pub(super) use pairs::check_given;

use serde::{Deserialize, Serialize};

use super::{GraphInput, TrainingGraph};
use crate::Result;

/// Lists the graphs: `file: Type, "doc";` declares the module, the variant of [`GraphSpec`] and the dispatch of
/// [`GraphSpec::build`]. Adding a graph is a file with a `build` method and a line here.
macro_rules! graphs {
    ($($file:ident: $name:ident, $doc:literal;)*) => {
        $(mod $file; pub use $file::*;)*

        /// Which training graph to build, as written in TOML or JSON: `kind = "serial"`, `groups = 60`.
        ///
        /// ```
        /// use gsfa::graph::{GraphInput, GraphSpec};
        /// use gsfa::labels::Labels;
        /// let spec: GraphSpec = toml::from_str("kind = 'serial'\ngroups = 3")?;
        /// let labels = Labels::numbers("age", vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        /// let graph = spec.build(&GraphInput::new(&labels))?;
        /// assert_eq!(graph.r(), 4.0);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum GraphSpec {
            $(#[doc = $doc] $name($name),)*
        }

        impl GraphSpec {
            /// Builds the graph from the labels and weights of all training samples.
            ///
            /// # Errors
            /// Whatever is wrong with the labels, the weights or the specification.
            pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
                match self { $(Self::$name(graph) => graph.build(input),)* }
            }
        }

        $(impl From<$name> for GraphSpec {
            fn from(graph: $name) -> Self { Self::$name(graph) }
        })*
    };
}

graphs! {
    chain: Chain, "Samples in the order of time: plain SFA.";
    reordering: Reordering, "Samples in the order of a label, each connected with its neighbours.";
    serial: Serial, "Groups of similar labels, neighbouring groups connected.";
    mixed: Mixed, "Serial, and connected within groups.";
    sliding_window: SlidingWindow, "Samples in the order of a label, connected within a window.";
    clustered: Clustered, "Samples of a class connected: Fisher discriminant analysis.";
    ell: Ell, "The labels themselves, exactly.";
    compact: Compact, "Codes of the class, for few features that tell many classes apart.";
    edges: Edges, "A list of weighted edges.";
    nearest_neighbors: NearestNeighbors, "Each sample connected with the ones nearest to it.";
    sum: Sum, "A weighted sum of other graphs.";
}
