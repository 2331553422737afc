#!/usr/bin/env python3
"""Says whether a wheel is built from the crates that the workspace has compiled already.

Cargo chooses the features of a dependency for everything that is built together: a wheel alone may want fewer of them than
the whole workspace, with or without Parquet, and would then compile the matrix crates again. The manifest of the Python
module names the missing ones; this script finds out which are missing.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def features(*selection: str) -> dict[str, set[str]]:
    """The features of every package in a build."""
    command = ["cargo", "tree", "--locked", "--prefix", "none", "--format", "{p}|{f}", *selection]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    found: dict[str, set[str]] = {}
    for line in lines:
        package, _, names = line.removesuffix(" (*)").partition("|")
        found.setdefault(package.split(" (")[0], set()).update(filter(None, names.split(",")))
    return found


def main() -> None:
    wheel = features("--package", "gsfa-python", "--edges", "normal,build")
    everything = ("--workspace", "--edges", "normal,build,dev")
    missing = set()
    for workspace in (features(*everything), features(*everything, "--features", "gsfa-data/parquet,gsfa-cli/parquet")):
        # Our own crates are compiled for each of them anyway.
        for package, names in ((package, names) for package, names in wheel.items() if not package.startswith("gsfa")):
            missing |= {f"{package}: {name}" for name in workspace[package] - names}
    if missing:
        print("crates that a wheel would compile again, for want of these features:", *sorted(missing), sep="\n  ")
        sys.exit("hint: name them in crates/gsfa-python/Cargo.toml")


if __name__ == "__main__":
    main()
