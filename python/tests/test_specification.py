"""Defaults of Python are those of the library, which are those of the command line."""

import inspect
import json

import gsfa
import numpy as np
import pytest
from gsfa import _core, expansions, graphs, networks
from gsfa._readouts import Readout

TABLES = json.loads(_core.specification())
GRAPHS = {kind["name"]: kind for kind in TABLES["graphs"]}


ALL = [getattr(graphs, name) for name in graphs.__all__]
READOUTS = [made for made in (getattr(gsfa, name) for name in gsfa.__all__) if inspect.isclass(made) and issubclass(made, Readout)]
KINDS = [made for made in ALL if inspect.isclass(made) and issubclass(made, graphs.Graph) and made is not graphs.Graph]


def least(made):
    """A value with what it must be given."""
    needed = {"matrix": np.ones((2, 2)), "graphs": ((1.0, graphs.Ell()),), "half_width": 3, "output_dim": 3}
    parameters = inspect.signature(made).parameters.values()
    return made(**{p.name: needed[p.name] for p in parameters if p.default is p.empty})


def check(spec, fields, given=()):
    """What is said and what is left out is what the library takes by itself."""
    names = [field["name"] for field in fields]
    unknown = [name for name in spec if name not in [*names, "kind"]]
    assert not unknown
    for field in fields:
        if field["name"] not in given and not field["required"]:
            assert spec.get(field["name"], field["default"]) == field["default"], field["name"]


@pytest.mark.parametrize("made", KINDS, ids=lambda made: made.__name__)
def test_defaults_of_graphs(made):
    spec = least(made)._spec()
    kind = GRAPHS[spec["kind"]]
    check(spec, kind["fields"])
    labels = {"number", "numbers", "class"} & set(kind["needs"])
    assert bool(labels) == least(made).needs_labels or made is graphs.Sum


def test_every_graph_of_the_library_is_there():
    assert {least(made)._spec()["kind"] for made in KINDS} == set(GRAPHS)


@pytest.mark.parametrize("made", READOUTS, ids=lambda made: made.__name__)
def test_defaults_of_readouts(made):
    spec = made()._spec()
    (kind,) = [kind for kind in TABLES["readouts"] if kind["name"] == spec["kind"]]
    check(spec, kind["fields"])


@pytest.mark.parametrize("made", [expansions.Expo, expansions.Polynomial])
def test_defaults_of_expansions(made):
    spec = made()._spec()
    (kind,) = [kind for kind in TABLES["expansions"] if kind["name"] == spec["kind"]]
    check(spec, kind["fields"])


def test_defaults_of_layers():
    check(networks.Layer(3)._spec(), TABLES["layer"])


@pytest.mark.parametrize("made", [gsfa.ELLRegressor, gsfa.CompactClassifier])
def test_defaults_of_recipes(made):
    recipe = made()._recipe()
    assert recipe.pop("network") in ({}, {"kind": "auto"})
    check(recipe, TABLES["recipe"])
