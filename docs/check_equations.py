#!/usr/bin/env python3
"""Fails where docs/equations.md names a function or a test that does not exist.

In the tables, `file.rs::name` in the column "function" is an item of crates/gsfa/src/file.rs, and `file::name` in the
column "test" a test of crates/gsfa/tests/laws/file.rs (or of crates/gsfa/src/file.rs, if it ends in .rs). `module.Class.name`
in the column "in Python" is a name of the package gsfa: a class or function that it exports, or what a class has.
"""
import ast
import re

from checked_tables import ROOT, conclude, has_item, has_test, names, rows

PACKAGE = ROOT / "python" / "gsfa"
CRATE = ROOT / "crates" / "gsfa"


def missing(cell, exists, kind):
    if not names(cell):
        yield f"no {kind} is named"
    for name in names(cell):
        file, _, item = name.partition("::")
        path = CRATE / "src" / file if file.endswith(".rs") else CRATE / "tests" / "laws" / f"{file}.rs"
        if not item or not path.is_file():
            yield f"`{name}`: there is no {path.relative_to(ROOT)}"
        elif not exists(path, item):
            yield f"`{name}`: {path.relative_to(ROOT)} has no {kind} '{item}'"


def exported(module):
    """The names that a file of the package exports."""
    for statement in ast.parse(module.read_text()).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return set(ast.literal_eval(statement.value))
    return set()


def declared():
    """What classes of the package have: methods, fields, and the attributes that their documentation lists."""
    classes, bases, functions = {}, {}, set()
    # What several classes say alike stands there once.
    shared = dict(re.findall(r"^\[(\w+)\]\n(.*)", (PACKAGE / "_documentation.py").read_text(), re.MULTILINE))
    for file in PACKAGE.glob("*.py"):
        for statement in ast.parse(file.read_text()).body:
            if isinstance(statement, ast.FunctionDef):
                functions.add(statement.name)
            if isinstance(statement, ast.ClassDef):
                found = {inner.name for inner in statement.body if isinstance(inner, ast.FunctionDef)}
                fields = [inner.target for inner in statement.body if isinstance(inner, ast.AnnAssign)]
                found |= {target.id for target in fields if isinstance(target, ast.Name)}
                text = re.sub(r"^\{(\w+)\}$", lambda m: shared[m[1]], ast.get_docstring(statement) or "", flags=re.MULTILINE)
                found |= set(re.findall(r"^(\w+) : ", text, re.MULTILINE))
                classes[statement.name] = found
                bases[statement.name] = [ast.unparse(base) for base in statement.bases]
    for name in classes:
        above = list(bases[name])
        while above:
            base = above.pop()
            classes[name] |= classes.get(base, set())
            above += bases.get(base, [])
    return classes, functions


def missing_in_python(cell, classes, functions):
    if not names(cell):
        yield "nothing in Python is named"
    for name in names(cell):
        module, _, rest = name.partition(".") if name.startswith(("graphs.", "networks.")) else ("__init__", ".", name)
        item, _, member = rest.partition(".")
        if item not in exported(PACKAGE / f"{module}.py"):
            yield f"`{name}`: python/gsfa/{module}.py does not export '{item}'"
        elif item not in functions and member and member not in classes.get(item, set()):
            yield f"`{name}`: '{item}' has no '{member}'"
        elif item not in functions and item not in classes:
            yield f"`{name}`: there is no '{item}'"


def main():
    document = ROOT / "docs" / "equations.md"
    problems, count = [], 0
    classes, functions = declared()
    for number, cells in rows(document.read_text()):
        if len(cells) != 5:
            problems.append(f"line {number}: {len(cells)} cells instead of 5")
            continue
        count += 1
        found = [*missing(cells[2], has_item, "function"), *missing(cells[4], has_test, "test")]
        found += missing_in_python(cells[3], classes, functions)
        problems += [f"line {number}: {problem}" for problem in found]
    conclude(document, problems, count, "equations have their functions and tests")


if __name__ == "__main__":
    main()
