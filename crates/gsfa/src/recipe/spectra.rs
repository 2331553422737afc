//! Preparations of spectra among the candidates.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ladder::Rung;
use super::search::Search;
use super::{Choice, Design};
use crate::Note;
use crate::samples::InputShape;
use crate::spectrum::Spectrum;

/// Windows to choose from, the usual one first.
const WINDOWS: [usize; 3] = [11, 5, 21];

/// The degree of polynomials, unless a derivative needs more.
const DEGREE: usize = 2;

/// What is done to spectra; each of the fields may be left open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SpectrumChoice {
    /// Whether each spectrum is freed of its own mean and deviation (standard normal variate).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snv: Option<bool>,
    /// Which derivative; 0 for none, or for smoothing if there is a window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivative: Option<usize>,
    /// Columns that polynomials are fitted to, an odd number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<usize>,
    /// The degree of the polynomials; 2, or that of a higher derivative, if left open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree: Option<usize>,
}

impl SpectrumChoice {
    /// What is taken where no left-out samples choose: of what is open, what leaves spectra as they are.
    pub fn usual(&self, columns: usize) -> Spectrum {
        self.windows(self.snv.unwrap_or(false), self.derivative.unwrap_or(0), columns)[0]
    }

    /// The same with nothing left open: what is [usual](Self::usual).
    #[must_use]
    pub fn fixed(&self, columns: usize) -> Self {
        let Spectrum { snv, derivative, window, degree } = self.usual(columns);
        Self { snv: Some(snv), derivative: Some(derivative), window: Some(window), degree: Some(degree) }
    }

    /// Whether left-out samples are asked which sort of preparation to take.
    pub fn is_open(&self) -> bool {
        self.snv.is_none() || self.derivative.is_none()
    }

    /// Preparations of spectra of so many columns, each with the windows to choose from; what spectra are too short for is
    /// none, unless it is the only one.
    fn preparations(&self, columns: usize) -> Vec<Vec<Spectrum>> {
        let open = |given: Option<usize>, all: [usize; 3]| given.map_or(all.to_vec(), |given| vec![given]);
        let mut found = Vec::new();
        for derivative in open(self.derivative, [0, 1, 2]) {
            for snv in self.snv.map_or(vec![false, true], |snv| vec![snv]) {
                found.push(self.windows(snv, derivative, columns));
            }
        }
        let possible = |spectrum: &Spectrum| spectrum.check(InputShape::vector(columns)).is_ok();
        if found.iter().flatten().any(possible) {
            found.iter_mut().for_each(|spectra| spectra.retain(possible));
            found.retain(|spectra| !spectra.is_empty());
        }
        found
    }

    /// One preparation with all windows to choose from, at least one.
    fn windows(&self, snv: bool, derivative: usize, columns: usize) -> Vec<Spectrum> {
        let degree = self.degree.unwrap_or(DEGREE.max(derivative));
        let fits = |window: &usize| *window <= columns && *window > degree;
        let windows = match self.window {
            Some(window) => vec![window],
            None if derivative == 0 && self.degree.is_none() => vec![1],
            None => match WINDOWS.iter().copied().filter(fits).collect::<Vec<_>>() {
                // Of few columns all, or all but one.
                none if none.is_empty() => vec![columns.saturating_sub(1) / 2 * 2 + 1],
                some => some,
            },
        };
        let one = |window: usize| {
            // A window of one column has nothing to fit.
            let degree = if window == 1 && self.degree.is_none() { derivative } else { degree };
            Spectrum { snv, derivative, window, degree }
        };
        windows.into_iter().map(one).collect()
    }
}

impl Design<'_> {
    /// A candidate for each preparation of spectra, if columns are: none has more to learn than another.
    ///
    /// Sums over folds tell windows of one node apart. Of networks of several, and of time series, one window is tried.
    pub(super) fn prepared(&self, rung: Rung) -> Vec<Rung> {
        let Some(choice) = self.recipe.network.spectrum else { return vec![rung] };
        let sums_tell = rung.network.layers.len() == 1 && self.series().is_none();
        let one = |(place, mut spectra): (usize, Vec<Spectrum>)| {
            let mut rung = Rung { as_simple: place > 0, ..rung.clone() };
            spectra.truncate(if sums_tell { spectra.len() } else { 1 });
            let network = |spectrum: &Spectrum| {
                let mut network = rung.network.clone();
                network.spectrum = Some(*spectrum);
                network
            };
            let mut networks: Vec<_> = spectra.iter().map(network).collect();
            rung.name += &format!(" on {}", spectra[0].words());
            rung.network = networks.remove(0);
            rung.alternatives = networks;
            rung
        };
        choice.preparations(self.network.input.channels).into_iter().enumerate().map(one).collect()
    }
}

impl Design<'_> {
    /// A remark if a preparation was left open and nobody chose it.
    pub(super) fn unchosen(&self, choice: &Choice) -> Option<Note> {
        let open = self.recipe.network.spectrum.is_some_and(|given| given.is_open());
        let taken = choice.network.spectrum.filter(|_| open && choice.judgement.is_none())?;
        Some(Note::UnchosenSpectrum { taken: taken.to_string() })
    }
}

impl Search<'_, '_> {
    /// Prepares the spectra of a candidate as those of the best so far, if it asks for that.
    pub(super) fn prepare_as_best(&self, rung: &mut Rung) {
        let Some(best) = self.best().filter(|_| rung.prepares_as_best) else { return };
        let spectrum = best.network.spectrum;
        rung.network.spectrum = spectrum;
        rung.alternatives.iter_mut().for_each(|network| network.spectrum = spectrum);
        rung.name += &spectrum.map_or_else(String::new, |spectrum| format!(" on {spectrum}"));
    }
}
