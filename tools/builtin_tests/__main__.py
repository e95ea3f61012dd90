"""`python -m builtin_tests [MODULE …]`: run CPython's tests of built-in types in compiled code.

Each module is tested twice, each time in a process of its own: as it is, and with its expressions
[rewritten](rewriting.py) so that what compiles runs in compiled code. Calls of compiled programs
are compared with CPython one by one, and the tests check what they always check. Exits with status
1 when a process crashes, a call differs or a test fails without a [reason](reasons.py).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from builtin_tests.modules import DEFAULT
from builtin_tests.reasons import reason


def run(module: str, mode: str, limit: float) -> dict | str:
    """The report of a module's tests in a new process, or how it ended without one."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.json")
        command = [sys.executable, "-X", "faulthandler", "-m", "builtin_tests.child", module, mode]
        try:
            done = subprocess.run(
                [*command, "--report", str(report)],
                capture_output=True,
                text=True,
                timeout=limit,
                cwd=directory,
            )
        except subprocess.TimeoutExpired:
            return f"not done after {limit:.0f} s"
        if report.exists():
            return json.loads(report.read_text())
        return f"exit status {done.returncode}: {done.stderr[-3000:]}"


COLUMNS = ("tests", "with", "same", "programs", "compiled", "calls")


def row(name: str, values: Sequence[object]) -> str:
    """A line of the table."""
    return f"{name:20}" + "".join(f" {value:>9}" for value in values)


def differences(compiled: dict) -> Iterator[tuple[str, list[str]]]:
    """What compiled code and CPython disagree on: a name, and the lines that show it."""
    found: dict[tuple, list[dict]] = {}
    for one in compiled["differences"]:
        found.setdefault((one["module"], one["line"], one["text"]), []).append(one)
    for (module, line, text), calls in found.items():
        first = calls[0]
        lines = [f"{module}:{line}: {text} ({len(calls)})"]
        lines += [
            f"  of {first['given']}",
            f"  CPython {first['expected']}",
            f"  found   {first['found']}",
        ]
        yield f"{module}: {text}", lines


def report(module: str, plain: dict, compiled: dict) -> tuple[list[int], int]:
    """Print what tests do in compiled code; the table's numbers, and how much has no reason."""
    passed = {test for test, outcome in plain["outcomes"].items() if outcome == "passed"}
    same = {test for test in passed if compiled["outcomes"].get(test) == "passed"}
    tried = {test for test in passed if compiled["runs"].get(test)}
    numbers = [len(passed), len(tried), len(tried & same)]
    numbers += [compiled[key] for key in ("reached", "compiled", "calls")]
    print(row(module, numbers), flush=True)
    unexplained = 0
    for test in sorted(passed - same):
        why = reason(test)
        unexplained += why is None
        print(f"  {test}: {why or compiled['outcomes'].get(test, 'did not run')}")
    for name, lines in differences(compiled):
        why = reason(name)
        unexplained += why is None
        print("\n".join(f"  {line}" for line in (lines if why is None else [f"{lines[0]}: {why}"])))
    return numbers, unexplained


def main() -> int:
    """Run what the arguments name; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", default=list(DEFAULT))
    parser.add_argument("--limit", type=float, default=900, help="seconds for one process")
    parser.add_argument("--refused", action="store_true", help="list what was refused, and why")
    options = parser.parse_args()
    unexplained, total = 0, [0] * len(COLUMNS)
    print(row("module", COLUMNS))
    for module in options.modules:
        plain, compiled = (run(module, mode, options.limit) for mode in ("plain", "compiled"))
        if isinstance(plain, str) or isinstance(compiled, str):
            unexplained += 1
            print(f"{module}: {plain if isinstance(plain, str) else compiled}", flush=True)
            continue
        numbers, bad = report(module, plain, compiled)
        unexplained += bad
        total = [one + other for one, other in zip(total, numbers, strict=True)]
        if options.refused:
            for place, line, text, reasons in compiled["refused"]:
                print(f"  {place}:{line}: {text}: {next(iter(reasons))}")
    print(row("total", total))
    print(f"{unexplained} without a reason")
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
