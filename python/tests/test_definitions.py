"""Edge weights against the paper's definitions, one pair of vertices at a time, without asking the library."""

import itertools

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


def orders(y):
    """All orders of the vertices in which the label does not decrease: ties stand in any order."""
    tied = [np.flatnonzero(y == value) for value in np.unique(y)]
    return [np.concatenate(order) for order in itertools.product(*(list(itertools.permutations(t)) for t in tied))]


def weighed(gamma, s):
    """Sample weights of graphs of pairs: v and γ of all pairs are multiplied."""
    return gamma * np.outer(s, s), s


def compare(graph, gamma, v):
    """Γ, v, Q and R of a graph, and what follows from them, against those of the definition."""
    np.testing.assert_allclose(graph.edge_weights(), gamma, atol=1e-12 * abs(gamma).max())
    np.testing.assert_allclose(graph.edge_weights(sparse=True).toarray(), gamma, atol=1e-12 * abs(gamma).max())
    np.testing.assert_allclose(graph.vertex_weights, v, rtol=1e-12)
    assert graph.q == pytest.approx(v.sum(), rel=1e-12) and graph.r == pytest.approx(gamma.sum(), rel=1e-12)
    np.testing.assert_allclose(graph.degrees, gamma.sum(axis=1), atol=1e-12 * gamma.sum())
    difference = abs(v / v.sum() - gamma.sum(axis=1) / gamma.sum()).max()
    assert graph.consistency().holds == (difference < 1e-10)


