"""Built graphs against the dense definitions of the paper, written with NumPy."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
import scipy.sparse
from sklearn.base import clone

import gsfa
from gsfa import graphs
from gsfa.graphs import Chain, Clustered, Compact, Edges, Ell, NearestNeighbors, Mixed, Reordering, Serial, SlidingWindow

RNG = np.random.default_rng(5)


def labels(n, ties):
    y = np.arange(n) // 3 if ties else np.arange(n) + RNG.uniform(0, 0.9, n)
    y = y.astype(float)
    y[-1] += 1
    return RNG.permutation(y)


def cases():
    """Graphs of every kind, with and without ties and weights, from N = 2 on."""
    for n in (2, 3, 7, 14):
        for ties in (False, True):
            y, weights = labels(n, ties), RNG.uniform(0.3, 3, n)
            table = {"y": y, "z": RNG.normal(size=n)}
            classes = np.array(["a"] + ["b"] * (n - 1)) if n > 2 else None
            X = RNG.normal(size=(n, 2))
            random = RNG.uniform(-0.2, 1, size=(n, n))
            for w in (None, weights):
                yield Ell().build(y, w)
                yield Ell(targets=4).build(y, w)
                yield Ell(targets=3).build(table, w)
                yield Serial(groups=3).build(y, w)
                yield Mixed(groups=2).build(y, w)
                yield Reordering().build(y, w)
                yield Reordering(end_loops=False).build(y, w)
                yield Chain().build(X=X, sample_weight=w)
                yield Chain(vertex_weights="degrees").build(X=X, sample_weight=w)
                yield SlidingWindow(1).build(y, w)
                yield Edges(random, vertex_weights=RNG.uniform(0.5, 2, n)).build(sample_weight=w)
                yield (0.5 * Ell() + 0.5 * Serial(2)).build(y, w)
                yield graphs.from_responses(RNG.normal(size=(n, min(n - 1, 3))), RNG.uniform(0, 3, min(n - 1, 3)), vertex_weights=w)
                if classes is not None:
                    yield Clustered().build(classes, w)
                    yield Compact(balance=True).build(classes, w)
                    yield NearestNeighbors(1, heat=2.0).build(X=X, sample_weight=w)


CASES = list(cases())


class Dense:
    """A graph by its definition: v, Γ and nothing else."""

    def __init__(self, graph):
        self.v, self.gamma = graph.vertex_weights, graph.edge_weights()
        self.q, self.r, self.degrees = self.v.sum(), self.gamma.sum(), self.gamma.sum(axis=1)

    def normalized(self, y):
        y = y - self.v @ y / self.q
        return y / np.sqrt((self.v * y) @ y / self.q)

    def delta(self, y):
        y = self.normalized(y)
        return (self.gamma * (y[:, None] - y[None]) ** 2).sum() / self.r

    @property
    def scale(self):
        return 1 + abs(self.gamma).max() * self.gamma.size / self.r


@pytest.mark.parametrize("graph", CASES, ids=range(len(CASES)))
def test_a_graph_is_its_dense_definition(graph):
    n, dense = len(graph), Dense(graph)
    v, gamma, q, r = dense.v, dense.gamma, dense.q, dense.r
    tolerance = 1e-11 * dense.scale
    assert np.array_equal(gamma, gamma.T)
    assert graph.q == pytest.approx(q) and graph.r == pytest.approx(r, abs=tolerance)
    np.testing.assert_allclose(graph.degrees, dense.degrees, atol=tolerance * r)
    np.testing.assert_allclose(graph.self_loops, np.diag(gamma), atol=1e-12 * abs(gamma).max())
    # Sparse, dense and in part.
    listed = graph.edge_weights(sparse=True)
    assert isinstance(listed, scipy.sparse.csr_array) and np.array_equal(listed.toarray(), gamma)
    assert listed.nnz == np.count_nonzero(gamma)
    some = np.arange(n)[::-2]
    assert np.array_equal(graph.edge_weights(some), gamma[np.ix_(some, some)])
    assert np.array_equal(graph.edge_weights(some, sparse=True).toarray(), gamma[np.ix_(some, some)])
    m = gamma / np.sqrt(np.outer(v, v))
    np.testing.assert_allclose(graph.normalized_edge_weights(), m, rtol=1e-13)
    np.testing.assert_allclose(graph.normalized_edge_weights(sparse=True).toarray(), m, rtol=1e-13)
    laplacian = np.diag(dense.degrees) - gamma
    np.testing.assert_allclose(graph.laplacian(), laplacian, atol=tolerance * r)
    np.testing.assert_allclose(graph.laplacian(sparse=True).toarray(), laplacian, atol=tolerance * r)
    # Consistency, components, the smallest edge.
    violations = abs(v / q - dense.degrees / r)
    consistency = graph.consistency()
    assert consistency.violation == pytest.approx(violations.max(), abs=tolerance)
    assert consistency.holds == bool(violations.max() < 1e-10)
    assert abs(consistency.vertex_share - consistency.edge_share) == consistency.violation
    count, of_vertex = scipy.sparse.csgraph.connected_components(scipy.sparse.csr_array(gamma != 0))
    found = graph.components()
    assert found.count == count and np.array_equal(found.of_vertex, of_vertex)
    weight, (i, j) = graph.smallest_edge()
    assert weight == pytest.approx(gamma[gamma != 0].min(), abs=tolerance) and gamma[i, j] == pytest.approx(weight, abs=tolerance)
    # Δ of features and of noise.
    features = RNG.normal(size=(n, 3))
    expected = [dense.delta(y) for y in features.T]
    np.testing.assert_allclose(graph.delta_values(features), expected, atol=tolerance)
    assert graph.delta_values(features[:, 0])[0] == graph.delta_values(features)[0]
    assert graph.expected_noise_delta() == pytest.approx(2 * (r - np.trace(gamma)) / r, abs=tolerance)
    # Free responses: the generalised eigenproblem of the definition.
    mu = scipy.linalg.eigh(laplacian, np.diag(v), eigvals_only=True)
    zero = np.argmin(abs(mu)) if found.count == 1 and weight >= 0 else None
    responses, deltas, eigenvalues = graph.free_responses()
    assert responses.shape == (n, n - 1)
    np.testing.assert_allclose(responses.T @ np.diag(v) @ responses / q, np.eye(n - 1), atol=1e-8 * dense.scale)
    np.testing.assert_allclose(v @ responses / q, 0, atol=1e-8 * dense.scale)
    np.testing.assert_allclose(laplacian @ responses, (v[:, None] * responses) * (deltas * r / 2 / q), atol=1e-7 * dense.scale * r)
    np.testing.assert_allclose(eigenvalues, r / 2 / q * (2 - deltas), atol=1e-9 * dense.scale * r / q)
    if zero is not None:
        np.testing.assert_allclose(deltas, np.delete(mu, zero) * 2 * q / r, atol=1e-8 * dense.scale)


@pytest.mark.parametrize("graph", CASES, ids=range(len(CASES)))
def test_graphs_made_of_a_graph(graph):
    dense = Dense(graph)
    v, gamma, q, r = dense.v, dense.gamma, dense.q, dense.r
    c = max(0, (-gamma / np.outer(v, v)).max())
    positive = graph.without_negative_edges()
    expected = (gamma + c * np.outer(v, v)) / (1 + c * q**2 / r)
    np.testing.assert_allclose(positive.edge_weights(), expected, atol=1e-12 * dense.scale * r)
    assert positive.r == pytest.approx(r) and np.array_equal(positive.vertex_weights, v)
    features = RNG.normal(size=(len(v), 2))
    before, share = graph.delta_values(features), c * q**2 / r
    np.testing.assert_allclose(positive.delta_values(features), (before + 2 * share) / (1 + share), atol=1e-9 * dense.scale)
    without = gamma - np.diag(np.diag(gamma))
    if not np.any(without) or without.sum() <= 1e-9 * abs(gamma).sum():
        with pytest.raises(gsfa.GsfaError):
            graph.without_self_loops()
        return
    loopless = graph.without_self_loops()
    np.testing.assert_allclose(loopless.edge_weights(), without, atol=1e-12 * dense.scale * r)
    np.testing.assert_allclose(loopless.delta_values(features), before * r / without.sum(), rtol=1e-8, atol=1e-9 * dense.scale)
    # A walk needs edges that are not negative; its probabilities are those of the definition.
    walkable = positive.without_self_loops() if positive.edge_weights().min() >= 0 and len(v) > 7 else positive
    rows = walkable.edge_weights()
    if rows.min() < 0 or np.any(rows.sum(axis=1) == 0):
        return
    expected = rows / rows.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(walkable.transition_probabilities(), expected, atol=1e-12)
    np.testing.assert_allclose(walkable.transition_probabilities(sparse=True).toarray(), expected, atol=1e-12)
    np.testing.assert_allclose(walkable.transition_probabilities(1), expected[1], atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_feasible_noise_has_the_expected_delta(weighted):
    n = 8
    graph = Chain().build(X=np.zeros((n, 1)), sample_weight=RNG.uniform(0.2, 4, n) if weighted else None)
    noise = np.random.default_rng(0).normal(size=(n, 40_000))
    deltas = graph.delta_values(noise)
    error = 4 * deltas.std() / np.sqrt(deltas.size)
    assert abs(deltas.mean() - graph.expected_noise_delta(feasible=True)) < error


def test_sfa_on_a_random_walk_finds_the_free_responses():
    y = np.repeat(np.arange(4.0), 2)
    graph = Ell(targets=3).build(y).without_negative_edges()
    walk = graph.random_walk(400_000, seed=3)
    assert np.array_equal(walk[:1000], graph.random_walk(1000, seed=3))
    assert not np.array_equal(walk[:1000], graph.random_walk(1000, seed=4))
    counts = np.bincount(walk, minlength=8) / len(walk)
    np.testing.assert_allclose(counts, graph.degrees / graph.r, atol=0.004)
    slow = gsfa.SFA(2).fit(np.eye(8)[walk])
    responses, deltas, _ = graph.free_responses(2)
    np.testing.assert_allclose(slow.delta_values_, deltas, atol=0.02)
    correlation = np.corrcoef(slow.transform(np.eye(8)).T, responses.T)[:2, 2:]
    np.testing.assert_allclose(abs(np.diag(correlation)), 1, atol=0.01)


@pytest.mark.parametrize("weighted", [False, True])
def test_target_labels_and_the_way_back(weighted):
    n = 12
    table = pd.DataFrame({"age": RNG.normal(40, 9, n), "height": RNG.normal(170, 9, n)})
    weights = RNG.uniform(0.5, 2, n) if weighted else None
    graph = Ell(targets=5).build(table, weights)
    targets, v, q = graph.targets, graph.vertex_weights, graph.q
    assert targets.names == ("age", "height", "cos2(age)", "cos2(height)", "cos3(age)") == targets.raw_names
    np.testing.assert_allclose(targets.values.T @ np.diag(v) @ targets.values / q, np.eye(5), atol=1e-12)
    raw = targets.recover(targets.values)
    np.testing.assert_allclose(raw[:, :2], table.to_numpy(), rtol=1e-12)
    np.testing.assert_allclose(raw, targets.means + targets.values @ targets.transform, rtol=1e-12)
    np.testing.assert_allclose(targets.means, v @ raw / q, rtol=1e-12)
    np.testing.assert_allclose(targets.decorrelate(raw), targets.values, atol=1e-10)
    # The paper's projection of the first label out of the second, eq:label_normalization and below.
    first, second = (table[name] - v @ table[name] / q for name in table)
    first = first / np.sqrt((v * first) @ first / q)
    second = second - (v * second) @ first / q * first
    np.testing.assert_allclose(targets.values[:, 1], second / np.sqrt((v * second) @ second / q), atol=1e-10)
    # Γ of the definition, eq:GGELL.
    u = np.sqrt(v / q)[:, None] * targets.values
    m = targets.lambda0 * np.outer(np.sqrt(v / q), np.sqrt(v / q)) + u @ np.diag(targets.eigenvalues) @ u.T
    np.testing.assert_allclose(graph.edge_weights(), np.sqrt(np.outer(v, v)) * m, atol=1e-12)
    np.testing.assert_allclose(graph.delta_values(targets.values), 2 - 2 * targets.eigenvalues / targets.lambda0, atol=1e-10)
    # Estimates of the first labels are enough.
    assert np.allclose(targets.recover(targets.values[:, :1])[:, 0], table["age"])
    assert Serial(3).build(table["age"]).targets is None
    assert "names=('age'" in repr(targets) and "values" not in repr(targets).replace("eigenvalues", "")


def test_a_graph_from_responses_has_them():
    for n, count in ((2, 1), (9, 3), (9, 8)):
        for weights in (None, RNG.uniform(0.5, 2, n)):
            Y, wanted = RNG.normal(3, 1, size=(n, count)), np.sort(RNG.uniform(-0.5, 3, count))
            graph = graphs.from_responses(Y, wanted, vertex_weights=weights)
            assert graph.consistency().holds and graph.r == pytest.approx(graph.q)
            np.testing.assert_allclose(graph.delta_values(graph.targets.values), wanted, atol=1e-10)
            np.testing.assert_allclose(np.sort(np.append(wanted, np.full(n - 1 - count, 2.0))), graph.free_responses().delta_values, atol=1e-10)
            np.testing.assert_allclose(graph.targets.recover(graph.targets.values), Y, atol=1e-9)
    again = Serial(groups=4).build(np.arange(12.0), RNG.uniform(0.5, 2, 12))
    responses, deltas, _ = again.free_responses()
    same = graphs.from_responses(responses, deltas, vertex_weights=again.vertex_weights)
    np.testing.assert_allclose(same.edge_weights() * again.r / again.q, again.edge_weights(), atol=1e-10)


def test_several_labels_come_as_mapping_or_frame():
    age, gender = np.arange(20.0), np.repeat(["m", "f"], 10)
    table = {"age": age, "gender": gender, "height": age**2}
    for several in (table, pd.DataFrame(table)):
        assert np.array_equal(Serial(4, label="age").build(several).edge_weights(), Serial(4).build(age).edge_weights())
        assert np.array_equal(Clustered(label="gender").build(several).edge_weights(), Clustered().build(gender).edge_weights())
        assert Ell(labels=["height", "age"]).build(several).targets.names == ("height", "age")
        both = (Ell(labels=["age"]) + Clustered(label="gender")).build(several)
        apart = Ell().build(age), Clustered().build(gender)
        expected = sum(0.5 * part.edge_weights() / part.r for part in apart)
        np.testing.assert_allclose(both.edge_weights(), expected, atol=1e-14)
        with pytest.raises(gsfa.GsfaError, match="unknown|no label"):
            Serial(4, label="weight").build({"age": age, "height": age})
        with pytest.raises(gsfa.GsfaError, match="gender"):
            Ell().build(several)
    with pytest.raises(gsfa.GsfaError, match="one length"):
        Ell().build({"a": age, "b": age[1:]})
    with pytest.raises(gsfa.GsfaError, match="one length"):
        Ell().build({})


def test_estimators_are_trained_with_a_built_graph():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.normal(size=60)
    weights = rng.uniform(0.5, 2, 60)
    graph = Ell(targets=3).build(y, weights)
    for estimator in (gsfa.GSFA, gsfa.HGSFA):
        ours = estimator(2, graph=graph).fit(X)
        theirs = estimator(2, graph=Ell(targets=3)).fit(X, y, sample_weight=weights)
        assert np.array_equal(ours.transform(X), theirs.transform(X))
        assert np.array_equal(clone(ours).fit(X).transform(X), ours.transform(X))
        assert np.array_equal(pickle.loads(pickle.dumps(ours)).fit(X).transform(X), ours.transform(X))
        for bad, message in ((X[1:], "built for 60 samples, there are 59"),):
            with pytest.raises(gsfa.GsfaError, match=message):
                estimator(2, graph=graph).fit(bad)
        with pytest.raises(gsfa.GsfaError, match="weights of its samples already"):
            estimator(2, graph=graph).fit(X, sample_weight=weights)
    # Neither loops nor the uniform part change a feature.
    plain = gsfa.GSFA(3, graph=graph).fit(X).transform(X)
    for other in (graph.without_negative_edges(), graph.without_self_loops()):
        np.testing.assert_allclose(gsfa.GSFA(3, graph=other).fit(X).transform(X), plain, atol=1e-9)
    model = gsfa.GSFA(2, graph=graph).fit(X)
    np.testing.assert_allclose(graph.delta_values(model.transform(X)), model.delta_values_, atol=1e-10)
    with pytest.raises(gsfa.GsfaError, match="says nothing of others"):
        model.score(X, y)


def test_unlabelled_samples_stay_with_graphs_made_of_a_graph():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    y[::5] = np.nan
    for weight in (None, 0.5):
        graph = Ell(targets=2, semi_supervised=True, unlabelled=weight).build(y)
        positive = graph.without_negative_edges()
        assert len(positive) == len(graph) == (32 if weight is None else 40)
        assert np.array_equal(positive.rows, np.flatnonzero(~np.isnan(y)) if weight is None else np.arange(40))
        a, b = (gsfa.GSFA(2, graph=one).fit(X).transform(X) for one in (graph, positive))
        np.testing.assert_allclose(a, b, atol=1e-9)


@pytest.mark.parametrize("graph", CASES[:: max(1, len(CASES) // 40)])
def test_graphs_survive_pickles_and_copies(graph):
    assert copy.deepcopy(graph) is graph and copy.copy(graph) is graph
    for one in (graph, graph.without_negative_edges()):
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(one))))
        np.testing.assert_allclose(again.edge_weights(), one.edge_weights(), rtol=1e-12, atol=1e-15)
        assert np.array_equal(again.vertex_weights, one.vertex_weights)


def test_what_was_built_does_not_follow_its_labels():
    y, Y = np.arange(6.0), np.arange(6.0)[:, None].copy()
    for graph, given in ((Ell().build(y), y), (graphs.from_responses(Y, [0.0]), Y)):
        before = graph.edge_weights()
        given[0] = 100.0
        assert np.array_equal(graph.edge_weights(), before)
        np.testing.assert_allclose(pickle.loads(pickle.dumps(graph)).edge_weights(), before)


def test_graphs_of_networkx_come_and_go():
    networkx = pytest.importorskip("networkx")
    for graph in CASES[::7]:
        if not np.any(graph.edge_weights() - np.diag(graph.self_loops)):
            continue
        there = graph.to_networkx()
        assert there.number_of_nodes() == len(graph)
        back = graphs.from_networkx(there).build()
        np.testing.assert_allclose(back.edge_weights(), graph.edge_weights(), rtol=1e-15)
        assert np.array_equal(back.vertex_weights, graph.vertex_weights)
    directed = networkx.DiGraph([("x", "y", {"w": 4.0}), ("y", "z", {"w": 2.0}), ("z", "z", {})])
    built = graphs.from_networkx(directed, weight="w").build()
    assert built.edge_weights().tolist() == [[0, 2, 0], [2, 0, 1], [0, 1, 1]]
    assert np.array_equal(built.vertex_weights, np.ones(3))
    directed.nodes["x"]["vertex_weight"] = 2.0
    with pytest.raises(gsfa.GsfaError, match="1 of 3 nodes"):
        graphs.from_networkx(directed)
    with pytest.raises(gsfa.GsfaError, match="no nodes"):
        graphs.from_networkx(networkx.Graph())
    with pytest.raises(gsfa.ParameterError):
        graphs.from_networkx("graph")


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda g: g.edge_weights([0, 7]), "from 0 to 5"),
        (lambda g: g.edge_weights([-1]), "from 0 to 5"),
        (lambda g: g.edge_weights([0.5]), "from 0 to 5"),
        (lambda g: g.edge_weights(sparse=1), "sparse"),
        (lambda g: g.delta_values(np.arange(5.0)), "6.*5|5.*6"),
        (lambda g: g.delta_values(np.ones(6)), "constant"),
        (lambda g: g.delta_values([1, 2, 3, 4, 5, np.nan]), "non-finite"),
        (lambda g: g.delta_values(list("abcdef")), "not numbers"),
        (lambda g: g.delta_values(np.zeros((6, 1, 1))), "3 axes"),
        (lambda g: g.free_responses(0), "count"),
        (lambda g: g.free_responses(6), "6"),
        (lambda g: g.random_walk(0), "steps"),
        (lambda g: g.random_walk(10, seed=-1), "seed"),
        (lambda g: g.random_walk(10), "negative"),
        (lambda g: g.random_walk(2**60), "negative|memory"),
        (lambda g: g.without_negative_edges().random_walk(2**60), "memory"),
        (lambda g: g.transition_probabilities(0), "negative"),
        (lambda g: g.transition_probabilities(), "negative"),
        (lambda g: g.transition_probabilities(6), "6 vertices"),
        (lambda g: g.targets.recover(np.zeros((2, 9))), "target labels"),
        (lambda g: g.targets.decorrelate(np.zeros((2, 9))), "raw labels"),
        (lambda g: Edges(np.ones((3, 3)), vertex_weights=[1, 2]).build(), "vertex weights"),
        (lambda g: Edges(np.ones((3, 3)), vertex_weights=[1, 2, 0]), "vertex_weights"),
        (lambda g: Edges(np.ones((3, 3)), vertex_weights=[1, 2, np.nan]), "vertex_weights"),
        (lambda g: Edges(np.ones((3, 3)), vertex_weights="abc"), "vertex_weights"),
        (lambda g: Edges(np.ones((3, 3)), vertex_weights="heavy"), "vertex_weights"),
        (lambda g: graphs.from_responses(np.ones(4), [0.0]), "constant"),
        (lambda g: graphs.from_responses(np.c_[np.arange(4), np.arange(4)], [0, 1]), "column 1"),
        (lambda g: graphs.from_responses(np.arange(4), [0, 1]), "delta values"),
        (lambda g: graphs.from_responses(np.arange(4), [np.nan]), "delta values has 1 non-finite value at position 0"),
        (lambda g: graphs.from_responses([[0, 1], [1, 0], [2, np.nan], [3, np.inf]], [0, 1]), "'y2' .* positions 2, 3"),
        (lambda g: graphs.from_responses(np.arange(4), [0], vertex_weights=[1, 1, 1]), "vertex weights"),
        (lambda g: graphs.from_responses(np.arange(4), [0], vertex_weights=[1, 1, 1, -1]), "positive"),
        (lambda g: graphs.from_responses([1.0], [0]), "2"),
        (lambda g: graphs.from_responses(list("abcd"), [0]), "not numbers"),
    ],
)
def test_what_makes_no_sense_is_told(ask, message):
    with pytest.raises((gsfa.GsfaError, gsfa.ParameterError), match=message):
        ask(Ell(targets=2).build(np.arange(6.0)))


def test_arrays_of_vertex_weights_are_checked_to_the_last():
    for bad in (0.0, -1.0, np.nan, np.inf):
        weights = np.ones(50_000)
        weights[-1] = bad
        with pytest.raises(gsfa.ParameterError, match="vertex_weights"):
            Edges(scipy.sparse.eye_array(50_000), vertex_weights=weights)
    assert Edges(np.ones((2, 2)), vertex_weights=np.array([1.0, 3.0])).build().q == 4.0


def test_disconnected_graphs_have_no_walk():
    with pytest.raises(gsfa.GsfaError, match="components"):
        Clustered().build(list("aabb")).random_walk(10)


def test_a_graph_of_many_vertices_is_listed_without_a_matrix():
    n = 200_000
    graph = Reordering().build(np.random.default_rng(0).normal(size=n))
    assert graph.edge_weights(sparse=True).nnz == 2 * n
    with pytest.raises(gsfa.GsfaError, match="do not fit into memory"):
        Reordering().build(np.arange(3_000_000.0)).edge_weights()
    with pytest.raises(gsfa.GsfaError, match="do not fit into memory"):
        Ell().build(np.arange(3_000_000.0)).edge_weights(sparse=True)
