"""Section 3 of the paper and its analysis of graphs (section 4.2): every identity asserted, then the figure."""

import sys
from functools import partial
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from gsfa.graphs import Ell, Reordering, Serial, from_responses

same = partial(np.testing.assert_allclose, rtol=1e-9, atol=1e-9)
label = np.sort(np.random.default_rng(0).uniform(20, 60, size=30))
graphs = {"reordering": (Reordering(), 14), "serial": (Serial(groups=15), 6), "ELL-4": (Ell(targets=4), 4)}
found = {}
for name, (graph, slow) in graphs.items():
    G = graph.build(label)
    v, Q, R, Γ, M = G.vertex_weights, G.q, G.r, G.edge_weights(), G.normalized_edge_weights()
    Y, Δ, λ = found[name] = G.free_responses()
    U = np.sqrt(v / Q)[:, None] * Y
    same(v, Q / R * Γ.sum(axis=1))  # consistency
    same(v @ Y, 0), same(Y.T @ np.diag(v) @ Y, Q * np.eye(29))  # weighted mean 0, variance 1, no correlation
    same(M @ U, U * λ), same(M @ np.sqrt(v), R / Q * np.sqrt(v))  # eigenvectors of M, and the constant with λ₀ = R/Q
    same(Δ, 2 - 2 * Q / R * λ), same(Δ, 2 - 2 / R * np.diag(Y.T @ Γ @ Y))  # Δ from λ, and by its definition
    assert (Δ < 2 - 1e-9).sum() == slow  # what the graph considers slow
    same(R / Q * from_responses(Y, Δ, vertex_weights=v).edge_weights(), Γ)  # the design gives back the graph
    c = max(0, (-Γ / np.outer(v, v)).max())
    positive, loopless, s = G.without_negative_edges(), G.without_self_loops(), c * Q**2 / R
    same(positive.edge_weights(), (Γ + c * np.outer(v, v)) / (1 + s)), same(positive.r, R)  # no negative edges
    same(positive.free_responses().delta_values, (Δ + 2 * s) / (1 + s)), same(positive.delta_values(Y), (Δ + 2 * s) / (1 + s))
    same(loopless.delta_values(Y), Δ * R / loopless.r), same(G.expected_noise_delta(), 2 - 2 * np.trace(Γ) / R)
ℓ = Ell(targets=4).build(label).targets
same(found["ELL-4"].responses[:, :4], ℓ.values), same(ℓ.values[:, 0], (label - label.mean()) / label.std())
same(found["ELL-4"].eigenvalues[:4], ℓ.eigenvalues), same(ℓ.recover(ℓ.values)[:, 0], label)  # and back to the label

figure, axes = plt.subplots(2, 3, figsize=(10, 6), layout="constrained", sharey="row")
for (above, below), (name, (Y, Δ, _)) in zip(axes.T, found.items()):
    above.plot(label, Y[:, :4], linewidth=1.5, label=[f"Δ = {delta:.2f}" for delta in abs(Δ[:4])])
    above.set(title=name, xlabel="label")
    above.legend(frameon=False, fontsize="small", ncols=2, loc="lower center")
    below.axhline(2.0, color="0.6", linewidth=1, linestyle="--")
    below.plot(np.arange(1, 30), Δ, marker="o", markersize=3, linestyle="none", color="C0")
    below.set(xlabel="free response")
    print(f"{name:12} {(Δ < 2 - 1e-9).sum():2} responses with Δ < 2; Δ₆ = {Δ[5]:.2f}")
axes[0, 0].set(ylabel="free response", ylim=(-3.4, 2.4))
axes[1, 0].set(ylabel="Δ (2 is noise)")
figure.suptitle("Thirty samples, three graphs: the four slowest free responses, and all delta values")
if "--no-save" not in sys.argv:
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
