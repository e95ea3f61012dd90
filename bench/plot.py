"""The steady state as a picture: how many times faster than Numba and C pyopt is, in SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from bench.measurement import Failure, Measurement
from bench.report import medians_of

ROW, LEFT, WIDTH, TOP = 22, 130, 560, 48
# What the axis spans, in powers of two.
LOWEST, HIGHEST = -2, 4
COLOURS = {"Numba": "#2b6cb0", "C": "#c05621"}


def speeds(results: Sequence[Measurement | Failure]) -> str:
    """A bar a kernel and rival from 1 to the ratio of the medians, on a logarithmic axis."""
    medians = medians_of(
        result
        for result in results
        if isinstance(result, Measurement) and result.section == "steady state"
    )
    rows = {name: row for name, row in medians.items() if "pyopt" in row and row.keys() & COLOURS}
    height = TOP + ROW * len(rows) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="16">pyopt is so many times faster than '
        + " and ".join(
            f'<tspan fill="{colour}">{rival}</tspan>' for rival, colour in COLOURS.items()
        )
        + "</text>",
    ]
    for power in range(LOWEST, HIGHEST + 1):
        x, colour = _position(2.0**power), "black" if power == 0 else "#ddd"
        parts.append(f'<path d="M{x} {TOP - 8}V{height - 6}" stroke="{colour}"/>')
        parts.append(f'<text x="{x}" y="{TOP - 14}" text-anchor="middle">{2.0**power:g}</text>')
    for index, (name, row) in enumerate(rows.items()):
        y = TOP + ROW * index
        parts.append(f'<text x="{LEFT - 6}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        for lane, (rival, colour) in enumerate(COLOURS.items()):
            if rival in row:
                parts.append(_bar(row[rival] / row["pyopt"], y + 2 + 9 * lane, colour))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _position(ratio: float) -> float:
    power = min(max(math.log2(ratio), LOWEST), HIGHEST)
    return round(LEFT + WIDTH * (power - LOWEST) / (HIGHEST - LOWEST), 1)


def _bar(ratio: float, y: int, colour: str) -> str:
    start, end = sorted((_position(1.0), _position(ratio)))
    size = f'width="{max(end - start, 1):.1f}" height="8"'
    return f'<rect x="{start}" y="{y}" {size} fill="{colour}"><title>{ratio:.2f}</title></rect>'
