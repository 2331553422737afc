"""Sums over rows that come in chunks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .errors import GsfaError
from .graphs import Graph


class Sums:
    """The graph of all samples and the sums over those seen so far; pickles as labels and bytes."""

    def __init__(self, graph: Graph, y: Any, sample_weight: Any) -> None:
        self.graph = graph
        self.y = y
        self.weights = None if sample_weight is None else np.ascontiguousarray(sample_weight, dtype=np.float64)
        self.built = graph.build(y, self.weights)
        self.moments: _core.Moments | None = None
        self.single = False
        self.next_row = 0

    @property
    def complete(self) -> bool:
        """Whether all announced rows have been added."""
        return self.moments is not None and self.moments.rows == len(self.built)

    def add(self, X: NDArray[Any], first_row: int | None, threads: int) -> None:
        """Adds rows from `first_row` on, or the next ones."""
        if self.moments is None:
            self.single = X.dtype != np.float64
            self.moments = _core.Moments(self.built, X.shape[1], self.single)
        if self.complete:
            raise GsfaError(
                f"all {len(self.built)} announced rows have been added",
                hint="call prepare(y) with the labels of all samples before the first chunk",
                code="row_range",
            )
        at = self.next_row if first_row is None else int(first_row)
        self.moments.add(at, X, threads)
        self.next_row = at + len(X)

    def merged(self, other: Sums) -> Sums:
        """The sums over the rows of both."""
        out = Sums.__new__(Sums)
        out.__dict__.update(self.__dict__)
        if other.moments is None:
            return out
        if self.moments is None:
            out.moments, out.single = other.moments, other.single
        else:
            out.moments = self.moments.merged(other.moments)
        return out

    def solve(self, options: dict[str, Any], names: list[str] | None, threads: int) -> _core.Model:
        """The model of all rows."""
        assert self.moments is not None
        return self.moments.solve(options, names, threads)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        del state["built"]
        state["moments"] = None if self.moments is None else self.moments.to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.built = self.graph.build(self.y, self.weights)
        if state["moments"] is not None:
            self.moments = _core.Moments.from_bytes(self.built, state["moments"], self.single)
