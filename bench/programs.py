"""Our programs, built from a source tree, and the Python environments that they and their peers run in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from processes import Command, Failed, in_turn
from vectors import Vectors

ROOT = Path(__file__).resolve().parent.parent
PEERS = ("numpy", "scipy", "scikit-learn", "sklearn-sfa", "maturin")


def must(arguments: list[str], cwd: Path = ROOT) -> None:
    """Runs a step of the preparation."""
    done = subprocess.run(arguments, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or [f"ended with {done.returncode}"]
        first = next((line for line in lines if line.startswith("error")), lines[-1])
        raise Failed(f"{first}\nhint: to see all of it, in {cwd}: {' '.join(arguments)}")


def pinned(packages: tuple[str, ...]) -> list[str]:
    """The packages with the versions that the checks of our own package use, so that all environments are alike."""
    lines = (ROOT / "python" / "requirements.txt").read_text().splitlines()
    return [line for line in lines if line.partition("==")[0] in packages]


@cache
def environment(folder: Path, packages: tuple[str, ...]) -> str:
    """The interpreter of an environment with these packages, made if need be."""
    python, installed = folder / "bin" / "python", folder / "installed.txt"
    wanted = "\n".join(packages)
    if not python.exists() or not installed.exists() or installed.read_text() != wanted:
        must([sys.executable, "-m", "venv", str(folder)])
        must([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages])
        installed.write_text(wanted)
    return str(python)


class Build:
    """The programs of one source tree, each built when it is first asked for.

    With the features of the whole workspace, as the checks build it, so that the library is compiled once.
    """

    def __init__(self, source: Path, target: Path, python: Path) -> None:
        self.source, self.target, self.folder = source, target, python
        self.built: set[tuple[str, ...]] = set()

    def cargo(self, *what: str) -> None:
        if what not in self.built:
            print("building", *what, "of", self.source, file=sys.stderr)
            must(["cargo", "build", "--release", "--locked", "--quiet", "--target-dir", str(self.target), *what], self.source)
            self.built.add(what)

    def example(self, name: str, *arguments: str) -> Command:
        self.cargo("--workspace", "--example", name)
        return Command([str(self.target / "release" / "examples" / name), *arguments])

    def gsfa(self) -> str:
        self.cargo("--workspace", "--bins")
        return str(self.target / "release" / "gsfa")

    def timed(self, *arguments: str, times: int = 1) -> Command:
        """The command line, from its start to its end."""
        return Command([sys.executable, str(ROOT / "bench" / "timed.py"), str(times), self.gsfa(), *arguments])

    def interpreter(self) -> str:
        return environment(self.folder, tuple(pinned(PEERS)))

    def package(self) -> str:
        """The interpreter, with this tree's package installed."""
        python, wheels = self.interpreter(), self.folder.with_name("wheels")
        if ("wheel",) not in self.built:
            print("building the Python package of", self.source, file=sys.stderr)
            shutil.rmtree(wheels, ignore_errors=True)
            maturin = [str(Path(python).with_name("maturin")), "build", "--release", "--locked", "--quiet"]
            must([*maturin, "--target-dir", str(self.target), "--out", str(wheels)], self.source)
            pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--force-reinstall", "--no-deps"]
            must([*pip, *map(str, wheels.glob("*.whl"))])
            self.built.add(("wheel",))
        return python

    def fit(self, work: str) -> Command:
        """Our package at a work of peers.py; the script is this revision's, whatever the package."""
        return Command([self.package(), str(ROOT / "bench" / "peers.py"), work, "gsfa"])


class Tools:
    """What is measured, beside whom, and how often."""

    def __init__(self, venv: Path, rounds: int, threads: int, vectors: Vectors) -> None:
        self.vectors = vectors
        self.build = Build(ROOT, ROOT / "target", venv / "peers")
        self.mdp = venv / "mdp"
        self.rounds, self.threads = rounds, threads
        self.load: float | None = None
        self.example, self.timed = self.build.example, self.build.timed

    def numpy(self, *arguments: str) -> Command:
        return Command([self.build.interpreter(), str(ROOT / "bench" / "numpy_reference.py"), *arguments])

    def peer(self, work: str, program: str) -> Command:
        if program == "gsfa":
            return self.build.fit(work)
        if program == "mdp":
            # The last versions that it works with.
            python = environment(self.mdp, ("mdp", "numpy<1.24", "scipy<1.11", "setuptools<70"))
        else:
            python = self.build.interpreter()
        return Command([python, str(ROOT / "bench" / "peers.py"), work, program])

    def run(self, *commands: Command, rounds: int | None = None) -> None:
        if self.load is None:
            self.load = os.getloadavg()[0]
        in_turn(rounds or self.rounds, self.threads, list(commands))
