//! How many classes a code tells apart: with too few labels or features, several share one.

use std::collections::HashMap;

use ndarray::ArrayView1;

use super::{GraphTargets, TrainingGraph};
use crate::Note;
use crate::labels::TargetSource;
use crate::note::CodeLength;

/// The number of different codes of `rows` rows after the first label, the first two, and so on.
pub(super) fn different_codes<'a>(rows: usize, labels: impl IntoIterator<Item = ArrayView1<'a, f64>>) -> Vec<usize> {
    let mut code = vec![0; rows];
    let refine = |label: ArrayView1<'a, f64>| {
        let mut codes: HashMap<(usize, u64), usize> = HashMap::new();
        for (code, value) in code.iter_mut().zip(label) {
            let next = codes.len();
            // −0 is 0.
            *code = *codes.entry((*code, (value + 0.0).to_bits())).or_insert(next);
        }
        codes.len()
    };
    labels.into_iter().map(refine).collect()
}

impl GraphTargets {
    /// Whether the labels code classes.
    fn is_code(&self) -> bool {
        let coding = |s: &TargetSource| {
            matches!(s, TargetSource::Bit(_) | TargetSource::BitProduct(_) | TargetSource::Haar { .. })
        };
        self.labels.sources().iter().all(coding)
    }

    /// The different codes of the labels of largest eigenvalue, which is the order in which features learn them.
    fn codes(&self) -> Vec<usize> {
        let lambda = &self.eigenvalues.values;
        let mut order: Vec<usize> = (0..lambda.len()).collect();
        order.sort_by(|&i, &j| lambda[j].total_cmp(&lambda[i]));
        let values = self.labels.values();
        different_codes(values.nrows(), order.iter().map(|&j| values.column(j)))
    }
}

impl TrainingGraph {
    /// The same graph, with a remark if a network of `features` outputs is too small for its code of the classes.
    #[must_use]
    pub fn with_features(self, features: usize) -> Self {
        let note = self.features_note(features).filter(|note| !self.notes().contains(note));
        self.with_notes(note)
    }

    /// A remark if the labels that `features` outputs learn do not tell apart all classes that the code does.
    ///
    /// A graph whose own labels are too few has a remark on that already. A whole code with equal eigenvalues is the
    /// clustered graph: its features are combinations of all labels, and few may tell all classes apart.
    pub fn features_note(&self, features: usize) -> Option<Note> {
        let targets = self.targets().filter(|targets| targets.is_code())?;
        let classes = targets.labels.values().nrows();
        let lambda = &targets.eigenvalues.values;
        if lambda.len() + 1 == classes && lambda.iter().all(|value| value == &lambda[0]) {
            return None;
        }
        let codes = targets.codes();
        let enough = codes.iter().position(|&codes| codes == classes)? + 1;
        (0 < features && features < enough).then(|| Note::EqualCodes {
            classes,
            of: CodeLength::Features,
            length: features,
            codes: codes[features - 1],
            enough,
        })
    }
}
