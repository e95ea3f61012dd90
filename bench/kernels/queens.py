"""Queens that don't attack one another, counted by recursion over masks."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def place(columns, left, right, full):
    if columns == full:
        return 1
    count = 0
    free = full & ~(columns | left | right)
    while free:
        bit = free & -free
        free ^= bit
        count += place(columns | bit, (left | bit) << 1, (right | bit) >> 1, full)
    return count


@njit
def queens(n):
    return place(0, 0, 0, (1 << n) - 1)


KERNEL = Kernel(function=queens, make_args=lambda size: (size,), small=4, large=10)
