"""Samples of one thing under one implementation, and drawing them in turn."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

# The columns of every table, in order.
IMPLEMENTATIONS = ("CPython", "NumPy", "pyopt", "Numba", "C")


@dataclass(frozen=True)
class Measurement:
    """What was measured, and the seconds each repetition took."""

    section: str
    name: str
    implementation: str
    samples: list[float]

    @property
    def median(self) -> float:
        """The median in seconds."""
        return statistics.median(self.samples)


@dataclass(frozen=True)
class Failure:
    """A measurement that was not taken, because the program failed or computed something else."""

    section: str
    name: str
    implementation: str
    reason: str


def elapsed(call: Callable[[], object]) -> float:
    """Seconds one call takes."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def interleave(
    samplers: Mapping[str, Callable[[], float]], rounds: int, budget: float
) -> dict[str, list[float]]:
    """Draw one sample of each sampler per round, so that a disturbance of the machine hits all.

    A sampler whose samples have used up `budget` seconds rests; each gives one sample at least.
    """
    samples: dict[str, list[float]] = {name: [] for name in samplers}
    spent = dict.fromkeys(samplers, 0.0)
    for _round in range(rounds):
        for name, sample in samplers.items():
            if spent[name] < budget:
                start = time.perf_counter()
                samples[name].append(sample())
                spent[name] += time.perf_counter() - start
    return samples
