"""The problems in laws/ as Python takes them, and whether an answer is the expected one."""

import csv
import json
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LAWS = Path(__file__).parents[2] / "laws"
WAYS = {"rust", "command_line", "shards", "python", "chunks", "dask"}
GAPS = {"lacks", "refuses", "differs", "depends"}
TYPES = {"f64": np.float64, "f32": np.float32, "u8": np.uint8}


@cache
def columns_of(path):
    """All columns of a table as texts."""
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    return dict(zip(names, zip(*rows)))


@dataclass
class Problem:
    """A problem of problems.toml, whose head says what the fields are."""

    name: str
    data: str
    learn: list
    task: object
    recipe: dict
    columns: list = field(default_factory=list)
    shape: list | None = None
    element: str = "f64"
    weight_column: str | None = None
    flags: str | None = None
    refused: str | None = None
    tolerance: float = 1e-8
    ways: dict = field(default_factory=dict)

    def kind(self, label):
        return self.task if isinstance(self.task, str) else self.task[label]

    def table(self, part):
        return columns_of(LAWS / "data" / f"{self.data}_{part}.csv")

    def samples(self, part):
        """Rows of a table, or images."""
        table = self.table(part)
        X = np.column_stack([np.array(table[name], dtype=np.float64) for name in self.columns])
        X = np.ascontiguousarray(X, dtype=TYPES[self.element])
        if self.shape is None:
            return X
        sides = self.shape if self.shape[2] > 1 else self.shape[:2]
        return X.reshape(len(X), *sides)

    def frame(self, part):
        return pd.DataFrame(self.samples(part), columns=self.columns)

    def label(self, name):
        """Numbers with NaN, or classes with None, where there is no label; whole numbers stay whole numbers."""
        texts = self.table("train")[name]
        if self.kind(name) == "numbers":
            return np.array([float(text or "nan") for text in texts])
        if all(text.isdigit() for text in texts):
            return np.array([int(text) for text in texts])
        return np.array([text or None for text in texts], dtype=object if "" in texts else str)

    def labels(self):
        """A named series, or a data frame of several labels."""
        if len(self.learn) == 1:
            return pd.Series(self.label(self.learn[0]), name=self.learn[0])
        return pd.DataFrame({name: self.label(name) for name in self.learn})

    def weights(self):
        return None if self.weight_column is None else np.array(self.table("train")[self.weight_column], dtype=np.float64)

    def spread(self, label):
        values = self.label(label)
        return np.nanmax(values) - np.nanmin(values)


def list_of_problems():
    """All problems, with ways and gaps that exist."""
    given = tomllib.loads((LAWS / "problems.toml").read_text())
    problems = []
    for entry in given["problem"]:
        entry["weight_column"] = entry.pop("weights", None)
        problem = Problem(**entry)
        problem.columns = problem.columns or given["data"][problem.data]["inputs"]
        assert set(problem.ways) <= WAYS, problem.name
        assert all(len(gap) == 1 and set(gap) <= GAPS for gap in problem.ways.values()), problem.name
        problems.append(problem)
    solved = [problem.name for problem in problems if problem.refused is None]
    files = {f"{name}.{ending}" for name in solved for ending in ("csv", "json")}
    assert files == {path.name for path in (LAWS / "expected").iterdir()}
    return problems


def expected(problem):
    """Columns as texts, and choices."""
    choices = json.loads((LAWS / "expected" / f"{problem.name}.json").read_text())
    return columns_of(LAWS / "expected" / f"{problem.name}.csv"), choices


def _numbers(values):
    return [repr(float(value)) for value in values]


def _features(features):
    return {f"y{j + 1}": _numbers(column) for j, column in enumerate(np.asarray(features).T)}


def _choices(header, readouts):
    """What was chosen, and what was found on the way."""
    shape, top = header["network"]["input"], header["summary"]["layers"][-1][0]
    chosen = {
        "graph": header["graph"],
        "network": {
            "input": [shape["height"], shape["width"], shape["channels"]],
            "layers": header["network"]["layers"],
        },
    }
    found = {name: header["summary"][name] for name in ("samples", "q", "r")}
    found |= {"delta_values": top["delta_values"], "rank": top["rank"]}
    if readouts:
        chosen["readouts"] = [{"label": r["label"], "settings": r["settings"]} for r in header["readouts"]]
        found["calibrations"] = [r["calibration"] for r in header["readouts"]]
    return {"chosen": chosen, "found": found}


