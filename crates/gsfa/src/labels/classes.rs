//! A class label: which class each sample belongs to.

use std::collections::HashMap;

/// Class names in their order and the class of every sample.
///
/// Classes are ordered numerically if all names are numbers, else by the bytes of their names, so that the order does
/// not depend on the order of the samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    names: Vec<String>,
    of_sample: Vec<u32>,
}

impl Classes {
    /// The classes that occur in `values`, one value per sample.
    ///
    /// ```
    /// let classes = gsfa::labels::Classes::new(["10", "9", "10"]);
    /// assert_eq!(classes.names(), ["9", "10"]);
    /// assert_eq!(classes.of_sample(), [1, 0, 1]);
    /// ```
    pub fn new<S: AsRef<str>>(values: impl IntoIterator<Item = S>) -> Self {
        Self::with_missing(values.into_iter().map(Some))
    }

    /// What stands for the class of a sample that has none.
    pub const MISSING: u32 = u32::MAX;

    /// As [`new`](Self::new), where some samples may have no class.
    ///
    /// ```
    /// use gsfa::labels::Classes;
    /// let classes = Classes::with_missing([Some("stop"), None, Some("yield")]);
    /// assert_eq!(classes.of_sample(), [0, Classes::MISSING, 1]);
    /// ```
    pub fn with_missing<S: AsRef<str>>(values: impl IntoIterator<Item = Option<S>>) -> Self {
        let mut seen: HashMap<String, u32> = HashMap::new();
        let mut names: Vec<String> = Vec::new();
        let mut of_sample: Vec<u32> = Vec::new();
        for value in values {
            let Some(value) = &value else {
                of_sample.push(Self::MISSING);
                continue;
            };
            let value = value.as_ref();
            // Looked up first: most values were seen before, and `entry` would copy each one.
            let id = seen.get(value).copied().unwrap_or_else(|| {
                names.push(value.to_string());
                let id = (names.len() - 1) as u32;
                seen.insert(value.to_string(), id);
                id
            });
            of_sample.push(id);
        }
        let mut order: Vec<usize> = (0..names.len()).collect();
        let numbers: Option<Vec<f64>> =
            names.iter().map(|name| name.trim().parse::<f64>().ok().filter(|x| x.is_finite())).collect();
        match numbers {
            Some(x) => order.sort_by(|&i, &j| x[i].total_cmp(&x[j]).then_with(|| names[i].cmp(&names[j]))),
            None => order.sort_by(|&i, &j| names[i].cmp(&names[j])),
        }
        let mut rank = vec![0_u32; names.len()];
        for (position, &id) in order.iter().enumerate() {
            rank[id] = position as u32;
        }
        Self {
            names: order.iter().map(|&id| names[id].clone()).collect(),
            of_sample: of_sample.iter().map(|&id| rank.get(id as usize).copied().unwrap_or(Self::MISSING)).collect(),
        }
    }

    /// The name of a sample's class, if it has one.
    pub fn name_of(&self, sample: usize) -> Option<&str> {
        self.names.get(self.of_sample[sample] as usize).map(String::as_str)
    }

    /// Class names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The class of each sample, an index into [`names`](Self::names), or [`MISSING`](Self::MISSING).
    pub fn of_sample(&self) -> &[u32] {
        &self.of_sample
    }

    /// The number of classes C.
    pub fn count(&self) -> usize {
        self.names.len()
    }
}
