"""Training graphs as values: which samples should get similar outputs.

A graph is a small immutable value; it knows nothing about samples until it meets their labels::

    gsfa.GSFA(graph=gsfa.graphs.Serial(groups=60)).fit(X, y)
    0.7 * gsfa.graphs.Ell() + 0.3 * gsfa.graphs.Serial()

With labels it becomes a :class:`TrainingGraph`, which can tell everything about itself before anything is trained, and
with which estimators can be trained::

    G = gsfa.graphs.Ell(targets=4).build(y)
    G.edge_weights(), G.free_responses(), G.consistency()
    gsfa.GSFA(graph=G).fit(X)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._json import text
from ._labels import label_count, label_table, refuse_other_than_real
from ._parameters import TEXT, Flag, Instance, Number, OneOf, Several, Sorts, Whole, check, check_all, shown
from ._training_graph import (
    Components,
    Consistency,
    FreeResponses,
    SmallestEdge,
    Targets,
    TrainingGraph,
    _networkx,
    from_responses,
)
from .errors import GsfaError, ParameterError

__all__ = [
    "Analysis",
    "Chain",
    "Clustered",
    "Compact",
    "Components",
    "Consistency",
    "Edges",
    "Ell",
    "FreeResponses",
    "Graph",
    "KNeighbors",
    "Mixed",
    "Reordering",
    "Serial",
    "SlidingWindow",
    "SmallestEdge",
    "Sum",
    "Targets",
    "TrainingGraph",
    "from_networkx",
    "from_responses",
]

GROUPS = _core.default_groups()
"""Groups of serial and mixed graphs if another number is not given, as on the command line."""

Eigenvalues = Any
"""``"linear"``, ``"equal"``, ``"compact"``, a list of values, or one of the profiles of ``docs/json.md`` as a dict."""


EdgeArrays = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Ends and weights of edges."""

EIGENVALUES = (OneOf(("linear", "equal", "compact")), Several(Number()), Instance(dict))
UNLABELLED = Number(0.0)
SHARE = Number(0.0, above=True)


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

    _numbers = False
    _classes = False
    _semi_supervised = False
    _allowed: ClassVar[Sorts] = {}

    def __post_init__(self) -> None:
        check_all(self, self._allowed)

    def _spec(self) -> dict[str, Any]:
        raise NotImplementedError

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
            return TrainingGraph(made, _as_edges)
        # Arrays that nobody changes meanwhile.
        kept = [tuple(part.copy() if isinstance(part, np.ndarray) else part for part in column) for column in columns]
        again = (self, samples, kept, None if weights is None else weights.copy())
        return TrainingGraph(made, lambda _: (_built_again, again))

    def _native(self, y: Any = None, sample_weight: Any = None, *, X: Any = None) -> _core.Graph:
        """The graph of given samples, for training."""
        return self._built(*self._input(y, sample_weight, X))

    def _input(self, y: Any, sample_weight: Any, X: Any) -> tuple[int, Any, Any, Any, list[EdgeArrays]]:
        if y is None and X is None:
            raise GsfaError("neither labels nor samples are given", hint="pass y, or X for graphs without labels")
        samples = len(X) if y is None else label_count(y)
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
        label, labels = getattr(self, "label", None), getattr(self, "labels", ())
        return frozenset(labels if label is None else [label]) or None

    @property
    def _needs_vectors(self) -> bool:
        return False

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


def _as_edges(graph: TrainingGraph) -> Any:
    """How a graph of edges or vectors is written to a file: as its edges."""
    return _of_edges, (graph.edge_weights(sparse=True), graph.vertex_weights)


def _of_edges(edges: Any, vertex_weights: Any) -> TrainingGraph:
    return Edges(edges, vertex_weights=vertex_weights).build()


