"""Prices of call and put options by Black and Scholes: exp, log, sqrt and erf in a loop."""

import math

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def black_scholes(price, strike, years, rate, volatility, calls, puts):
    for i in range(len(price)):
        deviation = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + rate * years[i]) / deviation + 0.5 * deviation
        d2 = d1 - deviation
        n1 = 0.5 + 0.5 * math.erf(d1 * 0.7071067811865476)
        n2 = 0.5 + 0.5 * math.erf(d2 * 0.7071067811865476)
        present = strike[i] * math.exp(-rate * years[i])
        calls[i] = price[i] * n1 - present * n2
        puts[i] = present * (1.0 - n2) - price[i] * (1.0 - n1)


def make_args(size):
    """Prices, strikes and years; a rate and a volatility; room for the results."""
    random = np.random.default_rng(46)
    price, strike, years = 20.0 + 10.0 * random.random((3, size))
    return price, strike, years / 20.0, 0.1, 0.3, np.empty(size), np.empty(size)


KERNEL = Kernel(
    function=black_scholes,
    make_args=make_args,
    small=5,
    large=200_000,
    tolerance=1e-9,
    in_place=True,
)
