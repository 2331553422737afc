"""Runs commands in turn, each in a process of its own, and collects what they print."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from dataclasses import dataclass, field


@dataclass
class Command:
    """A program that prints lines of a name, a tab and a number."""

    arguments: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[float]] = field(default_factory=dict)
    peaks: list[float] = field(default_factory=list)

    def run(self, threads: int) -> None:
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS")
        environment = os.environ | {name: str(threads) for name in names} | self.environment
        process = subprocess.Popen(self.arguments, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        printed = process.stdout.read()
        # As its parent we are told the largest memory this one process ever had.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        print(" ".join(self.arguments), printed, sep="\n", file=sys.stderr, flush=True)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(self.arguments)} ended with {process.returncode}")
        found: dict[str, list[float]] = {}
        for line in printed.splitlines():
            name, _, value = line.partition("\t")
            try:
                number = float(value.split()[0])
            except (ValueError, IndexError):
                continue  # Words for people.
            found.setdefault(name, []).append(number)
        for name, numbers in found.items():
            # Within one process the first call warms up: its fastest counts.
            self.values.setdefault(name, []).append(min(numbers))
        self.peaks.append(usage.ru_maxrss / 1024)

    def __getitem__(self, name: str) -> list[float]:
        if name not in self.values:
            raise SystemExit(f"{' '.join(self.arguments)} did not print {name!r}, only {sorted(self.values)}")
        return self.values[name]


def in_turn(rounds: int, threads: int, commands: list[Command]) -> None:
    for _ in range(rounds):
        for command in commands:
            command.run(threads)


def figure(values: list[float], digits: int | None = None) -> str:
    """The median, and the smallest and largest."""
    middle = statistics.median(values)
    if digits is None:
        digits = 0 if middle >= 100 else 1 if middle >= 20 else 2 if middle >= 1 else 3 if middle >= 0.05 else 4
    return f"{middle:.{digits}f} ({min(values):.{digits}f} – {max(values):.{digits}f})"


def ratios(above: list[float], below: list[float]) -> list[float]:
    """Round by round: both sides ran in the same minute."""
    return [a / b for a, b in zip(above, below)]
