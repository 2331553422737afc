"""What can be known of a graph, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._labels import refuse_other_than_real
from .errors import GsfaError

Floats = NDArray[np.float64]


class Consistency(NamedTuple):
    """Whether vertex weights and edge weights agree, ``v/Q = Γ1/R`` for every vertex."""

    holds: bool
    """Whether the largest difference is round-off."""
    violation: float
    """The largest difference of the two sides."""
    vertex: int
    """Where it is."""
    vertex_share: float
    """v/Q there."""
    edge_share: float
    """Γ1/R there."""


@dataclass(frozen=True, eq=False)
class Components:
    """Connected components; k of them give k − 1 responses with Δ = 0."""

    count: int
    of_vertex: NDArray[np.uint32]
    """The component of each vertex."""


class SmallestEdge(NamedTuple):
    """The smallest weight of all edges there are."""

    weight: float
    vertices: tuple[int, int]


class FreeResponses(NamedTuple):
    """The slowest responses that a graph admits."""

    responses: Floats
    """One column each, with weighted mean 0 and variance 1, and uncorrelated."""
    delta_values: Floats
    """Their Δ, ascending."""
    eigenvalues: Floats
    """λ = (R/2Q)(2 − Δ)."""


@dataclass(frozen=True, eq=False)
class Targets:
    """What an ELL or compact graph was built to learn.

    Target labels have weighted mean 0 and variance 1 and are uncorrelated; raw labels (originals and auxiliary ones, as
    they were given or computed) are ``means + values @ transform``.
    """

    names: tuple[str, ...]
    values: Floats = field(repr=False)
    """The labels of each vertex, one column each."""
    eigenvalues: Floats
    """λ of each."""
    lambda0: float
    """λ₀, that of the constant; Δ = 2 − 2λ/λ₀ as long as the graph has its self-loops."""
    raw_names: tuple[str, ...]
    """All raw labels that were looked at, dependent ones included."""
    means: Floats = field(repr=False)
    """Weighted means μ of the raw labels."""
    transform: Floats = field(repr=False)
    """T, a row for each target label and a column for each raw one."""
    _of: _core.Graph = field(repr=False)

    def recover(self, values: ArrayLike) -> Floats:
        """Raw labels, ``means + values @ transform``, from estimates of the (first few) target labels.

        Parameters
        ----------
        values : array-like of shape (n_rows, n_targets), or data frame
            Target labels or estimates of them; further ones are taken to be 0. Columns of a frame are found by their
            `names`.

        Returns
        -------
        ndarray of shape (n_rows, n_raw_labels)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> targets = gsfa.graphs.Ell(targets=2).build(np.arange(4.0)).targets
        >>> targets.recover(targets.values)[:, 0].round(9).tolist()
        [0.0, 1.0, 2.0, 3.0]
        """
        first = self.names[: len(getattr(values, "columns", self.names))]
        return wanted(self._of.recover(table("values", values, first, len(self.names))))

    def decorrelate(self, raw: ArrayLike) -> Floats:
        """Target labels of raw ones: the inverse of :meth:`recover`.

        Parameters
        ----------
        raw : array-like of shape (n_rows, n_raw_labels), or data frame
            Raw labels, in the order of `raw_names`; columns of a frame are found by these.

        Returns
        -------
        ndarray of shape (n_rows, n_targets)

        Examples
        --------
        >>> import numpy as np, gsfa
        >>> targets = gsfa.graphs.Ell().build(np.arange(3.0)).targets
        >>> targets.decorrelate([[1.0], [5.0]]).round(3).tolist()
        [[0.0], [4.899]]
        """
        return wanted(self._of.decorrelated(table("raw", raw, self.raw_names, len(self.raw_names))))


def wanted(found: Floats | None) -> Floats:
    assert found is not None
    return found


def table(name: str, values: Any, names: tuple[str, ...], columns: int) -> Floats:
    """Columns of numbers, those of a frame by their names; a vector only where it can be nothing but a column."""
    if hasattr(values, "columns"):
        given = [str(column) for column in values.columns]
        if sorted(given) != sorted(names):
            raise GsfaError(
                f"{name} have columns {', '.join(given[:5]) or '(none)'}, expected are {', '.join(names[:5])}",
                hint="give columns of these names in any order, or an array",
                code="input_names",
            )
        return matrix(name, np.column_stack([np.asarray(values[values.columns[given.index(key)]]) for key in names]))
    if np.ndim(values) == 1 and columns > 1:
        raise GsfaError(
            f"{name} are a vector, which may be one row or one column of {columns}",
            hint=f"{name}[np.newaxis] is a row, {name}[:, np.newaxis] a column",
            code="shape",
        )
    return matrix(name, values)


def matrix(name: str, values: Any) -> Floats:
    """Columns of numbers; one column may come as a vector."""
    array = np.asarray(values)
    try:
        refuse_other_than_real(array)
        array = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise GsfaError(f"{name} are not numbers ({error})", code="features") from None
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise GsfaError(f"{name} have {array.ndim} axes, one or two are needed", code="shape")
    return array
