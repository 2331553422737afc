"""Table columns of words, as the training of a model made inputs of them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import GsfaError

DAY = 86_400_000.0
"""Milliseconds."""


def as_encoded(X: Any, encodings: dict[str, dict[str, Any]], names: list[str] | None) -> Any:
    """A table whose columns of words are the inputs of the model, in their order; anything else stays as it is."""
    if not encodings or names is None or not hasattr(X, "columns") or set(names) <= set(X.columns):
        return X
    columns: dict[str, NDArray[np.float64]] = {}
    for name in X.columns:
        encoding = encodings.get(name)
        if encoding is None:
            columns[name] = X[name]
        elif encoding["encoding"] == "days":
            columns[name] = _days(name, X[name])
        else:
            columns.update(_indicators(name, X[name], encoding["words"]))
    if missing := [name for name in names if name not in columns]:
        raise GsfaError(f"the columns are not those of training: missing {', '.join(missing[:5])}", code="input_names")
    return type(X)({name: columns[name] for name in names})


def _days(name: str, values: Any) -> NDArray[np.float64]:
    try:
        dates = np.array(values, dtype="datetime64[ms]")
    except (TypeError, ValueError) as error:
        raise GsfaError(f"column '{name}' holds no dates like 2026-11-17 ({error})", code="not_a_date") from None
    days = dates.astype(np.int64) / DAY
    return np.where(np.isnat(dates), np.nan, days)


def _indicators(name: str, values: Any, words: list[str]) -> dict[str, NDArray[np.float64]]:
    cells = [None if value is None or value != value or value == "" else str(value).strip() for value in values]
    unknown = next((cell for cell in cells if cell is not None and cell not in words), None)
    if unknown is not None:
        meant = get_close_matches(unknown, words, n=1)
        hint = f"did you mean '{meant[0]}'?" if meant else "train with samples that have it, or leave the row out"
        raise GsfaError(f"column '{name}' holds '{unknown}', which training did not", hint=hint, code="unknown_category")
    return {
        f"{name}={word}": np.array([np.nan if cell is None else float(cell == word) for cell in cells]) for word in words
    }
