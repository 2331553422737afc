"""Data that several tests share, and that nothing is missing where CI is set."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_digits

ROOT = Path(__file__).parents[2]


def _not_skipped(report):
    """What is skipped for want of a package or a program fails in CI, which has to have them."""
    if os.environ.get("CI") and report.skipped and re.search("could not import|no cargo", str(report.longrepr)):
        report.outcome, report.longrepr = "failed", f"CI must not do without: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return _not_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    return _not_skipped((yield))


@pytest.fixture(scope="session")
def diabetes():
    return load_diabetes(return_X_y=True)


@pytest.fixture(scope="session")
def digits():
    return load_digits(return_X_y=True)


@pytest.fixture
def blobs():
    """Classes of unequal sizes, with correlated inputs."""
    rng = np.random.default_rng(3)
    y = rng.choice(4, size=300, p=[0.5, 0.3, 0.15, 0.05])
    X = rng.normal(size=(300, 7)) @ rng.normal(size=(7, 7)) + rng.normal(size=(4, 7))[y]
    return X, y


@pytest.fixture
def numbers():
    """Two labels that depend on some of the inputs."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 6)) + 3.0
    y = np.column_stack([X[:, 0] - 2 * X[:, 1], X[:, 2] + X[:, 0]]) + 0.3 * rng.normal(size=(400, 2))
    return X, y


@pytest.fixture(scope="session")
def client():
    """A cluster of two processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            client.run(__import__, "gsfa.dask")
            yield client


@pytest.fixture(scope="session")
def command():
    """The command line as python/build left it, or built if it is not there."""
    program = ROOT / "target" / "command" / "gsfa"
    if not program.exists():
        program = ROOT / "target" / "release" / "gsfa"
        if shutil.which("cargo") is None:
            pytest.skip("no cargo")
        subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "gsfa-cli"], cwd=ROOT, check=True)
    return lambda *arguments, **options: subprocess.run(
        [program, *map(str, arguments)], check=True, capture_output=True, text=True, **options
    )


def same_subspace(A, B):
    """The smallest cosine of the angles between the column spaces of centred features."""
    A, B = (np.linalg.qr(M - M.mean(axis=0))[0] for M in (A, B))
    return float(np.linalg.svd(A.T @ B, compute_uv=False).min())
