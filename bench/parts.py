"""The parts of docs/performance.md: what is run for each, and the rows, goals, notes and figures that come of it."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any, Callable

import figures
from processes import Command, figure, in_turn, ratios
from programs import ROOT, Tools

# Seconds of the authors' program, measured earlier and on a busy machine: it is not on PyPI.
CUICUILCO = {"network ELL-40": 264.0, "network serial": 65.0, "quadratic node": 855.0, "inference": 28.7}

Part = dict[str, Any]


def row(work: str, ours: list[float], peer: str, theirs: list[float], memory: tuple[Command, Command] | None = None) -> Part:
    return {
        "work": work,
        "ours": ours,
        "peer": peer,
        "theirs": theirs,
        "ratios": ratios(theirs, ours),
        "memory": [max(command.peaks) for command in memory] if memory else None,
    }


def goal(text: str, measured: str, met: bool) -> Part:
    return {"goal": text, "measured": measured, "met": met}


def median(values: list[float]) -> float:
    return statistics.median(values)


def measure_node(tools: Tools) -> Part:
    ours, theirs = tools.example("one_node"), tools.numpy("node")
    tools.run(ours, theirs)
    rows = [
        row(f"node 10,800×160, {graph}, {kind}", ours[f"node {graph} {kind}"], "NumPy (f64)", theirs[f"node {graph} f64"], (ours, theirs))
        for graph in ("ELL-40", "serial")
        for kind in ("f64", "f32")
    ]
    bare = [
        row(f"10,800×160 {kind}: our sums, all of them", ours[f"sums {kind}"], f"bare X.T @ X {kind}", theirs[f"X.T @ X {kind}"])
        for kind in ("f64", "f32")
    ]
    share = ratios(ours["node ELL-40 f64"], ours["node serial f64"])
    return {"rows": rows + bare, "goals": [goal("node: ELL-40 against serial at most 1.15", figure(share, 2), median(share) <= 1.15)]}


def measure_wide(tools: Tools) -> Part:
    parts = [wide_sums(tools, 3000), wide_sums(tools, 7380)]
    return {kind: [entry for part in parts for entry in part[kind]] for kind in ("rows", "goals")}


def wide_sums(tools: Tools, inputs: int) -> Part:
    size = (str(inputs), "20000")
    double, single = tools.example("wide_node", *size), tools.example("wide_node", *size, "f32")
    theirs = tools.numpy("wide", *reversed(size))
    tools.run(double, theirs, single)
    name = f"wide node, {inputs:,} inputs, N = 20,000"
    rows = [row(f"{name}, f64", double["node"], "NumPy", theirs["node"], (double, theirs))]
    goals = []
    for kind, ours in (("f64", double), ("f32", single)):
        bare = theirs[f"X.T @ X {kind}"]
        rows.append(row(f"{name}, {kind}: our sums", ours["sums"], f"bare X.T @ X {kind}", bare))
        rows.append(row(f"{name}, {kind}: whole node", ours["node"], f"bare X.T @ X {kind}", bare))
        goals.append(wide_goal(inputs, kind, ratios(ours["sums"], bare), tools.vectors.name))
    # The eigenproblem of a node is a smaller share of it the wider it is: the goal was set for the wider one.
    if inputs == 7380:
        node = ratios(double["node"], theirs["X.T @ X f64"])
        goals.append(goal("wide node, end to end, at most 1.5 times the bare product", figure(node, 2), median(node) <= 1.5))
    return {"rows": rows, "goals": goals}


def wide_goal(inputs: int, kind: str, sums: list[float], vectors: str) -> Part:
    limit = 1.5 if vectors == "portable" else 1.25
    text = f"wide sums, 20,000×{inputs:,}, {kind}, at most {limit:g} times the bare product"
    return goal(text, figure(sums, 2), median(sums) <= limit)


def measure_network(tools: Tools) -> Part:
    ours, theirs = tools.example("paper_network"), tools.numpy("network")
    tools.run(ours, theirs)
    rows, goals, bars = [], [], []
    for graph in ("ELL-40", "serial"):
        # Training gives the features of the training images; the reference does the same in one go.
        total = [a + b for a, b in zip(ours[f"{graph} train"], ours[f"{graph} rest"])]
        found = row(f"8-layer network, {graph}, 10,800 trained, features of 12,000", total, "NumPy", theirs[graph], (ours, theirs))
        earlier = CUICUILCO[f"network {graph}"]
        rows.append(found)
        bars.append((f"cuicuilco¹, 8-layer network, {graph}", earlier / median(total)))
        bars.append((f"NumPy, 8-layer network, {graph}", median(found["ratios"])))
        if graph == "ELL-40":
            goals.append(goal("network, ELL-40, at least 6 times faster than NumPy", figure(found["ratios"], 2), median(found["ratios"]) >= 6))
            goals.append(goal("network, ELL-40, at least 100 times faster than cuicuilco¹", f"{earlier / median(total):.0f}", earlier / median(total) >= 100))
    share = ratios(ours["ELL-40 train"], ours["serial train"])
    goals.append(goal("network: training with ELL-40 against serial at most 1.15", figure(share, 2), median(share) <= 1.15))
    used = [a / b for a, b in zip(ours["ELL-40 memory beyond the images"], ours["planned"])]
    goals.append(goal("memory of training the network within 20 % of the plan", f"{figure(used, 2)} of it", all(0.8 <= u <= 1.2 for u in used)))
    all_images = ours["ELL-40 apply"]
    times = CUICUILCO["inference"] / (median(all_images) * 10_800 / 12_000)
    goals.append(goal("inference on 10,800 images at least 50 times faster than cuicuilco¹", f"{times:.0f}", times >= 50))
    one, many = ours["per image in batches of 1"], ours["per image in batches of 1000"]
    apart = ratios(one, many)
    goals.append(goal("one image at a time at most 3 times as long as one of a thousand", figure(apart, 1), median(apart) <= 3))
    one_thread = ours["per image in batches of 1000 on one thread"]
    notes = [
        f"inference, seconds: {figure(all_images)} for 12,000 images, {figure(ours['apply to 10,000'])} for 10,000",
        f"inference, microseconds per image: {figure(many, 0)} of a thousand on {tools.threads} threads, {figure(one_thread, 0)} on one thread, {figure(one, 0)} one at a time",
        f"reading a model file of {ours['load size'][0]:.1f} MB: {figure([1000 * t for t in ours['load']], 1)} ms",
    ]
    return {"rows": rows, "goals": goals, "bars": bars, "notes": notes}


def measure_signs(tools: Tools) -> Part:
    node = tools.example("signs", "20000")
    tools.run(node)
    earlier = CUICUILCO["quadratic node"]
    times = [earlier / t for t in node["train"]]
    full = tools.example("signs", "69120", "compact")
    tools.run(full, rounds=1)
    shares = [a / b for a, b in zip(node["beyond the images"] + full["beyond the images"], node["planned"] + full["planned"])]
    return {
        "bars": [("cuicuilco¹, PCA 120 → quadratic, N = 20,000", median(times))],
        "goals": [
            goal("120 components of 6,912 → 7,380 products, N = 20,000, at least 40 times faster than cuicuilco¹", figure(times, 0), median(times) >= 40),
            goal("the full sign experiment (69,120 images of 6,912 bytes) below 4 GB", f"{full.peaks[0] / 1000:.2f} GB, {full['train'][0]:.0f} s", full.peaks[0] < 4000),
            goal("memory of a wide node within 20 % of the plan", f"{figure(shares, 2)} of it", all(0.8 <= s <= 1.2 for s in shares)),
        ],
        "notes": [f"120 components of 6,912 → 7,380 products, N = 20,000, clustered: {figure(node['train'])} s, {max(node.peaks):.0f} MB"],
    }


def beside(work: str, name: str, wanted: float, *programs: tuple[str, str]) -> Callable[[Tools], Part]:
    """Our package and others, one process each."""

    def measure(tools: Tools) -> Part:
        ours = tools.peer(work, "gsfa")
        others = [(label, tools.peer(work, program)) for program, label in programs]
        tools.run(ours, *[command for _, command in others])
        rows = [row(name, ours["fit"], label, command["fit"], (ours, command)) for label, command in others]
        goals = [
            goal(f"{name}: at least {wanted:g} times faster than {found['peer']}", figure(found["ratios"], 1), median(found["ratios"]) >= wanted)
            for found in rows
            if wanted
        ]
        bars = [(f"{found['peer']}, {name}", median(found["ratios"])) for found in rows if "bare" not in found["peer"]]
        return {"rows": rows, "goals": goals, "bars": bars}

    return measure


def measure_series(tools: Tools) -> Part:
    programs = (("sklearn-sfa", "sklearn-sfa"), ("mdp", "MDP"), ("products", "two bare X.T @ X"))
    part = beside("series", "time series 100,000×200", 0, *programs)(tools)
    part["goals"] = series_goals(part["rows"])
    return part


def series_goals(rows: list[Part]) -> list[Part]:
    sklearn_sfa, _, products = rows
    times, share = sklearn_sfa["ratios"], ratios(products["ours"], products["theirs"])
    return [
        goal("time series: at least 100 times faster than sklearn-sfa", figure(times, 1), median(times) >= 100),
        goal("time series: at most 1.3 times the two bare products", figure(share, 2), median(share) <= 1.3),
    ]


def measure_growth(tools: Tools) -> Part:
    titles = {
        "samples": "samples, N (200 inputs, ELL-40)",
        "inputs": "inputs, I (20,000 samples)",
        "labels": "target labels, L (100,000×200)",
        "images": "pixels (network, 1,200 images)",
    }
    commands = {what: tools.example("growth", what) for what in titles}
    tools.run(*commands.values())
    panels: list[Any] = []
    for what, title in titles.items():
        command = commands[what]
        sizes = sorted(float(size) for size in command.values if size.isdigit())
        times = [command[f"{size:.0f}"] for size in sizes]
        # Small problems cost the same whatever their size: the exponent is that of the larger ones.
        fitted = len(sizes) if what in ("samples", "labels") else 3
        exponent = figures.slope(sizes[-fitted:], [median(t) for t in times[-fitted:]])
        panels.append([title, sizes, times, [exponent, fitted]])
    slope = panels[0][3][0]
    single, both = tools.example("one_node"), tools.example("one_node")
    one, two = tools.example("paper_network"), tools.example("paper_network")
    for _ in range(tools.rounds):
        in_turn(1, 1, [single, one])
        in_turn(1, tools.threads, [both, two])
    gains = [("node 10,800×160, ELL-40, f64", ratios(single["node ELL-40 f64"], both["node ELL-40 f64"]))]
    gains.append(("8-layer network, ELL-40, training", ratios(one["ELL-40 train"], two["ELL-40 train"])))
    gains.append(("8-layer network, applied to 12,000 images", ratios(one["ELL-40 apply"], two["ELL-40 apply"])))
    notes = [f"growth over {title}: exponent {fitted[0]:.2f}" for title, _, _, fitted in panels]
    notes += [f"{tools.threads} threads against one, {name}: {figure(gain, 2)} times faster" for name, gain in gains]
    few, many = (median(commands["samples"][f"peak {n}"]) for n in (100_000, 1_000_000))
    memory = f"{few:.0f} MB at 10⁵, {many:.0f} MB at 10⁶: {(many - few) * 2**20 / 900_000:.0f} bytes per sample of 1,600"
    return {
        "panels": panels,
        "notes": notes,
        "goals": [
            goal("growth from N = 10⁵ to 10⁶, streamed: exponent 0.95 – 1.05", f"{slope:.3f}", 0.95 <= slope <= 1.05),
            goal("growth: no samples are held, only labels and the graph", memory, (many - few) * 2**20 < 100 * 900_000),
        ],
    }


def measure_stream(tools: Tools) -> Part:
    """A million samples of 200 f32 inputs in a file of 800 MB, through the command line."""
    with tempfile.TemporaryDirectory() as folder:
        make = """
