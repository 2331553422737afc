"""What pairs of times say: the median of their ratios, where it lies, and a verdict."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field

SLOWER, FASTER = 1.03, 0.97
# An interval that is wider than this says nothing.
WIDEST = 1.10


def interval(values: list[float], level: float = 0.95) -> tuple[float, float] | None:
    """Two of the values, between which the median of where they come from lies with at least this probability.

    As many of n values lie below their true median as n coins show heads (the sign test), whatever their distribution, so
    that the k-th smallest and the k-th largest enclose it unless fewer than k are on one side. Times have long tails on one
    side: neither normal errors nor a bootstrap of 15 values can be relied on. None if even all of them are too few.
    """
    n = len(values)
    beyond, k = 0.0, 0
    while k < n and 1 - 2 * (beyond + math.comb(n, k) / 2**n) >= level:
        beyond += math.comb(n, k) / 2**n
        k += 1
    ordered = sorted(values)
    return (ordered[k - 1], ordered[n - k]) if k else None


def verdict(found: tuple[float, float] | None) -> str:
    """Of a ratio, this revision's time by the other's, by its interval."""
    if found is None:
        return "unclear"
    low, high = found
    if low > SLOWER:
        return "slower"
    if high < FASTER:
        return "faster"
    return "unclear" if high > WIDEST * low else "same"


@dataclass
class Pairs:
    """The seconds of both revisions at one work, pair by pair."""

    work: str
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    def add(self, ours: float, theirs: float) -> None:
        self.ours.append(ours)
        self.theirs.append(theirs)

    def ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.ours, self.theirs)]

    def verdict(self) -> str:
        return verdict(interval(self.ratios()))

    def json(self) -> dict[str, object]:
        ratios = self.ratios()
        return {
            "work": self.work,
            "ours": self.ours,
            "theirs": self.theirs,
            "ratios": ratios,
            "median": statistics.median(ratios),
            "interval": interval(ratios),
            "verdict": self.verdict(),
        }


def spelled(seconds: float) -> str:
    """With three digits that count, and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            number = seconds / size
            return f"{number:.{0 if number >= 100 else 1 if number >= 10 else 2}f} {unit}"
    raise AssertionError


def table(found: list[Pairs], other: str) -> str:
    """Aligned for a terminal."""
    rows = [("work", "this", other, "ratio", "95 % interval", "pairs", "verdict")]
    for pairs in found:
        ratios = pairs.ratios()
        between = interval(ratios)
        rows.append(
            (
                pairs.work,
                spelled(statistics.median(pairs.ours)),
                spelled(statistics.median(pairs.theirs)),
                f"{statistics.median(ratios):.3f}",
                f"{between[0]:.3f} – {between[1]:.3f}" if between else "too few pairs",
                str(len(ratios)),
                pairs.verdict(),
            )
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    # Words to the left, numbers to the right.
    left = (0, len(rows[0]) - 1)
    lines = ["  ".join(c.ljust(w) if k in left else c.rjust(w) for k, (c, w) in enumerate(zip(row, widths))) for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)
