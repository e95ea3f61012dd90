"""The demo: ordinary Python functions under CPython, NumPy and pyopt, each result checked.

`python -m bench.demo [NAME ...]`; exits with status 1 when a program fails or a result differs.
"""

from __future__ import annotations

import argparse
import statistics
import traceback
from collections.abc import Callable

from bench import kernels
from bench.kernel import Kernel, Outcome, difference, load, observe
from bench.report import duration, ratio
from bench.steady import sampler

COLUMNS = ("program", "CPython", "NumPy", "first call", "steady state", "speed-up", "result")
WIDTHS = (13, 9, 9, 10, 12, 9, 7)
SAMPLES = 5
# CPython is called once, unless that is too short to be a measurement.
SHORT_SECONDS = 0.05


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.demo", description=__doc__)
    parser.add_argument("name", nargs="*", default=[], help="run only these programs")
    parser.add_argument(
        "--compiler", choices=("pyopt", "Numba"), default="pyopt", help="what is demonstrated"
    )
    options = parser.parse_args()
    unknown = set(options.name) - set(kernels.NAMES)
    if unknown:
        parser.error(
            f"no program {', '.join(sorted(unknown))}; there are {', '.join(kernels.NAMES)}"
        )
    return options


def line(cells: tuple[str, ...]) -> str:
    """One row; printed as soon as it is known, so the widths are fixed."""
    first, *middle, last = (
        cell.ljust(width) if column in (0, len(WIDTHS) - 1) else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )
    return "  ".join((first, *middle, last)).rstrip()


def settled(function: Callable, kernel: Kernel, args: tuple) -> float:
    """The median time of a call, after one that warmed everything up."""
    sample = sampler(function, kernel, args)
    return statistics.median(sample() for _ in range(SAMPLES))


def run(name: str, compiler: str) -> bool:
    """Run one program and print its row; whether its results are right."""
    plain = load(name, "CPython")
    args = plain.make_args(plain.large)
    expected = observe(plain.function, args)
    plain_seconds = expected.seconds
    if plain_seconds < SHORT_SECONDS:
        plain_seconds = settled(plain.function, plain, args)
    numpy_seconds, numpy_difference = run_numpy(plain, args, expected)
    cells = (name, duration(plain_seconds), numpy_seconds)
    try:
        compiled = load(name, compiler).function
        first = observe(compiled, args)
        differs = difference(first, expected, plain.tolerance)
        differs = differs or numpy_difference or exception_difference(plain, compiled)
        steady_seconds = settled(compiled, plain, args)
    except Exception:  # A compiler may fail in any way; the demo shows it and goes on.
        print(line((*cells, "-", "-", "-", "FAILED")), flush=True)
        print(traceback.format_exc(), flush=True)
        return False
    speed_up = ratio(plain_seconds, steady_seconds)
    verdict = "DIFFERS" if differs else "ok"
    row = (*cells, duration(first.seconds), duration(steady_seconds), speed_up, verdict)
    print(line(row), flush=True)
    if differs:
        print(f"  {differs}", flush=True)
    return not differs


def run_numpy(plain: Kernel, args: tuple, expected: Outcome) -> tuple[str, str | None]:
    """The NumPy column, and how NumPy's result differs from CPython's, if it does."""
    if plain.reference is None:
        return "-", None
    differs = difference(observe(plain.reference, args), expected, plain.tolerance)
    seconds = settled(plain.reference, plain, args)
    return duration(seconds), f"NumPy {differs}" if differs else None


def exception_difference(plain: Kernel, compiled: Callable) -> str | None:
    """How the exception a program is made to raise differs from CPython's, if it does."""
    if plain.raising_args is None:
        return None
    expected = observe(plain.function, plain.raising_args)
    return difference(observe(compiled, plain.raising_args), expected, plain.tolerance)


def main() -> int:
    """Run the programs; the exit status."""
    options = arguments()
    print(f"first call and steady state: {options.compiler}; speed-up: over CPython\n")
    print(line(COLUMNS))
    print("-" * (sum(WIDTHS) + 2 * (len(WIDTHS) - 1)), flush=True)
    names = options.name or kernels.NAMES
    right = [
        run(name, options.compiler)
        for name in names
        if options.compiler not in load(name, "CPython").unsupported
    ]
    print(f"\n{sum(right)} of {len(right)} programs compute what CPython and NumPy compute")
    return 0 if all(right) else 1


if __name__ == "__main__":
    raise SystemExit(main())
