"""Errors and warnings: what went wrong, where, and what to do about it."""

from __future__ import annotations

from typing import Any

__all__ = [
    "ClusterError",
    "GsfaError",
    "GsfaWarning",
    "LabelTypeError",
    "ModelFileError",
    "ParameterError",
    "Remark",
    "SampleTypeError",
]


class GsfaError(ValueError):
    """Something is wrong with samples, labels, weights or parameters.

    Attributes
    ----------
    message : str
        What is wrong, in one sentence with numbers and places.
    hint : str or None
        What may help; the second line of ``str(error)``.
    code : str
        The kind of error, e.g. ``"constant_label"``; ``docs/codes.md`` lists all.
    details : dict
        Places: ``rows`` and ``columns`` (the first five) and ``count``, where they are known.

    Examples
    --------
    >>> import gsfa
    >>> try:
    ...     gsfa.graphs.Ell().analyze([1.0, 1.0, 1.0])
    ... except gsfa.GsfaError as error:
    ...     print(error.code)
    constant_label
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        code: str = "parameter",
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")
        self.message = message
        self.hint = hint
        self.code = code
        self.details = dict(details or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.message, self.hint, self.code, self.details)


def _restore(
    kind: type[GsfaError], message: str, hint: str | None, code: str, details: dict[str, Any]
) -> GsfaError:
    return kind(message, hint=hint, code=code, details=details)


class LabelTypeError(GsfaError, TypeError):
    """A label holds classes where numbers are needed, or the other way round."""


class SampleTypeError(GsfaError, TypeError):
    """Samples are no numbers: dates, durations, records."""


class ParameterError(GsfaError, TypeError):
    """A parameter has a value or a type that it cannot have.

    Examples
    --------
    >>> import gsfa
    >>> try:
    ...     gsfa.graphs.Serial(groups=2.5)
    ... except gsfa.ParameterError as error:
    ...     print(error)
    The 'groups' parameter of Serial must be an int in the range [2, inf). Got 2.5 instead.
    """


class ClusterError(GsfaError, RuntimeError):
    """A cluster did not do its work: its workers died, or none was there for too long."""


class ModelFileError(GsfaError, OSError):
    """A model file cannot be read or written; an older file of that name is as it was."""


class Remark(str):
    """Something worth knowing about a fit: a sentence, and what sort it is.

    Parameters
    ----------
    text : str
        The sentence.
    code : str, default=""
        What sort of remark it is, for programs; ``docs/codes.md`` lists all. Empty in models of earlier versions.

    Examples
    --------
    >>> import numpy as np, gsfa
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> gsfa.GSFA().fit(X, np.arange(60.0)).notes_[0].code
    'label_taken'
    """

    code: str

    def __new__(cls, text: str, code: str = "") -> Remark:
        made = super().__new__(cls, text)
        made.code = code
        return made

    def __reduce__(self) -> tuple[type[Remark], tuple[str, str]]:
        return Remark, (str(self), self.code)


class GsfaWarning(UserWarning):
    """A remark about imperfect input. The result it belongs to is complete and well defined.

    Parameters
    ----------
    text : str
        The remark.
    code : str, default=""
        As that of a :class:`Remark`.
    """

    def __init__(self, text: str = "", code: str = "") -> None:
        super().__init__(text)
        self.code = code
