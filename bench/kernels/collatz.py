"""The longest Collatz chain of a range of starts: a while loop in a for loop."""

from bench.api import njit
from bench.kernel import Kernel


@njit
def collatz(limit):
    longest = 0
    for start in range(1, limit):
        n = start
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest


KERNEL = Kernel(
    function=collatz,
    make_args=lambda size: (size,),
    small=10,
    large=100_000,
)
