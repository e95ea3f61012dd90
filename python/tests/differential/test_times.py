"""datetime64 and timedelta64: operators, functions, conversions and constants, as NumPy has them."""

import itertools
import warnings

import numpy as np
import pytest

from pyopt import errors, njit

T = np.timedelta64
D = np.datetime64

SCALARS = [
    T(3), T(-7, "s"), T("NaT", "s"), T(2, "ms"), T(3, "M"), T(2, "W"), D("2014"), D("2014-02"),
    D("2014-01-07", "W"), D("NaT"), D("1960-01-05T12:30:56.008"), D("0004-02-29"), 3, 0, 2.5, np.nan,
    np.uint32(2), np.float32(1.5),
]  # fmt: skip
ARRAYS = [
    np.array([1, -5, 2], "m8[s]"), np.array([1, "NaT", 2], "m8[h]"), np.array([], "m8[s]"),
    np.array(["2000-01-01", "NaT", "1900-03-01"], "M8[D]"), np.array([2, 0, -3]), np.array([2.5, 0, -3]),
]  # fmt: skip


def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a * b


def divide(a, b):
    return a / b


def floor_divide(a, b):
    return a // b


def remainder(a, b):
    return a % b


def compare_all(a, b):
    return a < b, a <= b, a > b, a >= b


def equal(a, b):
    return a == b, a != b


def same(got, expected):
    if isinstance(expected, tuple):
        return len(got) == len(expected) and all(map(same, got, expected))
    got, expected = np.asarray(got), np.asarray(expected)
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    if got.dtype.kind in "mM":
        got, expected = got.view("i8"), expected.view("i8")
    return np.array_equal(got, expected, equal_nan=got.dtype.kind == "f")


def check(function, *args):
    """Compare a function, compiled and not, on copies of its arguments."""
    compiled = function if hasattr(function, "py_func") else njit(function)
    copies = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = compiled.py_func(*args)
    got = compiled(*copies)
    assert same(got, expected), (args, got, expected)
    assert all(map(same, copies, args))


@pytest.mark.parametrize(
    "function", [add, subtract, multiply, divide, floor_divide, remainder, compare_all, equal]
)
def test_operators(function):
    compiled = njit(function)
    count = 0
    for a, b in itertools.product(SCALARS + ARRAYS, repeat=2):
        if not any(np.asarray(one).dtype.kind in "mM" for one in (a, b)):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected = function(a, b)
            except (TypeError, ValueError, OverflowError):
                expected = None
        try:
            got = compiled(a, b)
        except errors.TypingError:
            # What NumPy answers for unrelated types, that they are unequal, is an error of types here.
            assert expected is None or function is equal
            continue
        except ValueError:
            got = None
        assert (got is None) == (expected is None), (a, b)
        assert got is None or same(got, expected), (a, b, got, expected)
        count += 1
    assert count > 20


UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"]


@pytest.mark.parametrize("unit", UNITS)
def test_units_of_points(unit):
    days = np.arange(-800_000, 800_000, 1237).astype("M8[D]")
    if unit in ("us", "ns"):
        days = days[abs(days.astype(int)) < 100_000]
    dtype = np.dtype(f"M8[{unit}]")

    def there(a):
        return a.astype(dtype)

    def back(a):
        return a.astype("M8[D]"), a.astype("M8[M]"), a.astype("M8[Y]")

    check(there, days)
    check(back, days.astype(dtype))


def test_units_of_distances():
    def convert(a):
        return a.astype("m8[m]"), a.astype("m8[us]"), a.astype("m8[W]")

    check(convert, np.array([-61, -60, -59, 0, 59, 60, "NaT"], "m8[s]"))

    def years(a):
        return a.astype("m8[M]"), a.astype("m8[Y]")

    check(years, np.array([-13, -12, 0, 25, "NaT"], "m8[M]"))


DELTAS = [np.array([3, 1, -9], "m8[s]"), np.array([3, "NaT", 1], "m8[s]"), np.array([5], "m8[D]")]
POINTS = [
    np.array(["2000-01-01", "2004-02-29", "1900-03-01"], "M8[D]"),
    np.array(["NaT", "2001-01-01"], "M8[s]"),
]
DAY = D("2001-01-01")
FOUR = T(4, "D")
FROZEN = np.array(["2000-01-01", "NaT"], "M8[s]")
MILLISECONDS = np.dtype("M8[ms]")


@pytest.mark.parametrize("a", DELTAS)
def test_functions_of_distances(a):
    def unary(a):
        return -a, +a, abs(a), np.abs(a), np.isnat(a), np.isnan(a), np.isfinite(a), np.negative(a)

    def reductions(a):
        return a.min(), a.max(), a.sum(), a.mean(), a.any(), a.all(), np.argmin(a), np.argmax(a)

    def extrema(a):
        return np.maximum(a, FOUR), np.minimum(a, FOUR), np.fmax(a, FOUR), np.fmin(a, FOUR)

    def library(a):
        return np.sort(a), np.argsort(a), np.diff(a), np.cumsum(a), np.concatenate((a, a)), np.repeat(a, 2)

    def conversions(a):
        return a.astype(np.int64), a.astype(np.float32), a.astype(np.bool_), a.view(np.int64)

    def loop(a):
        total = T(0, "s")
        for x in a:
            total += x
        return total

    def in_place(a, b):
        a += b
        a -= a + b
        return a

    for function in (unary, reductions, extrema, library, conversions, loop):
        check(function, a)
    check(in_place, a.copy(), a[0])


