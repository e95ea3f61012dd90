"""Kernels on threads: under pyopt, Numba with `parallel=True`, NumPy, and C with OpenMP."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bench import native
from bench.kernel import load, observe
from bench.measurement import Failure, Measurement, interleave
from bench.steady import COMPILERS, function_of, problem, sampler, warm_up

SECTION = "parallel"
# What one implementation may spend on one kernel.
BUDGET_SECONDS = 2.0
# OpenMP's threads wait for more work on their processors, as long as this by default (libomp), and
# would take time from whoever is measured next.
REST_SECONDS = 0.25


def measure_parallel(
    name: str, implementations: Sequence[str], rounds: int
) -> list[Measurement | Failure]:
    """Check a kernel under every implementation but CPython, then time those that are right."""
    plain = load(name, "CPython")
    cases = [plain.make_args(size) for size in (plain.small, plain.large)]
    expected = [observe(plain.reference or plain.function, args) for args in cases]
    samplers: dict[str, Callable[[], float]] = {}
    results: list[Measurement | Failure] = []
    for implementation in implementations:
        absent = implementation == "C" and not native.has_openmp()
        if implementation in ("CPython", *plain.unsupported) or absent:
            continue
        function = function_of(name, plain, implementation, expected[0].result)
        if function is None:
            continue
        if reason := problem(function, cases, expected, plain.tolerance):
            results.append(Failure(SECTION, name, implementation, reason))
            continue
        sample = sampler(function, plain, cases[1])
        if implementation in COMPILERS:
            warm_up(sample)
        samplers[implementation] = rested(sample)
    samples = interleave(samplers, rounds, BUDGET_SECONDS)
    return results + [
        Measurement(SECTION, name, implementation, times)
        for implementation, times in samples.items()
    ]


def rested(sample: Callable[[], float]) -> Callable[[], float]:
    """Draw samples behind a rest, and one that doesn't count."""

    def draw() -> float:
        time.sleep(REST_SECONDS)
        sample()
        return sample()

    return draw
