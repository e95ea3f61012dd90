"""A stack: a list that is appended to and popped from."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def append_pop(n):
    stack = [1]
    total = 0
    for at in range(n):
        if at % 5 == 4:
            total += stack.pop()
            total ^= stack.pop()
        stack.append(at ^ total & 1023)
    while len(stack) > 1:
        total = total * 3 + stack.pop() & 0xFFFFFFFF
    return total


def make_args(size):
    """The number of steps."""
    return (size,)


KERNEL = Kernel(function=append_pop, make_args=make_args, small=20, large=2_000_000)
