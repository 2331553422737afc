"""What all specifications of graphs share: building, analysing, adding, and the way into and out of files."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._json import text
from ._labels import label_count, label_table, refuse_other_than_real
from ._parameters import Instance, Number, Sorts, Whole, check, check_all
from ._training_graph import TrainingGraph
from .errors import GsfaError

EdgeArrays = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Ends and weights of edges."""

SHARE = Number(0.0, above=True)

KINDS: dict[str, type[Graph]] = {}
"""The class of each kind of graph."""


@dataclass(frozen=True)
class Analysis:
    """What can be known about a graph before training.

    Attributes
    ----------
    q : float
        Q, the sum of the vertex weights.
    r : float
        R, the sum of the edge weights over ordered pairs.
    consistent : bool
        Whether vertex weights and edge weights agree, ``v/Q = Γ1/R`` for every vertex.
    violation : float
        The largest difference of the two sides.
    components : int
        The number of connected components; k of them give k − 1 responses with Δ = 0.
    smallest_edge : float
        The smallest edge weight; negative ones make vertices dissimilar.
    delta_values : ndarray of shape (n_responses,)
        Δ of the slowest free responses, ascending: 0 is as slow as can be, 2 is noise.
    vertex_weights : ndarray of shape (n_samples,)
        v.
    degrees : ndarray of shape (n_samples,)
        Γ1.
    notes : tuple of str
        Remarks about how the graph was built.
    """

    q: float
    r: float
    consistent: bool
    violation: float
    components: int
    smallest_edge: float
    delta_values: NDArray[np.float64]
    vertex_weights: NDArray[np.float64] = field(repr=False)
    degrees: NDArray[np.float64] = field(repr=False)
    notes: tuple[str, ...] = ()


