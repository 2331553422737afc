"""Fits on Dask collections: samples in pieces on any number of machines.

Labels come first, since the graph is made from them; then every layer takes one or two passes of mergeable sums over the
pieces (inputs for PCA, scales and clipping, then expanded inputs for GSFA), and its outputs stay on the workers as the
pieces of the next layer. A worker that dies costs its pieces' work, nothing else.

Needs ``pip install gsfa[dask]``.
"""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._base import ModelEstimator
from ._checks import weighted
from ._cluster import Cluster
from ._default_graph import graph_for
from ._graph_specification import graph_of
from ._gsfa import GSFA
from ._hgsfa import HGSFA
from ._images import Shape
from ._json import text
from ._labels import LabelTable
from ._parameters import Number, check
from ._pieces import Pieces
from ._recipes import RecipeEstimator
from ._remarks import remembering
from ._spectra import Spectrum
from .errors import GsfaError, ParameterError, Remark
from .graphs import Graph, TrainingGraph

__all__ = ["PATIENCE", "Progress", "fit"]

E = TypeVar("E", bound=ModelEstimator)

PATIENCE = 20.0
"""Seconds without any worker after which a fit gives up."""

new_passes = _core.Passes
"""Where a training begins."""

MERGED = 8
"""Sums of so many pieces are merged at a time."""


@dataclass(frozen=True)
class Progress:
    """How far a fit is.

    Parameters
    ----------
    layer : int
        The layer that is trained, counted from 1.
    layers : int
        How many there are.
    done : int
        Pieces whose sums are there, of this pass over the samples; a layer takes one or two.
    pieces : int
        How many pieces there are.
    """

    layer: int
    layers: int
    done: int
    pieces: int


class _Shared:
    """What every worker needs to know: the graph and all labels. Built graphs are kept per process.

    Estimators of labels say in a table which these are; else the graph says which it needs.
    """

    _built: dict[str, _core.Graph] = {}

    def __init__(self, graph: Graph | TrainingGraph, y: Any, weights: Any, samples: int, table: LabelTable | None) -> None:
        self.token = uuid.uuid4().hex
        self.graph, self.y, self.weights, self.samples, self.table = graph, y, weights, samples, table

    def build(self) -> _core.Graph:
        built = self._built.get(self.token)
        if built is None:
            built = self._new()
            if len(self._built) > 3:
                self._built.clear()
            self._built[self.token] = built
        return built

    def _new(self) -> _core.Graph:
        if self.table is None:
            return self.graph._native(self.y, self.weights, X=np.empty((self.samples, 0)))
        assert isinstance(self.graph, Graph)
        return self.graph._built(self.samples, self.table.columns, self.weights)


def _sums(passes: Any, shared: _Shared, first_row: int, below: Any, original: Any) -> bytes:
    # One thread: the workers of a cluster have their own.
    sums: bytes = passes.sums(shared.build(), first_row, below, original, 1)
    return sums


def _merge(passes: Any, shared: _Shared, *sums: bytes) -> bytes:
    total = sums[0]
    for part in sums[1:]:
        total = passes.merge(shared.build(), total, part)
    return total


def _outputs(passes: Any, below: Any, original: Any, single: bool) -> NDArray[Any]:
    outputs: NDArray[Any] = passes.outputs(below, original, 1)
    return outputs.astype(np.float32) if single else outputs


def _same(value: Any) -> Any:
    # A task of its own and not scattered data: it can be made again if the worker that holds it dies.
    return value


