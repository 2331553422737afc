"""Exact label learning against ridge regression and PLS on the diabetes data."""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cross_decomposition import PLSRegression
from sklearn.datasets import load_diabetes
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold, RepeatedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gsfa

X, y = load_diabetes(return_X_y=True)
models = {
    "ridge": make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 3, 25))),
    "PLS, 3 components": PLSRegression(3),
    "ELL": gsfa.ELLRegressor(),
}
folds = RepeatedKFold(n_splits=5, n_repeats=4, random_state=0)
scores = {name: cross_val_score(model, X, y, cv=folds) for name, model in models.items()}
for name, score in scores.items():
    print(f"{name:20} R² = {score.mean():.3f} ± {score.std() / len(score) ** 0.5:.3f}")

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", width_ratios=[2, 3])
left.boxplot(list(scores.values()), tick_labels=list(scores), widths=0.5)
left.set_ylabel("R² of a fold")
left.tick_params(axis="x", rotation=20)
estimate, deviation = np.zeros(len(y)), np.zeros(len(y))
for train, test in KFold(5, shuffle=True, random_state=0).split(X):
    model = gsfa.ELLRegressor(readout=gsfa.SoftGC()).fit(X[train], y[train])
    estimate[test], deviation[test] = model.predict(X[test]), model.predict_std(X[test])
print(f"within one predicted deviation: {np.mean(abs(y - estimate) < deviation):.0%} (68 % if Gaussian)")
order = np.argsort(estimate)
right.scatter(np.arange(len(y)), y[order], s=8, color="0.5", label="disease progression")
right.plot(estimate[order], label="estimate")
low, high = ((estimate + sign * deviation)[order] for sign in (-1, 1))
right.fill_between(np.arange(len(y)), low, high, alpha=0.25, label="± predictive deviation")
right.set(xlabel="patients, in the order of their estimate", ylim=(0, None))
right.legend(frameon=False, loc="upper left")
figure.suptitle("Diabetes: exact label learning knows how sure it is")
if "--no-save" not in sys.argv:
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
