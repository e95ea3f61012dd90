"""What a function of the overload library costs: `python -m bench.library [--rounds N]`.

First calls of one-line functions, each compiled anew in one warm process, and steady calls against
NumPy. The first line has no library function: the others' first calls are that and what they add.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable

import numpy as np

#: An expression of a vector `a` of 10,000 floats and a matrix `m` of 100 × 100.
EXPRESSIONS = [
    "a[0] + a.size",
    "np.cumsum(a)[0]",
    "np.diff(a, 2)[0]",
    "m.sum(axis=0)[0]",
    "m.mean(axis=1)[0]",
    "a[a > 0.5].size",
    "np.argmax(a)",
    "np.searchsorted(a, 0.5)",
    "np.concatenate((a, a)).size",
    "np.sort(a)[0]",
    "np.argsort(a)[0]",
    "np.unique(a).size",
    "np.median(a)",
    "np.percentile(a, 30.0)",
    "np.histogram(a, 20)[0][0]",
]


def compiled(jit: Callable, expression: str) -> Callable:
    """A function of an expression, not compiled yet."""
    names: dict = {"np": np}
    exec(f"def function(a, m):\n    return {expression}", names)
    return jit(names["function"])


def first_call(jit: Callable, expression: str, rounds: int, arguments: tuple) -> float:
    """The median time of a first call, in milliseconds."""
    times = []
    for _ in range(rounds):
        function = compiled(jit, expression)
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def steady_call(function: Callable, arguments: tuple) -> float:
    """The least time of a call, in microseconds."""
    function(*arguments)
    times = []
    for _ in range(50):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return 1e6 * min(times)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.library", description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=5, help="first calls per expression (default 5)"
    )
    rounds = parser.parse_args().rounds
    implementations = {}
    for name in ("pyopt", "numba"):
        if importlib.util.find_spec(name) is not None:
            implementations[name] = importlib.import_module(name).njit
    random = np.random.default_rng(0)
    arguments = random.random(10_000), random.random((100, 100))
    for jit in implementations.values():
        compiled(jit, EXPRESSIONS[0])(*arguments)
    columns = [
        *(f"{name} first, ms" for name in implementations),
        *(f"{name}, µs" for name in implementations),
    ]
    print(f"{'':30}", *(f"{column:>16}" for column in [*columns, "NumPy, µs"]))
    for expression in EXPRESSIONS:
        first = [first_call(jit, expression, rounds, arguments) for jit in implementations.values()]
        steady = [
            steady_call(compiled(jit, expression), arguments) for jit in implementations.values()
        ]
        steady.append(steady_call(compiled(lambda function: function, expression), arguments))
        print(f"{expression:30}", *(f"{figure:16.1f}" for figure in first + steady), flush=True)


if __name__ == "__main__":
    main()
