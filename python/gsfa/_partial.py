"""Sums over rows that come in chunks, and whether those of two estimators belong together."""

from __future__ import annotations

import copy
import threading
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._labels import LabelTable, label_table
from ._parameters import shown
from .errors import GsfaError
from .graphs import Graph, TrainingGraph

if TYPE_CHECKING:
    from ._gsfa import GSFA

NOT_COMPARED = ("graph", "n_jobs")
"""Parameters that are compared otherwise, or that change no result."""


class Sums:
    """The graph of all samples and the sums over those seen so far; pickles as labels and bytes.

    Sums themselves never change: new ones take the place of old ones, so that they can be read at any time. Whoever
    replaces them holds the lock, and other threads that add rows wait.
    """

    def __init__(self, graph: Graph | TrainingGraph, y: Any, sample_weight: NDArray[np.float64] | None) -> None:
        self.graph = graph
        # Of its own: whoever announced the labels may go on to change them.
        self.y = copy.deepcopy(y)
        self.weights = None if sample_weight is None else np.array(sample_weight, dtype=np.float64)
        self.built = graph._native(self.y, self.weights)
        self.moments: _core.Moments | None = None
        self.columns = 0
        self.single = False
        self.next_row = 0
        self.lock = threading.Lock()

    @property
    def complete(self) -> bool:
        """Whether all announced rows have been added."""
        moments = self.moments
        return moments is not None and moments.rows == len(self.built)

    def add(self, X: NDArray[Any], first_row: int | None, solver: str, threads: int) -> None:
        """Adds rows from `first_row` on, or the next ones; after an error nothing has been added."""
        with self.lock:
            if self.complete:
                raise GsfaError(
                    f"all {len(self.built)} announced rows have been added",
                    hint="call prepare(y) with the labels of all samples before the first chunk",
                    code="row_range",
                )
            moments, single = self.moments, self.single
            if moments is None:
                single = X.dtype != np.float64
                moments = _core.Moments(self.built, X.shape[1], single, solver)
            at = self.next_row if first_row is None else int(first_row)
            moments = moments.added(at, X, threads)
            self.moments, self.single, self.columns, self.next_row = moments, single, X.shape[1], at + len(X)

    def merge(self, other: Sums) -> None:
        """Adds the sums over other rows."""
        theirs = other.moments
        if theirs is None:
            return
        with self.lock:
            self.moments = theirs if self.moments is None else self.moments.merged(theirs)
            self.single, self.columns = other.single, other.columns

    def solve(self, options: dict[str, Any], names: list[str] | None, threads: int) -> _core.Model:
        """The model of all rows."""
        assert self.moments is not None
        return self.moments.solve(options, names, threads)

    def labels(self) -> LabelTable:
        """The labels as the graph sees them."""
        return label_table(self.y, len(self.built), numbers=self.graph._numbers, classes=self.graph._classes)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        del state["built"], state["lock"]
        state["moments"] = None if state["moments"] is None else state["moments"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.lock = threading.Lock()
        self.built = self.graph._native(self.y, self.weights)
        if state["moments"] is not None:
            self.moments = _core.Moments.from_bytes(self.built, state["moments"], self.single)


def check_same(mine: GSFA, theirs: GSFA) -> None:
    """Refuses to merge what was prepared with other labels, weights, graphs or parameters, and says what differs."""
    if mine is theirs or mine._sums is theirs._sums:
        raise GsfaError(
            "an estimator cannot be merged with itself: its rows would count twice",
            hint="merge estimators that were prepared with the same labels and have seen other rows",
            code="row_range",
        )
    found = {
        **_parameters(mine, theirs),
        **_graph(mine._sums.graph, theirs._sums.graph),
        **_labels(mine._sums, theirs._sums),
        **_weights(mine._sums, theirs._sums),
        **_inputs(mine, theirs),
    }
    if found:
        raise GsfaError(
            f"these estimators were not prepared alike: {'; '.join(found.values())}",
            hint="prepare every part with the same labels, weights, graph and parameters, and give it samples of one type",
            code="different_moments",
            details={"differs": list(found)},
        )


def _parameters(mine: GSFA, theirs: GSFA) -> dict[str, str]:
    ours, others = mine.get_params(deep=False), theirs.get_params(deep=False)
    names = [name for name in ours if name not in NOT_COMPARED]
    return {
        name: f"{name} is {shown(ours[name])} here and {shown(others.get(name))} there"
        for name in names
        if repr(ours[name]) != repr(others.get(name))
    }


def _graph(mine: Graph | TrainingGraph, theirs: Graph | TrainingGraph) -> dict[str, str]:
    if mine._spec() == theirs._spec():
        return {}
    if type(mine) is not type(theirs):
        return {"graph": f"the graph is {type(mine).__name__} here and {type(theirs).__name__} there"}
    ours, others = vars(mine), vars(theirs)
    parts = [
        f"{name} is {shown(ours[name])} here and {shown(others[name])} there"
        for name in ours
        if repr(ours[name]) != repr(others[name])
    ]
    return {"graph": f"the graph differs: {', '.join(parts) or 'its edges'}"}


def _labels(mine: Sums, theirs: Sums) -> dict[str, str]:
    if len(mine.built) != len(theirs.built):
        return {"labels": f"labels are those of {len(mine.built)} samples here and of {len(theirs.built)} there"}
    ours, others = mine.labels().columns, theirs.labels().columns
    names, other_names = [column[0] for column in ours], [column[0] for column in others]
    if names != other_names:
        return {"labels": f"labels are {shown(names)} here and {shown(other_names)} there"}
    for a, b in zip(ours, others):
        if len(a) != len(b):
            return {"labels": f"label '{a[0]}' holds {_kind(a)} here and {_kind(b)} there"}
        rows = _rows(_values(a), _values(b))
        if rows is not None:
            return {"labels": f"label '{a[0]}' differs in {rows}"}
    return {}


def _weights(mine: Sums, theirs: Sums) -> dict[str, str]:
    count = len(mine.built)
    if count != len(theirs.built):
        return {}
    ours, others = (np.ones(count) if sums.weights is None else sums.weights for sums in (mine, theirs))
    rows = _rows(ours, others)
    return {} if rows is None else {"weights": f"weights differ in {rows}"}


def _inputs(mine: GSFA, theirs: GSFA) -> dict[str, str]:
    """What is known of samples, if both have seen some."""
    ours, others = mine._sums, theirs._sums
    if ours.moments is None or others.moments is None:
        return {}
    if ours.columns != others.columns:
        return {"columns": f"samples have {ours.columns} columns here and {others.columns} there"}
    if ours.single != others.single:
        kinds = ["float32 or uint8" if sums.single else "float64" for sums in (ours, others)]
        return {"type": f"samples are {kinds[0]} here and {kinds[1]} there"}
    names, other_names = mine._names(), theirs._names()
    if names is not None and other_names is not None and names != other_names:
        return {"columns": f"columns are {shown(names)} here and {shown(other_names)} there"}
    return {}


def _kind(column: Any) -> str:
    return "numbers" if len(column) == 2 else "classes"


def _values(column: Any) -> NDArray[Any]:
    """A value for each row that can be compared; missing ones are equal to each other."""
    if len(column) == 2:
        numbers: NDArray[Any] = column[1]
        return numbers
    classes: NDArray[Any] = np.array([*column[1], ""], dtype=object)[np.minimum(column[2], len(column[1]))]
    return classes


def _rows(a: NDArray[Any], b: NDArray[Any]) -> str | None:
    """How many rows differ and which one first; nothing if none does."""
    missing = (a != a) & (b != b)
    rows = np.flatnonzero((a != b) & ~missing)
    return None if len(rows) == 0 else f"{len(rows)} of {len(a)} rows, first in row {rows[0]}"
