"""The vector instructions that are measured: those of the machine, or fewer."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

from processes import Failed

# The widest first, each with what our kernels need of the processor.
NEEDS = {"avx512": {"avx512f", "avx512vl", "avx512dq", "avx512bw"}, "avx2": {"avx2", "fma"}, "portable": set()}
SETS = tuple(NEEDS)
TITLES = {"avx512": "AVX-512", "avx2": "AVX2", "portable": "portable code (SSE2 on x86)"}
# OpenBLAS names its kernels after the processors they were written for; Prescott's are its plainest.
OPENBLAS = {"avx512": "SkylakeX", "avx2": "Haswell", "portable": "Prescott"}
OURS, THEIRS = "GSFA_VECTORS", "OPENBLAS_CORETYPE"


def of_machine(processors: str) -> list[str]:
    """The sets that a machine has, by the text of its /proc/cpuinfo; other systems do not tell."""
    line = next((line for line in processors.splitlines() if line.startswith("flags")), "")
    flags = set(line.partition(":")[2].split())
    return [name for name in SETS if NEEDS[name] <= flags]


@dataclass(frozen=True)
class Vectors:
    """The set that is measured, and whether that is the widest that the machine has."""

    name: str
    widest: bool
    forced: bool

    @classmethod
    def choose(cls, asked: str | None) -> Vectors:
        source = Path("/proc/cpuinfo")
        present = of_machine(source.read_text() if source.exists() else "")
        if asked is not None and asked not in present:
            raise Failed(f"this machine has no {asked} vectors\nhint: it has {', '.join(present)}")
        return cls(asked or present[0], asked in (None, present[0]), asked is not None)

    def apply(self) -> None:
        """For every process that is started from now on."""
        # Without being asked nothing is forced: OpenBLAS knows kernels for single processors, and takes its best.
        for variable in (OURS, THEIRS):
            os.environ.pop(variable, None)
        if self.forced:
            os.environ[OURS] = self.name
            if platform.machine() in ("x86_64", "AMD64"):
                os.environ[THEIRS] = OPENBLAS[self.name]

    def check(self, source: Path) -> None:
        """Whether the programs of a source tree can be told which vectors to use."""
        if not self.widest and not any(OURS in file.read_text() for file in (source / "crates").rglob("*.rs")):
            said = f"the programs of {source} do not know {OURS}: their vectors cannot be limited to {self.name}"
            raise Failed(f"{said}\nhint: without --vectors they are measured with all that the machine has")

    def told(self, python: str) -> str:
        """The set, and the kernels that OpenBLAS says it takes."""
        verbose = os.environ | {"OPENBLAS_VERBOSE": "2"}
        said = subprocess.run([python, "-c", "import numpy.linalg"], env=verbose, capture_output=True, text=True).stderr
        if "not found" in said:
            raise Failed(f"NumPy's OpenBLAS does not know {THEIRS}={os.environ.get(THEIRS)}")
        taken = next((line.partition(":")[2].strip() for line in said.splitlines() if line.startswith("Core:")), "unknown")
        # A build without the kernels of a processor gives its name to those of its like.
        return f"{self.name} vectors, OpenBLAS for {os.environ.get(THEIRS, taken)}"
