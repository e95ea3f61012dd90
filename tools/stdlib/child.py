"""Runs CPython's tests for one module in this process: `python -m stdlib.child MODULE MODE`.

Writes a JSON object to the file that `--report` names: the outcome of each test, the functions
compiled and those refused.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import sys
import time
import unittest
from itertools import pairwise
from types import FunctionType

from stdlib.modules import subject
from stdlib.replacement import Replacement


class Outcomes(unittest.TestResult):
    """Keeps a line for each test."""

    def __init__(self):
        """Begin with no tests."""
        super().__init__()
        self.outcomes: dict[str, str] = {}

    def addSuccess(self, test):
        """Remember a passed test."""
        self.outcomes.setdefault(test.id(), "passed")

    def addSkip(self, test, reason):
        """Remember a skipped test."""
        self.outcomes[test.id()] = f"skipped: {reason}"

    def addFailure(self, test, error):
        """Remember a failed test."""
        self._failed(test, error)

    def addError(self, test, error):
        """Remember a test that raised."""
        self._failed(test, error)

    def addExpectedFailure(self, test, error):
        """Remember a test that fails as it should."""
        self.outcomes[test.id()] = "passed"

    def addUnexpectedSuccess(self, test):
        """Remember a test that should fail."""
        self.outcomes[test.id()] = "failed: unexpected success"

    def addSubTest(self, test, subtest, error):
        """Remember the first failure of a part of a test."""
        if error is not None:
            self._failed(test, error)

    def _failed(self, test, error):
        kind, value, _ = error
        text = str(value).strip().splitlines() or [""]
        # What fails outside of tests (in setUpClass, while loading) has an id of its own.
        self.outcomes[test.id()] = f"failed: {kind.__name__}: {text[0]} … {text[-1]}"[:500]
        if os.environ.get("STDLIB_TRACEBACKS"):
            print(self._exc_info_to_string(error, test), file=sys.stderr)


def object_mode(function: FunctionType) -> object:
    """The object-mode version of a function, compiled now."""
    from pyopt import jit

    compiled = jit(forceobj=True)(function)
    compiled.compile()
    return compiled


def left_behind(tests: tuple[str, ...], runs: int) -> tuple[int, int]:
    """How many memory blocks and objects a run of the tests leaves behind, at the least."""
    states = []
    for _ in range(runs):
        unittest.defaultTestLoader.loadTestsFromNames(tests).run(unittest.TestResult())
        for _ in range(3):
            gc.collect()
        states.append((sys.getallocatedblocks(), len(gc.get_objects())))
    blocks, objects = zip(*states, strict=True)
    steps = [[after - before for before, after in pairwise(one)] for one in (blocks, objects)]
    return min(steps[0]), min(steps[1])


def main() -> None:
    """Run the tests and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("mode", choices=("cpython", "pyopt"))
    parser.add_argument("--report", required=True)
    parser.add_argument("--nested", action="store_true")
    parser.add_argument("--leaks", type=int, default=0, help="run them so many times more")
    parser.add_argument("--only", action="append", help="this test (an id's suffix)")
    options = parser.parse_args()
    chosen = subject(options.module)

    replacement = Replacement([chosen.module], object_mode, options.nested)
    if options.mode == "pyopt":
        # What compilation imports, the first time, isn't part of what is tested: it must not find
        # modules whose functions are being replaced.
        object_mode(main)

        replacement.install()
        for name in [name for name in sys.modules if replacement.covers(name)]:
            _reload(name)
    outcomes = Outcomes()
    start = time.perf_counter()
    suite = unittest.defaultTestLoader.loadTestsFromNames(chosen.tests)
    if options.only:
        suite = unittest.TestSuite(
            test for test in _flatten(suite) if any(test.id().endswith(one) for one in options.only)
        )
    suite.run(outcomes)
    seconds = time.perf_counter() - start
    with open(options.report, "w") as file:
        json.dump(
            {
                "outcomes": outcomes.outcomes,
                "seconds": seconds,
                "left": left_behind(chosen.tests, options.leaks) if options.leaks else (0, 0),
                "compiled": len(replacement.compiled),
                "refused": {
                    f"{code.co_filename}:{code.co_firstlineno} {code.co_qualname}": reason
                    for code, reason in replacement.refused.items()
                },
            },
            file,
        )


def _reload(name: str) -> None:
    # What was imported before the hook runs again, in the same module object where others hold it.
    module = sys.modules[name]
    if getattr(module, "__spec__", None) is not None and module.__spec__.has_location:
        importlib.reload(module)


def _flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _flatten(test)
        else:
            yield test


if __name__ == "__main__":
    main()
