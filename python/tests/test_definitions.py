"""Edge weights against the paper's definitions, one pair of vertices at a time, without asking the library."""

import numpy as np
import pytest
from gsfa import graphs

RNG = np.random.default_rng(8)


def ranks(y):
    order = np.argsort(y)
    place = np.empty(len(y), dtype=int)
    place[order] = np.arange(len(y))
    return place


def pairs(n, weight):
    return np.array([[weight(i, j) for j in range(n)] for i in range(n)], dtype=float)


@pytest.mark.parametrize("n, lag", [(2, 1), (5, 1), (9, 3)])
def test_chains_connect_samples_some_steps_apart(n, lag):
    graph = graphs.Chain(lag).build(X=np.zeros((n, 1)))
    np.testing.assert_array_equal(graph.edge_weights(), pairs(n, lambda i, j: abs(i - j) == lag))
    np.testing.assert_array_equal(graph.vertex_weights, np.ones(n))


@pytest.mark.parametrize("n", [2, 3, 8])
def test_reordering_connects_neighbours_in_the_order_of_the_label(n):
    y = RNG.permutation(n) + RNG.uniform(0, 0.5, n)
    r = ranks(y)
    ends = {0, n - 1}
    expected = pairs(n, lambda i, j: abs(r[i] - r[j]) == 1 or (i == j and r[i] in ends))
    np.testing.assert_array_equal(graphs.Reordering().build(y).edge_weights(), expected)
    without = pairs(n, lambda i, j: abs(r[i] - r[j]) == 1)
    np.testing.assert_array_equal(graphs.Reordering(end_loops=False).build(y).edge_weights(), without)


@pytest.mark.parametrize("groups, size", [(2, 1), (3, 2), (5, 4)])
def test_serial_connects_neighbouring_groups(groups, size):
    n = groups * size
    y = RNG.permutation(n) + RNG.uniform(0, 0.5, n)
    group = ranks(y) // size
    graph = graphs.Serial(groups=groups).build(y)
    expected = pairs(n, lambda i, j: abs(group[i] - group[j]) == 1)
    found = graph.edge_weights()
    np.testing.assert_allclose(found / found.max(), expected, atol=1e-12)
    # Inner groups have neighbours on both sides.
    v = np.where((group == 0) | (group == groups - 1), 1.0, 2.0)
    np.testing.assert_allclose(graph.vertex_weights / graph.vertex_weights.min(), v / v.min(), atol=1e-12)
    assert graph.consistency().holds


@pytest.mark.parametrize(
    "classes, paper", [("aab", False), ("aabb", False), ("aabbbcccc", False), ("aabb", True), ("aabbbcccc", True)]
)
def test_clustered_connects_the_samples_of_a_class(classes, paper):
    y = np.array(list(classes))
    graph = graphs.Clustered(paper_weights=paper).build(y)
    size = np.array([np.sum(y == name) for name in y])
    if paper:
        expected = pairs(len(y), lambda i, j: (y[i] == y[j] and i != j) / (size[i] - 1))
    else:
        expected = pairs(len(y), lambda i, j: (y[i] == y[j]) / size[i])
    np.testing.assert_allclose(graph.edge_weights(), expected, atol=1e-12)
    np.testing.assert_array_equal(graph.vertex_weights, np.ones(len(y)))


@pytest.mark.parametrize("n, targets", [(2, 1), (4, 1), (9, 4)])
@pytest.mark.parametrize("weighted", [False, True])
def test_ell_is_the_sum_of_its_target_labels(n, targets, weighted):
    y = RNG.uniform(size=n)
    weights = RNG.uniform(0.5, 2, n) if weighted else None
    graph = graphs.Ell(targets=targets).build(y, weights)
    v, made = graph.vertex_weights, graph.targets
    labels = made.lambda0 + np.einsum("ij,kj,j->ik", made.values, made.values, made.eigenvalues)
    np.testing.assert_allclose(graph.edge_weights(), np.outer(v, v) / v.sum() * labels, atol=1e-12)
    first = y - np.average(y, weights=weights)
    first /= np.sqrt(np.average(first**2, weights=weights))
    np.testing.assert_allclose(made.values[:, 0], first, atol=1e-12)
