"""Graphs of given edges: matrices, and graphs of networkx."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ._graph_specification import EdgeArrays, Graph
from ._labels import label_count
from ._parameters import Instance, Number, OneOf, Several, Sorts, check, shown
from ._graph_matrices import imported_networkx
from ._training_graph import TrainingGraph
from .errors import GsfaError, ParameterError


@dataclass(frozen=True, eq=False)
class Edges(Graph):
    """Edge weights as given.

    Parameters
    ----------
    matrix : sparse matrix or array-like of shape (n_samples, n_samples)
        Γ; an asymmetric one is replaced by the mean of itself and its transpose. Stored entries of a sparse matrix that
        are repeated are added.
    vertex_weights : "uniform", "degrees" or array-like of shape (n_samples,), default="uniform"
        v: 1 for each vertex, Γ1, which makes the graph consistent, or as given. Sample weights multiply it.

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
    vertex_weights: Any = "uniform"
    _kind: ClassVar[str] = "edges"
    _needs: ClassVar[frozenset[str]] = frozenset(("one_piece", "order"))
    _lists: ClassVar[dict[str, str]] = {"vertex_weights": "given"}
    _allowed: ClassVar[Sorts] = {
        "vertex_weights": (OneOf(("uniform", "degrees")), Several(Number(0.0, above=True))),
    }

    def _input(self, y: Any, sample_weight: Any, X: Any) -> tuple[int, Any, Any, Any, list[EdgeArrays]]:
        vertices = self._square().shape[0]
        if X is None and y is None:
            X = range(vertices)
        samples = label_count(X if X is not None else y)
        if samples != vertices:
            raise GsfaError(
                f"the edge weights are those of {vertices} vertices, there are {samples} vertices",
                hint="give one row and one column for each sample; samples of weight zero are left out of both",
                code="length_mismatch",
            )
        return super()._input(y, sample_weight, X)

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
        ends = matrix.row.astype(np.int64, copy=False), matrix.col.astype(np.int64, copy=False)
        weights: NDArray[np.float64] = matrix.data.astype(np.float64, copy=False)
        return {**super()._spec(), "edges": []}, [(*ends, weights)]

    @classmethod
    def _of_spec(cls, spec: dict[str, Any], samples: int) -> Graph:
        import scipy.sparse

        edges = np.array(spec["edges"], dtype=np.float64).reshape(-1, 3)
        size = max(samples, int(edges[:, :2].max()) + 1 if len(edges) else 0)
        ends = (edges[:, 0].astype(int), edges[:, 1].astype(int))
        weights = spec.get("vertex_weights", "uniform")
        given = weights["given"] if isinstance(weights, dict) else weights
        return Edges(scipy.sparse.coo_array((edges[:, 2], ends), shape=(size, size)), vertex_weights=given)


def as_edges(graph: TrainingGraph) -> Any:
    """How a graph of edges or vectors is written to a file: as its edges."""
    return _built, (graph.edge_weights(sparse=True), graph.vertex_weights)


def _built(edges: Any, vertex_weights: Any) -> TrainingGraph:
    return Edges(edges, vertex_weights=vertex_weights).build()


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
    networkx = imported_networkx()
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
    numbers = Number()
    for u, v, value in graph.edges(data=weight, default=1):
        if not numbers.admits(value):
            raise GsfaError(
                f"the '{weight}' of the edge between {shown(u)} and {shown(v)} is {shown(value)}, which is no finite number",
                hint="weight names the attribute of edges that is their weight",
                code="weights",
            )
    matrix = networkx.to_scipy_sparse_array(graph, weight=weight, dtype=np.float64)
    return Edges(matrix, vertex_weights=[given[node] for node in graph] if given else "uniform")
