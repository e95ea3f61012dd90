"""A range loop with a break, as on Numba's architecture page."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def doloops(n):
    acc = 0
    for _i in range(n):
        acc += 1
        if n == 10:
            break
    return acc


KERNEL = Kernel(
    function=doloops,
    make_args=lambda size: (size,),
    small=10,
    large=10_000_000,
)
