"""What one call of a compiled function costs, by its arguments, and one use of a container."""

from __future__ import annotations

import timeit
from collections.abc import Sequence
from types import ModuleType

import numpy as np

from bench.kernel import load_module
from bench.measurement import Failure, Measurement, interleave

# The call as it is timed, by the name of its row.
CASES = {
    "int": "one_int(5)",
    "two floats": "two_floats(1.5, 2.5)",
    "two floats by keyword": "two_floats(x=1.5, y=2.5)",
    "1-D array": "one_array(a)",
    "three arrays": "three_arrays(a, b, c)",
    "returns an array": "new_array(4)",
    "item of a typed list": "numbers[5]",
    "append to and pop from a typed list": "numbers.append(7), numbers.pop()",
    "sum of a typed list of 100": "sum(numbers)",
    "int key of a typed dict": "counts[5]",
    "text key of a typed dict": "lengths['three']",
    "items of a typed dict of 100": "for key, value in counts.items(): pass",
}

SAMPLE_SECONDS = 0.02


def measure_dispatch(implementations: Sequence[str], rounds: int) -> list[Measurement | Failure]:
    """Time every case under every implementation; CPython's is an undecorated call."""
    modules = {
        implementation: load_module("dispatch_functions", implementation)
        for implementation in implementations
        if implementation not in ("NumPy", "C")
    }
    results: list[Measurement | Failure] = []
    for name, statement in CASES.items():
        samplers = {}
        for implementation, module in modules.items():
            try:
                samplers[implementation] = sampler(statement, module)
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                results.append(Failure("dispatch", name, implementation, reason))
        samples = interleave(samplers, rounds, budget=float("inf"))
        results += [
            Measurement("dispatch", name, implementation, times)
            for implementation, times in samples.items()
        ]
    return results


def sampler(statement: str, module: ModuleType):
    """Something that draws one sample: the seconds of one call, compiled already."""
    vectors = {letter: np.ones(16) for letter in "abc"}
    timer = timeit.Timer(statement, globals=vars(module) | vectors)
    timer.timeit(1)  # Compiles.
    calls = max(1, round(SAMPLE_SECONDS / (timer.timeit(1000) / 1000)))
    return lambda: timer.timeit(calls) / calls
