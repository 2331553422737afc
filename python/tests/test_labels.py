"""What labels are taken as, and what is said where features are too few for them."""

import warnings

import numpy as np
import pandas as pd
import pytest

import gsfa
from gsfa import _core
from gsfa.graphs import Clustered, Compact, Ell, Mixed, Serial


def samples(y, width=6):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(len(y), width))
    X[:, 0] += np.unique(np.asarray(y).ravel().astype(str), return_inverse=True)[1]
    return X


def graph_of(y, estimator=gsfa.GSFA):
    model = estimator().fit(samples(y), y)
    return model._header()["graph"]["kind"]


AGES = np.random.default_rng(2).integers(1, 100, size=600)
GRADES = np.arange(300) % 5
RARE = np.array([0] * 600 + [1] * 300 + [2] * 80 + [3] * 9)


@pytest.mark.parametrize("estimator", [gsfa.GSFA, gsfa.HGSFA])
@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_whole_numbers_are_classes_only_if_few_and_frequent(estimator):
    assert graph_of(AGES, estimator) == "ell"
    assert graph_of(GRADES, estimator) == "compact"
    assert graph_of(RARE, estimator) == "ell"
    assert graph_of(np.arange(50), estimator) == "ell"
    for kind in (np.int8, np.uint16, np.int64):
        assert graph_of(GRADES.astype(kind), estimator) == "compact"


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_types_decide_where_they_can():
    assert graph_of(GRADES.astype(float)) == "ell"
    assert graph_of(np.array(["a", "b", "c"] * 20)) == "compact"
    assert graph_of(np.array(["a", "b", "c"] * 20, dtype=object)) == "compact"
    assert graph_of(np.arange(600) % 599 == 0) == "compact"
    assert graph_of(GRADES.astype(object)) == "compact"
    assert graph_of(AGES.astype(object)) == "ell"
    assert graph_of((GRADES + 0.5).astype(object)) == "ell"


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_categoricals_are_classes_with_and_without_a_name():
    pandas = pytest.importorskip("pandas")
    for name in (None, "age"):
        ages = pandas.Series(AGES % 40, name=name)
        assert graph_of(ages) == "ell"
        assert graph_of(ages.astype("category")) == "compact"
    assert graph_of(pandas.DataFrame({"age": pandas.Categorical(AGES % 40)})) == "compact"


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_an_estimator_says_what_its_labels_were_taken_as():
    X = samples(AGES)
    taken = [note for note in gsfa.GSFA().fit(X, AGES).notes_ if "is taken as" in note]
    assert len(taken) == 1 and "taken as numbers: 99 different whole numbers" in taken[0], taken
    in_parts = gsfa.GSFA().prepare(AGES).partial_fit(X[:100]).partial_fit(X[100:])
    assert taken == [note for note in in_parts.notes_ if "is taken as" in note]
    assert "taken as classes: 5 whole numbers" in gsfa.HGSFA().fit(samples(GRADES), GRADES).notes_[0]
    assert not any("is taken as" in note for note in gsfa.GSFA(graph=Ell()).fit(X, AGES).notes_)


def test_test_samples_are_of_the_kind_that_was_learned(blobs):
    X, y = blobs
    model = gsfa.GSFA().fit(X, y)
    few = np.concatenate([np.flatnonzero(y == k)[:3] for k in range(4)])
    expected = Compact(eigenvalues="equal").build(y[few]).delta_values(model.transform(X[few]))
    np.testing.assert_array_equal(model.test_delta_values(X[few], y[few]), expected)


def test_networks_of_number_graphs_do_not_count_whole_numbers_as_classes():
    X = samples(AGES, width=40)
    whole = gsfa.HGSFA(graph=Serial(), ridge=1e-3).fit(X, AGES)
    floats = gsfa.HGSFA(graph=Serial(), ridge=1e-3).fit(X, AGES.astype(float))
    np.testing.assert_array_equal(whole.transform(X), floats.transform(X))
    assert gsfa.HGSFA(graph=Clustered(), ridge=1e-3).fit(X, AGES % 12).transform(X).shape[1] == 11


@pytest.mark.parametrize("graph", [Serial, Mixed])
def test_groups_that_are_left_out_are_those_of_the_library(graph):
    y = np.arange(200.0)
    kind = graph.__name__.lower()
    left_out = _core.Graph(f'{{"kind": "{kind}"}}', 200, [("y", y)], None, None, [])
    assert graph().build(y).r == left_out.r
    assert graph().groups == _core.default_groups()
    assert f"groups : int, default={_core.default_groups()}" in (graph.__doc__ or "")


def code_warnings(estimator, X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(X, y)
    return [str(w.message) for w in caught if "suffice" in str(w.message)]


def test_too_few_features_for_the_classes_are_a_warning(digits):
    X, y = digits[0][:600], digits[1][:600]
    # A code that is left open is learned where two features are too few for binary ones.
    assert code_warnings(gsfa.CompactClassifier(n_components=2, ridge=1e-3), X, y) == []
    (text,) = code_warnings(gsfa.CompactClassifier(graph=Compact(targets=2), network="linear", ridge=1e-3), X, y)
    assert "2 target labels for 10 classes: only 4 different codes" in text and text.endswith("4 suffice")
    (text,) = code_warnings(gsfa.CompactClassifier(2, graph=Compact(), network="linear", ridge=1e-3), X, y)
    assert "2 features for 10 classes" in text and text.endswith("4 suffice")
    for estimator in (gsfa.GSFA(2, graph=Compact(), ridge=1e-3), gsfa.HGSFA(2, graph=Compact(), ridge=1e-3)):
        (text,) = code_warnings(estimator, X, y)
        assert "2 features for 10 classes" in text
    # Enough features, and features that are no code of the classes.
    enough = [gsfa.CompactClassifier(4, ridge=1e-3), gsfa.GSFA(2, ridge=1e-3), gsfa.GSFA(4, graph=Compact(), ridge=1e-3)]
    for estimator in enough:
        assert code_warnings(estimator, X, y) == []


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_f74_a_series_of_classes_keeps_its_name_if_some_are_missing():
    classes = pd.Series(np.array(["a", "b", None] * 20, dtype=object), name="kind")
    model = gsfa.CompactClassifier(network="linear", ridge=0.1, calibrate=False, semi_supervised=True)
    model.fit(samples(classes), classes)
    assert [label["name"] for label in model._header()["labels"]] == ["kind"]
    assert model.classes_.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    "fit",
    [
        lambda X, y: gsfa.ELLRegressor().fit(X, y),
        lambda X, y: gsfa.GSFA().fit(X, y),
        lambda X, y: gsfa.GSFA(graph=Ell()).fit(X, y),
        lambda X, y: gsfa.HGSFA().fit(X, y),
        lambda X, y: gsfa.GSFA().prepare(y),
        lambda X, y: Ell().build(y),
    ],
)
def test_two_labels_of_one_name_are_told(fit):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=(30, 3))
    with pytest.raises(gsfa.GsfaError, match="2 columns of labels are called 'age'") as told:
        fit(X, pandas.DataFrame(y, columns=["age", "size", "age"]))
    assert told.value.code == "duplicate_header" and told.value.details["columns"] == [0, 2]
    assert "name of its own" in told.value.hint
