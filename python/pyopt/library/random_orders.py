"""numpy.random's choices, shuffles and permutations."""

import numpy as np

from pyopt.library import changed, implements, intrinsics
from pyopt.library.broadcasting import as_tuple
from pyopt.library.random_draws import below, random_sample
from pyopt.library.shapes import flat, product


@implements("numpy.random.shuffle")
def random_shuffle(x: changed):
    """Reorder the items of an array, list or buffer in place."""
    for i in range(len(x) - 1, 0, -1):
        j = intrinsics.draw("integer", 0, (0, i))
        if isinstance(x, np.ndarray) and (x.ndim > 1 or x.dtype.kind == "V"):
            # Items are views: one is kept as a copy.
            if i != j:
                row = x[i].copy()
                x[i] = x[j]
                x[j] = row
        else:
            x[i], x[j] = x[j], x[i]


@implements("numpy.random.permutation")
def random_permutation(x):
    """Give the items of an array, or the numbers below an int, in another order."""
    if isinstance(x, (list, tuple)):
        return random_permutation(np.asarray(x))
    if not isinstance(x, np.ndarray):
        order = np.arange(x)
        random_shuffle(order)
        return order
    if x.ndim == 1:
        other = x.copy()
        random_shuffle(other)
        return other
    rows = np.arange(len(x))
    random_shuffle(rows)
    return x[rows]


def cumulated(p):
    """Add up probabilities to 1."""
    limits = np.cumsum(p)
    return limits / limits[-1]


def chosen_once(p, wanted):
    """Choose different positions by probabilities: of those that are drawn again others are drawn."""
    if np.count_nonzero(p) < wanted:
        raise ValueError("Fewer non-zero entries in p than size")
    left = p.astype(np.float64)
    out = np.empty(wanted, np.int64)
    count = 0
    while count < wanted:
        places = np.searchsorted(cumulated(left), random_sample(wanted - count), "right")
        for place in places:
            if left[place] > 0:
                out[count] = place
                count += 1
                left[place] = 0
    return out


def check_probabilities(p, count):
    """Check that there is a probability of each position."""
    if p.size != count:
        raise ValueError("'a' and 'p' must have same size")
    for i in range(p.size):
        if not p[i] >= 0:
            raise ValueError("probabilities are not non-negative")
    if abs(np.sum(p) - 1.0) > 1e-8:
        raise ValueError("probabilities do not sum to 1")


def chosen(count, size, replace, p):
    """Choose positions below a count."""
    if count <= 0:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if p is not None:
        check_probabilities(p, count)
    if size is None:
        if p is None:
            return below(0, count, None) if replace else random_permutation(count)[0]
        return np.searchsorted(cumulated(p), random_sample(), "right")
    shape = as_tuple(size)
    if replace:
        if p is None:
            return below(0, count, shape)
        return intrinsics.reshape(
            np.searchsorted(cumulated(p), random_sample(product(shape)), "right"), shape
        )
    if product(shape) > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if p is None:
        return intrinsics.reshape(random_permutation(count)[: product(shape)].copy(), shape)
    return intrinsics.reshape(chosen_once(p, product(shape)), shape)


@implements("numpy.random.choice")
def random_choice(a, size=None, replace=True, p=None):
    """Choose items of a vector, or numbers below an int."""
    if isinstance(p, (list, tuple)):
        return random_choice(a, size, replace, np.asarray(p))
    if isinstance(a, (list, tuple)):
        return random_choice(np.asarray(a), size, replace, p)
    if isinstance(a, np.ndarray):
        if a.ndim != 1:
            intrinsics.unsupported("choices are from vectors")
        places = chosen(a.size, size, replace, p)
        if size is None:
            return a[places]
        out = np.empty(places.shape, a.dtype)
        v = flat(out)
        which = flat(places)
        for i in range(v.size):
            v[i] = a[which[i]]
        return out
    return chosen(a, size, replace, p)
