//! From runs to tables.

use ndarray::Array2;

use super::learned::Coded;
use super::photos::SignData;
use super::run::{Graphs, Run};
use super::{ChosenCode, FeaturePicture, Rule, SignsResults, SignsSpec};
use crate::expected::Expected;
use crate::results::{Measured, ResultTable};

/// Numbers of features shown in tables, beside all of them.
const SHOWN: [usize; 5] = [2, 3, 5, 8, 10];

/// What is said of a code whose settings and read-out were chosen.
pub(super) const CHOSEN: &str = "chosen on held-out tracks";

impl SignsSpec {
    pub(super) fn results(
        &self,
        data: &SignData,
        graphs: &Graphs,
        real: bool,
        runs: &[Run],
        expected: &Expected,
    ) -> SignsResults {
        let classes = data.names.len();
        let rows = self.test_rows(&data.test);
        let over = |number: &dyn Fn(&Run) -> f64| Measured::over(runs.iter().map(number).collect());
        let first = self.features[0];
        let last = self.features[1].min(classes - 1);
        let (few, all) = (format!("d = {}", graphs.bits), format!("d = {last}"));
        let measures = [few.as_str(), all.as_str()];
        let names: Vec<&str> = graphs.families.iter().map(|family| family.name.as_str()).collect();
        let limited = format!("Test error in %, {} images", rows[0].len());
        let everything = format!("Test error in %, all {} images", rows[1].len());
        let summary = |set: usize, id: &str, title: &str| {
            let row = |(g, name): (usize, &&str)| {
                let at = |d: usize| over(&|run| known(&run.codes[g].by_rule[0][set], d, first));
                (name.to_string(), vec![at(graphs.bits), at(last)])
            };
            let rows = names.iter().enumerate().map(row).collect();
            ResultTable::new((id, title, "graph"), &measures, rows, expected).decimals(2)
        };
        let curves = |id: &str, rule: usize| {
            let curve = |d: usize| {
                let numbers = (0..names.len()).map(|g| over(&|run| known(&run.codes[g].by_rule[rule][0], d, first)));
                (d.to_string(), numbers.collect())
            };
            let title = format!("{limited}, {}", Rule::ALL[rule].name());
            let curves = (first..=last).map(curve).collect();
            ResultTable::new((id, &title, "d"), &names, curves, expected).decimals(2)
        };
        let mut confusion = Array2::<f64>::zeros((classes, classes));
        runs.iter().for_each(|run| confusion += &run.confusion);
        SignsResults {
            spec: self.clone(),
            real,
            train: runs[0].train,
            test: [rows[0].len(), rows[1].len()],
            classes: data.names.clone(),
            summary: summary(0, "signs", &limited),
            summary_all: summary(1, "signs_all", &everything),
            curves: curves("signs_curves", 0),
            curves_shared: curves("signs_curves_shared", 1),
            codes: self.codes((0, "signs_codes", &limited), graphs, runs, (last, expected)),
            codes_all: self.codes((1, "signs_codes_all", &everything), graphs, runs, (last, expected)),
            paired: self.paired(runs, last, expected),
            chosen_codes: chosen_codes(graphs, &runs[0]),
            orders: self.orders(graphs, runs, expected),
            chosen: runs.iter().filter_map(|run| run.chosen.as_ref().map(|(chosen, _)| chosen.clone())).collect(),
            different_estimates: runs.iter().map(|run| run.different).sum(),
            confusion: confusion.outer_iter().map(|row| row.to_vec()).collect(),
            examples: examples(data),
            features: runs[0].features.clone(),
            maps: runs[0].maps.clone(),
            times: times(runs, expected),
        }
    }

    /// Every code with both read-outs at a few numbers of features, and what held-out tracks chose.
    fn codes(
        &self,
        (set, id, title): (usize, &str, &str),
        graphs: &Graphs,
        runs: &[Run],
        (last, expected): (usize, &Expected),
    ) -> ResultTable {
        let first = self.features[0];
        let shown: Vec<usize> = (first..last).filter(|d| SHOWN.contains(d)).chain([last]).collect();
        let measures: Vec<String> = shown.iter().map(|d| format!("d = {d}")).collect();
        let measures: Vec<&str> = measures.iter().map(String::as_str).collect();
        let over = |errors: &dyn Fn(&Run) -> Vec<f64>| {
            let at = |&d: &usize| Measured::over(runs.iter().map(|run| known(&errors(run), d, first)).collect());
            shown.iter().map(at).collect::<Vec<Measured>>()
        };
        let mut rows = Vec::new();
        for (g, family) in graphs.families.iter().enumerate() {
            for (k, rule) in Rule::ALL.into_iter().enumerate() {
                let errors = over(&|run| run.codes[g].by_rule[k][set].clone());
                rows.push((format!("{}, {}", family.name, rule.name()), errors));
            }
        }
        let chosen = |code: &Coded| code.chosen.as_ref().map(|(_, errors)| errors[set].clone()).unwrap_or_default();
        if runs.iter().all(|run| run.binary.chosen.is_some()) {
            rows.push((format!("binary, {CHOSEN}"), over(&|run| chosen(&run.binary))));
            for g in Graphs::SPARSE + 1..graphs.families.len() {
                rows.push((format!("{}, {CHOSEN}", graphs.families[g].name), over(&|run| chosen(&run.codes[g]))));
            }
        }
        ResultTable::new((id, title, "code and read-out"), &measures, rows, expected).decimals(2)
    }

