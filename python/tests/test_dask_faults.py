"""On a cluster whatever is wrong is refused as it is locally, and no wait is without end (F69)."""

import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

pytest.importorskip("distributed")

import dask
import dask.array as da
import dask.dataframe as dd
from distributed import Client, LocalCluster

import gsfa
import gsfa.dask
from gsfa.expansions import Expo, Pca
from gsfa.networks import Layer, Network

ROWS = 300
RNG = np.random.default_rng(2)
X = RNG.normal(size=(ROWS, 4)) @ RNG.normal(size=(4, 4)) + 2
Y = X[:, 0] - X[:, 1] ** 2 / 5 + 0.3 * RNG.normal(size=ROWS)
C = np.where(Y > np.median(Y), "high", "low").astype(object)
LINEAR = gsfa.ELLRegressor(network="linear", ridge=1e-3, calibrate=False)
CLASSES = gsfa.CompactClassifier(network="linear", ridge=1e-3, calibrate=False)
MODELS = [(gsfa.GSFA(1), Y), (gsfa.HGSFA(1, ridge=1e-3), Y), (LINEAR, Y), (CLASSES, C)]


def pieces(values, rows=70):
    return da.from_array(values, chunks=(rows, *np.shape(values)[1:]))


def with_value(array, place, value):
    out = np.array(array)
    out[place] = value
    return out


def words(error):
    """An error without the values and the number of rows that scikit-learn shows: pieces are not all samples."""
    text = re.sub(r"array=\[.*?\]\.", "array", str(error), flags=re.DOTALL)
    text = re.sub(r"\n\[\[.*", "", text, flags=re.DOTALL)
    return re.sub(r"\(shape=\(\d+, 0\)\)", "", text)


