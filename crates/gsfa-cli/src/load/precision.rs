//! The precision in which samples are read.

use gsfa::network::NetworkSpec;
use gsfa::samples::{InPrecision, Precision, Samples};

/// Whether a network is one node whose sums can be taken in one pass.
fn is_flat(network: &NetworkSpec) -> bool {
    let [layer] = &network.layers[..] else { return false };
    let one_pass = layer.pca.is_none() && layer.clip.is_none() && layer.skip.is_none() && !layer.standardize;
    one_pass && network.plan().is_ok_and(|plan| plan.layers[0].count() == 1)
}

/// The precision in which a network is trained and applied: single if it holds the samples, but for networks that shards
/// can train. Round-off of single precision depends on which rows are summed together, so that shards would agree with
/// one run to six digits only; in double precision they agree to ten and more.
pub fn working_precision(network: &NetworkSpec, samples: &dyn Samples) -> Precision {
    if is_flat(network) { Precision::Double } else { samples.precision() }
}

/// The samples in that precision.
pub fn in_precision<'a>(samples: &'a dyn Samples, network: &NetworkSpec) -> InPrecision<&'a dyn Samples> {
    InPrecision::new(samples, working_precision(network, samples))
}
