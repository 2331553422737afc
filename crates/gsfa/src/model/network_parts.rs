//! A network as named arrays, and what makes arrays a network.

use ndarray::{Array, Array0, Array1, Array2, Dimension, Ix1};

use super::container::Tensors;
use super::header::{KeptShare, NodeSummary};
use crate::expansion::{ClipBounds, RbfCenters, RbfSpec};
use crate::network::{
    Gate, GateComponents, LayerGeometry, LayerPlan, LayerSpec, Network, NetworkSpec, Node, Pca, Scaling,
};
use crate::solve::Kept;
use crate::{Error, Result, SlowFeatures};

/// The most outputs of a layer: applying a network holds this many numbers for a few hundred samples.
const MOST_OUTPUTS: usize = 1 << 20;

/// The most inputs of a network; products with numbers of outputs cannot overflow.
const MOST_INPUTS: usize = 1 << 40;

/// Everything a network learned, by name.
pub fn to_tensors(network: &Network) -> Tensors {
    let mut tensors = Tensors::new();
    for (l, nodes) in network.layers.iter().enumerate() {
        // Nodes that are one are there once.
        let own = if network.spec.layers[l].shared { 1 } else { nodes.len() };
        for (k, node) in nodes.iter().enumerate().take(own) {
            let mut put = |name: &str, array| tensors.insert(format!("{}.{name}", place(l, k)), array);
            if let Some(scaling) = &node.scaling {
                put("scaling.mean", scaling.mean.clone().into_dyn());
                put("scaling.factors", scaling.factors.clone().into_dyn());
            }
            if let Some(pca) = &node.pca {
                put("pca.weights", pca.weights.clone().into_dyn());
                put("pca.mean", pca.mean.clone().into_dyn());
                put("pca.variances", pca.variances.clone().into_dyn());
            }
            if let Some(clip) = &node.clip {
                put("clip.lower", clip.lower().to_owned().into_dyn());
                put("clip.upper", clip.upper().to_owned().into_dyn());
            }
            if let Some(rbf) = &node.centers {
                put("rbf.centers", rbf.centers.clone().into_dyn());
                put("rbf.scale", Array0::from_elem((), rbf.scale).into_dyn());
                put("rbf.map", rbf.map.clone().into_dyn());
            }
            if let Some(scale) = node.skip_scale {
                put("skip_scale", Array0::from_elem((), scale).into_dyn());
            }
            if let Some(gate) = &node.gate {
                put("gate.mean", gate.mean.clone().into_dyn());
                put("gate.weights", gate.weights.clone().into_dyn());
                put("gate.patch", gate.patch.iter().map(|&patch| patch as f64).collect::<Array1<f64>>().into_dyn());
            }
            if let Some(slow) = &node.slow {
                put("gsfa.weights", slow.weights.clone().into_dyn());
                put("gsfa.mean", slow.mean.clone().into_dyn());
                if let Some(code) = &slow.code {
                    put("gsfa.code", code.clone().into_dyn());
                }
                if let Some(kept) = &slow.kept {
                    put("gsfa.inverse", kept.inverse.clone().into_dyn());
                }
            }
        }
    }
    tensors
}

/// Nodes are counted from 1, row by row, and layers from the input.
fn place(layer: usize, node: usize) -> String {
    format!("layer{}.node{}", layer + 1, node + 1)
}

/// The network of a specification and the summaries of its nodes, with its arrays taken out of `tensors`.
///
/// # Errors
/// If the specification is impossible, or an array is missing or does not fit it.
pub fn from_tensors(
    spec: &NetworkSpec,
    summaries: &[Vec<Option<NodeSummary>>],
    tensors: &mut Tensors,
) -> Result<Network> {
    check_sizes(spec)?;
    let plan = spec.plan()?;
    let counts: Vec<usize> = summaries.iter().map(Vec::len).collect();
    Error::check_shape("the list of nodes", &counts, &plan.layers.iter().map(LayerPlan::count).collect::<Vec<_>>())?;
    let mut layers = Vec::new();
    for (l, (layer, nodes)) in spec.layers.iter().zip(summaries).enumerate() {
        let read = |(k, node): (usize, &Option<NodeSummary>)| read_node(layer, &place(l, k), node.as_ref(), tensors);
        let own = if layer.shared { 1 } else { nodes.len() };
        let mut own = nodes.iter().enumerate().take(own).map(read).collect::<Result<Vec<Node>>>()?;
        if let (true, Some(one)) = (layer.shared, own.first().cloned()) {
            own.resize(nodes.len(), one);
        }
        layers.push(own);
    }
    let network = Network { spec: spec.clone(), layers };
    check(&network)?;
    Ok(network)
}

