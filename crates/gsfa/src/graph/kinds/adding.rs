//! What adding a graph costs: the type below, and one line of a table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;
use crate::graph::Edges;
use crate::labels::Labels;
use crate::specification::Sort;

/// Every sample connected with those a few steps further.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// The length of the rungs; the last samples have none.
    #[serde(default = "two")]
    #[schemars(extend("flag" = "N"))]
    pub rungs: usize,
    /// Whether to start at the end.
    pub backwards: bool,
}

fn two() -> usize {
    2
}

impl Ladder {
    fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let n = input.len();
        let edges = (0..n.saturating_sub(self.rungs)).map(|i| (i, i + self.rungs, 1.0)).collect();
        Edges { edges, ..Edges::default() }.build(input)
    }
}

graph_table! {
    ladder: Ladder, [OnePiece, Order], "Samples connected with those a few steps further.";
}

#[test]
fn a_graph_is_added_by_a_type_and_a_line() {
    let [kind] = GraphSpec::kinds() else { panic!("{:?}", GraphSpec::kinds()) };
    assert_eq!((kind.name.as_str(), &kind.needs[..]), ("ladder", &[Need::OnePiece, Need::Order][..]));
    assert_eq!(kind.doc, "Samples connected with those a few steps further.");
    let [backwards, rungs] = &kind.fields[..] else { panic!("{kind:?}") };
    assert_eq!((backwards.name.as_str(), &backwards.sort, backwards.required), ("backwards", &Sort::Flag, true));
    assert_eq!((rungs.name.as_str(), &rungs.sort, rungs.default.as_ref()), ("rungs", &Sort::Count, Some(&2.into())));
    assert_eq!((rungs.flag.as_deref(), backwards.flag.as_deref()), (Some("N"), None));
    assert_eq!(rungs.doc, "The length of the rungs; the last samples have none.");

    let read = |text: &str| serde_json::from_str::<GraphSpec>(text).map_err(|error| error.to_string());
    let spec = read(r#"{"kind": "ladder", "backwards": false}"#).unwrap();
    assert_eq!(spec, Ladder { rungs: 2, backwards: false }.into());
    assert_eq!(spec.kind(), kind);
    let labels = Labels::numbers("y", vec![1.0, 2.0, 3.0, 4.0]);
    let graph = spec.build(&GraphInput::new(&labels)).unwrap();
    assert!(graph.edge_weight(0, 2) > 0.0 && graph.edge_weight(0, 1) == 0.0);
    assert!(read(r#"{"kind": "ladder", "rung": 2}"#).unwrap_err().contains("rung"));
}
