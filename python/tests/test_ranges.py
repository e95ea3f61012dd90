"""Ranges as arguments and results, by themselves and in tuples and containers."""

import random
import sys
from bisect import bisect_left, bisect_right
from itertools import chain

import numpy as np
import pytest

import pyopt
from pyopt import njit, objmode, prange, types

RANGES = [
    range(0),
    range(7),
    range(2, 20, 3),
    range(10, -3, -4),
    range(5, 5),
    range(-(1 << 63), (1 << 63) - 1, 1 << 62),
]


def looked_into(r):
    return len(r), list(r), 5 in r, [x for x in reversed(r)], r.start, r.stop, r.step


def items(r):
    return r[0], r[-1], r[len(r) // 2]


def summed(r):
    total = 0
    for x in r:
        total += x
    return total, [(i, x) for i, x in enumerate(r)], list(zip(r, r[1:], strict=False))


@pytest.mark.parametrize("r", RANGES[:5])
@pytest.mark.parametrize("function", [looked_into, items, summed])
def test_arguments(function, r):
    compiled = njit(function)
    if function is items and len(r) == 0:
        with pytest.raises(IndexError, match="range object index out of range"):
            compiled(r)
        return
    assert compiled(r) == function(r)


@pytest.mark.parametrize("r", RANGES)
def test_results(r):
    made = njit(lambda r: r)(r)
    assert type(made) is range
    assert (made.start, made.stop, made.step) == (r.start, r.stop, r.step)


def found(r, x):
    return bisect_left(r, x), bisect_right(r, x), bisect_left(r, x, 3, 9)


@pytest.mark.parametrize("x", [-1, 5, sys.maxsize - 3, sys.maxsize])
def test_searches_of_ranges_that_no_list_could_hold(x):
    r = range(sys.maxsize)
    assert njit(found)(r, x) == found(r, x)


def drawn(r, k):
    random.seed(7)
    return random.sample(r, k), random.choice(r)


@pytest.mark.parametrize("k", [0, 3, 200])
@pytest.mark.parametrize("r", [range(300), range(0, sys.maxsize, 5)])
def test_samples_of_ranges_that_no_list_could_hold(r, k):
    assert njit(drawn)(r, k) == drawn(r, k)


def parts(n):
    return range(n), (range(1, n), n), [range(i) for i in range(n)], {i: range(i, n) for i in range(n)}


def test_in_containers():
    assert njit(parts)(4) == parts(4)
    rows = [range(3), range(2, 5), range(0)]
    use = lambda rows: [sum(r) for r in rows]  # noqa: E731
    assert njit(use)(rows) == use(rows)
    pairs = (range(3), [range(2)], {"a": range(4)})
    use = lambda t: (len(t[0]), len(t[1][0]), [x for x in t[2]["a"]])  # noqa: E731
    assert njit(use)(pairs) == use(pairs)
    use = lambda *parts: list(chain(*parts))  # noqa: E731
    assert njit(use)(range(2), range(5, 3, -1)) == [0, 1, 5, 4]


def test_other_types_of_items():
    use = njit(lambda n: range(n))
    for kind in (np.int8, np.int32, np.uint16, np.uint64):
        assert list(use(kind(3))) == [0, 1, 2]


def test_none_instead_of_a_range():
    use = njit(lambda r: 0 if r is None else len(r))
    assert (use(range(4)), use(None)) == (4, 0)


def test_keywords_and_defaults():
    @njit
    def use(x, over=None, *, also=3):
        return x if over is None else x + len(over) + also

    assert use(1, over=range(5)) == 9
    assert use(1) == 1


def test_loops_on_threads():
    @njit(parallel=True)
    def use(a, r):
        total = 0.0
        for i in prange(len(r)):
            total += a[r[i]]
        return total

    a = np.arange(100.0)
    assert use(a, range(0, 100, 7)) == sum(a[k] for k in range(0, 100, 7))


def test_types():
    assert str(pyopt.typeof(range(3))) == "range_state_int64"
    use = njit(lambda r: len(r))
    use(range(3))
    assert use.signatures == [(pyopt.typeof(range(3)),)]
    declared = njit((pyopt.typeof(range(3)),))(lambda r: r[-1])
    assert declared(range(9)) == 8
    with pytest.raises(TypeError):
        declared((1, 2))
    assert types.int64 == pyopt.typeof(range(3)).dtype


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert njit(cache=True)(summed)(range(4)) == summed(range(4))


def test_bounds_beyond_64_bits():
    with pytest.raises(TypeError, match="cannot pass a range with bounds beyond 64 bits"):
        njit(lambda r: len(r))(range((1 << 63) + 1))
    with pytest.raises(OverflowError, match="64 bits"):
        njit(lambda r: len(r))(range(0, 5, 1 << 70))


def test_objmode():
    @njit
    def use(n):
        r = range(n)
        with objmode(total="int64"):
            total = sum(r)
        return total

    assert use(5) == 10


def test_texts_and_comparisons():
    use = lambda r, s: (str(r), f"{s!r}", r == s, r != s, r == range(0, 3, 1))  # noqa: E731
    compiled = njit(use)
    for r in RANGES[:5]:
        for s in RANGES[:5]:
            assert compiled(r, s) == use(r, s)


STEPS = range(1, 10, 3)
NOTHING, NOTHING_ELSE = range(0), range(5, 5)


def test_globals():
    use = lambda x: x in STEPS and [k * x for k in STEPS]  # noqa: E731
    compiled = njit(lambda x: [k * x for k in STEPS] if x in STEPS else [len(STEPS)])
    assert compiled(4) == use(4)
    assert compiled(5) == [3]
    assert njit(lambda: STEPS)() == STEPS
    assert njit(lambda: (NOTHING.start, NOTHING_ELSE.start))() == (0, 5)