def model_answer(problem, model, new):
    """What an estimator says about new samples, by its public methods."""
    if hasattr(model, "feature_names_in_") and not hasattr(new, "columns"):
        new = pd.DataFrame(new, columns=problem.columns)
    columns = _features(model.features(new))
    estimates = model.predict(new)
    if hasattr(model, "predict_proba"):
        (label,) = problem.learn
        columns[label] = [str(name) for name in estimates]
        probabilities = model.predict_proba(new).T
        columns |= {f"{label}_p_{name}": _numbers(column) for name, column in zip(model.classes_, probabilities)}
    else:
        estimates, deviations = estimates.reshape(len(new), -1), model.predict_std(new).reshape(len(new), -1)
        for k, label in enumerate(problem.learn):
            columns |= {label: _numbers(estimates[:, k]), f"{label}_std": _numbers(deviations[:, k])}
    if f"{problem.learn[0]}_outlier" in expected(problem)[0]:
        columns[f"{problem.learn[0]}_outlier"] = _numbers(model.outlier_score(new))
    return columns, _choices(model._header(), readouts=True)


def readout_answer(problem, node, X, y, weights):
    """What a node and a read-out of each label say about new samples."""
    from laws_estimators import readout

    new = problem.samples("new")
    features, new = node.transform(X), node.transform(new.reshape(len(new), -1))
    columns = _features(new)
    for label in problem.learn:
        values = problem.label(label)
        there = ~pd.isna(values)
        own = {} if weights is None else {"sample_weight": weights[there]}
        model = readout(problem).fit(features[there], values[there], **own)
        if problem.kind(label) == "numbers":
            columns[label] = _numbers(model.predict(new))
        else:
            columns[label] = [str(name) for name in model.predict(new)]
            columns |= {f"{label}_p_{name}": _numbers(p) for name, p in zip(model.classes_, model.predict_proba(new).T)}
    choices = _choices(node._header(), readouts=False)
    # A node knows rows, no images.
    if problem.shape is not None:
        assert choices["chosen"]["network"]["input"] == [1, 1, len(problem.columns)]
        choices["chosen"]["network"]["input"] = problem.shape
    return columns, choices


def differences(problem, answer, wanted):
    """How an answer differs from what is expected, in words."""
    (columns, choices), (wanted_columns, wanted_choices) = answer, wanted
    whole = "readouts" in choices["chosen"]
    needed = {name for name in wanted_columns if whole or not name.endswith(("_std", "_outlier"))}
    if set(columns) != needed:
        return [f"columns {sorted(columns)} instead of {sorted(needed)}"]
    found = [_column(problem, name, columns[name], wanted_columns[name]) for name in sorted(needed)]
    for part, got in choices["chosen"].items():
        if got != wanted_choices["chosen"][part]:
            found.append(f"{part} {got} instead of {wanted_choices['chosen'][part]}")
    for part, got in choices["found"].items():
        found.append(_value(got, wanted_choices["found"][part], problem.tolerance, part))
    return [words for words in found if words]


def _scale(problem, name, size):
    """As in laws/answer.rs."""
    for label in problem.learn:
        if name == f"{label}_outlier":
            return max(1.0, size)
        if problem.kind(label) == "numbers" and name in (label, f"{label}_std"):
            return problem.spread(label)
    return 1.0


def _column(problem, name, got, wanted):
    worst, row = 0.0, 0
    for k, (a, b) in enumerate(zip(got, wanted, strict=True)):
        if a == b:
            continue
        try:
            distance = abs(float(a) - float(b)) / _scale(problem, name, abs(float(b)))
        except ValueError:
            distance = np.inf
        if not distance <= worst:
            worst, row = distance, k
    if worst <= problem.tolerance:
        return None
    return f"{name} of sample {row} is {got[row]} instead of {wanted[row]}: {worst:.1e}"


def _value(got, wanted, tolerance, place):
    if isinstance(wanted, dict) and isinstance(got, dict) and got.keys() == wanted.keys():
        return next(filter(None, (_value(got[k], wanted[k], tolerance, f"{place}/{k}") for k in wanted)), None)
    if isinstance(wanted, list) and isinstance(got, list) and len(got) == len(wanted):
        pairs = enumerate(zip(got, wanted))
        return next(filter(None, (_value(a, b, tolerance, f"{place}/{k}") for k, (a, b) in pairs)), None)
    numbers = isinstance(got, (int, float)) and isinstance(wanted, (int, float))
    if got == wanted or (numbers and abs(got - wanted) <= tolerance * max(1.0, abs(wanted))):
        return None
    return f"{place} is {got} instead of {wanted}"
