"""Objects may be shared by threads: nothing waits for ever, and whatever comes out is right (F67).

Every test runs in a process of its own, so that a deadlock fails and does not hang the others. On a free-threaded build of
Python the same tests run without the interpreter's lock.
"""

import subprocess
import sys

import pytest

LIMIT = 100

COMMON = """
import copy, faulthandler, pickle, sys, threading, warnings
import numpy as np
import gsfa
from sklearn.base import clone

faulthandler.dump_traceback_later({limit}, exit=True)
warnings.simplefilter("ignore")
if hasattr(sys, "_is_gil_enabled") and "free-threading" in sys.version:
    # The module does not ask for the lock.
    assert not sys._is_gil_enabled()

rng = np.random.default_rng(0)
X = rng.normal(size=(4000, 30)) @ rng.normal(size=(30, 30)) + 3
y = X[:, 0] - X[:, 1] ** 2 / 9 + 0.3 * rng.normal(size=len(X))
classes = np.digitize(y, np.quantile(y, [0.2, 0.5, 0.7]))


def at_once(*calls, threads=8):
    \"\"\"Runs calls in as many threads, all of which begin together; the first error is raised.\"\"\"
    start, errors, results = threading.Barrier(threads), [], [None] * threads

    def run(k):
        start.wait()
        try:
            results[k] = calls[k % len(calls)](k)
        except BaseException as error:
            errors.append(error)

    running = [threading.Thread(target=run, args=(k,)) for k in range(threads)]
    [thread.start() for thread in running]
    [thread.join() for thread in running]
    if errors:
        raise errors[0]
    return results


def output(model, X):
    return model.transform(X) if hasattr(model, "transform") else model.predict(X)


def read(model):
    repr(model), str(model.get_params()), vars(model).copy()
    for name in ("delta_values_", "correlations_", "weights_", "notes_", "rank_", "n_features_in_", "classes_"):
        getattr(model, name, None)
    return pickle.loads(pickle.dumps(model))
"""


def run(program):
    program = COMMON.format(limit=LIMIT) + program + '\nprint("done")'
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT + 60)
    assert done.returncode == 0 and done.stdout.strip().endswith("done"), done.stdout + done.stderr


MODELS = [
    "gsfa.GSFA(2, graph=gsfa.graphs.Ell(targets=2))",
    "gsfa.GSFA(2, pca=5, expansion=gsfa.expansions.Polynomial(2), ridge=1e-3)",
    "gsfa.SFA(2)",
    "gsfa.HGSFA(2, ridge=1e-3)",
    "gsfa.ELLRegressor(2, network='linear')",
    "gsfa.CompactClassifier(3, network='linear')",
    "gsfa.SoftGC(3)",
    "gsfa.GaussianClassifier(5)",
]


@pytest.mark.parametrize("model", MODELS)
def test_separate_objects_give_what_they_give_alone(model):
    run(f"""
model = {model}
label = classes if hasattr(model, "predict_proba") else y
expected = output(clone(model).fit(X, label), X)

def work(k):
    mine = clone(model).fit(X, label)
    for _ in range(3):
        assert np.array_equal(output(read(mine), X), expected)
        assert np.array_equal(output(copy.deepcopy(mine), X[: 5 + k]), expected[: 5 + k])

at_once(work)
""")


@pytest.mark.parametrize("model", MODELS)
def test_a_shared_object_may_be_fitted_applied_pickled_and_read_at_once(model):
    run(f"""
model = {model}
label = classes if hasattr(model, "predict_proba") else y
expected = output(model.fit(X, label), X)

def fit(k):
    for _ in range(4):
        assert np.array_equal(output(model.fit(X, label), X), expected)

def apply(k):
    for _ in range(10):
        assert np.array_equal(output(model, X), expected)
        assert np.array_equal(output(model, X[:7]), expected[:7])

def look(k):
    for _ in range(10):
        assert np.array_equal(output(read(model), X[:50]), expected[:50])

at_once(fit, apply, look, fit, apply, look, look, apply)
""")


def test_attributes_of_one_fit_are_seen_together():
    run("""
# Fits with one and with two labels: whoever takes the state at any time finds attributes of one of them.
model = gsfa.GSFA(graph=gsfa.graphs.Ell()).fit(X, y)
both = np.column_stack([y, X[:, 3]])

def fit(k):
    for _ in range(15):
        model.fit(X, y if k % 2 else both)

def look(k):
    for _ in range(300):
        state = vars(model).copy()
        sizes = {len(state["delta_values_"]), len(state["correlations_"]), state["weights_"].shape[1]}
        assert len(sizes) == 1, sizes
        assert state["_model"].node(0, 0)["weights"].shape == state["weights_"].shape

at_once(fit, fit, look, look)
""")