fn read_node(layer: &LayerSpec, place: &str, summary: Option<&NodeSummary>, tensors: &mut Tensors) -> Result<Node> {
    let name = |array: &str| format!("{place}.{array}");
    let mut node = Node::empty();
    if scales_inputs(layer) {
        node.scaling = Some(read_scaling(place, tensors)?);
    }
    if layer.pca.is_some() {
        node.pca = Some(Pca {
            weights: take(tensors, name("pca.weights"))?,
            mean: take(tensors, name("pca.mean"))?,
            variances: take(tensors, name("pca.variances"))?,
        });
    }
    if layer.clip.is_some() {
        node.clip = Some(ClipBounds::new(take(tensors, name("clip.lower"))?, take(tensors, name("clip.upper"))?)?);
    }
    if layer.expansion.rbf().is_some() {
        node.centers = Some(RbfCenters {
            centers: take(tensors, name("rbf.centers"))?,
            scale: take::<ndarray::Ix0>(tensors, name("rbf.scale"))?.into_scalar(),
            map: take(tensors, name("rbf.map"))?,
        });
    }
    if layer.skip.is_some() {
        node.skip_scale = Some(take::<ndarray::Ix0>(tensors, name("skip_scale"))?.into_scalar());
    }
    if layer.skip.is_some_and(|skip| skip.gate.is_some()) {
        let patch: Array1<f64> = take(tensors, name("gate.patch"))?;
        if patch.iter().any(|p| !(0.0..=MOST_INPUTS as f64).contains(p) || p.fract() != 0.0) {
            return Err(Error::parameter("network", name("gate.patch"), "patches are counted from 0"));
        }
        node.gate = Some(GateComponents {
            mean: take(tensors, name("gate.mean"))?,
            weights: take(tensors, name("gate.weights"))?,
            patch: patch.iter().map(|&p| p as usize).collect(),
        });
    }
    if let Some(summary) = summary {
        node.slow = Some(SlowFeatures {
            weights: take(tensors, name("gsfa.weights"))?,
            mean: take(tensors, name("gsfa.mean"))?,
            delta_values: summary.delta_values.clone(),
            correlations: summary.correlations.clone(),
            rank: summary.rank,
            dead_columns: summary.dead_columns,
            dropped_directions: summary.dropped_directions,
            informative: summary.informative,
            code: tensors.contains_key(&name("gsfa.code")).then(|| take(tensors, name("gsfa.code"))).transpose()?,
            kept: summary.kept.map(|kept| read_kept(kept, name("gsfa.inverse"), tensors)).transpose()?,
            notes: Vec::new(),
        });
    }
    Ok(node)
}

fn read_kept(share: KeptShare, inverse: String, tensors: &mut Tensors) -> Result<Kept> {
    let KeptShare { variance, explained } = share;
    Ok(Kept { inverse: take(tensors, inverse)?, variance, explained })
}

/// Whether a node standardises its inputs one by one; where there is PCA, that is part of it.
fn scales_inputs(layer: &LayerSpec) -> bool {
    layer.standardize && layer.pca.is_none()
}

/// Standardised inputs. Earlier files have them as components, one for each input: the factors are a diagonal matrix.
fn read_scaling(place: &str, tensors: &mut Tensors) -> Result<Scaling> {
    let name = |array: &str| format!("{place}.{array}");
    if tensors.contains_key(&name("scaling.factors")) || !tensors.contains_key(&name("pca.weights")) {
        return Ok(Scaling {
            mean: take(tensors, name("scaling.mean"))?,
            factors: take(tensors, name("scaling.factors"))?,
        });
    }
    let weights: Array2<f64> = take(tensors, name("pca.weights"))?;
    let (mean, variances) = (take(tensors, name("pca.mean"))?, take::<Ix1>(tensors, name("pca.variances"))?);
    let diagonal = weights.is_square() && weights.indexed_iter().all(|((i, j), w)| i == j || *w == 0.0);
    if !diagonal || variances.len() != weights.nrows() {
        return Err(Error::parameter("network", name("pca.weights"), "standardised inputs have a diagonal matrix"));
    }
    Ok(Scaling { mean, factors: weights.diag().to_owned() })
}

/// The tensor called `name`, with as many axes as asked for.
pub fn take<D: Dimension>(tensors: &mut Tensors, name: String) -> Result<Array<f64, D>> {
    let array = tensors.remove(&name).ok_or_else(|| Error::parameter("tensor", &name, "it is missing"))?;
    let axes = array.ndim();
    array.into_dimensionality().map_err(|_| {
        let needed = D::NDIM.unwrap_or_default();
        Error::parameter("tensor", name, format!("it has {axes} axes, {needed} are needed"))
    })
}

