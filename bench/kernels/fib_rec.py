"""Fibonacci numbers by self-recursion."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def fib_rec(n):
    if n < 2:
        return n
    return fib_rec(n - 1) + fib_rec(n - 2)


KERNEL = Kernel(
    function=fib_rec,
    make_args=lambda size: (size,),
    small=5,
    large=30,
)
