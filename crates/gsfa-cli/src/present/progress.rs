//! How far a command is: bars on terminals, lines elsewhere.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gsfa::network::{NetworkPlan, ProgressEvent};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::printer::Printer;
use super::streams::message;
use crate::interrupt;

impl Printer {
    /// Reports of training: a bar on terminals, a line per layer elsewhere. Stops training after Ctrl-C.
    pub fn progress(&self, plan: &NetworkPlan, samples: usize) -> TrainingProgress {
        let work: Vec<f64> = plan.layers.iter().map(|l| layer_work(l, samples)).collect();
        let total: f64 = work.iter().sum();
        let before = work.iter().scan(0.0, |sum, w| Some(std::mem::replace(sum, *sum + w))).collect();
        let lines = !self.shows_bars() && !self.quiet;
        TrainingProgress { bar: self.bar(STEPS), work, before, total, lines }
    }

    /// Reports of a search for what was left open: a bar on terminals, a line per candidate elsewhere.
    pub fn search(&self) -> SearchProgress {
        let lines = !self.shows_bars() && !self.quiet;
        SearchProgress { bar: self.bar(STEPS), lines, candidate: AtomicUsize::new(0), started: Instant::now() }
    }

    /// A bar that counts samples while they are read; a line elsewhere.
    pub fn reading(&self, samples: usize) -> ProgressBar {
        if !self.shows_bars() {
            self.step(&format!("reading {samples} samples"));
        }
        self.bar(samples as u64).with_message("reading samples")
    }

    fn shows_bars(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    fn bar(&self, steps: u64) -> ProgressBar {
        let visible = self.shows_bars();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(steps), target);
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {percent}% {elapsed} (left: {eta})") {
            bar.set_style(style.progress_chars("=> "));
        }
        if visible {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        bar
    }
}

const STEPS: u64 = 10_000;

fn layer_work(layer: &gsfa::network::LayerPlan, samples: usize) -> f64 {
    let one = NetworkPlan { layers: vec![layer.clone()], input_dim: layer.input_dim };
    one.operations(samples).max(1.0)
}

/// Progress of a search.
pub struct SearchProgress {
    bar: ProgressBar,
    lines: bool,
    /// The candidate that was told last.
    candidate: AtomicUsize,
    started: Instant,
}

impl SearchProgress {
    pub fn event(&self, event: ProgressEvent) -> ControlFlow<()> {
        if let ProgressEvent::Trying { candidate, done } = event {
            self.bar.set_position(u64::from(done));
            if self.candidate.swap(candidate, Ordering::Relaxed) != candidate {
                if candidate > 1 {
                    interrupt::keep_what_is_found();
                }
                let text = format!("candidate {candidate}, judged by samples that are left out");
                self.bar.set_message(text.clone());
                if self.lines {
                    message("progress", &format!("{text}{}", self.left(done)));
                }
            }
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// How long the rest will take, if so much of 10,000 is done; nothing before there is something to go by: what the first
    /// candidates take is not what they compute.
    fn left(&self, done: u32) -> String {
        let share = f64::from(done) / STEPS as f64;
        let seconds = self.started.elapsed().as_secs_f64() * (1.0 - share) / share;
        match seconds {
            _ if u64::from(done) < STEPS / 20 => String::new(),
            s if s < 1.0 => "; less than a second left".into(),
            s if s < 120.0 => format!("; about {s:.0} s left"),
            s => format!("; about {:.0} minutes left", s / 60.0),
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
        interrupt::search_is_over();
    }
}

/// Progress of one training.
pub struct TrainingProgress {
    bar: ProgressBar,
    work: Vec<f64>,
    before: Vec<f64>,
    total: f64,
    lines: bool,
}

impl TrainingProgress {
    pub fn event(&self, event: ProgressEvent) -> ControlFlow<()> {
        match event {
            ProgressEvent::Layer { layer, layers, nodes } => {
                self.bar.set_message(format!("layer {layer} of {layers}"));
                if self.lines {
                    let s = if nodes == 1 { "" } else { "s" };
                    message("progress", &format!("layer {layer} of {layers}, {nodes} node{s}"));
                }
            }
            ProgressEvent::Trying { .. } | ProgressEvent::LeavingOut { .. } => {}
            ProgressEvent::Node { layer, done, nodes } => {
                let share = self.before[layer - 1] + self.work[layer - 1] * done as f64 / nodes as f64;
                self.bar.set_position((STEPS as f64 * share / self.total) as u64);
            }
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
