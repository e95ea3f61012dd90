"""Kernels once they are compiled, after their results are checked."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence

from bench import native
from bench.kernel import Kernel, difference, load, observe
from bench.measurement import Failure, Measurement, elapsed, interleave

# A sample repeats a short call until it lasts this long.
SAMPLE_SECONDS = 0.01
# What one implementation may spend on one kernel; CPython gives fewer samples then.
BUDGET_SECONDS = 1.5
# What compilers get before they are timed: pyopt compiles hot code again meanwhile.
WARM_UP_SECONDS = 0.5
COMPILERS = ("pyopt", "Numba")


def measure_steady(
    section: str, name: str, implementations: Sequence[str], rounds: int
) -> list[Measurement | Failure]:
    """Check a kernel under every implementation, then time those that are right."""
    functions, reasons = checked_functions(name, implementations)
    failures = [Failure(section, name, *reason) for reason in reasons.items()]
    kernel = load(name, "CPython")
    samplers = {
        implementation: sampler(function, kernel, kernel.make_args(kernel.large))
        for implementation, function in functions.items()
    }
    for implementation, sample in samplers.items():
        if implementation in COMPILERS:
            warm_up(sample)
    samples = interleave(samplers, rounds, BUDGET_SECONDS)
    return failures + [
        Measurement(section, name, implementation, times)
        for implementation, times in samples.items()
    ]


def checked_functions(
    name: str, implementations: Sequence[str]
) -> tuple[dict[str, Callable], dict[str, str]]:
    """The implementations' functions that do what CPython does, at both sizes, and for the others
    why not."""
    plain = load(name, "CPython")
    cases = [plain.make_args(plain.small), plain.make_args(plain.large)]
    if plain.raising_args is not None:
        cases.append(plain.raising_args)
    expected = [observe(plain.function, args) for args in cases]
    functions: dict[str, Callable] = {}
    reasons: dict[str, str] = {}
    for implementation in implementations:
        if implementation in plain.unsupported:
            continue
        if implementation == "CPython":  # Defines what is right.
            functions[implementation] = plain.function
            continue
        function = function_of(name, plain, implementation, expected[0].result)
        if function is None:
            continue
        reason = problem(function, cases, expected, plain.tolerance)
        if reason is None:
            functions[implementation] = function
        else:
            reasons[implementation] = reason
    return functions, reasons


def function_of(name: str, plain: Kernel, implementation: str, result: object) -> Callable | None:
    """The function of an implementation; None when NumPy doesn't apply or nobody wrote the C."""
    if implementation == "NumPy":
        return plain.reference
    if implementation == "C":
        symbol = plain.function.__name__
        return native.function(name, symbol, result) if native.exists(name) else None
    return load(name, implementation).function


def problem(function: Callable, cases: list, expected: list, tolerance: float) -> str | None:
    """Why a function isn't right, or None."""
    for args, outcome in zip(cases, expected, strict=True):
        try:
            differs = difference(observe(function, args), outcome, tolerance)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        if differs:
            return differs
    return None


def sampler(function: Callable, kernel: Kernel, args: tuple) -> Callable[[], float]:
    """Something that draws one sample: the seconds of one call."""
    if kernel.in_place:
        return lambda: _timed_on_copies(function, args)
    once = elapsed(lambda: function(*args))
    calls = max(1, round(SAMPLE_SECONDS / once)) if once < SAMPLE_SECONDS else 1
    return lambda: _timed_repeatedly(function, args, calls)


def warm_up(sample: Callable[[], float]) -> None:
    """Draw samples that don't count."""
    end = time.perf_counter() + WARM_UP_SECONDS
    while time.perf_counter() < end:
        sample()


def _timed_on_copies(function: Callable, args: tuple) -> float:
    fresh = copy.deepcopy(args)
    return elapsed(lambda: function(*fresh))


def _timed_repeatedly(function: Callable, args: tuple, calls: int) -> float:
    def repeat() -> None:
        for _call in range(calls):
            function(*args)

    return elapsed(repeat) / calls
