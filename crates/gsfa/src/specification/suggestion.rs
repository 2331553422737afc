//! What was probably meant by a name that there is not.

/// How alike names are that are held for misspelt: half of their letters are in place.
const ALIKE: f64 = 0.5;

/// Names that are longer are no misspelt settings, columns or classes.
const LONGEST: usize = 100;

/// The name that is most like the given one, if one is.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let plain = |name: &str| name.to_lowercase().replace(['-', ' '], "_");
    let alike = |known: &str| strsim::normalized_damerau_levenshtein(&plain(name), &plain(known));
    let short = |name: &str| name.len() <= LONGEST;
    let known = known.into_iter().filter(|known| short(known) && short(name));
    let rated = known.map(|known| (alike(known), known)).filter(|(alike, _)| *alike > ALIKE);
    rated.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

/// `did you mean 'age'?`, if a name is like the given one.
pub fn suggestion<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(name, known).map(|known| format!("did you mean '{}'?", crate::error::brief::text(known)))
}
