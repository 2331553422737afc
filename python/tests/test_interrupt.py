"""Ctrl-C ends a fit within a second, and other threads run meanwhile."""

import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gsfa

PROGRAM = """
import sys, time
import numpy as np
import gsfa

rng = np.random.default_rng(0)
X = rng.normal(size=({rows}, {columns}))
y = X[:, 0] + rng.normal(size=len(X))
model = {model}
print("ready", flush=True)
try:
    while True:
        model.fit(X, y)
except KeyboardInterrupt:
    print("stopped", flush=True)
    # Fits go on working afterwards.
    assert gsfa.GSFA().fit(X[:100, :3], y[:100]).transform(X[:100, :3]).shape == (100, 1)
    print("fine", flush=True)
"""

CASES = [
    ("gsfa.GSFA()", 100_000, 300),
    # A node that takes longer than a second to solve.
    ("gsfa.GSFA(1, expansion=gsfa.expansions.Polynomial(2), ridge=1e-3)", 3000, 70),
    ("gsfa.HGSFA(2, image_shape=(32, 32), ridge=1e-3)", 3000, 1024),
    ("gsfa.ELLRegressor()", 30_000, 200),
]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("model, rows, columns", CASES, ids=lambda case: str(case))
def test_an_interrupt_ends_a_fit_within_a_second(model, rows, columns):
    program = PROGRAM.format(model=model, rows=rows, columns=columns)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        assert process.stdout.readline().strip() == "ready"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        start = time.perf_counter()
        assert process.stdout.readline().strip() == "stopped"
        assert time.perf_counter() - start < 1.0
        assert process.stdout.readline().strip() == "fine"
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()


def test_other_threads_run_during_a_fit():
    X = np.random.default_rng(0).normal(size=(200_000, 100))
    y = X[:, 0]
    counted, done = 0, threading.Event()

    def fit():
        gsfa.GSFA().fit(X, y)
        done.set()

    thread = threading.Thread(target=fit)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 5


def test_fits_in_several_threads_at_once():
    X = np.random.default_rng(0).normal(size=(5000, 20))
    y = X[:, 0]
    expected = gsfa.GSFA().fit(X, y).transform(X)
    results = [None] * 4

    def fit(k):
        results[k] = gsfa.GSFA(n_jobs=1 + k % 2).fit(X, y).transform(X)

    threads = [threading.Thread(target=fit, args=(k,)) for k in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(result, expected) for result in results)


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_can_fit():
    import multiprocessing

    X = np.random.default_rng(0).normal(size=(5000, 20))
    gsfa.GSFA().fit(X, X[:, 0])
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=lambda: queue.put(gsfa.GSFA().fit(X, X[:, 0]).delta_values_[0]))
    child.start()
    assert queue.get(timeout=60) < 1e-9
    child.join(10)
