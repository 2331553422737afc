"""Samples of a cluster: pieces of whole rows, checked as the estimator's own ``fit`` checks all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from ._checks import checked_samples, native, not_finite
from ._cluster import Cluster
from ._gsfa import GSFA
from ._images import Shape, shape_for
from ._parameters import shown
from .errors import GsfaError
from .networks import full_shape


def _piece(block: Any, kind: str, columns: int, owner: str) -> NDArray[Any]:
    """A block as the library reads it."""
    if getattr(block, "ndim", 2) > 2:
        block = np.asarray(block).reshape(len(block), -1)
    piece: NDArray[Any] = check_array(
        native(block),
        dtype=np.dtype(kind),
        order="C",
        ensure_all_finite=False,
        ensure_min_samples=0,
        estimator=owner,
        input_name="X",
    )
    if piece.shape[1] != columns:
        raise GsfaError(f"a piece of X has {piece.shape[1]} columns, {columns} are expected", code="input_dim")
    return piece


def _length(piece: Any) -> int:
    return len(piece)


def _index(block: Any) -> Any:
    return block.index


def _rows(piece: NDArray[Any], kept: NDArray[np.intp]) -> NDArray[Any]:
    return np.ascontiguousarray(piece[kept])


def _flaws(piece: NDArray[Any]) -> tuple[int, int, int, bool]:
    """How many values are not finite, the place of the first one, and whether one is NaN."""
    wrong = ~np.isfinite(piece)
    count = int(wrong.sum())
    if count == 0:
        return 0, 0, 0, False
    row, column = divmod(int(np.argmax(wrong)), piece.shape[1])
    return count, row, column, bool(np.isnan(piece).any())


@dataclass(frozen=True)
class Pieces:
    """Futures of matrices of one type, as many rows each as `lengths` says."""

    cluster: Cluster
    futures: list[Any]
    lengths: list[int]
    shape: Shape
    single: bool
    blocks: list[Any] | None
    """Delayed data frames, if there were any."""

    @property
    def samples(self) -> int:
        """The number of rows of all pieces."""
        return sum(self.lengths)

    @property
    def starts(self) -> list[int]:
        """The first row of each piece."""
        return [int(start) for start in np.cumsum([0, *self.lengths[:-1]])]

    @staticmethod
    def of(estimator: Any, X: Any, cluster: Cluster) -> Pieces:
        """The samples of a collection, if the estimator accepts their types, columns and number."""
        is_frame = hasattr(X, "to_dask_array")
        if not hasattr(X, "dask"):
            X, is_frame = _collection(X)
        # A few rows of the same type stand for all: they are accepted or refused as all would be locally.
        few = X._meta_nonempty if is_frame else np.ones((2, *_sides(X)), dtype=X.dtype)
        images = not isinstance(estimator, GSFA) and not is_frame and X.ndim in (3, 4)
        few = checked_samples(estimator, few.reshape(2, -1) if images else few, reset=True, min_samples=2)
        blocks = X.to_delayed() if is_frame else X.rechunk(dict.fromkeys(range(1, X.ndim), -1)).to_delayed().ravel()
        columns = few.shape[1]
        futures = cluster.map(_piece, blocks, few.dtype.str, columns, type(estimator).__name__)
        lengths = cluster.results([cluster.submit(_length, future) for future in futures])
        if sum(lengths) < 2:
            checked_samples(estimator, np.ones((sum(lengths), columns)), reset=True, min_samples=2)
        given = getattr(estimator, "image_shape", None)
        shape = full_shape(X.shape[1:]) if images else None if given is None else full_shape(given)
        pieces = Pieces(
            cluster,
            futures,
            lengths,
            shape_for(shape, columns),
            few.dtype != np.float64,
            list(blocks) if is_frame else None,
        )
        return pieces._without_empty()

    def _without_empty(self) -> Pieces:
        full = [k for k, length in enumerate(self.lengths) if length > 0]
        return replace(
            self, futures=[self.futures[k] for k in full], lengths=[self.lengths[k] for k in full]
        )

    def rows(self, kept: NDArray[np.intp]) -> Pieces:
        """Some of the rows, in their order."""
        if len(kept) == self.samples:
            return self
        parts = np.split(kept, np.searchsorted(kept, self.starts[1:]))
        local = [part - start for part, start in zip(parts, self.starts)]
        futures = [self.cluster.submit(_rows, future, part) for future, part in zip(self.futures, local)]
        return replace(self, futures=futures, lengths=[len(part) for part in local])._without_empty()

    def check_finite(self, estimator: Any) -> None:
        """Refuses NaN and infinity in the words of a local fit."""
        found = self.cluster.results([self.cluster.submit(_flaws, future) for future in self.futures])
        count = sum(flaws[0] for flaws in found)
        if count == 0:
            return
        first = next(k for k, flaws in enumerate(found) if flaws[0])
        raise not_finite(
            estimator,
            has_nan=any(flaws[3] for flaws in found),
            row=self.starts[first] + found[first][1],
            column=found[first][2],
            count=count,
        )

    def check_index(self, **others: Any) -> None:
        """Refuses labels or weights whose index is not that of the samples."""
        indexed = {name: values for name, values in others.items() if hasattr(values, "iloc")}
        if self.blocks is None or not indexed:
            return
        parts = self.cluster.results(self.cluster.map(_index, self.blocks))
        ours = np.concatenate([np.asarray(part) for part in parts])
        for name, values in indexed.items():
            theirs = np.asarray(values.index)
            if len(theirs) != len(ours):
                # The number is checked with everything else.
                continue
            rows = np.flatnonzero(ours != theirs)
            if len(rows):
                k = int(rows[0])
                raise GsfaError(
                    f"the index of {name} is not that of X in {len(rows)} of {len(ours)} rows, first in row {k}: "
                    f"{shown(theirs[k])} instead of {shown(ours[k])}",
                    hint=f"bring both into one order, e.g. {name}.loc[X.index], or give {name} as an array if rows belong "
                    "together by their order",
                    code="misaligned_index",
                    details={"rows": rows[:5].tolist(), "count": len(rows)},
                )


def _collection(X: Any) -> tuple[Any, bool]:
    """What is no collection, as one of a single piece."""
    import dask.array
    import dask.dataframe

    if hasattr(X, "iloc"):
        return dask.dataframe.from_pandas(X, npartitions=1, sort=False), True
    X = np.asarray(X)
    return dask.array.from_array(X, chunks=X.shape), False


def _sides(X: Any) -> tuple[int, ...]:
    """The shape of a sample."""
    if any(np.isnan(side) for side in X.shape[1:]):
        raise GsfaError("the number of columns of X is not known", hint="call X.compute_chunk_sizes() first", code="shape")
    return tuple(int(side) for side in X.shape[1:])
