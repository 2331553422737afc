"""A graph of given samples: vertices, edges, and all that can be known of them."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._graph_facts import Components, Consistency, Floats, FreeResponses, SmallestEdge, Targets, matrix
from ._graph_matrices import GraphMatrices
from ._parameters import Flag, Whole, check
from .errors import GsfaError

Remake = tuple[Callable[..., "TrainingGraph"], tuple[Any, ...]]
"""A function and its arguments that make a graph once more."""


class TrainingGraph(GraphMatrices):
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

    def __repr__(self) -> str:
        return f"TrainingGraph({len(self)} vertices, Q = {self.q:g}, R = {self.r:g})"

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
        return Targets(names=names, raw_names=raw_names, _of=self._graph, **found)

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
        return self._graph.delta_values(matrix("features", features))

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
    columns = matrix("responses", responses)
    deltas = matrix("delta values", np.atleast_1d(np.asarray(delta_values)))[:, 0]
    weights = np.ones(len(columns)) if vertex_weights is None else matrix("vertex weights", vertex_weights)[:, 0]
    made = _core.Graph.from_responses(columns, deltas.tolist(), weights.tolist())
    # Arrays that nobody changes meanwhile.
    given = (columns.copy(), deltas.copy(), weights.copy())
    return TrainingGraph(made, lambda _: (_from_responses, given))


def _from_responses(responses: Floats, delta_values: Floats, vertex_weights: Floats) -> TrainingGraph:
    return from_responses(responses, delta_values, vertex_weights=vertex_weights)
