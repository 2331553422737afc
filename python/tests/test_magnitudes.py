"""Columns and weights of any magnitude: the same estimates, or an error that names the column."""

import numpy as np
import pytest

import gsfa
from gsfa.expansions import Pca, Polynomial
from gsfa.graphs import Chain, Clustered, Compact, Ell, Reordering, Serial
from gsfa.networks import Layer, Network


def scaled(X, large=1e200, small=1e-200):
    X = np.array(X)
    X[:, 1] *= large
    X[:, 3] *= small
    return X


@pytest.mark.parametrize("network", [None, Network([Layer(1, standardize=True, clip=4.0)])])
def test_columns_of_any_magnitude_give_the_same_estimates(numbers, network):
    X, y = numbers[0], numbers[1][:, 0]
    plain = gsfa.ELLRegressor(network=network).fit(X[:300], y[:300]).predict(X[300:])
    ours = gsfa.ELLRegressor(network=network).fit(scaled(X[:300]), y[:300]).predict(scaled(X[300:]))
    np.testing.assert_allclose(ours, plain, atol=1e-7)
    # In single precision beside the same precision: left-out samples may choose another network than in double.
    plain, ours = (
        gsfa.ELLRegressor(network=network).fit(Z[:300], y[:300]).predict(Z[300:])
        for Z in (X.astype(np.float32), scaled(X, 1e30, 1e-30).astype(np.float32))
    )
    np.testing.assert_allclose(ours, plain, atol=1e-2)


def test_principal_components_of_huge_columns_name_the_column(numbers):
    X, y = numbers[0], numbers[1][:, 0]
    network = Network([Layer(1, pca=Pca(3))])
    with pytest.raises(ValueError, match="column 1 varies by .*e2"):
        gsfa.HGSFA(network=network).fit(scaled(X), y)


@pytest.mark.parametrize(
    "steps, equal",
    [
        ({"standardize": True}, True),
        ({"clip": 3.0}, True),
        ({"standardize": True, "clip": 3.0, "pca": 4, "expansion": Polynomial(2)}, True),
        ({}, True),
        ({"pca": 4}, False),
        ({"expansion": Polynomial(2)}, False),
        ({"ridge": 1e-3}, False),
    ],
    ids=str,
)
def test_every_step_of_a_node_gives_the_same_features_or_names_the_column(numbers, steps, equal):
    X, y = numbers[0], numbers[1][:, 0]
    plain = gsfa.GSFA(1, **steps).fit(X[:300], y[:300]).transform(X[300:])
    for factor in (1e200, 1e-200):
        Z = np.array(X)
        Z[:, 1] *= factor
        if equal:
            ours = gsfa.GSFA(1, **steps).fit(Z[:300], y[:300]).transform(Z[300:])
            np.testing.assert_allclose(ours, plain, atol=1e-7)
        else:
            with pytest.raises(gsfa.GsfaError, match="column 1 varies by") as caught:
                gsfa.GSFA(1, **steps).fit(Z[:300], y[:300])
            assert caught.value.details["columns"] == [1] and "rescale the column" in caught.value.hint


@pytest.mark.parametrize("graph", [Ell(targets=2), Serial(groups=6), Reordering(), Chain(), Clustered(), Compact()])
def test_weights_over_six_hundred_orders_of_magnitude_keep_the_definition(numbers, graph):
    X, y = numbers[0], numbers[1][:, 0]
    labels = np.digitize(y, [-4.0, -2.0, 0.0]).astype(str) if isinstance(graph, (Clustered, Compact)) else y
    for seed in range(5):
        weights = 10.0 ** np.random.default_rng(seed).integers(-300, 301, size=len(y))
        model = gsfa.GSFA(1, graph=graph, surplus="fast").fit(X, labels, sample_weight=weights)
        features = model.transform(X)
        assert np.isfinite(features).all() and np.isfinite(model.delta_values_).all()
        # What the solver says of its features is what the definition says, but for the digits that are lost where the
        # second heaviest sample has 1e-14 of the weight of the first: the covariance is all but singular.
        defined = graph.build(labels, weights, X=X).delta_values(features)
        np.testing.assert_allclose(model.delta_values_, defined, atol=1e-3)


@pytest.mark.parametrize("graph", [Ell(), Serial(groups=6), Reordering(), Chain()])
@pytest.mark.parametrize("factor", [1e-300, 1e-160, 1e160, 1e300])
def test_weights_of_any_magnitude_are_ratios(numbers, graph, factor):
    X, y = numbers[0], numbers[1][:, 0]
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    plain = gsfa.GSFA(1, graph=graph).fit(X, y, sample_weight=weights)
    ours = gsfa.GSFA(1, graph=graph).fit(X, y, sample_weight=weights * factor)
    np.testing.assert_allclose(ours.delta_values_, plain.delta_values_, atol=1e-9)
    np.testing.assert_allclose(ours.transform(X), plain.transform(X), atol=1e-6)


@pytest.mark.parametrize("graph", [Clustered(), Compact()])
def test_weights_of_any_magnitude_are_ratios_for_classes(blobs, graph):
    X, y = blobs
    plain = gsfa.GSFA(2, graph=graph).fit(X, y, sample_weight=np.ones(len(y)))
    for factor in [1e-300, 1e-160, 1e160, 1e300]:
        ours = gsfa.GSFA(2, graph=graph).fit(X, y, sample_weight=np.full(len(y), factor))
        np.testing.assert_allclose(ours.delta_values_, plain.delta_values_, atol=1e-9)


def test_a_sample_that_outweighs_all_others_leaves_the_rank_alone(numbers):
    X, y = numbers[0], numbers[1][:, 0]
    X = np.column_stack([X, X @ np.arange(1.0, 7.0)])
    for weight in [1e3, 1e6, 1e9]:
        weights = np.ones(len(y))
        weights[77] = weight
        assert gsfa.GSFA().fit(X, y, sample_weight=weights).rank_ == 6
