"""Measurements as text tables and as JSON."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path

from bench.measurement import IMPLEMENTATIONS, Failure, Measurement

TITLES = {
    "import": "import, fresh process",
    "first-call": "first call, fresh process (execution included)",
    "cached-call": "first call of a function that is on disk, fresh process (execution included)",
    "second-function": "first call, second function of a process (execution included)",
    "ten-calls": "first ten calls together, large input, fresh process",
    "dispatch": "dispatch per call",
    "steady state": "steady state",
    "algorithms": "algorithms, steady state",
    "containers": "texts, containers and classes, steady state (C++)",
    "parallel": "on threads, steady state (C with OpenMP)",
    "parallel-first-call": "on threads, first call, second function of a process",
}


def duration(seconds: float) -> str:
    """Seconds with a unit and three significant digits."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        scaled = seconds * factor
        if scaled >= 1:
            return f"{scaled:.0f} {unit}" if scaled >= 100 else f"{scaled:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def ratio(slower: float, faster: float) -> str:
    """How many times faster; beyond four digits a loop was folded away and the figure is idle."""
    value = slower / faster
    if value >= 10_000:
        return ">9999x"
    return f"{value:.0f}x" if value >= 10 else f"{value:.2f}x"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns, the first to the left; the first row is the heading."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "-" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join(lines)


def medians_of(results: Iterable[Measurement]) -> dict[str, dict[str, float]]:
    """Medians by name and implementation."""
    medians: dict[str, dict[str, float]] = {}
    for result in results:
        medians.setdefault(result.name, {})[result.implementation] = result.median
    return medians


def section_rows(results: Iterable[Measurement]) -> list[list[str]]:
    """One section: medians by implementation, and how many times faster than each pyopt is."""
    medians = medians_of(results)
    columns = [c for c in IMPLEMENTATIONS if any(c in row for row in medians.values())]
    compared = [c for c in columns if c != "pyopt"] if "pyopt" in columns else []
    rows = [["", *columns, *(f"vs {column}" for column in compared)]]
    for name, row in medians.items():
        cells = [duration(row[column]) if column in row else "-" for column in columns]
        for column in compared:
            both = column in row and "pyopt" in row
            cells.append(ratio(row[column], row["pyopt"]) if both else "-")
        rows.append([name, *cells])
    means = [geometric_mean(medians, column) for column in compared]
    if len(medians) > 1:
        rows.append(["geometric mean", *("" for _column in columns), *means])
    return rows


def geometric_mean(medians: dict[str, dict[str, float]], implementation: str) -> str:
    """How many times faster pyopt is over all rows that both have."""
    ratios = [
        row[implementation] / row["pyopt"]
        for row in medians.values()
        if implementation in row and "pyopt" in row
    ]
    return f"{statistics.geometric_mean(ratios):.2f}x" if ratios else "-"


def print_section(section: str, results: Sequence[Measurement | Failure]) -> None:
    """A section's heading, table and failures."""
    print(f"\n{TITLES[section]}\n", flush=True)
    measurements = [result for result in results if isinstance(result, Measurement)]
    if measurements:
        print(table(section_rows(measurements)))
    for result in results:
        if isinstance(result, Failure):
            print(f"FAILED {result.name} under {result.implementation}: {result.reason}")


def write_markdown(file: Path, results: Iterable[Measurement | Failure]) -> None:
    """The tables of all sections."""
    results = list(results)
    facts = [f"{key} {value}" for key, value in environment().items() if value]
    lines = ["# Measurements", "", ", ".join(facts) + ".", ""]
    for section, title in TITLES.items():
        rows = section_rows(
            result
            for result in results
            if isinstance(result, Measurement) and result.section == section
        )
        if len(rows) == 1:
            continue
        rows.insert(1, ["---", *("---:" for _column in rows[0][1:])])
        lines += [f"## {title.capitalize()}", ""]
        lines += [f"| {' | '.join(row)} |" for row in rows] + [""]
    file.write_text("\n".join(lines))


def write_json(file: Path, results: Iterable[Measurement | Failure]) -> None:
    """Every sample in seconds, with the versions and the machine."""
    results = list(results)
    document = {
        "environment": environment(),
        "measurements": [
            {**vars(result), "median": result.median}
            for result in results
            if isinstance(result, Measurement)
        ],
        "failures": [vars(result) for result in results if isinstance(result, Failure)],
    }
    file.write_text(json.dumps(document, indent=1) + "\n")


def environment() -> dict[str, object]:
    """What the figures depend on."""
    return {
        "python": platform.python_version(),
        "numpy": metadata.version("numpy"),
        "numba": _version("numba"),
        "processor": _processor(),
        "processors": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