def fit(
    estimator: E,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    client: Any = None,
    patience: float = PATIENCE,
    progress: Callable[[Progress], Any] | None = None,
) -> E:
    """Fits an estimator to samples that lie on a cluster.

    Parameters
    ----------
    estimator : GSFA, HGSFA, ELLRegressor or CompactClassifier
        What to fit; it is changed in place, as by its own ``fit``. Graphs that connect single samples (chains, edge
        lists, neighbours) are refused.
    X : dask array of shape (n_samples, n_features) or dask dataframe
        Samples in any chunking; for networks also images of shape (n_samples, height, width[, channels]). Other arrays
        and data frames are one piece.
    y : array-like or dask collection of shape (n_samples,) or (n_samples, n_labels)
        Labels. If X and y both have an index, it must be the same: rows are paired by their order.
    sample_weight : array-like or dask collection of shape (n_samples,), optional
        Weights; samples of weight zero are left out.
    client : dask.distributed.Client, optional
        The cluster; the current client if left out.
    patience : float, default=20.0
        Seconds without any worker after which the fit ends with a :class:`~gsfa.ClusterError`; workers that are there and
        give no sign of work for 2.5 times as long end it as well. A task may take as long as it needs. Clusters whose
        workers take minutes to start need more.
    progress : callable, optional
        Called with a :class:`Progress` whenever more pieces are done, ``progress=print`` for instance. What it raises ends
        the fit.

    Returns
    -------
    estimator
        Fitted: equal to a local fit within 1e-10. No samples are left out here: what is left open (network, ridge, target
        labels, read-out) is not chosen and has its default, and deviations and probabilities are those of training samples,
        as locally with ``calibrate=False``. ``notes_`` says what was not chosen.

    Raises
    ------
    GsfaError
        As the estimator's own ``fit``.
    ClusterError
        If workers die again and again, or do not come back.
    """
    from distributed import get_client

    check("patience", patience, (Number(0.0, above=True),), "gsfa.dask.fit")
    if not isinstance(estimator, (GSFA, HGSFA, RecipeEstimator)):
        raise GsfaError(
            f"{type(estimator).__name__} cannot be fitted on a cluster",
            hint="GSFA, HGSFA, ELLRegressor and CompactClassifier can",
        )
    estimator._check_parameters()
    if estimator.graph is not None and estimator.graph._needs_vectors:
        raise GsfaError(
            "neighbours of samples are not known on a cluster, where nobody sees all samples",
            hint="use a graph of labels, or fit locally",
            code="needs_random_access",
        )
    if progress is not None and not callable(progress):
        raise ParameterError(f"The 'progress' parameter of gsfa.dask.fit must be callable. Got {progress!r} instead.")
    with Cluster(get_client() if client is None else client, patience) as cluster:
        _fit(estimator, X, y, sample_weight, cluster, progress)
    return estimator


def _fit(
    estimator: GSFA | HGSFA | RecipeEstimator,
    X: Any,
    y: Any,
    sample_weight: Any,
    cluster: Cluster,
    progress: Callable[[Progress], Any] | None,
) -> None:
    pieces = Pieces.of(estimator, X, cluster)
    y, sample_weight = cluster.local(y), cluster.local(sample_weight)
    pieces.check_index(y=y, sample_weight=sample_weight)
    y = estimator._checked_y(y, np.empty((pieces.samples, 0)))
    if isinstance(estimator, RecipeEstimator):
        sample_weight = estimator._weights(y, sample_weight)
    kept, y, weights, said = weighted(np.arange(pieces.samples), y, sample_weight)
    pieces = pieces.rows(kept)
    pieces.check_finite(estimator)
    graph, table, spec, recipe, taken = _design(estimator, y, pieces.samples, pieces.shape)
    said += taken
    labels = (graph, y, weights, pieces.samples, table)
    built = _Shared(*labels).build()
    passes = new_passes(text("network", spec), pieces.single)
    shared = cluster.submit(_Shared, *labels)
    below = pieces.futures
    while not passes.is_complete:
        here = cluster.submit(_same, passes)
        parts = [
            cluster.submit(_sums, here, shared, start, b, o)
            for start, b, o in zip(pieces.starts, below, pieces.futures)
        ]
        if progress is not None:
            cluster.watch(parts, partial(_report, progress, passes.finished_layers, len(spec["layers"]), len(parts)))
        while len(parts) > 1:
            groups = [parts[k : k + MERGED] for k in range(0, len(parts), MERGED)]
            parts = [cluster.submit(_merge, here, shared, *group) for group in groups]
        finished = passes.finished_layers
        passes = passes.advanced(built, cluster.result(parts[0]))
        if passes.finished_layers > finished:
            here = cluster.submit(_same, passes)
            below = [cluster.submit(_outputs, here, b, o, pieces.single) for b, o in zip(below, pieces.futures)]
    readouts = None
    if recipe is not None:
        features = np.concatenate([np.asarray(part, dtype=np.float64) for part in cluster.results(below)])
        readouts = (text("parameters", recipe), np.ascontiguousarray(features))
    model = passes.model(built, estimator._names(), readouts)
    if isinstance(estimator, RecipeEstimator):
        assert table is not None
        estimator._keep(model, table, said)
    else:
        estimator._set_model(remembering(model, said))
        estimator.__dict__.pop("_sums", None)


