"""Chunks, merged parts and whole arrays give the same features."""

import numpy as np
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
