//! What tells a graph from others, so that sums over one are not taken for sums over another.

use super::TrainingGraph;

/// Probes of each kind: two graphs that agree in one by chance do not agree in the other.
const PROBES: usize = 2;

/// Differences up to this share of a probe's magnitude are round-off: the same labels give last digits of their own on
/// machines with other vectors.
const ROUND_OFF: f64 = 1e-11;

/// A graph seen through a few fixed vectors z: $v^T z$ and $z^T \Gamma z$. In O(N), and alike on all machines, as a hash of
/// the edge weights would not be.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphPrint {
    vertices: usize,
    samples: usize,
    weights: [Probe; PROBES],
    edges: [Probe; PROBES],
}

/// The value of a sum, and that of its terms without their signs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Probe {
    value: f64,
    magnitude: f64,
}

impl Probe {
    fn sum(terms: impl Iterator<Item = f64>) -> Self {
        terms.fold(Self::default(), |p, x| Self { value: p.value + x, magnitude: p.magnitude + x.abs() })
    }

    fn agrees(&self, other: &Self) -> bool {
        self == other || (self.value - other.value).abs() <= ROUND_OFF * self.magnitude.max(other.magnitude)
    }
}

/// How many numbers a print is.
pub(crate) const NUMBERS: usize = 2 + 4 * PROBES;

impl GraphPrint {
    pub(super) fn of(graph: &TrainingGraph) -> Self {
        let weights = |k| {
            let samples = graph.sample_weights().iter().zip(vector(k)).map(|(w, z)| w * z);
            Probe::sum(graph.vertex_weights().iter().zip(vector(k)).map(|(v, z)| v * z).chain(samples))
        };
        let edges = |k| {
            let z: Vec<f64> = vector(k).take(graph.len()).collect();
            Probe::sum(graph.multiply(&z).iter().zip(&z).map(|(x, z)| x * z))
        };
        Self {
            vertices: graph.len(),
            samples: graph.samples(),
            weights: std::array::from_fn(weights),
            edges: std::array::from_fn(edges),
        }
    }

    /// What differs, in words; `None` if nothing does.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let agree = |a: &[Probe], b: &[Probe]| a.iter().zip(b).all(|(a, b)| a.agrees(b));
        if (self.vertices, self.samples) != (other.vertices, other.samples) {
            Some("the number of samples")
        } else if !agree(&self.weights, &other.weights) {
            Some("the vertex weights (the samples' own, or those that the graph gives them by their labels)")
        } else if !agree(&self.edges, &other.edges) {
            Some("the graph (its kind, its settings, or the labels it was made of)")
        } else {
            None
        }
    }

    pub(crate) fn to_numbers(&self) -> [f64; NUMBERS] {
        let mut all = [self.vertices as f64, self.samples as f64]
            .into_iter()
            .chain(self.weights.iter().chain(&self.edges).flat_map(|probe| [probe.value, probe.magnitude]));
        std::array::from_fn(|_| all.next().unwrap_or_default())
    }

    pub(crate) fn from_numbers(numbers: &[f64; NUMBERS]) -> Self {
        let probe = |k: usize| Probe { value: numbers[2 + 2 * k], magnitude: numbers[3 + 2 * k] };
        Self {
            vertices: numbers[0] as usize,
            samples: numbers[1] as usize,
            weights: std::array::from_fn(probe),
            edges: std::array::from_fn(|k| probe(PROBES + k)),
        }
    }
}

/// Numbers of either sign between 1/2 and 3/2, without pattern.
fn vector(k: usize) -> impl Iterator<Item = f64> {
    let seed = (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..).map(move |n: u64| {
        let mut x = seed.wrapping_add(n.wrapping_mul(0xbf58_476d_1ce4_e5b9));
        x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        x ^= x >> 32;
        let size = 0.5 + (x >> 12) as f64 / (1_u64 << 52) as f64;
        if x & 1 == 0 { size } else { -size }
    })
}
