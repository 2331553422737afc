"""Every error and remark of the package has a code that docs/codes.md lists, and every code of its own is used."""

import ast
import importlib
import re
from pathlib import Path

import pytest

import gsfa
from gsfa import _codes, errors

SOURCES = sorted(Path(gsfa.__file__).parent.glob("*.py"))
PAGE = (Path(__file__).parents[2] / "docs" / "codes.md").read_text()
LISTED = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M))
ERRORS = {name for name in errors.__all__ if issubclass(getattr(errors, name), Exception)} - {"GsfaWarning"}
# Those that scikit-learn's own checks ask for, that Python itself means, or that never leave the package.
OTHERS = {"ValueError", "TypeError", "AttributeError", "ImportError", "NotImplementedError"}


def calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node


def code_of(call, place):
    """The code that a call gives, which must stand there as it is; none if it is that of another error."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}.get("code")
    if given is None and call.func.id == "Remark" and len(call.args) > place:
        given = call.args[place]
    return given.value if isinstance(given, ast.Constant) else None if given is None else given


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_codes_of_errors_and_remarks_are_listed(path):
    for call in calls(ast.parse(path.read_text())):
        if call.func.id not in ERRORS | {"Remark"}:
            continue
        code = code_of(call, 1)
        if code is None:
            assert call.func.id in ERRORS, f"{path.name}:{call.lineno}: a remark without a code"
            code = "parameter"
        if isinstance(code, str):
            assert code in LISTED, f"{path.name}:{call.lineno}: '{code}' is not in docs/codes.md"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_what_is_raised_is_an_error_of_ours_or_one_of_a_few(path):
    made_here = {"_explained", "_not_finite", "not_finite", "error"}
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Raise) or node.exc is None:
            continue
        call = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        name = call.id if isinstance(call, ast.Name) else call.attr
        assert name in ERRORS | OTHERS | made_here, f"{path.name}:{node.lineno}: {name}"


def test_every_code_of_the_package_is_used_and_no_other_has_its_name():
    texts = {path.stem: path.read_text() for path in SOURCES}
    sources = "".join(text for name, text in texts.items() if name != "_codes")
    library = PAGE.partition("## Errors of the Python package")[0]
    for code in {**_codes.ERRORS, **_codes.REMARKS}:
        assert f'"{code}"' in sources, code
        assert f"| `{code}` |" not in library, code
    assert sorted(_codes.ERRORS) == list(_codes.ERRORS) and sorted(_codes.REMARKS) == list(_codes.REMARKS)


def test_modules_are_those_that_are_looked_through():
    assert len(SOURCES) > 25 and all(importlib.util.find_spec(f"gsfa.{path.stem}") for path in SOURCES if path.stem[0] != "_")
