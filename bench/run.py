#!/usr/bin/env python3
"""Runs our examples and NumPy in turn on the same work and writes the table of docs/performance.md.

    bench/run.py [--venv DIR] [--rounds N] [--network-rounds N] [--threads N] [--wide-samples N]
                 [--only node,wide,network,growth]

--venv names a folder with NumPy and SciPy; it is made if it does not exist. Without it the running Python is used.
Build first: cargo build --release -p gsfa --examples
"""

import argparse
import datetime
import math
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def python(venv):
    if venv is None:
        return sys.executable
    found = pathlib.Path(venv) / "bin" / "python"
    if not found.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([found, "-m", "pip", "install", "-q", "numpy", "scipy"], check=True)
    return str(found)


def lines(command, threads):
    """Name -> list of numbers, from lines of name, tab, number."""
    environment = os.environ | {name: str(threads) for name in ("OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")}
    printed = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(" ".join(command), printed, sep="\n", file=sys.stderr)
    found = {}
    for line in printed.splitlines():
        name, _, value = line.partition("\t")
        try:
            number = float(value.split()[0])
        except (ValueError, IndexError):
            continue
        found.setdefault(name, []).append(number)
    return found


class Measured:
    """Numbers of both sides, by name, over all rounds."""

    def __init__(self):
        self.ours, self.theirs = {}, {}

    def add(self, side, found):
        for name, values in found.items():
            # Within one process the first call warms up: its fastest counts.
            side.setdefault(name, []).append(min(values))

    def run(self, rounds, threads, ours, theirs):
        for _ in range(rounds):
            self.add(self.ours, lines(ours, threads))
            if theirs:
                self.add(self.theirs, lines(theirs, threads))


def figure(values, digits=3):
    middle = f"{statistics.median(values):.{digits}f}"
    return f"{middle} ({min(values):.{digits}f} – {max(values):.{digits}f})"


def row(work, ours, theirs, memory=None):
    ratios = [t / o for o, t in zip(ours, theirs)]
    peak = f"{memory[0]:.0f} / {memory[1]:.0f}" if memory else ""
    return f"| {work} | {figure(ours)} | {figure(theirs)} | {figure(ratios, 2)} | {peak} |"


def peaks(measured):
    return max(measured.ours["peak"]), max(measured.theirs["peak"])


def both(found, graph):
    """Training and the features of all 12,000 images: what the reference does, too, in one go."""
    return [a + b for a, b in zip(found[f"{graph} train"], found[f"{graph} rest"])]


def measure(only, given, numpy):
    rounds, threads, samples = given.rounds, given.threads, given.wide_samples
    reference = [numpy, str(ROOT / "bench" / "numpy_reference.py")]
    example = lambda name: str(ROOT / "target" / "release" / "examples" / name)
    rows, notes = [], []
    if "node" in only:
        m = Measured()
        m.run(rounds, threads, [example("one_node")], reference + ["node"])
        for graph in ("ELL-40", "serial"):
            theirs = m.theirs[f"node {graph} f64"]
            rows.append(row(f"node 10,800×160, {graph}, f64", m.ours[f"node {graph} f64"], theirs, peaks(m)))
            rows.append(row(f"node 10,800×160, {graph}, f32", m.ours[f"node {graph} f32"], theirs))
        ratio = [a / b for a, b in zip(m.ours["node ELL-40 f64"], m.ours["node serial f64"])]
        notes.append(f"one node, ELL-40 against serial (f64): {figure(ratio, 2)}")
    if "wide" in only:
        m = Measured()
        m.run(rounds, threads, [example("wide_node"), "7380", str(samples)], reference + ["wide", str(samples)])
        name = f"7,380 inputs, N = {samples:,}"
        rows.append(row(f"{name}: our node, their node", m.ours["node"], m.theirs["node"], peaks(m)))
        rows.append(row(f"{name}: our sums, their bare X.T @ X", m.ours["sums"], m.theirs["X.T @ X"]))
        rows.append(row(f"{name}: our node, their bare X.T @ X", m.ours["node"], m.theirs["X.T @ X"]))
    if "network" in only:
        m = Measured()
        m.run(given.network_rounds or rounds, threads, [example("paper_network")], reference + ["network"])
        for graph in ("ELL-40", "serial"):
            rows.append(row(f"8-layer network, {graph}, 10,800 trained, features of 12,000", both(m.ours, graph), m.theirs[graph], peaks(m)))
        ratio = [a / b for a, b in zip(m.ours["ELL-40 train"], m.ours["serial train"])]
        notes.append(f"8-layer network, training with ELL-40 against serial: {figure(ratio, 2)}")
        again = m.ours["ELL-40 apply"]
        notes.append(f"applying it to all 12,000 images again: {figure(again)} s")
        one, many = m.ours["per image in batches of 1"], m.ours["per image in batches of 1000"]
        notes.append(f"applying it, microseconds per image: {figure(many, 0)} of 1,000, {figure(one, 0)} one at a time")
    if "growth" in only:
        m = Measured()
        m.run(rounds, threads, [example("growth")], None)
        sizes = sorted(int(name.split()[1]) for name in m.ours if name.startswith("N "))
        times = [statistics.median(m.ours[f"N {n}"]) for n in sizes]
        slope = math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])
        listed = ", ".join(f"{n:,}: {t:.2f} s" for n, t in zip(sizes, times))
        notes.append(f"growth at 200 inputs, ELL-40, streamed ({listed}): log-log slope {slope:.3f}")
    return rows, notes


def machine():
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown")
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[2]:.1f} in the last 15 minutes"


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--venv")
    parse.add_argument("--rounds", type=int, default=5)
    parse.add_argument("--network-rounds", type=int, help="fewer rounds of the longest run")
    parse.add_argument("--threads", type=int, default=os.cpu_count())
    parse.add_argument("--wide-samples", type=int, default=20_000, help="more than the 7,380 inputs")
    parse.add_argument("--only", default="node,wide,network,growth")
    given = parse.parse_args()
    rows, notes = measure(given.only.split(","), given, python(given.venv))
    network = f" --network-rounds {given.network_rounds}" if given.network_rounds else ""
    command = f"bench/run.py --rounds {given.rounds}{network} --wide-samples {given.wide_samples} --only {given.only}"
    table = [
        f"`{command}`, {datetime.date.today()}, {machine()}, {given.threads} threads, in turn;",
        "median (smallest – largest), seconds.",
        "",
        "| work | gsfa | NumPy | times faster | peak MB |",
        "|---|---|---|---|---|",
        *rows,
        "",
        *[f"- {note}" for note in notes],
    ]
    text = "\n".join(table)
    print(text)
    page = PAGE.read_text()
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