def _report(tell: Callable[[Progress], Any], finished: int, layers: int, pieces: int, done: int) -> None:
    tell(Progress(finished + 1, layers, done, pieces))


def _design(
    estimator: GSFA | HGSFA | RecipeEstimator, y: Any, samples: int, shape: Shape
) -> tuple[Graph | TrainingGraph, LabelTable | None, dict[str, Any], dict[str, Any] | None, list[Remark]]:
    """Graph, labels, network and the recipe of read-outs, without labels and recipe if none are estimated; and what is to
    be said of them.
    """
    if isinstance(estimator, RecipeEstimator):
        table = estimator._table(y, samples)
        recipe = estimator._recipe()
        estimator._check_width(text("parameters", recipe), shape, table)
        graph_text, network = _core.design(text("parameters", recipe), shape, samples, table.columns)
        designed = graph_of(json.loads(graph_text), samples)
        assert designed is not None
        return designed, table, json.loads(network), recipe, _not_chosen(estimator)
    graph, taken = graph_for(estimator, y)
    built = graph._native(y, X=np.empty((samples, 0)))
    if isinstance(estimator, HGSFA):
        if estimator.network is None and estimator.ridge is None:
            taken = [*taken, _default("the ridge")]
        return graph, None, estimator._spec(shape, built, y), None, taken
    spec = estimator._network(shape[2])
    if estimator.n_components is None:
        if built.targets is None:
            raise GsfaError(
                "the number of features is not known before the last pass",
                hint="give n_components, or use a graph of target labels (Ell, Compact)",
            )
        spec["layers"][0]["output_dim"] = len(built.targets["names"])
    return graph, None, spec, None, taken


def _not_chosen(estimator: RecipeEstimator) -> list[Remark]:
    """What a local fit would have chosen by left-out samples, and what these would have told."""
    open_parts = {
        "the network": estimator.calibrate and estimator.network in (None, "auto"),
        "the preparation of spectra": estimator.calibrate and _leaves_open(estimator.spectrum),
        "the ridge": estimator.ridge is None and estimator.network in (None, "auto", "linear", "quadratic"),
        "the read-out": estimator.calibrate and estimator.readout is None,
    }
    left = [part for part, is_open in open_parts.items() if is_open]
    said = [_default(", ".join(left[:-1]) + " and " + left[-1] if len(left) > 1 else left[0])] if left else []
    if estimator.calibrate:
        told = (
            "no samples are left out on a cluster: deviations and probabilities are those of training samples, "
            "which flatters them; calibrate=False gives the same locally"
        )
        said.append(Remark(told, "in_sample"))
    return said


def _leaves_open(spectrum: Spectrum | bool | None) -> bool:
    """Whether left-out samples would choose how spectra are prepared."""
    return spectrum.snv is None or spectrum.derivative is None if isinstance(spectrum, Spectrum) else bool(spectrum)


def _default(what: str) -> Remark:
    verb = "have their defaults" if " and " in what else "has its default"
    text = f"{what} {verb}: a cluster leaves no samples out to choose by, as a local fit does; give what is known"
    return Remark(text, "not_chosen")
