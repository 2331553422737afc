#!/usr/bin/env python3
"""Makes the results of docs/accuracy.md and docs/images/accuracy.svg from what bench/accuracy.py measured.

    bench/accuracy_page.py            all seeds of which every set is measured by everybody
"""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from accuracy import FOLDS, FOR_CLASSES, FOR_NUMBERS, RESULTS, SEEDS, known
from accuracy_few import DIMENSIONS
from accuracy_sets import CLASSES, REGRESSION, SETS

ROOT = Path(__file__).resolve().parent.parent
PAGE, FIGURE = ROOT / "docs/accuracy.md", ROOT / "docs/images/accuracy.svg"
BASE = {"numbers": "ridge", "classes": "lda"}
MARK = "\n## Results\n"

Rows = dict[tuple[Any, ...], dict[str, Any]]


def seeds_of(rows: Rows) -> list[int]:
    """Seeds with which ours and the first opponent were measured on all folds of all sets."""
    base = lambda name: "lda" if name in CLASSES else "ridge"
    whole = lambda seed: all((name, seed, FOLDS - 1, m) in rows for name in SETS for m in ("ours", base(name)))
    return [seed for seed in SEEDS if whole(seed)] or [SEEDS[0]]


def values(rows: Rows, name: str, method: str, seeds: list[int], what: str) -> np.ndarray | None:
    """One value for each fold; nothing if any is missing."""
    found = [rows.get((name, seed, fold, method), {}).get(what) for seed in seeds for fold in range(FOLDS)]
    return None if any(value is None for value in found) else np.array(found, float)


