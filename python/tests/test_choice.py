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


def refits(X, y, groups, **options):
    """What models of the other groups say about each, every step by hand."""
    given = np.empty(len(y))
    for group in np.unique(groups):
        out = groups == group
        given[out] = gsfa.ELLRegressor(calibrate=False, **options).fit(X[~out], y[~out]).predict(X[out])
    return given


def drawn_loss(given, y):
    """Squared error once estimates are drawn towards the mean, in units of the label's variance."""
    z, t = given - y.mean(), y - y.mean()
    slope = np.clip(z @ t / (z @ z), 0, 1)
    return np.mean((t - slope * z) ** 2) / np.var(y)


@pytest.mark.parametrize(
    "network",
    [
        "linear",
        gsfa.networks.Network([gsfa.networks.Layer(1, standardize=True, expansion=gsfa.expansions.Rbf(20, width=2.0), ridge=0.02)]),
        gsfa.networks.Network([gsfa.networks.Layer(1, ridge=0.1), gsfa.networks.Layer(1, skip=0.5, ridge=0.1)]),
    ],
)
def test_left_out_errors_are_those_of_refits_by_hand(network):
    X, y = load_diabetes(return_X_y=True)
    X, y = X[:120], y[:120]
    groups = np.arange(120) % 4
    options = dict(network=network, graph=gsfa.graphs.Ell(targets=1), readout=gsfa.LinearRegression(clip="none"))
    options |= dict(ridge=0.02) if network == "linear" else {}

    def judged(labels):
        tried = gsfa.ELLRegressor(**options).fit(X, labels, groups=groups).selection_["tried"]
        assert len(tried) == 1
        return tried[0]["loss"]

    own = refits(X, y, groups, **options)
    assert judged(y) == pytest.approx(drawn_loss(own, y), abs=1e-10)
    # Labels that change places within a group: what judges the group has not seen them.
    turned = y.copy()
    turned[groups == 1] = y[groups == 1][::-1]
    other = refits(X, turned, groups, **options)
    np.testing.assert_array_equal(own[groups == 1], other[groups == 1])
    assert judged(turned) == pytest.approx(drawn_loss(other, turned), abs=1e-10)
    assert abs(judged(turned) - judged(y)) > 1e-3


@pytest.mark.parametrize("classes", [False, True])
def test_the_order_of_columns_does_not_change_what_is_tried_or_taken(classes):
    X, y = (load_wine if classes else load_diabetes)(return_X_y=True)
    X, y = X[:150], y[:150]
    kind = gsfa.CompactClassifier if classes else gsfa.ELLRegressor
    one, other = (kind().fit(x, y).selection_ for x in (X, X[:, ::-1]))
    assert one["taken"] == other["taken"]
    for a, b in zip(one["tried"], other["tried"]):
        assert (a["name"], a["ridge"]) == (b["name"], b["ridge"])
        assert a["loss"] == pytest.approx(b["loss"], abs=1e-7)


def test_radial_basis_functions_are_taken_where_neither_lines_nor_products_are_enough():
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, size=(400, 2))
    y = np.sin(6 * X[:, 0]) * np.cos(5 * X[:, 1]) + 0.1 * rng.normal(size=400)
    model = gsfa.ELLRegressor().fit(X, y)
    taken = model.selection_["tried"][model.selection_["taken"]]
    assert "radial basis functions of width" in taken["name"]
    assert isinstance(model.network_.layers[0].expansion, gsfa.expansions.Rbf)
    assert taken["loss"] < 0.2
    assert gsfa.SFA(2, expansion="auto").fit(np.cumsum(rng.normal(size=(200, 3)), axis=0)) is not None


def test_where_every_candidate_fails_the_error_has_the_reason_of_each():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 8, 8))
    y = X[:, 1, 1].copy()
    X[:, 0, 0] *= 1e200
    with pytest.raises(ValueError, match="none of 4 candidates can be learned") as failed:
        gsfa.ELLRegressor().fit(X, y)
    for name in ("linear: column 0", "quadratic on 6 principal components: column 0", "gated cascade: column 0"):
        assert name in str(failed.value)


def test_round_off_does_not_choose():
    X = np.random.default_rng(1).normal(size=(60, 3))
    selection = gsfa.ELLRegressor().fit(X, X[:, 0] + X[:, 1]).selection_
    assert selection["tried"][selection["taken"]]["name"] == "linear, standardized"
