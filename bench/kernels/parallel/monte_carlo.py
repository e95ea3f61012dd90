"""The area of a circle by random points, a generator of its own for every part."""

from bench.api import njit, prange
from bench.kernel import Kernel


@njit(parallel=True)
def monte_carlo(parts, points):
    inside = 0
    for part in prange(parts):
        state = part * 7919 + 12345
        hits = 0
        for _point in range(points):
            state = (state * 1103515245 + 12345) & 2147483647
            x = state / 2147483648.0
            state = (state * 1103515245 + 12345) & 2147483647
            y = state / 2147483648.0
            if x * x + y * y < 1.0:
                hits += 1
        inside += hits
    return 4.0 * inside / (parts * points)


KERNEL = Kernel(function=monte_carlo, make_args=lambda size: (64, size), small=10, large=20_000)
