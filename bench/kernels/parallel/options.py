"""Prices of options by array expressions: exp, log and sqrt of vectors."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit(parallel=True)
def options(price, strike, years):
    deviation = 0.3 * np.sqrt(years)
    first = (np.log(price / strike) + 0.1 * years) / deviation + 0.5 * deviation
    second = first - deviation
    present = strike * np.exp(-0.1 * years)
    return price / (1.0 + np.exp(-1.702 * first)) - present / (1.0 + np.exp(-1.702 * second))


def make_args(size):
    """Prices, strikes and years."""
    return tuple(1.0 + np.random.default_rng(62).random((3, size)))


KERNEL = Kernel(
    function=options,
    make_args=make_args,
    small=5,
    large=1_000_000,
    tolerance=1e-9,
)
