"""Labels as the library takes them: named columns of numbers or classes."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, Mapping, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._columns import is_missing
from ._parameters import shown
from .errors import GsfaError, LabelTypeError

Column = Union[
    "tuple[str, NDArray[np.float64]]",
    "tuple[str, list[str], NDArray[np.uint32]]",
]


MISSING = np.uint32(2**32 - 1)
"""The code of a sample without class."""


def missing_classes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Which samples have no class."""
    if values.dtype.kind == "f":
        missing: NDArray[np.bool_] = np.isnan(values)
        return missing
    if values.dtype.kind == "O":
        return np.array([is_missing(value) for value in values], dtype=bool)
    return np.isnat(values) if values.dtype.kind in "mM" else np.zeros(len(values), dtype=bool)


def refuse_mixed(name: str, y: Any) -> None:
    """Refuses classes of which some are text and some are not: as text, 1 and "1" would be the same."""
    if not isinstance(y, (list, tuple)) and np.asarray(y).dtype.kind != "O":
        return
    known = [value for value in y if not isinstance(value, (list, tuple, np.ndarray)) and not is_missing(value)]
    words = [value for value in known if isinstance(value, str)]
    if 0 < len(words) < len(known):
        other = next(value for value in known if not isinstance(value, str))
        raise LabelTypeError(
            f"label '{name}' holds both text and other values, {shown(words[0])} and {shown(other)}",
            hint="make all of them text, or none",
            code="label_kind",
        )


