"""What has to be measured in a fresh process: `python -m bench.child TASK IMPLEMENTATION [KERNEL]`.

Prints the seconds as a JSON number.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

from bench import api
from bench.measurement import elapsed

# Compiled before the measured function when that has to be the second one of its process.
FIRST, OTHER_FIRST = "fib_iter", "doloops"

# Where each implementation looks for the directory of its cache.
CACHE_DIRECTORIES = "PYOPT_CACHE_DIR", "NUMBA_CACHE_DIR"


def measure(
    task: str,
    implementation: str,
    kernel: str = "",
    cache: str | None = None,
    tree: Path | None = None,
) -> float:
    """Seconds for one task, in a new process; `cache` is the directory where functions are kept,
    `tree` the one whose pyopt runs."""
    command = [sys.executable, "-m", "bench.child", task, implementation, kernel]
    # An installed package has its byte code; a checkout keeps it after the first time.
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if cache is not None:
        environment |= {name: cache for name in CACHE_DIRECTORIES} | {api.CACHE_VARIABLE: "1"}
    if tree is not None:
        environment["PYTHONPATH"] = str(tree / "python")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise RuntimeError(lines[-1] if lines else f"exit status {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def import_time(implementation: str) -> float:
    """Seconds the package takes to import once NumPy is there (for NumPy: its own import)."""
    if implementation == "NumPy":
        return elapsed(lambda: importlib.import_module("numpy"))
    importlib.import_module("numpy")
    provider = api.PROVIDERS[implementation]
    return elapsed(lambda: importlib.import_module(provider))


def first_call(implementation: str, kernel: str) -> float:
    """Seconds the first call of a function takes, compilation and execution."""
    # Imports NumPy, so not before an import is timed.
    from bench.kernel import load

    loaded = load(kernel, implementation)
    args = loaded.make_args(loaded.small)
    return elapsed(lambda: loaded.function(*args))


def second_function(implementation: str, kernel: str) -> float:
    """The same in a process that has compiled another function already."""
    first_call(implementation, FIRST if kernel != FIRST else OTHER_FIRST)
    return first_call(implementation, kernel)


def parallel_first_call(implementation: str, kernel: str) -> float:
    """The same for a function on threads, when those have been used before."""
    first_call(implementation, "parallel.chain" if kernel != "parallel.chain" else "parallel.rows")
    return first_call(implementation, kernel)


def ten_calls(implementation: str, kernel: str) -> float:
    """Seconds the first ten calls take together, on the large input: compilation, and code that may
    still be replaced by better code."""
    from bench.kernel import load

    loaded = load(kernel, implementation)
    args = [loaded.make_args(loaded.large) for _call in range(10 if loaded.in_place else 1)] * 10
    return sum(elapsed(lambda call=call: loaded.function(*args[call])) for call in range(10))


def steady(implementation: str, kernel: str) -> float:
    """Seconds of a call once the code is as good as it gets; the small input is checked."""
    from bench.kernel import load, observe
    from bench.steady import problem, sampler, warm_up

    loaded, plain = load(kernel, implementation), load(kernel, "CPython")
    cases = [plain.make_args(plain.small)]
    expected = [observe(plain.function, args) for args in cases]
    reason = problem(loaded.function, cases, expected, plain.tolerance)
    if reason is not None:
        raise SystemExit(reason)
    sample = sampler(loaded.function, loaded, loaded.make_args(loaded.large))
    warm_up(sample)
    return min(sample() for _sample in range(10))


def dispatch(implementation: str, case: str) -> float:
    """Seconds of a call that does next to nothing."""
    from bench.dispatch import CASES, sampler
    from bench.kernel import load_module

    sample = sampler(CASES[case], load_module("dispatch_functions", implementation))
    return min(sample() for _sample in range(10))


def main(task: str, implementation: str, kernel: str) -> None:
    """Run one task and print its time."""
    match task:
        case "import":
            seconds = import_time(implementation)
        case "first-call" | "cached-call":
            seconds = first_call(implementation, kernel)
        case "second-function":
            seconds = second_function(implementation, kernel)
        case "parallel-first-call":
            seconds = parallel_first_call(implementation, kernel)
        case "ten-calls":
            seconds = ten_calls(implementation, kernel)
        case "steady":
            seconds = steady(implementation, kernel)
        case "dispatch":
            seconds = dispatch(implementation, kernel)
        case _:
            raise SystemExit(f"unknown task {task!r}")
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(*sys.argv[1:])
