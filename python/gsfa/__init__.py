"""Supervised slow feature analysis for scikit-learn: GSFA, hierarchical GSFA and exact label learning."""

from __future__ import annotations

from . import errors, expansions, graphs
from ._gsfa import GSFA
from .errors import GsfaError, GsfaWarning, LabelTypeError, ModelFileError

__all__ = [
    "GSFA",
    "GsfaError",
    "GsfaWarning",
    "LabelTypeError",
    "ModelFileError",
    "errors",
    "expansions",
    "graphs",
]
