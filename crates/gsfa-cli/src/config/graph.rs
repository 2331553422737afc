//! What flags say of the graph.

use gsfa::graph::{
    Chain, Clustered, Compact, Ell, GraphSpec, Mixed, NearestNeighbors, Reordering, Serial, SlidingWindow,
};

use super::set;
use crate::args::{GraphKind, LearnArgs};
use crate::failure::{Failure, Outcome};

pub fn kind_of(graph: &GraphSpec) -> Option<GraphKind> {
    Some(match graph {
        GraphSpec::Chain(_) => GraphKind::Chain,
        GraphSpec::Reordering(_) => GraphKind::Reordering,
        GraphSpec::Serial(_) => GraphKind::Serial,
        GraphSpec::Mixed(_) => GraphKind::Mixed,
        GraphSpec::SlidingWindow(_) => GraphKind::SlidingWindow,
        GraphSpec::Clustered(_) => GraphKind::Clustered,
        GraphSpec::Ell(_) => GraphKind::Ell,
        GraphSpec::Compact(_) => GraphKind::Compact,
        GraphSpec::NearestNeighbors(_) => GraphKind::NearestNeighbors,
        _ => return None,
    })
}

pub fn default_graph(kind: GraphKind, args: &LearnArgs) -> Outcome<GraphSpec> {
    let needed = |value: Option<usize>, flag: &str| {
        value.ok_or_else(|| Failure::usage(format!("this graph needs {flag}")).hint(format!("e.g. {flag} 5")))
    };
    Ok(match kind {
        GraphKind::Chain => Chain::default().into(),
        GraphKind::Reordering => Reordering::default().into(),
        GraphKind::Serial => Serial::default().into(),
        GraphKind::Mixed => Mixed::default().into(),
        GraphKind::SlidingWindow => {
            let half_width = needed(args.half_width, "--half-width")?;
            SlidingWindow { half_width, shape: Default::default(), label: None }.into()
        }
        GraphKind::Clustered => Clustered::default().into(),
        GraphKind::Ell => Ell::default().into(),
        GraphKind::Compact => Compact::default().into(),
        GraphKind::NearestNeighbors => NearestNeighbors::new(needed(args.neighbors, "--neighbors")?).into(),
    })
}

/// The numbers of the graph; a flag that means nothing to it is an error, not ignored.
pub fn adjust_graph(graph: &mut GraphSpec, args: &LearnArgs) -> Outcome {
    let mut left: Vec<&str> = Vec::new();
    let mut numbers = [
        ("--targets", args.targets),
        ("--groups", args.groups),
        ("--half-width", args.half_width),
        ("--neighbors", args.neighbors),
    ];
    let mut take = |flag: &str| numbers.iter_mut().find(|(name, _)| *name == flag).and_then(|(_, value)| value.take());
    let (mut products, mut balance) = (args.products, args.balance);
    match graph {
        GraphSpec::Ell(ell) => {
            set(&mut ell.targets, take("--targets"));
            ell.products |= std::mem::take(&mut products);
        }
        GraphSpec::Compact(compact) => {
            set(&mut compact.targets, take("--targets"));
            compact.balance |= std::mem::take(&mut balance);
        }
        GraphSpec::Clustered(clustered) => clustered.balance |= std::mem::take(&mut balance),
        GraphSpec::Serial(serial) => serial.groups = take("--groups").unwrap_or(serial.groups),
        GraphSpec::Mixed(mixed) => mixed.groups = take("--groups").unwrap_or(mixed.groups),
        GraphSpec::SlidingWindow(window) => window.half_width = take("--half-width").unwrap_or(window.half_width),
        GraphSpec::NearestNeighbors(knn) => knn.neighbors = take("--neighbors").unwrap_or(knn.neighbors),
        _ => {}
    }
    left.extend(numbers.iter().filter(|(_, value)| value.is_some()).map(|(flag, _)| *flag));
    left.extend(products.then_some("--products"));
    left.extend(balance.then_some("--balance"));
    match left.first() {
        None => Ok(()),
        Some(flag) => {
            let kind = kind_of(graph).map_or("this".into(), |kind| format!("{kind:?}"));
            Err(Failure::usage(format!("{flag} means nothing to a graph of kind {kind}")).hint(
                "--targets: ell, compact; --groups: serial, mixed; --products: ell; --balance: clustered, compact",
            ))
        }
    }
}
