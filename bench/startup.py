"""Import times and first calls, each in fresh processes."""

from __future__ import annotations

from collections.abc import Sequence
from tempfile import TemporaryDirectory

from bench import child
from bench.kernel import load
from bench.measurement import Failure, Measurement, interleave


def measure_import(implementations: Sequence[str], rounds: int) -> list[Measurement]:
    """Import time beyond NumPy's, and NumPy's own."""
    taking_part = [name for name in implementations if name not in ("CPython", "C")]
    samplers = {name: lambda name=name: child.measure("import", name) for name in taking_part}
    samples = interleave(samplers, rounds, budget=float("inf"))
    return [
        Measurement("import", "NumPy itself" if name == "NumPy" else "beyond NumPy", name, times)
        for name, times in samples.items()
    ]


def measure_cached_call(
    kernel: str, implementations: Sequence[str], rounds: int
) -> list[Measurement | Failure]:
    """The first call of a kernel that an earlier process has kept on disk."""
    with TemporaryDirectory() as cache:
        return measure_first_call("cached-call", kernel, implementations, rounds, cache)


def measure_first_call(
    task: str, kernel: str, implementations: Sequence[str], rounds: int, cache: str | None = None
) -> list[Measurement | Failure]:
    """The first call of a kernel, or the first ten; `task` says which, and whether another function
    was compiled before. `cache` is where functions are kept."""
    unsupported = load(kernel, "CPython").unsupported
    results: list[Measurement | Failure] = []
    samplers = {}
    for name in implementations:
        if name in ("CPython", "NumPy", "C") or name in unsupported:
            continue
        try:
            child.measure(task, name, kernel, cache)  # Fills caches; not counted.
        except RuntimeError as error:
            results.append(Failure(task, kernel, name, str(error)))
        else:
            samplers[name] = lambda name=name: child.measure(task, name, kernel, cache)
    samples = interleave(samplers, rounds, budget=float("inf"))
    results += [Measurement(task, kernel, name, times) for name, times in samples.items()]
    return results
