"""Runs one test module of CPython in this process: `python -m builtin_tests.child MODULE MODE`.

Writes a JSON object to the file that `--report` names.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import unittest

from stdlib.child import Outcomes

from builtin_tests.modules import SHARED
from builtin_tests.programs import Trials
from builtin_tests.rewriting import Finder


class Counted(Outcomes):
    """Outcomes, and how many compiled programs each test ran."""

    def __init__(self, trials: Trials):
        """Begin with no tests."""
        super().__init__()
        self.runs: dict[str, int] = {}
        self._trials = trials

    def startTest(self, test):
        """Begin to count."""
        self._trials.in_test = 0
        super().startTest(test)

    def stopTest(self, test):
        """Keep the count."""
        self.runs[test.id()] = self._trials.in_test
        super().stopTest(test)


def main() -> None:
    """Run the module as its arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("mode", choices=("plain", "compiled"))
    parser.add_argument("--report", required=True)
    options = parser.parse_args()
    name = f"test.{options.module}"
    trials = Trials()
    if options.mode == "compiled":
        Finder({name, *SHARED}, trials.programs, trials).install()
    # Test modules look at their arguments.
    sys.argv = [options.module]
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromName(name)
    if loader.errors:
        # The loader makes a test that fails of it.
        sys.exit(loader.errors[0])
    outcomes = Counted(trials)
    suite.run(outcomes)
    report = {
        "outcomes": outcomes.outcomes,
        "runs": outcomes.runs,
        "programs": len(trials.programs),
        "reached": sum(bool(one.compiled or one.refused) for one in trials.programs),
        "compiled": sum(bool(one.compiled) for one in trials.programs),
        "calls": sum(one.compiled for one in trials.programs),
        "compared": sum(one.compared for one in trials.programs),
        "refused": [
            (one.module, one.line, one.text, one.refused) for one in trials.programs if one.refused
        ],
        "differences": [dataclasses.asdict(one) for one in trials.differences],
    }
    with open(options.report, "w") as file:
        json.dump(report, file)


if __name__ == "__main__":
    main()
