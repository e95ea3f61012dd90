"""Object mode against CPython: `python -m bench.object_mode [names…]`.

Times the same functions under the interpreter and in object mode, interleaved, and prints the
medians of many rounds, the fastest of each and their ratio, worst first; a result that differs is
an error.
"""

from __future__ import annotations

import runpy
import statistics
import sys
import time
from pathlib import Path

from pyopt import jit

ROUNDS = 31


def sample(function, argument):
    """Seconds of one call."""
    start = time.perf_counter()
    function(argument)
    return time.perf_counter() - start


def load(name, decorator):
    """Run the programs' file; gives each program with its argument."""
    path = Path(__file__).with_name("object_programs.py")
    space = runpy.run_path(str(path), {"compile_program": decorator}, name)
    return space["PROGRAMS"], space


def main(names):
    """Time everything, or what is named."""
    # A module's namespace is cleared when nobody holds it.
    plain, *kept = load("plain_programs", lambda function: function)
    compiled, *kept_too = load("compiled_programs", jit(forceobj=True))
    table = []
    for name, (function, argument) in plain.items():
        if names and name not in names:
            continue
        other = compiled[name][0]
        assert repr(other(argument)) == repr(function(argument)), name
        pairs = [(sample(function, argument), sample(other, argument)) for _ in range(ROUNDS)]
        cpython, ours = zip(*pairs, strict=True)
        ratio = statistics.median(ours) / statistics.median(cpython)
        table.append((min(ours) / min(cpython), ratio, min(cpython), min(ours), name))
    table.sort(reverse=True)
    print(f"{'program':24} {'CPython':>9}  {'compiled':>9}  fastest  median")
    for fastest, median, cpython, ours, name in table:
        times = f"{cpython * 1e3:6.3f} ms  {ours * 1e3:6.3f} ms"
        print(f"{name:24} {times}  {fastest:7.2f} {median:7.2f}")
    del kept, kept_too


if __name__ == "__main__":
    main(sys.argv[1:])
