"""A callee that raises: the exception arrives as CPython's."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def reciprocal(x):
    if x == 0:
        raise ValueError("x cannot be zero")
    return 1.0 / x


@njit
def reciprocals(start, stop):
    total = 0.0
    for x in range(start, stop):
        total += reciprocal(x)
    return total


KERNEL = Kernel(
    function=reciprocals,
    make_args=lambda size: (1, size),
    small=10,
    large=5_000_000,
    raising_args=(-3, 3),
)
