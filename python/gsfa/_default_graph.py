"""The graph of an estimator that was given none: what labels are decides."""

from __future__ import annotations

from typing import Any

from ._base import ModelEstimator
from ._labels import label_kind, split_columns
from .graphs import Compact, Ell, Graph, TrainingGraph


def graph_of_classes() -> Graph:
    """The graph of classes.

    With equal eigenvalues a code of C − 1 labels is the clustered graph, edge by edge; unlike that, it says which way
    features of equal delta value point.
    """
    return Compact(eigenvalues="equal")


def graph_for(estimator: ModelEstimator, y: Any) -> Graph | TrainingGraph:
    """The graph of an estimator; if it has none, exact label learning of numbers, or of a code of the classes.

    What a label was taken as is kept for the estimator's remarks.
    """
    graph: Graph | TrainingGraph | None = getattr(estimator, "graph")
    estimator._taken = []
    if graph is not None:
        return graph
    columns = split_columns(y)
    if len(columns) > 1:
        return Ell()
    name, values = columns[0]
    kind, reason = label_kind(y, values)
    other = 'Compact(eigenvalues="equal")' if kind == "numbers" else "Ell()"
    estimator._taken = [f"label '{name}' is taken as {kind}: {reason}; graph={other} changes that"]
    return Ell() if kind == "numbers" else graph_of_classes()