@pytest.mark.parametrize("a", DELTAS)
def test_signs_of_distances(a):
    # NumPy's own are floats since 2.5; they are distances here, as they were.
    signs = njit(lambda a: np.sign(a))(a)
    assert signs.dtype == a.dtype and same(signs.view("i8"), np.sign(a.view("i8")))


@pytest.mark.parametrize("a", POINTS)
def test_functions_of_points(a):
    def reductions(a):
        return a.min(), a.max(), np.isnat(a)

    def library(a):
        return np.sort(a), np.diff(a), np.unique(a), a[::-1], a[a > DAY], np.where(a > DAY, a, DAY)

    def assigned(a, value):
        a[0] = value
        a[1:] = value
        return a.copy()

    for function in (reductions, library):
        check(function, a)
    check(assigned, a.copy(), DAY)
    check(assigned, a.copy(), D("2001-02-03T04", "h"))


def into(out, a, b, n):
    np.add(a, b, out)
    np.subtract(a, b, out=out[::-1])
    np.multiply(a, n, out)
    np.maximum(a, b, out[:])
    return np.negative(b, out)


def points_into(out, moments, a):
    np.add(moments, a, out)
    return np.minimum(moments, moments[::-1], out=out)


def test_results_in_given_arrays():
    a = np.array([5, -7, "NaT", 0], "m8[m]")
    b = np.array([90, 3, 1, "NaT"], "m8[s]")
    for unit in ("s", "ms"):
        check(into, np.zeros(4, f"m8[{unit}]"), a, b, 3)
        moments = np.array(["2021-03-04", "NaT", "1969-12-31T23:59:59", "2000"], "M8[s]")
        check(points_into, np.zeros(8, f"M8[{unit}]")[::2], moments, a)
    for out in (np.zeros(4, "m8[m]"), np.zeros(4, "M8[s]"), np.zeros(4, "i8"), np.zeros(4)):
        with pytest.raises(errors.TypingError, match="doesn't go into"):
            njit(lambda out, a, b: np.add(a, b, out))(out, a, b)


def test_new_arrays():
    def make(n):
        return np.zeros(n, "M8[s]"), np.zeros(n, MILLISECONDS), np.full(n, FOUR), np.full(n, DAY, "M8[s]")

    def like(a):
        return np.zeros_like(a), np.full_like(a, DAY), np.array([DAY, a[0]]), a.dtype.kind, a.itemsize

    check(make, 3)
    check(like, POINTS[0])


def test_constants():
    def constants(x):
        return x + DAY, DAY + FOUR, FROZEN, FROZEN + x

    def written():
        return (
            np.datetime64("2001-02-03"), np.datetime64("2001-02-03T04:05:06.789"), np.datetime64("2014", "D"),
            np.datetime64("NaT", "us"), np.timedelta64("NaT"), np.timedelta64(5, "s"), np.timedelta64(7),
        )  # fmt: skip

    def made(n, delta):
        return np.datetime64(n, "s"), np.timedelta64(n, "ms"), np.timedelta64(n), np.timedelta64(delta, "ms")

    check(constants, FOUR)
    check(written)
    check(made, 5, T(5, "s"))


def test_scalars():
    def least(a, b):
        return min(a, b), max(a, b), min(b, a), max(b, a)

    def truth(a):
        return bool(a), 1 if a else 2

    def parts(a, b):
        return divmod(a, b), (a, b), [a, b][0]

    def maybe(flag, a):
        return a if flag else None

    for a, b in itertools.product([T(3, "D"), T(-1, "D"), T("NaT", "D"), T(70, "h")], repeat=2):
        check(parts, a, b)
        if a.dtype == b.dtype:
            check(least, a, b)
    check(truth, T(0, "s"))
    check(truth, T("NaT", "s"))
    assert njit(maybe)(True, DAY) == DAY
    assert njit(maybe)(False, DAY) is None


def test_nanoseconds_are_ints():
    # Numba's rule: NumPy gives an int for nanoseconds only.
    assert njit(lambda x: int(x))(T(5, "ns")) == 5
    with pytest.raises(errors.TypingError, match="only times in nanoseconds are ints"):
        njit(lambda x: int(x))(T(5, "s"))


def test_types_name_the_unit():
    function = njit(add)
    function(D("2001-01-01"), T(1, "s"))
    function(D("2001-01-01"), T(1, "ms"))
    assert [str(signature) for signature in function.signatures] == [
        "(datetime64[D], timedelta64[s])",
        "(datetime64[D], timedelta64[ms])",
    ]
    declared = njit("NPDatetime('us')(NPDatetime('ms'), NPTimedelta('us'))")(add)
    assert declared(D(1, "ms"), T(2, "us")) == D(1002, "us")


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (add, (T(1, "M"), T(1, "D")), "months differ in length"),
        (add, (DAY, DAY), r"no implementation of \+ for \(datetime64\[D\], datetime64\[D\]\)"),
        (add, (T(1, "W"), T(1, "as")), "too far apart"),
        (lambda x: x.sum(), (POINTS[0],), "points in time|neither"),
        (lambda x: np.isnat(x), (1.0,), "only datetime64 and timedelta64 have NaT"),
        (lambda x: np.median(x), (DELTAS[0],), "no implementation"),
        (add, (D("2014", "10Y"), T(1, "Y")), "datetime64"),
    ],
)
def test_refusals(function, args, message):
    with pytest.raises((errors.TypingError, TypeError), match=message):
        njit(function)(*args)