    /// How many percent more the pairwise code errs than the better binary one, for each number of features.
    fn paired(&self, runs: &[Run], last: usize, expected: &Expected) -> ResultTable {
        let row = |d: usize| {
            let pair = |run: &Run| run.paired.get(d - self.features[0]).copied().unwrap_or((f64::NAN, f64::NAN));
            let over = |part: fn((f64, f64)) -> f64| Measured::over(runs.iter().map(|run| part(pair(run))).collect());
            (d.to_string(), vec![over(|pair| pair.0), over(|pair| pair.1)])
        };
        let title = "Error of the pairwise code minus that of binary codes in %";
        let rows = (self.features[0]..=last).map(row).collect();
        let measures = ["difference", "standard error over images"];
        ResultTable::new(("signs_paired", title, "d"), &measures, rows, expected).decimals(2).neutral()
    }

    fn orders(&self, graphs: &Graphs, runs: &[Run], expected: &Expected) -> ResultTable {
        let d = graphs.bits - self.features[0];
        let pair = [Graphs::SHORT, Graphs::LONG];
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let spread = |x: &[f64]| Measured::over(x.to_vec()).deviation.unwrap_or(f64::NAN);
        let over = |number: &dyn Fn(&Run, usize) -> f64| -> Vec<Measured> {
            (0..2).map(|which| Measured::over(runs.iter().map(|run| number(run, which)).collect())).collect()
        };
        let mut rows =
            vec![("classes in their own order".to_string(), over(&|run, w| run.codes[pair[w]].by_rule[0][0][d]))];
        if self.random_orders > 0 {
            rows.push((format!("{} random orders, mean", self.random_orders), over(&|run, w| mean(&run.random[w]))));
            rows.push(("their standard deviation".into(), over(&|run, w| spread(&run.random[w]))));
        }
        if runs.iter().all(|run| run.chosen.is_some()) {
            let chosen = |run: &Run, w: usize| run.chosen.as_ref().map_or(f64::NAN, |(_, test)| test[w]);
            rows.push(("order chosen on held-out tracks".into(), over(&chosen)));
        }
        let names = pair.map(|g| graphs.families[g].name.as_str());
        let title = format!("Test error in % at d = {} for different orders of the classes", graphs.bits);
        ResultTable::new(("signs_orders", &title, "order"), &names, rows, expected).decimals(2)
    }
}

/// The error at d, if the code has so many features.
fn known(errors: &[f64], d: usize, first: usize) -> f64 {
    errors.get(d - first).copied().unwrap_or(f64::NAN)
}

/// What held-out tracks chose in a run, for the learned codes and the binary ones.
fn chosen_codes(graphs: &Graphs, run: &Run) -> Vec<(String, Vec<ChosenCode>)> {
    let learned = graphs.families.iter().zip(&run.codes).skip(Graphs::SPARSE + 1);
    let all = learned.chain([(&graphs.binary, &run.binary)]);
    all.filter_map(|(family, code)| Some((family.name.clone(), code.chosen.as_ref()?.0.clone()))).collect()
}

fn times(runs: &[Run], expected: &Expected) -> ResultTable {
    let row = |n: usize| {
        let seconds = Measured::over(runs.iter().map(|run| run.seconds[n].1).collect());
        (runs[0].seconds[n].0.to_string(), vec![seconds])
    };
    let rows = (0..runs[0].seconds.len()).map(row).collect();
    ResultTable::new(("signs_times", "Time of a run", "part"), &["seconds"], rows, expected).decimals(2)
}

fn examples(data: &SignData) -> Vec<FeaturePicture> {
    let picture = |(class, name): (usize, &String)| {
        // The nearest frames of a track come last.
        let row = data.test.classes.iter().rposition(|&c| c as usize == class)?;
        Some(FeaturePicture { name: name.clone(), pixels: data.test.pixels.row(row).to_vec() })
    };
    data.names.iter().enumerate().filter_map(picture).collect()
}
