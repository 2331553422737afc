//! Running the experiment on faces.

use gsfa::Surplus;
use gsfa::graph::{Ell, GraphSpec, Reordering, Serial};
use gsfa::labels::SampleWeights;
use gsfa::network::NetworkSpec;
use gsfa::readout::Readout;
use gsfa::readout::measures::{chance_rmse, mean};

use super::faces::{FaceData, Faces};
use super::trained::{Trained, regression, scaling, soft_gc};
use super::transforms::{self, Transformed};
use super::{FacePicture, GenderResults, GenderSpec, TransformResult, baselines};
use crate::data::FacesPath;
use crate::expected::Expected;
use crate::results::{Measured, ResultTable};
use crate::watch::step;
use crate::{Result, Watch};

const GENDER_MEASURES: [&str; 4] = ["scaling 1F", "LR 1F", "soft GC 1F", "soft GC 3F"];
const JOINT_COLOR_MEASURES: [&str; 4] = ["LR 1F", "soft GC 1F", "LR 3F", "soft GC 3F"];

/// Named rows of numbers in the order they were measured.
type Rows = Vec<(String, Vec<f64>)>;

/// One run.
#[derive(Default)]
struct Run {
    chance: Rows,
    gender: Rows,
    color: Rows,
    joint_color: Rows,
    beside: Rows,
    times: Rows,
    powers: Vec<Transformed>,
    ridge: f64,
}

/// A run under way.
struct Running<'a> {
    spec: &'a GenderSpec,
    data: FaceData,
    watch: &'a dyn Watch,
    name: String,
    run: Run,
}

impl GenderSpec {
    /// Runs the experiment, on real faces if given.
    ///
    /// # Errors
    /// If data cannot be read, a network cannot be trained, or somebody asks to stop.
    pub fn run(
        &self,
        path: Option<&FacesPath>,
        seed: u64,
        expected: &Expected,
        watch: &dyn Watch,
    ) -> Result<GenderResults> {
        step(watch, "gender: faces")?;
        let all = path.map(Faces::open).transpose()?;
        let data = |run: usize| {
            let seed = seed.wrapping_add(run as u64);
            all.as_ref().map_or_else(|| Ok(FaceData::generate(self, seed)), |faces| faces.split(self, seed))
        };
        let mut runs = Vec::new();
        for run in 0..self.runs.max(1) {
            let name = format!("gender, run {} of {}", run + 1, self.runs.max(1));
            let mut running = Running { spec: self, data: data(run)?, watch, name, run: Run::default() };
            running.all()?;
            runs.push(running.run);
        }
        Ok(self.results(&data(0)?, path.is_some(), &runs, expected))
    }

    fn results(&self, data: &FaceData, real: bool, runs: &[Run], expected: &Expected) -> GenderResults {
        let table = |head: (&str, &str, &str), measures: &[&str], rows: fn(&Run) -> &Rows| {
            let rows = over_runs(runs, rows);
            ResultTable::new(head, measures, rows, expected)
        };
        let powers = self.powers.iter().enumerate().map(|(n, power)| {
            let percent = |set: usize| Measured::over(runs.iter().map(|run| run.powers[n].percent[set]).collect());
            (power_name(*power), vec![percent(0), percent(1)])
        });
        let powers_head = ("powers", "Error of powers of the gender in % of chance, linear scaling", "label");
        let transforms = runs[0].powers.iter().map(|t| {
            let [test, train] = &t.points;
            let step = train.len().div_ceil(test.len()).max(1);
            TransformResult { power: t.power, test: test.clone(), train: train.iter().copied().step_by(step).collect() }
        });
        GenderResults {
            spec: self.clone(),
            real,
            images: [data.train.len(), data.test.len()],
            chance: table(("chance", "Level of chance", "label"), &["RMSE"], |run| &run.chance).neutral(),
            gender: table(("gender", "Gender, test RMSE", "graph"), &GENDER_MEASURES, |run| &run.gender),
            color: table(("color", "Colour alone, test RMSE", "graph"), &GENDER_MEASURES, |run| &run.color),
            joint_color: table(
                ("color_joint", "Colour learned with gender, test RMSE", "graph"),
                &JOINT_COLOR_MEASURES,
                |run| &run.joint_color,
            ),
            beside: table(("gender_beside", "Gender, test RMSE", "method"), &GENDER_MEASURES, |run| &run.beside),
            transforms: transforms.collect(),
            powers: ResultTable::new(powers_head, &["test", "training"], powers.collect(), expected).decimals(1),
            times: table(("times", "Training time", "graph"), &["seconds"], |run| &run.times).decimals(2),
            times_ratio: self.times_ratio(runs, expected),
            ridge: Measured::over(runs.iter().map(|run| run.ridge).collect()),
            cascade_labels: data.train.label_names(),
            examples: examples(&data.test),
        }
    }
}

