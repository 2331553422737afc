"""Fits on a cluster equal local ones, also when a worker dies."""

import os
import signal
import warnings

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("distributed")

import dask.array as da
import dask.dataframe as dd
from distributed import Client, LocalCluster

import gsfa
import gsfa.dask
from gsfa.expansions import Expo, Pca, Polynomial
from gsfa.networks import Layer, Network

TOLERANCE = 1e-10


def data(rows=900, columns=6):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) + 2
    y = X[:, 0] - X[:, 1] ** 2 / 5 + 0.3 * rng.normal(size=rows)
    return X, y


MODELS = [
    gsfa.GSFA(),
    gsfa.GSFA(2, graph=gsfa.graphs.Serial(groups=20)),
    gsfa.GSFA(2, graph=gsfa.graphs.Ell(targets=2), pca=4, clip=3.0, expansion=Polynomial(2), ridge=1e-4),
    gsfa.GSFA(1, standardize=True, expansion=Expo(), ridge=1e-4),
    gsfa.HGSFA(network=Network([Layer(4, pca=Pca(5), expansion=Expo()), Layer(3, skip=1.0, ridge=1e-3), Layer(2)])),
    gsfa.ELLRegressor(2, network="linear", ridge=1e-3, calibrate=False),
]


@pytest.mark.parametrize("chunks", [900, 250, (100, 700, 1, 99)], ids=str)
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_any_chunking_equals_the_local_fit(client, model, chunks):
    from sklearn.base import clone

    X, y = data()
    local = clone(model).fit(X, y)
    there = gsfa.dask.fit(clone(model), da.from_array(X, chunks=(chunks, 3)), da.from_array(y, chunks=300), client=client)
    call = "predict" if hasattr(local, "predict") else "transform"
    np.testing.assert_allclose(getattr(there, call)(X), getattr(local, call)(X), rtol=TOLERANCE, atol=TOLERANCE)
    np.testing.assert_allclose(there.delta_values_, local.delta_values_, atol=TOLERANCE)


def test_data_frames_weights_and_classes(client):
    X, y = data()
    names = [f"x{j}" for j in range(6)]
    frame = pd.DataFrame(X, columns=names)
    classes = np.where(y > 0, "high", "low")
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    model = gsfa.CompactClassifier(network="linear", ridge=1e-3, calibrate=False)
    there = gsfa.dask.fit(model, dd.from_pandas(frame, npartitions=3), classes, client=client)
    local = gsfa.CompactClassifier(network="linear", ridge=1e-3, calibrate=False).fit(frame, classes)
    assert (there.predict(frame) == local.predict(frame)).all()
    np.testing.assert_allclose(there.predict_proba(frame), local.predict_proba(frame), atol=1e-8)
    assert there.feature_names_in_.tolist() == names
    there = gsfa.dask.fit(gsfa.GSFA(), da.from_array(X, chunks=200), y, sample_weight=weights, client=client)
    local = gsfa.GSFA().fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(there.transform(X), local.transform(X), rtol=TOLERANCE, atol=TOLERANCE)


def test_progress_is_told(client):
    X, y = data()
    model = gsfa.HGSFA(network=Network([Layer(4, pca=3), Layer(2)]))
    told = []
    there = gsfa.dask.fit(model, da.from_array(X, chunks=(100, 6)), y, client=client, progress=told.append)
    assert there.transform(X).shape == (900, 2)
    assert {(p.layers, p.pieces) for p in told} == {(2, 9)}
    assert [p.layer for p in told] == sorted(p.layer for p in told) and told[-1] == gsfa.dask.Progress(2, 2, 9, 9)
    with pytest.raises(ZeroDivisionError):
        gsfa.dask.fit(model, da.from_array(X, chunks=(100, 6)), y, client=client, progress=lambda p: 1 / 0)
    with pytest.raises(gsfa.ParameterError, match="progress"):
        gsfa.dask.fit(model, X, y, client=client, progress=3)


def test_built_graphs_class_weights_and_what_was_chosen(client):
    X, y = data()
    graph = gsfa.graphs.Ell(targets=2).build(y)
    there = gsfa.dask.fit(gsfa.GSFA(2, graph=graph), da.from_array(X, chunks=200), client=client)
    np.testing.assert_allclose(there.transform(X), gsfa.GSFA(2, graph=graph).fit(X).transform(X), atol=TOLERANCE)
    classes = (y > 1).astype(int)
    model = gsfa.CompactClassifier(network="linear", ridge=1e-3, calibrate=False, class_weight="balanced")
    local = model.fit(X, classes).predict_proba(X)
    there = gsfa.dask.fit(model, da.from_array(X, chunks=200), classes, client=client)
    np.testing.assert_allclose(there.predict_proba(X), local, atol=1e-8)
    assert there.ridge_ == 1e-3 and there.readout_ is not None and len(there.network_.layers) == 1


