"""Reductions that a program declares, in ``prange`` loops."""

from collections import namedtuple

import numpy as np
import pytest
from on_threads import check, warns_of

from pyopt import njit, prange, set_num_threads
from pyopt.errors import PyoptError
from pyopt.extending import reduction

SIZES = (0, 1, 2, 3, 7, 8, 50, 333)


@reduction(identity=-np.inf)
def larger(a, b):
    # NaN wins; otherwise this wouldn't be associative.
    return a if a > b or a != a else b


@reduction(identity=0)
@njit
def total(a, b):
    return a + b


@njit
@reduction(identity=-1)
def later(a, b):
    """Give the second number, or the first where that is none: not commutative."""
    return a if b == -1 else b


@reduction(identity=(1.0, 0.0))
def affine(f, g):
    """Compose two maps x -> a * x + b, the first one done first: not commutative."""
    return (f[0] * g[0], f[1] * g[0] + g[1])


@reduction(identity=(1, 0, 0, 1))
def product(a, b):
    """Multiply matrices of two rows and columns modulo a prime: not commutative."""
    return (
        (a[0] * b[0] + a[1] * b[2]) % 9973,
        (a[0] * b[1] + a[1] * b[3]) % 9973,
        (a[2] * b[0] + a[3] * b[2]) % 9973,
        (a[2] * b[1] + a[3] * b[3]) % 9973,
    )


@reduction(identity=(0, 0.0, 0.0))
def moments(a, b):
    """Merge the count, the mean and the sum of squared differences of two samples."""
    n = a[0] + b[0]
    if n == 0:
        return a
    delta = b[1] - a[1]
    return (n, a[1] + delta * b[0] / n, a[2] + b[2] + delta * delta * a[0] * b[0] / n)


Best = namedtuple("Best", "value where")


@reduction(identity=Best(-np.inf, -1))
def best(a, b):
    return b if b.value > a.value or (b.value == a.value and b.where < a.where) else a


@reduction(identity=((np.inf, -np.inf), 0))
def hull(a, b):
    return ((min(a[0][0], b[0][0]), max(a[0][1], b[0][1])), a[1] + b[1])


@reduction(identity=0)
def ascending(a, b):
    if b < a:
        raise ValueError("it descends")
    return b


@reduction(identity=1)
def times(a, b):
    return a * b


# Plain reductions, which are the loop's own.


def largest(a):
    acc = -np.inf
    for i in prange(len(a)):
        acc = larger(acc, a[i])
    return acc


def sum_of_dtype(a, start):
    acc = start
    for i in prange(len(a)):
        acc = total(acc, a[i])
    return acc


def mixed(a):
    acc = -np.inf
    count = 0
    least = 1e300
    last = -1
    for i in prange(len(a)):
        acc = larger(acc, a[i])
        count += 1
        least = min(least, a[i])
        last = later(last, i * 3)
    return acc, count, least, last


@pytest.mark.parametrize("function", [largest, mixed])
def test_plain(function):
    numbers = np.random.default_rng(1)
    check(function, *((numbers.normal(size=n),) for n in SIZES))
    check(function, (numbers.normal(size=90)[::-3],), (np.array([1.0, np.nan, 0.5, np.nan, -np.inf] * 9),))


@pytest.mark.parametrize("dtype", "i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 c8 c16".split())
def test_dtypes(dtype):
    a = np.arange(60).astype(dtype)
    compiled = njit(parallel=True)(sum_of_dtype)
    serial = njit(sum_of_dtype)
    for threads in (1, 2, 7):
        set_num_threads(threads)
        for n in (0, 1, 5, 60):
            for start in (a.dtype.type(3), 3):
                got, expected = compiled(a[:n], start), serial(a[:n], start)
                assert got == expected and type(got) is type(expected), (dtype, n, threads)


# Reductions in chunks of iterations.


def in_branches(a):
    acc = -np.inf
    for i in prange(len(a)):
        if i % 3 == 0:
            acc = larger(acc, a[i])
        elif i % 3 == 1:
            acc = larger(larger(acc, a[i]), -a[i])
    return acc