/// Refuses networks whose sizes could overflow or exhaust memory.
fn check_sizes(spec: &NetworkSpec) -> Result<()> {
    let too_large = |name, value| Err(Error::parameter(name, value, "no model has that many values"));
    match spec.input.dim() {
        Some(dim) if dim <= MOST_INPUTS => {}
        _ => return too_large("input", format!("{:?}", spec.input)),
    }
    match spec.layers.iter().find(|layer| layer.output_dim > MOST_OUTPUTS) {
        None => Ok(()),
        Some(layer) => too_large("output_dim", layer.output_dim.to_string()),
    }
}

/// Refuses networks whose arrays do not fit their specification or are not finite.
pub fn check(network: &Network) -> Result<()> {
    let spec = &network.spec;
    check_sizes(spec)?;
    let plan = spec.plan()?;
    let counts: Vec<usize> = network.layers.iter().map(Vec::len).collect();
    Error::check_shape("the list of nodes", &counts, &plan.layers.iter().map(LayerPlan::count).collect::<Vec<_>>())?;
    let geometry = spec.geometry()?;
    for (l, ((layer, plan), nodes)) in spec.layers.iter().zip(&plan.layers).zip(&network.layers).enumerate() {
        if plan.count().checked_mul(layer.output_dim).is_none_or(|outputs| outputs > MOST_OUTPUTS) {
            let value = format!("{} in layer {} of {} nodes", layer.output_dim, l + 1, plan.count());
            return Err(Error::parameter("output_dim", value, format!("a layer has at most {MOST_OUTPUTS} outputs")));
        }
        let skipped = if layer.skip.is_some() { geometry[l].original_dim() } else { 0 };
        for (k, node) in nodes.iter().enumerate() {
            NodeCheck { place: place(l, k), layer, plan, geometry: &geometry[l], skipped }.check(node)?;
        }
    }
    Ok(())
}

struct NodeCheck<'a> {
    place: String,
    layer: &'a LayerSpec,
    plan: &'a LayerPlan,
    /// Original inputs beside the expanded ones.
    skipped: usize,
    geometry: &'a LayerGeometry,
}

