"""Edge weights as arrays: the same graph however they are given."""

import numpy as np
import pytest
import scipy.sparse

import gsfa
from gsfa import _core
from gsfa._json import text
from gsfa.graphs import Edges, Serial


def weights(n, seed=0):
    return np.random.default_rng(seed).uniform(size=(n, n))


@pytest.mark.parametrize("n", [2, 7, 60])
@pytest.mark.parametrize("vertex_weights", ["uniform", "degrees"])
def test_arrays_give_the_graph_of_the_specification(n, vertex_weights):
    graph = Edges(weights(n), vertex_weights)
    from_text = _core.Graph(text("graph", graph._spec()), n, [], None, None, [])
    built = graph.build(X=np.zeros((n, 1)))
    everyone = list(range(n))
    np.testing.assert_array_equal(built.edge_weights(everyone), from_text.edge_matrix(everyone))
    np.testing.assert_array_equal(built.vertex_weights, from_text.vertex_weights)
    assert built.notes == from_text.notes


def test_edge_weights_are_the_mean_of_both_directions_and_repeated_ones_are_added():
    given = weights(5)
    built = Edges(given).build(X=np.zeros((5, 1)))
    np.testing.assert_allclose(built.edge_weights(list(range(5))), (given + given.T) / 2, rtol=1e-15)
    assert built.notes == ["edge weights were asymmetric for 10 pairs and were replaced by their mean"]
    ends = (np.array([0, 0, 1]), np.array([1, 1, 0]))
    repeated = Edges(scipy.sparse.coo_array((np.array([1.0, 2.0, 5.0]), ends), shape=(2, 2)))
    assert repeated.build(X=np.zeros((2, 1))).edge_weights([0, 1])[0, 1] == 4.0


def test_sums_keep_each_list_of_edges_in_its_place():
    n, y = 40, np.arange(40.0)
    first, second = weights(n, 1), weights(n, 2)
    total = 0.5 * Edges(first) + 0.2 * Serial(groups=4) + 0.3 * Edges(second)
    from_text = _core.Graph(text("graph", total._spec()), n, [("y", y)], None, None, [])
    everyone = list(range(n))
    np.testing.assert_array_equal(total.build(y).edge_weights(everyone), from_text.edge_matrix(everyone))


def test_weights_that_are_no_numbers_are_named():
    bad = weights(4)
    bad[1, 2] = np.nan
    with pytest.raises(gsfa.GsfaError, match="edge 6 is not finite"):
        Edges(bad).build(X=np.zeros((4, 1)))
