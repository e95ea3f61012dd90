"""``itertools.tee``: iterators that share what is taken of one."""

import itertools
from itertools import tee

import numpy as np
import pytest

from pyopt import errors, njit


def counted(n):
    for i in range(n):
        print("made", i)
        yield i * i


def pairs(items):
    a, b = tee(items)
    next(b, None)
    return [(x, y) for x, y in zip(a, b)]


def three(items):
    a, b, c = itertools.tee(iter(items), 3)
    first = [x for x in a]
    second = list(b)
    return first, second, list(zip(c, first)), list(a)


def interleaved(items):
    a, b = tee(items, 2)
    found = []
    for x in a:
        found.append(x)
        for y in b:
            found.append(y)
            break
    return found


def one_and_none(items):
    (a,) = tee(items, 1)
    return list(a), len(tee(items, 0))


@pytest.mark.parametrize("function", [pairs, three, interleaved, one_and_none])
@pytest.mark.parametrize("items", [[1, 2, 3, 4], [1.5], (5, 6), "text", [(1, "a"), (2, "b")]])
def test_tee(function, items):
    assert njit(function)(items) == function(items)


def test_tee_of_ranges_and_arrays():
    def use(n, array):
        a, b = tee(range(n))
        c, d = tee(array)
        return list(a), sum(b), [x for x in c], max(d)

    assert njit(use)(4, np.arange(3.0)) == use(4, np.arange(3.0))


def test_a_generator_is_gone_on_with_where_an_item_is_asked_for(capfd):
    def use(n):
        a, b = tee(counted(n))
        print("begin")
        found = [next(a), next(b), next(b)]
        print("then")
        return found, list(a), list(b)

    assert njit(use)(4) == ([0, 0, 1], [1, 4, 9], [4, 9])
    compiled = capfd.readouterr().out
    use(4)
    assert compiled == capfd.readouterr().out


def test_tee_of_nothing():
    def use(n):
        a, b = tee(counted(n))
        return list(a), list(b)

    assert njit(use)(0) == ([], [])


def test_what_is_refused():
    with pytest.raises(errors.TypingError):
        njit(lambda x, n: tee(x, n))([1], 2)
    with pytest.raises(ValueError, match="n must be >= 0"):
        njit(lambda x: tee(x, -1))([1])
