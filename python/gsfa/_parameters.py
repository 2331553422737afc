"""What parameters may be: said once for each, checked before work starts, refused in scikit-learn's words."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, Iterable, Mapping, Sequence, Union

import numpy as np

from .errors import ParameterError

LONGEST = 60
"""Characters of a value that an error shows."""

LARGEST = sys.maxsize
"""The largest whole number that the library can count."""


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` on, up to `high`; booleans are none."""

    low: int = 1
    high: int | None = None
    hint: str | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value is one."""
        return _is_whole(value) and self.low <= int(value) <= (LARGEST if self.high is None else self.high)

    def __str__(self) -> str:
        return f"an int in the range [{self.low}, {'inf)' if self.high is None else f'{self.high}]'}"


@dataclass(frozen=True)
class Jobs:
    """A number of threads, or a negative number for one per core."""

    hint: str | None = "leave it out for one thread per core"

    def admits(self, value: Any) -> bool:
        """Whether the value is one."""
        return _is_whole(value) and int(value) != 0

    def __str__(self) -> str:
        return "an int other than 0"


@dataclass(frozen=True)
class Number:
    """A finite number of a range, `low` itself included unless `above`; booleans are none."""

    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    hint: str | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value is one."""
        if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
            return False
        try:
            number = float(value)
        except OverflowError:
            return False
        below = number < self.low or (self.above and number == self.low)
        return math.isfinite(number) and not below and number <= self.high

    def __str__(self) -> str:
        left = "(" if self.above or self.low == -math.inf else "["
        right = ")" if self.high == math.inf else "]"
        return f"a float in the range {left}{self.low}, {self.high}{right}"


@dataclass(frozen=True)
class Flag:
    """True or False, and not 1 or 0."""

    hint: str | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value is one."""
        return isinstance(value, (bool, np.bool_))

    def __str__(self) -> str:
        return "an instance of 'bool'"


@dataclass(frozen=True)
class OneOf:
    """One of some words."""

    options: tuple[str, ...]
    hint: str | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value is one."""
        return isinstance(value, str) and value in self.options

    def __str__(self) -> str:
        return "a str among {" + ", ".join(repr(option) for option in self.options) + "}"


@dataclass(frozen=True)
class Instance:
    """A value of a class."""

    kind: type
    hint: str | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value is one."""
        return isinstance(value, self.kind)

    def __str__(self) -> str:
        name = self.kind.__qualname__
        return f"an instance of '{name if self.kind.__module__ == 'builtins' else _public(self.kind)}'"


@dataclass(frozen=True)
class Several:
    """A sequence of values of one sort; of some lengths only, if they are given."""

    sort: Union[Whole, Number, Instance, Several]
    lengths: tuple[int, ...] = ()
    hint: str | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value is one."""
        if isinstance(value, (str, bytes, dict)) or not (hasattr(value, "__len__") and hasattr(value, "__iter__")):
            return False
        if self.lengths and len(value) not in self.lengths:
            return False
        if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind == "f" and isinstance(self.sort, Number):
            # As many numbers as there are samples: the outermost ones tell, and one that is none is both.
            value = value[:0] if not value.size else np.array([value.min(), value.max()])
        return all(map(self.sort.admits, value))

    def __str__(self) -> str:
        count = " or ".join(str(length) for length in self.lengths)
        return f"a sequence of {count + ' ' if count else ''}values, each {self.sort}"


Sort = Union[Whole, Jobs, Number, Flag, OneOf, Instance, Several, None]
"""What a parameter may be; None stands for itself."""

Sorts = Mapping[str, Sequence[Sort]]


def check(name: str, value: Any, sorts: Sequence[Sort], owner: str) -> None:
    """Refuses a value that is of none of the sorts."""
    if any(value is None if sort is None else sort.admits(value) for sort in sorts):
        return
    hints = [sort.hint for sort in sorts if sort is not None and sort.hint is not None]
    words = [word for sort in sorts if isinstance(sort, OneOf) for word in sort.options]
    if isinstance(value, str) and (meant := nearest(value, words)):
        hints = [f"did you mean '{meant}'?"]
    if _is_whole(value) and int(value) > LARGEST:
        hints = [f"the largest number is {LARGEST}"]
    raise ParameterError(
        f"The '{name}' parameter of {owner} must be {_either(sorts)}. Got {shown(value)} instead.",
        hint="; ".join(hints) or None,
        details={"parameter": name},
    )


def nearest(given: str, known: Iterable[str]) -> str | None:
    """The known word that is most like a given one, if any is; dashes and capitals do not matter."""
    plain = {_plain(word): word for word in known}
    found = get_close_matches(_plain(given), plain, n=1) if len(given) <= LONGEST else []
    return plain[found[0]] if found else None


def _plain(word: str) -> str:
    return word.lower().replace("-", "_").replace(" ", "_")


def check_all(owner: Any, sorts: Sorts) -> None:
    """Refuses the first attribute of an object that is of none of its sorts."""
    for name, allowed in sorts.items():
        check(name, getattr(owner, name), allowed, type(owner).__name__)


def shown(value: Any) -> str:
    """A value as an error shows it: short, whatever it is."""
    if _is_whole(value) and abs(int(value)) > 10**LONGEST:
        # Neither readable, nor may Python print any number.
        digits = int(int(value).bit_length() * math.log10(2)) + 1
        return f"a number of about {digits} digits"
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 12]}...{text[-8:]}"


def _is_whole(value: Any) -> bool:
    # NumPy counts its durations among whole numbers.
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_, np.timedelta64))


def _either(sorts: Iterable[Sort]) -> str:
    words = ["None" if sort is None else str(sort) for sort in sorts]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _public(kind: type) -> str:
    """The name under which users know a class: that of the module which exports it, and never one with an underscore."""
    package = kind.__module__.partition(".")[0]
    for name in (f"{package}.graphs", f"{package}.expansions", f"{package}.networks", package):
        if getattr(sys.modules.get(name), kind.__name__, None) is kind:
            return f"{name}.{kind.__qualname__}"
    parts = [part for part in kind.__module__.split(".") if not part.startswith("_")]
    return ".".join([*parts, kind.__qualname__])


SOME_FEATURES = (Whole(hint="at least one feature is needed"), None)
"""A number of features that may be left open."""

RIDGE = Number(0.0)
SURPLUS = OneOf(("residual", "fast", "arbitrary", "truncate", "error"))
SOLVER = OneOf(("covariance", "svd"))

TEXT = Instance(str)