def outcome(call):
    """What a fit gave, or the type and the words of its error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = call()
        except Exception as error:
            return type(error), words(error)
    told = sorted(str(w.message) for w in caught if issubclass(w.category, gsfa.GsfaWarning))
    return model, told


def same(model, X, y, client, *, there=None, labels=None, weights=None):
    """That a fit on the cluster gives what a local one gives, be it an error."""
    here = outcome(lambda: clone(model).fit(X, y, **({} if weights is None else {"sample_weight": weights})))
    Z = pieces(X) if there is None else there
    far = outcome(
        lambda: gsfa.dask.fit(clone(model), Z, y if labels is None else labels, sample_weight=weights, client=client)
    )
    if isinstance(here[0], type):
        assert far == here
        return None
    assert not isinstance(far[0], type), far
    assert far[1] == here[1]
    call = "predict" if hasattr(model, "predict") else "transform"
    expected, found = getattr(here[0], call)(X), getattr(far[0], call)(X)
    if expected.dtype.kind == "f":
        tolerance = 1e-4 if np.asarray(X).dtype.newbyteorder("=") in (np.float32, np.uint8) else 1e-9
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    else:
        assert (found == expected).all()
    for name in ("n_features_in_", "feature_names_in_", "classes_", "label_names_"):
        mine, theirs = getattr(here[0], name, None), getattr(far[0], name, None)
        assert np.array_equal(mine, theirs) and getattr(mine, "dtype", None) == getattr(theirs, "dtype", None), name
    return far[0]


@pytest.mark.parametrize("model, y", MODELS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "samples",
    [
        X * 1j,
        np.full((ROWS, 4), "text"),
        np.full((ROWS, 4), "text", dtype=object),
        with_value(X.astype(object), (200, 1), "text"),
        X[:, 0],
        X.reshape(ROWS, 2, 2, 1, 1),
        X[:1],
        X[:0],
        X[:, :0],
        with_value(X, (210, 3), np.nan),
        with_value(with_value(X, (150, 0), -np.inf), (9, 2), np.inf),
    ],
    ids=["complex", "text", "text objects", "one text", "1-D", "5-D", "1 row", "0 rows", "0 columns", "NaN", "inf"],
)
def test_samples_that_are_refused_locally_are_refused_in_the_same_words(client, model, y, samples):
    assert same(model, samples, y[: len(samples)], client) is None


@pytest.mark.parametrize("kind", [np.int32, np.uint8, bool, np.float32, np.float16, ">f8", ">f4", object, np.int8])
def test_samples_of_any_type_of_numbers_are_read_as_locally(client, kind):
    samples = np.clip(np.round(X * 10) + 100, 0, 127)
    samples = (samples > 100 if kind is bool else samples).astype(kind)
    assert same(gsfa.GSFA(1), samples, Y, client) is not None


@pytest.mark.parametrize("model, y", MODELS, ids=lambda value: type(value).__name__)
def test_labels_and_weights_that_are_refused_locally_are_refused_in_the_same_words(client, model, y):
    ones = np.ones(ROWS)
    for labels, weights in [
        (None, None),
        (y[:-1], None),
        (with_value(Y, 3, np.nan), None),
        (with_value(Y, 3, np.inf), None),
        (Y * 1j, None),
        (y.reshape(-1, 1, 1), None),
        (with_value(C, 4, None), None),
        (np.repeat(y[:1], ROWS), None),
        (y, ones[:-1]),
        (y, with_value(ones, 2, -1.0)),
        (y, with_value(ones, 2, np.nan)),
        (y, np.zeros(ROWS)),
        (y, ones * 1j),
        (y, np.full(ROWS, "heavy")),
    ]:
        assert same(model, X, labels, client, weights=weights) is None


@pytest.mark.parametrize("model, y", MODELS, ids=lambda value: type(value).__name__)
def test_samples_of_weight_zero_are_left_out(client, model, y):
    weights = RNG.uniform(0.5, 2, ROWS)
    # A whole piece, both ends of others, and a row that is no sample at all.
    weights[70:140], weights[[0, 141, 299]] = 0.0, 0.0
    samples = with_value(X, (141, 2), np.nan)
    here = clone(model)
    with pytest.warns(gsfa.GsfaWarning, match="73 samples of weight zero are left out"):
        here.fit(samples, y, sample_weight=weights)
    for given in (weights, pieces(weights, 100), pd.Series(weights)):
        with pytest.warns(gsfa.GsfaWarning, match="73 samples of weight zero are left out"):
            there = gsfa.dask.fit(clone(model), pieces(samples), y, sample_weight=given, client=client)
        np.testing.assert_allclose(there.delta_values_, here.delta_values_, atol=1e-9)


@pytest.mark.parametrize("model, y", MODELS, ids=lambda value: type(value).__name__)
def test_arrays_and_frames_of_this_process_are_one_piece(client, model, y):
    frame = pd.DataFrame(X, columns=list("abcd"), index=np.arange(ROWS)[::-1])
    for samples in (X, X.tolist(), frame, frame.astype({"a": np.float32})):
        assert same(model, samples, y, client, there=samples) is not None


def test_frames_of_a_cluster_are_read_as_locally(client):
    frame = pd.DataFrame(X, columns=list("abcd"))
    mixed = frame.assign(b=frame.b.round().astype(int), c=frame.c > 2)
    for samples in (frame, mixed, frame.astype(np.float32), frame.set_axis([0, 1, 2, 3], axis=1)):
        assert same(LINEAR, samples, Y, client, there=dd.from_pandas(samples, npartitions=4)) is not None
    for samples in (frame.assign(b="text"), frame.assign(b=frame.b * 1j), frame.set_axis(["a", "b", 3, 4], axis=1)):
        here, far = (
            outcome(lambda: clone(LINEAR).fit(samples, Y)),
            outcome(lambda: gsfa.dask.fit(clone(LINEAR), dd.from_pandas(samples, npartitions=4), Y, client=client)),
        )
        # Which value is told of depends on where reading begins.
        assert far[0] is here[0] and re.split("[:\n]", far[1])[0] == re.split("[:\n]", here[1])[0]


def test_rows_are_paired_by_their_order_and_an_index_that_says_otherwise_is_an_error(client):
    frame = pd.DataFrame(X, columns=list("abcd"), index=RNG.permutation(ROWS))
    label, weights = pd.Series(Y, index=frame.index, name="y"), pd.Series(np.ones(ROWS), index=frame.index)
    sorted_frame = dd.from_pandas(frame, npartitions=4, sort=True)
    order = sorted_frame.index.compute()
    for y in (label, dd.from_pandas(label, npartitions=3, sort=False), label.to_frame()):
        with pytest.raises(gsfa.GsfaError, match=r"index of y is not that of X in \d+ of 300 rows, first in row") as caught:
            gsfa.dask.fit(gsfa.GSFA(1), sorted_frame, y, client=client)
        assert caught.value.code == "misaligned_index" and ".loc[X.index]" in caught.value.hint
    with pytest.raises(gsfa.GsfaError, match="index of sample_weight is not that of X"):
        gsfa.dask.fit(gsfa.GSFA(1), sorted_frame, label.loc[order], sample_weight=weights, client=client)
    there = gsfa.dask.fit(gsfa.GSFA(1), sorted_frame, label.loc[order], sample_weight=weights.loc[order], client=client)
    here = gsfa.GSFA(1).fit(frame.loc[order], label.loc[order])
    np.testing.assert_allclose(there.transform(frame), here.transform(frame), atol=1e-9)
    # An array has no index: its order counts.
    array = gsfa.dask.fit(gsfa.GSFA(1), sorted_frame, label.loc[order].to_numpy(), client=client)
    np.testing.assert_allclose(array.transform(frame), here.transform(frame), atol=1e-9)


def test_pieces_of_unknown_length_and_empty_ones(client):
    few = pieces(X)[pieces(X)[:, 0] > 1.0]
    keep = X[:, 0] > 1.0
    there = gsfa.dask.fit(gsfa.GSFA(1), few, Y[keep], client=client)
    np.testing.assert_allclose(there.transform(X), gsfa.GSFA(1).fit(X[keep], Y[keep]).transform(X), atol=1e-9)
    frame = dd.from_pandas(pd.DataFrame(X, columns=list("abcd")), npartitions=6)
    none = frame.map_partitions(lambda part: part[part.index >= 120])
    there = gsfa.dask.fit(gsfa.GSFA(1), none, Y[120:], client=client)
    np.testing.assert_allclose(there.transform(X), gsfa.GSFA(1).fit(X[120:], Y[120:]).transform(X), atol=1e-9)


def test_images_keep_their_shape(client, digits):
    images, y = digits[0][:400].reshape(-1, 8, 8), digits[1][:400].astype(float)
    net = Network([Layer(3, field=(4, 4), pca=Pca(6)), Layer(2, ridge=1e-3)])
    for model in (gsfa.HGSFA(network=net), gsfa.ELLRegressor(2, network=net, calibrate=False, ridge=1e-3)):
        expected = clone(model).fit(images, y)
        flat = images.reshape(400, 64)
        for there in (
            gsfa.dask.fit(clone(model), da.from_array(images, chunks=(150, 3, 8)), y, client=client),
            gsfa.dask.fit(clone(model).set_params(image_shape=(8, 8)), pieces(flat), y, client=client),
        ):
            np.testing.assert_allclose(there.delta_values_, expected.delta_values_, atol=1e-9)


def test_everything_works_after_a_fit(client, tmp_path):
    there = gsfa.dask.fit(clone(LINEAR).set_params(readout=gsfa.SoftGC()), pieces(X), Y, client=client)
    here = clone(LINEAR).set_params(readout=gsfa.SoftGC()).fit(X, Y)
    for call in ("predict", "predict_std", "outlier_score", "features"):
        np.testing.assert_allclose(getattr(there, call)(X), getattr(here, call)(X), atol=1e-7)
    two = gsfa.dask.fit(clone(LINEAR), pieces(X), np.column_stack([Y, X[:, 1]]), client=client)
    assert two.predict(X).shape == two.predict_std(X).shape == (ROWS, 2)
    classes = gsfa.dask.fit(clone(CLASSES), pieces(X), C, client=client)
    assert classes.predict_proba(X).shape == (ROWS, 2) and classes.score(X, C) > 0.8
    for model in (there, two, classes):
        model.save(tmp_path / "model.gsfa", overwrite=True)
        assert np.array_equal(gsfa.load(tmp_path / "model.gsfa").predict(X), model.predict(X))
    # What was prepared before is forgotten, as by a local fit.
    half = gsfa.GSFA(1).prepare(Y).partial_fit(X[:10])
    assert not hasattr(gsfa.dask.fit(half, pieces(X), Y, client=client), "_sums")


def test_parameters_are_checked_first(client):
    for model in (gsfa.GSFA(1.5), gsfa.HGSFA("2"), gsfa.ELLRegressor(True)):
        with pytest.raises(gsfa.ParameterError):
            gsfa.dask.fit(model, pieces(X), Y, client=client)
    for patience in (0, -1.0, "long", float("nan"), True):
        with pytest.raises(gsfa.ParameterError, match="patience"):
            gsfa.dask.fit(gsfa.GSFA(1), pieces(X), Y, client=client, patience=patience)
    for model in (gsfa.SFA(1), gsfa.SoftGC()):
        with pytest.raises(gsfa.GsfaError, match="cannot be fitted on a cluster"):
            gsfa.dask.fit(model, pieces(X), Y, client=client)


def tasks_left(client):
    """Futures and tasks that nobody wants any more vanish within moments."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        left = len(client.futures) + client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
        if not left:
            return 0
        time.sleep(0.1)
    return left


