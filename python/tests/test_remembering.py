"""What models remember of their training, in Python and in files, with the command line and without."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

import gsfa
from gsfa import graphs

INPUTS = list("abcd")


def table(rows=150):
    rng = np.random.default_rng(1)
    data = pd.DataFrame(rng.normal(size=(rows, 4)), columns=INPUTS)
    data["age"] = 30 + 10 * data["a"] - 3 * data["b"] + rng.normal(size=rows)
    data["kind"] = np.where(data["c"] > 0.3, "high", np.where(data["d"] > 0, "left", "right"))
    return data


def loaded(model, tmp_path):
    path = tmp_path / "m.gsfa"
    model.save(path, overwrite=True)
    return gsfa.load(path)


def codes(model):
    return [note.code for note in model.notes_]


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
@pytest.mark.parametrize("make", [gsfa.ELLRegressor, gsfa.CompactClassifier, gsfa.GSFA, gsfa.HGSFA, gsfa.SFA])
def test_what_was_chosen_and_said_comes_back_from_files_and_pickles(make, tmp_path):
    data = table()
    y = data["kind"] if make is gsfa.CompactClassifier else data["age"]
    model = make(expansion="auto") if make is gsfa.SFA else make()
    weights = np.r_[np.zeros(3), np.ones(len(data) - 3)]
    given = (data[INPUTS],) if make is gsfa.SFA else (data[INPUTS], y, weights)
    model.fit(*given)
    for back in (loaded(model, tmp_path), pickle.loads(pickle.dumps(model))):
        assert back.notes_ == model.notes_ and codes(back) == codes(model)
        assert back.selection_ == model.selection_ and back.preparation_ is None
    if make is not gsfa.SFA:
        assert "zero_weights" in codes(model)
        assert "3 samples of weight zero are left out" in model.notes_
    if make in (gsfa.GSFA, gsfa.HGSFA):
        assert "label_taken" in codes(model)
    chosen = [note for note in model.notes_ if note.code == "chosen"]
    assert len(chosen) == (0 if make is gsfa.GSFA else 1), model.notes_
    if make not in (gsfa.GSFA, gsfa.HGSFA):
        taken = model.selection_["tried"][model.selection_["taken"]]["name"]
        assert taken in chosen[0] and model.selection_["why"] in chosen[0]


def test_nothing_is_said_to_be_chosen_where_nothing_was_open(tmp_path):
    data = table()
    model = gsfa.ELLRegressor(network="linear", ridge=0.1, readout=gsfa.LinearRegression(), calibrate=False)
    model.fit(data[INPUTS], data["age"])
    assert model.selection_ is None and "chosen" not in codes(model)
    assert loaded(model, tmp_path).selection_ is None


def test_one_sample_of_weight_zero_is_one(tmp_path):
    data = table()
    with pytest.warns(gsfa.GsfaWarning, match="1 sample of weight zero is left out") as told:
        gsfa.GSFA().fit(data[INPUTS], data["age"], np.r_[0.0, np.ones(149)])
    assert [warning.message.code for warning in told] == ["zero_weights"]


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_remarks_of_chunks_are_those_of_a_fit(tmp_path):
    data = table().to_numpy()[:, :5].astype(float)
    X, y = data[:, :4], np.round(data[:, 4]).astype(int)
    whole, parts = gsfa.GSFA().fit(X, y), gsfa.GSFA().prepare(y)
    parts = pickle.loads(pickle.dumps(parts.partial_fit(X[:70]))).partial_fit(X[70:])
    assert parts.notes_ == whole.notes_ and codes(whole)[0] == "label_taken"
    assert loaded(parts, tmp_path).notes_ == whole.notes_


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_remarks_of_the_command_line_are_in_its_models(command, tmp_path):
    data = table()
    data["w"] = np.r_[0.0, np.ones(149)]
    data.loc[7, "a"] = np.nan
    data.to_csv(tmp_path / "t.csv", index=False)
    flags = "--data t.csv --learn age --ignore kind --weights w --missing impute"
    command(*f"train {flags} -o m.gsfa".split(), cwd=tmp_path)
    model = gsfa.load(tmp_path / "m.gsfa")
    assert codes(model)[:3] == ["zero_weights", "label_taken", "imputed"]
    assert "1 of 150" in model.notes_[0]
    assert "chosen" in codes(model) and model.selection_["tried"]


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
@pytest.mark.parametrize("names", [[0, 1, 2], ["a", "b", "c"], [0.0, 1.0, 2.0]])
def test_factors_of_classes_come_back(names, tmp_path):
    X, y = load_iris(return_X_y=True)
    y = np.array(names)[y]
    for given in (None, "balanced", {names[0]: 2.0, names[2]: 0.25}):
        model = gsfa.CompactClassifier(network="linear", ridge=0.1, class_weight=given).fit(X, y)
        back = loaded(model, tmp_path)
        assert back.class_weight == given and type(back.class_weight) is type(given)
        np.testing.assert_array_equal(clone(back).fit(X, y).predict_proba(X), model.predict_proba(X))


def test_balanced_classes_of_the_command_line_are_known_to_python(command, tmp_path):
    data = table()
    data.to_csv(tmp_path / "t.csv", index=False)
    flags = "--data t.csv --learn kind --ignore age --weights balanced --network linear --ridge 0.1"
    command(*f"train {flags} -o m.gsfa".split(), cwd=tmp_path)
    model = gsfa.load(tmp_path / "m.gsfa")
    assert model.class_weight == "balanced"
    again = clone(model).fit(data[INPUTS], data["kind"])
    np.testing.assert_allclose(again.predict_proba(data[INPUTS]), model.predict_proba(data[INPUTS]), rtol=1e-9)


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_missing_values_are_replaced_where_that_is_asked_for(command, tmp_path):
    data = table()
    model = gsfa.ELLRegressor(network="linear", ridge=0.1).fit(data[INPUTS], data["age"])
    gaps = data[INPUTS].copy()
    gaps.iloc[3, 1], gaps.iloc[5] = np.nan, np.nan
    with pytest.raises(gsfa.GsfaError, match="NaN") as told:
        model.predict(gaps)
    assert told.value.code == "non_finite_sample" and "impute(X)" in told.value.hint
    filled = model.impute(gaps)
    assert list(filled.columns) == INPUTS and list(filled.index) == list(gaps.index)
    expected = gaps.fillna(data[INPUTS].mean())
    np.testing.assert_allclose(filled, expected, rtol=1e-12)
    assert gaps.isna().to_numpy().sum() == 5
    # One rule on both sides: the command line replaces by the same means, in models of either.
    model.save(tmp_path / "p.gsfa")
    gaps.to_csv(tmp_path / "gaps.csv", index=False)
    data.to_csv(tmp_path / "t.csv", index=False)
    command(*"train --data t.csv --learn age --ignore kind --network linear --ridge 0.1 -o m.gsfa".split(), cwd=tmp_path)
    for name in ("p", "m"):
        command(*f"predict {name}.gsfa --data gaps.csv --missing impute -o {name}.csv".split(), cwd=tmp_path)
        estimates = pd.read_csv(tmp_path / f"{name}.csv")["age"]
        np.testing.assert_allclose(estimates, model.predict(filled), rtol=1e-9)
        np.testing.assert_array_equal(gsfa.load(tmp_path / f"{name}.gsfa").impute(gaps), filled)


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_every_way_of_training_keeps_means_that_are_those_of_the_inputs():
    data = table().to_numpy()[:, :5].astype(float)
    X, y = data[:, :4] + [1.0, 2.0, 3.0, 4.0], data[:, 4]
    nothing = np.full((1, 4), np.nan)
    poly = gsfa.expansions.Polynomial(2)
    models = [
        gsfa.ELLRegressor().fit(X, y),
        gsfa.CompactClassifier().fit(X, y > 30),
        gsfa.GSFA().fit(X, y),
        gsfa.GSFA(standardize=True).fit(X, y),
        gsfa.GSFA(pca=3, expansion=poly).fit(X, y),
        gsfa.GSFA(1, expansion=poly, ridge=0.1).fit(X, y),
        gsfa.GSFA().prepare(y).partial_fit(X[:50]).partial_fit(X[50:]),
        gsfa.HGSFA().fit(X, y),
        gsfa.SFA(1).fit(X),
    ]
    for model in models:
        np.testing.assert_allclose(model.impute(nothing)[0], X.mean(axis=0), rtol=1e-9)
    single = gsfa.GSFA().fit(X.astype(np.float32), y).impute(np.float32(nothing))
    assert single.dtype == np.float32
    pixels = gsfa.ELLRegressor().fit(np.round(20 * X).clip(0, 255).astype(np.uint8), y)
    with pytest.raises(gsfa.GsfaError) as told:
        pixels.impute(nothing)
    assert told.value.code == "no_means"


def test_remarks_are_strings_with_codes():
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60.0)
    note = gsfa.GSFA().fit(X, y).notes_[0]
    assert isinstance(note, str) and isinstance(note, gsfa.errors.Remark) and note.code == "label_taken"
    assert pickle.loads(pickle.dumps(note)).code == note.code and "taken as numbers" in note
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gsfa.GSFA(graph=graphs.Serial(50)).fit(X, np.arange(60) // 3)
    assert [warning.message.code for warning in told] == ["fewer_groups"]


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
@pytest.mark.parametrize(
    "values",
    [[False, True, True], ["0", "1", "2"], [0.0, 1.0, 2.0], ["0.5", "1.5", "2"], [3, 7, 11], ["True", "False", "False"]],
)
def test_classes_come_back_as_what_they_were(values, tmp_path):
    X, y = load_iris(return_X_y=True)
    classes = np.array(values)[y]
    model = gsfa.CompactClassifier(effort="quick").fit(X, classes)
    again = loaded(model, tmp_path)
    assert again.classes_.dtype.kind == model.classes_.dtype.kind
    np.testing.assert_array_equal(again.classes_, model.classes_)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert again.score(X, classes) == model.score(X, classes)
