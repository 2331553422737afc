"""Few features: errors of one read-out on d features of several methods, on the folds of the first seed.

Classes: Gaussians with a shared covariance on the features. Numbers: the ten nearest neighbours on features of unit variance.
Columns are standardised for everybody but spectra. Ours are one linear node with a ridge of 0.01: a clustered graph or a
code of d features for classes, ELL with d target labels for numbers; and the same with quadratic terms of as many principal
components as have at most half as many terms as samples.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from accuracy_sets import Set, load
from sklearn.cross_decomposition import PLSRegression
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsRegressor, NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

DIMENSIONS = (2, 3, 5, 10)
RIDGE = 0.01
SETS = (
    "digits letter satimage penbased texture vowel segment optdigits movement_libras six_views "
    "diabetes boston concrete tecator friedman1"
).split()


def quadratic(x: np.ndarray) -> dict[str, Any]:
    import gsfa

    fits = [k for k in range(1, x.shape[1] + 1) if k * (k + 3) // 2 <= len(x) // 2]
    return {"expansion": gsfa.expansions.Polynomial(2), "pca": gsfa.expansions.Pca(components=fits[-1], whiten=True)}


def ours(d: int, graph: Any, x: np.ndarray, y: np.ndarray, **settings: Any) -> Callable[[np.ndarray], np.ndarray]:
    import gsfa

    return gsfa.GSFA(d, graph=graph, ridge=RIDGE, **settings).fit(x, y).transform


def methods(data: Set, d: int) -> dict[str, Callable[[np.ndarray, np.ndarray], Any]]:
    from gsfa import graphs

    common: dict[str, Callable[[np.ndarray, np.ndarray], Any]] = {
        "pca": lambda x, y: PCA(d, random_state=0).fit(x).transform,
    }
    if not data.classes:
        return common | {
            "pls": lambda x, y: PLSRegression(d, scale=False).fit(x, y).transform,
            "ell": lambda x, y: ours(d, graphs.Ell(d), x, y),
            "ell quadratic": lambda x, y: ours(d, graphs.Ell(d), x, y, **quadratic(x)),
        }
    indicators = lambda y: np.eye(int(y.max()) + 1)[y]
    return common | {
        "pls": lambda x, y: PLSRegression(d, scale=False).fit(x, indicators(y)).transform,
        "lda": lambda x, y: LinearDiscriminantAnalysis(solver="eigen", shrinkage="auto", n_components=d).fit(x, y).transform,
        "nca": lambda x, y: NeighborhoodComponentsAnalysis(d, max_iter=50, random_state=0).fit(x, y).transform,
        "clustered": lambda x, y: ours(d, graphs.Clustered(), x, y),
        "code": lambda x, y: ours(d, graphs.Compact(d, code="pairwise"), x, y),
        "code quadratic": lambda x, y: ours(d, graphs.Compact(d, code="pairwise"), x, y, **quadratic(x)),
    }


def error(data: Set, d: int, method: str, train: np.ndarray, test: np.ndarray) -> float:
    scale = StandardScaler(with_std=not data.spectrum).fit(data.x[train])
    x, new, y, truth = scale.transform(data.x[train]), scale.transform(data.x[test]), data.y[train], data.y[test]
    transform = methods(data, d)[method](x, y)
    a, b = np.asarray(transform(x)), np.asarray(transform(new))
    if data.classes:
        read = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=1e-6).fit(a, y)
        return float(np.mean(read.predict(b) != truth))
    read = make_pipeline(StandardScaler(), KNeighborsRegressor(10)).fit(a, y)
    return float(np.sqrt(np.mean((read.predict(b) - truth) ** 2)))


def few(sets: list[str], keep: Callable[[dict[str, Any]], None], done: dict[tuple[Any, ...], Any]) -> None:
    from accuracy import FOLDER, splits

    for name in (name.replace("_views", " views") for name in SETS):
        if name not in sets:
            continue
        data = load(name, FOLDER / "data")
        for d in DIMENSIONS:
            if d > data.x.shape[1] or data.classes and d >= len(np.unique(data.y)):
                continue
            for fold, train, test in splits(data, 0):
                for method in methods(data, d):
                    key = f"few {d} {method}"
                    if (name, 0, fold, key) in done:
                        continue
                    try:
                        result: dict[str, Any] = {"error": error(data, d, method, train, test)}
                    except Exception as fault:  # a method that cannot is a result, too
                        result = {"failed": f"{type(fault).__name__}: {fault}"}
                    keep({"set": name, "seed": 0, "fold": fold, "method": key, "features": d, **result})
