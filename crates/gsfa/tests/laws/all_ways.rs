//! The law over all ways, for the library: `laws/problems.toml` has the problems, `laws/expected` the answers.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use gsfa::graph::GraphInput;

use crate::answer::{Answer, Outcome, conclude, verdict};
use crate::problem::{Part, Problem, Way, folder, problems};

/// The answer of the library, with so many threads.
fn solved(problem: &Problem, threads: usize) -> Result<Answer, String> {
    let (samples, labels, weights) = problem.training();
    let recipe = problem.recipe();
    let vectors = samples.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let solve = || {
        let input = GraphInput::new(&labels).with_weights(weights)?.with_vectors(vectors.view())?;
        let design = recipe.design(&input, problem.input_shape())?;
        let trained = problem.held(samples).with(|x| design.train(x, &|_| ControlFlow::Continue(())))?;
        problem.held(problem.numbers(Part::New)).with(|x| Answer::of(&trained.model, x))
    };
    pool.install(solve).map_err(|error: gsfa::Error| error.to_string())
}

/// `LAWS=anew cargo test --release --locked --workspace --test laws all_ways` makes the expected answers anew, and fails to say so.
#[test]
fn the_library_gives_the_expected_answers_for_any_order_of_columns_and_number_of_threads() {
    let anew = std::env::var("LAWS").is_ok_and(|value| value == "anew");
    let mut wrong = Vec::new();
    for problem in problems() {
        let answer = solved(&problem, 2);
        if solved(&problem, 1) != answer {
            wrong.push(format!("{}: one thread gives another answer than two", problem.name));
        }
        if anew
            && problem.refused.is_none()
            && let Ok(answer) = &answer
        {
            answer.write(&problem);
        }
        let mut outcomes = vec![Outcome { manner: "as it is".into(), reordered: false, answer }];
        if problem.shape.is_none() {
            let reversed = problem.columns.iter().rev().cloned().collect();
            let answer = solved(&Problem { columns: reversed, ..problem.clone() }, 2);
            outcomes.push(Outcome { manner: "columns reversed".into(), reordered: true, answer });
        }
        wrong.extend(verdict(&problem, Way::Rust, &outcomes));
    }
    conclude(&wrong);
    assert!(!anew, "the expected answers were made anew: look at their differences, then run without LAWS");
}

#[test]
fn every_problem_has_one_expected_answer_and_every_answer_a_problem() {
    let list = problems();
    let solved = list.iter().filter(|one| one.refused.is_none());
    let wanted: BTreeSet<String> =
        solved.flat_map(|one| ["csv", "json"].map(|ending| format!("{}.{ending}", one.name))).collect();
    let there = std::fs::read_dir(folder().join("expected")).unwrap();
    let there: BTreeSet<String> = there.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let lonely: Vec<&String> = wanted.symmetric_difference(&there).collect();
    assert!(lonely.is_empty(), "problems without answer, or answers without problem: {lonely:?}");
}
