"""Fits on Dask collections: samples in pieces on any number of machines.

Labels come first, since the graph is made from them; then every layer takes one or two passes of mergeable sums over the
pieces (inputs for PCA, scales and clipping, then expanded inputs for GSFA), and its outputs stay on the workers as the
pieces of the next layer. A worker that dies costs its pieces' work, nothing else.

Needs ``pip install gsfa[dask]``.
"""

from __future__ import annotations

import json
import uuid
import warnings
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import SAMPLE_TYPES, ModelEstimator
from ._default_graph import graph_for
from ._gsfa import GSFA
from ._hgsfa import HGSFA
from ._labels import label_table
from ._recipes import CompactClassifier, ELLRegressor, RecipeEstimator
from .errors import GsfaError, GsfaWarning
from .graphs import Graph, graph_of

__all__ = ["fit"]

E = TypeVar("E", bound=ModelEstimator)

new_passes = _core.Passes
"""Where a training begins."""

MERGED = 8
"""Sums of so many pieces are merged at a time."""


class _Shared:
    """What every worker needs to know: the graph and all labels. Built graphs are kept per process."""

    _built: dict[str, _core.Graph] = {}

    def __init__(self, graph: Graph, y: Any, weights: Any, samples: int) -> None:
        self.token = uuid.uuid4().hex
        self.graph, self.y, self.weights, self.samples = graph, y, weights, samples

    def build(self) -> _core.Graph:
        if self.token not in self._built:
            if len(self._built) > 3:
                self._built.clear()
            self._built[self.token] = self.graph.build(self.y, self.weights, X=np.empty((self.samples, 0)))
        return self._built[self.token]


def _shared(graph: Graph, y: Any, weights: Any, samples: int) -> _Shared:
    # A task of its own and not scattered data: it can be made again if the worker that holds it dies.
    return _Shared(graph, y, weights, samples)


def _piece(block: Any, single: bool) -> NDArray[Any]:
    values = np.asarray(block)
    wanted = values.dtype if values.dtype in SAMPLE_TYPES else np.dtype(np.float32 if single else np.float64)
    return np.ascontiguousarray(values, dtype=wanted.newbyteorder("="))


def _sums(passes: Any, shared: _Shared, first_row: int, below: Any, original: Any, single: bool) -> list[bytes]:
    # One thread: the workers of a cluster have their own.
    sums: list[bytes] = passes.sums(shared.build(), first_row, _piece(below, single), _piece(original, single), 1)
    return sums


def _merge(passes: Any, shared: _Shared, *sums: list[bytes]) -> list[bytes]:
    total = sums[0]
    for part in sums[1:]:
        total = passes.merge(shared.build(), total, part)
    return total


def _outputs(passes: Any, below: Any, original: Any, single: bool) -> NDArray[Any]:
    outputs: NDArray[Any] = passes.outputs(_piece(below, single), _piece(original, single), 1)
    return outputs.astype(np.float32) if single else outputs


def _blocks(X: Any) -> tuple[list[Any], list[int], Any, list[str] | None]:
    """Delayed blocks of whole rows, their lengths, the type of the values and the names of the columns."""
    names = None
    if hasattr(X, "to_dask_array"):
        names = [str(name) for name in X.columns]
        X = X.to_dask_array(lengths=True)
    if X.ndim != 2:
        raise GsfaError(f"samples have {X.ndim} axes, two are needed", code="shape")
    if any(np.isnan(size) for size in X.chunks[0]):
        X = X.compute_chunk_sizes()
    X = X.rechunk({1: X.shape[1]})
    lengths = [int(size) for size in X.chunks[0]]
    return list(X.to_delayed().ravel()), lengths, X.dtype, names


def _local(values: Any) -> Any:
    return values.compute() if hasattr(values, "compute") else values


