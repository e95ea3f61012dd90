"""Two integers: almost nothing but the call."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def add(a, b):
    return a + b


KERNEL = Kernel(
    function=add,
    make_args=lambda size: (size, size + 1),
    small=1,
    large=1_000_000,
)