def test_nothing_stays_on_the_cluster(client):
    kept = client.persist(pieces(X))
    own = tasks_left(client)
    gsfa.dask.fit(gsfa.GSFA(1), kept, Y, client=client)
    with pytest.raises(ValueError) as caught:
        gsfa.dask.fit(gsfa.GSFA(1), kept, with_value(Y, 3, np.nan), client=client)
    with pytest.raises(ValueError):
        gsfa.dask.fit(gsfa.GSFA(1), pieces(with_value(X, (3, 3), np.nan)), Y, client=client)
    # What the caller keeps is as it was.
    assert tasks_left(client) == own
    np.testing.assert_array_equal(kept.compute(), X)
    del kept, caught
    assert tasks_left(client) == 0


def slow(block):
    time.sleep(0.05)
    return block


def test_a_cluster_without_workers_is_an_error_and_not_a_wait():
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster, Client(cluster) as client:
        start = time.monotonic()
        with pytest.raises(gsfa.ClusterError, match="no worker for") as caught:
            gsfa.dask.fit(gsfa.GSFA(1), pieces(X), pieces(Y), client=client, patience=2)
        assert time.monotonic() - start < 20
        assert caught.value.code == "no_workers" and "patience" in caught.value.hint
        assert isinstance(caught.value, RuntimeError)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_worker_that_is_frozen_is_an_error_and_not_a_wait():
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        pid = next(iter(cluster.workers.values())).pid
        threading.Timer(1.0, os.kill, (pid, signal.SIGSTOP)).start()
        start = time.monotonic()
        try:
            with pytest.raises(gsfa.ClusterError, match="has done anything for") as caught:
                gsfa.dask.fit(gsfa.GSFA(1), pieces(X, 5).map_blocks(slow, dtype=float), Y, client=client, patience=3)
        finally:
            os.kill(pid, signal.SIGCONT)
        assert time.monotonic() - start < 40 and caught.value.code == "no_progress"


