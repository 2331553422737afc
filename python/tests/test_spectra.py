"""Spectra: their preparation, what estimators make of it, and files that the command line reads."""

import json
from fractions import Fraction
from math import perm

import numpy as np
import pytest
from scipy.signal import savgol_filter
from sklearn.base import clone

import gsfa
from gsfa.networks import Layer, Network

def spectra(rows=60, columns=40, seed=0):
    """Bands seen through scatter; the label is the height of one of them."""
    rng, t = np.random.default_rng(seed), np.arange(columns) / columns
    height, other, level, scatter = (rng.uniform(*ends, (rows, 1)) for ends in ((0, 1), (0, 1), (-3, 3), (0.7, 1.4)))
    bands = 0.3 * (height * np.exp(-(((t - 0.3) / 0.06) ** 2)) + other * np.exp(-(((t - 0.45) / 0.1) ** 2)))
    X = scatter * (bands + 3 * np.exp(-(((t - 0.8) / 0.2) ** 2))) + level
    return X + rng.uniform(-0.002, 0.002, X.shape), height[:, 0]


def snv(X):
    return (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, keepdims=True)


@pytest.mark.parametrize("columns, window, degree", [(3, 3, 2), (3, 3, 1), (40, 5, 2), (40, 11, 3), (41, 41, 4)])
@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e290])
def test_derivatives_are_those_of_scipy(columns, window, degree, scale):
    X = np.random.default_rng(1).normal(size=(5, columns)) * scale
    # SciPy solves least squares for powers of the places as they are, to the round-off that their condition allows, and how
    # near it comes depends on the processor; test_weights_are_exact holds ours.
    condition = np.linalg.cond(np.vander(np.arange(window) - window // 2, degree + 1))
    allowed = max(1e-12, np.finfo(float).eps * condition)
    for derivative in range(degree + 1):
        for normal, given in ((False, X), (True, snv(X / scale))):
            expected = savgol_filter(given, window, degree, deriv=derivative, mode="interp", axis=1)
            found = gsfa.Spectrum(normal, derivative, window, degree).prepare(X)
            np.testing.assert_allclose(found, expected, rtol=0, atol=allowed * np.abs(expected).max())


def exact_weights(window, degree, derivative):
    """Of each column in the derivative at each place, by normal equations in fractions: one row for each column."""
    half, terms = window // 2, degree + 1
    places = [Fraction(k - half) for k in range(window)]
    rows = [[sum(t ** (i + j) for t in places) for j in range(terms)] + [t**i for t in places] for i in range(terms)]
    for i in range(terms):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in set(range(terms)) - {i}:
            rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i])]
    powers = range(derivative, terms)
    at = [[perm(i, derivative) * s ** (i - derivative) for i in powers] for s in places]
    fitted = [rows[i][terms:] for i in powers]
    return np.array([[float(sum(a * f[t] for a, f in zip(row, fitted))) for row in at] for t in range(window)])


@pytest.mark.parametrize("window, degree", [(3, 0), (3, 2), (7, 6), (21, 6), (41, 4), (101, 6)])
def test_weights_are_exact(window, degree):
    for derivative in range(degree + 1):
        expected = exact_weights(window, degree, derivative)
        found = gsfa.Spectrum(False, derivative, window, degree).prepare(np.eye(window))
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())


def test_snv_is_what_it_says_and_constants_become_zero():
    X, _ = spectra()
    np.testing.assert_allclose(gsfa.Spectrum(snv=True).prepare(X), snv(X), rtol=0, atol=1e-12)
    assert (gsfa.Spectrum(snv=True).prepare(np.full((2, 7), 0.1)) == 0).all()
    kept = X.copy()
    assert (gsfa.Spectrum().prepare(X) == X).all() and (X == kept).all()


def test_what_baseline_and_scatter_ask_for_is_chosen():
    X, y = spectra()
    plain = gsfa.ELLRegressor().fit(X, y)
    model = gsfa.ELLRegressor(spectrum=True).fit(X, y)
    assert model.network_.spectrum.snv
    new, truth = spectra(200, seed=1)
    errors = [np.mean((one.predict(new) - truth) ** 2) for one in (model, plain)]
    assert errors[0] < 0.5 * errors[1], errors
    names = [tried["name"] for tried in model.selection_["tried"]]
    assert "linear on spectra as they are" in names and any(name.startswith("linear on SNV and second") for name in names)
    again = clone(model).set_params(spectrum=model.network_.spectrum, network="linear").fit(X, y)
    assert again.network_.spectrum == model.network_.spectrum


@pytest.mark.parametrize("normal", [False, True])
@pytest.mark.parametrize("derivative", [0, 1, 2])
def test_coefficients_are_those_of_given_spectra(normal, derivative):
    X, y = spectra()
    spectrum = gsfa.Spectrum(snv=normal, derivative=derivative)
    labels = np.column_stack([y, y**2])
    for target in (y, labels):
        model = gsfa.ELLRegressor(spectrum=spectrum, network="linear", readout=gsfa.LinearRegression(clip="none"))
        model.fit(X, target)
        given = gsfa.Spectrum(snv=True).prepare(X) if normal else X
        np.testing.assert_allclose(given @ model.coef_.T + model.intercept_, model.predict(X), rtol=0, atol=1e-8)


