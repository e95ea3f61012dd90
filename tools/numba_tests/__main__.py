"""`python -m numba_tests [MODULE …]`: compile the use-cases of Numba's tests, compare with CPython.

A use-case is a function that a test compiles, with the types of the arguments it is called with.
It counts when all its calls do what CPython's do (or, where CPython's differ deliberately, what
Numba's do). Object mode is counted apart. Tests run as they are; how they end isn't counted: they
also look at Numba's own interface. `internals.py` has the rules for what is no use-case.

The areas of `surface` are about that interface: there pyopt stands in Numba's place, and a test
counts when it passes. Those that can't, as they are about Numba's inside or need what pyopt doesn't
have yet, are in `surface/reasons.toml`. Exits with status 1 when an area has a share under 90 %.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from numba_tests import surface
from numba_tests.modules import AREAS, OTHERS, SURFACE
from numba_tests.report import Module, grouped, percent

# The least part of an area's use-cases that compile and agree.
GOAL = 0.9

# Two threads, and every parallel loop on them, however small it is. The last says to Numba's tests
# that the process is one of their own: some of them run nowhere else.
ENVIRONMENT = {
    "NUMBA_NUM_THREADS": "2",
    "PYOPT_NUM_THREADS": "2",
    "PYOPT_WORK_PER_THREAD": "1",
    "SUBPROC_TEST": "1",
}


def run(module: str, options: argparse.Namespace) -> Module:
    """Run the tests of a module, in a new process behind each that ends one."""
    made = Module(module)
    environment = os.environ | ENVIRONMENT
    with tempfile.TemporaryDirectory() as directory:
        first = 0
        while first is not None:
            path = Path(directory, f"records-{first}.jsonl")
            command = [sys.executable, "-m", "numba_tests.child", f"numba.tests.{module}"]
            command += ["--records", str(path), "--first", str(first), "--only", options.only]
            command += ["--limit", str(options.limit), *(f"--off={one}" for one in options.off)]
            done = subprocess.run(
                command, capture_output=True, text=True, cwd=directory, env=environment
            )
            lines = path.read_text().splitlines() if path.exists() else []
            first = made.read(map(json.loads, lines), done)
    return made


def main() -> int:
    """Run the modules and print the tables."""
    parser = argparse.ArgumentParser(prog="cargo xtask numba-tests --", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--only", default="", help="tests whose names contain this")
    parser.add_argument("--limit", type=int, default=120, help="seconds a test may take")
    help = "a switch of parallel={…} to turn off wherever a test has parallel=True"
    parser.add_argument("--off", action="append", default=[], metavar="SWITCH", help=help)
    parser.add_argument("--reasons", type=int, default=15, help="lines of the list of reasons")
    parser.add_argument("--verbose", action="store_true", help="name each use-case that fails")
    parser.add_argument("--json", type=Path, help="also write each use-case to this file")
    options = parser.parse_args()
    modules = options.modules or [one for group in AREAS.values() for one in group] + list(OTHERS)
    on_surface = [one for group in SURFACE.values() for one in group]
    wanted = [one for one in on_surface if not options.modules or one in options.modules]
    missed = surface.report(wanted, options) if wanted else []
    modules = [one for one in modules if one not in on_surface]
    if not modules:
        return 1 if missed else 0

    print(
        f"{'module':36}{'use-cases':>10}{'agree':>8}{'share':>9}{'refused':>9}{'differ':>8}"
        f"{'object':>12}{'no use-case':>13}{'tests stopped':>15}"
    )
    ran = []
    for name in modules:
        module = run(name, options)
        ran.append(module)
        print(module.row(), flush=True)
        for crash in module.crashes:
            print(f"    {crash}")
        for line in module.failures() if options.verbose else ():
            print(f"    {line}")

    print("\nareas")
    for area, members in AREAS.items():
        parts = [module for module in ran if module.name in members]
        if parts:
            agree = sum(part.agreeing() for part in parts)
            total = sum(part.counted() for part in parts)
            print(f"{area:36}{agree:>6} of {total:<6}{percent(agree, total)}")
            missed += [area] * (agree < GOAL * total)
    print("\nreasons of what doesn't count as compiled, by number of use-cases")
    for count, reason, example in grouped(ran)[: options.reasons]:
        print(f"{count:>6}  {reason}    ({example})")
    print("\nno use-cases, by rule")
    for count, rule, _ in grouped(ran, "internal"):
        print(f"{count:>6}  {rule}")
    if options.json:
        options.json.write_text(json.dumps([module.listed() for module in ran], indent=1))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
