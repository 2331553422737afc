#!/usr/bin/env python3
"""Accuracy beside what people use: defaults of ours, and programs of scikit-learn whose settings are chosen by folds.

    bench/accuracy.py run [--methods ours,ridge] [--sets iris,wine] [--seeds 0]   measures what is not measured yet
    bench/accuracy.py few [--sets ...]                                            few features, the same read-out for all
    bench/accuracy.py list                                                        sets, and what is measured of them

Needs the package and scikit-learn: python/build, then target/venv/bin/python bench/accuracy.py run. Every result is added to
.venv-bench/accuracy.jsonl as it comes, and a run that was stopped goes on from there. bench/accuracy_page.py makes
docs/accuracy.md of it, whose head is the protocol.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator

# One thread for everybody: times can be compared, and other work goes on beside.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np
from accuracy_sets import SETS, Set, install, load
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cross_decomposition import PLSRegression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv-bench"
RESULTS = FOLDER / "accuracy.jsonl"

SEEDS = (0, 1)
FOLDS = 5
INNER = 5
WIDE = 1.6448536269514722
"""Deviations on both sides that hold 90 % of a Gaussian."""

# Widths of kernels in units of 1 / (2 x inputs): at 1, columns of unit variance are on average one width apart.
WIDTHS = (0.1, 0.3, 1.0, 3.0)
COSTS = (1.0, 10.0, 100.0)
FEW_CLASSES = 3
"""Boosting trains as many trees as there are classes: above this number it is not tuned, but stops early by itself."""

Fit = Callable[[Set, np.ndarray, np.ndarray, int], Any]


def scaled(model: Any) -> Any:
    return make_pipeline(StandardScaler(), model)


def widths(x: np.ndarray) -> list[float]:
    return [factor / (2 * x.shape[1]) for factor in WIDTHS]


def grid(model: Any, settings: dict[str, Any], data: Set, seed: int) -> GridSearchCV:
    """Inner folds; squared errors of numbers and the rate of errors of classes choose."""
    splitter = StratifiedKFold if data.classes else KFold
    score = "accuracy" if data.classes else "neg_mean_squared_error"
    return GridSearchCV(model, settings, scoring=score, cv=splitter(INNER, shuffle=True, random_state=seed))


def ours(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    import gsfa

    return (gsfa.CompactClassifier if data.classes else gsfa.ELLRegressor)(n_jobs=1).fit(x, y)


def ridge(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    return scaled(RidgeCV(np.logspace(-4, 4, 33))).fit(x, y)


def lda(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    return scaled(LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")).fit(x, y)


def pls(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    most = min(15, x.shape[1], len(x) * (INNER - 1) // INNER - 1)
    settings = {"plsregression__n_components": list(range(1, most + 1))}
    return grid(make_pipeline(PLSRegression(scale=not data.spectrum)), settings, data, seed).fit(x, y)


def svm(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    settings = {"C": COSTS, "gamma": widths(x)}
    if data.classes:
        return grid(scaled(SVC()), {f"svc__{k}": v for k, v in settings.items()}, data, seed).fit(x, y)
    if y.ndim == 2:
        inside = {f"multioutputregressor__estimator__{k}": v for k, v in settings.items()}
        return grid(scaled(MultiOutputRegressor(SVR())), inside, data, seed).fit(x, y)
    return grid(scaled(SVR()), {f"svr__{k}": v for k, v in settings.items()}, data, seed).fit(x, y)


def kernel_ridge(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    settings = {"kernelridge__alpha": [1e-3, 1e-2, 1e-1, 1.0], "kernelridge__gamma": widths(x)}
    return grid(scaled(KernelRidge(kernel="rbf")), settings, data, seed).fit(x, y)


def forest(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    kind = RandomForestClassifier if data.classes else RandomForestRegressor
    settings = {"max_features": ["sqrt", 0.33] if data.classes else [0.33, 1.0]}
    return grid(kind(100, random_state=seed), settings, data, seed).fit(x, y)


def boosting(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    if data.classes and len(np.unique(y)) > FEW_CLASSES:
        # A tenth of the samples says when to stop.
        return HistGradientBoostingClassifier(early_stopping=True, random_state=seed).fit(x, y)
    settings = {"max_leaf_nodes": [7, 31]}
    if data.classes:
        return grid(HistGradientBoostingClassifier(random_state=seed), settings, data, seed).fit(x, y)
    if y.ndim == 2:
        inside = {f"estimator__{k}": v for k, v in settings.items()}
        model = MultiOutputRegressor(HistGradientBoostingRegressor(random_state=seed))
        return grid(model, inside, data, seed).fit(x, y)
    return grid(HistGradientBoostingRegressor(random_state=seed), settings, data, seed).fit(x, y)


def neighbors(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    kind = KNeighborsClassifier if data.classes else KNeighborsRegressor
    most = len(x) * (INNER - 1) // INNER - 1
    name = kind.__name__.lower()
    settings = {
        f"{name}__n_neighbors": [k for k in (1, 3, 5, 10, 20) if k <= most],
        f"{name}__weights": ["uniform", "distance"],
    }
    return grid(scaled(kind()), settings, data, seed).fit(x, y)


def logistic(data: Set, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    settings = {"logisticregression__C": [1e-2, 1e-1, 1.0, 10.0]}
    return grid(scaled(LogisticRegression(max_iter=300)), settings, data, seed).fit(x, y)


FOR_NUMBERS: dict[str, Fit] = {
    "ours": ours,
    "ridge": ridge,
    "pls": pls,
    "svm": svm,
    "kernel ridge": kernel_ridge,
    "forest": forest,
    "boosting": boosting,
    "neighbors": neighbors,
}
FOR_CLASSES: dict[str, Fit] = {
    "ours": ours,
    "lda": lda,
    "logistic": logistic,
    "svm": svm,
    "forest": forest,
    "boosting": boosting,
    "neighbors": neighbors,
}


def deviation(model: Any, x: np.ndarray) -> Any:
    """What a method says of the errors of its numbers; those that say nothing, the root of the error of their inner folds."""
    if hasattr(model, "predict_std"):
        return model.predict_std(x)
    best = model.best_score_ if hasattr(model, "best_score_") else model[-1].best_score_
    return np.sqrt(max(-float(best), 1e-12))


def probabilities(model: Any, data: Set, x: np.ndarray, y: np.ndarray, new: np.ndarray) -> Any:
    """Those of a method; of support vectors the sigmoid of five folds, which is not in their times."""
    inner = getattr(model, "best_estimator_", model)
    if hasattr(inner, "predict_proba"):
        return inner.predict_proba(new)
    return CalibratedClassifierCV(inner, ensemble=False, cv=INNER).fit(x, y).predict_proba(new)


def measure(fit: Fit, data: Set, train: np.ndarray, test: np.ndarray, seed: int) -> dict[str, Any]:
    x, y, new, truth = data.x[train], data.y[train], data.x[test], data.y[test]
    started = time.process_time()
    model = fit(data, x, y, seed)
    fitted = time.process_time()
    estimate = np.asarray(model.predict(new))
    done = time.process_time()
    result: dict[str, Any] = {"fit": fitted - started, "predict": done - fitted, "train": len(train), "test": len(test)}
    if data.classes:
        result["error"] = float(np.mean(estimate != truth))
        shares = np.clip(probabilities(model, data, x, y, new), 1e-6, None)
        shares /= shares.sum(axis=1, keepdims=True)
        result["loss"] = float(log_loss(truth, shares, labels=np.unique(y)))
    else:
        away = np.asarray(estimate, float).reshape(truth.shape) - truth
        result["error"] = float(np.sqrt(np.mean(away**2)))
        sigma = np.asarray(deviation(model, new), float)
        sigma = np.maximum(sigma.reshape(truth.shape) if sigma.ndim else np.full(truth.shape, sigma), 1e-6)
        result["loss"] = float(np.mean(0.5 * np.log(2 * np.pi * sigma**2) + 0.5 * (away / sigma) ** 2))
        result["coverage"] = float(np.mean(np.abs(away) <= WIDE * sigma))
    selection = getattr(model, "selection_", None)
    if selection and selection.get("tried"):
        result["taken"] = selection["tried"][selection["taken"]]["name"]
    elif hasattr(model, "best_params_"):
        result["taken"] = str(model.best_params_)
    return result


def splits(data: Set, seed: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    splitter = StratifiedKFold if data.classes else KFold
    parts = splitter(FOLDS, shuffle=True, random_state=seed).split(data.x, data.y if data.classes else None)
    for fold, (train, test) in enumerate(parts):
        yield fold, train, test


def known() -> dict[tuple[Any, ...], dict[str, Any]]:
    if not RESULTS.exists():
        return {}
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    return {(row["set"], row["seed"], row["fold"], row["method"]): row for row in rows}


def keep(row: dict[str, Any]) -> None:
    with RESULTS.open("a") as file:
        file.write(json.dumps(row) + "\n")


def run(sets: list[str], methods: list[str] | None, seeds: list[int]) -> None:
    """All sets with the first seed, then all with the second: what is there is complete as far as it goes."""
    done = known()
    for seed in seeds:
        for name in sets:
            data = load(name, FOLDER / "data")
            for fold, train, test in splits(data, seed):
                for method, fit in (FOR_CLASSES if data.classes else FOR_NUMBERS).items():
                    if (name, seed, fold, method) in done or methods and method not in methods:
                        continue
                    try:
                        result = measure(fit, data, train, test, seed)
                    except Exception as error:  # a method that cannot is a result, too
                        result = {"failed": f"{type(error).__name__}: {error}"}
                    keep({"set": name, "seed": seed, "fold": fold, "method": method, **result})


def show(sets: list[str]) -> None:
    done = known()
    for name in sets:
        count = sum(key[0] == name for key in done)
        print(f"{name:16} {count} results")


def main() -> None:
    warnings.simplefilter("ignore")
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("command", choices=("run", "few", "list"))
    parse.add_argument("--sets", default=",".join(SETS))
    parse.add_argument("--methods")
    parse.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    given = parse.parse_args()
    sets, seeds = given.sets.split(","), [int(seed) for seed in given.seeds.split(",")]
    install(FOLDER / "data")
    if given.command == "list":
        show(sets)
    elif given.command == "few":
        from accuracy_few import few

        few(sets, keep, known())
    else:
        run(sets, given.methods.split(",") if given.methods else None, seeds)


if __name__ == "__main__":
    main()
