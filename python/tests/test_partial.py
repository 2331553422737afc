"""Chunks, merged parts and whole arrays give the same features."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import gsfa
from gsfa.graphs import Chain, Clustered, Ell, Serial


@pytest.mark.parametrize("chunk", [1, 7, 100, 512, 1500])
@pytest.mark.parametrize("graph", [Ell(targets=2), Serial(groups=30), Clustered()], ids=lambda g: type(g).__name__)
def test_chunks_of_any_size_agree_with_one_fit(graph, chunk):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1300, 4)) + 1e6
    y = np.round(3 * (X[:, 0] - 1e6) + (X[:, 1] - 1e6))
    weights = rng.uniform(0.5, 2, 1300)
    whole = gsfa.GSFA(1, graph=graph).fit(X, y, sample_weight=weights)
    parts = gsfa.GSFA(1, graph=graph).prepare(y, sample_weight=weights)
    for first in range(0, 1300, chunk):
        assert not hasattr(parts, "delta_values_")
        parts.partial_fit(X[first : first + chunk])
    # The same rows in the same order have the same bits, whatever the chunks.
    assert np.array_equal(parts.transform(X), whole.transform(X))


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.uint8])
def test_rows_wait_for_others_and_are_summed_with_them(kind):
    """Sums are as large as the square of the columns: they are not copied for every row."""
    rng = np.random.default_rng(3)
    X = (rng.uniform(0, 200, size=(900, 4))).astype(kind)
    y = X[:, 0].astype(float) + rng.normal(size=900)
    model, order = gsfa.GSFA().prepare(y), rng.permutation(900)
    sums = set()
    for k, row in enumerate(order):
        chunk = X[row : row + 1].copy()
        model.partial_fit(chunk, first_row=int(row))
        chunk[:] = 0
        sums.add(id(model._sums.seen.moments))
        assert model._sums.seen.rows == k + 1
        if k == 500:
            model = pickle.loads(pickle.dumps(model))
        if k in (10, 300, 898):
            for wrong in (row, 900):
                with pytest.raises(gsfa.GsfaError) as caught:
                    model.partial_fit(X[:1], first_row=int(wrong))
                assert caught.value.code == "row_range"
    assert len(sums) < 20
    # Features of single precision have seven digits.
    tolerance = 1e-8 if kind is np.float64 else 1e-5
    np.testing.assert_allclose(model.transform(X), gsfa.GSFA().fit(X, y).transform(X), atol=tolerance)


def test_parts_in_any_order_are_merged(blobs):
    X, y = blobs
    whole = gsfa.GSFA().fit(X, y)
    parts = [gsfa.GSFA().prepare(y).partial_fit(X[a:b], first_row=a) for a, b in [(200, 300), (0, 70), (70, 200)]]
    merged = parts[0].merge(parts[1]).merge(parts[2])
    np.testing.assert_allclose(merged.transform(X), whole.transform(X), rtol=1e-10, atol=1e-10)


def test_what_cannot_be_done_in_chunks_says_so(blobs):
    X, y = blobs
    with pytest.raises(gsfa.GsfaError, match="several passes"):
        gsfa.GSFA(pca=3).prepare(y)
    with pytest.raises(gsfa.GsfaError, match="prepare"):
        gsfa.GSFA().partial_fit(X)
    with pytest.raises(gsfa.GsfaError, match="connects single samples"):
        gsfa.GSFA(graph=Chain()).prepare(y).partial_fit(X[:10])
    done = gsfa.GSFA().prepare(y).partial_fit(X)
    with pytest.raises(gsfa.GsfaError, match="announced rows have been added"):
        done.partial_fit(X[:5])
    twice = gsfa.GSFA().prepare(y).partial_fit(X[:100])
    with pytest.raises(gsfa.GsfaError, match="rows 50 to"):
        twice.partial_fit(X[50:150], first_row=50)
    # A failed chunk leaves the sums as they were.
    bad = X[100:].copy()
    bad[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        twice.partial_fit(bad, first_row=100)
    twice.partial_fit(X[100:], first_row=100)
    np.testing.assert_allclose(twice.transform(X), gsfa.GSFA().fit(X, y).transform(X), atol=1e-10)


def in_another_process(program):
    """A deadlock must fail, not hang."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_f66_an_estimator_merged_with_itself_is_an_error():
    program = """
import numpy as np, gsfa
X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60.0)
part = gsfa.GSFA().prepare(y).partial_fit(X[:30])
for call in (lambda: part.merge(part), lambda: gsfa.GSFA.merge(part, part), lambda: part._sums.seen.moments.merged(part._sums.seen.moments)):
    try:
        call()
    except gsfa.GsfaError as error:
        print(error.code, error.hint is not None)
# It is as it was.
print(part.partial_fit(X[30:]).transform(X).shape)
"""
    assert in_another_process(program).splitlines() == ["row_range True"] * 3 + ["(60, 1)"]


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda part: pickle.loads(pickle.dumps(part))])
def test_f66_a_part_counts_once(blobs, twin):
    X, y = blobs
    first = gsfa.GSFA().prepare(y).partial_fit(X[:100])
    second = gsfa.GSFA().prepare(y).partial_fit(X[100:], first_row=100)
    again = twin(first)
    with pytest.raises(gsfa.GsfaError, match="rows 0 to 99 were added before|merged with itself") as caught:
        first.merge(again)
    assert caught.value.code == "row_range" and caught.value.hint
    first.merge(second)
    for part in (second, twin(second)):
        with pytest.raises(gsfa.GsfaError, match="were added before"):
            first.merge(part)
    np.testing.assert_allclose(first.transform(X), gsfa.GSFA().fit(X, y).transform(X), atol=1e-10)


