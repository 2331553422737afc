"""Specifications as text."""

from __future__ import annotations

import json
from typing import Any

from .errors import GsfaError


def text(what: str, spec: Any) -> str:
    """JSON, which has no NaN and no infinity."""
    try:
        return json.dumps(spec, allow_nan=False)
    except ValueError:
        raise GsfaError(f"{what}: a number is NaN or infinite", code="non_finite") from None
