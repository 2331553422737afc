"""The measured part of docs/performance.md, and the file of figures it is written from."""

from __future__ import annotations

import json
from typing import Any

import figures
from parts import PARTS, Part
from processes import figure
from programs import ROOT

PAGE = ROOT / "docs" / "performance.md"
FOUND = ROOT / "docs" / "performance.json"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def kept() -> dict[str, Part]:
    """What earlier runs found."""
    return json.loads(FOUND.read_text()) if FOUND.exists() else {}


def keep(found: dict[str, Part]) -> None:
    FOUND.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{page(found)}\n{END}{rest.split(END)[1]}")


def page(found: dict[str, Part]) -> str:
    def all_of(kind: str) -> list[Any]:
        return [entry for part in PARTS if part in found for entry in found[part].get(kind, [])]

    runs = sorted({(found[part]["how"], part) for part in PARTS if part in found})
    by_run: dict[str, list[str]] = {}
    for how, part in runs:
        by_run.setdefault(how, []).append(part)
    text = [f"- {', '.join(parts)}: {how}" for how, parts in by_run.items()]
    text += ["", "### Goals", "", "| goal | measured | |", "|---|---|---|"]
    text += [f"| {g['goal']} | {g['measured']} | {'met' if g['met'] else '**missed**'} |" for g in all_of("goals")]
    text += ["", "¹ The authors' program, whose seconds were measured earlier and on a busy machine.", ""]
    text += ["### Times", "", "Medians (smallest – largest) in seconds; ratios are taken round by round.", ""]
    text += ["| work | gsfa | other | its time | times faster | peak MB |", "|---|---|---|---|---|---|"]
    for r in all_of("rows"):
        memory = f"{r['memory'][0]:.0f} / {r['memory'][1]:.0f}" if r["memory"] else ""
        text.append(f"| {r['work']} | {figure(r['ours'])} | {r['peer']} | {figure(r['theirs'])} | {figure(r['ratios'], 2)} | {memory} |")
    text += ["", *[f"- {note}" for note in all_of("notes")], ""]
    images = ROOT / "docs" / "images"
    if bars := all_of("bars"):
        figures.faster(images / "faster.svg", [(name, ratio) for name, ratio in bars])
        text += ["![How many times faster than other programs, on a logarithmic axis](images/faster.svg)", ""]
    if panels := all_of("panels"):
        figures.growth(images / "growth.svg", [(title, sizes, times, tuple(fitted)) for title, sizes, times, fitted in panels])
        text += ["![Seconds over samples, inputs, target labels and pixels, with fitted exponents](images/growth.svg)", ""]
    return "\n".join(text).rstrip()
