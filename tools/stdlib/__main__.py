"""`python -m stdlib [MODULE …]`: run CPython's tests with object-mode functions, and compare.

Each module is tested twice, each time in a process of its own: as it is, and with every function
compiled by `jit(forceobj=True)`. A test counts when it passes under CPython. Exits with status 1
when a process crashes or fewer than 99 % of functions compile or of tests pass.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from stdlib.modules import DEFAULT
from stdlib.reasons import REASONS

# The least part of functions that compile and of tests that pass.
GOAL = 0.99


@dataclass
class Run:
    """The report of one process."""

    outcomes: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    compiled: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    crash: str = ""

    def passed(self) -> set[str]:
        """The tests that passed."""
        return {test for test, outcome in self.outcomes.items() if outcome == "passed"}


def run(module: str, mode: str, nested: bool, limit: float) -> Run:
    """Run the tests of a module in a new process."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.json")
        # Modules that the interpreter has in itself have no source to compile anew.
        command = [sys.executable, "-X", "frozen_modules=off", "-m", "stdlib.child", module, mode]
        command += ["--report", str(report)]
        command += ["--nested"] * nested
        try:
            # Tests write to the directory they are in.
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=limit, cwd=directory
            )
        except subprocess.TimeoutExpired:
            return Run(crash=f"not done after {limit:.0f} s")
        if report.exists():
            return Run(**json.loads(report.read_text()))
        lines = done.stderr.strip().splitlines()
        return Run(crash=f"exit status {done.returncode}: {lines[-1] if lines else 'no output'}")


def main() -> int:
    """Check the modules and print the table."""
    parser = argparse.ArgumentParser(prog="cargo xtask stdlib --", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", default=DEFAULT)
    parser.add_argument(
        "--nested", action="store_true", help="compile functions inside of functions too"
    )
    parser.add_argument(
        "--limit", type=float, default=300, help="seconds a process may take (default 300)"
    )
    parser.add_argument("--verbose", action="store_true", help="name each refused function")
    options = parser.parse_args()
    try:
        import test.support
    except ImportError:
        print(
            "CPython's own tests (the package 'test') are not installed with this Python",
            file=sys.stderr,
        )
        return 1

    compiled = refused = expected = passed = 0
    crashes = []
    unexplained = []
    print(
        f"{'module':16}{'compiled':>10}{'refused':>9}{'tests':>8}{'passed':>8}{'CPython':>10}{'pyopt':>9}"
    )
    for module in options.modules:
        before = run(module, "cpython", options.nested, options.limit)
        after = run(module, "pyopt", options.nested, options.limit)
        counted = before.passed()
        failed = sorted(counted - after.passed())
        print(
            f"{module:16}{after.compiled:>10}{len(after.refused):>9}{len(counted):>8}"
            f"{len(counted) - len(failed):>8}{before.seconds:>8.2f} s{after.seconds:>7.2f} s",
            flush=True,
        )
        for crash in [f"under CPython: {before.crash}"] * bool(before.crash) + [after.crash] * bool(
            after.crash
        ):
            crashes.append(module)
            print(f"    {crash}")
        if options.verbose:
            for place, reason in after.refused.items():
                print(f"    refused {place}: {reason}")
        if not after.crash:
            for test in failed:
                reason = REASONS.get(test)
                unexplained += [test] * (reason is None)
                print(f"    {test}: {reason or after.outcomes.get(test, 'not run')}")
        compiled += after.compiled
        refused += len(after.refused)
        expected += len(counted)
        passed += len(counted) - len(failed)

    functions = compiled + refused
    print(f"\nfunctions compiled: {compiled} of {functions} ({_percent(compiled, functions)})")
    print(f"tests passed: {passed} of {expected} ({_percent(passed, expected)})")
    print(f"failures without a known reason: {len(unexplained)}")
    print(f"processes that did not end well: {len(crashes)}")
    reached = compiled >= GOAL * functions and passed >= GOAL * expected
    return 0 if reached and not crashes else 1


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


if __name__ == "__main__":
    raise SystemExit(main())
