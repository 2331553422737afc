"""A slice of bench/accuracy.py: its measures and folds, and the defaults beside what one would take without choosing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import accuracy  # noqa: E402
from accuracy_sets import Set  # noqa: E402


def numbers(name: str, x: Any, y: Any) -> Set:
    return Set(name, x, (y - y.mean(axis=0)) / y.std(axis=0), classes=False)


def errors(data: Set, method: str, folds: int = 2) -> np.ndarray:
    fits = accuracy.FOR_CLASSES if data.classes else accuracy.FOR_NUMBERS
    some = list(accuracy.splits(data, 0))[:folds]
    results = [accuracy.measure(fits[method], data, train, test, 0) for _, train, test in some]
    assert all(np.isfinite(result["loss"]) for result in results)
    assert data.classes or all(0.6 <= result["coverage"] <= 1.0 for result in results)
    return np.array([result["error"] for result in results])


def test_smooth_functions_are_learned_where_a_line_is_not_enough() -> None:
    data = numbers("friedman1", *datasets.make_friedman1(300, noise=1.0, random_state=0))
    ours, ridge = errors(data, "ours").mean(), errors(data, "ridge").mean()
    assert ours < 0.8 * ridge


def test_a_line_is_kept_where_it_is_enough() -> None:
    data = numbers("diabetes", *datasets.load_diabetes(return_X_y=True))
    ours, ridge = errors(data, "ours").mean(), errors(data, "ridge").mean()
    assert ours < 1.03 * ridge


def test_classes_are_not_worse_than_those_of_discriminant_analysis() -> None:
    x, y = datasets.load_wine(return_X_y=True)
    data = Set("wine", x, y, classes=True)
    assert errors(data, "ours").mean() <= errors(data, "lda").mean() + 0.03


def test_rings_are_told_apart() -> None:
    random = np.random.default_rng(3)
    angle, ring = random.uniform(0, 2 * np.pi, 300), random.integers(0, 2, 300)
    radius = 1 + ring + 0.15 * random.normal(size=300)
    data = Set("rings", np.column_stack([radius * np.cos(3 * angle), radius * np.sin(3 * angle)]), ring, classes=True)
    assert errors(data, "ours").mean() < 0.05
    assert errors(data, "svm", folds=1).mean() < 0.05
