"""A graph of given samples: vertices, edges, and all that can be known of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._labels import refuse_other_than_real
from ._parameters import Flag, Whole, check
from .errors import GsfaError

Floats = NDArray[np.float64]


class Consistency(NamedTuple):
    """Whether vertex weights and edge weights agree, ``v/Q = Γ1/R`` for every vertex."""

    holds: bool
    """Whether the largest difference is round-off."""
    violation: float
    """The largest difference of the two sides."""
    vertex: int
    """Where it is."""
    vertex_share: float
    """v/Q there."""
    edge_share: float
    """Γ1/R there."""


@dataclass(frozen=True, eq=False)
class Components:
    """Connected components; k of them give k − 1 responses with Δ = 0."""

    count: int
    of_vertex: NDArray[np.uint32]
    """The component of each vertex."""


class SmallestEdge(NamedTuple):
    """The smallest weight of all edges there are."""

    weight: float
    vertices: tuple[int, int]


class FreeResponses(NamedTuple):
    """The slowest responses that a graph admits."""

    responses: Floats
    """One column each, with weighted mean 0 and variance 1, and uncorrelated."""
    delta_values: Floats
    """Their Δ, ascending."""
    eigenvalues: Floats
    """λ = (R/2Q)(2 − Δ)."""


@dataclass(frozen=True, eq=False)
class Targets:
    """What an ELL or compact graph was built to learn.

    Target labels have weighted mean 0 and variance 1 and are uncorrelated; raw labels (originals and auxiliary ones, as
    they were given or computed) are ``means + values @ transform``.
    """

    names: tuple[str, ...]
    values: Floats = field(repr=False)
    """The labels of each vertex, one column each."""
    eigenvalues: Floats
    """λ of each."""
    lambda0: float
    """λ₀, that of the constant; Δ = 2 − 2λ/λ₀ as long as the graph has its self-loops."""
    raw_names: tuple[str, ...]
    """All raw labels that were looked at, dependent ones included."""
    means: Floats = field(repr=False)
    """Weighted means μ of the raw labels."""
    transform: Floats = field(repr=False)
    """T, a row for each target label and a column for each raw one."""
    _of: TrainingGraph = field(repr=False)

    def recover(self, values: ArrayLike) -> Floats:
        """Raw labels, ``means + values @ transform``, from estimates of the (first few) target labels.

        Parameters
        ----------
        values : array-like of shape (n_rows, n_targets)
            Target labels or estimates of them; further ones are taken to be 0.

        Returns
        -------
        ndarray of shape (n_rows, n_raw_labels)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> targets = gsfa.graphs.Ell(targets=2).build(np.arange(4.0)).targets
        >>> targets.recover(targets.values)[:, 0].round(9).tolist()
        [0.0, 1.0, 2.0, 3.0]
        """
        return _wanted(self._of._graph.recover(_matrix("values", values)))

    def decorrelate(self, raw: ArrayLike) -> Floats:
        """Target labels of raw ones: the inverse of :meth:`recover`.

        Parameters
        ----------
        raw : array-like of shape (n_rows, n_raw_labels)
            Raw labels, in the order of `raw_names`.

        Returns
        -------
        ndarray of shape (n_rows, n_targets)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> targets = gsfa.graphs.Ell().build(np.arange(3.0)).targets
        >>> targets.decorrelate([[1.0], [5.0]]).round(3).tolist()
        [[0.0], [4.899]]
        """
        return _wanted(self._of._graph.decorrelated(_matrix("raw", raw)))


def _wanted(found: Floats | None) -> Floats:
    assert found is not None
    return found


def _matrix(name: str, values: Any) -> Floats:
    """Columns of numbers; one column may come as a vector."""
    array = np.asarray(values)
    try:
        refuse_other_than_real(array)
        array = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise GsfaError(f"{name} are not numbers ({error})", code="features") from None
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise GsfaError(f"{name} have {array.ndim} axes, one or two are needed", code="shape")
    return array


Remake = tuple[Callable[..., "TrainingGraph"], tuple[Any, ...]]
"""A function and its arguments that make a graph once more."""


class TrainingGraph:
    """The graph of given samples, which ``build`` makes of a specification like :class:`~gsfa.graphs.Ell`.

    It never changes, and :class:`~gsfa.GSFA` and :class:`~gsfa.HGSFA` can be trained with it: ``GSFA(graph=G).fit(X)``.
    Symbols are those of the paper: N vertices with weights v, edge weights Γ, Q the sum of v and R that of Γ.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> G = gsfa.graphs.Serial(groups=3).build(np.arange(6.0))
    >>> len(G), G.q, G.r
    (6, 4.0, 4.0)
    >>> G.edge_weights()[0].tolist()
    [0.0, 0.0, 0.25, 0.25, 0.0, 0.0]
    """

    def __init__(self, graph: _core.Graph, remake: Callable[[TrainingGraph], Remake]) -> None:
        self._graph = graph
        self._remake = remake

    # It never changes, so that copies may be the same; what is written is how it was made.
    def __copy__(self) -> TrainingGraph:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> TrainingGraph:
        return self

    def __reduce__(self) -> Remake:
        return self._remake(self)

    def __len__(self) -> int:
        return len(self._graph)

    def __repr__(self) -> str:
        return f"TrainingGraph({len(self)} vertices, Q = {self.q:g}, R = {self.r:g})"

    @property
    def vertex_weights(self) -> Floats:
        """v."""
        return self._graph.vertex_weights

    @property
    def degrees(self) -> Floats:
        """Γ1, the sum of the edge weights at each vertex."""
        return self._graph.degrees

    @property
    def self_loops(self) -> Floats:
        """The diagonal of Γ."""
        return self._graph.self_loops

    @property
    def q(self) -> float:
        """Q, the sum of the vertex weights."""
        return self._graph.q

    @property
    def r(self) -> float:
        """R, the sum of the edge weights over ordered pairs."""
        return self._graph.r

    @property
    def rows(self) -> NDArray[np.int64]:
        """Which samples the vertices are: all, unless some have no label and no weight."""
        rows = self._graph.rows
        return np.arange(len(self)) if rows is None else rows

    @property
    def notes(self) -> list[str]:
        """Remarks about how it was built."""
        return self._graph.notes

    @property
    def targets(self) -> Targets | None:
        """The target labels of an ELL or compact graph.

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> targets = gsfa.graphs.Ell(targets=3).build(np.arange(5.0)).targets
        >>> targets.names, targets.values.shape
        (('y', 'cos2(y)', 'cos3(y)'), (5, 3))
        """
        found = self._graph.targets
        if found is None:
            return None
        names, raw_names = tuple(found.pop("names")), tuple(found.pop("raw_names"))
        return Targets(names=names, raw_names=raw_names, _of=self, **found)

    def edge_weights(self, vertices: ArrayLike | None = None, *, sparse: bool = False) -> Any:
        """Γ; entries that cancelled to round-off are 0.

        Parameters
        ----------
        vertices : array-like of int, optional
            Rows and columns of these vertices only.
        sparse : bool, default=False
            A SciPy sparse array (CSR) of the entries other than 0.

        Returns
        -------
        ndarray or scipy.sparse.csr_array of shape (n_vertices, n_vertices)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Reordering().build(np.arange(4.0))
        >>> G.edge_weights(sparse=True).nnz
        8
        >>> G.edge_weights([0, 1]).tolist()
        [[1.0, 1.0], [1.0, 0.0]]
        """
        check("sparse", sparse, (Flag(),), "edge_weights")
        chosen = None if vertices is None else self._places("vertices", vertices)
        if not sparse:
            return self._graph.edge_matrix(range(len(self)) if chosen is None else chosen)
        import scipy.sparse

        starts, columns, values = self._graph.edge_list()
        size = len(self)
        kind = np.int32 if len(values) < 2**31 else np.int64
        parts = (values, columns.astype(kind), starts.astype(kind))
        listed = scipy.sparse.csr_array(parts, shape=(size, size))
        return listed if chosen is None else listed[chosen][:, chosen]

    def normalized_edge_weights(self, *, sparse: bool = False) -> Any:
        """M = Diag(v)^(-1/2) Γ Diag(v)^(-1/2), whose eigenvectors are the free responses of a consistent graph.

        Parameters
        ----------
        sparse : bool, default=False
            A SciPy sparse array (CSR) of the entries other than 0.

        Returns
        -------
        ndarray or scipy.sparse.csr_array of shape (n_vertices, n_vertices)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Ell(targets=2).build(np.arange(5.0))
        >>> np.linalg.eigvalsh(G.normalized_edge_weights())[-3:].round(4).tolist()
        [0.3333, 0.6667, 0.6667]
        """
        return self._scaled(1 / np.sqrt(self.vertex_weights), sparse, both=True)

    def laplacian(self, *, sparse: bool = False) -> Any:
        """Diag(Γ1) − Γ; Δ of a feasible y is (2/R) yᵀLy, whatever the graph.

        Parameters
        ----------
        sparse : bool, default=False
            A SciPy sparse array (CSR) of the entries other than 0.

        Returns
        -------
        ndarray or scipy.sparse.csr_array of shape (n_vertices, n_vertices)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> gsfa.graphs.Chain().build(X=np.zeros((3, 1))).laplacian().tolist()
        [[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]
        """
        edges = self.edge_weights(sparse=sparse)
        if sparse:
            import scipy.sparse

            return scipy.sparse.csr_array(scipy.sparse.diags_array(self.degrees) - edges)
        return np.diag(self.degrees) - edges

    def consistency(self) -> Consistency:
        """How well ``v/Q = Γ1/R`` holds.

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Reordering(end_loops=False).build(np.arange(4.0))
        >>> G.consistency().holds, round(G.consistency().violation, 4)
        (False, 0.0833)
        """
        return Consistency(*self._graph.consistency())

    def components(self) -> Components:
        """Connected components.

        Examples
        --------
        >>> import gsfa
        >>> gsfa.graphs.Clustered().build(list("aabb")).components().of_vertex.tolist()
        [0, 0, 1, 1]
        """
        return Components(*self._graph.components())

    def smallest_edge(self) -> SmallestEdge:
        """The smallest edge weight; negative ones make vertices dissimilar.

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> found = gsfa.graphs.Ell().build(np.arange(3.0)).smallest_edge()
        >>> round(found.weight, 4), found.vertices
        (-0.1667, (0, 2))
        """
        weight, *ends = self._graph.smallest_edge()
        return SmallestEdge(weight, (ends[0], ends[1]))

    def free_responses(self, count: int | None = None) -> FreeResponses:
        """The slowest responses there could be: what features would be if functions were unlimited.

        Parameters
        ----------
        count : int, optional
            How many; all N − 1 if left out.

        Returns
        -------
        FreeResponses
            `responses`, `delta_values` and `eigenvalues`.

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> responses, deltas, _ = gsfa.graphs.Reordering().build(np.arange(30.0)).free_responses()
        >>> responses.shape, int((deltas < 2 - 1e-9).sum())
        ((30, 29), 14)
        """
        check("count", count, (Whole(1), None), "free_responses")
        return FreeResponses(*self._graph.free_responses(len(self) - 1 if count is None else int(count)))

    def delta_values(self, features: ArrayLike) -> Floats:
        """Δ of features on this graph, after giving them weighted mean 0 and variance 1.

        Parameters
        ----------
        features : array-like of shape (n_vertices,) or (n_vertices, n_features)
            One value of each feature for each vertex.

        Returns
        -------
        ndarray of shape (n_features,)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Ell().build(np.arange(5.0))
        >>> abs(G.delta_values(np.c_[np.arange(5), np.arange(5) % 2])).round(9).tolist()
        [0.0, 2.0]
        """
        return self._graph.delta_values(_matrix("features", features))

    def expected_noise_delta(self, *, feasible: bool = False) -> float:
        """The Δ that noise has on average: 2(R − Σγₙₙ)/R.

        Parameters
        ----------
        feasible : bool, default=False
            Of normal noise that was then given weighted mean 0 and variance 1, as :meth:`delta_values` does.

        Returns
        -------
        float

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Chain().build(X=np.zeros((5, 1)))
        >>> G.expected_noise_delta(), round(G.expected_noise_delta(feasible=True), 9)
        (2.0, 2.5)
        """
        check("feasible", feasible, (Flag(),), "expected_noise_delta")
        return self._graph.expected_noise_delta(bool(feasible))

    def transition_probabilities(self, vertex: int | None = None, *, sparse: bool = False) -> Any:
        """Probabilities γ/Γ1 of a random walk to go from one vertex to another.

        Parameters
        ----------
        vertex : int, optional
            From this vertex only.
        sparse : bool, default=False
            A SciPy sparse array (CSR) instead of a matrix.

        Returns
        -------
        ndarray or scipy.sparse.csr_array of shape (n_vertices, n_vertices), or ndarray of shape (n_vertices,)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Chain().build(X=np.zeros((4, 1)))
        >>> G.transition_probabilities(1).tolist()
        [0.5, 0.0, 0.5, 0.0]
        """
        check("vertex", vertex, (Whole(0), None), "transition_probabilities")
        if vertex is not None:
            check("sparse", sparse, (Flag(),), "transition_probabilities")
            return self._graph.transition_probabilities(int(vertex))
        # The first vertex that has no such probabilities says so.
        listed = self.edge_weights(sparse=True)
        bad = np.flatnonzero((listed.min(axis=1).toarray() < 0) | (abs(listed).sum(axis=1) == 0))
        if len(bad):
            self._graph.transition_probabilities(int(bad[0]))
        return self._scaled(1 / listed.sum(axis=1), sparse, both=False)

    def random_walk(self, steps: int, *, seed: int = 0) -> NDArray[np.int64]:
        """Vertices in the order of a random walk that starts in its stationary distribution Γ1/R.

        Plain SFA on a long walk finds what GSFA finds on the graph, if it is consistent and connected.

        Parameters
        ----------
        steps : int
            How many vertices.
        seed : int, default=0
            The same seed gives the same walk.

        Returns
        -------
        ndarray of shape (steps,)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Reordering().build(np.arange(6.0))
        >>> walk = G.random_walk(100_000, seed=0)
        >>> walk.shape
        (100000,)
        >>> X = np.eye(6)                        # any function of the vertex is linear in these
        >>> abs(gsfa.SFA(2).fit(X[walk]).delta_values_ - G.free_responses(2).delta_values).max() < 0.01
        np.True_
        """
        check("steps", steps, (Whole(1),), "random_walk")
        check("seed", seed, (Whole(0, 2**64 - 1),), "random_walk")
        return self._graph.random_walk(int(steps), int(seed))

    def without_self_loops(self) -> TrainingGraph:
        """The same graph without self-loops: free responses stay, Δ grows by R/R', consistency may be lost.

        Returns
        -------
        TrainingGraph

        Examples
        --------
        >>> import gsfa
        >>> G = gsfa.graphs.Clustered().build(list("aabb")).without_self_loops()
        >>> G.self_loops.tolist(), G.free_responses(2).delta_values.round(9).tolist()
        ([0.0, 0.0, 0.0, 0.0], [0.0, 4.0])
        """
        made = self._graph.without_self_loops()
        return TrainingGraph(made, lambda _: (TrainingGraph.without_self_loops, (self,)))

    def without_negative_edges(self) -> TrainingGraph:
        """The same graph with c v vᵀ added such that no edge is negative: free responses, their order and R stay.

        Returns
        -------
        TrainingGraph

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Ell().build(np.arange(3.0)).without_negative_edges()
        >>> bool(G.edge_weights().min() > -1e-15), G.free_responses().delta_values.round(9).tolist()
        (True, [0.6666..., 2.0])
        """
        made = self._graph.without_negative_edges()
        return TrainingGraph(made, lambda _: (TrainingGraph.without_negative_edges, (self,)))

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.Graph``: edges with a `weight`, vertices with a `vertex_weight`.

        Returns
        -------
        networkx.Graph

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> G = gsfa.graphs.Chain().build(X=np.zeros((4, 1))).to_networkx()
        >>> G.number_of_edges(), G.edges[0, 1]["weight"]
        (3, 1.0)
        """
        networkx = _networkx()
        graph = networkx.from_scipy_sparse_array(self.edge_weights(sparse=True))
        networkx.set_node_attributes(graph, dict(enumerate(self.vertex_weights.tolist())), "vertex_weight")
        return graph

    def plot(self, y: Any = None, *, count: int = 3, ax: Any = None) -> Any:
        """Draws the edge weights and the slowest free responses; needs matplotlib.

        Parameters
        ----------
        y : array-like of shape (n_vertices,), optional
            Labels, in whose order vertices are drawn.
        count : int, default=3
            How many free responses.
        ax : pair of matplotlib axes, optional
            Where to draw: edge weights, responses.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from ._plots import plot_graph

        return plot_graph(self, y, count=count, axes=ax)

    # What estimators ask of a graph, built or not.
    needs_labels = False
    _numbers = False
    _classes = False
    _semi_supervised = False
    _needs_vectors = False

    def _native(self, y: Any, sample_weight: Any = None, *, X: Any = None) -> _core.Graph:
        """Itself, for as many samples as it was built for."""
        if sample_weight is not None:
            raise GsfaError(
                "a graph that was built has the weights of its samples already",
                hint="give sample_weight to build, or the specification of the graph to the estimator",
                code="weights",
            )
        samples = None if X is None and y is None else len(X if X is not None else y)
        if samples is not None and samples != self._graph.samples:
            raise GsfaError(
                f"the graph was built for {self._graph.samples} samples, there are {samples} samples",
                hint="build the graph of these samples, or give its specification to the estimator",
                code="length_mismatch",
            )
        return self._graph

    def _spec(self) -> dict[str, Any]:
        """What tells it from others."""
        parts = {"vertex_weights": self.vertex_weights, "degrees": self.degrees, "self_loops": self.self_loops}
        return {"kind": "built", **{name: values.tolist() for name, values in parts.items()}}

    def _scaled(self, factors: Floats, sparse: bool, *, both: bool) -> Any:
        """Diag(factors) Γ, and once more from the right for `both`."""
        edges = self.edge_weights(sparse=sparse)
        if sparse:
            import scipy.sparse

            left = scipy.sparse.diags_array(factors)
            return scipy.sparse.csr_array(left @ edges @ left if both else left @ edges)
        edges *= factors[:, None]
        if both:
            edges *= factors[None, :]
        return edges

    def _places(self, name: str, vertices: ArrayLike) -> list[int]:
        chosen = np.atleast_1d(np.asarray(vertices))
        if chosen.dtype == bool and chosen.shape == (len(self),):
            chosen = np.flatnonzero(chosen)
        whole = chosen.dtype.kind in "iu" or chosen.size == 0
        if chosen.ndim != 1 or not whole or (chosen.size and not 0 <= chosen.min() <= chosen.max() < len(self)):
            raise GsfaError(
                f"{name} must be numbers of vertices, from 0 to {len(self) - 1}", code="vertices"
            )
        return [int(vertex) for vertex in chosen]


def _networkx() -> Any:
    try:
        import networkx
    except ImportError:
        raise ImportError("graphs of networkx need it: pip install 'gsfa[networkx]'") from None
    return networkx


def from_responses(
    responses: ArrayLike, delta_values: ArrayLike, *, vertex_weights: ArrayLike | None = None
) -> TrainingGraph:
    """The graph whose free responses are given, with given delta values, and Δ = 2 for all else.

    Parameters
    ----------
    responses : array-like of shape (n_vertices,) or (n_vertices, n_responses)
        Any independent columns. They are given weighted mean 0 and variance 1, and each loses what earlier ones explain.
    delta_values : array-like of shape (n_responses,)
        The Δ that each shall have; in any order, also below 0 and above 2.
    vertex_weights : array-like of shape (n_vertices,), optional
        v; 1 if left out.

    Returns
    -------
    TrainingGraph
        With λ₀ = 1, thus R = Q, and λ = 1 − Δ/2.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> Y = np.random.default_rng(0).normal(size=(8, 2))
    >>> G = gsfa.graphs.from_responses(Y, [1.5, 0.25])
    >>> G.free_responses(3).delta_values.round(9).tolist()
    [0.25, 1.5, 2.0]
    >>> G.targets.names
    ('y1', 'y2')
    """
    columns = _matrix("responses", responses)
    deltas = _matrix("delta values", np.atleast_1d(np.asarray(delta_values)))[:, 0]
    weights = np.ones(len(columns)) if vertex_weights is None else _matrix("vertex weights", vertex_weights)[:, 0]
    made = _core.Graph.from_responses(columns, deltas.tolist(), weights.tolist())
    # Arrays that nobody changes meanwhile.
    given = (columns.copy(), deltas.copy(), weights.copy())
    return TrainingGraph(made, lambda _: (_from_responses, given))


def _from_responses(responses: Floats, delta_values: Floats, vertex_weights: Floats) -> TrainingGraph:
    return from_responses(responses, delta_values, vertex_weights=vertex_weights)
