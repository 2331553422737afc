//! Who looks on while experiments run.

use std::ops::ControlFlow;

use gsfa::network::ProgressEvent;

use crate::{Error, Result};

/// Hears what is being done, and may stop it.
pub trait Watch: Sync {
    /// A step begins.
    fn step(&self, what: &str);

    /// Whether the experiment should end as soon as it can.
    fn stop(&self) -> bool;
}

/// Nobody looks on.
pub struct Silent;

impl Watch for Silent {
    fn step(&self, _: &str) {}

    fn stop(&self) -> bool {
        false
    }
}

/// Says a step, unless the experiment should end.
pub(crate) fn step(watch: &dyn Watch, what: &str) -> Result<()> {
    if watch.stop() {
        return Err(Error::Stopped);
    }
    watch.step(what);
    Ok(())
}

/// The callback for training a network that ends when the experiment should.
pub(crate) fn progress(watch: &dyn Watch) -> impl Fn(ProgressEvent) -> ControlFlow<()> + Sync + '_ {
    |_| if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
