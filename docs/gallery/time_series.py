"""Slow features of a time series: a hidden slow source in quickly varying, nonlinear mixtures."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import gsfa

t = np.linspace(0, 2 * np.pi, 2000)
hidden = np.sin(t) + 0.5 * np.sin(3 * t)
fast = np.sin(29 * t)
X = np.column_stack([hidden + fast**2, fast, 0.5 * hidden * fast])
X += 0.002 * np.random.default_rng(0).normal(size=X.shape)

model = gsfa.SFA(3, expansion=gsfa.expansions.Polynomial(2)).fit(X)
slow = model.transform(X)[:, 0]
print("Δ of the features:", model.delta_values_)
print("correlation with the hidden source:", abs(np.corrcoef(slow, hidden)[0, 1]))

figure, (above, below) = plt.subplots(2, 1, figsize=(9, 4.5), sharex=True, layout="constrained")
for j, offset in enumerate((0, 3, 5)):
    above.plot(t, X[:, j] + offset, linewidth=0.7, label=f"input {j + 1}")
above.set(yticks=[], title="What is seen")
above.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
scaled = (hidden - hidden.mean()) / hidden.std()
below.plot(t, slow * np.sign(slow @ hidden), label=f"slowest feature, Δ = {model.delta_values_[0]:.1e}")
below.plot(t, scaled, linestyle="--", label="hidden source")
below.set(xlabel="time", title="What is slow")
below.legend(frameon=False, loc="upper right")
if "--no-save" not in sys.argv:
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