class Graph:
    """A training graph. Graphs can be weighted and added: ``0.7 * Ell() + 0.3 * Serial()``."""

    _kind: ClassVar[str] = ""
    _needs: ClassVar[frozenset[str]] = frozenset()
    _allowed: ClassVar[Sorts] = {}
    # Where a sequence may be given: the key of the table in which it stands.
    _lists: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if "_kind" in vars(cls):
            KINDS[cls._kind] = cls

    def __post_init__(self) -> None:
        check_all(self, self._allowed)
        for name in self._allowed:
            object.__setattr__(self, name, _plain(getattr(self, name)))

    def _spec(self) -> dict[str, Any]:
        """The specification as the library reads it."""
        spec: dict[str, Any] = {"kind": self._kind}
        for name in self._allowed:
            value = getattr(self, name)
            if isinstance(value, tuple):
                value = {self._lists[name]: list(value)} if name in self._lists else list(value)
            if value is not None:
                spec[name] = value
        return spec

    @classmethod
    def _of_spec(cls, spec: dict[str, Any], samples: int) -> Graph:
        fields = {name: value for name, value in spec.items() if name != "kind"}
        for name, key in cls._lists.items():
            if isinstance(fields.get(name), dict):
                fields[name] = fields[name].get(key, fields[name])
        return cls(**fields)

    @property
    def _numbers(self) -> bool:
        return bool(self._needs & {"number", "numbers"})

    @property
    def _classes(self) -> bool:
        return "class" in self._needs or getattr(self, "sequences", None) is not None

    @property
    def _semi_supervised(self) -> bool:
        return bool(getattr(self, "semi_supervised", False))

    @property
    def _needs_vectors(self) -> bool:
        return "vectors" in self._needs

    def _parts(self) -> tuple[dict[str, Any], list[EdgeArrays]]:
        """The specification with lists of edges left empty, and these as arrays in their order."""
        return self._spec(), []

    @property
    def needs_labels(self) -> bool:
        """Whether the graph is made from labels."""
        return self._numbers or self._classes

    def build(
        self, y: Any = None, sample_weight: ArrayLike | None = None, *, X: Any = None
    ) -> TrainingGraph:
        """The graph of given samples: a value that can be looked at, changed into others, and trained with.

        Parameters
        ----------
        y : array-like of shape (n_samples,) or (n_samples, n_labels), data frame or mapping, optional
            Labels of all samples; of several, a frame or a mapping says the names.
        sample_weight : array-like of shape (n_samples,), optional
            Positive weights.
        X : array-like of shape (n_samples, n_features), optional
            Vectors for graphs of neighbours; for other graphs only their number counts.

        Returns
        -------
        TrainingGraph

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Ell(targets=4).build(np.arange(30.0))
        >>> G.edge_weights().shape, G.consistency().holds
        ((30, 30), True)
        >>> abs(G.free_responses(5).delta_values).round(9).tolist()
        [0.0, 0.5, 1.0, 1.5, 2.0]
        """
        samples, columns, weights, vectors, edges = self._input(y, sample_weight, X)
        made = self._built(samples, columns, weights, vectors, edges)
        if vectors is not None or edges:
            from ._edges import as_edges

            return TrainingGraph(made, as_edges)
        # Arrays that nobody changes meanwhile.
        kept = [tuple(part.copy() if isinstance(part, np.ndarray) else part for part in column) for column in columns]
        again = (self, samples, kept, None if weights is None else weights.copy())
        return TrainingGraph(made, lambda _: (_built_again, again))

    def _native(self, y: Any = None, sample_weight: Any = None, *, X: Any = None) -> _core.Graph:
        """The graph of given samples, for training."""
        return self._built(*self._input(y, sample_weight, X))

    def _input(self, y: Any, sample_weight: Any, X: Any) -> tuple[int, Any, Any, Any, list[EdgeArrays]]:
        given = y
        if not self.needs_labels:
            # Of graphs without vectors, only the number of samples counts.
            y, X = None, X if X is not None or self._needs_vectors else y
        if y is None and X is None and given is not None:
            raise GsfaError(
                "this graph is of what is near in X, and only labels are given",
                hint="pass the samples: build(X=X), or use Serial or Ell for neighbours by label",
            )
        if y is None and X is None:
            raise GsfaError("neither labels nor samples are given", hint="pass y, or X for graphs without labels")
        samples = label_count(X if y is None else y)
        table = label_table(y, samples, numbers=self._numbers, classes=self._classes, wanted=self._wanted)
        weights = None if sample_weight is None else _real_weights(sample_weight)
        vectors = None
        if X is not None and self._needs_vectors:
            vectors = np.ascontiguousarray(X, dtype=np.float64)
        return samples, table.columns, weights, vectors, self._parts()[1]

    def _built(
        self, samples: int, columns: Any, weights: Any, vectors: Any = None, edges: list[EdgeArrays] | None = None
    ) -> _core.Graph:
        spec, own = self._parts()
        return _core.Graph(text("graph", spec), samples, columns, weights, vectors, own if edges is None else edges)

    @property
    def _wanted(self) -> frozenset[str] | None:
        """The labels that it names; None if it takes what it is given."""
        names = [getattr(self, name, None) for name in ("label", "sequences")]
        return frozenset(name for name in names if name is not None) | frozenset(getattr(self, "labels", ())) or None

    def analyze(
        self,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        X: Any = None,
        responses: int | None = None,
    ) -> Analysis:
        """Q, R, consistency, components and the delta values of the slowest free responses.

        Parameters
        ----------
        y : array-like of shape (n_samples,) or (n_samples, n_labels), optional
            Labels of all samples.
        sample_weight : array-like of shape (n_samples,), optional
            Positive weights.
        X : array-like of shape (n_samples, n_features), optional
            Samples, for graphs without labels.
        responses : int, optional
            How many delta values; 10 or as many as there are if left out.

        Returns
        -------
        Analysis

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> found = gsfa.graphs.Serial(groups=5).analyze(np.arange(30.0), responses=4)
        >>> found.consistent, found.components
        (True, 1)
        >>> found.delta_values.round(4).tolist()
        [0.5858, 2.0, 2.0, 2.0]
        """
        check("responses", responses, (Whole(1), None), "analyze")
        graph = self.build(y, sample_weight, X=X)
        consistency = graph.consistency()
        count = min(10, len(graph) - 1) if responses is None else int(responses)
        return Analysis(
            q=graph.q,
            r=graph.r,
            consistent=consistency.holds,
            violation=consistency.violation,
            components=graph.components().count,
            smallest_edge=graph.smallest_edge().weight,
            delta_values=graph.free_responses(count).delta_values,
            vertex_weights=graph.vertex_weights,
            degrees=graph.degrees,
            notes=tuple(graph.notes),
        )

    def plot(self, y: Any = None, *, X: Any = None, count: int = 3, ax: Any = None) -> Any:
        """Draws the edge weights and the slowest free responses; needs matplotlib.

        Parameters
        ----------
        y : array-like of shape (n_samples,), optional
            Labels of all samples.
        X : array-like of shape (n_samples, n_features), optional
            Samples, for graphs without labels.
        count : int, default=3
            How many free responses.
        ax : pair of matplotlib axes, optional
            Where to draw: edge weights, responses.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from ._plots import plot_graph

        return plot_graph(self.build(y, X=X), y, count=count, axes=ax)

    def __mul__(self, share: float) -> Sum:
        if not isinstance(share, Real):
            return NotImplemented
        return Sum(((share, self),))

    __rmul__ = __mul__

    def __add__(self, other: Graph) -> Sum:
        if not isinstance(other, Graph):
            return NotImplemented
        return Sum(_summands(self) + _summands(other))


def _built_again(graph: Graph, samples: int, columns: Any, weights: Any) -> TrainingGraph:
    """A graph of labels that was written to a file."""
    made = graph._built(samples, columns, weights)
    return TrainingGraph(made, lambda _: (_built_again, (graph, samples, columns, weights)))


def _real_weights(sample_weight: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(sample_weight)
    try:
        refuse_other_than_real(values)
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise GsfaError(f"sample weights are not numbers ({error})", code="weights") from None


def _summands(graph: Graph) -> tuple[tuple[float, Graph], ...]:
    return graph.graphs if isinstance(graph, Sum) else ((1.0, graph),)


def _plain(value: Any) -> Any:
    """A value that can be compared and written as text: numbers of Python, and tuples of them."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(_plain(part) for part in value)
    return value


