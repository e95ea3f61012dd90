"""A function that calls a compiled one and a plain Python one."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def square(x):
    return x * x


def shifted(x, amount=3):
    return x - amount


@njit
def calls(n):
    total = 0
    for i in range(n):
        total += shifted(square(i)) % 7
    return total


KERNEL = Kernel(
    function=calls,
    make_args=lambda size: (size,),
    small=10,
    large=5_000_000,
    # Numba compiles only callees that are decorated.
    unsupported=("Numba",),
)