def fatal(block):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_task_that_kills_its_workers_is_an_error():
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            client.run(__import__, "gsfa.dask")
            with pytest.raises(gsfa.ClusterError, match="all of them died") as caught:
                gsfa.dask.fit(gsfa.GSFA(1), pieces(X).map_blocks(fatal, meta=np.ones((0, 0))), Y, client=client)
            assert caught.value.code == "workers_died" and "allowed-failures" in caught.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("victim", ["the first", "any"])
def test_ten_kills_in_a_row_end_in_the_right_result_or_an_error_within_a_minute(victim):
    model = gsfa.HGSFA(network=Network([Layer(4, pca=Pca(4), expansion=Expo()), Layer(3, skip=1.0, ridge=1e-3), Layer(2)]))
    expected = clone(model).fit(X, Y).transform(X)
    draw = np.random.default_rng(1)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        over, killed = threading.Event(), []

        def kill():
            while len(killed) < 10 and not over.wait(0.8):
                alive = [worker.pid for worker in list(cluster.workers.values()) if getattr(worker, "pid", None)]
                if alive:
                    killed.append(alive[0 if victim == "the first" else draw.integers(len(alive))])
                    try:
                        os.kill(killed[-1], signal.SIGKILL)
                    except ProcessLookupError:
                        pass

        killing = threading.Thread(target=kill, daemon=True)
        killing.start()
        try:
            # Fits follow each other until all kills are over, and one more.
            while True:
                last, start = len(killed) == 10, time.monotonic()
                try:
                    fitted = gsfa.dask.fit(clone(model), pieces(X, 15).map_blocks(slow, dtype=float), Y, client=client)
                    np.testing.assert_allclose(fitted.transform(X), expected, rtol=1e-10, atol=1e-10)
                except gsfa.ClusterError as error:
                    assert error.hint and error.code in ("no_workers", "no_progress", "workers_died", "cluster_lost")
                    last = last or error.code == "no_workers"
                assert time.monotonic() - start < 60
                if last:
                    break
        finally:
            over.set()
            killing.join(5)
    assert killed


