"""numpy.random's legacy distributions of integers."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.broadcasting import as_tuple
from pyopt.library.random_draws import as_count, as_real, draw_ints
from pyopt.library.shapes import product


def check_probability(p):
    """Check that a number is a probability."""
    if not (p >= 0 and p <= 1):
        raise ValueError("p < 0, p > 1 or p is NaN")


@implements("numpy.random.poisson")
def random_poisson(lam=1.0, size=None):
    """Draw from a Poisson distribution."""
    if not lam >= 0:
        raise ValueError("lam < 0 or lam is NaN")
    if lam > 9223372006484771000.0:
        raise ValueError("lam value too large")
    return draw_ints("poisson", size, (as_real(lam),))


@implements("numpy.random.binomial")
def random_binomial(n, p, size=None):
    """Draw from a binomial distribution."""
    if n < 0:
        raise ValueError("n < 0")
    check_probability(p)
    return draw_ints("binomial", size, (as_count(n), as_real(p)))


@implements("numpy.random.negative_binomial")
def random_negative_binomial(n, p, size=None):
    """Draw from a negative binomial distribution."""
    if not n > 0:
        raise ValueError("n <= 0")
    if not (p > 0 and p <= 1):
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    return draw_ints("negative_binomial", size, (as_real(n), as_real(p)))


@implements("numpy.random.geometric")
def random_geometric(p, size=None):
    """Draw how many trials the first success takes."""
    if not (p > 0 and p <= 1):
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    return draw_ints("geometric", size, (as_real(p),))


@implements("numpy.random.zipf")
def random_zipf(a, size=None):
    """Draw from a Zipf distribution."""
    if not a > 1:
        raise ValueError("a <= 1 or a is NaN")
    return draw_ints("zipf", size, (as_real(a),))


@implements("numpy.random.logseries")
def random_logseries(p, size=None):
    """Draw from a logarithmic series distribution."""
    if not (p >= 0 and p < 1):
        raise ValueError("p < 0, p >= 1 or p is NaN")
    return draw_ints("logseries", size, (as_real(p),))


@implements("numpy.random.hypergeometric")
def random_hypergeometric(ngood, nbad, nsample, size=None):
    """Draw how many of a sample are good."""
    if ngood < 0:
        raise ValueError("ngood < 0")
    if nbad < 0:
        raise ValueError("nbad < 0")
    if nsample < 0:
        raise ValueError("nsample < 0")
    if ngood + nbad < nsample:
        raise ValueError("ngood + nbad < nsample")
    return draw_ints("hypergeometric", size, (as_count(ngood), as_count(nbad), as_count(nsample)))


@implements("numpy.random.multinomial")
def random_multinomial(n, pvals, size=None):
    """Draw how often each of several things happens."""
    p = np.asarray(pvals)
    if n < 0:
        raise ValueError("n < 0")
    for i in range(p.size):
        if not (p[i] >= 0 and p[i] <= 1):
            raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    if p.size > 0 and np.sum(p[:-1]) > 1.0 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0")
    if size is None:
        out = np.zeros(p.size, np.int64)
        draw_counts(out, n, p)
        return out
    return many_counts(n, p, as_tuple(size))


def draw_counts(out, n, p):
    """Draw how often each thing happens, one after the other."""
    left = as_count(n)
    rest = 1.0
    for i in range(p.size - 1):
        out[i] = intrinsics.draw("category", 0, (left, as_real(p[i] / rest)))
        left -= out[i]
        if left <= 0:
            break
        rest -= p[i]
    if left > 0 and p.size > 0:
        out[p.size - 1] = left


def many_counts(n, p, size):
    """Draw an array of vectors of counts."""
    out = np.zeros(size + (p.size,), np.int64)
    rows = intrinsics.reshape(out, (product(size), p.size))
    for i in range(rows.shape[0]):
        draw_counts(rows[i], n, p)
    return out
