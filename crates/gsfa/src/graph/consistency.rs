//! Whether vertex weights and edge weights agree `[eq:consistency]`.

use super::TrainingGraph;
use crate::Note;
use crate::linalg::tolerance;

/// How far a graph is from being consistent, $v_n/Q = (\Gamma 1)_n / R$ for every vertex.
///
/// Everything in this crate works for inconsistent graphs by the general definition with degrees; only the paper's
/// shortcuts need consistency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Consistency {
    /// Whether the largest violation is explained by round-off.
    pub holds: bool,
    /// The vertex with the largest violation.
    pub vertex: usize,
    /// Its share v/Q of the vertex weights.
    pub vertex_share: f64,
    /// Its share Γ1/R of the edge weights.
    pub edge_share: f64,
}

impl Consistency {
    /// $|v/Q - \Gamma 1/R|$ at the worst vertex.
    pub fn violation(&self) -> f64 {
        (self.vertex_share - self.edge_share).abs()
    }

    /// A remark with the largest violation, if the graph is inconsistent.
    pub fn note(&self) -> Option<Note> {
        (!self.holds).then_some(Note::Inconsistent {
            vertex: self.vertex,
            vertex_share: self.vertex_share,
            edge_share: self.edge_share,
        })
    }
}

impl TrainingGraph {
    /// Compares vertex weights with degrees.
    pub fn consistency(&self) -> Consistency {
        let shares = self.vertex_weights().iter().zip(self.degrees()).map(|(v, d)| (v / self.q(), d / self.r()));
        let mut worst = Consistency { holds: true, vertex: 0, vertex_share: 0.0, edge_share: 0.0 };
        let tolerance = tolerance::consistency(self.len());
        for (vertex, (vertex_share, edge_share)) in shares.enumerate() {
            let here = Consistency { holds: true, vertex, vertex_share, edge_share };
            worst.holds &= here.violation() <= tolerance * vertex_share.max(edge_share.abs());
            if vertex == 0 || here.violation() > worst.violation() {
                worst = Consistency { holds: worst.holds, ..here };
            }
        }
        worst
    }
}
