"""Runs the tests of one module: `python -m numba_tests.surface.child MODULE --records FILE`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import signal
import sys
import traceback
import unittest
import warnings

from numba_tests.surface import stand_ins

_ERROR = re.compile(r"[\w.]+(Error|Exception|Warning|Interrupt|Exit)\b")


def tests_of(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    """The tests of a suite, in the order of their names."""
    found = []
    for test in suite:
        found += tests_of(test) if isinstance(test, unittest.TestSuite) else [test]
    return sorted(found, key=lambda test: test.id())


def run(test: unittest.TestCase) -> dict:
    """Run a test: how it ended, with the error's line and its text."""
    result = unittest.TestResult()
    test.run(result)
    if result.skipped:
        return {"outcome": "skipped", "reason": result.skipped[0][1]}
    wrong = [text for _, text in result.failures + result.errors]
    if not wrong:
        return {"outcome": "passed"}
    lines = [line for line in wrong[0].strip().splitlines() if line.strip()]
    # A compiler's error has the source below its line.
    heads = [line for line in lines if _ERROR.match(line)] or lines
    return {"outcome": "failed", "reason": heads[-1][:300], "text": wrong[0][-6000:]}


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
    with open(options.records, "a") as records:

        def write(**line) -> None:
            records.write(json.dumps(line) + "\n")
            records.flush()

        try:
            module = importlib.import_module(options.module)
        except Exception:
            write(refused=traceback.format_exc()[-6000:])
            return
        stand_ins.adapt(module)
        tests = tests_of(unittest.defaultTestLoader.loadTestsFromModule(module))
        for at, test in enumerate(tests):
            if at < options.first or options.only not in test.id():
                continue
            write(test=test.id().removeprefix(f"{options.module}."), at=at)
            signal.alarm(options.limit)
            ended = run(test)
            signal.alarm(0)
            write(ended=ended)
    sys.stdout.flush()
    # Threads and memory of what the tests leave behind don't matter any more.
    os._exit(0)


if __name__ == "__main__":
    main()
