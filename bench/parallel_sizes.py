"""What `parallel=True` costs and gains over sizes.

`python -m bench.parallel_sizes [--kernel NAME] [--size N] [--rounds N]`

Each kernel is compiled serial and parallel. The parallel one runs on one thread, which shows what
the outlined body and the launch cost, and on all. A figure is marked where it is slower than the
serial one by more than 10 % and 2 µs. With `--hand-over` it measures what giving a part to a worker
takes.
"""

from __future__ import annotations

import argparse
import timeit
from collections.abc import Callable

import numpy as np
import pyopt
from pyopt import get_num_threads, njit, prange, set_num_threads, stencil

from bench.measurement import interleave

SIZES = (1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 10_000_000)
SAMPLE_SECONDS = 0.01
RELATIVE = 1.1
ABSOLUTE = 2e-6


def add(a, b):
    """One pass over memory."""
    return a + b


def exponential(a, b):
    """A function of each element."""
    return np.exp(a) * b


def total(a, b):
    """A reduction of NumPy's, of two arrays."""
    return (a * b).sum()


def assign(a, b):
    """A slice that is overwritten."""
    b[1:] = a[1:] * 2 + 1


def prange_sum(a, b):
    """A reduction of a loop."""
    sum_of = 0.0
    for i in prange(len(a)):
        sum_of += a[i] * b[i]
    return sum_of


def prange_write(a, b):
    """A loop that writes in place, with a branch."""
    for i in prange(len(a)):
        x = a[i]
        b[i] = x * x if x > 0.5 else np.sqrt(x)


def rows(a, b):
    """Sums of the rows of a matrix, a loop in a loop."""
    n = int(np.sqrt(len(a)))
    m = a[: n * n].reshape(n, n)
    out = np.empty(n)
    for i in prange(n):
        sum_of = 0.0
        for j in range(n):
            sum_of += m[i, j]
        out[i] = sum_of
    return out


def outer(a, b):
    """A matrix of two vectors."""
    n = int(np.sqrt(len(a)))
    out = np.empty((n, n))
    for i in prange(n):
        for j in range(n):
            out[i, j] = a[i] + b[j]
    return out


def transposed(a, b):
    """A matrix read by columns."""
    n = int(np.sqrt(len(a)))
    m = a[: n * n].reshape(n, n)
    return m.T + 1.0


def triangle(a, b):
    """Rows of a triangle: iterations that take different times."""
    n = int(np.sqrt(2 * len(a)))
    out = np.zeros(n)
    for i in prange(n):
        sum_of = 0.0
        for j in range(i):
            sum_of += a[j] * b[i]
        out[i] = sum_of
    return out


@stencil
def mean_of_three(a):
    """The kernel of ``smooth``."""
    return (a[-1] + a[0] + a[1]) / 3


def smooth(a, b):
    """A stencil."""
    return mean_of_three(a)


def calls(a, b):
    """A loop whose body calls a function that isn't inlined."""
    for i in prange(len(a)):
        b[i] = collatz(int(a[i] * 20) + 1)


@njit
def collatz(n):
    """Steps to 1: a loop that takes as long as it takes."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


KERNELS: dict[str, Callable] = {
    function.__name__: function
    for function in (
        add,
        exponential,
        total,
        assign,
        prange_sum,
        prange_write,
        rows,
        outer,
        transposed,
        triangle,
        smooth,
        calls,
    )
}


def sampler(function: Callable, arguments: tuple, threads: int) -> Callable[[], float]:
    """Seconds a call takes on so many threads."""
    timer = timeit.Timer(lambda: function(*arguments))
    set_num_threads(threads)
    once = min(timer.repeat(3, 1))
    repeats = max(1, round(SAMPLE_SECONDS / max(once, 1e-7)))

    def sample() -> float:
        set_num_threads(threads)
        return timer.timeit(repeats) / repeats

    return sample


def measure(name: str, size: int, rounds: int) -> dict[str, float]:
    """The best time of each way to run a kernel."""
    generator = np.random.default_rng(0)
    arguments = (generator.random(size), generator.random(size))
    most = get_num_threads()
    function = KERNELS[name]
    serial, parallel = njit(function), njit(parallel=True)(function)
    samplers = {
        "serial": sampler(serial, arguments, most),
        "1 thread": sampler(parallel, arguments, 1),
        f"{most} threads": sampler(parallel, arguments, most),
    }
    samples = interleave(samplers, rounds, budget=2.0)
    set_num_threads(most)
    return {way: min(times) for way, times in samples.items()}


@njit(parallel=True)
def two_parts(out, rounds):
    """Two iterations that work for a time, each a part."""
    for i in prange(2):
        x = out[i]
        for _ in range(rounds):
            x = x * 1.0000001 + 1e-9
        out[i] = x


def hand_over(rounds: int) -> None:
    """Print what a region of two parts takes beyond half of what one thread takes for both."""
    most = get_num_threads()
    out = np.ones(2)
    for work in (20_000, 50_000, 200_000):
        samples = interleave(
            {
                "one": sampler(two_parts, (out, work), 1),
                "two": sampler(two_parts, (out, work), min(2, most)),
            },
            rounds,
            budget=5.0,
        )
        one, two = min(samples["one"]), min(samples["two"])
        print(
            f"{one * 1e6:10.1f} µs on one thread, {two * 1e6:10.1f} µs on two: "
            f"hand-over {(two - one / 2) * 1e6:6.1f} µs"
        )
    set_num_threads(most)


def main() -> None:
    """Print a table a kernel."""
    parser = argparse.ArgumentParser(prog="python -m bench.parallel_sizes", description=__doc__)
    parser.add_argument("--kernel", action="append", choices=KERNELS)
    parser.add_argument("--size", action="append", type=int)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--hand-over", action="store_true")
    options = parser.parse_args()
    print(f"pyopt {pyopt.__version__}, {get_num_threads()} threads")
    if options.hand_over:
        hand_over(options.rounds)
        return
    for name in options.kernel or KERNELS:
        for size in options.size or SIZES:
            times = measure(name, size, options.rounds)
            serial = times["serial"]
            shown = [f"{name:14}{size:>10}"]
            for way, seconds in times.items():
                slower = seconds > max(serial * RELATIVE, serial + ABSOLUTE)
                shown.append(f"{way}{seconds * 1e6:12.2f} µs{'!' if slower else ' '}")
            shown.append(f"{serial / min(times.values()):6.2f} ×")
            print("  ".join(shown), flush=True)


if __name__ == "__main__":
    main()
