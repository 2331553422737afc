"""Graphs as values, and what can be known about them before training."""

import numpy as np
import pytest
import scipy.sparse

import gsfa
from gsfa.graphs import Chain, Clustered, Compact, Edges, Ell, NearestNeighbors, Mixed, Reordering, Serial, SlidingWindow

Y = np.random.default_rng(0).permutation(np.arange(30.0))
C = np.repeat(list("abc"), 10)


def test_delta_values_have_their_closed_forms():
    j = np.arange(1, 30)
    assert np.allclose(Reordering().analyze(Y, responses=29).delta_values, 2 - 2 * np.cos(np.pi * j / 30), atol=1e-12)
    serial = Serial(groups=15).analyze(Y, responses=6).delta_values
    assert np.allclose(serial, 2 - 2 * np.cos(np.pi * j[:6] / 14), atol=1e-12)
    mixed = Mixed(groups=10).analyze(Y, responses=5).delta_values
    assert np.allclose(mixed, 4 / 3 * (1 - np.cos(np.pi * j[:5] / 10)), atol=1e-12)
    assert np.allclose(Clustered().analyze(C, responses=4).delta_values, [0, 0, 2, 2], atol=1e-12)
    assert np.allclose(Ell(targets=4).analyze(Y, responses=5).delta_values, [0, 0.5, 1, 1.5, 2], atol=1e-9)
    window = SlidingWindow(3).analyze(Y, responses=3).delta_values
    k = np.arange(1, 4)
    expected = [2 - 2 * np.cos(np.pi * i * k / 30).mean() for i in (1, 2, 3)]
    assert np.allclose(window, expected, atol=1e-12)


def test_free_responses_of_ell_are_the_labels():
    responses, deltas = gsfa.free_responses(Ell(), Y, 2)
    assert np.allclose(responses[:, 0], (Y - Y.mean()) / Y.std())
    assert deltas[1] == pytest.approx(2)


def test_analysis_of_a_graph():
    found = Compact(targets=2).analyze(C)
    assert found.consistent and found.r > 0 and len(found.vertex_weights) == 30
    assert "consistent=True" in repr(found) and "vertex_weights" not in repr(found)
    weighted = Ell().analyze(Y, np.arange(1.0, 31.0))
    assert np.allclose(weighted.vertex_weights, np.arange(1.0, 31.0))


def test_sums_are_values():
    both = 0.5 * Ell() + 2 * Serial(5) + Mixed(5) * 0.1
    assert both.graphs == ((0.5, Ell()), (2.0, Serial(5)), (0.1, Mixed(5)))
    assert (2 * both).graphs[0][0] == 1.0
    assert both == 0.5 * Ell() + 2 * Serial(5) + 0.1 * Mixed(5)
    assert hash(Serial(5)) == hash(Serial(5)) and Serial(5) != Serial(6)
    # Rule for sums: shares of Γ/R and v/Q.
    everyone = list(range(30))
    a, b = Ell().build(Y), Serial(5).build(Y)
    total = (0.25 * Ell() + 0.75 * Serial(5)).build(Y)
    expected = 0.25 * a.edge_weights(everyone) / a.r + 0.75 * b.edge_weights(everyone) / b.r
    assert np.allclose(total.edge_weights(everyone), expected)
    with pytest.raises(TypeError):
        Ell() + 3
    with pytest.raises(TypeError):
        "x" * Ell()


def test_numbers_and_classes_in_one_sum():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    y = np.arange(30) // 10
    model = gsfa.GSFA(2, graph=0.5 * Ell() + 0.5 * Clustered()).fit(X, y)
    assert model.transform(X).shape == (30, 2)


def test_edges_take_dense_and_sparse_matrices():
    dense = np.zeros((30, 30))
    dense[np.arange(29), np.arange(1, 30)] = 1
    dense += dense.T
    chain = Chain().analyze(X=Y[:, None]).delta_values
    for matrix in (dense, scipy.sparse.csr_matrix(dense), scipy.sparse.coo_array(dense)):
        assert np.allclose(Edges(matrix).analyze().delta_values, chain, atol=1e-9)


def test_neighbours_are_found_in_the_samples():
    X = np.random.default_rng(0).normal(size=(100, 2))
    graph = NearestNeighbors(4, heat=1.0).build(X=X)
    weights = graph.edge_weights(list(range(100)))
    distance = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    near = np.argsort(distance, axis=1)[:, 1:5]
    expected = np.zeros((100, 100), dtype=bool)
    np.put_along_axis(expected, near, True, axis=1)
    expected |= expected.T
    np.testing.assert_allclose(weights[expected], np.exp(-distance[expected]) * weights[expected][0] / np.exp(-distance[expected][0]), rtol=1e-9)
    assert np.all(weights[~expected] == 0)
    assert gsfa.GSFA(2, graph=NearestNeighbors(4)).fit(X).transform(X).shape == (100, 2)


def test_figures_can_be_drawn():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = Serial(groups=6).plot(Y)
    assert len(figure.axes) == 3
    axes = gsfa.plot_free_responses(Ell(targets=3), Y, 3)
    assert len(axes.lines) == 3
    built = Ell(targets=3).build(Y)
    figure = built.plot(Y, count=2)
    assert len(figure.axes) == 3 and len(figure.axes[1].lines) == 2
    picture = figure.axes[0].images[0].get_array()
    order = np.argsort(Y)
    np.testing.assert_allclose(picture, built.edge_weights()[np.ix_(order, order)])
    drawn = gsfa.plot_free_responses(built, Y, 2).lines[0].get_ydata()
    np.testing.assert_allclose(drawn, built.free_responses(1).responses[order, 0])
    X = np.random.default_rng(0).normal(size=(30, 3))
    model = gsfa.GSFA(2).fit(X, Y)
    axes = gsfa.plot_delta_values(model, [0.0, 1.0], labels=["ours", "wanted"])
    assert np.array_equal(axes.lines[1].get_ydata(), model.delta_values_)
    import matplotlib.pyplot as plt

    plt.close("all")


def test_scores_of_other_samples_use_their_own_graph():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + 0.1 * rng.normal(size=200)
    model = gsfa.GSFA().fit(X[:100], y[:100])
    deltas = model.test_delta_values(X[100:], y[100:])
    rho = np.corrcoef(model.transform(X[100:])[:, 0], y[100:])[0, 1]
    assert deltas[0] == pytest.approx(2 - 2 * rho**2)
    assert model.score(X[100:], y[100:]) == pytest.approx(-deltas[0])