def test_f67_half_done_sums_may_be_read_and_pickled_while_rows_are_added():
    run("""
wide = np.random.default_rng(1).normal(size=(6000, 300))
label = wide[:, 0]
expected = gsfa.GSFA(1).fit(wide, label).transform(wide)
for _ in range(3):
    model = gsfa.GSFA(1).prepare(label).partial_fit(wide[:500])
    done = threading.Event()

    def add(k):
        for first in range(500, 6000, 500):
            model.partial_fit(wide[first : first + 500])
        done.set()

    def look(k):
        before = 0
        while not done.is_set():
            repr(model), model._sums.complete, hasattr(model, "delta_values_")
            rows = model._sums.seen.rows
            assert rows % 500 == 0 and rows >= before
            before = rows
            other = pickle.loads(pickle.dumps(model))
            assert other._sums.seen.rows >= rows

    at_once(add, look, look, look, look, look, look, look)
    assert np.array_equal(model.transform(wide), expected)
""")


def test_threads_may_add_their_rows_to_one_estimator():
    run("""
expected = gsfa.GSFA(2, graph=gsfa.graphs.Ell(targets=2)).fit(X, y).transform(X)
for _ in range(5):
    model = gsfa.GSFA(2, graph=gsfa.graphs.Ell(targets=2)).prepare(y)
    at_once(lambda k: model.partial_fit(X[500 * k : 500 * (k + 1)], first_row=500 * k))
    # None is lost, whatever their order.
    np.testing.assert_allclose(model.transform(X), expected, atol=1e-9)
""")


def test_threads_may_merge_parts_into_one_and_into_each_other():
    run("""
G = lambda: gsfa.GSFA(2, graph=gsfa.graphs.Ell(targets=2)).prepare(y)
part = lambda k: G().partial_fit(X[500 * k : 500 * (k + 1)], first_row=500 * k)
expected = gsfa.GSFA(2, graph=gsfa.graphs.Ell(targets=2)).fit(X, y).transform(X)
for _ in range(5):
    model, parts = G(), [part(k) for k in range(8)]
    at_once(lambda k: model.merge(parts[k]))
    np.testing.assert_allclose(model.transform(X), expected, atol=1e-9)

# Into each other: an error where rows would count twice, and never a wait.
for _ in range(20):
    a, b = part(0), part(1)

    def cross(k):
        try:
            (a.merge(b) if k % 2 else b.merge(a))
        except gsfa.GsfaError as error:
            assert error.code == "row_range", error

    at_once(cross)
    assert {a._sums.seen.rows, b._sums.seen.rows} <= {500, 1000}
    assert 1000 in {a._sums.seen.rows, b._sums.seen.rows}
    at_once(lambda k: pickle.dumps((a, b)), cross)
""")


def test_errors_in_some_threads_leave_the_others_alone():
    run("""
expected = gsfa.GSFA().fit(X, y).transform(X)
bad = X.copy()
bad[17, 3] = np.nan
model = gsfa.GSFA().fit(X, y)

def right(k):
    for _ in range(5):
        assert np.array_equal(clone(model).fit(X, y).transform(X), expected)

def wrong(k):
    for _ in range(20):
        for call in (lambda: clone(model).fit(bad, y), lambda: model.transform(bad), lambda: gsfa.GSFA(1.5).fit(X, y)):
            try:
                call()
            except ValueError:
                continue
            raise AssertionError("no error")

at_once(right, wrong)
""")


def test_graphs_networks_and_passes_may_be_shared():
    run("""
from gsfa import _core
from gsfa.networks import Layer, Network

graph = gsfa.graphs.Ell(targets=2)
built = graph._native(y)
found = graph.analyze(y).delta_values
network = Network([Layer(4, pca=5), Layer(2, ridge=1e-3)])
expected = gsfa.HGSFA(network=network, graph=graph).fit(X, y).transform(X)
import json
first = _core.Passes(json.dumps(network._spec((1, 1, 30))), False)

def work(k):
    assert np.allclose(graph.analyze(y).delta_values, found) and len(built) == len(y)
    passes, below = first, X
    while not passes.is_complete:
        finished = passes.finished_layers
        passes = pickle.loads(pickle.dumps(passes))
        half = [passes.sums(built, at, below[at : at + 2000], X[at : at + 2000], 1) for at in (0, 2000)]
        passes = passes.advanced(built, passes.merge(built, *half))
        if passes.finished_layers > finished:
            below = passes.outputs(below, X, 1)
    np.testing.assert_allclose(passes.model(built, None, None).features(X, 1), expected, atol=1e-8)

at_once(work)
""")
