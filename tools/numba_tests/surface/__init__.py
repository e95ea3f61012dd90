"""Numba's own test modules as programs written for Numba: they run as they are, on pyopt.

Where the rest of `numba_tests` compiles the functions of a test and compares them with CPython,
here the test itself decides: it counts when it passes.
"""

from __future__ import annotations

import argparse

from numba_tests.modules import SURFACE
from numba_tests.surface.running import OPEN, PASSED, run

# The least part of an area's tests that pass, of those without a reason.
GOAL = 0.9


def report(modules: list[str], options: argparse.Namespace) -> list[str]:
    """Run modules and print the tables; give the areas that miss the goal."""
    print(
        f"{'module':36}{'tests':>8}{'pass':>9}{'open':>7}{'share':>10}{'later':>8}{'otherwise':>11}{'internal':>10}"
    )
    ran = {}
    for name in modules:
        module = ran[name] = run(name, options.only, options.limit)
        print(module.row(), flush=True)
        for line in module.details(options.verbose):
            print(f"    {line}")
    print("\nareas")
    missed = []
    for area, members in SURFACE.items():
        kinds = [ran[name].kinds() for name in members if name in ran]
        passed, failed = (sum(one[kind] for one in kinds) for kind in (PASSED, OPEN))
        if kinds:
            share = f"{100 * passed / (passed + failed):.1f} %" if passed + failed else "none"
            print(f"{area:36}{passed:>6} of {passed + failed:<6}{share}")
            missed += [area] * (passed < GOAL * (passed + failed) or not passed)
    return missed
