"""A graph and its free responses: what three graphs for the same labels consider slow."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gsfa
from gsfa.graphs import Ell, Reordering, Serial

y = np.sort(np.random.default_rng(0).uniform(20, 60, size=30))
graphs = {"reordering": Reordering(), "serial, 10 groups": Serial(groups=10), "ELL-4": Ell(targets=4)}

figure, axes = plt.subplots(3, 3, figsize=(10, 9), layout="constrained", width_ratios=[1, 1.3, 1])
for row, (name, graph) in zip(axes, graphs.items()):
    graph.plot(y, count=3, ax=row[:2])
    row[0].set_title(f"{name}: edge weights")
    row[0].set_xticks([])
    row[0].set_yticks([])
    deltas = gsfa.free_responses(graph, y, 12)[1]
    gsfa.plot_delta_values(deltas, labels=[name], ax=row[2])
    row[2].set_ylim(-0.1, 2.3)
    print(f"{name:20} Δ = {deltas[:5].round(3)}")
figure.suptitle("Edges, slowest free responses and their delta values")
if "--no-save" not in sys.argv:
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
