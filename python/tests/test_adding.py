"""A graph that is added to the library's table is a class of Python, as soon as python/write_graphs.py is run."""

import dataclasses
import importlib.util
import json
import sys
import types
from pathlib import Path

import pytest
from gsfa import _core, graphs
from gsfa._graph_specification import KINDS
from gsfa.errors import ParameterError

ROOT = Path(__file__).resolve().parents[2]

# What `crates/gsfa/src/graph/kinds/adding.rs` adds, as the library's table says it.
LADDER = {
    "name": "ladder",
    "doc": "Samples connected with those a few steps further.",
    "needs": ["one_piece", "order"],
    "fields": [
        {
            "name": "rungs",
            "sort": {"sort": "count"},
            "required": False,
            "default": 2,
            "doc": "The length of the rungs; the last samples have none.",
            "flag": "N",
            "minimum": 1.0,
            "exclusive_minimum": None,
        }
    ],
}


@pytest.fixture
def generator():
    spec = importlib.util.spec_from_file_location("write_graphs", ROOT / "python" / "write_graphs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_graph_of_the_table_is_a_class(generator, monkeypatch):
    serial = next(kind for kind in json.loads(_core.specification())["graphs"] if kind["name"] == "serial")
    assert serial.keys() == LADDER.keys() and serial["fields"][0].keys() == LADDER["fields"][0].keys()
    monkeypatch.setitem(generator.EXAMPLES, "ladder", ">>> 1\n1")
    module = types.ModuleType("gsfa._added")
    module.__package__ = "gsfa"
    monkeypatch.setitem(sys.modules, "gsfa._added", module)
    monkeypatch.setitem(KINDS, "ladder", None)
    exec(compile(generator.written([LADDER]), "gsfa/_added.py", "exec"), module.__dict__)
    made = module.Ladder
    assert issubclass(made, graphs.Graph) and "Ladder" in module.__all__
    assert made()._spec() == {"kind": "ladder", "rungs": 2} and made(3).rungs == 3
    assert [field.name for field in dataclasses.fields(made)] == ["rungs"]
    assert "rungs : int, default=2\n        The length of the rungs" in made.__doc__
    with pytest.raises(ParameterError, match="'rungs' parameter of Ladder"):
        made(0)._spec()
    assert not made().needs_labels


def test_the_classes_are_what_the_table_says(generator):
    kinds = json.loads(_core.specification())["graphs"]
    assert generator.written(kinds) == (ROOT / "python" / "gsfa" / "graphs.py").read_text()
