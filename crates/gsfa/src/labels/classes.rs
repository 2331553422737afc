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
        let mut seen: HashMap<String, u32> = HashMap::new();
        let mut names: Vec<String> = Vec::new();
        let mut of_sample: Vec<u32> = Vec::new();
        for value in values {
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
            of_sample: of_sample.iter().map(|&id| rank[id as usize]).collect(),
        }
    }

    /// Class names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The class of each sample, an index into [`names`](Self::names).
    pub fn of_sample(&self) -> &[u32] {
        &self.of_sample
    }

    /// The number of classes C.
    pub fn count(&self) -> usize {
        self.names.len()
    }
}
