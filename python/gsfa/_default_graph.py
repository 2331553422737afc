"""The graph of an estimator that was given none: what labels are decides."""

from __future__ import annotations

from typing import Any

from ._base import ModelEstimator
from ._labels import label_kind, split_columns
from .errors import Remark
from .graphs import Compact, Ell, Graph, TrainingGraph


def graph_of_classes() -> Graph:
    """The graph of classes.

    With equal eigenvalues a code of C − 1 labels is the clustered graph, edge by edge; unlike that, it says which way
    features of equal delta value point.
    """
    return Compact(eigenvalues="equal")


def graph_for(estimator: ModelEstimator, y: Any) -> tuple[Graph | TrainingGraph, list[Remark]]:
    """The graph of an estimator; if it has none, exact label learning of numbers, or of a code of the classes.

    And what its label was taken as, where nobody says it.
    """
    graph: Graph | TrainingGraph | None = getattr(estimator, "graph")
    if graph is not None:
        return graph, []
    columns = split_columns(y)
    if len(columns) > 1:
        return Ell(), []
    name, values = columns[0]
    kind, reason = label_kind(y, values)
    other = 'Compact(eigenvalues="equal")' if kind == "numbers" else "Ell()"
    taken = Remark(f"label '{name}' is taken as {kind}: {reason}; graph={other} changes that", "label_taken")
    return Ell() if kind == "numbers" else graph_of_classes(), [taken]
