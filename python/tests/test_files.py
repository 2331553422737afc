"""Python, the command line and the library write and read the same files."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import gsfa
from gsfa._graph_specification import graph_of
from gsfa import _core


def table(rows=150):
    rng = np.random.default_rng(1)
    data = pd.DataFrame(rng.normal(size=(rows, 4)), columns=list("abcd"))
    data["age"] = 30 + 10 * data["a"] - 3 * data["b"] + rng.normal(size=rows)
    data["kind"] = np.where(data["c"] > 0.3, "high", np.where(data["d"] > 0, "left", "right"))
    return data


INPUTS = list("abcd")


def stripped(path):
    return _core.Model.load(os.fspath(path)).without_memory().to_bytes()


@pytest.mark.parametrize("label, make", [("age", gsfa.ELLRegressor), ("kind", gsfa.CompactClassifier)])
def test_python_and_the_command_line_give_the_same_bytes(command, tmp_path, label, make):
    data = table()
    # Numbers are written with all digits, so that both read the same.
    data.to_csv(tmp_path / "t.csv", index=False)
    other = "kind" if label == "age" else "age"
    command("train", "--data", "t.csv", "--learn", label, "--ignore", other, "-o", "m.gsfa", cwd=tmp_path)
    ours = make().fit(data[INPUTS], data[label])
    ours.save(tmp_path / "p.gsfa")
    assert stripped(tmp_path / "m.gsfa") == stripped(tmp_path / "p.gsfa")
    # Both ways: each reads what the other wrote.
    loaded = gsfa.load(tmp_path / "m.gsfa")
    assert np.array_equal(loaded.predict(data[INPUTS]), ours.predict(data[INPUTS]))
    command("predict", "p.gsfa", "--data", "t.csv", "--ignore", f"{label},{other}", "-o", "e.csv", cwd=tmp_path)
    estimates = pd.read_csv(tmp_path / "e.csv")
    column = next(name for name in estimates.columns if label in name)
    assert len(estimates) == len(data)
    if label == "age":
        np.testing.assert_allclose(estimates[column], ours.predict(data[INPUTS]), rtol=1e-12)
    else:
        assert (estimates[column] == ours.predict(data[INPUTS])).all()


def test_options_mean_the_same_to_both(command, tmp_path):
    data = table()
    data.to_csv(tmp_path / "t.csv", index=False)
    command(
        *"train --data t.csv --learn age --ignore kind --network linear --ridge 0.01 --targets 3".split(),
        *"--readout soft-gc -o m.gsfa".split(),
        cwd=tmp_path,
    )
    ours = gsfa.ELLRegressor(3, network="linear", ridge=0.01, readout=gsfa.SoftGC()).fit(data[INPUTS], data["age"])
    assert stripped(tmp_path / "m.gsfa") == ours._model.without_memory().to_bytes()


def test_saved_estimators_come_back(tmp_path, digits, diabetes):
    X, y = digits
    D, t = diabetes
    estimators = [
        (gsfa.GSFA(3, ridge=1e-3).fit(X, y), X),
        (gsfa.HGSFA(3, image_shape=(8, 8), ridge=1e-3).fit(X, y), X),
        (gsfa.CompactClassifier(3).fit(X[:400], y[:400]), X),
        (gsfa.CompactClassifier().fit(X[:400], y[:400].astype(str)), X),
        (gsfa.ELLRegressor(2).fit(D, t), D),
        (gsfa.ELLRegressor(ridge=0.1).fit(D, np.column_stack([t, D[:, 0]])), D),
    ]
    for k, (estimator, samples) in enumerate(estimators):
        path = tmp_path / f"{k}.gsfa"
        estimator.save(path)
        loaded = gsfa.load(path)
        assert type(loaded) is type(estimator)
        assert loaded._model.to_bytes() == path.read_bytes()
        call = "transform" if hasattr(estimator, "transform") else "predict"
        expected = getattr(estimator, call)(samples)
        assert np.array_equal(getattr(loaded, call)(samples).astype(expected.dtype), expected)
        assert np.array_equal(loaded.delta_values_, estimator.delta_values_)
        header = json.loads(loaded._model.header())
        # A transformer has its parameters, and no recipe that was asked for.
        assert hasattr(estimator, "transform") or header["remembered"]["asked"]


@pytest.mark.parametrize(
    "asked",
    [
        gsfa.ELLRegressor(2, network="linear", ridge=0.01, calibrate=False, clip="training"),
        gsfa.ELLRegressor(readout=gsfa.SoftGC(bins=20), effort="quick", clip=(0.0, 400.0)),
        gsfa.ELLRegressor(graph=gsfa.graphs.Serial(10), network=gsfa.networks.Network([gsfa.networks.Layer(2, ridge=0.1)])),
        gsfa.ELLRegressor(network="linear", ridge=0.1, readout=gsfa.GaussianClassifier(bins=12, covariance="shared")),
    ],
)
@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_a_file_says_what_was_asked_for(asked, tmp_path, diabetes):
    X, y = diabetes
    asked.fit(X, y).save(tmp_path / "m.gsfa")
    loaded = gsfa.load(tmp_path / "m.gsfa")
    assert loaded._recipe() == asked._recipe()
    again = clone(loaded).fit(X, y)
    assert np.array_equal(again.predict(X), asked.predict(X))


@pytest.mark.filterwarnings("ignore::gsfa.GsfaWarning")
def test_a_file_says_what_was_asked_of_a_classifier(tmp_path, blobs):
    X, y = blobs
    asked = gsfa.CompactClassifier(2, ridge=0.1, calibrate=False, readout=gsfa.GaussianClassifier(covariance="shared"))
    asked.fit(X, y).save(tmp_path / "m.gsfa")
    loaded = gsfa.load(tmp_path / "m.gsfa")
    assert loaded._recipe() == asked._recipe()
    assert np.array_equal(clone(loaded).fit(X, y).predict_proba(X), asked.predict_proba(X))


def test_graphs_come_back_from_files(blobs, numbers):
    g = gsfa.graphs
    X, y = numbers[0], numbers[1][:, 0]
    for graph in [
        g.Serial(20), g.Mixed(10), g.Reordering(), g.SlidingWindow(3, shape="triangle"), g.SlidingWindow(2, shape=(1.0, 0.5)),
        g.Ell(3, eigenvalues="equal"), g.Ell(2, eigenvalues=[0.7, 0.3]), 0.25 * g.Ell() + 0.75 * g.Serial(5), g.Chain(2), g.NearestNeighbors(3),
    ]:  # fmt: skip
        spec = json.loads(gsfa.GSFA(1, graph=graph).fit(X, y)._model.header())["graph"]
        assert graph_of(spec) == graph
    for graph in [g.Clustered(paper_weights=True), g.Clustered(balance=True), g.Compact(2, code="sparse")]:
        spec = json.loads(gsfa.GSFA(1, graph=graph).fit(*blobs)._model.header())["graph"]
        assert graph_of(spec) == graph