def fit(estimator: E, X: Any, y: Any = None, *, sample_weight: Any = None, client: Any = None) -> E:
    """Fits an estimator to samples that lie on a cluster.

    Parameters
    ----------
    estimator : GSFA, HGSFA, ELLRegressor or CompactClassifier
        What to fit; it is changed in place, as by its own ``fit``. Graphs that connect single samples (chains, edge
        lists, neighbours) are refused.
    X : dask array of shape (n_samples, n_features) or dask dataframe
        Samples in any chunking.
    y : array-like or dask collection of shape (n_samples,) or (n_samples, n_labels)
        Labels.
    sample_weight : array-like or dask collection of shape (n_samples,), optional
        Positive weights.
    client : dask.distributed.Client, optional
        The cluster; the current client if left out.

    Returns
    -------
    estimator
        Fitted: equal to a local fit within 1e-10. No samples are left out here: a ridge that is left open is not chosen, and
        deviations and probabilities are those of training samples, as locally with ``calibrate=False``.
    """
    from distributed import get_client

    client = get_client() if client is None else client
    blocks, lengths, dtype, names = _blocks(X)
    samples, columns = sum(lengths), int(X.shape[1]) if not hasattr(X, "to_dask_array") else len(names or [])
    y = _local(y)
    weights = None if sample_weight is None else np.ascontiguousarray(_local(sample_weight), dtype=np.float64)
    if y is not None and len(y) != samples:
        raise GsfaError(f"X has {samples} rows, y has {len(y)}", code="length_mismatch")
    single = np.dtype(dtype) in (np.dtype(np.float32), np.dtype(np.uint8))
    graph, spec, recipe = _design(estimator, y, samples, columns)
    task = _shared(graph, y, weights, samples)
    built = task.build()
    passes = new_passes(json.dumps(spec), single)
    shared = client.submit(_shared, graph, y, weights, samples, pure=False)
    original = client.compute(blocks)
    below = original
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(int).tolist()
    while not passes.is_complete:
        here = client.submit(_same, passes, pure=False)
        parts = [
            client.submit(_sums, here, shared, start, b, o, single, pure=False)
            for start, b, o in zip(starts, below, original)
        ]
        while len(parts) > 1:
            groups = [parts[k : k + MERGED] for k in range(0, len(parts), MERGED)]
            parts = [client.submit(_merge, here, shared, *group, pure=False) for group in groups]
        finished = passes.finished_layers
        passes = passes.advanced(built, parts[0].result())
        if passes.finished_layers > finished:
            here = client.submit(_same, passes, pure=False)
            below = [
                client.submit(_outputs, here, b, o, single, pure=False) for b, o in zip(below, original)
            ]
    readouts = None
    if recipe is not None:
        features = np.concatenate([np.asarray(part, dtype=np.float64) for part in client.gather(below)])
        readouts = (json.dumps(recipe), np.ascontiguousarray(features))
    _finish(estimator, passes.model(built, names, readouts), columns, names, y)
    return estimator


def _same(passes: Any) -> Any:
    return passes


def _design(
    estimator: ModelEstimator, y: Any, samples: int, columns: int
) -> tuple[Graph, dict[str, Any], dict[str, Any] | None]:
    """Graph, network, and for estimators of labels the recipe of their read-outs."""
    if isinstance(estimator, RecipeEstimator):
        numbers = isinstance(estimator, ELLRegressor)
        table = label_table(y, samples, numbers=numbers, classes=not numbers)
        recipe = estimator._recipe()
        graph_text, network = _core.design(json.dumps(recipe), (1, 1, columns), samples, table.columns)
        graph = graph_of(json.loads(graph_text))
        assert graph is not None
        if estimator.calibrate:
            warnings.warn(
                "no samples are left out on a cluster: deviations and probabilities are those of training samples, "
                "which flatters them; calibrate=False gives the same locally",
                GsfaWarning,
                stacklevel=3,
            )
        if estimator.ridge is None and recipe["network"].get("kind", "auto") in ("auto", "linear", "quadratic"):
            warnings.warn(
                "the ridge is not chosen by cross-validation on a cluster; give one to have the same as locally",
                GsfaWarning,
                stacklevel=3,
            )
        return graph, json.loads(network), recipe
    if isinstance(estimator, (GSFA, HGSFA)):
        graph = graph_for(estimator, y)
        if isinstance(estimator, HGSFA):
            built = graph.build(y, X=np.empty((samples, 0)))
            return graph, estimator._spec((1, 1, columns), built, y), None
        if estimator.n_components is None:
            built = graph.build(y, X=np.empty((samples, 0)))
            if built.targets is None:
                raise GsfaError(
                    "the number of features is not known before the last pass",
                    hint="give n_components, or use a graph of target labels (Ell, Compact)",
                )
            spec = estimator._network(columns)
            spec["layers"][0]["output_dim"] = len(built.targets["names"])
            return graph, spec, None
        return graph, estimator._network(columns), None
    raise GsfaError(f"{type(estimator).__name__} cannot be fitted on a cluster")


def _finish(estimator: ModelEstimator, model: _core.Model, columns: int, names: list[str] | None, y: Any) -> None:
    estimator.n_features_in_ = columns
    if names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    if isinstance(estimator, (GSFA, HGSFA)):
        estimator._set_model(model)
        return
    header = estimator._take_summary(model)
    if isinstance(estimator, ELLRegressor):
        estimator.label_names_ = [info["label"] for info in header["readouts"]]
        estimator._flat_output = len(header["readouts"]) == 1
    elif isinstance(estimator, CompactClassifier):
        estimator.classes_ = np.unique(np.asarray(y))
