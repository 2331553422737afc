"""What is left open is chosen by left-out samples, and what one would take without choosing is always among the candidates."""

from __future__ import annotations

import gsfa
import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge


def test_the_linear_candidate_for_numbers_is_ridge_regression():
    X, y = load_diabetes(return_X_y=True)
    for ridge in (1e-3, 0.1, 3.0):
        model = gsfa.ELLRegressor(network="linear", ridge=ridge).fit(X, y)
        other = Ridge(alpha=len(X) * ridge * X.var(axis=0).mean()).fit(X, y)
        ours, theirs = model.features(X)[:, 0], other.predict(X)
        theirs = (theirs - theirs.mean()) / theirs.std()
        np.testing.assert_allclose(ours * np.sign(ours @ theirs), theirs, atol=1e-8)


def test_the_linear_candidate_for_classes_is_shrunk_discriminant_analysis():
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    for shrinkage in (0.01, 0.3, 0.8):
        within = sum(np.cov(X[y == c].T, bias=True) * np.mean(y == c) for c in np.unique(y))
        ridge = shrinkage / (1 - shrinkage) * np.trace(within) / np.trace(np.cov(X.T, bias=True))
        model = gsfa.CompactClassifier(network="linear", ridge=ridge).fit(X, y)
        # Its eigenproblem shrinks the total covariance, too, and with it what lies between classes; its least squares do not.
        other = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=shrinkage).fit(X, y)
        ours, theirs = model.features(X), X @ (other.coef_ - other.coef_.mean(axis=0))[:2].T
        ours, theirs = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
        # The same directions: each set is a linear function of the other.
        for a, b in ((ours, theirs), (theirs, ours)):
            rest = b - a @ np.linalg.lstsq(a, b, rcond=None)[0]
            assert np.abs(rest).max() < 1e-8 * np.abs(b).max()


def test_selection_says_what_was_tried_and_what_was_taken():
    X, y = load_digits(return_X_y=True)
    model = gsfa.CompactClassifier(image_shape=(8, 8)).fit(X[:500], y[:500])
    selection = model.selection_
    assert [tried["name"] for tried in selection["tried"]][0] == "linear"
    taken = selection["tried"][selection["taken"]]
    assert selection["why"].startswith(taken["name"])
    assert all(tried["loss"] is None or tried["error"] > 0 for tried in selection["tried"])
    assert model.score(X[500:], y[500:]) > 0.9
    quick = gsfa.CompactClassifier(image_shape=(8, 8), effort="quick").fit(X[:500], y[:500])
    assert sum(tried["loss"] is not None for tried in quick.selection_["tried"]) == 2
    with pytest.raises(gsfa.errors.ParameterError, match="effort"):
        gsfa.CompactClassifier(effort="much").fit(X[:500], y[:500])


def test_a_network_that_was_chosen_can_be_taken_again():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 6, 6))
    z = X[:, :3].mean(axis=(1, 2)) * 4
    y = z + z * X[:, 3:, :3].mean(axis=(1, 2)) * 6
    gate = gsfa.networks.Gate(20, features=1, patch=(3, 3), squares=0.1)
    network = gsfa.networks.Network(
        [gsfa.networks.Layer(1, ridge=1e-2), gsfa.networks.Layer(1, skip=1.0, gate=gate, ridge=1e-2)]
    )
    model = gsfa.ELLRegressor(network=network).fit(X, y)
    assert model.network_ == network
    again = gsfa.ELLRegressor(network=model.network_).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))
    # What the networks fit, before left-out samples draw estimates towards the mean.
    gated, linear = (gsfa.ELLRegressor(network=kind, calibrate=False).fit(X, y) for kind in (network, "linear"))
    assert np.std(gated.predict(X) - y) < 0.7 * np.std(linear.predict(X) - y)
    with pytest.raises(gsfa.errors.ParameterError, match="skip"):
        gsfa.networks.Layer(1, gate=gate)


def test_neither_the_order_of_samples_nor_threads_change_what_is_tried_or_taken():
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:150], y[:150]
    order = np.random.default_rng(0).permutation(150)
    one = gsfa.ELLRegressor(n_jobs=1).fit(X, y).selection_
    assert gsfa.ELLRegressor(n_jobs=2).fit(X, y).selection_ == one
    moved = gsfa.ELLRegressor().fit(X[order], y[order]).selection_
    assert moved["taken"] == one["taken"]
    for a, b in zip(one["tried"], moved["tried"]):
        assert (a["name"], a["ridge"]) == (b["name"], b["ridge"])
        assert abs(a["loss"] - b["loss"]) < 1e-8


def test_labels_that_are_left_out_by_others_change_nothing():
    # Nested honesty: what is chosen within a fold of somebody else's cross-validation never saw its test labels.
    X, y = load_diabetes(return_X_y=True)
    train, test = np.arange(200), np.arange(200, 300)
    permuted = y.copy()
    permuted[test] = permuted[test][::-1]
    one, other = (gsfa.ELLRegressor().fit(X[train], labels[train]) for labels in (y, permuted))
    assert one.selection_ == other.selection_
    np.testing.assert_array_equal(one.predict(X[test]), other.predict(X[test]))