def paired(ours: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    difference = ours - other
    return float(difference.mean()), float(difference.std(ddof=1) / math.sqrt(len(difference)))


def errors(rows: Rows, name: str, seeds: list[int], what: str = "error") -> dict[str, np.ndarray]:
    methods = FOR_CLASSES if name in CLASSES else FOR_NUMBERS
    all_of = {method: values(rows, name, method, seeds, what) for method in methods}
    return {method: found for method, found in all_of.items() if found is not None}


def table(rows: Rows, sets: list[str], methods: list[str], seeds: list[int], scale: float) -> list[str]:
    lines = ["| set | " + " | ".join(methods) + " | ours − " + methods[1] + " | taken most often |"]
    lines.append("|---|" + "---|" * (len(methods) + 2))
    for name in sets:
        found = errors(rows, name, seeds)
        if "ours" not in found:
            continue
        best = min(value.mean() for method, value in found.items())
        cell = lambda m: "–" if m not in found else ("**{}**" if found[m].mean() == best else "{}").format(
            f"{scale * found[m].mean():.3g}"
        )
        mean, error = paired(found["ours"], found[methods[1]]) if methods[1] in found else (math.nan, math.nan)
        taken: dict[str, int] = defaultdict(int)
        for seed in seeds:
            for fold in range(FOLDS):
                taken[rows[name, seed, fold, "ours"].get("taken", "–")] += 1
        most = max(taken, key=lambda key: taken[key])
        difference = f"{scale * mean:+.2g} ± {scale * error:.1g}"
        lines.append(f"| {name} | " + " | ".join(cell(m) for m in methods) + f" | {difference} | {most} ({taken[most]}) |")
    return lines


def goals(rows: Rows, seeds: list[int]) -> list[str]:
    worse, near, ranks, slow, judged = [], [], defaultdict(list), [], 0
    for name in SETS:
        found = errors(rows, name, seeds)
        base = BASE["classes" if name in CLASSES else "numbers"]
        if "ours" not in found or base not in found:
            continue
        judged += 1
        mean, error = paired(found["ours"], found[base])
        if mean > 2 * error:
            worse.append(f"{name} ({mean:+.3g} ± {error:.2g})")
        others = {method: value for method, value in found.items() if method != "ours"}
        best = min(others, key=lambda method: others[method].mean())
        mean, error = paired(found["ours"], others[best])
        if mean <= max(0.03 * others[best].mean(), error):
            near.append(name)
        order = sorted(value.mean() for value in found.values())
        for method, value in found.items():
            at = [k for k, mean in enumerate(order, 1) if mean == value.mean()]
            ranks[method].append(sum(at) / len(at))
        fit, svm = values(rows, name, "ours", seeds, "fit"), values(rows, name, "svm", seeds, "fit")
        large = (rows[name, seeds[0], 0, "ours"].get("train") or 0) * FOLDS / (FOLDS - 1) > 1000
        if large and fit is not None and svm is not None:
            slow.append((name, fit.mean(), svm.mean()))
    mean_rank = {method: float(np.mean(found)) for method, found in ranks.items() if len(found) > judged // 3}
    order = ", ".join(f"{m} {r:.2f}" for m, r in sorted(mean_rank.items(), key=lambda item: item[1]))
    longer = [f"{name} ({ours:.1f} s against {svm:.1f} s)" for name, ours, svm in slow if ours > svm]
    verdict = lambda met: "met" if met else "**missed**"
    place = sorted(mean_rank, key=lambda method: mean_rank[method]).index("ours") + 1 if "ours" in mean_rank else 99
    return [
        f"- Not worse than RidgeCV or shrunk LDA by more than two standard errors on every set but one: {verdict(len(worse) <= 1)}; "
        f"worse on {len(worse)} of {judged}{': ' + ', '.join(worse) if worse else ''}.",
        f"- Within max(3 %, one standard error) of the best opponent on 60 % of the sets: {verdict(len(near) >= 0.6 * judged)}; "
        f"{len(near)} of {judged} ({100 * len(near) / max(judged, 1):.0f} %). Not on "
        + ", ".join(name for name in SETS if name not in near and "ours" in errors(rows, name, seeds)) + ".",
        f"- Mean rank among the first two: {verdict(place <= 2)}; {order} (methods with results on a third of the sets or more).",
        f"- A default fit no longer than tuned support vectors on sets above 1,000 samples: {verdict(not longer)}; "
        f"{len(slow) - len(longer)} of {len(slow)}{'; longer on ' + ', '.join(longer) if longer else ''}.",
    ]


def sure(rows: Rows, seeds: list[int]) -> list[str]:
    """Loss, coverage and times, means over the sets that everybody has."""
    lines = ["| | method | mean loss | coverage of 90 % | fit, s | predict, ms |", "|---|---|---|---|---|---|"]
    for sort, sets, methods in (("numbers", REGRESSION, FOR_NUMBERS), ("classes", CLASSES, FOR_CLASSES)):
        common = [s for s in sets if len(errors(rows, s, seeds)) == len(methods)]
        for method in methods:
            of = lambda what: [v.mean() for s in common if (v := values(rows, s, method, seeds, what)) is not None]
            mean = lambda what, scale=1.0: f"{scale * np.mean(of(what)):.3g}" if of(what) else "–"
            # Losses of numbers may be far out for one set: their median is told.
            loss = f"{np.median(of('loss')):.3g}" if of("loss") else "–"
            lines.append(f"| {sort} ({len(common)} sets) | {method} | {loss} | {mean('coverage')} | {mean('fit')} | {mean('predict', 1e3)} |")
    lines[0] = lines[0].replace("mean loss", "median loss")
    return lines


def few(rows: Rows) -> list[str]:
    lines: list[str] = []
    for sort, sets in (("numbers", REGRESSION), ("classes", CLASSES)):
        found: dict[tuple[str, int], dict[str, float]] = defaultdict(dict)
        for (name, _, fold, method), row in rows.items():
            if method.startswith("few ") and name in sets and fold == 0 and "error" in row:
                d, what = int(method.split()[1]), method.split(maxsplit=2)[2]
                every = values(rows, name, method, [0], "error")
                if every is not None:
                    found[name, d][what] = float(every.mean())
        methods = sorted({what for of in found.values() for what in of}, key=lambda w: (w.split()[0] in ("ell", "code", "clustered"), w))
        if not methods:
            continue
        lines += ["", f"*{sort.capitalize()}*", "", "| set | d | " + " | ".join(methods) + " |", "|---|---|" + "---|" * len(methods)]
        scale = 100.0 if sort == "classes" else 1.0
        for (name, d), of in sorted(found.items(), key=lambda item: (list(SETS).index(item[0][0]), item[0][1])):
            best = min(of.values())
            cells = [("**{}**" if of.get(m) == best else "{}").format(f"{scale * of[m]:.3g}") if m in of else "–" for m in methods]
            lines.append(f"| {name} | {d} | " + " | ".join(cells) + " |")
    return lines


def figure(rows: Rows, seeds: list[int]) -> str:
    """For every set, errors as shares of the best opponent's; ours in colour."""
    sets = [s for s in SETS if "ours" in errors(rows, s, seeds) and len(errors(rows, s, seeds)) > 2]
    row, left, right, top = 17, 120, 640, 46
    low, high = 0.6, 4.0
    at = lambda ratio: left + (right - left) * (math.log(min(max(ratio, low), high) / low) / math.log(high / low))
    height = top + row * len(sets) + 30
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="680" height="{height}" fill="white"/>',
        '<text x="20" y="18" font-size="13">Errors on left-out samples, as shares of the best opponent\'s (5 folds'
        f' × {len(seeds)} seed{"s" if len(seeds) > 1 else ""})</text>',
        f'<circle cx="{left}" cy="32" r="5" fill="#c2410c"/><text x="{left + 9}" y="36">ours, nothing set</text>',
        f'<circle cx="{left + 130}" cy="32" r="4" fill="none" stroke="#1d4ed8" stroke-width="1.6"/>'
        f'<text x="{left + 139}" y="36">RidgeCV / shrunk LDA</text>',
        f'<circle cx="{left + 290}" cy="32" r="3" fill="#9ca3af"/><text x="{left + 299}" y="36">tuned opponents</text>',
    ]
    for ratio in (0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0):
        x = at(ratio)
        dark = "#374151" if ratio == 1.0 else "#e5e7eb"
        out.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{height - 26}" stroke="{dark}"/>')
        mark = f"≥ {ratio:g}" if ratio == high else f"{ratio:g}"
        out.append(f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle">{mark}</text>')
    for k, name in enumerate(sets):
        y = top + row * (k + 0.5) + 2
        found = {method: value.mean() for method, value in errors(rows, name, seeds).items()}
        least = min(value for method, value in found.items() if method != "ours")
        # Where nobody errs all are alike.
        share = lambda value: 1.0 if value == least else value / max(least, 1e-3)
        base = BASE["classes" if name in CLASSES else "numbers"]
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{name}</text>')
        for method, value in found.items():
            if method not in ("ours", base):
                out.append(f'<circle cx="{at(share(value)):.1f}" cy="{y:.1f}" r="3" fill="#9ca3af"/>')
        if base in found:
            out.append(f'<circle cx="{at(share(found[base])):.1f}" cy="{y:.1f}" r="4" fill="none" stroke="#1d4ed8" stroke-width="1.6"/>')
        out.append(f'<circle cx="{at(share(found["ours"])):.1f}" cy="{y:.1f}" r="5" fill="#c2410c"/>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main() -> None:
    rows = known()
    seeds = seeds_of(rows)
    failed = sorted({(row["set"], row["method"], row["failed"][:80]) for row in rows.values() if "failed" in row})
    counted = sum(not key[3].startswith("few ") and "error" in row for key, row in rows.items())
    text = [
        f"{counted} results; seeds used: {', '.join(map(str, seeds))}. A set's methods stand here if all of its folds are measured.",
        "",
        "![Errors beside those of opponents](images/accuracy.svg)",
        "",
        "### Goals",
        *goals(rows, seeds),
        "",
        "### Numbers: root mean squared error, in deviations of the label",
        *table(rows, list(REGRESSION), list(FOR_NUMBERS), seeds, 1.0),
        "",
        "### Classes: errors in %",
        *table(rows, list(CLASSES), list(FOR_CLASSES), seeds, 100.0),
        "",
        "### Loss, coverage, times",
        "Losses are medians over the sets, others means.",
        "",
        *sure(rows, seeds),
        "",
        "### Few features",
        "The same read-out on d features: rate of errors in % of Gaussians with a shared covariance, or RMSE of ten nearest neighbours.",
        *few(rows),
    ]
    if failed:
        text += ["", "### Failed", *(f"- {name}, {method}: {why}" for name, method, why in failed)]
    head = PAGE.read_text().split(MARK)[0].rstrip("\n")
    remarks = PAGE.read_text().split("\n## Remarks\n")
    tail = "\n## Remarks\n" + remarks[1] if len(remarks) > 1 else ""
    PAGE.write_text(head + "\n" + MARK + "\n".join(text) + "\n" + tail)
    FIGURE.write_text(figure(rows, seeds))
    print(f"{PAGE}: {counted} results of {RESULTS}")


if __name__ == "__main__":
    main()
