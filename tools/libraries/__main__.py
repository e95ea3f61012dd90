"""`python -m libraries [LIBRARY …]`: run libraries' own tests under Numba and under pyopt.

The libraries are installed with Numba in an environment of their own (`target/libraries`), and
their sources downloaded for the tests. A test counts when it passes under Numba. Those that fail
under pyopt are listed by reason. The same tests are chosen under both: some of each library, or all
with `--sample 0`. Exits with status 1 when a library's share of tests, but for those that fail for
a feature that is known to be missing as a whole (`reasons.py`), is under 98 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from libraries.catalog import LIBRARIES
from libraries.environment import Environment
from libraries.report import HEADER, Comparison
from libraries.running import Limits, outcomes

# The least share of a library's tests.
GOAL = 0.98


def main() -> int:
    """Run the libraries and print the tables."""
    parser = argparse.ArgumentParser(prog="cargo xtask libraries --", description=__doc__)
    parser.add_argument("libraries", nargs="*", choices=[*LIBRARIES, []], metavar="LIBRARY")
    parser.add_argument("--sample", type=int, default=150, help="tests of a library; 0: all")
    parser.add_argument("--limit", type=int, default=600, help="seconds a library may take")
    parser.add_argument("--test-limit", type=int, default=120, help="seconds a test may take")
    parser.add_argument("--renew", action="store_true", help="run Numba again where it has run")
    parser.add_argument("--numba-only", action="store_true", help="run what pyopt is compared with")
    parser.add_argument("--json", type=Path, help="also write how each test ended to this file")
    options = parser.parse_args()

    limits = Limits(options.sample or sys.maxsize, options.test_limit, options.limit)
    environment = Environment()
    compared = []
    print(HEADER)
    for name in options.libraries or LIBRARIES:
        library = LIBRARIES[name]
        numba = outcomes(library, "numba", limits, environment, options.renew)
        if options.numba_only:
            print(f"{name:16}{len(numba.tests):>7}{len(numba.named('passed')):>7}", flush=True)
            continue
        pyopt = outcomes(library, "pyopt", limits, environment, True)
        compared.append(Comparison(name, numba, pyopt))
        print(compared[-1].row(), flush=True)
        print(*compared[-1].differences(), sep="\n", flush=True)

    print("\nreasons, by number of tests")
    reasons = sum((one.reasons for one in compared), Counter())
    for why, count in reasons.most_common():
        print(f"{count:>5}  {why}")
    if options.json:
        found = {one.name: {"numba": one.numba.tests, "pyopt": one.pyopt.tests} for one in compared}
        options.json.write_text(json.dumps(found, indent=1))
    return 1 if any(one.share_but_for_features < GOAL for one in compared) else 0


if __name__ == "__main__":
    raise SystemExit(main())
