//! The sums of one pass: those of all nodes of a layer.

use super::node_sums::NodeSums;
use super::prepared::NodeNumber;
use crate::{Error, Result};

/// The SHA-256 of what a training is made of and has learned.
pub(super) type TrainingPrint = [u8; 32];

/// What differs where these do.
pub(super) const OTHER_TRAINING: &str = "the pass (the network, or what its nodes have learned so far)";

/// Sums of the nodes of one layer over some of the samples. They know the graph and the pass that they belong to.
#[derive(Debug, Clone)]
pub struct PassSums {
    pub(super) of: SumsOf,
    pub(super) training: TrainingPrint,
}

#[derive(Debug, Clone)]
pub(super) enum SumsOf {
    Single(Vec<NodeSums<f32>>),
    Double(Vec<NodeSums<f64>>),
}

impl PassSums {
    /// How many samples have been added.
    pub fn rows(&self) -> usize {
        match &self.of {
            SumsOf::Single(sums) => sums.first().map_or(0, NodeSums::rows),
            SumsOf::Double(sums) => sums.first().map_or(0, NodeSums::rows),
        }
    }

    /// That all samples have been added.
    ///
    /// # Errors
    /// [`Error::MissingRows`].
    pub fn check_complete(&self) -> Result<()> {
        match &self.of {
            SumsOf::Single(sums) => sums.iter().try_for_each(NodeSums::check_complete),
            SumsOf::Double(sums) => sums.iter().try_for_each(NodeSums::check_complete),
        }
    }

    /// Adds the sums over other samples.
    ///
    /// # Errors
    /// If a sample is in both, or these are sums of another pass.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        match (&mut self.of, other.of) {
            (SumsOf::Single(ours), SumsOf::Single(theirs)) if self.training == other.training => merge(ours, theirs),
            (SumsOf::Double(ours), SumsOf::Double(theirs)) if self.training == other.training => merge(ours, theirs),
            _ => Err(Error::DifferentMoments { what: OTHER_TRAINING }),
        }
    }

    /// The sums as bytes: the print of the training, and each sum after its length.
    ///
    /// # Errors
    /// As [`Moments::to_bytes`](crate::moments::Moments::to_bytes).
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let parts: Vec<Vec<Vec<u8>>> = match &self.of {
            SumsOf::Single(sums) => sums.iter().map(NodeSums::to_bytes).collect::<Result<_>>()?,
            SumsOf::Double(sums) => sums.iter().map(NodeSums::to_bytes).collect::<Result<_>>()?,
        };
        let mut out = Vec::with_capacity(32 + parts.iter().flatten().map(|part| part.len() + 8).sum::<usize>());
        out.extend(self.training);
        for part in parts.iter().flatten() {
            out.extend((part.len() as u64).to_le_bytes());
            out.extend(part);
        }
        Ok(out)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote into sums of the same pass, which have no samples yet.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bytes are not those that were written, [`Error::DifferentMoments`] if they belong to
    /// another pass, graph or sample type.
    pub fn read(self, bytes: &[u8]) -> Result<Self> {
        let early = Error::Damaged { at: 0, reason: "they end too early" };
        let Some((training, rest)) = bytes.split_first_chunk() else { return Err(early) };
        let parts = split(rest).ok_or(early)?;
        if *training != self.training {
            return Err(Error::DifferentMoments { what: OTHER_TRAINING });
        }
        let of = match self.of {
            SumsOf::Single(empty) => SumsOf::Single(read(&empty, parts)?),
            SumsOf::Double(empty) => SumsOf::Double(read(&empty, parts)?),
        };
        Ok(Self { of, training: *training })
    }
}

fn split(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        parts.push(part);
        bytes = rest;
    }
    Some(parts)
}

fn read<T: NodeNumber>(empty: &[NodeSums<T>], parts: Vec<&[u8]>) -> Result<Vec<NodeSums<T>>> {
    let mut parts = parts.into_iter();
    let sums = empty.iter().map(|empty| empty.read(&mut parts)).collect::<Result<_>>()?;
    match parts.next() {
        None => Ok(sums),
        Some(_) => Err(Error::Damaged { at: 0, reason: "bytes are left over" }),
    }
}

fn merge<T: NodeNumber>(ours: &mut [NodeSums<T>], theirs: Vec<NodeSums<T>>) -> Result<()> {
    ours.iter_mut().zip(theirs).try_for_each(|(a, b)| a.merge(b))
}
