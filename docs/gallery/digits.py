"""Compact codes against LDA on digits: how many features are needed to tell ten classes apart?"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import gsfa

X, y = load_digits(return_X_y=True)
# Every point is five searches: a check that this still runs needs the ends only.
counts = (3, 9) if "--no-save" in sys.argv else tuple(range(3, 10))
models = {
    "LDA features": lambda d: make_pipeline(LinearDiscriminantAnalysis(n_components=d), gsfa.GaussianClassifier()),
    "compact code, linear": lambda d: gsfa.CompactClassifier(d, network="linear", ridge=1e-2),
    "compact code, chosen network": lambda d: gsfa.CompactClassifier(d, image_shape=(8, 8)),
}
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for name, make in models.items():
    errors = [100 * (1 - cross_val_score(make(d), X, y, cv=5).mean()) for d in counts]
    axes.plot(counts, errors, marker="o", label=name)
    print(f"{name:30}", " ".join(f"{error:5.1f}" for error in errors))
axes.set(xlabel="features", ylabel="error, 5-fold (%)", ylim=(0, None))
axes.set_title("Digits: what d features tell about ten classes")
axes.legend(frameon=False)
if "--no-save" not in sys.argv:
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
