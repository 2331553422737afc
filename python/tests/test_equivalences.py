"""What the method is equal to, against the programs that do only that."""

import numpy as np
import pytest
from conftest import same_subspace
from sklearn.cross_decomposition import CCA
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, Ridge

import gsfa
from gsfa.graphs import Chain, Clustered, Compact, Ell, Mixed, Reordering, Serial


@pytest.mark.parametrize("graph", [None, Clustered(), Compact(eigenvalues="equal")])
def test_classes_span_the_lda_subspace_for_unequal_sizes(blobs, graph):
    X, y = blobs
    ours = gsfa.GSFA(graph=graph).fit(X, y)
    lda = LinearDiscriminantAnalysis(solver="eigen").fit(X, y)
    assert same_subspace(ours.transform(X), lda.transform(X)) > 1 - 1e-10
    # One by one, too: Δ orders features as LDA orders its directions.
    for j in range(3):
        assert abs(np.corrcoef(ours.transform(X)[:, j], lda.transform(X)[:, j])[0, 1]) > 1 - 1e-8


def test_equal_eigenvalues_are_canonical_correlations(numbers):
    X, y = numbers
    ours = gsfa.GSFA(graph=Ell(eigenvalues="equal")).fit(X, y)
    theirs, partners = CCA(n_components=2, max_iter=5000, tol=1e-14).fit(X, y).transform(X, y)
    features = ours.transform(X)
    for j in range(2):
        assert abs(np.corrcoef(features[:, j], theirs[:, j])[0, 1]) > 1 - 1e-8
    canonical = [np.corrcoef(theirs[:, j], partners[:, j])[0, 1] for j in range(2)]
    np.testing.assert_allclose(ours.delta_values_, 2 - 2 * np.square(canonical), atol=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_one_label_is_least_squares(numbers, weighted):
    X, y = numbers[0], numbers[1][:, 0]
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else None
    ours = gsfa.GSFA().fit(X, y, sample_weight=weights)
    prediction = LinearRegression().fit(X, y, sample_weight=weights).predict(X)
    mean = np.average(prediction, weights=weights)
    deviation = np.sqrt(np.average((prediction - mean) ** 2, weights=weights))
    np.testing.assert_allclose(ours.transform(X)[:, 0], (prediction - mean) / deviation, atol=1e-9)


def test_ridge_is_ridge_regression(numbers):
    X, y = numbers[0], numbers[1][:, 0]
    ours = gsfa.GSFA(ridge=0.1).fit(X, y).transform(X)[:, 0]
    alpha = 0.1 * X.var(axis=0).mean() * len(X)
    theirs = Ridge(alpha=alpha).fit(X, y).predict(X)
    assert np.corrcoef(ours, theirs)[0, 1] > 1 - 1e-12


def test_components_before_the_expansion_are_those_of_pca(digits):
    X, y = digits
    model = gsfa.GSFA(3, pca=5).fit(X, y)
    node = model._model.node(0, 0)
    theirs = PCA(5).fit(X)
    cosines = np.abs(np.sum(node["pca_weights"] * theirs.components_.T, axis=0))
    np.testing.assert_allclose(cosines, 1, atol=1e-9)
    np.testing.assert_allclose(
        node["pca_variances"], theirs.explained_variance_ * (len(X) - 1) / len(X), rtol=1e-9
    )


def test_surplus_outputs_are_principal_components_of_the_rest(numbers):
    X, y = numbers[0], numbers[1][:, 0]
    features = gsfa.GSFA(3).fit(X, y).transform(X)
    Z = X - X.mean(axis=0)
    rest = Z - np.outer(features[:, 0], features[:, 0] @ Z / len(X))
    first = PCA(1).fit_transform(rest)[:, 0]
    assert abs(np.corrcoef(features[:, 1], first)[0, 1]) > 1 - 1e-8


def series(samples, inputs, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(samples)
    sources = np.column_stack([np.sin(2 * np.pi * t / period) for period in (400, 170, 61)])
    noise = rng.normal(size=(samples, inputs - 3))
    return np.hstack([sources, noise]) @ rng.normal(size=(inputs, inputs)) + 5


def test_time_series_give_the_features_of_sklearn_sfa():
    sksfa = pytest.importorskip("sksfa")
    X = series(2000, 8)
    ours = gsfa.SFA(3).fit(X)
    theirs = sksfa.SFA(n_components=3).fit(X)
    for j in range(3):
        assert abs(np.corrcoef(ours.transform(X)[:, j], theirs.transform(X)[:, j])[0, 1]) > 1 - 1e-6
    # By the definition: the mean square of the step.
    steps = np.diff(ours.transform(X), axis=0)
    np.testing.assert_allclose(ours.delta_values_, (steps**2).mean(axis=0), rtol=1e-9)


def test_sequences_are_not_connected():
    parts = [series(500, 5, seed=1), series(700, 5, seed=1) + 3]
    joined, lengths = np.concatenate(parts), [500, 700]
    listed = gsfa.SFA(2).fit(parts)
    named = gsfa.SFA(2).fit(joined, sequences=np.repeat(["a", "b"], lengths))
    assert np.array_equal(listed.transform(joined), named.transform(joined))
    steps = np.concatenate([np.diff(listed.transform(part), axis=0) for part in parts])
    np.testing.assert_allclose(listed.delta_values_, (steps**2).mean(axis=0), rtol=1e-9)
    lagged = gsfa.SFA(1, lag=7).fit(parts[0])
    slow = lagged.transform(parts[0])[:, 0]
    np.testing.assert_allclose(lagged.delta_values_[0], ((slow[7:] - slow[:-7]) ** 2).mean(), rtol=1e-9)


REPEATABLE = [Ell(targets=3), Serial(groups=10), Mixed(groups=10), Compact(), Clustered()]


@pytest.mark.parametrize("graph", REPEATABLE, ids=lambda graph: type(graph).__name__)
def test_weight_two_is_the_row_twice(graph):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 5))
    y = np.round(2 * X[:, 0] + X[:, 1])
    weights = rng.integers(1, 4, size=120)
    once = gsfa.GSFA(2, graph=graph, surplus="truncate").fit(X, y, sample_weight=weights)
    twice = gsfa.GSFA(2, graph=graph, surplus="truncate").fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_allclose(once.transform(X), twice.transform(X), atol=1e-8)
    np.testing.assert_allclose(once.delta_values_, twice.delta_values_, atol=1e-10)


