"""Sums over rows that come in chunks, and whether those of two estimators belong together."""

from __future__ import annotations

import copy
import threading
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._labels import LabelTable, label_table
from ._parameters import shown
from .errors import GsfaError, Remark
from .graphs import Graph, TrainingGraph

if TYPE_CHECKING:
    from ._gsfa import GSFA

NOT_COMPARED = ("graph", "n_jobs")
"""Parameters that are compared otherwise, or that change no result."""


LEAST_ROWS = 256
"""Rows that are worth a copy of the sums, where there are fewer columns."""

LARGE = 1e100
"""Numbers whose squares may be too large are summed at once, so that the error belongs to their chunk."""


@dataclass(frozen=True)
class Seen:
    """What is known of the rows seen so far: sums, and rows that wait for others.

    Adding rows makes new sums of the old ones, which are columns by columns large. Chunks of fewer rows than columns wait
    until there are as many, so that this costs little beside summing them.
    """

    moments: _core.Moments | None = None
    waiting: tuple[tuple[int, NDArray[Any]], ...] = ()
    runs: tuple[tuple[int, int], ...] = ()
    """First rows, and rows after the last, of all that was seen, in their order."""
    columns: int = 0
    single: bool = False
    next_row: int = 0

    @property
    def rows(self) -> int:
        """How many there are."""
        summed = 0 if self.moments is None else self.moments.rows
        return summed + sum(len(rows) for _, rows in self.waiting)

    def is_new(self, start: int, end: int) -> bool:
        """Whether none of some rows was seen."""
        at = bisect_left(self.runs, (start, start))
        before = at == 0 or self.runs[at - 1][1] <= start
        return before and (at == len(self.runs) or end <= self.runs[at][0])

    def summed(self, threads: int) -> Seen:
        """The same without rows that wait."""
        if not self.waiting:
            return self
        pieces = sorted(self.waiting, key=lambda piece: piece[0])
        starts = [0] + [k for k in range(1, len(pieces)) if pieces[k - 1][0] + len(pieces[k - 1][1]) != pieces[k][0]]
        moments = self.moments
        assert moments is not None
        for first, last in zip(starts, [*starts[1:], len(pieces)]):
            rows = np.concatenate([rows for _, rows in pieces[first:last]])
            moments = moments.added(pieces[first][0], rows, threads)
        return replace(self, moments=moments, waiting=())

    def added(self, start: int, rows: NDArray[Any], graph: _core.Graph, threads: int) -> Seen:
        """With rows of all samples, from `start` on."""
        samples, end = len(graph), start + len(rows)
        # What is wrong with rows must be said now, by the sums themselves.
        # The first rows say whether the graph can be summed in chunks at all.
        fine = graph.rows is None and len(self.runs) > 0 and end <= samples and self.is_new(start, end)
        fine = fine and (rows.dtype != np.float64) == self.single
        fine = fine and rows.shape[1] == self.columns and (rows.dtype.kind != "f" or float(abs(rows).max()) < LARGE)
        together = len(rows) + sum(len(piece) for _, piece in self.waiting)
        if fine and together < max(self.columns, LEAST_ROWS) and self.rows + len(rows) < samples:
            # A copy: the caller may go on to change them.
            seen = replace(self, waiting=(*self.waiting, (start, rows.copy())))
        else:
            summed = self.summed(threads)
            assert summed.moments is not None
            seen = replace(summed, moments=summed.moments.added(start, rows, threads))
        return replace(seen, runs=joined((*self.runs, (start, end))), next_row=end)


def joined(runs: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Runs in their order, those that touch as one."""
    ordered: list[tuple[int, int]] = []
    for start, end in sorted(runs):
        if ordered and ordered[-1][1] == start:
            start = ordered.pop()[0]
        ordered.append((start, end))
    return tuple(ordered)


class Sums:
    """The graph of all samples and the sums over those seen so far; pickles as labels and bytes.

    What was seen never changes: something new takes its place, so that it can be read at any time. Whoever replaces it
    holds the lock, and other threads that add rows wait.
    """

    def __init__(
        self,
        graph: Graph | TrainingGraph,
        y: Any,
        sample_weight: NDArray[np.float64] | None,
        remarks: Sequence[Remark] = (),
    ) -> None:
        self.graph = graph
        self.remarks = list(remarks)
        # Of its own: whoever announced the labels may go on to change them.
        self.y = copy.deepcopy(y)
        self.weights = None if sample_weight is None else np.array(sample_weight, dtype=np.float64)
        self.built = graph._native(self.y, self.weights)
        self.seen = Seen()
        self.lock = threading.Lock()

    @property
    def complete(self) -> bool:
        """Whether all announced rows have been added."""
        return self.seen.rows == len(self.built)

    def add(self, X: NDArray[Any], first_row: int | None, solver: str, threads: int) -> None:
        """Adds rows from `first_row` on, or the next ones; after an error nothing has been added."""
        with self.lock:
            if self.complete:
                raise GsfaError(
                    f"all {len(self.built)} announced rows have been added",
                    hint="call prepare(y) with the labels of all samples before the first chunk",
                    code="row_range",
                )
            seen = self.seen
            if seen.moments is None:
                columns, single = X.shape[1], X.dtype != np.float64
                seen = Seen(_core.Moments(self.built, columns, single, solver), columns=columns, single=single)
            at = seen.next_row if first_row is None else int(first_row)
            self.seen = seen.added(at, X, self.built, threads)

    def merge(self, other: Sums) -> None:
        """Adds the sums over other rows."""
        theirs = other.seen.summed(1)
        if theirs.moments is None:
            return
        with self.lock:
            ours = self.seen.summed(1)
            if ours.moments is None:
                self.seen = replace(theirs, next_row=ours.next_row)
            else:
                moments = ours.moments.merged(theirs.moments)
                self.seen = replace(ours, moments=moments, runs=joined((*ours.runs, *theirs.runs)))

    def solve(self, options: dict[str, Any], names: list[str] | None, threads: int) -> _core.Model:
        """The model of all rows."""
        moments = self.seen.summed(threads).moments
        assert moments is not None
        return moments.solve(options, names, threads)

    def labels(self) -> LabelTable:
        """The labels as the graph sees them."""
        return label_table(self.y, len(self.built), numbers=self.graph._numbers, classes=self.graph._classes)

    def __getstate__(self) -> dict[str, Any]:
        seen = self.seen.summed(1)
        moments = None if seen.moments is None else seen.moments.to_bytes()
        kept = {"graph": self.graph, "y": self.y, "weights": self.weights, "remarks": self.remarks}
        return {**kept, "seen": replace(seen, moments=None), "moments": moments}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.graph, self.y, self.weights = state["graph"], state["y"], state["weights"]
        self.remarks = state.get("remarks", [])
        self.lock = threading.Lock()
        self.built = self.graph._native(self.y, self.weights)
        self.seen = state["seen"]
        if state["moments"] is not None:
            moments = _core.Moments.from_bytes(self.built, state["moments"], self.seen.single)
            self.seen = replace(self.seen, moments=moments)


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
    ours, others = mine._sums.seen, theirs._sums.seen
    if ours.moments is None or others.moments is None:
        return {}
    if ours.columns != others.columns:
        return {"columns": f"samples have {ours.columns} columns here and {others.columns} there"}
    if ours.single != others.single:
        kinds = ["float32 or uint8" if seen.single else "float64" for seen in (ours, others)]
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