@dataclass(frozen=True)
class Sum(Graph):
    """A weighted sum of graphs, made by ``a * g + b * h``; shares are scaled to sum to 1.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> both = 0.5 * gsfa.graphs.Ell() + 0.5 * gsfa.graphs.Serial(groups=3)
    >>> both.analyze(np.arange(9.0)).consistent
    True
    """

    graphs: tuple[tuple[float, Graph], ...]
    _kind: ClassVar[str] = "sum"

    def __post_init__(self) -> None:
        for share, graph in self.graphs:
            check("share", share, (SHARE,), "Sum")
            check("graph", graph, (Instance(Graph),), "Sum")
        object.__setattr__(self, "graphs", tuple((float(share), graph) for share, graph in self.graphs))

    def __mul__(self, share: float) -> Sum:
        if not isinstance(share, Real):
            return NotImplemented
        check("share", share, (SHARE,), "Sum")
        return Sum(tuple((share * own, graph) for own, graph in self.graphs))

    __rmul__ = __mul__

    @property
    def _numbers(self) -> bool:
        return any(graph._numbers for _, graph in self.graphs)

    @property
    def _classes(self) -> bool:
        return any(graph._classes for _, graph in self.graphs)

    @property
    def _semi_supervised(self) -> bool:
        return all(graph._semi_supervised for _, graph in self.graphs)

    @property
    def _needs_vectors(self) -> bool:
        return any(graph._needs_vectors for _, graph in self.graphs)

    @property
    def _wanted(self) -> frozenset[str] | None:
        named = [graph._wanted for _, graph in self.graphs if graph.needs_labels]
        return None if any(one is None for one in named) else frozenset().union(*(one or () for one in named)) or None

    @classmethod
    def _of_spec(cls, spec: dict[str, Any], samples: int) -> Graph:
        pairs = [(one["share"], graph_of(one["graph"], samples)) for one in spec["graphs"]]
        return Sum(tuple((share, graph) for share, graph in pairs if graph is not None))

    def _spec(self) -> dict[str, Any]:
        return self._with([graph._spec() for _, graph in self.graphs])

    def _parts(self) -> tuple[dict[str, Any], list[EdgeArrays]]:
        parts = [graph._parts() for _, graph in self.graphs]
        return self._with([spec for spec, _ in parts]), [arrays for _, edges in parts for arrays in edges]

    def _with(self, specs: list[dict[str, Any]]) -> dict[str, Any]:
        summands = [{"share": share, "graph": spec} for (share, _), spec in zip(self.graphs, specs)]
        return {"kind": "sum", "graphs": summands}


def graph_of(spec: dict[str, Any] | None, samples: int = 0) -> Graph | None:
    """The value of a specification in a model file; None where there is none.

    A list of edges does not say how many `samples` there were.
    """
    return None if spec is None else KINDS[spec["kind"]]._of_spec(spec, samples)
