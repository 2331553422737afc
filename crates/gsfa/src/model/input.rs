//! Whether samples are of the kind that a model was trained with.

use std::collections::{BTreeMap, BTreeSet};

use super::Model;
use crate::network::InputShape;
use crate::{Error, Result};

impl Model {
    /// The shape of a sample.
    pub fn input_shape(&self) -> InputShape {
        self.network.spec.input
    }

    /// Refuses images of another size or number of channels.
    ///
    /// # Errors
    /// [`Error::InputShape`].
    pub fn check_shape(&self, shape: InputShape) -> Result<()> {
        let expected = self.input_shape();
        if shape == expected { Ok(()) } else { Err(Error::InputShape { expected, got: shape }) }
    }

    /// For each input of the model its position among columns of the given names. Without names in the model, columns
    /// stay in their order.
    ///
    /// # Errors
    /// [`Error::InputNames`] unless the columns are those of training, in any order; [`Error::InputDim`] if the model
    /// has no names and there are more or fewer columns than inputs.
    pub fn column_order(&self, names: &[String]) -> Result<Vec<usize>> {
        let Some(inputs) = &self.header.input_names else {
            let expected = self.input_shape().dim().unwrap_or(0);
            if names.len() != expected {
                return Err(Error::InputDim { expected, got: names.len() });
            }
            return Ok((0..expected).collect());
        };
        let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
        let mut unknown: Vec<String> = Vec::new();
        let known: BTreeSet<&String> = inputs.iter().collect();
        for (position, name) in names.iter().enumerate() {
            if !known.contains(name) || positions.insert(name, position).is_some() {
                unknown.push(name.clone());
            }
        }
        let order: Vec<Option<usize>> = inputs.iter().map(|name| positions.get(name.as_str()).copied()).collect();
        let missing = inputs.iter().zip(&order).filter(|(_, place)| place.is_none());
        let missing: Vec<String> = missing.map(|(name, _)| name.clone()).collect();
        if missing.is_empty() && unknown.is_empty() {
            return Ok(order.into_iter().flatten().collect());
        }
        Err(Error::InputNames { missing, unknown })
    }
}
