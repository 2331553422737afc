"""Speed of the Python package beside scikit-learn and sklearn-sfa, on the same arrays in one run.

    python bench/python_peers.py [--rounds 3] [--scale 1.0] [--skip-slow]

Rounds alternate between programs, so that a busy machine disturbs all of them; the table shows the fastest round of each.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Callable

import numpy as np
from sklearn.cross_decomposition import CCA, PLSRegression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import gsfa
from gsfa import _core
from gsfa.graphs import Clustered, Ell


def fastest(cases: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, run in cases.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return {name: min(values) for name, values in times.items()}


def classes(rows: int, inputs: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, count, size=rows)
    X = rng.normal(size=(rows, inputs)) + rng.normal(size=(count, inputs))[y]
    return X, y


def targets(rows: int, inputs: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, inputs))
    return X, X @ rng.normal(size=(inputs, count)) + 3 * rng.normal(size=(rows, count))


def series(rows: int, inputs: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    t = np.arange(rows)[:, None]
    slow = np.sin(2 * np.pi * t / np.linspace(200, 2000, inputs // 2))
    return np.hstack([slow, rng.normal(size=(rows, inputs - inputs // 2))]) @ rng.normal(size=(inputs, inputs))


def show(line: str) -> None:
    print(line, flush=True)


def row(task: str, peer: str, theirs: float, ours: float, goal: str) -> str:
    return f"| {task} | {peer} | {theirs:.3f} | {ours:.3f} | {theirs / ours:.1f} | {goal} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0, help="factor of all numbers of samples")
    parser.add_argument("--skip-slow", action="store_true", help="leave out sklearn-sfa")
    options = parser.parse_args()
    # Line by line, so that an interrupted run shows what it has.
    show("| task | peer | peer, s | gsfa, s | ratio | goal |\n|---|---|---|---|---|---|")

    X, y = classes(int(100_000 * options.scale), 200, 32)
    graph = Clustered()
    times = fastest(
        {
            "gsfa": lambda: gsfa.GSFA(graph=graph).fit(X, y),
            "LDA, svd": lambda: LinearDiscriminantAnalysis().fit(X, y),
            "LDA, eigen": lambda: LinearDiscriminantAnalysis(solver="eigen").fit(X, y),
        },
        options.rounds,
    )
    for peer in ("LDA, svd", "LDA, eigen"):
        show(row(f"{len(X):,} × 200, 32 classes", peer, times[peer], times["gsfa"], "≥ 3"))

    built = graph.build(y)
    flat = {"output_dim": None, "ridge": 0.0, "surplus": "residual", "solver": "covariance"}
    native = fastest(
        {
            "python": lambda: gsfa.GSFA(graph=graph).fit(X, y),
            "rust": lambda: (graph.build(y), _core.fit_flat(X, built, flat, None, 0)),
        },
        2 * options.rounds,
    )
    overhead = 100 * (native["python"] / native["rust"] - 1)

    X, Y = targets(int(20_000 * options.scale), 200, 10)
    times = fastest(
        {
            "gsfa": lambda: gsfa.GSFA(graph=Ell(eigenvalues="equal")).fit(X, Y),
            "CCA": lambda: CCA(n_components=10).fit(X, Y),
            "PLS": lambda: PLSRegression(n_components=10).fit(X, Y),
        },
        options.rounds,
    )
    for peer in ("CCA", "PLS"):
        show(row(f"{len(X):,} × 200, 10 labels", peer, times[peer], times["gsfa"], "≥ 3"))

    if not options.skip_slow:
        import sksfa

        X = series(int(100_000 * options.scale), 200)
        ours = fastest({"gsfa": lambda: gsfa.SFA(10).fit(X)}, options.rounds)["gsfa"]
        theirs = fastest({"sksfa": lambda: sksfa.SFA(n_components=10).fit(X)}, 1)["sksfa"]
        show(row(f"{len(X):,} × 200, time series", "sklearn-sfa", theirs, ours, "≥ 100"))

    show(f"\nOverhead of the estimator over the native fit: {overhead:.1f} % (goal ≤ 5 %)")


if __name__ == "__main__":
    main()
