"""The law over all ways, for Python: laws/problems.toml has the problems, laws/expected the answers."""

import warnings
from dataclasses import dataclass
from typing import Callable

import numpy as np
import pytest

import gsfa
from laws_answer import differences, expected, list_of_problems, model_answer, readout_answer
from laws_estimators import NoWay, estimator, node, readout

PROBLEMS = list_of_problems()


@dataclass
class Manner:
    """A way to solve a problem, and whether the columns of its table are in another order."""

    solve: Callable
    reordered: bool = False


def outcomes(problem, manners):
    """How each answer differs from the expected one, or the error that was raised instead."""
    found = []
    for manner in manners:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", gsfa.GsfaWarning)
                answer = manner.solve()
        except (gsfa.GsfaError, ValueError) as error:
            found.append(error)
        else:
            found.append([] if problem.refused else differences(problem, answer, expected(problem)))
    return found


def judge(problem, way, solving):
    """Every outcome is the expected answer, but for a gap that the list names, which some outcome must show."""
    ((gap, reason),) = problem.ways[way].items() if way in problem.ways else ((None, None),)
    try:
        manners = solving(problem)
    except NoWay as error:
        assert gap == "lacks", f"{way} has no words for it: {error}"
        return
    assert gap != "lacks", f"{way} has words for it by now: '{reason}' must go"
    found = outcomes(problem, manners)
    if problem.refused:
        assert all(isinstance(outcome, Exception) for outcome in found), f"it was done, though {problem.refused}"
        return
    for manner, outcome in zip(manners, found):
        if isinstance(outcome, Exception):
            assert gap == "refuses", f"{way} refuses it: {outcome!r}"
        elif outcome:
            allowed = gap == "differs" or (gap == "depends" and manner.reordered)
            assert allowed, f"{way} gives another answer:\n" + "\n".join(outcome)
    assert gap is None or any(found), f"{way} gives the expected answer by now: '{reason}' must go"


def whole(problem):
    """One fit of arrays in C and Fortran order, data frames with their columns in any order, images as rows; one thread and two."""
    estimator(problem)
    X, y, weights = problem.samples("train"), problem.labels(), problem.weights()
    new = problem.samples("new")

    def fitted(X, new, n_jobs, **given):
        model = estimator(problem, n_jobs=n_jobs, **given).fit(X, y, sample_weight=weights)
        return model_answer(problem, model, new)

    fortran = [np.asfortranarray(samples) for samples in (X, new)]
    manners = [Manner(lambda: fitted(X, new, 1)), Manner(lambda: fitted(*fortran, 2))]
    if problem.shape is None:
        frames = [problem.frame(part) for part in ("train", "new")]
        reversed_frames = [frame[problem.columns[::-1]] for frame in frames]
        manners.append(Manner(lambda: fitted(*frames, None)))
        manners.append(Manner(lambda: fitted(*reversed_frames, 1), reordered=True))
    else:
        rows = [images.reshape(len(images), -1) for images in (X, new)]
        manners.append(Manner(lambda: fitted(*rows, 2, image_shape=problem.shape)))
    return manners


def chunks(problem):
    """Sums of pieces: in their order, in another one, and of two estimators that are merged."""
    node(problem), [readout(problem, alone=True) for _ in problem.learn]
    X, y, weights = problem.samples("train"), problem.labels(), problem.weights()
    X = X.reshape(len(X), -1)
    cuts = [0, 1, len(X) // 3, len(X)]
    pieces = list(zip(cuts, cuts[1:]))

    def fed(order, first_row):
        model = node(problem).prepare(y, sample_weight=weights)
        for a, b in order:
            model.partial_fit(X[a:b], first_row=a if first_row else None)
        return model

    def answered(model):
        return readout_answer(problem, model, X, y, weights)

    return [
        Manner(lambda: answered(fed(pieces, first_row=False))),
        Manner(lambda: answered(fed(pieces[::-1], first_row=True))),
        Manner(lambda: answered(fed(pieces[1:2], first_row=True).merge(fed([pieces[2], pieces[0]], first_row=True)))),
    ]


def cluster(problem, client):
    """Pieces of a Dask array, one of them a single sample."""
    da = pytest.importorskip("dask.array")
    import gsfa.dask

    estimator(problem)
    X, y, weights = problem.samples("train"), problem.labels(), problem.weights()

    def fitted():
        collection = da.from_array(X, chunks=((1, len(X) - 1), *X.shape[1:]))
        model = gsfa.dask.fit(estimator(problem), collection, y, sample_weight=weights, client=client)
        return model_answer(problem, model, problem.samples("new"))

    return [Manner(fitted)]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_estimators_give_the_expected_answers_for_arrays_of_any_order(problem):
    judge(problem, "python", whole)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_chunks_give_the_expected_answers_in_any_order(problem):
    judge(problem, "chunks", chunks)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_a_cluster_gives_the_expected_answers(problem, client):
    judge(problem, "dask", lambda problem: cluster(problem, client))
