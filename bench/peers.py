"""One fit of one program, ours or a peer's, on data that all of them make alike; prints its seconds.

    python bench/peers.py WORK PROGRAM

    classes      100,000 x 200, 32 classes              gsfa, lda-svd, lda-eigen
    labels       20,000 x 200, 10 labels                gsfa, cca, pls
    regression   100,000 x 200, 10 labels, to estimates gsfa, ridge
    components   20,000 x 1,024, 50 components          gsfa (and a node on them), pca
    series       100,000 x 200 of a time series         gsfa, sklearn-sfa, mdp, products (two bare ones, of NumPy)

Every fit but the slowest runs three times; whoever reads takes the fastest.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any, Callable

import numpy as np

# A peer that stops before it converges says so in every round.
warnings.simplefilter("ignore")


def classes() -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    y = random.integers(0, 32, size=100_000)
    return random.normal(size=(len(y), 200)) + random.normal(size=(32, 200))[y], y


def labels(rows: int = 20_000) -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    X = random.normal(size=(rows, 200))
    return X, X @ random.normal(size=(200, 10)) + 3 * random.normal(size=(rows, 10))


def components() -> tuple[Any, Any]:
    """Images of 32 x 32 pixels: components ever fainter, and noise."""
    random = np.random.default_rng(0)
    faint = 3 / np.arange(1, 201) ** 0.8
    shares = random.normal(size=(20_000, 200)) * faint
    X = shares @ random.normal(size=(200, 1024)) + 0.3 * random.normal(size=(20_000, 1024))
    return X.astype(np.float32), np.repeat(np.arange(20), 1000)


def series() -> tuple[Any, None]:
    random = np.random.default_rng(0)
    t = np.arange(100_000)[:, None]
    slow = np.sin(2 * np.pi * t / np.linspace(200, 2000, 100))
    mixed = np.hstack([slow, random.normal(size=(len(t), 100))]) @ random.normal(size=(200, 200))
    return mixed, None


DATA = {
    "classes": classes,
    "labels": labels,
    "regression": lambda: labels(100_000),
    "components": components,
    "series": series,
}


def ours(work: str) -> Callable[[Any, Any], Any]:
    import gsfa
    from gsfa.graphs import Clustered, Ell

    return {
        "classes": lambda X, y: gsfa.GSFA(graph=Clustered()).fit(X, y),
        "labels": lambda X, Y: gsfa.GSFA(graph=Ell(eigenvalues="equal")).fit(X, Y),
        "regression": lambda X, Y: gsfa.ELLRegressor(network="linear", ridge=1e-5, readout=gsfa.LinearScaling()).fit(X, Y),
        "components": lambda X, y: gsfa.GSFA(19, graph=Clustered(), pca=50).fit(X, y),
        "series": lambda X, _: gsfa.SFA(10).fit(X),
    }[work]


def peer(program: str) -> Callable[[Any, Any], Any]:
    if program in ("lda-svd", "lda-eigen"):
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        return LinearDiscriminantAnalysis(solver=program.removeprefix("lda-")).fit
    if program in ("cca", "pls"):
        from sklearn.cross_decomposition import CCA, PLSRegression

        return (CCA if program == "cca" else PLSRegression)(n_components=10).fit
    if program == "ridge":
        from sklearn.linear_model import Ridge

        return Ridge(alpha=1.0).fit
    if program == "pca":
        from sklearn.decomposition import PCA

        return lambda X, _: PCA(50).fit(X)
    if program == "sklearn-sfa":
        import sksfa

        return lambda X, _: sksfa.SFA(n_components=10).fit(X)
    if program == "mdp":
        import mdp

        def fit(X: Any, _: Any) -> None:
            node = mdp.nodes.SFANode(output_dim=10)
            node.train(X)
            node.stop_training()

        return fit
    if program == "products":
        return lambda X, _: (X.T @ X, X.T @ X)
    raise SystemExit(__doc__)


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[1] not in DATA:
        raise SystemExit(__doc__)
    work, program = sys.argv[1:]
    X, y = DATA[work]()
    fit = ours(work) if program == "gsfa" else peer(program)
    for _ in range(1 if program == "cca" else 3):
        start = time.perf_counter()
        fit(X, y)
        print(f"fit\t{time.perf_counter() - start:.5f}", flush=True)


if __name__ == "__main__":
    main()
