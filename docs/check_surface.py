#!/usr/bin/env python3
"""Fails where something of the last release is gone or different and CHANGELOG.md does not say so.

docs/surface/base holds the snapshots of the last release, docs/surface those of today, which tests hold. A line `name: fact`
that is in the first only must be named under "## Unreleased", "### Breaking": in one entry the last part of its name, and, unless
that is a flag or begins with a capital, the part before it, as in `Serial::groups`, `GSFA.fit`, "`groups` of `Serial`". What is
gone altogether need not be told part by part: naming a type or a module is enough where nothing of it is left.

Golden model files are facts, too: none that the last release had is gone or written anew.

At a release, `python3 docs/check_surface.py --release` makes today's snapshots those of the last release.
"""
import hashlib
import re
import sys

from checked_tables import ROOT, conclude

SURFACE = ROOT / "docs" / "surface"
BASE = SURFACE / "base"
# Entries that tell of what changed before those snapshots were taken; none after a release.
TOLD_BEFORE = BASE / "told-before.md"
GOLDEN = ROOT / "crates" / "gsfa" / "tests" / "golden"
# Texts for people: every flag and default in them is a line of command-line.txt, too.
TEXTS = {"help.txt"}


def entries(changelog):
    """The entries of the section on what breaks, each in one line."""
    section = re.search(r"^## Unreleased$(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    breaking = re.search(r"^### Breaking$(.*?)(?=^### |\Z)", section.group(1) if section else "", re.MULTILINE | re.DOTALL)
    found = re.split(r"^- ", breaking.group(1), flags=re.MULTILINE)[1:] if breaking else []
    return [" ".join(entry.split()) for entry in found]


def parts(name):
    """`gsfa::graph::Serial`, `gsfa.graphs.Serial`, `gsfa train --groups`, part by part."""
    return [part.strip("*[]") for part in re.split(r"::|[. ]", name) if part]


def is_named(name, told):
    *above, last = parts(name)
    wanted = [last] if last.startswith("-") or last[:1].isupper() or not above else [above[-1], last]
    has = [[re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", entry) is not None for word in wanted] for entry in told]
    return any(all(found) for found in has)


def names(lines):
    return {line.partition(": ")[0] for line in lines}


def above(name):
    """A name and those of all that it belongs to."""
    ends = [match.start() for match in re.finditer(r"::|[. ]", name)]
    return [name, *(name[:end] for end in reversed(ends))]


def untold(then, now, told):
    """The lines that are gone and that nothing tells of."""
    left = {outer for name in names(now) for outer in above(name)}
    for line in sorted(set(then) - set(now)):
        name, _, fact = line.partition(": ")
        # A second name of something that has become its first one, or stands for it elsewhere, is still a name of it.
        if fact.startswith("= ") and name in left:
            continue
        # Itself, or whatever it belonged to and is gone with it.
        candidates = [outer for outer in above(name) if outer == name or outer not in left]
        if not any(is_named(candidate, told) for candidate in candidates):
            yield line


def golden():
    """A line for each golden file."""
    return [f"golden {path.name}: {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in sorted(GOLDEN.iterdir())]


def release(told):
    BASE.mkdir(exist_ok=True)
    for path in BASE.glob("*.txt"):
        path.unlink()
    for path in SURFACE.glob("*.txt"):
        if path.name not in TEXTS:
            (BASE / path.name).write_text(path.read_text())
    (BASE / "golden.txt").write_text("\n".join(golden()) + "\n")
    TOLD_BEFORE.write_text("".join(f"- {entry}\n" for entry in told))


def main():
    told = entries((ROOT / "CHANGELOG.md").read_text())
    if sys.argv[1:] == ["--release"]:
        release(told)
    before = TOLD_BEFORE.read_text().splitlines()
    told = [entry for entry in told if f"- {entry}" not in before]
    problems, count = [], 0
    for path in sorted(BASE.glob("*.txt")):
        then, current = path.read_text().splitlines(), SURFACE / path.name
        now = current.read_text().splitlines() if current.is_file() else golden() if path.stem == "golden" else []
        count += len(then)
        gone = untold(then, now, told)
        problems += [f"gone from {path.name}, but not in CHANGELOG.md under Unreleased, Breaking: {line}" for line in gone]
    if problems:
        problems.append("hint: name each under Breaking, or bring it back")
    conclude(SURFACE, problems, count, "facts of the last release still hold, or the changelog says otherwise")


if __name__ == "__main__":
    main()
