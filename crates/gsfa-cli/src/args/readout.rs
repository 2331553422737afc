//! `--readout`, with the kinds that the library has.

use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gsfa::readout::Readout;
use gsfa::specification::{Kind, kinds_of};

use super::flag_case;
use super::graph::kept;

/// What is typed for a long name.
const SHORT: [(&str, &str); 1] = [("gaussian_classifier", "gaussian")];

/// The kind of a read-out as it is typed.
pub fn readout_name(kind: &str) -> String {
    SHORT.iter().find(|(long, _)| *long == kind).map_or_else(|| flag_case(kind), |(_, short)| short.to_string())
}

/// Reads the kind of a read-out, as TOML writes it.
pub fn readout_parser() -> impl TypedValueParser<Value = String> {
    // Once for all commands that take it: every start would pay for each.
    static VALUES: LazyLock<Vec<PossibleValue>> = LazyLock::new(|| {
        let value = |kind: Kind| {
            let (short, long) = (kept(readout_name(&kind.name)), kept(flag_case(&kind.name)));
            let value = if short == long { PossibleValue::new(long) } else { PossibleValue::new(short).alias(long) };
            value.alias(kept(kind.name))
        };
        kinds_of::<Readout>().into_iter().map(value).collect()
    });
    PossibleValuesParser::new(VALUES.clone()).map(|typed| {
        let short = SHORT.iter().find(|(_, short)| *short == typed).map(|(long, _)| long.to_string());
        short.unwrap_or_else(|| typed.replace('-', "_"))
    })
}
