#!/usr/bin/env python3
"""Fails where docs/equations.md names a function or a test that does not exist.

In the tables, `file.rs::name` in the column "function" is an item of crates/gsfa/src/file.rs, and `file::name` in the
column "test" a test of crates/gsfa/tests/laws/file.rs (or of crates/gsfa/src/file.rs, if it ends in .rs).
"""
from checked_tables import ROOT, conclude, has_item, has_test, names, rows

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


def main():
    document = ROOT / "docs" / "equations.md"
    problems, count = [], 0
    for number, cells in rows(document.read_text()):
        if len(cells) != 4:
            problems.append(f"line {number}: {len(cells)} cells instead of 4")
            continue
        count += 1
        found = [*missing(cells[2], has_item, "function"), *missing(cells[3], has_test, "test")]
        problems += [f"line {number}: {problem}" for problem in found]
    conclude(document, problems, count, "equations have their functions and tests")


if __name__ == "__main__":
    main()