def in_inner_loops(a):
    acc = -1
    for i in prange(len(a)):
        for j in range(i % 4):
            if a[i] > 0:
                acc = later(acc, i * j)
    return acc


def value_leads(a):
    acc = -1
    for i in prange(len(a)):
        acc = later(i, acc)
    return acc


def value_leads_composition(a):
    f = (1.0, 0.0)
    for i in prange(len(a)):
        f = affine((0.5, a[i]), f)
    return f


def composition(a):
    f = (1.0, 0.0)
    for i in prange(len(a)):
        f = affine(f, (0.5, a[i]))
    return f


def powers(a):
    m = (1, 0, 0, 1)
    for i in prange(len(a)):
        m = product(m, (1, i % 3, i % 2, 1))
    return m


def variance(a):
    acc = (0, 0.0, 0.0)
    for i in prange(len(a)):
        acc = moments(acc, (1, a[i], 0.0))
    return acc


def place(a):
    acc = Best(-np.inf, -1)
    for i in prange(len(a)):
        acc = best(acc, Best(a[i], i))
    return acc


def nested(a):
    acc = ((np.inf, -np.inf), 0)
    n = 0
    for i in prange(len(a)):
        if a[i] == a[i]:
            acc = hull(acc, ((a[i], a[i]), 1))
        n += 1
    return acc, n


def with_other_reductions(a):
    f = (1.0, 0.0)
    t = (0, 0.0)
    found, where = -1e300, -1
    rows = np.zeros(3)
    for i in prange(len(a)):
        f = affine(f, (1.0, 1.0))
        t = (t[0] + 1, max(t[1], a[i]))
        if a[i] > found:
            found, where = a[i], i
        rows += i
    return f, t, where, rows


def given(a, acc):
    for i in prange(len(a)):
        acc = product(acc, (1, i, 0, 1))
    return acc


def closure(a):
    def note(acc, i):
        return later(acc, i if a[i] > 0 else -1)

    acc = -1
    for i in prange(len(a)):
        acc = note(acc, i)
    return acc


CHUNKED = [in_branches, in_inner_loops, value_leads, powers, place, nested, with_other_reductions, closure]


@pytest.mark.parametrize("function", CHUNKED)
def test_chunks(function):
    numbers = np.random.default_rng(2)
    check(function, *((numbers.normal(size=n),) for n in SIZES))


@pytest.mark.parametrize("function", [composition, value_leads_composition, variance])
def test_chunks_of_floats(function):
    numbers = np.random.default_rng(3)
    check(function, *((numbers.normal(size=n),) for n in SIZES), tolerance=1e-12)


def test_not_a_number():
    check(nested, (np.full(40, np.nan),), (np.array([np.nan, 1.0, -0.0] * 9),))
    check(in_branches, (np.array([1.0, np.nan, 3.0] * 9),))


def test_given_start():
    check(given, *((np.zeros(n), (2, 3, 5, 7)) for n in SIZES))


def test_results_are_the_same_each_time():
    a = np.random.default_rng(4).normal(size=1001)
    compiled = njit(parallel=True)(variance)
    for threads in (1, 2, 7):
        set_num_threads(threads)
        assert len({compiled(a) for _ in range(20)}) == 1


def test_one_thread_does_what_the_serial_loop_does():
    a = np.random.default_rng(5).normal(size=1001)
    set_num_threads(1)
    assert njit(parallel=True)(variance)(a) == njit(variance)(a)


# Errors of combiners


def checked(a):
    acc = 0
    for i in prange(len(a)):
        acc = ascending(acc, a[i])
    return acc


def checked_in_branches(a):
    acc = 0
    for i in prange(len(a)):
        if i % 2:
            acc = ascending(acc, a[i])
    return acc


def unused(a):
    acc = 0
    for i in prange(len(a)):
        acc = ascending(acc, a[i])
    return len(a)


