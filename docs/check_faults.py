#!/usr/bin/env python3
"""Fails where a fault of docs/faults.md has no row or no test, or names a test that does not exist.

In the tables, `laws/file::name`, `data/file::name`, `cli/file::name` and `python/file::name` are tests of the folders in
PLACES; any other file is named in full, as in `crates/gsfa/src/linalg/eigen.rs::name`.
"""
from checked_tables import ROOT, conclude, has_test, names, rows

PLACES = {
    "laws": "crates/gsfa/tests/laws/{}.rs",
    "data": "crates/gsfa-data/tests/{}.rs",
    "cli": "crates/gsfa-cli/tests/cli/{}.rs",
    "python": "python/tests/{}.py",
}

# Rows may be added below, none may go.
LEAST = 72


def file_of(name):
    """The file of a test, and the test's name."""
    file, _, test = name.partition("::")
    place, _, rest = file.partition("/")
    whole = file.endswith((".rs", ".py"))
    return ROOT / (file if whole or place not in PLACES else PLACES[place].format(rest)), test


def missing(tests):
    for name in tests:
        path, test = file_of(name)
        if not test or not path.is_file():
            yield f"`{name}`: there is no {path.relative_to(ROOT)}"
        elif not has_test(path, test):
            yield f"`{name}`: {path.relative_to(ROOT)} has no test '{test}'"


def main():
    document = ROOT / "docs" / "faults.md"
    problems, found = [], []
    for number, cells in rows(document.read_text()):
        tests = [name for name in names(cells[-1]) if "/" in name and "::" in name]
        problems += [f"line {number}: {problem}" for problem in missing(tests)]
        if not cells[0].startswith("F"):
            continue
        found.append(cells[0])
        if len(cells) != 4 or not all(cells):
            problems.append(f"line {number}: {cells[0]} must have a case, what happens, and tests")
        elif len(tests) != len(names(cells[3])) or not tests or "TODO" in cells[3]:
            problems.append(f"line {number}: no test holds {cells[0]}")
    faults = [f"F{number}" for number in range(1, max(LEAST, len(found)) + 1)]
    problems += [f"there is no row for {fault}" for fault in faults if fault not in found]
    if found != [fault for fault in faults if fault in found]:
        problems.append(f"rows are not F1 to {faults[-1]}, each once and in order")
    conclude(document, problems, len(found), "faults have their tests")


if __name__ == "__main__":
    main()
