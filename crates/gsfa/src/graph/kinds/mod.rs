//! One file per training graph: its specification and how it is built.

mod balance;
mod pairs;
mod unlabelled;

pub(super) use ell::label_graph;
pub use pairs::VertexWeights;
pub(super) use pairs::check_given;

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GraphInput, TrainingGraph};
use crate::Result;
use crate::specification::{Kind, Need, fields_of};

/// Lists the graphs: `file: Type, [needs], "doc";` declares the module, the variant of [`GraphSpec`], the dispatch of
/// [`GraphSpec::build`] and what [`GraphSpec::kinds`] tells to the command line, to Python and to the documentation. Adding a
/// graph is a file with a `build` method and a line here.
macro_rules! graphs {
    ($($file:ident: $name:ident, [$($need:ident),*], $doc:literal;)*) => {
        $(mod $file; pub use $file::*;)*

        graph_table! { $($file: $name, [$($need),*], $doc;)* }
    };
}

/// The part of the list that declares no modules, so that a test can make a table of its own.
macro_rules! graph_table {
    ($($file:ident: $name:ident, [$($need:ident),*], $doc:literal;)*) => {
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
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind", rename_all = "snake_case")]
        pub enum GraphSpec {
            $(#[doc = $doc] $name($name),)*
        }

        impl GraphSpec {
            /// All graphs in the order of the table: names, what they are, what they need, and their settings with types,
            /// defaults and documentation.
            pub fn kinds() -> &'static [Kind] {
                static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
                    let kind = |name: &str, doc: &str, needs: &[Need], fields| {
                        Kind { name: name.into(), doc: doc.into(), needs: needs.to_vec(), fields }
                    };
                    vec![$(kind(stringify!($file), $doc, &[$(Need::$need),*], fields_of::<$name>()),)*]
                });
                &KINDS
            }

            /// What this graph is, of [`kinds`](Self::kinds).
            pub fn kind(&self) -> &'static Kind {
                let name = match self { $(Self::$name(_) => stringify!($file),)* };
                let kind = Self::kinds().iter().find(|kind| kind.name == name);
                kind.unwrap_or_else(|| unreachable!("the table has every variant"))
            }

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
    chain: Chain, [OnePiece, Order], "Samples in the order of time: plain SFA.";
    reordering: Reordering, [Number, OnePiece], "Samples in the order of a label, each connected with its neighbours.";
    serial: Serial, [Number], "Groups of similar labels, neighbouring groups connected.";
    mixed: Mixed, [Number], "Serial, and connected within groups.";
    sliding_window: SlidingWindow, [Number, OnePiece], "Samples in the order of a label, connected within a window.";
    clustered: Clustered, [Class], "Samples of a class connected: Fisher discriminant analysis.";
    ell: Ell, [Numbers], "The labels themselves, exactly.";
    compact: Compact, [Class], "Codes of the class, for few features that tell many classes apart.";
    edges: Edges, [OnePiece, Order], "A list of weighted edges.";
    nearest_neighbors: NearestNeighbors, [Vectors, OnePiece], "Each sample connected with the ones nearest to it.";
    sum: Sum, [], "A weighted sum of other graphs.";
}

impl GraphSpec {
    /// Whether the graph, or one that it is a sum of, needs something.
    pub fn needs(&self, need: Need) -> bool {
        match self {
            Self::Sum(sum) => sum.graphs.iter().any(|summand| summand.graph.needs(need)),
            _ => self.kind().needs(need),
        }
    }
}

#[cfg(test)]
mod adding;
