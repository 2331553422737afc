"""Time series: what is left open is chosen by blocks that are left out."""

from __future__ import annotations

import gsfa
import numpy as np
import pytest


def series(n, hidden, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    slow = np.sin(t / 23) + 0.7 * np.cos(t / 41)
    fast = np.cos(2.3 * t) + 0.5 * np.sin(1.7 * t)
    first = slow + (fast**2 if hidden else fast)
    return np.column_stack([first, fast, rng.normal(size=(n, 2))]) + 0.02 * rng.normal(size=(n, 4)), slow


@pytest.mark.parametrize(("hidden", "expected"), [(False, "linear"), (True, "quadratic")])
def test_left_out_blocks_choose_the_expansion(hidden, expected):
    X, slow = series(600, hidden)
    model = gsfa.SFA(1, expansion="auto").fit(X)
    selection = model.selection_
    taken = selection["tried"][selection["taken"]]
    assert taken["name"].startswith(expected) and selection["folds"] == 10
    assert abs(np.corrcoef(model.transform(X)[:, 0], slow)[0, 1]) > 0.95
    assert taken["loss"] == min(tried["loss"] for tried in selection["tried"]) or "simpler" in selection["why"]
    assert gsfa.SFA(1).fit(X).selection_ is None


def test_threads_do_not_matter_and_sequences_may_be_given_either_way():
    X, _ = series(400, True)
    one, two = (gsfa.SFA(1, expansion="auto", n_jobs=jobs).fit(X) for jobs in (1, 2))
    assert one.selection_ == two.selection_
    np.testing.assert_array_equal(one.transform(X), two.transform(X))
    names = np.repeat(np.arange(10), 40)
    a = gsfa.SFA(1, expansion="auto").fit(X, sequences=names)
    b = gsfa.SFA(1, expansion="auto").fit([X[names == k] for k in range(10)])
    assert a.selection_ == b.selection_
    np.testing.assert_array_equal(a.transform(X), b.transform(X))


def test_what_would_be_chosen_twice_is_refused():
    X, _ = series(100, False)
    with pytest.raises(gsfa.GsfaError, match="auto"):
        gsfa.SFA(1, expansion="auto", pca=2).fit(X)
    with pytest.raises(gsfa.errors.ParameterError, match="expansion"):
        gsfa.SFA(1, expansion="much").fit(X)