impl NodeCheck<'_> {
    fn check(&self, node: &Node) -> Result<()> {
        self.present("scaling", node.scaling.is_some(), scales_inputs(self.layer))?;
        self.present("pca", node.pca.is_some(), self.layer.pca.is_some())?;
        self.present("clip", node.clip.is_some(), self.layer.clip.is_some())?;
        self.present("skip_scale", node.skip_scale.is_some(), self.layer.skip.is_some())?;
        let mut inputs = self.plan.input_dim;
        if let Some(scaling) = &node.scaling {
            self.shape("scaling.mean", scaling.mean.shape(), &[inputs])?;
            self.shape("scaling.factors", scaling.factors.shape(), &[inputs])?;
            if !scaling.mean.iter().chain(&scaling.factors).all(|x| x.is_finite()) {
                return Err(self.refuse("scaling", "mean and factors must be finite"));
            }
        }
        if let Some(pca) = &node.pca {
            inputs = self.check_pca(pca)?;
        }
        if let Some(clip) = &node.clip {
            self.shape("clip.lower", clip.lower().shape(), &[inputs])?;
        }
        let rbf = self.layer.expansion.rbf();
        self.present("rbf", node.centers.is_some(), rbf.is_some())?;
        let terms = match (rbf, &node.centers) {
            (Some(spec), Some(centers)) => inputs + self.check_centers(&spec, centers, inputs)?,
            _ => self.layer.expansion.output_dim(inputs)?,
        };
        if node.skip_scale.is_some_and(|scale| !(scale > 0.0 && scale.is_finite())) {
            return Err(self.refuse("skip_scale", "it must be positive"));
        }
        let gate = self.layer.skip.and_then(|skip| skip.gate);
        self.present("gate", node.gate.is_some(), gate.is_some())?;
        if let (Some(gate), Some(fitted)) = (gate, &node.gate) {
            self.check_gate(&gate, fitted)?;
        }
        let gated = gate.map_or(0, |gate| gate.width(inputs, self.skipped));
        let expanded = terms + self.skipped + gated;
        if let Some(slow) = &node.slow {
            self.check_kept(slow, if self.skipped > 0 { self.skipped } else { inputs })?;
        }
        node.slow.as_ref().map_or(Ok(()), |slow| self.check_slow(slow, expanded))
    }

    /// The number of components.
    fn check_pca(&self, pca: &Pca) -> Result<usize> {
        let (inputs, count) = (self.plan.input_dim, pca.variances.len());
        let most = self.plan.pca_dim.unwrap_or(inputs);
        let exact = self.layer.pca.is_some_and(|spec| spec.components.is_some());
        if count > most || count == 0 || exact && count != most {
            return Err(self.refuse("pca.variances", &format!("{count} components are not as specified")));
        }
        self.shape("pca.weights", pca.weights.shape(), &[inputs, count])?;
        self.shape("pca.mean", pca.mean.shape(), &[inputs])?;
        self.affine("pca", &pca.weights, &pca.mean)?;
        if !pca.variances.iter().all(|v| v.is_finite() && *v >= 0.0) {
            return Err(self.refuse("pca.variances", "they must be finite and not negative"));
        }
        Ok(count)
    }

    /// The number of centres.
    fn check_centers(&self, spec: &RbfSpec, rbf: &RbfCenters, inputs: usize) -> Result<usize> {
        let count = rbf.count();
        if count > spec.centers {
            return Err(self.refuse("rbf.centers", &format!("{count} centres are not as specified")));
        }
        self.shape("rbf.centers", rbf.centers.shape(), &[count, inputs])?;
        self.shape("rbf.map", rbf.map.shape(), &[count, count])?;
        let finite = rbf.centers.iter().chain(&rbf.map).chain([&rbf.scale]).all(|x| x.is_finite());
        if !finite || rbf.scale <= 0.0 {
            return Err(self.refuse("rbf", "centres and map must be finite, and the scale positive"));
        }
        Ok(count)
    }

    fn check_gate(&self, spec: &Gate, gate: &GateComponents) -> Result<()> {
        let components = spec.components.min(self.skipped);
        // First, so that patches are listed for as many inputs as the file has numbers.
        self.shape("gate.mean", gate.mean.shape(), &[self.skipped])?;
        let patches = self.geometry.patches(spec);
        let longest = patches.iter().map(Vec::len).max().unwrap_or(0);
        self.shape("gate.weights", gate.weights.shape(), &[longest, components])?;
        self.shape("gate.patch", &[gate.patch.len()], &[components])?;
        if !gate.patch.is_sorted() || gate.patch.last().is_some_and(|&patch| patch >= patches.len()) {
            return Err(self.refuse("gate.patch", "patches must ascend, and be those of the field"));
        }
        self.affine("gate", &gate.weights, &gate.mean)
    }

    fn check_slow(&self, slow: &SlowFeatures, expanded: usize) -> Result<()> {
        let features = slow.delta_values.len();
        if features == 0 && slow.kept.is_none() || features > self.layer.output_dim || slow.informative > features {
            return Err(self.refuse("delta_values", &format!("{features} features are not as specified")));
        }
        self.shape("correlations", &[slow.correlations.len()], &[features])?;
        self.shape("gsfa.weights", slow.weights.shape(), &[expanded, features])?;
        self.shape("gsfa.mean", slow.mean.shape(), &[expanded])?;
        if let Some(code) = &slow.code {
            self.shape("gsfa.code", code.shape(), &[code.nrows(), code.ncols().min(features)])?;
            if !code.iter().all(|x| x.is_finite()) {
                return Err(self.refuse("gsfa.code", "it must be finite"));
            }
        }
        self.affine("gsfa", &slow.weights, &slow.mean)
    }

    fn check_kept(&self, slow: &SlowFeatures, inputs: usize) -> Result<()> {
        self.present("gsfa.inverse", slow.kept.is_some(), self.layer.keep.is_some())?;
        let Some(kept) = &slow.kept else { return Ok(()) };
        self.shape("gsfa.inverse", kept.inverse.shape(), &[inputs, slow.delta_values.len()])?;
        let shares = kept.variance >= 0.0 && (0.0..=1.0).contains(&kept.explained);
        match shares && kept.inverse.iter().all(|x| x.is_finite()) {
            true => Ok(()),
            false => Err(self.refuse("gsfa.inverse", "it must be finite, and explain a share of the variance")),
        }
    }

    fn affine(&self, map: &str, weights: &Array2<f64>, mean: &Array1<f64>) -> Result<()> {
        if weights.iter().chain(mean).all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(self.refuse(map, "weights and mean must be finite"))
    }

    fn present(&self, what: &str, is: bool, should: bool) -> Result<()> {
        match (is, should) {
            (true, false) => Err(self.refuse(what, "the specification has none")),
            (false, true) => Err(self.refuse(what, "it is missing")),
            _ => Ok(()),
        }
    }

    fn shape(&self, array: &str, found: &[usize], needed: &[usize]) -> Result<()> {
        Error::check_shape(&format!("{}.{array}", self.place), found, needed)
    }

    fn refuse(&self, what: &str, reason: &str) -> Error {
        Error::parameter("network", format!("{}.{what}", self.place), reason)
    }
}
