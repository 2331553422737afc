"""What is left open is chosen, and what is promised is measured, by samples that took no part in training."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_friedman1
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

import gsfa


def linear(rows, columns, seed, noise=1.0):
    rng = np.random.default_rng(seed)
    b = rng.normal(size=columns) / np.sqrt(columns)
    X = rng.normal(size=(rows + 1000, columns))
    y = X @ b + noise * rng.normal(size=len(X))
    return X[:rows], y[:rows], X[rows:], y[rows:]


def of_chance(model, X, y):
    return np.sqrt(np.mean((model.predict(X) - y) ** 2, axis=0) / np.var(y, axis=0))


def test_linear_scaling_of_labels_whose_features_come_in_another_order():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 6))
    Y = np.column_stack([X[:, 0] + 1.5 * rng.normal(size=2000), X[:, 1] + 0.1 * rng.normal(size=2000)])
    for graph in (None, gsfa.graphs.Ell(eigenvalues={"importance": [0.3, 0.7]})):
        for calibrate in (False, True):
            model = gsfa.ELLRegressor(
                readout=gsfa.LinearScaling(), network="linear", graph=graph, calibrate=calibrate
            ).fit(X[:1000], Y[:1000])
            errors = of_chance(model, X[1000:], Y[1000:])
            assert errors[0] < 0.88 and errors[1] < 0.15, errors


@pytest.mark.parametrize("rows, columns", [(120, 40), (100, 80), (80, 100)])
def test_deviations_cover_new_samples(rows, columns):
    covered = []
    for seed in range(10):
        X, y, new, truth = linear(rows, columns, seed)
        model = gsfa.ELLRegressor().fit(X, y)
        covered.append(np.mean(np.abs(model.predict(new) - truth) < 1.96 * model.predict_std(new)))
    assert abs(np.mean(covered) - 0.95) < 0.03, covered


def test_without_calibration_deviations_are_those_of_training_samples():
    X, y, new, truth = linear(100, 80, 0)
    model = gsfa.ELLRegressor(calibrate=False, ridge=1e-6).fit(X, y)
    assert np.mean(np.abs(model.predict(new) - truth) < 1.96 * model.predict_std(new)) < 0.8


def test_probabilities_are_no_worse_than_those_of_discriminant_analysis_where_its_model_holds():
    rng = np.random.default_rng(1)
    centres = 0.6 * rng.normal(size=(4, 10))
    y = rng.integers(4, size=5000)
    X = centres[y] + rng.normal(size=(5000, 10))
    ours = gsfa.CompactClassifier().fit(X[:1000], y[:1000])
    lda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(X[:1000], y[:1000])
    losses = [log_loss(y[1000:], model.predict_proba(X[1000:])) for model in (ours, lda)]
    assert losses[0] < losses[1] + 0.02, losses


def test_unlabelled_samples_do_no_harm():
    ratios = []
    for seed in range(6):
        X, y = make_friedman1(2125, 10, noise=1.0, random_state=seed)
        some = np.where(np.arange(1125) < 100, y[:1125], np.nan)
        with pytest.warns(gsfa.GsfaWarning, match="1025 samples without labels"):
            keep = gsfa.ELLRegressor(semi_supervised=True).fit(X[:1125], some)
        drop = gsfa.ELLRegressor().fit(X[:100], y[:100])
        ratios.append(of_chance(keep, X[1125:], y[1125:]) / of_chance(drop, X[1125:], y[1125:]))
    assert np.mean(ratios) < 1.02, ratios


def test_principal_components_of_unlabelled_samples_help_where_inputs_have_low_rank():
    ratios = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        Z = rng.normal(size=(2500, 4))
        X = Z @ rng.normal(size=(4, 60)) + 2 * rng.normal(size=(2500, 60))
        y = Z @ rng.normal(size=4) + 0.3 * rng.normal(size=2500)
        some = np.where(np.arange(1500) < 30, y[:1500], np.nan)
        with pytest.warns(gsfa.GsfaWarning, match="without labels"):
            keep = gsfa.ELLRegressor(semi_supervised=True).fit(X[:1500], some)
        drop = gsfa.ELLRegressor().fit(X[:30], y[:30])
        ratios.append(of_chance(keep, X[1500:], y[1500:]) / of_chance(drop, X[1500:], y[1500:]))
    assert np.mean(ratios) < 0.95, ratios


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
@pytest.mark.parametrize("kind", [str, float])
def test_classes_may_be_missing(kind):
    X, y = load_digits(return_X_y=True)
    X, new, y, truth = train_test_split(X, y, random_state=0)
    names = y.astype(kind)
    some = names.astype(object if kind is str else float)
    some[200:] = None if kind is str else np.nan
    keep = gsfa.CompactClassifier(semi_supervised=True).fit(X, some)
    drop = gsfa.CompactClassifier().fit(X[:200], names[:200])
    assert keep.classes_.tolist() == sorted(set(names[:200].tolist()))
    errors = [np.mean(model.predict(new) != truth.astype(kind)) for model in (keep, drop)]
    assert errors[0] < 1.1 * errors[1] + 0.01, errors
    with pytest.raises(ValueError):
        gsfa.CompactClassifier().fit(X, some)
    for graph in (gsfa.graphs.Clustered(semi_supervised=True), gsfa.graphs.Compact(semi_supervised=True, unlabelled=0.5)):
        assert gsfa.CompactClassifier(graph=graph, semi_supervised=True).fit(X, some).score(new, truth.astype(kind)) > 0.8


def test_estimates_are_clipped_where_it_is_asked_for():
    rng = np.random.default_rng(3)
    X, new = rng.normal(size=(30, 4)), rng.normal(size=(400, 4))
    y, truth = X @ [1.0, -2.0, 0.5, 3.0], new @ [1.0, -2.0, 0.5, 3.0]
    assert of_chance(gsfa.ELLRegressor().fit(X, y), new, truth) < 1e-4
    held = gsfa.ELLRegressor(clip="training").fit(X, y).predict(new)
    assert held.max() <= y.max() + 1e-9 and held.min() >= y.min() - 1e-9
    assert np.abs(gsfa.ELLRegressor(clip=(-1, 1)).fit(X, y).predict(new)).max() <= 1
    for wrong in ("all", (1, 1), (2.0, 1.0)):
        with pytest.raises(gsfa.GsfaError, match="clip"):
            gsfa.ELLRegressor(clip=wrong, readout=None).fit(X, y)


def test_files_say_which_read_out_they_have(tmp_path, diabetes, digits):
    for estimator, (X, y) in [
        (gsfa.ELLRegressor(readout=gsfa.SoftGC(1, bins=17, shrinkage=0.5)), diabetes),
        (gsfa.ELLRegressor(readout=gsfa.LinearScaling(clip="none")), diabetes),
        (gsfa.ELLRegressor(readout=gsfa.LinearRegression(clip=(0.0, 400.0))), diabetes),
        (gsfa.CompactClassifier(readout=gsfa.GaussianClassifier(5, shrinkage=2.0)), digits),
        (gsfa.CompactClassifier(readout=gsfa.NearestCentroid(6)), digits),
    ]:
        path = tmp_path / f"{type(estimator.readout).__name__}.gsfa"
        fitted = estimator.fit(X[:400], y[:400])
        fitted.save(path)
        loaded = gsfa.load(path)
        assert repr(loaded.readout) == repr(estimator.readout)
        assert np.array_equal(loaded.predict(X), fitted.predict(X))
        if hasattr(fitted, "predict_std"):
            assert np.array_equal(loaded.predict_std(X), fitted.predict_std(X))
        else:
            assert np.array_equal(loaded.predict_proba(X), fitted.predict_proba(X))


def test_outlier_scores_are_about_the_number_of_features():
    for columns in (1, 5):
        X, y, new, _ = linear(400, 10, 2)
        model = gsfa.ELLRegressor(columns, readout=gsfa.SoftGC(), network="linear").fit(X, y)
        assert 0.7 * columns < np.mean(model.outlier_score(new)) < 1.4 * columns
        assert np.mean(model.outlier_score(30 * new)) > 10 * columns


def test_a_ridge_that_is_left_open_is_chosen_for_linear_and_quadratic_networks():
    X, y, new, truth = linear(100, 80, 4)
    for network in ("linear", "quadratic"):
        # 3,320 products for 100 samples of a linear label: nothing to be had, and nothing lost against the mean.
        chosen = of_chance(gsfa.ELLRegressor(network=network).fit(X, y), new, truth)
        assert chosen < (0.95 if network == "linear" else 1.03), (network, chosen)
    assert chosen < 1.5 < of_chance(gsfa.ELLRegressor(network="linear", ridge=1e-9, calibrate=False).fit(X, y), new, truth)