def test_merging_leaves_the_other_estimator_as_it_was(blobs):
    X, y = blobs
    other = gsfa.GSFA().prepare(y).partial_fit(X[:100])
    empty = gsfa.GSFA().prepare(y).merge(other).partial_fit(X[100:], first_row=100)
    assert not hasattr(other, "delta_values_")
    other.partial_fit(X[100:])
    assert np.array_equal(other.transform(X), empty.transform(X))


def test_labels_may_be_changed_after_they_were_announced(blobs):
    X, y = blobs
    y, weights = y.astype(float), np.random.default_rng(0).uniform(0.5, 2, len(y))
    whole = gsfa.GSFA(graph=Ell()).fit(X, y, sample_weight=weights).transform(X)
    part = gsfa.GSFA(graph=Ell()).prepare(y, sample_weight=weights).partial_fit(X[:100])
    y[:], weights[:] = 0.0, 1.0
    np.testing.assert_allclose(pickle.loads(pickle.dumps(part)).partial_fit(X[100:]).transform(X), whole, atol=1e-10)


def differing():
    """What the second estimator has otherwise, and the words for it."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(80, 4))
    y = np.round(3 * X[:, 0])
    other = y.copy()
    other[[7, 30]] += 1
    frame = pd.DataFrame(X, columns=list("abcd"))
    classes = np.where(y > 0, "high", "low")
    renamed = np.where(y > 0, "large", "low")
    weights = rng.uniform(0.5, 2, 80)
    heavier = weights.copy()
    heavier[11] *= 2
    G = gsfa.GSFA
    return {
        "values": (G(), G(), dict(y=y), dict(y=other), X, X, "labels", "'y' differs in 2 of 80 rows, first in row 7"),
        "order": (G(), G(), dict(y=y), dict(y=y[::-1]), X, X, "labels", "'y' differs in .* rows"),
        "number": (G(), G(), dict(y=y), dict(y=y[:-1]), X, X, "labels", "80 samples here and of 79 there"),
        "classes": (G(), G(), dict(y=classes), dict(y=renamed), X, X, "labels", "'y' differs in"),
        "name": (
            G(), G(), dict(y=pd.Series(y, name="age")), dict(y=pd.Series(y, name="size")), X, X,
            "labels", r"\['age'\] here and \['size'\] there",
        ),
        "kind": (G(), G(), dict(y=y), dict(y=classes), X, X, "graph", "the graph is Ell here and Compact there"),
        "weights": (
            G(), G(), dict(y=y, sample_weight=weights), dict(y=y, sample_weight=heavier), X, X,
            "weights", "weights differ in 1 of 80 rows, first in row 11",
        ),
        "no weights": (G(), G(), dict(y=y), dict(y=y, sample_weight=weights), X, X, "weights", "differ in 80 of 80 rows"),
        "graph": (
            G(1, graph=Serial(groups=5)), G(1, graph=Ell()), dict(y=y), dict(y=y), X, X,
            "graph", "the graph is Serial here and Ell there",
        ),
        "groups": (
            G(1, graph=Serial(groups=5)), G(1, graph=Serial(groups=6)), dict(y=y), dict(y=y), X, X,
            "graph", "groups is 5 here and 6 there",
        ),
        "eigenvalues": (
            G(graph=Ell(targets=2)), G(graph=Ell(targets=2, eigenvalues="equal")), dict(y=y), dict(y=y), X, X,
            "graph", "eigenvalues is 'linear' here and 'equal' there",
        ),
        "sum": (
            G(1, graph=Ell() + Serial(5)), G(1, graph=2 * Ell() + Serial(5)), dict(y=y), dict(y=y), X, X,
            "graph", "the graph differs",
        ),
        "components": (G(1), G(2), dict(y=y), dict(y=y), X, X, "n_components", "n_components is 1 here and 2 there"),
        "ridge": (G(), G(ridge=0.5), dict(y=y), dict(y=y), X, X, "ridge", "ridge is 0.0 here and 0.5 there"),
        "columns": (G(), G(), dict(y=y), dict(y=y), X, X[:, :3], "columns", "4 columns here and 3 there"),
        "column names": (
            G(), G(), dict(y=y), dict(y=y), frame, frame[["b", "a", "c", "d"]], "columns", r"\['b', 'a', 'c', 'd'\] there",
        ),
        "type": (G(), G(), dict(y=y), dict(y=y), X, X.astype(np.float32), "type", "float64 here and float32 or uint8 there"),
    }


@pytest.mark.parametrize("case", differing())
@pytest.mark.parametrize("stored", [False, True])
def test_f68_parts_that_were_prepared_otherwise_are_refused_and_the_error_says_what_differs(case, stored):
    mine, theirs, prepared, otherwise, X, Z, what, words = differing()[case]
    mine.prepare(**prepared).partial_fit(X[:40])
    theirs.prepare(**otherwise).partial_fit(Z[40:79], first_row=40)
    if stored:
        mine, theirs = pickle.loads(pickle.dumps((mine, theirs)))
    with pytest.raises(gsfa.GsfaError, match=words) as caught:
        mine.merge(theirs)
    assert caught.value.code == "different_moments" and caught.value.hint
    assert what in caught.value.details["differs"]
    # Nothing has been merged.
    mine.partial_fit(X[40:])
    np.testing.assert_allclose(
        mine.transform(X), type(mine)(**mine.get_params()).fit(X, **prepared).transform(X), atol=1e-8
    )


def test_the_number_of_threads_may_differ(blobs):
    X, y = blobs
    merged = gsfa.GSFA(n_jobs=1).prepare(y).partial_fit(X[:100]).merge(
        gsfa.GSFA(n_jobs=2).prepare(y, sample_weight=np.ones(len(y))).partial_fit(X[100:], first_row=100)
    )
    np.testing.assert_allclose(merged.transform(X), gsfa.GSFA().fit(X, y).transform(X), atol=1e-10)


def test_labels_and_weights_are_checked_when_they_are_announced(blobs):
    X, y = blobs
    for call, match in [
        (lambda: gsfa.GSFA().prepare(np.where(y == 0, np.nan, y.astype(float))), "NaN"),
        (lambda: gsfa.GSFA().prepare(y * 1j), "[Cc]omplex"),
        (lambda: gsfa.GSFA().prepare(y, sample_weight=np.ones(len(y) - 1)), "sample_weight|weights"),
        (lambda: gsfa.GSFA().prepare(y, sample_weight=np.full(len(y), np.nan)), "NaN"),
        (lambda: gsfa.GSFA().prepare(y, sample_weight=np.zeros(len(y))), "zero|positive"),
        (lambda: gsfa.GSFA().prepare(None), "requires y"),
    ]:
        with pytest.raises(ValueError, match=match):
            call()
