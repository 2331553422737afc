"""What is worth knowing about a fit: told as warnings, kept in models, and read from them."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, Iterable, Sequence

from . import _core
from .errors import GsfaWarning, Remark

PACKAGE = os.path.dirname(__file__) + os.sep


def warn_about(remarks: Iterable[Remark]) -> None:
    """Remarks that should not be missed, as warnings at the line outside of this package that led to them."""
    for remark in remarks:
        frame, level = sys._getframe(0), 1
        while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
            frame, level = frame.f_back, level + 1
        warnings.warn(GsfaWarning(remark, remark.code), stacklevel=level)


def remembering(
    model: _core.Model,
    remarks: Sequence[Remark],
    *,
    selection: str | None = None,
    class_weights: str | None = None,
    class_values: str | None = None,
) -> _core.Model:
    """The model with remarks, and with what else is not known to the library."""
    told = [(remark.code, str(remark)) for remark in remarks]
    return model.remembering(told, selection, class_weights, class_values)


def remarks_of(header: dict[str, Any], top: dict[str, Any]) -> list[Remark]:
    """What a model remembers: of samples and labels, of what was chosen, of its graph and of its last node; each once."""
    remembered = header["remembered"]
    selection = remembered.get("selection")
    found = [Remark(note["text"], note["code"]) for note in remembered.get("notes", [])]
    found += [_why(selection)] if selection is not None and selection["tried"] else []
    for note in [*header["summary"]["notes"], *top["notes"]]:
        found.append(Remark(note["text"], note["code"]))
    return list(dict.fromkeys(found))


def _why(selection: dict[str, Any]) -> Remark:
    tried = selection["tried"]
    among = f"{len(tried)} candidates" if len(tried) > 1 else "one candidate"
    taken = tried[selection["taken"]]["name"]
    return Remark(f"left-out samples chose '{taken}' among {among}: {selection['why']}", "chosen")


NOT_TO_BE_MISSED = ("in_sample", "not_chosen", "parts_not_left_out", "overfit")
"""Remarks about the choice and the last node that are warnings, as all those about the graph are."""
