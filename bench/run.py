#!/usr/bin/env python3
"""Measures us and others in turn, on the same work, and writes the tables and figures of docs/performance.md.

    bench/run.py [--venv DIR] [--rounds N] [--threads N] [--only PART,…] [--vectors SET] [--build]
    bench/run.py --compare REV [--pairs N] [--threads N] [--only WORK,…] [--vectors SET] [--json FILE]

Parts: node, wide, network, signs, classes, labels, regression, components, series, growth, stream, start. Parts that are
left out keep what an earlier run found. --build also measures a clean build of the command line (minutes).

--compare builds another revision beside this one, and both do the same works in turn: network, prediction, node, wide,
series, classes, regression, csv, images, start. It prints the median of the ratios this / REV with its interval and a
verdict, and writes no page. The exit code is 1 if anything is slower.

--vectors avx512, avx2 or portable limits the vectors of our programs (GSFA_VECTORS) and of OpenBLAS in NumPy
(OPENBLAS_CORETYPE) to that set; without it both take what the machine has. The page has figures for each set.

--venv is a folder for Python environments, made if they do not exist: one with NumPy, SciPy, scikit-learn, sklearn-sfa and
our package, one with MDP and the last NumPy it works with; and for the other revision's source, programs and environment
(`other`). Default: .venv-bench.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from pathlib import Path

from compare import Comparison
from page import Found
from parts import PARTS
from programs import ROOT, Tools
from vectors import SETS, Vectors
from works import KEYS


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    return f"{model}, {os.cpu_count()} cores"


def measure(tools: Tools, wanted: list[str]) -> None:
    vectors, found = tools.vectors.told(tools.build.interpreter()), Found.read()
    for part in wanted:
        tools.load = None
        result = PARTS[part](tools)
        rounds = f"{tools.threads} threads, {tools.rounds} rounds in turn, load {tools.load:.1f} before"
        result["how"] = f"{datetime.date.today()}, {machine()}, {vectors}, {rounds}"
        found.take(tools.vectors, part, result)
        # After every part, so that an interrupted run leaves what it has.
        found.write()


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def arguments() -> argparse.Namespace:
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--venv", type=Path, default=ROOT / ".venv-bench")
    parse.add_argument("--threads", type=positive, default=os.cpu_count())
    parse.add_argument("--vectors", choices=SETS)
    parse.add_argument("--only", metavar="NAME,…")
    parse.add_argument("--rounds", type=positive, help="of the page [default: 5]")
    parse.add_argument("--build", action="store_true")
    parse.add_argument("--compare", metavar="REV")
    parse.add_argument("--pairs", type=positive, help="of --compare [default: 16]")
    parse.add_argument("--json", type=Path, metavar="FILE", help="the figures of --compare")
    given = parse.parse_args()
    if given.compare and (given.rounds or given.build):
        parse.error("--rounds and --build are for the page, not for --compare")
    if not given.compare and (given.pairs or given.json):
        parse.error("--pairs and --json are for --compare REV")
    known = KEYS if given.compare else tuple(PARTS)
    given.only = given.only.split(",") if given.only else [name for name in known if name != "build"]
    if unknown := sorted(set(given.only) - set(known)):
        parse.error(f"unknown: {', '.join(unknown)}; choose among {', '.join(known)}")
    return given


def main() -> int:
    given = arguments()
    vectors, venv = Vectors.choose(given.vectors), given.venv.resolve()
    vectors.check(ROOT)
    vectors.apply()
    if given.compare:
        # An even number: each side is first as often as the other.
        pairs = given.pairs or 16
        return Comparison(given.compare, set(given.only), pairs, given.threads, vectors, venv, given.json).run()
    measure(Tools(venv, given.rounds or 5, given.threads, vectors), given.only + ["build"] * given.build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
