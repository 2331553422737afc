"""The public names of the package are those of docs/surface/python.txt: classes, methods, parameters, defaults."""

import importlib
import inspect
import os
import re
import sys
from pathlib import Path

import pytest

SNAPSHOT = Path(__file__).parents[2] / "docs" / "surface" / "python.txt"
ACCEPT = "GSFA_ACCEPT_SURFACE"
MODULES = ["gsfa", "gsfa.dask", "gsfa.errors", "gsfa.expansions", "gsfa.graphs", "gsfa.networks"]
OPERATORS = ["__add__", "__call__", "__getitem__", "__iter__", "__len__", "__mul__", "__rmul__"]


def words(annotation):
    """An annotation as it is written."""
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def parameters(name, function, skip_self):
    """A line for each parameter, so that a new one changes no other; the place of those that have one counts."""
    for place, parameter in enumerate(inspect.signature(function).parameters.values(), not skip_self):
        if skip_self and parameter.name == "self":
            continue
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        only = {parameter.POSITIONAL_ONLY: " /", parameter.POSITIONAL_OR_KEYWORD: ""}.get(parameter.kind)
        where = f" {place}{only}" if only is not None else ""
        said = "" if parameter.annotation is parameter.empty else f" {words(parameter.annotation)}"
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        yield f"{name}.{star}{parameter.name}: parameter{where}{said}{default}"


def returned(function):
    found = inspect.signature(function).return_annotation
    return "" if found is inspect.Signature.empty else f" -> {words(found)}"


def callable_lines(name, kind, function, skip_self=False):
    yield f"{name}: {kind}{returned(function)}"
    yield from parameters(name, function, skip_self)


def is_ours(kind):
    return kind.__module__.split(".")[0] == "gsfa"


def members(kind):
    """Public names that the package's own classes give a class, each as it is declared."""
    found = {}
    for base in reversed(kind.__mro__):
        if is_ours(base):
            found |= vars(base)
    # scikit-learn makes a `set_…_request` for every method with weights.
    made = re.compile("set_.*_request")
    return {n: m for n, m in found.items() if (n[0] != "_" or n in OPERATORS) and not made.fullmatch(n)}


def public_home(kind):
    """The module that exports one of the package's own classes, first the one that it is in."""
    homes = [name for name in MODULES if kind.__name__ in importlib.import_module(name).__all__]
    homes = [name for name in homes if getattr(importlib.import_module(name), kind.__name__) is kind]
    return kind.__module__ if kind.__module__ in homes else next(iter(reversed(homes)), None) if is_ours(kind) else None


def class_lines(name, kind):
    yield f"{name}: class"
    for base in kind.__mro__[1:]:
        home = public_home(base)
        if home or base.__module__ == "sklearn.base" or issubclass(base, Exception) and base.__module__ == "builtins":
            yield f"{name}: is a {home or base.__module__}.{base.__name__}"
    if any("__init__" in vars(base) for base in kind.__mro__ if is_ours(base)):
        yield from parameters(name, kind, skip_self=False)
    for member, declared in members(kind).items():
        if member in getattr(kind, "_fields", ()):
            yield f"{name}.{member}: field {words(kind.__annotations__[member])}"
        elif isinstance(declared, property):
            yield f"{name}.{member}: property{returned(declared.fget)}"
        elif isinstance(declared, (classmethod, staticmethod)):
            yield from callable_lines(f"{name}.{member}", type(declared).__name__, getattr(kind, member))
        elif callable(declared) or hasattr(declared, "__get__"):
            yield from callable_lines(f"{name}.{member}", "method", getattr(kind, member), skip_self=True)
    section = re.search(r"^Attributes\n-+\n(.*?)(?:\n\n\S|\Z)", inspect.getdoc(kind) or "", re.S | re.M)
    for attribute, said in re.findall(r"^(\w+) : (.*)$", section.group(1) if section else "", re.M):
        yield f"{name}.{attribute}: attribute {said}"


def lines_of(name, value):
    if inspect.ismodule(value):
        yield f"{name}: module"
        return
    home = f"{getattr(value, '__module__', '')}.{getattr(value, '__name__', '')}"
    if name != home and home.rpartition(".")[0] in MODULES:
        yield f"{name}: = {home}"
    elif inspect.isclass(value):
        yield from class_lines(name, value)
    elif callable(value):
        yield from callable_lines(name, "function", value)
    else:
        yield f"{name}: {type(value).__name__} = {value!r}"


def surface():
    modules = [importlib.import_module(name) for name in MODULES]
    found = [lines_of(f"{m.__name__}.{name}", getattr(m, name)) for m in modules for name in m.__all__]
    return sorted({line for lines in found for line in lines})


def test_surface_of_the_package():
    now = surface()
    if os.environ.get(ACCEPT):
        SNAPSHOT.write_text("".join(f"{line}\n" for line in now))
    then = SNAPSHOT.read_text().splitlines()
    changed = [f"- {line}" for line in then if line not in now] + [f"+ {line}" for line in now if line not in then]
    if now != then:
        pytest.fail(
            "the surface is not that of docs/surface/python.txt:\n"
            + "\n".join(changed)
            + f"\nhint: {ACCEPT}=1 python -m pytest python/tests/test_surface.py accepts it; what is gone or changed must "
            "stand in CHANGELOG.md under Breaking",
            pytrace=False,
        )


def test_surface_has_every_module_that_can_be_imported():
    package = importlib.import_module("gsfa")
    files = Path(package.__file__).parent.glob("*.py")
    assert sorted(f"gsfa.{file.stem}" for file in files if file.stem[0] != "_") == MODULES[1:]


def test_what_is_gone_is_told_by_its_name_or_by_that_of_what_went_with_it(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(SNAPSHOT.parents[1]), *sys.path])
    check = importlib.import_module("check_surface")
    then = ["c::T: struct", "c::T::f: u8", "c::old: mod", "c::old::g: fn()", "gsfa train --x: <N>", "p.K.fit.y: parameter 1"]
    now = ["c::T: struct", "c::T::f: u16", "c::T::new: fn() -> Self", "p.K.fit.X: parameter 1"]

    def untold(*entries):
        changelog = "## Unreleased\n\n### Breaking\n" + "".join(f"- {entry}\n" for entry in entries) + "\n### Fixed\n- `--x`\n"
        return [line.partition(":")[0] for line in check.untold(then, now, check.entries(changelog))]

    assert list(check.untold(then, [*now, *then], [])) == []
    assert untold() == ["c", "c", "c", "gsfa train --x", "p.K.fit.y"]
    # A module that is gone takes what was in it along; a type that is still there does not.
    assert untold("Rust: `c::old` is gone, `T` is different.") == ["c", "gsfa train --x", "p.K.fit.y"]
    assert untold("`c::old`", "`T::f` has 16 bits", "`--x` is gone", "`y` of `fit` is gone") == []
    # Words of different entries, and parts of words, tell nothing.
    assert "p.K.fit.y" in untold("`fit`", "`y`") and "gsfa train --x" in untold("`--xy`", "`x`")
