"""The vector instructions of the kernels can be limited, and results do not depend on them."""

import os
import subprocess
import sys

import numpy as np
import pytest

VECTORS = """
import numpy as np, gsfa
from gsfa import _core
random = np.random.default_rng(0)
X = random.normal(size=(300, 6))
model = gsfa.ELLRegressor().fit(X[:200], X[:200, 0] * X[:200, 1] + X[:200, 2])
print(_core.vectors())
np.save("estimates.npy", model.predict(X[200:]))
"""


@pytest.mark.parametrize("vectors", ["avx512", "avx2", "portable"])
def test_estimates_do_not_depend_on_the_vectors_in_use(vectors, tmp_path):
    def run(**environment):
        command = [sys.executable, "-c", VECTORS]
        done = subprocess.run(command, env={**os.environ, **environment}, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip(), np.load(tmp_path / "estimates.npy")

    (widest, expected), (used, estimates) = run(), run(GSFA_VECTORS=vectors)
    assert used == min(vectors, widest, key=["portable", "avx2", "avx512"].index)
    np.testing.assert_allclose(estimates, expected, rtol=1e-8, atol=1e-8)


def test_unknown_vectors_are_refused_by_name():
    environment = {**os.environ, "GSFA_VECTORS": "avx3"}
    done = subprocess.run([sys.executable, "-c", VECTORS], env=environment, capture_output=True, text=True, timeout=120)
    assert "GsfaError: GSFA_VECTORS = avx3: must be avx512, avx2 or portable" in done.stderr
