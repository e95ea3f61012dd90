"""Reductions by functions of the program.

Those of numbers run on a device, with branches too, those of tuples on the host.
"""

import numpy as np
import pytest
from available import NAME, needs_device

from pyopt import device_context, njit, prange
from pyopt.extending import reduction

pytestmark = needs_device
SIZES = (0, 1, 2, 255, 256, 257, 5000)


@reduction(identity=-np.inf)
def larger(a, b):
    return a if a > b or a != a else b


@reduction(identity=-1)
def later(a, b):
    """Give the second number, or the first where that is none: not commutative."""
    return a if b == -1 else b


@reduction(identity=(1, 0, 0, 1))
def product(a, b):
    """Multiply matrices modulo a prime: not commutative."""
    return (
        (a[0] * b[0] + a[1] * b[2]) % 9973,
        (a[0] * b[1] + a[1] * b[3]) % 9973,
        (a[2] * b[0] + a[3] * b[2]) % 9973,
        (a[2] * b[1] + a[3] * b[3]) % 9973,
    )


@reduction(identity=((np.inf, -np.inf), 0))
def bounds(a, b):
    (low, high), count = a
    (other_low, other_high), other_count = b
    if other_low < low:
        low = other_low
    if other_high > high:
        high = other_high
    return (low, high), count + other_count


def of_larger(x):
    found = -np.inf
    for i in prange(x.shape[0]):
        found = larger(found, x[i])
    return found


def of_later(x):
    found = -1
    for i in prange(x.shape[0]):
        found = later(found, i if x[i] > 0.5 else -1)
    return found


def of_product(x):
    found = (1, 2, 3, 4)
    for i in prange(x.shape[0]):
        found = product(found, (i, i + 1, int(x[i] * 100), 2))
    return found


def of_bounds(x):
    found = ((np.inf, -np.inf), 0)
    total = 0
    for i in prange(x.shape[0]):
        found = bounds(found, ((x[i], x[i]), 1))
        total += i
    return found, total


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "program", [of_larger, of_later, of_product, of_bounds], ids=lambda one: one.__name__
)
def test_results_are_those_of_python(program, size):
    x = np.random.default_rng(size).random(size)
    compiled = njit(parallel=True)(program)
    with device_context(NAME):
        assert compiled(x) == program(x)
    launches = compiled.device_stats()[NAME].launches if compiled.device_stats() else 0
    # Two kernels: what the threads of the first one leave, the second one combines.
    of_numbers = program in (of_larger, of_later) and size > 0
    assert launches == (2 if of_numbers else 0)


def test_why_those_of_tuples_stay_is_told(capsys):
    compiled = njit(parallel=True)(of_bounds)
    with device_context(NAME):
        compiled(np.ones(5))
        compiled.parallel_diagnostics()
    told = capsys.readouterr().out
    assert (
        "the loop stays on the host: it reduces more than numbers, by chunks for the host's threads" in told
    )
