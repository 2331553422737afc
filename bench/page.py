"""The measured part of docs/performance.md, and the file of figures it is written from."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import figures
from parts import PARTS, Part
from processes import figure
from programs import ROOT
from vectors import SETS, TITLES, Vectors

PAGE = ROOT / "docs" / "performance.md"
FOUND = ROOT / "docs" / "performance.json"
IMAGES = ROOT / "docs" / "images"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


@dataclass
class Found:
    """What was found, for each set of vectors and each part."""

    sets: dict[str, dict[str, Part]] = field(default_factory=dict)
    # Those that were the widest of the machine they were measured on, the last one last.
    widest: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path = FOUND) -> Found:
        return cls(**json.loads(path.read_text())) if path.exists() else cls()

    def take(self, vectors: Vectors, part: str, result: Part) -> None:
        self.sets.setdefault(vectors.name, {})[part] = result
        if vectors.widest:
            self.widest = [name for name in self.widest if name != vectors.name] + [vectors.name]

    def write(self) -> None:
        FOUND.write_text(json.dumps({"widest": self.widest, "sets": self.sets}, indent=1, ensure_ascii=False) + "\n")
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{page(self)}\n{END}{rest.split(END)[1]}")

    def all_of(self, name: str, kind: str) -> list[Any]:
        parts = self.sets.get(name, {})
        return [entry for part in PARTS if part in parts for entry in parts[part].get(kind, [])]

    def drawn(self, kind: str) -> str | None:
        """The set of a figure: the machine's widest, and the last one measured of those that have all of the figure."""
        having = {name: {part for part in parts if parts[part].get(kind)} for name, parts in self.sets.items()}
        everything = set().union(*having.values())
        complete = [name for name in self.widest if everything and having.get(name) == everything]
        return complete[-1] if complete else None


def page(found: Found) -> str:
    text: list[str] = []
    for name in SETS:
        if name in found.sets:
            text += section(found, name)
    text += ["## Figures", ""]
    if drawn := found.drawn("bars"):
        figures.faster(IMAGES / "faster.svg", [(work, ratio) for work, ratio in found.all_of(drawn, "bars")])
        text += ["![How many times faster than other programs, on a logarithmic axis](images/faster.svg)"]
        text += ["", f"*With {TITLES[drawn]}.*", ""]
    if drawn := found.drawn("panels"):
        panels = found.all_of(drawn, "panels")
        figures.growth(IMAGES / "growth.svg", [(title, sizes, times, tuple(fitted)) for title, sizes, times, fitted in panels])
        text += ["![Seconds over samples, inputs, target labels and pixels, with fitted exponents](images/growth.svg)"]
        text += ["", f"*With {TITLES[drawn]}.*", ""]
    return "\n".join(text).rstrip()


def section(found: Found, name: str) -> list[str]:
    parts = found.sets[name]
    by_run: dict[str, list[str]] = {}
    for how, part in sorted((parts[part]["how"], part) for part in PARTS if part in parts):
        by_run.setdefault(how, []).append(part)
    text = [f"## Measured with {TITLES[name]}", "", *[f"- {', '.join(of)}: {how}" for how, of in by_run.items()], ""]
    if goals := found.all_of(name, "goals"):
        text += ["### Goals", "", "| goal | measured | |", "|---|---|---|"]
        text += [f"| {g['goal']} | {g['measured']} | {'met' if g['met'] else '**missed**'} |" for g in goals]
        if any("¹" in g["goal"] for g in goals):
            text += ["", "¹ The authors' program, whose seconds were measured earlier and on a busy machine."]
        text.append("")
    if rows := found.all_of(name, "rows"):
        text += ["### Times", "", "Medians (smallest – largest) in seconds; ratios are taken round by round.", ""]
        text += ["| work | gsfa | other | its time | times faster | peak MB |", "|---|---|---|---|---|---|"]
        for r in rows:
            memory = f"{r['memory'][0]:.0f} / {r['memory'][1]:.0f}" if r["memory"] else ""
            text.append(f"| {r['work']} | {figure(r['ours'])} | {r['peer']} | {figure(r['theirs'])} | {figure(r['ratios'], 2)} | {memory} |")
        text.append("")
    notes = [f"- {note}" for note in found.all_of(name, "notes")]
    return [*text, *notes, ""] if notes else text
