#!/usr/bin/env python3
"""Fails where docs/equations.md names a function or a test that does not exist.

In the tables, `file.rs::name` in the column "function" is an item of crates/gsfa/src/file.rs, and `file::name` in the
column "test" a test of crates/gsfa/tests/laws/file.rs (or of crates/gsfa/src/file.rs, if it ends in .rs).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATE = ROOT / "crates" / "gsfa"


def rows(text):
    """(line number, function cell, test cell) of every table row."""
    for number, line in enumerate(text.splitlines(), 1):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and not set(cells[0]) <= set("-: ") and cells[2] != "function":
            yield number, cells[2], cells[3]


def missing(names, is_test):
    for name in names:
        file, _, item = name.partition("::")
        path = CRATE / "src" / file if file.endswith(".rs") else CRATE / "tests" / "laws" / f"{file}.rs"
        if not item or not path.is_file():
            yield f"`{name}`: there is no {path.relative_to(ROOT)}"
            continue
        if is_test:
            # Attributes, and in property tests a doc comment, may stand between the marker and the function.
            pattern = rf"#\[test\]\s*(?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*fn {re.escape(item)}\b"
        else:
            pattern = rf"\b(?:fn|struct|enum|trait|const|mod) {re.escape(item)}\b"
        if not re.search(pattern, path.read_text()):
            yield f"`{name}`: {path.relative_to(ROOT)} has no {'test' if is_test else 'item'} '{item}'"


def main():
    document = ROOT / "docs" / "equations.md"
    problems, count = [], 0
    for number, functions, tests in rows(document.read_text()):
        count += 1
        for cell, is_test in ((functions, False), (tests, True)):
            names = re.findall(r"`([^`]+)`", cell)
            if not names:
                problems.append(f"line {number}: no {'test' if is_test else 'function'} is named")
            problems += [f"line {number}: {m}" for m in missing(names, is_test)]
    for problem in problems:
        print(f"{document.relative_to(ROOT)}: {problem}", file=sys.stderr)
    if problems or count == 0:
        sys.exit(f"{len(problems)} problems in {count} rows")
    print(f"{count} equations have their functions and tests")


if __name__ == "__main__":
    main()
