"""Small SVG figures: growth curves on logarithmic axes, and bars of how many times faster."""

from __future__ import annotations

import math
import statistics
from html import escape
from pathlib import Path

INK, GREY, BLUE, FAINT = "#222", "#767676", "#1f5fa8", "#dcdcdc"
FONT = 'font-family="system-ui, sans-serif"'


def slope(sizes: list[float], times: list[float]) -> float:
    """Of the line through the logarithms that fits best."""
    return statistics.linear_regression([math.log(x) for x in sizes], [math.log(t) for t in times]).slope


def page(width: float, height: float, title: str, body: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" {FONT}>'
    return "\n".join([head, f"<title>{escape(title)}</title>", '<rect width="100%" height="100%" fill="white"/>', *body, "</svg>\n"])


def text(x: float, y: float, words: str, size: int = 12, anchor: str = "start", colour: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def short(number: float) -> str:
    if number >= 1e6:
        return f"{number / 1e6:g}M"
    if number >= 10_000:
        return f"{number / 1e3:.3g}k"
    return f"{number:g}"


def curve(left: float, top: float, title: str, sizes: list[float], times: list[list[float]], fitted: tuple[float, int]) -> list[str]:
    """One panel; `fitted` is the exponent and how many of the largest sizes it is fitted to."""
    width, height = 190.0, 150.0
    middle = [statistics.median(t) for t in times]
    low, high = min(min(t) for t in times), max(max(t) for t in times)
    bottom_power, top_power = math.floor(math.log10(low)), math.ceil(math.log10(high))
    span = math.log(sizes[-1] / sizes[0])

    def x(size: float) -> float:
        return left + width * math.log(size / sizes[0]) / span

    def y(seconds: float) -> float:
        share = (math.log10(seconds) - bottom_power) / max(top_power - bottom_power, 1)
        return top + height * (1 - share)

    body = [text(left, top - 22, title, 13)]
    for power in range(bottom_power, top_power + 1):
        at = y(10.0**power)
        body.append(f'<line x1="{left:.1f}" x2="{left + width:.1f}" y1="{at:.1f}" y2="{at:.1f}" stroke="{FAINT}"/>')
        body.append(text(left - 6, at + 4, f"{10.0**power:g} s", 11, "end", GREY))
    taken = -100.0
    for size in sizes:
        # Words that would touch the last ones are left out.
        if x(size) - taken >= 34:
            body.append(text(x(size), top + height + 16, short(size), 11, "middle", GREY))
            taken = x(size)
    exponent, count = fitted
    first = sizes[-count]
    middle_log = statistics.mean(math.log(t) for t in middle[-count:])
    size_log = statistics.mean(math.log(s) for s in sizes[-count:])
    line = [math.exp(middle_log + exponent * (math.log(s) - size_log)) for s in (first, sizes[-1])]
    body.append(f'<line x1="{x(first):.1f}" y1="{y(line[0]):.1f}" x2="{x(sizes[-1]):.1f}" y2="{y(line[1]):.1f}" stroke="{BLUE}" stroke-width="1.5" opacity="0.6"/>')
    for size, all_times, time in zip(sizes, times, middle):
        body.append(f'<line x1="{x(size):.1f}" x2="{x(size):.1f}" y1="{y(min(all_times)):.1f}" y2="{y(max(all_times)):.1f}" stroke="{INK}"/>')
        body.append(f'<circle cx="{x(size):.1f}" cy="{y(time):.1f}" r="3.5" fill="{INK}"/>')
    body.append(text(left, top - 6, f"exponent {exponent:.2f}", 12, "start", BLUE))
    return body


def growth(path: Path, panels: list[tuple[str, list[float], list[list[float]], tuple[float, int]]]) -> None:
    body: list[str] = []
    for k, (title, sizes, times, fitted) in enumerate(panels):
        body += curve(60 + k % 2 * 290, 55 + k // 2 * 245, title, sizes, times, fitted)
    rows = math.ceil(len(panels) / 2)
    path.write_text(page(570, 30 + 245 * rows, "Seconds over the size of the data, both axes logarithmic", body))


def faster(path: Path, bars: list[tuple[str, float]]) -> None:
    """Bars of ratios, the longest first, on a logarithmic axis."""
    bars = sorted(bars, key=lambda bar: -bar[1])
    left, row, length = 330.0, 26.0, 380.0
    top = 10 ** math.ceil(math.log10(bars[0][1]))
    height = 40 + row * len(bars) + 20

    def x(ratio: float) -> float:
        return left + length * math.log10(max(ratio, 1.0)) / math.log10(top)

    body = [text(left, 22, "times faster", 13)]
    for power in range(int(math.log10(top)) + 1):
        at = x(10.0**power)
        body.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="34" y2="{height - 22:.1f}" stroke="{FAINT}"/>')
        body.append(text(at, height - 6, f"{10**power:,}", 11, "middle", GREY))
    for k, (name, ratio) in enumerate(bars):
        y = 40 + k * row
        body.append(text(left - 8, y + 13, name, 12, "end"))
        body.append(f'<rect x="{left:.1f}" y="{y:.1f}" width="{max(x(ratio) - left, 1):.1f}" height="{row - 8:.1f}" fill="{BLUE}"/>')
        body.append(text(x(ratio) + 6, y + 13, f"{ratio:.1f}" if ratio < 20 else f"{ratio:.0f}", 12))
    path.write_text(page(left + length + 60, height, "How many times faster than other programs", body))
