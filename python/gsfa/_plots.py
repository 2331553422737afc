"""Figures; matplotlib is an optional extra: ``pip install gsfa[plot]``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._parameters import Whole, check
from .errors import ParameterError
from .graphs import Graph, TrainingGraph

MOST = 400
"""Vertices of a matrix of edge weights that is drawn; of more, this many are picked."""


def free_responses(
    graph: Graph | TrainingGraph,
    y: Any = None,
    count: int = 5,
    *,
    sample_weight: ArrayLike | None = None,
    X: Any = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The slowest responses that a graph admits: what features would be if functions were unlimited.

    Parameters
    ----------
    graph : gsfa.graphs.Graph or gsfa.graphs.TrainingGraph
        The graph; of one that was built, labels only say in which order samples are drawn.
    y : array-like of shape (n_samples,) or (n_samples, n_labels), optional
        Labels of all samples.
    count : int, default=5
        How many.
    sample_weight : array-like of shape (n_samples,), optional
        Positive weights.
    X : array-like of shape (n_samples, n_features), optional
        Samples, for graphs without labels.

    Returns
    -------
    responses : ndarray of shape (n_samples, count)
        With weighted mean 0 and variance 1, and uncorrelated.
    delta_values : ndarray of shape (count,)
        Their Δ, ascending.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> y = np.array([3.0, 1.0, 2.0, 5.0])
    >>> responses, delta = gsfa.free_responses(gsfa.graphs.Ell(), y, 1)
    >>> responses.shape, responses[:, 0].round(4).tolist()
    ((4, 1), [0.169, -1.1832, -0.5071, 1.5213])
    """
    check("count", count, (Whole(1),), "free_responses")
    if isinstance(graph, Graph):
        graph = graph.build(y, sample_weight, X=X)
    elif sample_weight is not None:
        graph._native(y, sample_weight)
    return graph.free_responses(int(count))[:2]


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("figures need matplotlib: pip install 'gsfa[plot]'") from None
    return plt


def _tidy(delta: float) -> float:
    """Zero where only round-off is left."""
    return 0.0 if abs(delta) < 1e-12 else float(delta)


def _order(y: Any, samples: int) -> NDArray[np.intp]:
    """Samples in the order of the (first) label."""
    if y is None:
        return np.arange(samples)
    values = np.asarray(y)
    return np.argsort(values if values.ndim == 1 else values[:, 0], kind="stable")


def plot_free_responses(
    graph: Graph | TrainingGraph, y: Any = None, count: int = 4, *, X: Any = None, ax: Any = None
) -> Any:
    """Draws the slowest free responses over the samples in the order of their label.

    Parameters
    ----------
    graph : gsfa.graphs.Graph or gsfa.graphs.TrainingGraph
        The graph; of one that was built, labels only say in which order samples are drawn.
    y : array-like of shape (n_samples,), optional
        Labels of all samples.
    count : int, default=4
        How many responses.
    X : array-like of shape (n_samples, n_features), optional
        Samples, for graphs without labels.
    ax : matplotlib axes, optional
        Where to draw.

    Returns
    -------
    matplotlib axes
    """
    responses, deltas = free_responses(graph, y, count, X=X)
    order = _order(y, len(responses))
    if ax is None:
        _, ax = _pyplot().subplots(layout="constrained")
    numeric = y is not None and np.asarray(y).ndim == 1 and np.asarray(y).dtype.kind == "f"
    place = np.asarray(y)[order] if numeric else np.arange(len(order))
    for response, delta in zip(responses.T, deltas):
        ax.plot(place, response[order], label=f"Δ = {_tidy(delta):.3g}", linewidth=1.5)
    ax.set_xlabel("label" if numeric else "sample, in the order of the label")
    ax.set_ylabel("response")
    ax.legend(frameon=False)
    return ax


def plot_delta_values(*estimators: Any, labels: Any = None, ax: Any = None) -> Any:
    """Draws the delta values of fitted estimators, or of arrays of them, beside the level of noise.

    Parameters
    ----------
    *estimators : fitted estimators or arrays of shape (n_components,)
        What to compare.
    labels : sequence of str, optional
        Their names.
    ax : matplotlib axes, optional
        Where to draw.

    Returns
    -------
    matplotlib axes
    """
    if ax is None:
        _, ax = _pyplot().subplots(layout="constrained")
    ax.axhline(2.0, color="0.6", linewidth=1, linestyle="--")
    for k, estimator in enumerate(estimators):
        deltas = np.asarray(getattr(estimator, "delta_values_", estimator), dtype=np.float64)
        label = labels[k] if labels is not None else type(estimator).__name__
        ax.plot(np.arange(1, len(deltas) + 1), deltas, marker="o", markersize=4, label=label)
    ax.set_xlabel("feature")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_ylabel("Δ (2 is noise)")
    ax.legend(frameon=False)
    return ax


def plot_coef(estimator: Any, wavelengths: ArrayLike | None = None, *, ax: Any = None) -> Any:
    """Draws the coefficients of a fitted linear estimator as a spectrum: where each label is seen.

    Parameters
    ----------
    estimator : fitted estimator with coef_
        The estimator; coefficients of models with derivatives are those of spectra before these, after SNV if there is one.
    wavelengths : array-like of shape (n_features,), optional
        What columns stand for; their numbers if left out.
    ax : matplotlib axes, optional
        Where to draw.

    Returns
    -------
    matplotlib axes
    """
    coefficients = np.atleast_2d(estimator.coef_)
    place = np.arange(coefficients.shape[1]) if wavelengths is None else np.asarray(wavelengths)
    if place.shape != coefficients.shape[1:]:
        raise ParameterError(
            f"The 'wavelengths' parameter of plot_coef must have one value for each of {coefficients.shape[1]} columns. Got "
            f"shape {place.shape} instead.",
            details={"parameter": "wavelengths"},
        )
    if ax is None:
        _, ax = _pyplot().subplots(layout="constrained")
    ax.axhline(0.0, color="0.6", linewidth=1)
    names = getattr(estimator, "label_names_", None) or [f"feature {k + 1}" for k in range(len(coefficients))]
    for values, name in zip(coefficients, names):
        ax.plot(place, values, label=name, linewidth=1.5)
    ax.set_xlabel("column" if wavelengths is None else "wavelength")
    ax.set_ylabel("coefficient")
    if len(coefficients) > 1:
        ax.legend(frameon=False)
    return ax


def plot_graph(graph: TrainingGraph, y: Any, *, count: int, axes: Any) -> Any:
    """Edge weights as a matrix and free responses as lines."""
    order = _order(y, len(graph))
    if len(order) > MOST:
        order = order[np.linspace(0, len(order) - 1, MOST).astype(int)]
    if axes is None:
        figure, axes = _pyplot().subplots(1, 2, figsize=(9, 4), layout="constrained")
    else:
        figure = axes[0].figure
    weights = graph.edge_weights(order)
    largest = float(np.abs(weights).max())
    picture = axes[0].imshow(weights, cmap="RdBu_r", vmin=-largest, vmax=largest, interpolation="nearest")
    axes[0].set_title("edge weights")
    axes[0].set_xlabel("sample, in the order of the label")
    figure.colorbar(picture, ax=axes[0], shrink=0.8)
    plot_free_responses(graph, y, count, ax=axes[1])
    axes[1].set_title("free responses")
    return figure