def samples_with(n, ties, weighted):
    y = RNG.permutation(n) + RNG.uniform(0, 0.5, n)
    if ties and n > 2:
        y = RNG.permutation(np.sort(y)[np.arange(n) // 2])
    return y, RNG.uniform(0.3, 3, n) if weighted else np.ones(n)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("n, window", [(2, (1.0,)), (5, (1.0, 1.0)), (7, (1.0, 0.5, 0.25))])
def test_sliding_windows_connect_what_is_near_in_rank_and_reflect_at_the_ends(n, window, ties, weighted):
    y, s = samples_with(n, ties, weighted)
    gamma = np.zeros((n, n))
    found = orders(y)
    for order, (k, w), step in itertools.product(found, enumerate(window, 1), (1, -1)):
        for p in range(n):
            q = p + step * k
            q = -q - 1 if q < 0 else 2 * n - 1 - q if q >= n else q
            gamma[order[p], order[q]] += w / len(found)
    built = graphs.SlidingWindow(len(window), shape=window).build(y, s if weighted else None)
    compare(built, *weighed(gamma, s))
    if len(set(window)) == 1:
        np.testing.assert_array_equal(graphs.SlidingWindow(len(window)).build(y, s).edge_weights(), built.edge_weights())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sizes", [(1, 1), (2, 2, 2), (3, 1, 2, 4), (1, 1, 1, 1, 1)])
def test_mixed_connects_neighbouring_groups_and_each_with_itself(sizes, weighted):
    # Groups are the ties of the label, so that no rule has to find them.
    order = RNG.permutation(sum(sizes))
    group = np.repeat(np.arange(len(sizes)), sizes)[order]
    a = RNG.uniform(0.3, 3, len(group)) if weighted else np.ones(len(group))
    total = np.bincount(group, a)
    last = len(sizes) - 1

    def weight(i, j):
        between = float(abs(group[i] - group[j]) == 1)
        within = float(group[i] == group[j]) * (2 if group[i] in (0, last) else 1)
        return (between + within) * a[i] * a[j] / (total[group[i]] * total[group[j]])

    graph = graphs.Mixed(groups=len(sizes)).build(group.astype(float), a if weighted else None)
    compare(graph, pairs(len(group), weight), 3 * a / total[group])
    serial = graphs.Serial(groups=len(sizes)).build(group.astype(float), a if weighted else None)
    between = pairs(len(group), lambda i, j: weight(i, j) * (group[i] != group[j]))
    compare(serial, between, np.where((group == 0) | (group == last), 1, 2) * a / total[group])


def code(classes):
    """Bits of ⌊c 2^b / C⌋ as ±1, then products of b, b − 1, …, 2 of them, −1 for the first class (tab:compact_classes)."""
    b = int(np.ceil(np.log2(classes)))
    number = np.arange(classes) * 2**b // classes
    bit = [(number >> (b - 1 - k)) & 1 for k in range(b)]
    chosen = [(k,) for k in range(b)]
    for size in range(b, 1, -1):
        chosen += list(itertools.combinations(range(b), size))
    return np.array([np.where(sum(bit[k] for k in some) % 2, 1.0, -1.0) for some in chosen]).T, b


def decorrelated(raw, v):
    """Columns of weighted mean 0 and variance 1, each without what earlier ones explain; dependent ones are left out."""
    kept = []
    for column in raw.T:
        column = column - v @ column / v.sum()
        size = np.sqrt(v @ column**2 / v.sum())
        for earlier in kept:
            column = column - (v @ (column * earlier) / v.sum()) * earlier
        left = np.sqrt(v @ column**2 / v.sum())
        if left > 1e-9 * max(size, 1e-300):
            kept.append(column / left)
    return np.array(kept).T


@pytest.mark.parametrize("balance", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3, 4, 6, 8])
def test_compact_graphs_are_the_sum_of_their_code(classes, weighted, balance):
    of_vertex = RNG.permutation(np.concatenate([np.full(1 + c % 3, c) for c in range(classes)] * 2))
    a = RNG.uniform(0.3, 3, len(of_vertex)) if weighted else np.ones(len(of_vertex))
    names = np.array([f"{c:02}" for c in of_vertex])
    v = a / np.bincount(of_vertex, a)[of_vertex] if balance else a
    raw, bits = code(classes)
    for targets, settings in ((None, {"eigenvalues": "equal"}), (bits, {})):
        labels = decorrelated(raw[of_vertex], v)[:, :targets]
        graph = graphs.Compact(targets, balance=balance, **settings).build(names, a if weighted else None)
        lambda0, scale = graph.targets.lambda0, graph.vertex_weights.sum() / v.sum()
        assert labels.shape[1] == (classes - 1 if targets is None else bits)
        np.testing.assert_allclose(graph.targets.eigenvalues, lambda0, rtol=1e-12)
        np.testing.assert_allclose(graph.targets.values, labels, atol=1e-10)
        gamma = lambda0 * scale * np.outer(v, v) / v.sum() * (1 + labels @ labels.T)
        compare(graph, gamma, scale * v)
    if not balance:
        clustered = pairs(len(v), lambda i, j: float(of_vertex[i] == of_vertex[j]) * v[i] * v[j])
        clustered /= np.bincount(of_vertex, v)[of_vertex][:, None]
        compare(graphs.Clustered().build(names, a if weighted else None), clustered, v)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rule", ["degrees", "uniform"])
@pytest.mark.parametrize("n, k, heat", [(2, 1, None), (6, 1, None), (9, 3, 0.7), (9, 8, 2.0)])
def test_neighbours_are_connected_if_one_is_near_the_other(n, k, heat, rule, weighted):
    X = RNG.normal(size=(n, 2))
    s = RNG.uniform(0.3, 3, n) if weighted else np.ones(n)
    square = pairs(n, lambda i, j: ((X[i] - X[j]) ** 2).sum())
    near = [set(sorted((j for j in range(n) if j != i), key=lambda j: square[i, j])[:k]) for i in range(n)]
    gamma = pairs(n, lambda i, j: float(j in near[i] or i in near[j]))
    gamma *= 1 if heat is None else np.exp(-square / heat)
    gamma, v = weighed(gamma, s)
    v = gamma.sum(axis=1) if rule == "degrees" else v
    graph = graphs.NearestNeighbors(k, heat=heat, vertex_weights=rule).build(X=X, sample_weight=s if weighted else None)
    compare(graph, gamma, v)


@pytest.mark.parametrize("weighted", [False, True])
def test_sums_are_shares_of_normalized_graphs(weighted):
    n = 9
    y, s = samples_with(n, False, weighted)
    r = ranks(y)
    chain, v = weighed(pairs(n, lambda i, j: abs(i - j) == 2), s)
    order, _ = weighed(pairs(n, lambda i, j: abs(r[i] - r[j]) == 1 or (i == j and r[i] in (0, n - 1))), s)
    label = (y - np.average(y, weights=s)) / np.sqrt(np.cov(y, aweights=s, ddof=0))
    exact = np.outer(s, s) / s.sum() * (1 + np.outer(label, label))
    parts = [(0.2, chain), (0.5, order), (1.3, exact)]
    gamma = sum(share / 2 * part / part.sum() for share, part in parts)
    total = 0.2 * graphs.Chain(2) + 0.5 * graphs.Reordering() + 1.3 * graphs.Ell()
    compare(total.build(y, s if weighted else None), gamma, v / v.sum())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rule", ["uniform", "degrees", "given"])
@pytest.mark.parametrize("n", [2, 5, 8])
def test_edges_are_the_mean_of_both_directions_with_the_vertex_weights_given(n, rule, weighted):
    given = RNG.uniform(0.1, 1, (n, n))
    s = RNG.uniform(0.3, 3, n) if weighted else np.ones(n)
    own = RNG.uniform(0.5, 2, n)
    gamma, v = weighed((given + given.T) / 2, s)
    v = {"uniform": v, "degrees": gamma.sum(axis=1), "given": own * s}[rule]
    graph = graphs.Edges(given, vertex_weights=own if rule == "given" else rule).build(sample_weight=s if weighted else None)
    compare(graph, gamma, v)
    networkx = pytest.importorskip("networkx")
    there = graph.to_networkx()
    np.testing.assert_allclose(networkx.to_numpy_array(there), gamma, rtol=1e-12)
    np.testing.assert_allclose([there.nodes[k]["vertex_weight"] for k in range(n)], v, rtol=1e-12)
    compare(graphs.from_networkx(there).build(), gamma, v)
