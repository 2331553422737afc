"""What the documentation shows runs as it stands."""

import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


def blocks(path):
    return re.findall(r"```python\n(.*?)```", (ROOT / path).read_text(encoding="utf-8"), flags=re.S)


def test_the_readme_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (block,) = blocks("README.md")
    exec(compile(block, "README.md", "exec"), {})
    score = float(capsys.readouterr().out.split()[0])
    assert score > 0.9
    assert (tmp_path / "digits.gsfa").exists()


@pytest.mark.parametrize("number", range(4))
def test_the_lines_for_newcomers_run(number):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    classes = rng.integers(0, 7, size=400)
    X[np.arange(400), classes] += 3
    names = {"X": X, "classes": classes, "Y": X[:, :2] + rng.normal(size=(400, 2))}
    exec(compile(blocks("docs/coming-from.md")[number], "coming-from", "exec"), names)
    results = [value for name, value in names.items() if name in ("slow", "features", "estimates")]
    assert all(len(result) == 400 for result in results) and results