@dataclass
class LabelTable:
    """Label columns of N samples, and the values that class names stand for."""

    samples: int
    columns: list[Column] = field(default_factory=list)
    classes: dict[str, NDArray[Any]] = field(default_factory=dict)

    def add_numbers(self, name: str, values: Any) -> None:
        """Adds a column of numbers; NaN where a label is missing."""
        values = np.asarray(values)
        try:
            refuse_other_than_real(values)
            numbers = np.ascontiguousarray(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise GsfaError(
                f"label '{name}' holds values that are not numbers ({error})",
                hint="for classes use the graphs Clustered and Compact",
                code="label_kind",
            ) from None
        self.columns.append((name, numbers))

    def add_classes(self, name: str, values: Any) -> None:
        """Adds a column of classes; None or NaN where a class is missing."""
        values = np.asarray(values)
        refuse_mixed(name, values)
        missing = missing_classes(values)
        known = values[~missing]
        if known.dtype.kind == "O":
            # Text among missing values comes as objects, numbers as floats.
            known = np.array(known.tolist())
        distinct, codes = np.unique(known, return_inverse=True)
        self.classes[name] = distinct
        of_sample = np.full(len(values), MISSING, dtype=np.uint32)
        of_sample[~missing] = codes
        self.columns.append((name, class_names(distinct), of_sample))


def refuse_other_than_real(values: NDArray[Any]) -> None:
    """Refuses what NumPy would turn into numbers all the same: complex numbers, text and dates."""
    kinds = {"c": "complex numbers", "U": "text", "S": "text", "M": "dates", "m": "durations"}
    kind = kinds.get(values.dtype.kind)
    if kind is None and values.dtype.kind == "O":
        kind = next((kinds["U"] for value in values.ravel() if isinstance(value, (str, bytes))), None)
    if kind is not None:
        raise TypeError(f"they are {kind}")


def class_names(distinct: NDArray[Any]) -> list[str]:
    """The names under which classes are stored: whole numbers without a point, everything else as it prints."""
    if distinct.dtype.kind == "f" and np.all(distinct == np.round(distinct)):
        distinct = distinct.astype(np.int64)
    return [str(value) for value in distinct.tolist()]


KINDS: dict[str, type] = {"booleans": bool, "integers": int, "numbers": float}


def class_kind(distinct: NDArray[Any]) -> str:
    """What the names of these classes stand for."""
    values = distinct.tolist()
    return next((kind for kind, of in KINDS.items() if all(type(value) is of for value in values)), "words")


def class_values(names: list[str], kind: str | None) -> NDArray[Any]:
    """The classes that names of a kind stand for; if none is known, booleans, whole numbers, numbers, or the names."""
    if kind == "words" or not names:
        return np.array(names)
    if kind in (None, "booleans") and set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    for wanted, of in (("integers", np.int64), ("numbers", np.float64)):
        try:
            values = np.array([of(name) for name in names])
        except ValueError:
            continue
        if kind == wanted or kind is None and class_names(values) == names:
            return values
    return np.array(names)


def split_columns(y: Any) -> list[tuple[str, NDArray[Any]]]:
    """The columns of y with their names: those of a frame or mapping, the name of a series, else ``y`` or ``y1, y2, …``."""
    if isinstance(y, Mapping):
        refuse_equal_names(list(y))
        return [(str(name), np.asarray(values)) for name, values in y.items()]
    columns = getattr(y, "columns", None)
    if columns is not None:
        refuse_equal_names(list(columns))
        return [(str(name), np.asarray(y[name])) for name in columns]
    name = getattr(y, "name", None)
    values = np.asarray(y)
    if values.ndim <= 1:
        return [("y" if not isinstance(name, str) or not name else name, np.atleast_1d(values))]
    if values.ndim == 2 and values.shape[1] == 1:
        return [("y", values[:, 0])]
    if values.ndim == 2:
        return [(f"y{j + 1}", values[:, j]) for j in range(values.shape[1])]
    raise GsfaError(f"labels have {values.ndim} axes, one or two are needed", code="shape")


def refuse_equal_names(names: list[Any]) -> None:
    """Refuses columns of which nobody could tell two apart by their names."""
    texts = [str(name) for name in names]
    twice = next((name for k, name in enumerate(texts) if name in texts[:k]), None)
    if twice is not None:
        raise GsfaError(
            f"{texts.count(twice)} columns of labels are called '{twice}'",
            hint="give each a name of its own, or the labels as an array",
            code="duplicate_header",
            details={"columns": [k for k, name in enumerate(texts) if name == twice]},
        )


def is_categorical(y: Any) -> bool:
    """Whether y, or its only column, is a pandas categorical: classes, whatever its categories are."""
    columns = getattr(y, "columns", None)
    if columns is not None:
        return len(columns) == 1 and is_categorical(y[columns[0]])
    return str(getattr(y, "dtype", "")) == "category"


def has_class_type(values: NDArray[Any]) -> bool:
    """Whether the type of values allows classes: strings, booleans and whole numbers do, floats do not."""
    return values.dtype.kind in "biuOUS"


def label_kind(y: Any, values: NDArray[Any]) -> tuple[str, str]:
    """What the only column of y is where nobody says, ``"numbers"`` or ``"classes"``, and why.

    Types decide where they can: strings, booleans and categoricals are classes, floats are numbers. Whole numbers are
    looked at, by the rule of the command line.
    """
    if is_categorical(y):
        return "classes", "the values are categories"
    if values.dtype.kind == "O":
        if not all(isinstance(value, Real) and not isinstance(value, (bool, np.bool_)) for value in values):
            return "classes", "the values are text"
        values = np.array([float(value) for value in values]) if not _whole(values) else values.astype(np.int64)
    if values.dtype.kind in "iu":
        return _core.recognized(np.ascontiguousarray(values, dtype=np.float64))
    if values.dtype.kind == "b":
        return "classes", "the values are booleans"
    if values.dtype.kind in "US":
        return "classes", "the values are text"
    return "numbers", f"the values are of type {values.dtype}"


def _whole(values: NDArray[Any]) -> bool:
    return all(isinstance(value, Integral) for value in values)


def label_table(
    y: Any, samples: int, *, numbers: bool, classes: bool, wanted: frozenset[str] | None = None
) -> LabelTable:
    """The columns that a graph needs, those that it names if it names some.

    A column is given as numbers, as classes, or as both if the graph is a sum that needs both.
    """
    table = LabelTable(samples)
    if y is None:
        return table
    if classes and isinstance(y, (list, tuple)):
        refuse_mixed("y", y)
    columns = split_columns(y)
    # A name that is not there is for the library to tell, with those that are.
    if wanted is not None and wanted <= {name for name, _ in columns}:
        columns = [(name, values) for name, values in columns if name in wanted]
    for name, values in columns:
        if numbers and classes:
            if not has_class_type(values):
                table.add_numbers(name, values)
                continue
            table.add_classes(name, values)
            if values.dtype.kind in "biu":
                table.add_numbers(f"{name} (number)", values)
        elif numbers:
            table.add_numbers(name, values)
        elif classes:
            table.add_classes(name, values)
    return table


def label_count(y: Any) -> int:
    """How many samples labels are of."""
    if not isinstance(y, Mapping):
        if not hasattr(y, "__len__") or isinstance(y, (str, bytes)) or getattr(y, "ndim", 1) == 0:
            raise GsfaError(
                f"labels or samples of one axis or more are needed, got {shown(y)}",
                hint="give one value or row for each sample",
                code="shape",
            )
        return len(y)
    columns = split_columns(y)
    shapes = {values.shape for _, values in columns}
    if len(shapes) != 1 or len(next(iter(shapes))) != 1:
        found = ", ".join(f"'{name}' of shape {values.shape}" for name, values in columns[:5]) or "none"
        raise GsfaError(
            f"a mapping of labels needs columns of one length, there are: {found}", code="length_mismatch"
        )
    return int(columns[0][1].shape[0])
