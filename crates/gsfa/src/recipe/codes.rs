//! Codes of classes, and how many features: chosen by left-out samples where they are left open.

use super::Design;
use super::ladder::Rung;
use super::search::Search;
use crate::Result;
use crate::graph::{ClassCode, Clustered, Compact, GraphSpec};
use crate::labels::LabelValues;

/// Scales of the distances between classes that a learned code may go by, beside 1.
const SCALES: [f64; 3] = [0.7, 0.5, 0.35];

/// What is left open about a code.
struct OpenCode {
    /// The code with what is given about it.
    base: Compact,
    /// Codes to choose from.
    codes: Vec<ClassCode>,
    /// Whether the number of features is open.
    features: bool,
}

impl Design<'_> {
    /// Tries codes for the features that are asked for, fewer features if none are, and scales of the code that is best.
    ///
    /// Codes of as many features have as much to learn, and fewer features no more than all of them: what errs less is taken.
    pub(super) fn vary_codes(&self, search: &mut Search<'_, '_>) -> Result<()> {
        let Some(open) = self.open_code() else { return Ok(()) };
        let Some(top) = search.best().and_then(|best| best.network.layers.last()).map(|top| top.output_dim) else {
            return Ok(());
        };
        let all = self.class_count().saturating_sub(1);
        if top < all {
            self.try_codes(search, &open, top)?;
        }
        if open.features {
            // As long as fewer are better.
            let mut d = top.min(all).div_ceil(2);
            while d >= 2 && d < all {
                let before = search.judgement().map(|j| j.mean(self.weights.as_slice()).0);
                self.try_codes(search, &OpenCode { codes: open.codes[..1].to_vec(), ..open.again() }, d)?;
                if search.judgement().map(|j| j.mean(self.weights.as_slice()).0) == before {
                    break;
                }
                d = d.div_ceil(2);
            }
        }
        self.try_scales(search)
    }

    /// What is open, if labels are the classes of one column and more than two.
    fn open_code(&self) -> Option<OpenCode> {
        if self.class_count() < 3 {
            return None;
        }
        let (recipe, features) = (self.recipe, self.recipe.network.features.is_none() && self.recipe.targets.is_none());
        let codes = || vec![ClassCode::Pairwise, ClassCode::WeightedFisher, ClassCode::Nested, ClassCode::Binary];
        match &self.spec {
            GraphSpec::Clustered(clustered) if recipe.graph.is_none() => {
                let Clustered { label, balance, semi_supervised, unlabelled, .. } = clustered.clone();
                let base = Compact { label, balance, semi_supervised, unlabelled, ..Compact::default() };
                Some(OpenCode { base, codes: codes(), features })
            }
            // So many target labels, whatever their code.
            GraphSpec::Compact(compact) if recipe.graph.is_none() => {
                let base = Compact { targets: None, ..compact.clone() };
                Some(OpenCode { base, codes: codes(), features: false })
            }
            GraphSpec::Compact(compact) if compact.code.objective().is_some() => {
                let features = features && compact.targets.is_none();
                Some(OpenCode { base: compact.clone(), codes: vec![compact.code], features })
            }
            _ => None,
        }
    }

    fn class_count(&self) -> usize {
        let mut columns = self.labels.columns();
        match (columns.next(), columns.next()) {
            (Some((_, LabelValues::Classes(classes))), None) => classes.count(),
            _ => 0,
        }
    }

    fn try_codes(&self, search: &mut Search<'_, '_>, open: &OpenCode, d: usize) -> Result<()> {
        for &code in &open.codes {
            let Some(best) = search.best() else { return Ok(()) };
            let targets = (code == ClassCode::Binary).then_some(d);
            let spec = GraphSpec::from(Compact { code, targets: targets.or(open.base.targets), ..open.base.clone() });
            let same = best.spec == spec && best.network.layers.last().is_some_and(|top| top.output_dim == d);
            if same {
                continue;
            }
            let name = format!("{}, {} code of {d} features", base_name(best), name_of(code));
            let rung = self.with_code(best, name, spec, d)?;
            search.vary(rung)?;
        }
        Ok(())
    }

    /// Scales of the code that is best so far, if it is learned and its scale is open.
    fn try_scales(&self, search: &mut Search<'_, '_>) -> Result<()> {
        let Some(best) = search.best().cloned() else { return Ok(()) };
        let GraphSpec::Compact(compact) = &best.spec else { return Ok(()) };
        let Some(top) = best.network.layers.last() else { return Ok(()) };
        if compact.code.objective().is_none() || compact.scale.is_some() || top.output_dim + 1 >= self.class_count() {
            return Ok(());
        }
        for scale in SCALES {
            let spec = GraphSpec::from(Compact { scale: Some(scale), ..compact.clone() });
            let name = format!("{}, distances times {scale}", best.name);
            search.vary(self.with_code(&best, name, spec, top.output_dim)?)?;
        }
        Ok(())
    }

    /// The network of a candidate with another graph of the same classes and so many features at its top.
    fn with_code(&self, best: &Rung, name: String, spec: GraphSpec, d: usize) -> Result<Rung> {
        let graph = spec.build(&self.input()?)?.with_features(d);
        let mut network = best.network.clone();
        if let Some(top) = network.layers.last_mut() {
            top.output_dim = d;
        }
        Ok(Rung { as_simple: true, has_ridges: true, ..Rung::new(name, spec, graph, network) })
    }
}

impl OpenCode {
    fn again(&self) -> Self {
        Self { base: self.base.clone(), codes: self.codes.clone(), features: self.features }
    }
}

/// The name of a candidate before codes were tried.
fn base_name(rung: &Rung) -> &str {
    let codes = [ClassCode::Pairwise, ClassCode::WeightedFisher, ClassCode::Nested, ClassCode::Binary];
    let cut = codes.iter().filter_map(|code| rung.name.find(&format!(", {} code of", name_of(*code)))).min();
    cut.map_or(rung.name.as_str(), |cut| &rung.name[..cut])
}

fn name_of(code: ClassCode) -> &'static str {
    match code {
        ClassCode::Binary => "binary",
        ClassCode::Sparse => "sparse",
        ClassCode::WeightedFisher => "weighted Fisher",
        ClassCode::Pairwise => "pairwise",
        ClassCode::Nested => "nested",
    }
}
