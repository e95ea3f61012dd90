"""The benchmark harness: `python -m bench [--section NAME] [--kernel NAME] [--json FILE]`.

Measures import time, first calls, dispatch and steady state of the same source under CPython,
NumPy, pyopt and Numba, and of the same program in C, those that are installed, in interleaved
runs. Exits with status 1 when a kernel fails or a result differs.
"""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

from bench import kernels, native, plot
from bench.dispatch import measure_dispatch
from bench.measurement import IMPLEMENTATIONS, Failure, Measurement
from bench.parallel import measure_parallel
from bench.report import TITLES, environment, print_section, write_json, write_markdown
from bench.startup import measure_cached_call, measure_first_call, measure_import
from bench.steady import measure_steady


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    sections = [section.replace(" ", "-") for section in TITLES]
    parser.add_argument("--section", action="append", choices=sections, help="this part only")
    parser.add_argument(
        "--kernel",
        action="append",
        choices=kernels.NAMES + kernels.PARALLEL,
        metavar="NAME",
        help="this kernel only",
    )
    parser.add_argument("--rounds", type=int, default=7, help="samples per figure (default 7)")
    parser.add_argument("--processes", type=int, default=5, help="fresh processes (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every sample")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="also draw the steady state, SVG")
    return parser.parse_args()


def installed() -> list[str]:
    """The implementations that can take part."""
    modules = {"pyopt": "pyopt", "Numba": "numba"}
    missing = {name for name, module in modules.items() if importlib.util.find_spec(module) is None}
    if native.compiler() is None:
        missing.add("C")
    return [name for name in IMPLEMENTATIONS if name not in missing]


def measure(
    section: str, implementations: list[str], options: argparse.Namespace
) -> list[Measurement | Failure]:
    """Everything of one section."""
    of_section = kernels.of_section(section)
    names = [name for name in options.kernel or of_section if name in of_section]
    match section:
        case "import":
            return measure_import(implementations, options.processes)
        case "cached-call":
            per_kernel = [
                measure_cached_call(name, implementations, options.processes)
                for name in options.kernel or kernels.NAMES + kernels.PARALLEL
            ]
        case "first-call" | "second-function" | "ten-calls" | "parallel-first-call":
            per_kernel = [
                measure_first_call(section, name, implementations, options.processes)
                for name in names
            ]
        case "parallel":
            per_kernel = [measure_parallel(name, implementations, options.rounds) for name in names]
        case "dispatch":
            return measure_dispatch(implementations, options.rounds)
        case _:
            per_kernel = [
                measure_steady(section, name, implementations, options.rounds) for name in names
            ]
    return [result for results in per_kernel for result in results]


def main() -> int:
    """Measure, print, and write; the exit status."""
    options = arguments()
    implementations = installed()
    facts = ", ".join(f"{key} {value}" for key, value in environment().items() if value)
    print(facts, flush=True)
    results: list[Measurement | Failure] = []
    for section in TITLES:
        if options.section and section.replace(" ", "-") not in options.section:
            continue
        measured = measure(section, implementations, options)
        print_section(section, measured)
        results += measured
    if options.json:
        write_json(options.json, results)
    if options.markdown:
        write_markdown(options.markdown, results)
    if options.plot:
        options.plot.write_text(plot.speeds(results))
    return 1 if any(isinstance(result, Failure) for result in results) else 0


if __name__ == "__main__":
    raise SystemExit(main())
