//! From runs to tables.

use ndarray::Array2;

use super::photos::SignData;
use super::run::{Graphs, Run};
use super::{FeaturePicture, SignsResults, SignsSpec};
use crate::expected::Expected;
use crate::results::{Measured, ResultTable};

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
        let summary = |set: usize, id: &str, title: &str| {
            let row = |(g, name): (usize, &String)| {
                let at = |d: usize| over(&|run| run.errors[g][set].get(d - first).copied().unwrap_or(f64::NAN));
                (name.clone(), vec![at(graphs.bits), at(last)])
            };
            let rows = graphs.names.iter().enumerate().map(row).collect();
            ResultTable::new((id, title, "graph"), &measures, rows, expected).decimals(2)
        };
        let curve = |d: usize| {
            let numbers = (0..graphs.names.len()).map(|g| over(&|run| run.errors[g][0][d - first]));
            (d.to_string(), numbers.collect())
        };
        let names: Vec<&str> = graphs.names.iter().map(String::as_str).collect();
        let curves = (first..=last).map(curve).collect();
        let limited = format!("Test error in %, {} images", rows[0].len());
        let everything = format!("Test error in %, all {} images", rows[1].len());
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
            curves: ResultTable::new(("signs_curves", &limited, "d"), &names, curves, expected).decimals(2),
            orders: self.orders(graphs, runs, expected),
            chosen: runs.iter().filter_map(|run| run.chosen.as_ref().map(|(chosen, _)| chosen.clone())).collect(),
            different_estimates: runs.iter().map(|run| run.different).sum(),
            confusion: confusion.outer_iter().map(|row| row.to_vec()).collect(),
            examples: examples(data),
            features: runs[0].features.clone(),
            times: times(runs, expected),
        }
    }

    fn orders(&self, graphs: &Graphs, runs: &[Run], expected: &Expected) -> ResultTable {
        let d = graphs.bits - self.features[0];
        let pair = [Graphs::SHORT, Graphs::LONG];
        let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
        let spread = |x: &[f64]| Measured::over(x.to_vec()).deviation.unwrap_or(f64::NAN);
        let over = |number: &dyn Fn(&Run, usize) -> f64| -> Vec<Measured> {
            (0..2).map(|which| Measured::over(runs.iter().map(|run| number(run, which)).collect())).collect()
        };
        let mut rows = vec![("classes in their own order".to_string(), over(&|run, w| run.errors[pair[w]][0][d]))];
        if self.random_orders > 0 {
            rows.push((format!("{} random orders, mean", self.random_orders), over(&|run, w| mean(&run.random[w]))));
            rows.push(("their standard deviation".into(), over(&|run, w| spread(&run.random[w]))));
        }
        if runs.iter().all(|run| run.chosen.is_some()) {
            let chosen = |run: &Run, w: usize| run.chosen.as_ref().map_or(f64::NAN, |(_, test)| test[w]);
            rows.push(("order chosen on held-out tracks".into(), over(&chosen)));
        }
        let names = pair.map(|g| graphs.names[g].as_str());
        let title = format!("Test error in % at d = {} for different orders of the classes", graphs.bits);
        ResultTable::new(("signs_orders", &title, "order"), &names, rows, expected).decimals(2)
    }
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
