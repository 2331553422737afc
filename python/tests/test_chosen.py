"""What was chosen is visible, and what left-out samples share stays together."""

import warnings

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_diabetes, load_digits, load_iris
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gsfa
from gsfa.expansions import Polynomial
from gsfa.networks import Layer, Network

warnings.filterwarnings("ignore", category=gsfa.GsfaWarning)


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert gsfa.__version__ == version("gsfa")


def test_network_ridge_and_readout_say_what_was_taken():
    X, y = load_diabetes(return_X_y=True)
    model = gsfa.ELLRegressor().fit(X, y)
    assert isinstance(model.network_, Network) and len(model.network_.layers) == 1
    assert model.ridge_ == model.network_.layers[0].ridge >= 0
    assert isinstance(model.readout_, (gsfa.LinearRegression, gsfa.SoftGC))
    assert isinstance(model.graph_, gsfa.graphs.Ell)
    # What was taken gives the same again, as far as it says everything.
    again = gsfa.ELLRegressor(graph=model.graph_, network=model.network_, readout=model.readout_).fit(X, y)
    np.testing.assert_allclose(again.predict(X), model.predict(X), rtol=1e-6)
    both = gsfa.ELLRegressor(ridge=0.25, network="linear").fit(X, np.c_[y, X[:, 0]])
    assert both.ridge_ == 0.25 and len(both.readout_) == 2
    classes = gsfa.CompactClassifier().fit(*load_iris(return_X_y=True))
    assert isinstance(classes.readout_, (gsfa.GaussianClassifier, gsfa.NearestCentroid))
    assert isinstance(classes.graph_, gsfa.graphs.Graph) and classes.notes_ is not None
    cascade = gsfa.ELLRegressor(network="cascade").fit(X, y)
    assert cascade.ridge_ == [layer.ridge for layer in cascade.network_.layers] and len(cascade.ridge_) > 1
    hierarchy = gsfa.HGSFA().fit(X, y)
    assert hierarchy.ridge_ == hierarchy.network_.layers[0].ridge
    loaded = gsfa.GSFA().fit(X, y)
    assert loaded.graph_ == gsfa.graphs.Ell()


@pytest.mark.parametrize("options", [{}, {"standardize": True}, {"pca": 3}, {"pca": 3, "standardize": True}])
def test_linear_features_have_coefficients(options):
    X, y = load_diabetes(return_X_y=True)
    for model in (gsfa.GSFA(**options).fit(X, np.c_[y, X[:, 2]]), gsfa.SFA(2, **options).fit(X)):
        np.testing.assert_allclose(X @ model.coef_.T + model.intercept_, model.transform(X), atol=1e-9)
    for bent in (gsfa.GSFA(expansion=Polynomial(2)), gsfa.GSFA(clip=3.0), gsfa.HGSFA(network=Network([Layer(2), Layer(1)]))):
        bent.fit(X, y)
        assert not hasattr(bent, "coef_") and not hasattr(bent, "intercept_")


@pytest.mark.parametrize("calibrate", [False, True])
def test_linear_estimates_have_coefficients(calibrate):
    X, y = load_diabetes(return_X_y=True)
    linear = gsfa.ELLRegressor(network="linear", readout=gsfa.LinearRegression(clip="none"), calibrate=calibrate)
    model = linear.fit(X, y)
    assert model.coef_.shape == (10,) and isinstance(model.intercept_, float)
    np.testing.assert_allclose(X @ model.coef_ + model.intercept_, model.predict(X), rtol=1e-8)
    two = np.c_[y, 3 * X[:, 1] - y]
    model = linear.fit(X, two)
    assert model.coef_.shape == (2, 10)
    np.testing.assert_allclose(X @ model.coef_.T + model.intercept_, model.predict(X), rtol=1e-7, atol=1e-7)
    assert not hasattr(gsfa.ELLRegressor(network="quadratic").fit(X, y), "coef_")
    clipped = gsfa.ELLRegressor(network="linear", readout=gsfa.LinearRegression(clip="training")).fit(X, y)
    assert not hasattr(clipped, "coef_")
    with pytest.raises(sklearn.exceptions.NotFittedError):
        gsfa.ELLRegressor().coef_


def test_classifiers_have_decisions_and_logarithms():
    for X, y in (load_iris(return_X_y=True), load_digits(n_class=2, return_X_y=True)):
        slow = gsfa.GSFA().fit_transform(X, y)
        for model, given in (
            (gsfa.CompactClassifier(), X),
            (gsfa.GaussianClassifier(), slow),
            (gsfa.NearestCentroid(), slow),
        ):
            model.fit(given, y)
            probabilities = model.predict_proba(given)
            np.testing.assert_allclose(np.exp(model.predict_log_proba(given)), probabilities, rtol=1e-12, atol=1e-300)
            decision = model.decision_function(given)
            assert np.all(np.isfinite(decision))
            if len(model.classes_) == 2:
                assert decision.shape == (len(X),)
                np.testing.assert_array_equal(model.classes_[(decision > 0).astype(int)], model.predict(given))
            else:
                np.testing.assert_array_equal(model.classes_[decision.argmax(axis=1)], model.predict(given))


