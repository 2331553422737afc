"""Runs commands in turn, each in a process of its own, and collects what they print."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field


class Failed(SystemExit):
    """A program did not do what it was asked for. Ends ours, too, unless somebody expected it."""


@dataclass
class Command:
    """A program that prints lines of a name, a tab and a number."""

    arguments: list[str]
    environment: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[float]] = field(default_factory=dict)
    peaks: list[float] = field(default_factory=list)

    def run(self, threads: int, quiet: bool = False) -> dict[str, float]:
        printed, peak = self.once(threads, quiet)
        found: dict[str, list[float]] = {}
        for line in printed.splitlines():
            name, _, value = line.partition("\t")
            try:
                number = float(value.split()[0])
            except (ValueError, IndexError):
                continue  # Words for people.
            found.setdefault(name, []).append(number)
        # Within one process the first call warms up: its fastest counts.
        fastest = {name: min(numbers) for name, numbers in found.items()}
        for name, number in fastest.items():
            self.values.setdefault(name, []).append(number)
        self.peaks.append(peak)
        return fastest

    def once(self, threads: int, quiet: bool) -> tuple[str, float]:
        """What it printed, and its peak of memory in MB. Quiet: what it says on standard error is for failures only."""
        names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS")
        environment = os.environ | {name: str(threads) for name in names} | self.environment
        with tempfile.TemporaryFile("w+", errors="replace") as talk:
            process = subprocess.Popen(
                self.arguments, env=environment, stdout=subprocess.PIPE, stderr=talk if quiet else None, text=True
            )
            assert process.stdout is not None
            try:
                printed = process.stdout.read()
                # As its parent we are told the largest memory this one process ever had.
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                process.wait()
                raise
            process.returncode = os.waitstatus_to_exitcode(status)
            process.stdout.close()
            if not quiet:
                print(self, printed, sep="\n", file=sys.stderr, flush=True)
            if process.returncode != 0:
                talk.seek(0)
                last = [line.strip() for line in talk if line.strip()][-1:]
                raise Failed(": ".join([f"{self} ended with {process.returncode}", *last]))
        return printed, usage.ru_maxrss / 1024

    def __str__(self) -> str:
        return " ".join(self.arguments)

    def __getitem__(self, name: str) -> list[float]:
        if name not in self.values:
            raise Failed(f"{self} did not print {name!r}, only {sorted(self.values)}")
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
