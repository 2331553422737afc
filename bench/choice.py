#!/usr/bin/env python3
"""What the defaults choose, beside what one would take without choosing: RidgeCV and shrunk discriminant analysis.

    bench/choice.py tables                 scikit-learn's tables, 10 folds x 3 seeds, paired
    bench/choice.py faces FOLDER           rendered faces (images.npy, labels.csv), three splits: gender alone, all labels
    bench/choice.py few FOLDER             320 of them, three draws
    bench/choice.py time                   seconds of a default fit on digits and diabetes

Needs the package and scikit-learn: python/build, then target/venv/bin/python bench/choice.py.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path
from typing import Any, Callable

import numpy as np
from sklearn import datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gsfa

SEEDS = (0, 1, 2)
FOLDS = 10
Error = Callable[[Any, Any], float]


def rmse(truth: Any, estimate: Any) -> float:
    """Root mean square over all labels."""
    return float(np.sqrt(np.mean((np.asarray(truth, float) - np.asarray(estimate, float)) ** 2)))


def rate(truth: Any, estimate: Any) -> float:
    return float(np.mean(np.asarray(truth) != np.asarray(estimate)))


def tables() -> None:
    ridge = lambda: make_pipeline(StandardScaler(), RidgeCV(np.logspace(-4, 4, 33)))
    lda = lambda: make_pipeline(StandardScaler(), LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"))
    regression = {
        "diabetes": datasets.load_diabetes(return_X_y=True),
        "friedman1": datasets.make_friedman1(300, noise=1.0, random_state=0),
        "friedman2": datasets.make_friedman2(300, noise=100.0, random_state=0),
        "friedman3": datasets.make_friedman3(300, noise=0.1, random_state=0),
        "linnerud": datasets.load_linnerud(return_X_y=True),
    }
    classes = {
        "digits": datasets.load_digits(return_X_y=True),
        "wine": datasets.load_wine(return_X_y=True),
        "cancer": datasets.load_breast_cancer(return_X_y=True),
        "iris": datasets.load_iris(return_X_y=True),
    }
    print(f"{'table':10} {'ours':>8} {'other':>8} {'difference':>11} {'2 x its se':>10}  taken")
    for name, (x, y) in regression.items():
        # Labels in units of their deviation.
        compare(name, x, (y - y.mean(axis=0)) / y.std(axis=0), gsfa.ELLRegressor, ridge, rmse, KFold)
    for name, (x, y) in classes.items():
        compare(name, x, y, gsfa.CompactClassifier, lda, rate, StratifiedKFold)


def compare(name: str, x: Any, y: Any, ours: Any, other: Any, error: Error, split: Any) -> None:
    pairs, taken = [], {}
    for seed in SEEDS:
        for train, test in split(FOLDS, shuffle=True, random_state=seed).split(x, y):
            model = ours().fit(x[train], y[train])
            what = model.selection_["tried"][model.selection_["taken"]]["name"] if model.selection_ else "-"
            taken[what] = taken.get(what, 0) + 1
            baseline = other().fit(x[train], y[train])
            pairs.append((error(y[test], model.predict(x[test])), error(y[test], baseline.predict(x[test]))))
    both = np.array(pairs)
    difference = both[:, 0] - both[:, 1]
    spread = 2 * difference.std(ddof=1) / np.sqrt(len(difference))
    verdict = "worse" if difference.mean() > spread else "better" if difference.mean() < -spread else "same"
    counts = ", ".join(f"{what} {count}" for what, count in sorted(taken.items(), key=lambda item: -item[1]))
    print(
        f"{name:10} {both[:, 0].mean():8.4f} {both[:, 1].mean():8.4f} {difference.mean():+11.4f} {spread:10.4f}  "
        f"{verdict}; {counts}",
        flush=True,
    )


def faces(folder: str) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Images of one mean intensity, as the paper has them, and labels; of three race weights two say it all."""
    images = np.load(Path(folder) / "images.npy").astype(np.float32)
    images *= images.mean() / images.mean(axis=(1, 2), keepdims=True)
    table = np.genfromtxt(Path(folder) / "labels.csv", delimiter=",", names=True)
    names = [name for name in table.dtype.names if name != "index"][:-1]
    return images, {name: table[name] for name in names}


def learn(x: np.ndarray, y: np.ndarray, new: np.ndarray, truth: np.ndarray, **settings: Any) -> tuple[float, str, float]:
    started = time.perf_counter()
    model = gsfa.ELLRegressor(**settings).fit(x, y)
    seconds = time.perf_counter() - started
    estimate = np.asarray(model.predict(new))
    estimate = estimate[:, 0] if estimate.ndim == 2 else estimate
    selection = model.selection_ or {"tried": [], "taken": 0}
    for k, tried in enumerate(selection["tried"]):
        mark = "*" if k == selection["taken"] else " "
        loss = "not judged" if tried["loss"] is None else f"{tried['loss']:.4f} ± {tried['error']:.4f}"
        print(f"    {mark} {tried['name']:45} {loss:18} ridge {tried['ridge']} {tried['work']:.1e}")
    taken = selection["tried"][selection["taken"]]["name"] if selection["tried"] else "-"
    return float(np.sqrt(np.mean((estimate - truth) ** 2))), taken, seconds


def on_faces(folder: str, training: int, what: tuple[str, ...]) -> None:
    images, labels = faces(folder)
    gender = labels["gender"]
    order = ["gender", "age", *[name for name in labels if name.startswith("race")], "color"]
    every = np.column_stack([labels[name] for name in order])
    results: dict[str, list[float]] = {}
    for seed in SEEDS:
        rows = np.random.default_rng(seed).permutation(len(images))
        train, test = rows[:training], rows[-1200:]
        cases = {
            "linear": (gender, {"network": "linear"}),
            "gender alone": (gender, {}),
            "all labels": (every, {}),
        }
        for name in what:
            y, settings = cases[name]
            error, taken, seconds = learn(images[train], y[train], images[test], gender[test], **settings)
            results.setdefault(name, []).append(error)
            print(f"split {seed}, {name}: gender RMSE {error:.4f}, {taken}, {seconds:.0f} s", flush=True)
    for name, errors in results.items():
        spread = np.std(errors, ddof=1) if len(errors) > 1 else 0.0
        print(f"{name}: {np.mean(errors):.4f} ± {spread:.4f} over {len(errors)} splits")


def seconds() -> None:
    for name, model, (x, y) in (
        ("digits", gsfa.CompactClassifier(), datasets.load_digits(return_X_y=True)),
        ("diabetes", gsfa.ELLRegressor(), datasets.load_diabetes(return_X_y=True)),
    ):
        started = time.perf_counter()
        model.fit(x, y)
        print(f"{name}: {time.perf_counter() - started:.2f} s", flush=True)


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore")
    match arguments:
        case ["tables"]:
            tables()
        case ["faces", folder, *what]:
            on_faces(folder, 10_800, tuple(what) or ("linear", "gender alone", "all labels"))
        case ["few", folder]:
            on_faces(folder, 320, ("linear", "gender alone"))
        case ["time"]:
            seconds()
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
