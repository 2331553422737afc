"""Samples, labels and graphs at the edge, over every estimator (numbers as in docs/faults.md)."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

import gsfa
from gsfa.expansions import Polynomial
from gsfa.graphs import Clustered, Compact, Edges, Ell, Serial
from gsfa.networks import Layer, Network

RNG = np.random.default_rng(7)
X = RNG.normal(size=(60, 4))
Y = X[:, 0] + 0.2 * RNG.normal(size=60)
C = np.repeat(["a", "b", "c"], 20)

ESTIMATORS = [gsfa.GSFA, gsfa.HGSFA, gsfa.ELLRegressor, gsfa.CompactClassifier]
READOUTS = [gsfa.SoftGC, gsfa.LinearScaling, gsfa.GaussianClassifier]


def labels(estimator):
    return C if estimator in (gsfa.CompactClassifier, gsfa.GaussianClassifier) else Y


def output(fitted, samples):
    return fitted.transform(samples) if hasattr(fitted, "transform") else fitted.predict(samples)


def refused(call, match, kind=ValueError):
    with pytest.raises(kind, match=match) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("estimator", ESTIMATORS + READOUTS)
@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_f1_f25_f41_hold_for_every_estimator(estimator):
    y = labels(estimator)
    bad = X.copy()
    bad[17, 2] = np.nan
    refused(lambda: estimator().fit(bad, y), "NaN")
    fitted = estimator().fit(X, y)
    refused(lambda: output(fitted, bad), "NaN")
    refused(lambda: estimator().fit(X, y[:-1]), "59")
    refused(lambda: output(fitted, X[:, :3]), "3 features")
    refused(lambda: output(estimator(), X), "not fitted", NotFittedError)


@pytest.mark.parametrize("estimator", ESTIMATORS + READOUTS)
@pytest.mark.parametrize("count", [0, 1])
def test_f10_samples_that_are_too_few_are_counted(estimator, count):
    refused(lambda: estimator().fit(X[:count], labels(estimator)[:count]), f"{count} sample")


@pytest.mark.parametrize("graph", [Ell(), Serial(groups=5), Clustered(), Compact()])
def test_f11_f12_f13_weights_of_a_graph_must_be_positive_and_finite(graph):
    y = C if isinstance(graph, (Clustered, Compact)) else Y
    for value, match in [(0.0, "must be positive; 1 value is not at position 3"), (-1.0, "position 3")]:
        weights = np.where(np.arange(60) == 3, value, 1.0)
        error = refused(lambda: graph.build(y, weights), match)
        assert error.code == "not_positive" and error.details == {"rows": [3], "count": 1}
    for value in (np.nan, np.inf):
        weights = np.where(np.arange(60) % 9 == 3, value, 1.0)
        error = refused(lambda: graph.build(y, weights), "7 non-finite values at positions 3, 12, 21, 30, 39 and 2 more")
        assert error.details == {"rows": [3, 12, 21, 30, 39], "count": 7}
        assert "label" not in error.hint
    assert refused(lambda: graph.build(y, np.zeros(60)), "all 60 sample weights are zero").code == "all_weights_zero"


def test_f5_a_part_whose_rest_has_a_constant_label_is_left_out_of_judging_with_a_warning():
    y = np.where(np.arange(60) == 7, 1.5, 0.5)
    with pytest.warns(gsfa.GsfaWarning, match="1 of .* parts of the samples could not be left out.*label 'y' is constant"):
        model = gsfa.ELLRegressor(network="linear").fit(X, y)
    assert any("could not be left out" in note for note in model.notes_)
    with warnings.catch_warnings():
        warnings.simplefilter("error", gsfa.GsfaWarning)
        gsfa.ELLRegressor(network="linear").fit(X, Y)


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_f7_f8_columns_without_information_change_no_prediction():
    more = np.hstack([X, np.full((60, 1), 7.5), X[:, :1] + X[:, 1:2]])
    for estimator in (gsfa.HGSFA(network=Network([Layer(1)])), gsfa.ELLRegressor(network="linear", ridge=0.0, calibrate=False)):
        plain, wide = (output(estimator.fit(Z, Y), Z) for Z in (X, more))
        np.testing.assert_allclose(wide, plain, atol=1e-8)


def test_f9_too_few_samples_are_a_warning_with_a_cure():
    wide = RNG.normal(size=(20, 50))
    with pytest.warns(gsfa.GsfaWarning, match="20 samples for 19 directions.*more ridge, principal components or fewer inputs"):
        gsfa.HGSFA(network=Network([Layer(1)])).fit(wide, Y[:20])


def test_f17_a_class_that_was_not_learned_changes_no_prediction_and_counts_as_wrong():
    model = gsfa.CompactClassifier(network="linear", ridge=0.1).fit(X, C)
    unseen = np.where(C == "a", "z", C)
    right = model.predict(X) == C
    assert set(model.predict(X)) <= set("abc")
    assert model.score(X, unseen) == np.mean(right & (C != "a"))


def test_f20_f22_edges_add_up_and_must_have_a_positive_sum():
    path = scipy.sparse.diags_array([np.ones(59), np.ones(59)], offsets=[1, -1]).tocoo()
    twice = scipy.sparse.coo_array(
        (np.tile(path.data, 2) / 2, (np.tile(path.row, 2), np.tile(path.col, 2))), shape=path.shape
    )
    once, repeated = (Edges(matrix).build(X=X) for matrix in (path, twice))
    assert once.r == repeated.r and np.array_equal(once.edge_weights([0, 1, 5]), repeated.edge_weights([0, 1, 5]))
    refused(lambda: Edges(-1.0 * path).build(X=X), "sum of edge weights is -118; it must be positive")
    refused(lambda: Edges(np.nan * path).build(X=X), "NaN")


def test_f26_types_that_are_no_numbers_name_what_they_are():
    frame = pd.DataFrame({"x": X[:, 0], "name": ["z"] * 60})
    refused(lambda: gsfa.GSFA().fit(frame, Y), "column 'name' holds words and not numbers: 'z'")
    dates = frame.assign(name=pd.date_range("2024", periods=60))
    refused(lambda: gsfa.GSFA().fit(dates, Y), "column 'name' is of type datetime64", TypeError)
    refused(lambda: gsfa.GSFA().fit(X, Y * 1j), "Complex data not supported")
    numbers = gsfa.GSFA().fit(X, Y).transform(X)
    np.testing.assert_array_equal(gsfa.GSFA().fit(X.astype(object), Y).transform(X), numbers)


@pytest.mark.parametrize("estimator", [gsfa.HGSFA, gsfa.ELLRegressor])
def test_f28_images_have_at_most_four_axes(estimator):
    refused(lambda: estimator().fit(X[:, 0], Y), "Reshape your data")
    refused(lambda: estimator().fit(X.reshape(60, 2, 2, 1, 1), Y), "dim 5")


@pytest.mark.filterwarnings("ignore:.*converge")
def test_f32_fewer_outputs_of_inner_nodes_than_target_labels_are_a_warning():
    narrow, wide = (Network([Layer(count, ridge=1e-3), Layer(1, ridge=1e-3)]) for count in (2, 3))
    for make in (
        lambda network: gsfa.HGSFA(network=network, graph=Ell(targets=3)),
        lambda network: gsfa.ELLRegressor(3, network=network, calibrate=False),
    ):
        with pytest.warns(gsfa.GsfaWarning, match="3 target labels, but nodes of layer 1 pass on only 2 features"):
            make(narrow).fit(X, Y)
        assert not any("pass on only" in note for note in make(wide).fit(X, Y).notes_)


def test_f35_a_negative_eigenvalue_must_be_allowed_and_an_infinite_one_cannot():
    for value in (np.nan, np.inf):
        refused(lambda: Ell(targets=2, eigenvalues=[1.0, value]).build(Y), "NaN or infinite|range \\(-inf, inf\\)")
    refused(lambda: Ell(targets=2, eigenvalues=[1.0, -0.1]).build(Y), "eigenvalue 2 is negative")
    assert Ell(targets=2, eigenvalues=[1.0, -0.1], allow_negative=True).build(Y).r > 0


def test_f52_what_no_machine_has_room_for_is_refused_before_work_starts():
    wide = RNG.normal(size=(60, 3000))
    for make in (lambda: gsfa.GSFA(expansion=Polynomial(2)), lambda: gsfa.HGSFA(network=Network([Layer(1, expansion=Polynomial(2))]))):
        error = refused(lambda: make().fit(wide, Y), "expanding 3000 inputs to degree 2 gives more than 1000000 terms")
        assert error.code == "expansion_too_large" and "PCA" in error.hint
    for targets in (0, -1):
        refused(lambda: gsfa.ELLRegressor(targets).fit(X, Y), "targets|integer")


@pytest.mark.parametrize("kind", ["datetime64[s]", "timedelta64[ms]", [("a", "f8")]], ids=str)
def test_f26_dates_durations_and_records_are_no_samples(kind):
    import pandas as pd

    other = np.zeros((60, 3), dtype=kind)
    for model in (gsfa.GSFA(), gsfa.HGSFA(), gsfa.ELLRegressor(network="linear", calibrate=False)):
        with pytest.raises(TypeError, match="is no number") as caught:
            model.fit(other, Y)
        assert isinstance(caught.value, gsfa.SampleTypeError) and caught.value.hint
        model.fit(X, Y)
        with pytest.raises(gsfa.SampleTypeError):
            model.transform(other) if hasattr(model, "transform") else model.predict(other)
    frame = pd.DataFrame({"a": X[:, 0], "when": pd.date_range("2026-01-01", periods=60)})
    with pytest.raises(gsfa.SampleTypeError, match="column 'when'"):
        gsfa.GSFA().fit(frame, Y)
