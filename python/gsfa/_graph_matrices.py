"""The matrices of a graph, dense and sparse, and the random walk over it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._graph_facts import Floats
from ._parameters import Flag, Whole, check
from .errors import GsfaError


class GraphMatrices:
    """Γ and what is made of it."""

    _graph: _core.Graph

    def __len__(self) -> int:
        return len(self._graph)

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
        factors = 1 / np.sqrt(self.vertex_weights)
        return _as_made(self.edge_weights(sparse=sparse) * factors[:, None] * factors[None, :], sparse)

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
        import scipy.sparse

        edges = self.edge_weights(sparse=sparse)
        diagonal = scipy.sparse.diags_array(self.degrees) if sparse else np.diag(self.degrees)
        return _as_made(diagonal - edges, sparse)

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
        edges = listed if sparse else self.edge_weights()
        return _as_made(edges * (1 / listed.sum(axis=1))[:, None], sparse)

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
        networkx = imported_networkx()
        graph = networkx.from_scipy_sparse_array(self.edge_weights(sparse=True))
        networkx.set_node_attributes(graph, dict(enumerate(self.vertex_weights.tolist())), "vertex_weight")
        return graph

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


def _as_made(matrix: Any, sparse: bool) -> Any:
    """A matrix in the form that was asked for, whatever SciPy made of it on the way."""
    import scipy.sparse

    return scipy.sparse.csr_array(matrix) if sparse else matrix


def imported_networkx() -> Any:
    try:
        import networkx
    except ImportError:
        raise ImportError("graphs of networkx need it: pip install 'gsfa[networkx]'") from None
    return networkx