def _real_weights(sample_weight: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(sample_weight)
    try:
        refuse_other_than_real(values)
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise GsfaError(f"sample weights are not numbers ({error})", code="weights") from None


def _summands(graph: Graph) -> tuple[tuple[float, Graph], ...]:
    return graph.graphs if isinstance(graph, Sum) else ((1.0, graph),)


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Chain(Graph):
    """Samples in the order of time: plain SFA.

    Parameters
    ----------
    lag : int, default=1
        Steps between connected samples.
    sequences : bool, default=False
        Whether y holds the number or name of the sequence of each sample; runs of equal values are sequences.
    degrees_as_weights : bool, default=False
        Vertex weights Γ1 instead of 1, which makes it reversible TICA.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> gsfa.graphs.Chain().analyze(X=np.zeros((4, 1)), responses=1).delta_values.round(4).tolist()
    [0.781]
    """

    lag: int = 1
    sequences: bool = False
    degrees_as_weights: bool = False

    _allowed: ClassVar[Sorts] = {"lag": (Whole(1),), "sequences": (Flag(),), "degrees_as_weights": (Flag(),)}

    @property
    def needs_labels(self) -> bool:
        """Whether y names sequences."""
        return self.sequences

    @property
    def _classes(self) -> bool:  # type: ignore[override]
        return self.sequences

    def _input(self, y: Any, sample_weight: Any, X: Any) -> tuple[int, Any, Any, Any, list[EdgeArrays]]:
        if not self.sequences:
            return super()._input(None, sample_weight, X if X is not None else y)
        return super()._input(None if y is None else np.asarray(y), sample_weight, X)

    def _spec(self) -> dict[str, Any]:
        weights = "degrees" if self.degrees_as_weights else "uniform"
        spec: dict[str, Any] = {"kind": "chain", "lag": int(self.lag), "vertex_weights": weights}
        if self.sequences:
            spec["sequences"] = "y"
        return spec


@dataclass(frozen=True)
class Reordering(Graph):
    """Samples in the order of a label, each connected with its neighbours.

    Parameters
    ----------
    end_loops : bool, default=True
        Self-loops at both ends, which make the graph consistent.
    label : str, optional
        The label to order by, if there are several.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> int((gsfa.graphs.Reordering().analyze(np.arange(30.0), responses=29).delta_values < 2 - 1e-9).sum())
    14
    """

    end_loops: bool = True
    label: str | None = None
    _numbers = True
    _allowed: ClassVar[Sorts] = {"end_loops": (Flag(),), "label": (TEXT, None)}

    def _spec(self) -> dict[str, Any]:
        return {"kind": "reordering", "end_loops": bool(self.end_loops), **_given(label=self.label)}


@dataclass(frozen=True)
class Serial(Graph):
    """Groups of similar labels, neighbouring groups connected.

    Parameters
    ----------
    groups : int, default=60
        K; fewer are formed if the label has fewer distinct values.
    label : str, optional
        The label to order by, if there are several.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> gsfa.graphs.Serial(groups=3).analyze(np.arange(6.0)).r
    4.0
    """

    groups: int = GROUPS
    label: str | None = None
    _numbers = True
    _allowed: ClassVar[Sorts] = {"groups": (Whole(2),), "label": (TEXT, None)}

    def _spec(self) -> dict[str, Any]:
        return {"kind": "serial", "groups": int(self.groups), **_given(label=self.label)}


@dataclass(frozen=True)
class Mixed(Graph):
    """Serial, and connected within groups.

    Parameters
    ----------
    groups : int, default=60
        K; fewer are formed if the label has fewer distinct values.
    label : str, optional
        The label to order by, if there are several.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> gsfa.graphs.Mixed(groups=3).analyze(np.arange(6.0)).consistent
    True
    """

    groups: int = GROUPS
    label: str | None = None
    _numbers = True
    _allowed: ClassVar[Sorts] = {"groups": (Whole(2),), "label": (TEXT, None)}

    def _spec(self) -> dict[str, Any]:
        return {"kind": "mixed", "groups": int(self.groups), **_given(label=self.label)}


@dataclass(frozen=True)
class SlidingWindow(Graph):
    """Samples in the order of a label, connected within a window.

    Parameters
    ----------
    half_width : int
        The largest distance in ranks.
    shape : "box", "triangle" or sequence of float, default="box"
        The weights over the distance.
    label : str, optional
        The label to order by, if there are several.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> gsfa.graphs.SlidingWindow(2).analyze(np.arange(6.0)).r
    24.0
    """

    half_width: int
    shape: str | tuple[float, ...] = "box"
    label: str | None = None
    _numbers = True
    _allowed: ClassVar[Sorts] = {
        "half_width": (Whole(1),),
        "shape": (OneOf(("box", "triangle")), Several(Number())),
        "label": (TEXT, None),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.shape, str):
            object.__setattr__(self, "shape", tuple(float(w) for w in self.shape))

    def _spec(self) -> dict[str, Any]:
        shape: Any = self.shape if isinstance(self.shape, str) else {"weights": list(self.shape)}
        return {
            "kind": "sliding_window",
            "half_width": int(self.half_width),
            "shape": shape,
            **_given(label=self.label),
        }


@dataclass(frozen=True)
class Clustered(Graph):
    """Samples of a class connected: Fisher discriminant analysis.

    Parameters
    ----------
    self_loops : bool, default=True
        With self-loops the features span the LDA subspace for any class sizes; without, edge weights are the paper's
        ``1/(N_c − 1)``.
    balance : bool, default=False
        Give all classes the same total weight: uniform priors.
    label : str, optional
        The class label, if there are several.
    semi_supervised : bool, default=False
        Whether samples may have no label: NaN, or None for classes. They are seen by what is learned without labels, like
        principal components.
    unlabelled : float, optional
        How much samples without label weigh in the covariance, in units of their sample weights; nothing if left out.

    Examples
    --------
    >>> import gsfa
    >>> abs(gsfa.graphs.Clustered().analyze(list("aabbcc"), responses=5).delta_values).round(9).tolist()
    [0.0, 0.0, 2.0, 2.0, 2.0]
    """

    self_loops: bool = True
    balance: bool = False
    label: str | None = None
    semi_supervised: bool = False
    unlabelled: float | None = None
    _classes = True
    _allowed: ClassVar[Sorts] = {
        "self_loops": (Flag(),),
        "balance": (Flag(),),
        "label": (TEXT, None),
        "semi_supervised": (Flag(),),
        "unlabelled": (UNLABELLED, None),
    }

    @property
    def _semi_supervised(self) -> bool:  # type: ignore[override]
        return self.semi_supervised

    def _spec(self) -> dict[str, Any]:
        return {
            "kind": "clustered",
            "paper_weights": not self.self_loops,
            "balance": bool(self.balance),
            "semi_supervised": bool(self.semi_supervised),
            **_given(label=self.label, unlabelled=self.unlabelled),
        }


def _profile(eigenvalues: Eigenvalues) -> Any:
    if isinstance(eigenvalues, (str, dict)):
        return eigenvalues
    return {"values": [float(value) for value in eigenvalues]}


def _hashable(eigenvalues: Eigenvalues) -> Any:
    if isinstance(eigenvalues, (str, dict)):
        return eigenvalues
    return tuple(float(value) for value in eigenvalues)


@dataclass(frozen=True)
class Ell(Graph):
    """Exact label learning: the free responses are the labels themselves.

    Parameters
    ----------
    targets : int, optional
        L, the number of target labels, originals and auxiliary cosines together; the originals alone if left out.
    eigenvalues : str, sequence of float or dict, default="linear"
        The importance of the target labels: ``"linear"``, ``"equal"``, ``"compact"`` or values.
    lambda0 : float, optional
        λ₀, which scales delta values and nothing else; the largest eigenvalue if left out (Δ₁ = 0).
    labels : sequence of str, default=()
        The columns of y to learn; all if empty.
    powers : sequence of int, default=()
        A power per original label, to learn its square or cube.
    products : bool, default=False
        Products of standardised labels as further auxiliary labels.
    cosines : "formula" or "prose", default="formula"
        How the paper's auxiliary labels are read.
    strict : bool, default=False
        Refuse eigenvalues that increase.
    allow_negative : bool, default=False
        Accept negative eigenvalues, which make a label as fast as possible.
    semi_supervised : bool, default=False
        Whether samples may have no label: NaN, or None for classes. They are seen by what is learned without labels, like
        principal components.
    unlabelled : float, optional
        How much samples without label weigh in the covariance, in units of their sample weights; nothing if left out.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> abs(gsfa.graphs.Ell(targets=2).analyze(np.arange(9.0), responses=3).delta_values).round(9).tolist()
    [0.0, 1.0, 2.0]
    """

    targets: int | None = None
    eigenvalues: Eigenvalues = "linear"
    lambda0: float | None = None
    labels: Sequence[str] = ()
    powers: Sequence[int] = ()
    products: bool = False
    cosines: str = "formula"
    strict: bool = False
    allow_negative: bool = False
    semi_supervised: bool = False
    unlabelled: float | None = None
    _numbers = True
    _allowed: ClassVar[Sorts] = {
        "targets": (Whole(1), None),
        "eigenvalues": EIGENVALUES,
        "lambda0": (Number(0.0, above=True), None),
        "labels": (Several(TEXT),),
        "powers": (Several(Whole(1)),),
        "products": (Flag(),),
        "cosines": (OneOf(("formula", "prose")),),
        "strict": (Flag(),),
        "allow_negative": (Flag(),),
        "semi_supervised": (Flag(),),
        "unlabelled": (UNLABELLED, None),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "powers", tuple(self.powers))
        object.__setattr__(self, "eigenvalues", _hashable(self.eigenvalues))

    @property
    def _semi_supervised(self) -> bool:  # type: ignore[override]
        return self.semi_supervised

    def _spec(self) -> dict[str, Any]:
        return {
            "kind": "ell",
            "labels": list(self.labels),
            "powers": [int(power) for power in self.powers],
            "cosines": self.cosines,
            "products": bool(self.products),
            "eigenvalues": _profile(self.eigenvalues),
            "strict": bool(self.strict),
            "allow_negative": bool(self.allow_negative),
            "semi_supervised": bool(self.semi_supervised),
            **_given(targets=self.targets, lambda0=self.lambda0, unlabelled=self.unlabelled),
        }


@dataclass(frozen=True)
class Compact(Graph):
    """Codes of the class, for few features that tell many classes apart.

    Parameters
    ----------
    targets : int, optional
        The number of target labels, C − 1 if left out.
    sparse : bool, default=False
        A sparse code (recursive halving of the classes) instead of the binary one.
    eigenvalues : str, sequence of float or dict, default="compact"
        By default equal for the bits, then falling linearly.
    lambda0 : float, optional
        λ₀; the largest eigenvalue if left out.
    balance : bool, default=False
        Give all classes the same total weight.
    class_order : sequence of str, default=()
        All class names in the order that decides their codes.
    label : str, optional
        The class label, if there are several.
    semi_supervised : bool, default=False
        Whether samples may have no label: NaN, or None for classes. They are seen by what is learned without labels, like
        principal components.
    unlabelled : float, optional
        How much samples without label weigh in the covariance, in units of their sample weights; nothing if left out.

    Examples
    --------
    >>> import gsfa
    >>> found = gsfa.graphs.Compact(targets=2).analyze(list("aabbccdd"), responses=3)
    >>> abs(found.delta_values).round(9).tolist()
    [0.0, 0.0, 2.0]
    """

    targets: int | None = None
    sparse: bool = False
    eigenvalues: Eigenvalues = "compact"
    lambda0: float | None = None
    balance: bool = False
    class_order: Sequence[str] = ()
    label: str | None = None
    semi_supervised: bool = False
    unlabelled: float | None = None
    _classes = True
    _allowed: ClassVar[Sorts] = {
        "targets": (Whole(1), None),
        "sparse": (Flag(),),
        "eigenvalues": EIGENVALUES,
        "lambda0": (Number(0.0, above=True), None),
        "balance": (Flag(),),
        "class_order": (Several(TEXT),),
        "label": (TEXT, None),
        "semi_supervised": (Flag(),),
        "unlabelled": (UNLABELLED, None),
    }

    @property
    def _semi_supervised(self) -> bool:  # type: ignore[override]
        return self.semi_supervised

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "class_order", tuple(self.class_order))
        object.__setattr__(self, "eigenvalues", _hashable(self.eigenvalues))

    def _spec(self) -> dict[str, Any]:
        return {
            "kind": "compact",
            "code": "sparse" if self.sparse else "binary",
            "eigenvalues": _profile(self.eigenvalues),
            "balance": bool(self.balance),
            "class_order": list(self.class_order),
            "semi_supervised": bool(self.semi_supervised),
            **_given(label=self.label, targets=self.targets, lambda0=self.lambda0, unlabelled=self.unlabelled),
        }


