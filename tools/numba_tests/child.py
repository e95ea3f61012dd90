"""Runs the tests of one of Numba's modules: `python -m numba_tests.child MODULE --records FILE`."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import unittest
import warnings

from numba.tests import support

from numba_tests import decorators, internals, records, universal


def tests_of(module: str) -> list[unittest.TestCase]:
    """The tests of a module, in the order of their names."""
    support.TestCase.subprocess_test_runner = _starts_process
    imported = importlib.import_module(module)
    universal.install_in(imported)
    loaded = unittest.defaultTestLoader.loadTestsFromModule(imported)
    return sorted(_flatten(loaded), key=lambda test: test.id())


def _starts_process(test: unittest.TestCase, *_, **__) -> None:
    """Leave out what only runs other tests: they are run here."""
    test.skipTest("runs tests in a process of their own")


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
    environment = dict(os.environ)
    # Tests that start a process of their own run here when this names them.
    os.environ["SUBPROC_TEST"] = test._testMethodName
    test.run(result)
    # Tests meant for a process of their own leave theirs behind.
    os.environ.clear()
    os.environ.update(environment)
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
    parser.add_argument("--off", action="append", default=[], help="switches of parallel={…}")
    options = parser.parse_args()
    decorators.Compiled.switched_off = tuple(options.off)
    warnings.simplefilter("ignore")
    records.open_records(options.records)
    internals.watch_extensions()
    decorators.install()
    universal.install()
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
