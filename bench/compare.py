"""This revision against another: both do the same works in turn, and each work gets a verdict."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pairs import Pairs, table
from processes import Failed
from programs import ROOT, Build
from revision import Revision, check_out
from vectors import Vectors
from works import PROGRAMS, Files, Program, Work


# Seconds of a pair at least; shorter programs run in turn several times for it, and the fastest of each side counts.
LEAST = 2.0


class Side(Protocol):
    """A program of one revision: runs once, and tells what it printed."""

    def run(self, threads: int, quiet: bool) -> dict[str, float]: ...


@dataclass
class Contest:
    """A program of both revisions, and what came of its pairs."""

    ours: Side
    theirs: Side
    works: tuple[Work, ...]
    found: list[Pairs] = field(default_factory=list)
    # Runs of each side in a pair, and how long the last pair took.
    runs: int = 1
    seconds: float = 0.0

    def trial(self, threads: int) -> list[str]:
        """Once before it counts: files and memory get warm, and what the other revision lacks is found out."""
        begin = time.monotonic()
        try:
            theirs = self.theirs.run(threads, quiet=True)
        except Failed as failure:
            missing, self.works = self.works, ()
            return [f"{work.name}: the other revision fails: {failure}" for work in missing]
        ours = self.ours.run(threads, quiet=True)
        missing = tuple(work for work in self.works if work.line not in theirs)
        self.works = tuple(work for work in self.works if work.line in theirs)
        if lost := [work.line for work in self.works if work.line not in ours]:
            raise Failed(f"{self.ours} does not print {', '.join(lost)}, but the other revision does")
        self.found = [Pairs(work.name) for work in self.works]
        both = time.monotonic() - begin
        self.runs = max(1, round(LEAST / both))
        self.seconds = self.runs * both
        return [f"{work.name}: the other revision does not print '{work.line}'" for work in missing]

    def pair(self, number: int, threads: int) -> None:
        """Who is first changes from pair to pair, so that a machine that slows down or warms up favours neither."""
        begin = time.monotonic()
        order = (self.ours, self.theirs) if number % 2 == 0 else (self.theirs, self.ours)
        runs = [[side.run(threads, quiet=True) for side in order] for _ in range(self.runs)]
        for work, pairs in zip(self.works, self.found):
            first, second = (work.unit * min(run[k][work.line] for run in runs) for k in range(2))
            pairs.add(*((first, second) if number % 2 == 0 else (second, first)))
        self.seconds = time.monotonic() - begin


class Progress:
    """One line on standard error, with the time that is left."""

    def __init__(self) -> None:
        self.terminal = sys.stderr.isatty()

    def show(self, words: str, left: float | None = None) -> None:
        if left is not None:
            words += f", {int(left) // 60}:{int(left) % 60:02} min left"
        print(f"\r\x1b[K{words}" if self.terminal else words, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def prepare(programs: list[Program], this: Build, other: Build, files: Files, left_out: list[str]) -> list[Contest]:
    """Everything is built before anything is timed."""
    contests = []
    for program in programs:
        try:
            theirs = program.make(other, files)
        except Failed as failure:
            left_out += [f"{work.name}: the other revision cannot: {str(failure).splitlines()[0]}" for work in program.works]
            continue
        contests.append(Contest(program.make(this, files), theirs, program.works))
    return contests


def in_pairs(contests: list[Contest], pairs: int, threads: int, progress: Progress, left_out: list[str]) -> None:
    """All contests, again and again. An interrupt leaves the pairs that are complete."""
    for contest in contests:
        progress.show(f"trial of {contest.works[0].name}")
        left_out += contest.trial(threads)
    contests = [contest for contest in contests if contest.works]
    for number in range(pairs):
        for k, contest in enumerate(contests):
            rest = sum(c.seconds for c in contests)
            left = (pairs - number) * rest - sum(c.seconds for c in contests[:k])
            if progress.terminal or k == 0:
                progress.show(f"pair {number + 1} of {pairs}: {contest.works[0].name}", left)
            contest.pair(number, threads)


@dataclass
class Comparison:
    """What is asked for."""

    revision: str
    keys: set[str]
    pairs: int
    threads: int
    vectors: Vectors
    venv: Path
    json: Path | None

    def run(self) -> int:
        """The exit code: 1 if anything is slower or nothing could be compared, 130 if interrupted."""
        here, there = Revision.here(), Revision.of(self.revision)
        this = Build(ROOT, ROOT / "target", self.venv / "peers")
        other = check_out(there, self.venv / "other")
        for build in (this, other):
            self.vectors.check(build.source)
        programs = [program for p in PROGRAMS if (program := p.only(self.keys))]
        contests: list[Contest] = []
        left_out: list[str] = []
        progress, load, stopped, code = Progress(), 0.0, "", 0
        with tempfile.TemporaryDirectory() as folder:
            try:
                contests = prepare(programs, this, other, Files(Path(folder)), left_out)
                load = os.getloadavg()[0]
                in_pairs(contests, self.pairs, self.threads, progress, left_out)
            except KeyboardInterrupt:
                stopped, code = "interrupted", 130
            except Failed as failure:
                stopped, code = str(failure), 1
        progress.clear()
        found = [pairs for contest in contests for pairs in contest.found if pairs.ours]
        print(f"this:  {here}\nother: {there}\n{self.vectors.name} vectors, {self.threads} threads, load {load:.1f} before\n")
        print(table(found, there.commit[:10]) if found else "nothing was compared")
        for line in left_out:
            print(f"left out: {line}")
        if self.json:
            self.write(self.json, here, there, found, left_out, load)
        if stopped:
            print(f"{stopped}\nwhat is shown is all there is", file=sys.stderr)
            return code
        return 1 if not found or any(pairs.verdict() == "slower" for pairs in found) else 0

    def write(self, path: Path, here: Revision, there: Revision, found: list[Pairs], left_out: list[str], load: float) -> None:
        figures = {
            "this": vars(here),
            "other": vars(there),
            "vectors": self.vectors.name,
            "threads": self.threads,
            "load": load,
            "interval": "of the median of the ratios this / other, by order statistics, at least 95 %",
            "works": [pairs.json() for pairs in found],
            "left_out": left_out,
        }
        path.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
