"""Maps of classes: two features that tell them apart, drawn beside those of discriminant analysis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ._class_readouts import GaussianClassifier
from ._gsfa import GSFA
from ._parameters import Whole, check
from ._plots import _pyplot
from .errors import ParameterError
from .graphs import Clustered, Compact


def _folds(y: NDArray[Any], count: int) -> NDArray[np.intp]:
    """The fold of each sample: those of a class are dealt in turn, so that every fold has all classes if they are large enough."""
    fold = np.zeros(len(y), dtype=np.intp)
    for name in np.unique(y):
        members = np.flatnonzero(y == name)
        fold[members] = np.arange(len(members)) % count
    return fold


def left_out_error(estimator: Any, X: Any, y: NDArray[Any], folds: int) -> float:
    """The share of samples that a Gaussian with a shared covariance gets wrong, each left out of all training."""
    fold, wrong = _folds(y, folds), 0
    for k in range(folds):
        train, test = fold != k, fold == k
        fitted = clone(estimator).fit(X[train], y[train])
        readout = GaussianClassifier(covariance="shared").fit(fitted.transform(X[train]), y[train])
        wrong += int((readout.predict(fitted.transform(X[test])) != y[test]).sum())
    return wrong / len(y)


def _ellipse(features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of the ellipse of two deviations about the mean."""
    angle = np.linspace(0, 2 * np.pi, 73)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    deviations = np.linalg.cholesky(np.cov(features.T) + 1e-12 * np.eye(2)) if len(features) > 2 else np.zeros((2, 2))
    points: NDArray[np.float64] = features.mean(axis=0) + 2 * (deviations @ circle).T
    return points


def plot_map(
    X: Any,
    y: Any,
    *,
    new: Any = None,
    estimator: GSFA | None = None,
    folds: int = 5,
    axes: Any = None,
) -> Any:
    """Draws classes by two features that are learned to tell them apart, and beside them by those of discriminant analysis.

    Every class has its samples, its centre and the ellipse of two deviations; new samples lie on top. The title says how many
    samples are told wrong from these two features when they are left out of all training. Nothing is random: the same samples
    give the same map, and new samples do not move the others.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Their classes, at least three.
    new : array-like of shape (n_new, n_features), optional
        Further samples, whose classes nobody knows.
    estimator : GSFA, optional
        Expansion, ridge and code to take; linear, standardised, with a ridge of 0.01 and a pairwise code if left out. It is not
        changed.
    folds : int, default=5
        Parts that are left out in turn.
    axes : sequence of two matplotlib axes, optional
        Where to draw.

    Returns
    -------
    ndarray of two matplotlib axes
    """
    check("folds", folds, (Whole(2),), "plot_map")
    X, y = np.asarray(X), np.asarray(y)
    names = np.unique(y)
    if len(names) < 3:
        raise ParameterError(
            f"The 'y' parameter of plot_map must have at least 3 classes. Got {len(names)} instead.",
            details={"parameter": "y"},
        )
    if estimator is None:
        estimator = GSFA(graph=Compact(code="pairwise"), standardize=True, ridge=0.01)
    if axes is None:
        _, axes = _pyplot().subplots(1, 2, figsize=(11, 5), layout="constrained")
    axes = np.asarray(axes).ravel()
    maps = (("learned code", estimator.graph), ("discriminant analysis", Clustered()))
    for ax, (name, graph) in zip(axes, maps):
        one = clone(estimator).set_params(n_components=2, graph=graph)
        error = left_out_error(one, X, y, folds)
        _draw(ax, one.fit(X, y), X, y, new)
        ax.set_title(f"{name}: {100 * error:.1f} % errors on left-out samples")
    return axes


def _draw(ax: Any, fitted: GSFA, X: NDArray[Any], y: NDArray[Any], new: Any) -> None:
    features = fitted.transform(X)
    names = np.unique(y)
    size = 12 if len(y) <= 400 else 4
    for k, name in enumerate(names):
        own, colour = features[y == name], f"C{k % 10}"
        ax.scatter(*own.T, s=size, color=colour, alpha=0.45, linewidths=0)
        ax.plot(*_ellipse(own).T, color=colour, linewidth=1)
    for k, name in enumerate(names):
        # On top of all samples.
        centre = features[y == name].mean(axis=0)
        box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": f"C{k % 10}", "alpha": 0.85}
        ax.annotate(str(name), centre, ha="center", va="center", fontsize=8, bbox=box)
    if new is not None:
        ax.scatter(*fitted.transform(np.asarray(new)).T, s=28, marker="x", color="black", linewidths=1.2, label="new")
        ax.legend(frameon=False)
    ax.set_xlabel("first feature")
    ax.set_ylabel("second feature")
