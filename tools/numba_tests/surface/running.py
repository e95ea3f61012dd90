"""Runs a module's tests in processes with pyopt in Numba's place, and sorts how they ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from numba_tests.surface.reasons import reason_of

_HOOK = Path(__file__).with_name("hook")
_TOOLS = Path(__file__).resolve().parents[2]

# How a test counts: the first two make the share, the others have a reason in the table.
PASSED, OPEN, LATER, OTHERWISE, INTERNAL = "passed", "open", "later", "otherwise", "internal"


@dataclass
class Module:
    """How the tests of a module ended."""

    name: str
    tests: dict[str, dict] = field(default_factory=dict)
    refused: str = ""

    def kinds(self) -> Counter:
        """Count the tests by what becomes of them; those that Numba skips are none."""
        return Counter(self.kind(name) for name in self.tests if self.kind(name))

    def kind(self, name: str) -> str | None:
        """Say how a test counts."""
        outcome = self.tests[name]["outcome"]
        if outcome == "skipped":
            return None
        if outcome == "passed":
            return PASSED
        kind, _ = reason_of(self.name, name)
        return kind

    def row(self) -> str:
        """The module's line of the table."""
        kinds = self.kinds()
        counted = kinds[PASSED] + kinds[OPEN]
        share = f"{100 * kinds[PASSED] / counted:.1f} %" if counted else "none"
        line = f"{self.name:36}{len(self.tests):>8}{kinds[PASSED]:>9}{kinds[OPEN]:>7}{share:>10}"
        return f"{line}{kinds[LATER]:>8}{kinds[OTHERWISE]:>11}{kinds[INTERNAL]:>10}"

    def details(self, verbose: bool) -> list[str]:
        """A line for each test that fails or whose reason is outdated.

        Without `verbose` those that fail for a reason are left out.
        """
        lines = [f"not run: {self.refused.strip().splitlines()[-1]}"] if self.refused else []
        for name, test in self.tests.items():
            kind, why = reason_of(self.name, name)
            if test["outcome"] == "failed" and (verbose or kind == OPEN):
                lines.append(f"{kind:9}{name}: {why or test['reason']}")
            elif test["outcome"] == "passed" and why and "*" not in why:
                lines.append(f"passes   {name}, which has a reason: {why}")
        return lines


def run(name: str, only: str, limit: int) -> Module:
    """Run a module's tests, in a new process behind each that ends one."""
    made = Module(name)
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(folder)
        first: int | None = 0
        while first is not None:
            records = Path(folder, f"records-{first}.jsonl")
            command = [sys.executable, "-m", "numba_tests.surface.child", f"numba.tests.{name}"]
            command += ["--records", str(records), "--first", str(first), "--only", only]
            command += ["--limit", str(limit)]
            done = subprocess.run(
                command, capture_output=True, text=True, cwd=folder, env=environment
            )
            lines = records.read_text().splitlines() if records.exists() else []
            first = _read(made, map(json.loads, lines), done)
    return made


def _environment(folder: str) -> dict:
    path = [str(_HOOK), str(_TOOLS), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "NUMBA_NUM_THREADS": "2",
        "NUMBA_CACHE_DIR": str(Path(folder, "cache")),
        # Programs run whose declarations can't all be compiled; tests expect their errors.
        "PYOPT_POSTPONE_ERRORS": "0",
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
    }


def _read(made: Module, lines, done) -> int | None:
    """Take the records of a process; the number of the test to go on with, if it crashed."""
    test = at = None
    for line in lines:
        if "refused" in line:
            made.refused = line["refused"]
        elif "test" in line:
            test, at = line["test"], line["at"]
        else:
            made.tests[test] = line["ended"]
            test = None
    if done.returncode == 0 or made.refused:
        return None
    errors = done.stderr.strip().splitlines() or ["no output"]
    if at is None:
        made.refused = errors[-1]
        return None
    if test is not None:
        how = f"exit status {done.returncode}: {errors[-1][:150]}"
        made.tests[test] = {"outcome": "failed", "reason": how, "text": done.stderr[-6000:]}
    return at + 1