def test_a_model_of_spectra_is_loaded_as_it_was_asked_for(tmp_path):
    X, y = spectra()
    for spectrum in (True, gsfa.Spectrum(derivative=1, window=7), None):
        model = gsfa.ELLRegressor(spectrum=spectrum).fit(X, y)
        model.save(tmp_path / "model.gsfa")
        loaded = gsfa.load(tmp_path / "model.gsfa")
        assert loaded.spectrum == spectrum and loaded.network_ == model.network_
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        (tmp_path / "model.gsfa").unlink()


def test_transformers_have_it_in_their_network(tmp_path):
    X, y = spectra()
    spectrum = gsfa.Spectrum(snv=True, derivative=1, window=7, degree=2)
    model = gsfa.HGSFA(network=Network([Layer(1, ridge=0.01)], spectrum)).fit(X, y)
    prepared = gsfa.GSFA(1, ridge=0.01).fit(spectrum.prepare(X), y).transform(spectrum.prepare(X))
    np.testing.assert_allclose(np.abs(model.transform(X)), np.abs(prepared), rtol=0, atol=1e-9)
    model.save(tmp_path / "model.gsfa")
    loaded = gsfa.load(tmp_path / "model.gsfa")
    assert isinstance(loaded, gsfa.HGSFA) and loaded.network.spectrum == spectrum
    np.testing.assert_array_equal(loaded.transform(X), model.transform(X))
    # Missing values get means of spectra, and not of what becomes of them.
    holes = X.copy()
    holes[0, 3] = np.nan
    assert model.impute(holes)[0, 3] == pytest.approx(X[:, 3].mean())


def test_classes_of_spectra():
    X, y = spectra(120)
    model = gsfa.CompactClassifier(spectrum=True).fit(X, y > 0.5)
    new, truth = spectra(200, seed=1)
    assert model.score(new, truth > 0.5) > 0.9


def test_the_command_line_estimates_the_same(tmp_path, command):
    X, y = spectra()
    table = np.column_stack([X, y])
    names = ",".join([*(f"w{k}" for k in range(X.shape[1])), "height"])
    np.savetxt(tmp_path / "train.csv", table, delimiter=",", header=names, comments="", fmt="%.17g")
    model = gsfa.ELLRegressor(spectrum=True).fit(X, y)
    command("train", "--data", "train.csv", "--learn", "height", "--task", "numbers", "--spectrum", "-o", "model.gsfa", cwd=tmp_path)
    loaded = gsfa.load(tmp_path / "model.gsfa")
    assert loaded.network_.spectrum == model.network_.spectrum and loaded.spectrum is True
    np.testing.assert_allclose(loaded.predict(X), model.predict(X), rtol=0, atol=1e-8)
    assert "preparation of spectra: " in command("inspect", tmp_path / "model.gsfa").stdout
    assert json.loads(command("inspect", tmp_path / "model.gsfa", "--json").stdout)["spectrum"]["snv"] is True


@pytest.mark.parametrize(
    "spectrum, told",
    [
        (gsfa.Spectrum(window=4), "window"),
        (gsfa.Spectrum(window=41), "40 columns"),
        (gsfa.Spectrum(derivative=1, window=3, degree=3), "degree"),
        (gsfa.Spectrum(derivative=2, window=5, degree=1), "derivative"),
    ],
)
def test_impossible_preparations_are_refused(spectrum, told):
    X, y = spectra()
    with pytest.raises(gsfa.GsfaError, match=told):
        gsfa.ELLRegressor(spectrum=spectrum).fit(X, y)
    with pytest.raises(gsfa.GsfaError, match=told):
        spectrum.prepare(X)


def test_images_and_two_preparations_are_refused():
    X, y = spectra(columns=36)
    with pytest.raises(gsfa.GsfaError, match="images"):
        gsfa.ELLRegressor(spectrum=True, image_shape=(6, 6)).fit(X, y)
    network = Network([Layer(1)], gsfa.Spectrum(snv=True))
    with pytest.raises(gsfa.ParameterError, match="its own"):
        gsfa.ELLRegressor(network=network, spectrum=True).fit(X, y)
    assert gsfa.ELLRegressor(network=network).fit(X, y).network_.spectrum.snv
    for wrong in ({"snv": 1}, {"derivative": -1}, {"window": 2.5}, {"degree": True}):
        with pytest.raises(gsfa.ParameterError):
            gsfa.Spectrum(**wrong)


def test_coefficients_are_drawn_over_wavelengths():
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = spectra()
    model = gsfa.ELLRegressor(spectrum=True, network="linear", readout=gsfa.LinearRegression(clip="none")).fit(X, y)
    axes = gsfa.plot_coef(model, np.linspace(850, 1050, 40))
    np.testing.assert_array_equal(axes.lines[-1].get_ydata(), model.coef_)
    assert axes.get_xlabel() == "wavelength"
    with pytest.raises(gsfa.ParameterError, match="wavelengths"):
        gsfa.plot_coef(model, np.arange(3))
    plt.close("all")
