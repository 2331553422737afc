"""This revision against another: both do the same works in turn, and each work gets a verdict."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from others import Others
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
class Result:
    """What was compared, and what came of it."""

    here: Revision
    there: Revision
    vectors: str
    threads: int
    contests: list[Contest] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    # The share of the machine that other programs took meanwhile, where the system tells.
    others: float | None = None

    def found(self) -> list[Pairs]:
        return [pairs for contest in self.contests for pairs in contest.found if pairs.ours]

    def text(self) -> str:
        found = self.found()
        busy = "" if self.others is None else f", other programs took {100 * self.others:.0f} % of the machine meanwhile"
        lines = [f"this:  {self.here}", f"other: {self.there}", f"{self.vectors} vectors, {self.threads} threads{busy}", ""]
        lines.append(table(found, self.there.commit[:10]) if found else "nothing was compared")
        return "\n".join(lines + [f"left out: {line}" for line in self.left_out])

    def json(self) -> str:
        figures = {
            "this": vars(self.here),
            "other": vars(self.there),
            "vectors": self.vectors,
            "threads": self.threads,
            "others": self.others,
            "interval": "of the median of the ratios this / other, by order statistics, at least 95 %",
            "works": [pairs.json() for pairs in self.found()],
            "left_out": self.left_out,
        }
        return json.dumps(figures, indent=1, ensure_ascii=False) + "\n"


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
        result, stopped = Result(Revision.here(), Revision.of(self.revision), self.vectors.name, self.threads), 0
        try:
            self.measure(result)
        except KeyboardInterrupt:
            stopped = 130
            print("\ninterrupted: these are the pairs so far", file=sys.stderr)
        except Failed as failure:
            stopped = 1
            print(f"\n{failure}\nthese are the pairs so far", file=sys.stderr)
        print(result.text())
        if self.json:
            self.json.write_text(result.json())
        found = result.found()
        return stopped or int(not found or any(pairs.verdict() == "slower" for pairs in found))

    def measure(self, result: Result) -> None:
        this = Build(ROOT, ROOT / "target", self.venv / "peers")
        other = check_out(result.there, self.venv / "other")
        self.vectors.check(other.source)
        programs = [program for p in PROGRAMS if (program := p.only(self.keys))]
        with tempfile.TemporaryDirectory() as folder:
            result.contests = prepare(programs, this, other, Files(Path(folder)), result.left_out)
            others, progress = Others(), Progress()
            try:
                in_pairs(result.contests, self.pairs, self.threads, progress, result.left_out)
            finally:
                result.others = others.share()
                progress.clear()
