"""Specifications as text."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .errors import GsfaError


def text(what: str, spec: Any) -> str:
    """JSON, which has no NaN and no infinity."""
    try:
        return json.dumps(spec, allow_nan=False, default=_plain)
    except ValueError:
        raise GsfaError(f"{what}: a number is NaN or infinite", code="non_finite") from None


def _plain(value: Any) -> Any:
    """Numbers and truth values of NumPy as those of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no form in JSON")