@dataclass(frozen=True, eq=False)
class Edges(Graph):
    """Edge weights as given.

    Parameters
    ----------
    matrix : sparse matrix or array-like of shape (n_samples, n_samples)
        Γ; an asymmetric one is replaced by the mean of itself and its transpose. Stored entries of a sparse matrix that
        are repeated are added.
    degrees_as_weights : bool, default=False
        Vertex weights Γ1 instead of 1, which makes the graph consistent.
    vertex_weights : array-like of shape (n_samples,), optional
        v; sample weights multiply it.

    Examples
    --------
    >>> import scipy.sparse, numpy as np, gsfa
    >>> ring = scipy.sparse.diags_array([1.0, 1.0], offsets=[1, -3], shape=(4, 4))
    >>> gsfa.graphs.Edges(ring).build().free_responses(2).delta_values.round(9).tolist()
    [2.0, 2.0]
    >>> gsfa.graphs.Edges(ring, vertex_weights=[1, 1, 2, 2]).build().q
    6.0
    """

    matrix: Any
    degrees_as_weights: bool = False
    vertex_weights: Any = None
    _allowed: ClassVar[Sorts] = {"degrees_as_weights": (Flag(),)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.vertex_weights is None:
            return
        if self.degrees_as_weights:
            raise ParameterError(
                "Edges takes vertex weights from 'vertex_weights' or from 'degrees_as_weights', not from both.",
                details={"parameter": "vertex_weights"},
            )
        object.__setattr__(self, "vertex_weights", _vertex_weights(self.vertex_weights))

    def _input(self, y: Any, sample_weight: Any, X: Any) -> tuple[int, Any, Any, Any, list[EdgeArrays]]:
        vertices = self._square().shape[0]
        if X is None and y is None:
            X = range(vertices)
        samples = len(X if X is not None else y)
        if samples != vertices:
            raise GsfaError(
                f"the edge weights are those of {vertices} vertices, there are {samples} vertices",
                hint="give one row and one column for each sample; samples of weight zero are left out of both",
                code="length_mismatch",
            )
        return super()._input(None, sample_weight, X if X is not None else y)

    def _square(self) -> Any:
        """The edge weights, one row and one column for each vertex."""
        import scipy.sparse

        given = self.matrix if scipy.sparse.issparse(self.matrix) else np.asarray(self.matrix)
        if given.ndim != 2 or given.shape[0] != given.shape[1]:
            size = " x ".join(str(side) for side in given.shape) or "a single value"
            raise ParameterError(
                f"The 'matrix' parameter of Edges must be a square matrix. Got {size} instead.",
                details={"parameter": "matrix"},
            )
        if given.dtype.kind not in "biuf":
            raise ParameterError(
                f"The 'matrix' parameter of Edges must hold real numbers. Got values of type {given.dtype} instead.",
                details={"parameter": "matrix"},
            )
        return given

    def _spec(self) -> dict[str, Any]:
        spec, [ends_and_weights] = self._parts()
        edges = zip(*(values.tolist() for values in ends_and_weights))
        return {**spec, "edges": [list(edge) for edge in edges]}

    def _parts(self) -> tuple[dict[str, Any], list[EdgeArrays]]:
        import scipy.sparse

        matrix = scipy.sparse.coo_array(self._square())
        weights: Any = "degrees" if self.degrees_as_weights else "uniform"
        if self.vertex_weights is not None:
            weights = {"given": self.vertex_weights.tolist()}
        ends = matrix.row.astype(np.int64, copy=False), matrix.col.astype(np.int64, copy=False)
        return {"kind": "edges", "edges": [], "vertex_weights": weights}, [(*ends, matrix.data.astype(np.float64, copy=False))]


def _vertex_weights(given: Any) -> NDArray[np.float64]:
    values = np.array(given)
    refused = values.ndim != 1 or values.dtype.kind not in "biuf"
    if refused or not np.all(np.isfinite(values.astype(np.float64))) or not np.all(values > 0):
        raise ParameterError(
            "The 'vertex_weights' parameter of Edges must be a sequence of positive numbers, one for each vertex."
            f" Got {shown(given)} instead.",
            details={"parameter": "vertex_weights"},
        )
    return values.astype(np.float64)


def from_networkx(graph: Any, *, weight: str = "weight", vertex_weight: str = "vertex_weight") -> Edges:
    """The edges of a networkx graph; its nodes, in their order, are the samples.

    Parameters
    ----------
    graph : networkx.Graph
        Of any kind; directed edges are replaced by the mean of both directions, parallel ones are added.
    weight : str, default="weight"
        The attribute of edges that is their weight; edges without it weigh 1.
    vertex_weight : str, default="vertex_weight"
        The attribute of nodes that is their vertex weight; 1 if no node has it.

    Returns
    -------
    Edges

    Examples
    --------
    >>> import networkx, gsfa
    >>> gsfa.graphs.from_networkx(networkx.cycle_graph(4)).build().free_responses(1).delta_values.round(9).tolist()
    [2.0]
    """
    networkx = _networkx()
    check("graph", graph, (Instance(networkx.Graph),), "from_networkx")
    if len(graph) == 0:
        raise GsfaError("the networkx graph has no nodes", code="too_few_samples")
    given = networkx.get_node_attributes(graph, vertex_weight)
    if given and len(given) != len(graph):
        raise GsfaError(
            f"{len(given)} of {len(graph)} nodes have a '{vertex_weight}'",
            hint="give one to each node, or to none",
            code="weights",
        )
    matrix = networkx.to_scipy_sparse_array(graph, weight=weight, dtype=np.float64)
    return Edges(matrix, vertex_weights=[given[node] for node in graph] if given else None)


@dataclass(frozen=True)
class KNeighbors(Graph):
    """Each sample connected with the ones nearest to it: locality preserving projections.

    Parameters
    ----------
    neighbors : int, default=5
        k.
    heat : float, optional
        Weights :math:`\\exp(-\\|x - x'\\|^2/t)` with this t instead of 1.
    degrees_as_weights : bool, default=True
        Vertex weights Γ1, as in locality preserving projections; 1 otherwise.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> gsfa.graphs.KNeighbors(1).analyze(X=X).components
    2
    """

    neighbors: int = 5
    heat: float | None = None
    degrees_as_weights: bool = True
    _allowed: ClassVar[Sorts] = {
        "neighbors": (Whole(1),),
        "heat": (Number(0.0, above=True), None),
        "degrees_as_weights": (Flag(),),
    }

    @property
    def _needs_vectors(self) -> bool:
        return True

    def _input(self, y: Any, sample_weight: Any, X: Any) -> tuple[int, Any, Any, Any, list[EdgeArrays]]:
        return super()._input(None, sample_weight, X)

    def _spec(self) -> dict[str, Any]:
        weights = "degrees" if self.degrees_as_weights else "uniform"
        return {
            "kind": "nearest_neighbors",
            "neighbors": int(self.neighbors),
            "vertex_weights": weights,
            **_given(heat=self.heat),
        }


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
    def _numbers(self) -> bool:  # type: ignore[override]
        return any(graph._numbers for _, graph in self.graphs)

    @property
    def _classes(self) -> bool:  # type: ignore[override]
        return any(graph._classes for _, graph in self.graphs)

    @property
    def _semi_supervised(self) -> bool:  # type: ignore[override]
        return all(graph._semi_supervised for _, graph in self.graphs)

    @property
    def _needs_vectors(self) -> bool:
        return any(graph._needs_vectors for _, graph in self.graphs)

    @property
    def _wanted(self) -> frozenset[str] | None:
        named = [graph._wanted for _, graph in self.graphs if graph.needs_labels]
        return None if any(one is None for one in named) else frozenset().union(*(one or () for one in named)) or None

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
    if spec is None:
        return None
    spec = dict(spec)
    kind = spec.pop("kind")
    weights = spec.pop("vertex_weights", None)
    if kind == "sum":
        pairs = [(s["share"], graph_of(s["graph"], samples)) for s in spec["graphs"]]
        return Sum(tuple((share, graph) for share, graph in pairs if graph is not None))
    if kind == "chain":
        return Chain(spec.get("lag", 1), "sequences" in spec, weights == "degrees")
    if kind == "clustered":
        spec["self_loops"] = not spec.pop("paper_weights", False)
        return Clustered(**spec)
    if kind == "compact":
        spec["sparse"] = spec.pop("code", "binary") == "sparse"
    if kind in ("compact", "ell") and isinstance(spec.get("eigenvalues"), dict):
        spec["eigenvalues"] = spec["eigenvalues"].get("values", spec["eigenvalues"])
    if kind == "sliding_window" and isinstance(spec.get("shape"), dict):
        spec["shape"] = spec["shape"]["weights"]
    if kind == "edges":
        import scipy.sparse

        edges = np.array(spec["edges"], dtype=np.float64).reshape(-1, 3)
        size = max(samples, int(edges[:, :2].max()) + 1 if len(edges) else 0)
        ends = (edges[:, 0].astype(int), edges[:, 1].astype(int))
        matrix = scipy.sparse.coo_array((edges[:, 2], ends), shape=(size, size))
        given = weights["given"] if isinstance(weights, dict) else None
        return Edges(matrix, weights == "degrees", given)
    if kind == "nearest_neighbors":
        return KNeighbors(spec["neighbors"], spec.get("heat"), weights != "uniform")
    kinds: dict[str, type[Graph]] = {
        "reordering": Reordering,
        "serial": Serial,
        "mixed": Mixed,
        "sliding_window": SlidingWindow,
        "ell": Ell,
        "compact": Compact,
    }
    return kinds[kind](**spec)
