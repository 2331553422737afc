#!/usr/bin/env python3
"""Measures us and others in turn, on the same work, and writes the tables and figures of docs/performance.md.

    bench/run.py [--venv DIR] [--rounds N] [--threads N] [--only PART,…] [--build]

Parts: node, wide, network, signs, classes, labels, regression, components, series, growth, stream, start. Parts that are
left out keep what an earlier run found. --build also measures a clean build of the command line (minutes).

--venv is a folder for two Python environments, made if they do not exist: one with NumPy, SciPy, scikit-learn,
sklearn-sfa and our package, one with MDP and the last NumPy it works with. Default: .venv-bench.
"""

from __future__ import annotations

import argparse
import datetime
import os
from pathlib import Path

import page
from parts import PARTS
from programs import ROOT, Tools


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    return f"{model}, {os.cpu_count()} cores"


def main() -> None:
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--venv", type=Path, default=ROOT / ".venv-bench")
    parse.add_argument("--rounds", type=int, default=5)
    parse.add_argument("--threads", type=int, default=os.cpu_count())
    parse.add_argument("--only", default=",".join(part for part in PARTS if part != "build"))
    parse.add_argument("--build", action="store_true")
    given = parse.parse_args()
    wanted = [*given.only.split(","), *(["build"] if given.build else [])]
    if unknown := set(wanted) - set(PARTS):
        parse.error(f"unknown parts: {', '.join(sorted(unknown))}; choose among {', '.join(PARTS)}")
    tools = Tools(given.venv.resolve(), given.rounds, given.threads)
    found = page.kept()
    for part in wanted:
        tools.load = None
        result = PARTS[part](tools)
        result["how"] = f"{datetime.date.today()}, {machine()}, {given.threads} threads, {given.rounds} rounds in turn, load {tools.load:.1f} before"
        found[part] = result
        # After every part, so that an interrupted run leaves what it has.
        page.keep(found)


if __name__ == "__main__":
    main()
