"""Runs the tests of one of Numba's modules: `python -m numba_tests.child MODULE --records FILE`."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import unittest
import warnings

from numba_tests import decorators, internals, records


def tests_of(module: str) -> list[unittest.TestCase]:
    """The tests of a module, in the order of their names."""
    loaded = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module))
    return sorted(_flatten(loaded), key=lambda test: test.id())


def _flatten(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _flatten(test)
        else:
            yield test


def run(test: unittest.TestCase) -> str:
    """Run a test; how it ended is about Numba's own interface and only listed.

    An error of this runner's own is an error, not an end of the test.
    """
    result = unittest.TestResult()
    # Tests that start a process of their own run here when this names them.
    os.environ["SUBPROC_TEST"] = test._testMethodName
    test.run(result)
    for _, text in result.failures + result.errors:
        lines = text.strip().splitlines()
        places = [line for line in lines if line.startswith("  File ")]
        if os.path.dirname(__file__) in places[-1] and "comparison.py" not in places[-1]:
            raise RuntimeError(f"the runner failed in {test.id()}: {lines[-1]} {places[-1]}")
        return lines[-1][:200]
    return "skipped" if result.skipped else "done"


def main() -> None:
    """Run the tests from the one asked for on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("--records", required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="", help="tests whose names contain this")
    parser.add_argument("--limit", type=int, default=120, help="seconds a test may take")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    records.open_records(options.records)
    internals.watch_extensions()
    decorators.install()
    tests = tests_of(options.module)
    for at, test in enumerate(tests):
        if at < options.first or options.only not in test.id():
            continue
        records.write(test=test.id(), at=at)
        signal.alarm(options.limit)
        ended = run(test)
        signal.alarm(0)
        records.write(ended=ended)
    sys.stdout.flush()
    # Threads and memory of what Numba's tests leave behind don't matter any more.
    os._exit(0)


if __name__ == "__main__":
    main()