impl GenderSpec {
    /// How many times as long ELL takes as serial; the paper's graph with 40 targets took 25 times as long.
    fn times_ratio(&self, runs: &[Run], expected: &Expected) -> ResultTable {
        let seconds = |run: &Run, graph: &str| run.times.iter().find(|(name, _)| name == graph).map(|(_, t)| t[0]);
        let row = |targets: &usize| {
            let graph = format!("ELL-{targets}");
            let ratio = |run: &Run| Some(seconds(run, &graph)? / seconds(run, "serial")?);
            let ratios = runs.iter().map(|run| ratio(run).unwrap_or(f64::NAN)).collect();
            (format!("{graph} / serial"), vec![Measured::over(ratios)])
        };
        let rows = self.gender_targets.iter().map(row).collect();
        let head = ("times_ratio", "Training time, in that of the serial graph", "graphs");
        ResultTable::new(head, &["ratio"], rows, expected).decimals(2)
    }
}

fn power_name(power: u32) -> String {
    match power {
        1 => "ℓ".into(),
        2 => "ℓ²".into(),
        3 => "ℓ³".into(),
        other => format!("ℓ^{other}"),
    }
}

fn over_runs(runs: &[Run], rows: fn(&Run) -> &Rows) -> Vec<(String, Vec<Measured>)> {
    let row = |(r, (name, numbers)): (usize, &(String, Vec<f64>))| {
        let number = |m: usize| Measured::over(runs.iter().map(|run| rows(run)[r].1[m]).collect());
        (name.clone(), (0..numbers.len()).map(number).collect())
    };
    rows(&runs[0]).iter().enumerate().map(row).collect()
}

