//! `--readout`, with the kinds that the library has.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gsfa::readout::Readout;
use gsfa::specification::kinds_of;

use super::flag_case;

/// What is typed for a long name.
const SHORT: [(&str, &str); 1] = [("gaussian_classifier", "gaussian")];

/// Reads the kind of a read-out, as TOML writes it.
pub fn readout_parser() -> impl TypedValueParser<Value = String> {
    let names: Vec<String> = kinds_of::<Readout>().into_iter().map(|kind| kind.name).collect();
    let typed = |name: &str| -> &'static str { Box::leak(flag_case(name).into_boxed_str()) };
    let value = |name: &String| match SHORT.iter().find(|(long, _)| long == name) {
        Some((long, short)) => PossibleValue::new(*short).alias(typed(long)),
        None => PossibleValue::new(typed(name)),
    };
    let values: Vec<PossibleValue> = names.iter().map(value).collect();
    PossibleValuesParser::new(values).map(|typed| {
        let short = SHORT.iter().find(|(_, short)| *short == typed).map(|(long, _)| long.to_string());
        short.unwrap_or_else(|| typed.replace('-', "_"))
    })
}