@pytest.mark.parametrize("function", [checked, checked_in_branches, unused])
def test_errors(function):
    ordered = np.arange(100)
    falls = ordered.copy()
    falls[61:] -= 40
    check(function, (ordered,), (ordered[:0],), (falls,), (ordered[::-1],), (np.array([-1, -1]),))


# Two types, and loops without threads


def two_types(a, n):
    x = 1.0
    k = 1
    for i in prange(n):
        x = times(x, a[i])
        k = times(k, i + 1)
    return x, k


def test_two_specialisations():
    check(two_types, *((np.full(30, 0.5), n) for n in (0, 1, 9, 15)))


def changes_side(a):
    acc = -1
    for i in prange(len(a)):
        if a[i] > 0:
            acc = later(acc, i)
        else:
            acc = later(i, acc)
    return acc


def two_reductions(a):
    acc = 0
    for i in prange(len(a)):
        acc = times(acc, a[i])
        acc = total(acc, a[i])
    return acc


def looked_at(a):
    acc = 0
    for i in prange(len(a)):
        acc = total(acc, a[i])
        a[i] = acc
    return acc


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (changes_side, "the first argument of its reduction in one place, the second in another"),
        (two_reductions, "reduced by two different operators"),
        (looked_at, "is used for something else than one reduction"),
    ],
)
def test_others_stay_on_one_thread(function, reason):
    check(function, *((np.arange(n) - 3,) for n in (0, 1, 3, 40)), serial=True)
    warns_of(function, (np.arange(4),), reason)


# Reductions that can't be


@reduction(identity=0.5)
def wrong_identity(a, b):
    return a + b


@reduction(identity="")
def text_identity(a, b):
    return a + b


@reduction(identity=-1)
def below(a, b):
    return a | b


@reduction(identity=(0.0, 0.0, 0.0))
def too_many(a, b):
    return (a[0] + b[0], a[1] + b[1])


@reduction(identity=(0.5, 0))
def not_whole(a, b):
    return (a[0] + b[0], a[1] + b[1])


@reduction(identity=0)
def not_two(a, b):
    return (a[0] + b[0], a[1] + b[1])


def uses(step, start):
    def function(a):
        acc = start
        for i in prange(len(a)):
            acc = step(acc, start)
        return acc

    return function


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (uses(wrong_identity, 3), "the identity of wrong_identity(), of type float64, is no int64"),
        (uses(text_identity, 3), "the identity of text_identity(), of type unicode_type, is no int64"),
        (uses(below, np.uint8(3)), "the identity of below(), of type int64, is no uint64"),
        (uses(too_many, (1, 2)), "of type UniTuple(float64 x 3), is no UniTuple(int64 x 2)"),
        (uses(not_whole, (1, 2)), "of type Tuple(float64, int64), is no UniTuple(int64 x 2)"),
        (uses(not_two, (1, 2)), "the identity of not_two(), of type int64, is no UniTuple(int64 x 2)"),
    ],
)
def test_wrong_reductions(function, message):
    with pytest.raises(PyoptError) as error:
        njit(parallel=True)(function)(np.zeros(3))
    assert message in error.value.message
    code = function.__code__
    assert error.value.place[0] == code.co_filename
    assert code.co_firstlineno < error.value.place[1] <= code.co_firstlineno + 4
    # It is an ordinary function elsewhere.
    a = np.zeros(3)
    assert njit(function)(a) == function(a)


def test_declarations():
    with pytest.raises(TypeError, match="identity"):
        reduction(lambda a, b: a)
    with pytest.raises(TypeError, match="identity"):
        reduction()
    for function in (lambda a: a, lambda a, b, c: a, lambda a, *b: a, lambda a, b, *, c: a, lambda a, **b: a):
        with pytest.raises(TypeError, match="must take two arguments"):
            reduction(identity=0)(function)
    with pytest.raises(TypeError, match="is a Python function"):
        reduction(identity=0)(max)
    assert larger(1, 2) == 2 and later(3, 4) == 4