impl Running<'_> {
    fn all(&mut self) -> Result<()> {
        self.chance()?;
        for &targets in &self.spec.gender_targets {
            self.gender_only(targets)?;
        }
        for &targets in &self.spec.arbitrary_surplus {
            self.arbitrary_surplus(targets)?;
        }
        let labels = Some("gender".to_string());
        let serial = Serial { label: labels.clone(), groups: self.spec.groups };
        self.without_scaling("serial", serial.into())?;
        self.without_scaling("reordering", Reordering { label: labels, ..Reordering::default() }.into())?;
        for &targets in &self.spec.color_targets {
            self.color_only(targets)?;
        }
        for &targets in &self.spec.joint_targets {
            self.joint(targets)?;
        }
        // ℓ itself may have been learned already.
        let done: Vec<u32> = self.run.powers.iter().map(|t| t.power).collect();
        for &power in self.spec.powers.iter().filter(|power| !done.contains(power)) {
            self.say(&format!("label {}", power_name(power)))?;
            let trained = transforms::train(power, self.spec, &self.data, self.watch)?;
            self.run.powers.push(transforms::read(power, &trained, &self.data)?);
        }
        let order = |power: u32| self.spec.powers.iter().position(|p| *p == power);
        self.run.powers.sort_by_key(|t| order(t.power));
        self.baselines()?;
        self.cascade()
    }

    fn say(&self, what: &str) -> Result<()> {
        step(self.watch, &format!("{}: {what}", self.name))
    }

    fn chance(&mut self) -> Result<()> {
        for label in ["gender", "color"] {
            let (train, test) = (self.data.train.label(label), self.data.test.label(label));
            let constant = mean(train, &SampleWeights::uniform(train.len()))?;
            let chance = chance_rmse(constant, test, &SampleWeights::uniform(test.len()))?;
            self.run.chance.push((label.into(), vec![chance]));
        }
        Ok(())
    }

    fn train(&mut self, name: &str, graph: &GraphSpec) -> Result<Trained> {
        self.train_with(name, graph, &NetworkSpec::paper_64())
    }

    fn train_with(&mut self, name: &str, graph: &GraphSpec, network: &NetworkSpec) -> Result<Trained> {
        self.say(name)?;
        let trained = Trained::new(network, graph, &self.data, self.watch)?;
        self.run.times.push((name.into(), vec![trained.seconds]));
        Ok(trained)
    }

    fn gender_only(&mut self, targets: usize) -> Result<()> {
        let name = format!("ELL-{targets}");
        let trained = self.train(&name, &transforms::graph(1, targets))?;
        let errors = trained.errors(&gender_readouts(true), "gender", &self.data)?;
        self.run.gender.push((name, errors));
        if targets == self.spec.power_targets && self.spec.powers.contains(&1) {
            self.run.powers.push(transforms::read(1, &trained, &self.data)?);
        }
        Ok(())
    }

    /// What a solver without a rule for outputs beyond the target labels might do.
    fn arbitrary_surplus(&mut self, targets: usize) -> Result<()> {
        let name = format!("arbitrary surplus, ELL-{targets}");
        let mut network = NetworkSpec::paper_64();
        network.layers.iter_mut().for_each(|layer| layer.surplus = Surplus::Arbitrary);
        let trained = self.train_with(&name, &transforms::graph(1, targets), &network)?;
        let errors = trained.errors(&gender_readouts(true), "gender", &self.data)?;
        self.run.gender.push((name, errors));
        Ok(())
    }

    fn without_scaling(&mut self, name: &str, graph: GraphSpec) -> Result<()> {
        let trained = self.train(name, &graph)?;
        let errors = trained.errors(&gender_readouts(false), "gender", &self.data)?;
        self.run.gender.push((name.into(), errors));
        Ok(())
    }

    fn color_only(&mut self, targets: usize) -> Result<()> {
        let graph = Ell { labels: vec!["color".into()], targets: Some(targets), ..Ell::default() };
        let trained = self.train(&format!("ELL-{targets}, colour"), &graph.into())?;
        let errors = trained.errors(&gender_readouts(true), "color", &self.data)?;
        self.run.color.push((format!("ELL-{targets}"), errors));
        Ok(())
    }

    fn joint(&mut self, targets: usize) -> Result<()> {
        let labels = vec!["gender".into(), "color".into()];
        let graph = Ell { labels, targets: Some(2 * targets), ..Ell::default() };
        let name = format!("2×{targets}");
        let trained = self.train(&name, &graph.into())?;
        self.run.gender.push((name.clone(), trained.errors(&gender_readouts(true), "gender", &self.data)?));
        self.run.joint_color.push((name, trained.errors(&joint_color_readouts(), "color", &self.data)?));
        Ok(())
    }

    fn baselines(&mut self) -> Result<()> {
        self.say("ridge on pixels")?;
        let (trained, ridge) = baselines::ridge(self.spec, "gender", &self.data, self.watch)?;
        self.run.ridge = ridge;
        self.beside("ridge on all pixels", &trained, true)?;
        self.say("PCA and LDA")?;
        let trained = baselines::lda(self.spec, &self.data, self.watch)?;
        self.beside(&format!("PCA {} and LDA", self.spec.lda_components), &trained, false)
    }

    fn cascade(&mut self) -> Result<()> {
        let Some(cascade) = &self.spec.cascade else { return Ok(()) };
        self.say("cascade")?;
        let trained = cascade.train(&self.data, self.watch)?;
        let targets = trained.network.output_dim();
        for nodes in 1..cascade.nodes {
            let part = trained.lower_part(nodes, &self.data)?;
            let name = format!("cascade, ELL-{targets}, {nodes} node{}", if nodes == 1 { "" } else { "s" });
            self.row(&name, &part, true)?;
        }
        self.beside(&format!("cascade, ELL-{targets}, {} nodes", cascade.nodes), &trained, true)?;
        for &what in &cascade.ablation {
            self.say(&format!("cascade, {}", what.name()))?;
            let trained = cascade.train_without(what, &self.data, self.watch)?;
            let name = format!("{} nodes, {}", cascade.nodes.min(3), what.name());
            self.row(&name, &trained, true)?;
        }
        Ok(())
    }

    /// A method beside the network, with its time.
    fn beside(&mut self, name: &str, trained: &Trained, scaled: bool) -> Result<()> {
        self.run.times.push((name.into(), vec![trained.seconds]));
        self.row(name, trained, scaled)
    }

    fn row(&mut self, name: &str, trained: &Trained, scaled: bool) -> Result<()> {
        let errors = trained.errors(&gender_readouts(scaled), "gender", &self.data)?;
        self.run.beside.push((name.into(), errors));
        Ok(())
    }
}

/// Read-outs in the order of the columns; scaling for graphs whose slowest feature is the label.
fn gender_readouts(scaled: bool) -> [Option<Readout>; 4] {
    [scaled.then(scaling), scaled.then(|| regression(1)), Some(soft_gc(1)), Some(soft_gc(3))]
}

fn joint_color_readouts() -> [Option<Readout>; 4] {
    [Some(regression(1)), Some(soft_gc(1)), Some(regression(3)), Some(soft_gc(3))]
}

/// Faces over the range of genders.
fn examples(faces: &Faces) -> Vec<FacePicture> {
    const SHOWN: usize = 10;
    let gender = faces.label("gender");
    let picture = |k: usize| {
        let n = k * (faces.len() - 1) / (SHOWN - 1);
        let pixels = faces.images.row(n).iter().map(|x| x.round().clamp(0.0, 255.0) as u8).collect();
        FacePicture { name: format!("{:.1}", gender[n]), pixels }
    };
    (0..SHOWN).map(picture).collect()
}