def test_a_cluster_says_what_it_did_not_choose(client, tmp_path):
    X, y = data()
    cases = [
        (gsfa.ELLRegressor(), "the network, the ridge and the read-out have their defaults"),
        (gsfa.ELLRegressor(network="linear", readout=gsfa.LinearRegression()), "the ridge has its default"),
        (gsfa.ELLRegressor(network="linear", ridge=0.1), "the read-out has its default"),
        (gsfa.CompactClassifier(calibrate=False), "the ridge has its default"),
        (gsfa.HGSFA(1), "the ridge has its default"),
        (gsfa.ELLRegressor(network="linear", ridge=0.1, calibrate=False), None),
        (gsfa.GSFA(1), None),
    ]
    for model, wanted in cases:
        labels = (y > y.mean()).astype(int) if isinstance(model, gsfa.CompactClassifier) else y
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            gsfa.dask.fit(model, da.from_array(X, chunks=(400, 6)), labels, client=client)
        left = [note for note in model.notes_ if note.code == "not_chosen"]
        assert len(left) == (wanted is not None) and all(wanted in note for note in left), model.notes_
        told = [warning.message for warning in told if isinstance(warning.message, gsfa.GsfaWarning)]
        assert sum(warning.code == "not_chosen" for warning in told) == len(left)
        judged = getattr(model, "calibrate", False)
        assert sum(warning.code == "in_sample" for warning in told) == judged
        assert model.selection_ is None
        model.save(tmp_path / "m.gsfa", overwrite=True)
        back = gsfa.load(tmp_path / "m.gsfa")
        assert back.notes_ == model.notes_
        if hasattr(model, "predict"):
            assert back._recipe() == model._recipe()
            np.testing.assert_allclose(model.impute(np.full((1, 6), np.nan))[0], X.mean(axis=0), rtol=1e-9)


def test_single_precision_and_bytes(client):
    X, y = data()
    for kind in (np.float32, np.uint8):
        Z = np.clip(X * 10 + 100, 0, 255).astype(kind)
        there = gsfa.dask.fit(gsfa.GSFA(1, pca=4), da.from_array(Z, chunks=250), y, client=client)
        local = gsfa.GSFA(1, pca=4).fit(Z, y)
        np.testing.assert_allclose(there.transform(Z), local.transform(Z), atol=1e-4)


def test_graphs_of_single_samples_are_refused(client):
    X, _ = data()
    with pytest.raises(gsfa.GsfaError, match="connects single samples"):
        gsfa.dask.fit(gsfa.GSFA(1, graph=gsfa.graphs.Chain()), da.from_array(X, chunks=450), client=client)


def test_a_worker_that_is_killed_is_survived():
    X, y = data(4000)
    model = MODELS[4]
    from sklearn.base import clone

    local = clone(model).fit(X, y)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        killed = []

        def slow(block, block_info=None):
            import time

            time.sleep(0.05)
            return block

        there = da.from_array(X, chunks=(200, 6)).map_blocks(slow, dtype=X.dtype)
        advance = gsfa._core.Passes.advanced

        class Killing:
            """Kills a worker between two passes, when its pieces are already there."""

            def __init__(self, passes):
                self.passes = passes

            def __getattr__(self, name):
                return getattr(self.passes, name)

            def __reduce__(self):
                return self.passes.__reduce__()

            def advanced(self, graph, sums):
                if not killed:
                    worker = next(iter(cluster.workers.values()))
                    killed.append(worker.pid)
                    os.kill(worker.pid, signal.SIGKILL)
                return Killing(advance(self.passes, graph, sums))

        make = gsfa.dask._core.Passes
        gsfa.dask.new_passes = lambda network, single: Killing(make(network, single))
        try:
            fitted = gsfa.dask.fit(clone(model), there, y, client=client)
        finally:
            gsfa.dask.new_passes = make
        assert killed
    np.testing.assert_allclose(fitted.transform(X), local.transform(X), rtol=TOLERANCE, atol=TOLERANCE)
