"""The contract of scikit-learn: its own checks over every estimator, and the tools that rely on it."""

import copy
import pickle

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import RidgeCV
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import gsfa

def groups_of(X):
    """Groups that belong to the samples, wherever they stand; none for what is no matrix of numbers."""
    try:
        values = np.asarray(X, dtype=float)
    except (TypeError, ValueError):
        return None
    return np.floor(2 * values[:, 0]) if values.ndim == 2 and values.size and np.isfinite(values).all() else None


class GroupedRegressor(gsfa.ELLRegressor):
    """Leaves out groups, as users do who know what belongs together."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y, sample_weight, groups=groups_of(X))


class GroupedClassifier(gsfa.CompactClassifier):
    """The same for classes."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y, sample_weight, groups=groups_of(X))


ESTIMATORS = [
    gsfa.GSFA(),
    gsfa.SFA(),
    gsfa.HGSFA(),
    gsfa.ELLRegressor(),
    gsfa.CompactClassifier(),
    gsfa.SoftGC(),
    gsfa.LinearScaling(),
    gsfa.LinearRegression(),
    gsfa.GaussianClassifier(),
    gsfa.NearestCentroid(),
    gsfa.NearestNeighborsClassifier(),
    gsfa.NearestNeighborsRegressor(),
    gsfa.GSFA(n_jobs=2),
    gsfa.SFA(n_jobs=2),
    gsfa.HGSFA(n_jobs=2),
    GroupedRegressor(n_jobs=2),
    GroupedClassifier(n_jobs=2),
    gsfa.ELLRegressor(network="linear", n_jobs=2),
    gsfa.CompactClassifier(class_weight="balanced", n_jobs=2),
]


def checks():
    out = []
    for estimator in ESTIMATORS:
        for given, check in estimator_checks_generator(estimator):
            name = f"{estimator!r}-{check.func.__name__}".replace(" ", "")
            out.append(pytest.param(given, check, id=name))
    return out


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator, check", checks())
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


def fitted(digits, diabetes):
    X, y = digits
    D, t = diabetes
    return [
        (gsfa.GSFA(3, expansion=gsfa.expansions.Expo()).fit(X, y), X),
        (gsfa.SFA(2).fit(X), X),
        (gsfa.HGSFA(4, ridge=1e-3).fit(X, y), X),
        (gsfa.ELLRegressor(3).fit(D, t), D),
        (gsfa.CompactClassifier(4).fit(X[:500], y[:500]), X),
        (gsfa.SoftGC().fit(D, t), D),
        (gsfa.LinearScaling().fit(D, t), D),
        (gsfa.GaussianClassifier().fit(X, y), X),
    ]


def output(estimator, X):
    return estimator.transform(X) if hasattr(estimator, "transform") else estimator.predict(X)


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_pickles_and_copies_give_the_same_bits(digits, diabetes, tmp_path):
    for estimator, X in fitted(digits, diabetes):
        expected = output(estimator, X)
        joblib.dump(estimator, tmp_path / "estimator")
        copies = [
            pickle.loads(pickle.dumps(estimator)),
            copy.deepcopy(estimator),
            joblib.load(tmp_path / "estimator"),
        ]
        for other in copies:
            assert np.array_equal(output(other, X), expected), estimator
            assert repr(other.get_params()) == repr(estimator.get_params())
            # A copy is a value of its own: changing it changes neither parameters nor features of the original.
            name, before = next(iter(estimator.get_params(deep=False).items()))
            other.set_params(**{name: "changed"})
            del other.__dict__["_model" if hasattr(other, "_model") else "_readout"]
            assert estimator.get_params(deep=False)[name] is before
            assert np.array_equal(output(estimator, X), expected), estimator
        assert not hasattr(clone(estimator), "delta_values_")


def test_a_half_done_fit_pickles(blobs):
    X, y = blobs
    half = gsfa.GSFA().prepare(y).partial_fit(X[:100])
    half = pickle.loads(pickle.dumps(half))
    half.partial_fit(X[100:])
    np.testing.assert_allclose(half.transform(X), gsfa.GSFA().fit(X, y).transform(X), atol=1e-10)


def test_grid_search_over_graphs_and_parameters(diabetes):
    X, y = diabetes
    model = make_pipeline(StandardScaler(), gsfa.GSFA(), gsfa.SoftGC())
    grid = {
        "gsfa__graph": [gsfa.graphs.Ell(), gsfa.graphs.Serial(groups=20), 0.5 * gsfa.graphs.Ell() + 0.5 * gsfa.graphs.Serial(30)],
        "softgc__n_features": [1],
    }
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.4
    assert len(search.cv_results_["params"]) == 3


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_grid_search_in_other_processes(blobs):
    X, y = blobs
    grid = {"n_components": [1, 2, 3]}
    here = GridSearchCV(gsfa.CompactClassifier(), grid, cv=3).fit(X, y)
    there = GridSearchCV(gsfa.CompactClassifier(), grid, cv=3, n_jobs=2).fit(X, y)
    scores = here.cv_results_["mean_test_score"]
    np.testing.assert_array_equal(there.cv_results_["mean_test_score"], scores)
    assert there.best_params_ == here.best_params_ == {"n_components": 1 + int(np.argmax(scores))}
    # One binary label cannot name four classes.
    assert there.best_params_["n_components"] > 1
    np.testing.assert_array_equal(there.predict_proba(X), here.predict_proba(X))


def test_defaults_are_no_worse_than_ridge_on_diabetes(diabetes):
    X, y = diabetes
    ours = cross_val_score(gsfa.ELLRegressor(), X, y, cv=5).mean()
    ridge = cross_val_score(make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 3, 25))), X, y, cv=5).mean()
    assert ours >= ridge, (ours, ridge)


def test_defaults_are_no_worse_than_lda_on_digits(digits):
    X, y = digits
    ours = cross_val_score(gsfa.CompactClassifier(), X, y, cv=5).mean()
    lda = cross_val_score(LinearDiscriminantAnalysis(), X, y, cv=5).mean()
    assert ours >= lda, (ours, lda)