INTERRUPTED = """
import sys, time
import numpy as np, dask.array as da
from distributed import Client, LocalCluster
import gsfa, gsfa.dask

def slow(block):
    time.sleep(0.2)
    return block

if __name__ == "__main__":
    X = np.random.default_rng(0).normal(size=(900, 4))
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            there = da.from_array(X, chunks=(10, 4)).map_blocks(slow, dtype=X.dtype)
            print("ready", flush=True)
            try:
                gsfa.dask.fit(gsfa.GSFA(1), there, X[:, 0], client=client)
            except KeyboardInterrupt:
                print("stopped", flush=True)
            time.sleep(1.5)
            print(len(client.futures), len(cluster.scheduler.tasks), flush=True)
            print(gsfa.dask.fit(gsfa.GSFA(1), da.from_array(X, chunks=(300, 4)), X[:, 0], client=client).rank_, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_a_fit_within_a_second_and_takes_its_work_back():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().strip() == "ready"
        time.sleep(1.5)
        # An interrupt that comes while Python tidies up an object is lost, as in every program; the next one is not.
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            if select.select([process.stdout], [], [], 1.0)[0]:
                break
        else:
            pytest.fail("the fit goes on a second after the second interrupt")
        assert process.stdout.readline().strip() == "stopped"
        assert process.stdout.readline().split() == ["0", "0"]
        assert process.stdout.readline().strip() == "4"
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()


def test_f73_estimators_of_labels_know_them_also_if_their_graph_needs_none(client):
    graph = gsfa.graphs.Chain()
    model = gsfa.ELLRegressor(graph=graph, network="linear", ridge=1e-3, calibrate=False)
    there = gsfa.dask.fit(clone(model), pieces(X[:90], 40), Y[:90], client=client)
    np.testing.assert_allclose(there.predict(X), clone(model).fit(X[:90], Y[:90]).predict(X), rtol=1e-9)


@pytest.mark.parametrize("model", [gsfa.GSFA(1), gsfa.HGSFA(1, ridge=1e-3), LINEAR], ids=lambda m: type(m).__name__)
def test_f73_neighbours_of_samples_are_refused(client, model):
    model = clone(model).set_params(graph=gsfa.graphs.NearestNeighbors(4))
    with pytest.raises(gsfa.GsfaError, match="neighbours of samples"):
        gsfa.dask.fit(model, pieces(X), Y, client=client)
