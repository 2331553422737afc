#!/usr/bin/env python3
"""The same work in plain NumPy and SciPy, with the low-rank form of ELL: what our times are divided by.

    numpy_reference.py node      one node, 10,800 x 160, 40 features: ELL-40 and serial, five times
    numpy_reference.py wide [N] [I]  20,000 x 7,380: the bare X.T @ X, the yardstick of the limit, and a node with 31 labels
    numpy_reference.py network   the paper's eight layers on 12,000 images of 64 x 64, trained on 10,800 of them

Every line is a name, a tab and seconds. Set OPENBLAS_NUM_THREADS to the number of threads.
"""

import resource
import sys
import time

import numpy as np
from scipy.linalg import eigh, solve_triangular

VALUES = 60  # distinct label values


def clock(name, work):
    begin = time.perf_counter()
    result = work()
    print(f"{name}\t{time.perf_counter() - begin:.5f}", flush=True)
    return result


def target_labels(label, count):
    """The label and cosines of it, normalised and decorrelated: columns of an orthogonal basis times sqrt(N)."""
    place = (label - label.min()) / (label.max() - label.min())
    columns = [label] + [np.cos(np.pi * j * place) for j in range(2, count + 1)]
    raw = np.column_stack([np.ones(len(label))] + columns)
    basis, triangle = np.linalg.qr(raw)
    return basis[:, 1:] * np.sign(np.diag(triangle)[1:]) * np.sqrt(len(label))


def sphere(covariance):
    """S with S^T C S = 1, over the directions that carry variance, and their variances."""
    variances, vectors = np.linalg.eigh(covariance)
    kept = variances > 1e-10 * variances[-1]
    return vectors[:, kept] / np.sqrt(variances[kept]), variances[kept]


def fit_ell(centred, targets, features):
    n, count = targets.shape
    s, variances = sphere(centred.T @ centred / n)
    eigenvalues = np.arange(count, 0, -1) / count
    b = s.T @ (centred.T @ targets) / n * np.sqrt(eigenvalues)
    left, singular, _ = np.linalg.svd(b, full_matrices=False)
    slow = left[:, singular > 1e-9][:, :features]
    missing = min(features, len(variances)) - slow.shape[1]
    if missing > 0:  # principal components of what is left
        outside = np.eye(len(variances)) - slow @ slow.T
        rest = np.linalg.eigh(outside * variances @ outside)[1][:, ::-1]
        slow = np.hstack([slow, rest[:, :missing]])
    return s @ slow


def fit_serial(x, size, features):
    """Samples in order of their label, groups of equal size."""
    groups = len(x) // size
    weights = np.full(len(x), 2.0)
    weights[:size] = weights[-size:] = 1.0
    centred = x - weights @ x / weights.sum()
    s, _ = sphere(centred.T @ (centred * weights[:, None]) / weights.sum())
    means = centred.reshape(groups, size, -1).mean(1) @ s
    cross = means[1:].T @ means[:-1]
    small = 2 * np.eye(s.shape[1]) - (cross + cross.T) / (groups - 1)
    return s @ eigh(small, subset_by_index=[0, min(features, len(small)) - 1])[1]


def network(images, training, fit):
    """Fields of 8 x 8 pixels, then pairs of neighbours, one below and one beside the other in turn."""
    n = len(images)
    below = images.reshape(n, 8, 8, 8, 8).swapaxes(2, 3).reshape(n, 8, 8, 64)
    for layer in range(8):
        rows, columns, values = below.shape[1:]
        if layer in (1, 3, 5):
            below = below.reshape(n, rows // 2, 2, columns, values).swapaxes(2, 3)
            below = below.reshape(n, rows // 2, columns, 2 * values)
        elif layer in (2, 4, 6):
            below = below.reshape(n, rows, columns // 2, 2 * values)
        outputs = 6 if layer == 7 else 40
        above = np.zeros(below.shape[:3] + (outputs,))
        for i, j in np.ndindex(*below.shape[1:3]):
            x = below[:, i, j]
            if layer == 0:
                x = x - x[:training].mean(0)
                x = x @ np.linalg.eigh(x[:training].T @ x[:training])[1][:, :-51:-1]
            x = np.hstack([x, np.abs(x) ** 0.8])
            x -= x[:training].mean(0)
            weights = fit(x[:training], outputs)
            above[:, i, j, : weights.shape[1]] = x @ weights
        below = above
    return below[:, 0, 0]


def labels(per_value):
    return np.repeat(np.arange(VALUES) / 10 - 3, per_value)


def run_node(random):
    label = labels(180)
    x = random.normal(size=(len(label), 160)) + 0.1 * label[:, None]
    targets = target_labels(label, 40)
    single = x.astype(np.float32)
    for _ in range(5):
        clock("X.T @ X f64", lambda: x.T @ x)
        clock("X.T @ X f32", lambda: single.T @ single)
        clock("node ELL-40 f64", lambda: fit_ell(x - x.mean(0), targets, 40))
        clock("node serial f64", lambda: fit_serial(x, 180, 40))


def run_wide(random, samples=20_000, inputs=7380):
    x = random.normal(size=(samples, inputs))
    classes = np.arange(samples) % 32
    clock("X.T @ X f64", lambda: x.T @ x)
    single = x.astype(np.float32)
    clock("X.T @ X f32", lambda: single.T @ single)
    del single

    def node():
        centred = x - x.mean(0)
        factor = np.linalg.cholesky(centred.T @ centred / samples)
        sums = np.stack([centred[classes == c].sum(0) for c in range(32)], 1) / samples
        return np.linalg.svd(solve_triangular(factor, sums, lower=True), full_matrices=False)

    clock("node", node)


def run_network(random):
    label, new = labels(180), labels(20)
    everything = np.r_[label, new]
    pictures = random.normal(size=(20, 4096))
    mixtures = random.normal(size=(len(everything), 20)) + 0.1 * everything[:, None]
    images = mixtures @ pictures + 0.3 * random.normal(size=(len(everything), 4096))
    targets = target_labels(label, 40)
    clock("ELL-40", lambda: network(images, len(label), lambda x, j: fit_ell(x, targets, j)))
    clock("serial", lambda: network(images, len(label), lambda x, j: fit_serial(x, 180, j)))


if __name__ == "__main__":
    what, rest = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    random = np.random.default_rng(0)
    if what == "node":
        run_node(random)
    elif what == "wide":
        run_wide(random, *map(int, rest))
    elif what == "network":
        run_network(random)
    else:
        sys.exit(__doc__)
    print(f"peak\t{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
