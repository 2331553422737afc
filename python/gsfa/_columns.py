"""Table columns by their names, and columns of words as the training of a model made inputs of them."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._parameters import nearest, shown
from .errors import GsfaError

DAY = 86_400_000.0
"""Milliseconds."""


def refuse_repeated(X: Any) -> None:
    """Refuses a table of which nobody could tell two columns apart by their names."""
    names = [str(name) for name in getattr(X, "columns", ())]
    if len(set(names)) == len(names):
        return
    twice = next(name for name in names if names.count(name) > 1)
    raise GsfaError(
        f"{names.count(twice)} columns of X are called '{twice}'",
        hint="give each a name of its own, or the samples as an array",
        code="duplicate_header",
        details={"columns": [k for k, name in enumerate(names) if name == twice]},
    )


def by_name(X: Any, names: list[str] | None) -> Any:
    """The named columns of a table in their order, whatever else it has; anything else stays as it is."""
    if names is None or not hasattr(X, "columns"):
        return X
    refuse_repeated(X)
    _refuse_missing(names, list(X.columns))
    return X[names]


def as_encoded(X: Any, encodings: dict[str, dict[str, Any]], names: list[str] | None) -> Any:
    """A table whose columns of words are the inputs of the model, in their order; anything else stays as it is.

    Indicators that are there already are taken as they are. A column of dates holds dates, never numbers.
    """
    if not encodings or names is None or not hasattr(X, "columns"):
        return X
    refuse_repeated(X)
    columns: dict[str, Any] = {}
    for name in X.columns:
        encoding = encodings.get(name)
        if encoding is None:
            columns[name] = X[name]
        elif encoding["encoding"] == "days":
            columns[name] = _days(name, X[name])
        else:
            columns.update(_indicators(name, X[name], encoding["words"]))
    sources = {f"{name}={word}": name for name, found in encodings.items() for word in found.get("words", ())}
    lost = [name for name in names if name not in columns]
    _refuse_missing(list(dict.fromkeys(sources.get(name, name) for name in lost)), list(X.columns))
    return type(X)({name: np.asarray(columns[name]) for name in names})


def as_dates(days: NDArray[np.float64]) -> NDArray[np.datetime64]:
    """Days since 1970-01-01 as dates, to the millisecond, as they are read."""
    return np.round(days * DAY).astype("datetime64[ms]")


def meant_by(given: list[str], missing: list[str]) -> str | None:
    """Which column of training was probably meant by one of the given names that it does not know."""
    for name in given[:5]:
        if meant := nearest(name, missing):
            return f"did you mean '{meant}' by '{name}'?"
    return None


def _refuse_missing(wanted: list[str], there: list[Any]) -> None:
    """Refuses a table that lacks columns of training."""
    missing = [name for name in wanted if name not in there]
    if not missing:
        return
    others = [str(name) for name in there if name not in wanted]
    more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
    raise GsfaError(
        f"the columns are not those of training: missing {', '.join(missing[:5])}{more}",
        hint=meant_by(others, missing) or "give the columns of training, in any order",
        code="input_names",
        details={"columns": missing[:5], "count": len(missing)},
    )


def _days(name: str, values: Any) -> NDArray[np.float64]:
    """Days since 1970-01-01; text is read as the command line reads it."""
    cells = np.asarray(values)
    if cells.dtype.kind == "M":
        # Objects of Python: dates with times, and None where one is missing.
        cells = cells.astype("datetime64[us]").astype(object)
    given = list(cells) if cells.dtype.kind == "m" else cells.tolist()
    texts = [_date_text(cell) for cell in given]
    days, wrong = _core.days(["no date" if text is None else text for text in texts])
    if wrong is not None:
        raise GsfaError(
            f"column '{name}' holds {shown(given[wrong])} in row {wrong}, which is no date like 2026-11-17",
            hint="give dates, text like 2026-11-17 or 2026-11-17T12:30:00, or None where one is missing",
            code="not_a_date",
            details={"rows": [wrong]},
        )
    return days


def _date_text(cell: Any) -> str | None:
    """A date as text, empty if it is missing; None for what is no date: numbers, booleans, durations."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, np.datetime64):
        cell = cell.astype("datetime64[us]").item()
    if is_missing(cell):
        return ""
    if isinstance(cell, datetime):
        return (cell if cell.tzinfo is None else cell.astimezone(timezone.utc).replace(tzinfo=None)).isoformat()
    return cell.isoformat() if isinstance(cell, date) else None


def is_missing(cell: Any) -> bool:
    """Whether a value is None, NaN, NaT or NA."""
    if cell is None:
        return True
    same = cell == cell
    # NA of pandas is neither the same nor another.
    return not same if isinstance(same, (bool, np.bool_)) else True


def _indicators(name: str, values: Any, words: list[str]) -> dict[str, NDArray[np.float64]]:
    cells = ["" if is_missing(value) else str(value).strip() for value in values]
    missing = np.array(_core.missing_cells(cells), dtype=bool)
    wrong = next((row for row, cell in enumerate(cells) if not missing[row] and cell not in words), None)
    if wrong is not None:
        meant = nearest(cells[wrong], words)
        raise GsfaError(
            f"column '{name}' holds '{cells[wrong]}' in row {wrong}, which training did not",
            hint=f"did you mean '{meant}'?" if meant else "train with samples that have it, or leave the row out",
            code="unknown_category",
            details={"rows": [wrong]},
        )
    held = np.array(cells, dtype=object)
    return {f"{name}={word}": np.where(missing, np.nan, (held == word).astype(np.float64)) for word in words}
