"""Training graphs as values: which samples should get similar outputs.

A graph is a small immutable value; it knows nothing about samples until it meets their labels::

    gsfa.GSFA(graph=gsfa.graphs.Serial(groups=60)).fit(X, y)
    0.7 * gsfa.graphs.Ell() + 0.3 * gsfa.graphs.Serial()

With labels it becomes a :class:`TrainingGraph`, which can tell everything about itself before anything is trained, and
with which estimators can be trained::

    G = gsfa.graphs.Ell(targets=4).build(y)
    G.edge_weights(), G.free_responses(), G.consistency()
    gsfa.GSFA(graph=G).fit(X)

Written by python/write_graphs.py from what the library says of its graphs; changes belong there.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Sequence

from ._edges import Edges, from_networkx
from ._graph_facts import Components, Consistency, FreeResponses, SmallestEdge, Targets
from ._graph_specification import Analysis, Graph, Sum
from ._parameters import TEXT, Flag, Instance, Number, OneOf, Several, Sorts, Whole
from ._training_graph import TrainingGraph, from_responses

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
    "Mixed",
    "NearestNeighbors",
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


@dataclass(frozen=True)
class Chain(Graph):
    """Samples in the order of time: plain SFA.

    Parameters
    ----------
    lag : int, default=1
        Steps between connected samples.
    sequences : str, optional
        A label whose runs of equal values are the sequences; all samples are one sequence without it.
    vertex_weights : {"uniform", "degrees"} or sequence of float, default="uniform"
        Where the vertex weights come from.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> G = gsfa.graphs.Chain().build(X=np.zeros((4, 1)))
    >>> G.edge_weights().shape, G.free_responses(1).delta_values.round(4).tolist()
    ((4, 4), [0.781])
    """

    lag: int = 1
    _: KW_ONLY
    sequences: str | None = None
    vertex_weights: Any = "uniform"
    _kind: ClassVar[str] = "chain"
    _needs: ClassVar[frozenset[str]] = frozenset(("one_piece", "order"))
    _lists: ClassVar[dict[str, str]] = {"vertex_weights": "given"}
    _allowed: ClassVar[Sorts] = {
        "lag": (Whole(1),),
        "sequences": (TEXT, None),
        "vertex_weights": (OneOf(("uniform", "degrees")), Several(Number())),
    }


@dataclass(frozen=True)
class Reordering(Graph):
    """Samples in the order of a label, each connected with its neighbours.

    Parameters
    ----------
    end_loops : bool, default=True
        Self-loops at both ends.
    label : str, optional
        The numeric label to order by; may be left out if there is only one.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> responses, deltas, _ = gsfa.graphs.Reordering().build(np.arange(30.0)).free_responses()
    >>> responses.shape, int((deltas < 2 - 1e-9).sum())
    ((30, 29), 14)
    """

    _: KW_ONLY
    end_loops: bool = True
    label: str | None = None
    _kind: ClassVar[str] = "reordering"
    _needs: ClassVar[frozenset[str]] = frozenset(("number", "one_piece"))
    _allowed: ClassVar[Sorts] = {
        "end_loops": (Flag(),),
        "label": (TEXT, None),
    }


@dataclass(frozen=True)
class Serial(Graph):
    """Groups of similar labels, neighbouring groups connected.

    Parameters
    ----------
    groups : int, default=60
        The number of groups, K; fewer are formed if the label has fewer distinct values.
    label : str, optional
        The numeric label to order by; may be left out if there is only one.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> G = gsfa.graphs.Serial(groups=5).build(np.arange(30.0))
    >>> len(G), G.free_responses(2).delta_values.round(4).tolist()
    (30, [0.5858, 2.0])
    """

    groups: int = 60
    _: KW_ONLY
    label: str | None = None
    _kind: ClassVar[str] = "serial"
    _needs: ClassVar[frozenset[str]] = frozenset(("number",))
    _allowed: ClassVar[Sorts] = {
        "groups": (Whole(2),),
        "label": (TEXT, None),
    }


@dataclass(frozen=True)
class Mixed(Graph):
    """Serial, and connected within groups.

    Parameters
    ----------
    groups : int, default=60
        The number of groups, K; fewer are formed if the label has fewer distinct values.
    label : str, optional
        The numeric label to order by; may be left out if there is only one.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> G = gsfa.graphs.Mixed(groups=4).build(np.arange(12.0))
    >>> len(G), G.free_responses(1).delta_values.round(4).tolist()
    (12, [0.3905])
    """

    groups: int = 60
    _: KW_ONLY
    label: str | None = None
    _kind: ClassVar[str] = "mixed"
    _needs: ClassVar[frozenset[str]] = frozenset(("number",))
    _allowed: ClassVar[Sorts] = {
        "groups": (Whole(2),),
        "label": (TEXT, None),
    }


@dataclass(frozen=True)
class SlidingWindow(Graph):
    """Samples in the order of a label, connected within a window.

    Parameters
    ----------
    half_width : int
        The largest distance in ranks.
    label : str, optional
        The numeric label to order by; may be left out if there is only one.
    shape : {"box", "triangle"} or sequence of float, default="box"
        The weights over the distance.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> G = gsfa.graphs.SlidingWindow(2).build(np.arange(6.0))
    >>> G.edge_weights().shape, G.r
    ((6, 6), 24.0)
    """

    half_width: int
    _: KW_ONLY
    label: str | None = None
    shape: Any = "box"
    _kind: ClassVar[str] = "sliding_window"
    _needs: ClassVar[frozenset[str]] = frozenset(("number", "one_piece"))
    _lists: ClassVar[dict[str, str]] = {"shape": "weights"}
    _allowed: ClassVar[Sorts] = {
        "half_width": (Whole(1),),
        "label": (TEXT, None),
        "shape": (OneOf(("box", "triangle")), Several(Number())),
    }


@dataclass(frozen=True)
class Clustered(Graph):
    """Samples of a class connected: Fisher discriminant analysis.

    Parameters
    ----------
    balance : bool, default=False
        Give all classes the same total weight: uniform priors instead of those of the sample.
    label : str, optional
        The class label; may be left out if there is only one.
    paper_weights : bool, default=False
        Edge weights 1/(N_c - 1) and no self-loops, as in the paper.
    semi_supervised : bool, default=False
        Samples without label may be there: NaN for numbers, no class for classes. They are always seen by what is
        learned without labels (scales, principal components, clipping).
    unlabelled : float, optional
        How much the samples without label weigh in the covariance, in units of their sample weights. 0, which is what
        is taken if left out, leaves it to the labelled ones; a recipe lets folds of the labelled ones decide.

    Examples
    --------
    >>> import gsfa
    >>> G = gsfa.graphs.Clustered().build(list("aabbcc"))
    >>> len(G), abs(G.free_responses(3).delta_values).round(9).tolist()
    (6, [0.0, 0.0, 2.0])
    """

    _: KW_ONLY
    balance: bool = False
    label: str | None = None
    paper_weights: bool = False
    semi_supervised: bool = False
    unlabelled: float | None = None
    _kind: ClassVar[str] = "clustered"
    _needs: ClassVar[frozenset[str]] = frozenset(("class",))
    _allowed: ClassVar[Sorts] = {
        "balance": (Flag(),),
        "label": (TEXT, None),
        "paper_weights": (Flag(),),
        "semi_supervised": (Flag(),),
        "unlabelled": (Number(0.0), None),
    }


@dataclass(frozen=True)
class Ell(Graph):
    """The labels themselves, exactly.

    Parameters
    ----------
    targets : int, optional
        The number of target labels, L, originals and auxiliary ones together; the originals alone if left out.
    allow_negative : bool, default=False
        Accept negative eigenvalues, which make a label as fast as possible.
    cosines : {"formula", "prose"}, default="formula"
        How the equation eq:auxiliary_labels of the paper is read.
    eigenvalues : {"linear", "equal", "compact"} or sequence of float or dict, default="linear"
        The eigenvalues of the target labels: their importance.
    labels : sequence of str, default=()
        The original labels; empty means all numeric ones.
    lambda0 : float, optional
        λ₀; the largest eigenvalue if left out, which gives the first label Δ = 0.
    powers : sequence of int, default=()
        A power per original label, to learn ℓ² or ℓ³; empty means 1.
    products : bool, default=False
        Products of standardised labels as further auxiliary labels, before the cosines.
    semi_supervised : bool, default=False
        Samples without label may be there: NaN for numbers, no class for classes. They are always seen by what is
        learned without labels (scales, principal components, clipping).
    strict : bool, default=False
        Refuse eigenvalues that increase.
    unlabelled : float, optional
        How much the samples without label weigh in the covariance, in units of their sample weights. 0, which is what
        is taken if left out, leaves it to the labelled ones; a recipe lets folds of the labelled ones decide.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> G = gsfa.graphs.Ell(targets=2).build(np.arange(9.0))
    >>> G.targets.values.shape, abs(G.free_responses(3).delta_values).round(9).tolist()
    ((9, 2), [0.0, 1.0, 2.0])
    """

    targets: int | None = None
    _: KW_ONLY
    allow_negative: bool = False
    cosines: str = "formula"
    eigenvalues: Any = "linear"
    labels: Sequence[str] = ()
    lambda0: float | None = None
    powers: Sequence[int] = ()
    products: bool = False
    semi_supervised: bool = False
    strict: bool = False
    unlabelled: float | None = None
    _kind: ClassVar[str] = "ell"
    _needs: ClassVar[frozenset[str]] = frozenset(("numbers",))
    _lists: ClassVar[dict[str, str]] = {"eigenvalues": "values"}
    _allowed: ClassVar[Sorts] = {
        "targets": (Whole(1), None),
        "allow_negative": (Flag(),),
        "cosines": (OneOf(("formula", "prose")),),
        "eigenvalues": (OneOf(("linear", "equal", "compact")), Several(Number()), Instance(dict)),
        "labels": (Several(TEXT),),
        "lambda0": (Number(0.0, above=True), None),
        "powers": (Several(Whole(1)),),
        "products": (Flag(),),
        "semi_supervised": (Flag(),),
        "strict": (Flag(),),
        "unlabelled": (Number(0.0), None),
    }


@dataclass(frozen=True)
class Compact(Graph):
    """Codes of the class, for few features that tell many classes apart.

    Parameters
    ----------
    targets : int, optional
        The number of target labels, C−1 if left out: compact+5, compact+31.
    balance : bool, default=False
        Give all classes the same total weight: uniform priors instead of those of the sample.
    class_order : sequence of str, default=()
        All class names in the order that decides their codes; the order of ``Classes`` if empty.
    code : {"binary", "sparse", "weighted_fisher", "pairwise", "nested"}, default="binary"
        Which code.
    costs : sequence of sequence of float, default=()
        For a learned code: what it costs to take one class for another, one list per class, in the order of the
        classes; empty for equal costs. Ordered classes have large costs where they are far apart.
    eigenvalues : {"linear", "equal", "compact"} or sequence of float or dict, default="compact"
        The eigenvalues of the target labels; by default equal for the bits, then falling linearly.
    label : str, optional
        The class label; may be left out if there is only one.
    lambda0 : float, optional
        λ₀; the largest eigenvalue if left out.
    scale : float, optional
        Factor of the distances between classes that a learned code goes by: below 1, the search looks at more pairs.
        1 if left out, unless a recipe lets folds decide.
    semi_supervised : bool, default=False
        Samples without label may be there: NaN for numbers, no class for classes. They are always seen by what is
        learned without labels (scales, principal components, clipping).
    unlabelled : float, optional
        How much the samples without label weigh in the covariance, in units of their sample weights. 0, which is what
        is taken if left out, leaves it to the labelled ones; a recipe lets folds of the labelled ones decide.

    Examples
    --------
    >>> import gsfa
    >>> G = gsfa.graphs.Compact(targets=2).build(list("aabbccdd"))
    >>> G.targets.values.shape, abs(G.free_responses(3).delta_values).round(9).tolist()
    ((8, 2), [0.0, 0.0, 2.0])
    """

    targets: int | None = None
    _: KW_ONLY
    balance: bool = False
    class_order: Sequence[str] = ()
    code: str = "binary"
    costs: Sequence[Sequence[float]] = ()
    eigenvalues: Any = "compact"
    label: str | None = None
    lambda0: float | None = None
    scale: float | None = None
    semi_supervised: bool = False
    unlabelled: float | None = None
    _kind: ClassVar[str] = "compact"
    _needs: ClassVar[frozenset[str]] = frozenset(("class",))
    _lists: ClassVar[dict[str, str]] = {"eigenvalues": "values"}
    _allowed: ClassVar[Sorts] = {
        "targets": (Whole(1), None),
        "balance": (Flag(),),
        "class_order": (Several(TEXT),),
        "code": (OneOf(("binary", "sparse", "weighted_fisher", "pairwise", "nested")),),
        "costs": (Several(Several(Number(0.0))),),
        "eigenvalues": (OneOf(("linear", "equal", "compact")), Several(Number()), Instance(dict)),
        "label": (TEXT, None),
        "lambda0": (Number(0.0, above=True), None),
        "scale": (Number(0.0, above=True), None),
        "semi_supervised": (Flag(),),
        "unlabelled": (Number(0.0), None),
    }


@dataclass(frozen=True)
class NearestNeighbors(Graph):
    """Each sample connected with the ones nearest to it.

    Parameters
    ----------
    neighbors : int, default=5
        The number of neighbours, k.
    heat : float, optional
        Weights exp(-‖x - x'‖² / t) with this t instead of 1.
    vertex_weights : {"uniform", "degrees"} or sequence of float, default="degrees"
        Where the vertex weights come from.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> G = gsfa.graphs.NearestNeighbors(1).build(X=np.array([[0.0], [1.0], [10.0], [11.0]]))
    >>> G.edge_weights().shape, G.components().count
    ((4, 4), 2)
    """

    neighbors: int = 5
    _: KW_ONLY
    heat: float | None = None
    vertex_weights: Any = "degrees"
    _kind: ClassVar[str] = "nearest_neighbors"
    _needs: ClassVar[frozenset[str]] = frozenset(("vectors", "one_piece"))
    _lists: ClassVar[dict[str, str]] = {"vertex_weights": "given"}
    _allowed: ClassVar[Sorts] = {
        "neighbors": (Whole(1),),
        "heat": (Number(0.0, above=True), None),
        "vertex_weights": (OneOf(("uniform", "degrees")), Several(Number())),
    }
