"""Fibonacci numbers by iteration, with 64-bit wrap-around kept away by a modulus."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def fib_iter(n):
    a, b = 0, 1
    for _i in range(n):
        a, b = b, (a + b) % 1_000_000_007
    return a


KERNEL = Kernel(
    function=fib_iter,
    make_args=lambda size: (size,),
    small=20,
    large=5_000_000,
)