import numpy as np
random = np.random.default_rng(0)
label = np.arange(1_000_000) * 7919 % 60
X = np.lib.format.open_memmap("x.npy", mode="w+", dtype=np.float32, shape=(len(label), 200))
for i in range(0, len(label), 10_000):
    X[i:i + 10_000] = random.standard_normal((10_000, 200), dtype=np.float32) + 0.1 * label[i:i + 10_000, None]
np.save("y.npy", label + 0.5)
"""
        subprocess.run([tools.build.interpreter(), "-c", make], cwd=folder, check=True)
        choices = "--graph ell --targets 40 --features 5 --network linear --ridge 1e-4 --readout linear-scaling --quiet --force"
        train = ["train", "--data", f"{folder}/x.npy", "--labels", f"{folder}/y.npy", *choices.split()]
        timed = tools.timed(*train, "--output", f"{folder}/model.gsfa")
        tools.run(timed, rounds=1)
        peak, seconds = timed["peak"][0], timed["seconds"][0]
    text = f"{peak:.0f} MB, {seconds:.1f} s with finding faults, features and read-out"
    return {"goals": [goal("10⁶ × 200 from a file of 800 MB below 500 MB", text, peak < 500)]}


def measure_start(tools: Tools) -> Part:
    timed = tools.timed("--help")
    tools.run(timed, rounds=max(20, tools.rounds))
    size = os.path.getsize(tools.build.gsfa()) / 1e6
    milliseconds = [1000 * s for s in timed["seconds"]]
    return {
        "goals": [goal("`gsfa --help` below 10 ms", f"{figure(milliseconds, 1)} ms", median(milliseconds) < 10)],
        "notes": [f"the command line is one file of {size:.0f} MB"],
    }


def measure_build(tools: Tools) -> Part:
    with tempfile.TemporaryDirectory() as folder:
        build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "gsfa-cli", "--target-dir", folder]
        build += ["--manifest-path", str(ROOT / "Cargo.toml")]
        timed = Command([sys.executable, str(ROOT / "bench" / "timed.py"), "1", *build])
        tools.run(timed, rounds=1)
    minutes = timed["seconds"][0] / 60
    return {"notes": [f"clean release build of the command line: {minutes:.1f} minutes"]}


PARTS: dict[str, Callable[[Tools], Part]] = {
    "network": measure_network,
    "node": measure_node,
    "wide": measure_wide,
    "signs": measure_signs,
    "classes": beside("classes", "100,000×200, 32 classes", 3, ("lda-svd", "LDA, svd"), ("lda-eigen", "LDA, eigen")),
    "labels": beside("labels", "20,000×200, 10 labels", 3, ("cca", "CCA"), ("pls", "PLS")),
    "regression": beside("regression", "100,000×200, 10 labels estimated", 0, ("ridge", "ridge")),
    "components": beside("components", "50 components of 20,000×1,024", 0, ("pca", "PCA")),
    "series": measure_series,
    "growth": measure_growth,
    "stream": measure_stream,
    "start": measure_start,
    "build": measure_build,
}