def test_class_weights_multiply_sample_weights():
    X, y = load_iris(return_X_y=True)
    few = np.r_[0:50, 50:60, 100:150]
    X, y = X[few], y[few]
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    factors = {0: 1.0, 1: 5.0, 2: 0.5}
    given = np.array([factors[c] for c in y])
    for ours, theirs in (
        (gsfa.CompactClassifier(class_weight=factors).fit(X, y), given),
        (gsfa.CompactClassifier(class_weight=factors).fit(X, y, weights), given * weights),
        (gsfa.CompactClassifier(class_weight="balanced").fit(X, y), len(y) / 3 / np.bincount(y)[y]),
        (
            gsfa.CompactClassifier(class_weight="balanced").fit(X, y, weights),
            weights * weights.sum() / 3 / np.bincount(y, weights)[y],
        ),
    ):
        expected = gsfa.CompactClassifier().fit(X, y, theirs)
        # The temperature is found by a search, which follows the last digits of the weights.
        np.testing.assert_allclose(ours.predict_proba(X), expected.predict_proba(X), rtol=1e-5, atol=1e-8)
    text = np.array(["a", "b", "c"], dtype=object)[y]
    text[3] = None
    half = gsfa.CompactClassifier(class_weight={"b": 2.0}, semi_supervised=True).fit(X, text)
    assert half.predict(X).shape == (110,)
    for bad in ("heavy", 3, [1, 2]):
        with pytest.raises(gsfa.ParameterError):
            gsfa.CompactClassifier(class_weight=bad).fit(X, y)
    with pytest.raises(ValueError):
        gsfa.CompactClassifier(class_weight={0: -1.0}).fit(X, y)


def repeated(seed=0):
    """Each person four times, with a label that only the person tells."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(40), 4)
    X = rng.normal(size=(40, 30))[person] + 0.05 * rng.normal(size=(160, 30))
    return X, rng.normal(size=40)[person], person


def test_groups_are_left_out_together():
    X, y, person = repeated()
    alone, together = gsfa.ELLRegressor().fit(X, y), gsfa.ELLRegressor().fit(X, y, groups=person)
    # The label cannot be learned; only those who leave out whole persons find out.
    assert together.predict_std(X).mean() > 2 * alone.predict_std(X).mean()
    assert together.predict_std(X).mean() == pytest.approx(y.std(), rel=0.3)
    # Names, their order and samples of weight zero do not matter.
    names = np.array([f"p{n}" for n in person])
    np.testing.assert_array_equal(gsfa.ELLRegressor().fit(X, y, groups=names).predict(X), together.predict(X))
    weights = np.ones(200)
    weights[160:] = 0
    longer = (np.r_[X, X[:40]], np.r_[y, y[:40]], weights)
    np.testing.assert_array_equal(gsfa.ELLRegressor().fit(*longer, groups=np.r_[person, person[:40]]).predict(X), together.predict(X))
    alike = gsfa.ELLRegressor().fit(X, y, sample_weight=2.0, groups=person)
    np.testing.assert_allclose(alike.predict(X), together.predict(X), rtol=1e-9)
    classes = gsfa.CompactClassifier().fit(X, y > 0, groups=person)
    assert classes.predict_proba(X).shape == (160, 2)


@pytest.mark.parametrize(
    "groups, message", [(np.arange(159), "inconsistent numbers"), (np.full(160, np.nan), "no group"), (np.zeros((160, 2)), "1d")]
)
def test_groups_that_make_no_sense_are_refused(groups, message):
    X, y, _ = repeated()
    with pytest.raises(ValueError, match=message):
        gsfa.ELLRegressor().fit(X, y, groups=groups)


def test_metadata_is_routed():
    X, y, person = repeated()
    with sklearn.config_context(enable_metadata_routing=True):
        model = gsfa.ELLRegressor(network="linear").set_fit_request(groups=True, sample_weight=True)
        model.set_score_request(sample_weight=True)
        found = cross_validate(
            make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model),
            X,
            y,
            cv=GroupKFold(3),
            params={"groups": person, "sample_weight": np.ones(160)},
            return_estimator=True,
            error_score="raise",
        )
        assert len(found["estimator"]) == 3
        deviation = found["estimator"][0][-1].predict_std(X).mean()
        assert deviation == pytest.approx(y.std(), rel=0.4)
        refused = gsfa.ELLRegressor()
        with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError):
            cross_validate(refused, X, y, cv=3, params={"sample_weight": np.ones(160)}, error_score="raise")


def test_no_estimator_lacks_what_it_inherits():
    for name in gsfa.__all__:
        kind = getattr(gsfa, name)
        if isinstance(kind, type) and issubclass(kind, sklearn.base.BaseEstimator):
            for attribute in dir(kind):
                if not attribute.startswith("_") and callable(getattr(kind, attribute, None)):
                    assert callable(getattr(kind(), attribute)), (name, attribute)
    assert not hasattr(gsfa.SFA(), "partial_fit")


def test_a_warning_names_the_line_of_the_caller():
    X, y, _ = repeated()
    weights = np.ones(160)
    weights[0] = 0
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gsfa.ELLRegressor(network="linear").fit(X, y, weights)
        gsfa.GSFA().fit(X, y, weights)
    assert [warning.filename for warning in told if "weight zero" in str(warning.message)] == [__file__, __file__]


def test_groups_and_threads_change_nothing_that_they_should_not():
    X, y, person = repeated()
    from concurrent.futures import ThreadPoolExecutor

    def predicted(jobs):
        return gsfa.ELLRegressor(n_jobs=jobs).fit(X, y, groups=person).predict(X)

    with ThreadPoolExecutor(3) as pool:
        for found in pool.map(predicted, [1, 2, 4, None, -1, 3]):
            np.testing.assert_array_equal(found, predicted(1))