@pytest.mark.parametrize("graph", [Reordering(), Chain()], ids=lambda graph: type(graph).__name__)
def test_graphs_of_neighbours_multiply_weights(graph):
    rng = np.random.default_rng(1)
    y = rng.permutation(6.0 * np.arange(6))
    weights = rng.uniform(0.5, 2, 6)
    plain, weighted = graph.build(y), graph.build(y, weights)
    everyone = list(range(6))
    np.testing.assert_allclose(
        weighted.edge_weights(everyone), plain.edge_weights(everyone) * np.outer(weights, weights), rtol=1e-12
    )


def test_rank_graphs_see_the_order_of_the_label_only(numbers):
    X, y = numbers[0], numbers[1][:, 0]
    plain = gsfa.GSFA(2, graph=Serial(groups=20)).fit(X, y)
    bent = gsfa.GSFA(2, graph=Serial(groups=20)).fit(X, np.exp(y))
    assert np.array_equal(plain.transform(X), bent.transform(X))


def test_features_do_not_change_under_affine_maps_of_the_inputs(blobs):
    X, y = blobs
    A = np.random.default_rng(0).normal(size=(7, 7))
    plain, mapped = gsfa.GSFA().fit(X, y), gsfa.GSFA().fit(X @ A + 10, y)
    np.testing.assert_allclose(plain.transform(X), mapped.transform(X @ A + 10), atol=1e-8)
