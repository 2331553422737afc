"""Probabilities of samples far from all classes, against Bayes' rule in logarithms."""

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

import gsfa


def clouds(classes, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(classes), 20 + 7 * np.arange(classes)))
    spread = rng.normal(size=(classes, 3, 3))
    X = np.einsum("nij,nj->ni", spread[y], rng.normal(size=(len(y), 3))) + 2 * rng.normal(size=(classes, 3))[y]
    far = np.concatenate([X[:5], 1e3 * rng.normal(size=(6, 3)), 1e6 * rng.normal(size=(2, 3))])
    return X, y, far


def reference(X, y, far, temperature=1.0):
    """Logarithms of prior and density of each class, and of their sum."""
    score = [
        np.log(np.mean(y == c)) + multivariate_normal(X[y == c].mean(axis=0), np.cov(X[y == c].T)).logpdf(far)
        for c in np.unique(y)
    ]
    logs = np.transpose(score)
    logs -= logsumexp(logs, axis=1, keepdims=True)
    return logs / temperature - logsumexp(logs / temperature, axis=1, keepdims=True)


def differ(decision):
    """Whether no two are the same, but for those of classes that have it all."""
    return len(np.unique(decision[decision != 0])) == np.count_nonzero(decision)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_logarithms_of_gaussians_are_exact_a_thousand_deviations_away(classes):
    X, y, far = clouds(classes)
    model = gsfa.GaussianClassifier(shrinkage=0.0).fit(X, y)
    expected = reference(X, y, far)
    assert expected.min() < -1e5
    found = model.predict_log_proba(far)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(np.exp(found), model.predict_proba(far), rtol=1e-9, atol=1e-300)
    decision = model.decision_function(far)
    wanted = expected[:, 1] - expected[:, 0] if classes == 2 else expected
    np.testing.assert_allclose(decision, wanted, rtol=1e-8, atol=1e-9)
    assert differ(decision)


def test_logarithms_of_centroids_are_those_of_distances():
    X, y, far = clouds(4)
    model = gsfa.NearestCentroid().fit(X, y)
    means = np.array([X[y == c].mean(axis=0) for c in range(4)])
    # The square of the sample is the same for all classes.
    scores = far @ means.T - 0.5 * (means**2).sum(axis=1)
    expected = scores - logsumexp(scores, axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_log_proba(far), expected, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 4])
def test_classifiers_do_not_saturate(classes):
    X, y, far = clouds(classes, seed=3)
    model = gsfa.CompactClassifier(network="linear").fit(X, y)
    logs = model.predict_log_proba(far)
    assert np.isfinite(logs).all() and logs.min() < -1e3
    np.testing.assert_allclose(logsumexp(logs, axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(np.exp(logs), model.predict_proba(far), rtol=1e-9, atol=1e-300)
    decision = model.decision_function(far)
    assert np.isfinite(decision).all() and differ(decision)
    order = (decision > 0).astype(int) if classes == 2 else decision.argmax(axis=1)
    np.testing.assert_array_equal(model.classes_[order], model.predict(far))


def test_a_class_without_votes_is_impossible_and_decisions_are_finite():
    X, y, far = clouds(3)
    model = gsfa.NearestNeighborsClassifier(neighbors=3).fit(X, y)
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(far), np.log(model.predict_proba(far)))
    assert np.isneginf(model.predict_log_proba(far)).any() and np.isfinite(model.decision_function(far)).all()
