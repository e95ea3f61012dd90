"""Functions of the overload library at the edges of what they take: NaN, NaT, infinities, wrong shapes."""

import numpy as np
import pytest
from library_checks import check

from pyopt import errors, njit

DATES = np.array(["2020-01-02", "NaT", "2019-01-01", "2021-05-05"], "M8[D]")
SPANS = np.array([3, 1, 2, "NaT", 7], "m8[s]")
INT64 = np.iinfo(np.int64)


def refused(expression, *args, match):
    """Check that an expression isn't compiled, and what is said."""
    names = {"np": np}
    exec(f"def function({', '.join('abc'[: len(args)])}):\n    return {expression}", names)
    with pytest.raises(errors.TypingError, match=match):
        njit(names["function"])(*args)


def test_heaviside_of_nan():
    for a in (np.nan, 0.0, -1.0, np.array([np.nan, -0.0, 3.0])):
        check("np.heaviside(a, b)", a, 0.5)
        check("np.heaviside(b, a)", a, 0.0)
    check("np.heaviside(a, b)", np.array([np.nan, 1], np.float32), np.array([2, 3], np.float32))


@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_sums_of_powers(name):
    for a in (np.inf, -np.inf, np.nan, 1.5, -0.6931471805599453):
        for b in (np.inf, -np.inf, np.nan, 1.5, -0.6931471805599453):
            check(f"np.{name}(a, b)", a, b)
            check(f"np.{name}(a, b)", np.array([a, b]), np.array([b, b]))
            check(f"np.{name}(a, b)", np.array([a, b], np.float32), np.array([b, b], np.float32))
    # Near zero the sum has the rounding errors of its terms, as NumPy's has.
    x = np.random.default_rng(0).normal(-0.69, 1e-3, 1000)
    y = np.log(-np.expm1(x))
    close = np.abs(njit(lambda a, b: np.logaddexp(a, b))(x, y) - np.logaddexp(x, y))
    assert (close <= 4 * np.finfo(float).eps).all()


@pytest.mark.parametrize("name", ["nanmin", "nanmax", "nanargmin", "nanargmax"])
def test_leaving_out_nat(name):
    for a in (DATES, SPANS, DATES[[1, 1]], SPANS[3:4]):
        check(f"np.{name}(a)", a, exact=True)
        check(f"np.{name}(a)", a[::-1], exact=True)
        check(f"np.{name}(a, 0)", np.stack((a, a[::-1])), exact=True)
    check(f"np.{name}(a, axis=1)", np.stack((DATES, DATES[::-1])), exact=True)
    check(f"np.{name}(a)", DATES[:0])


def test_polynomials_of_rows():
    rows = np.arange(6.0).reshape(2, 3)
    for x in (2.0, -0.5, np.arange(3.0), np.arange(12.0).reshape(4, 3)):
        check("np.polyval(a, b)", rows, x)
    check("np.polyval(a, b)", np.array([1, 2, 3], np.int8), np.array([100], np.int8), exact=True)
    check("np.polyval(a, b)", np.array([200, 3], np.uint8), np.uint8(9), exact=True)
    refused("np.polyval(a, 2.0)", np.array(3.0), match="the coefficients are a vector")


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_signals_are_vectors(name):
    vector, matrix = np.ones(3), np.ones((2, 2))
    check(f"np.{name}(a, b)", matrix, vector)
    check(f"np.{name}(a, b)", vector, matrix)
    check(f"np.{name}(a, b)", vector, 2.0)
    check(f"np.{name}(a, b)", 2.0, vector)


def test_slopes():
    for a in (DATES, SPANS, SPANS[::2], np.array([1 + 2j, 3, 5j])):
        check("np.gradient(a)", a)
        check("np.gradient(a, 2)", a)
        check("np.gradient(a, 2.5)", a)
    check("np.gradient(a)", SPANS[:1])
    refused("np.gradient(a)", np.array([True, False]), match="truth values aren't subtracted")


def test_differences_of_datetimes():
    for a in (DATES, DATES[::-1], DATES[:1], DATES.reshape(2, 2)):
        check("np.diff(a)", a, exact=True)
        check("np.diff(a, 2)", a, exact=True)
        check("np.diff(a, 1, 0)", a, exact=True)
    with pytest.raises(ValueError, match="datetimes are subtracted once at least"):
        njit(lambda a: np.diff(a, 0))(DATES)


def test_conditions_of_another_size():
    a = np.arange(6.0)
    for condition in ([True, False, True], [], [False] * 8, [True] * 6, [False] * 7 + [True]):
        mask = np.array(condition, np.bool_)
        for values in (a, a.reshape(2, 3), np.asfortranarray(a.reshape(2, 3)), a[::-1]):
            check("np.compress(a, b)", mask, values)
            check("np.extract(a, b)", mask, values)
    check("np.compress(a, b)", np.ones((1, 3), np.bool_), a)
    check("np.extract(a, b)", np.ones((2, 2), np.bool_), a)


def test_bins_that_hold_nan():
    nan = np.nan
    x = np.array([1.0, nan, 5.0, 2.5, -np.inf, np.inf])
    bins = [
        [nan, 3, 2, 1],
        [3, 2, nan],
        [1, 3, 2],
        [1, 3, nan],
        [nan, nan, 3, 2, 1],
        [nan],
        [2, 2],
        [],
        [1, 1, 0],
    ]
    for edges in (np.array(one, float) for one in bins):
        check("np.digitize(a, b)", x, edges)
        check("np.digitize(a, b, True)", x, edges)
        check("np.searchsorted(a, b)", edges, x)
        check("np.searchsorted(a, b, 'right')", edges, x)


def test_inverse_has_the_shape():
    for a in (
        np.array([[3, 1], [1, 3]]),
        np.arange(6.0).reshape(1, 2, 3) % 2,
        np.zeros((0, 2)),
        np.arange(3),
    ):
        check("np.unique(a, return_inverse=True)", a)
        check("np.unique(a, True, True, True)", np.asfortranarray(a))


def test_ones_and_parts_of_times():
    for a in (DATES, SPANS, DATES.reshape(2, 2).T, SPANS[::2]):
        for expression in (
            "np.ones_like(a)",
            "a.imag",
            "a.real",
            "np.imag(a)",
            "np.real(a)",
            "np.zeros_like(a)",
        ):
            check(expression, a, exact=True)
    check("np.ones(3, 'm8[s]')", exact=True)


def test_parts_of_no_dimension():
    for name in ("split", "array_split"):
        check(f"np.{name}(a, 2)", np.array(3.0))


def test_ints_and_bools():
    check("np.lcm(a, b)", np.array([INT64.min, INT64.max, 6, 0]), np.array([3, INT64.max - 1, -4, 0]))
    check("np.angle(a)", np.array([True, False]))
    check("np.angle(a)", np.array([-3, 4]))
    check("np.inner(a, b)", np.array([True, False]), np.array([True, True]))
    check("np.isclose(a, b)", np.array([True, False]), np.array([True, True]))
    check("np.isclose(a, b, atol=2)", np.array([1, 5], np.uint8), np.array([2, 1], np.uint8))
    check("np.allclose(a, b, atol=2)", np.array([1, 5], np.uint8), np.array([2, 6], np.uint8))
    for dtype in ("int8", "uint8", "uint64", "int64"):
        check("np.unwrap(a)", np.array([3, 100, 9, 2, 90]).astype(dtype))


def test_nothing():
    check("np.put(a, b, 1.0)", np.zeros(0), np.array([0]))
    check("np.partition(a, 3)", np.zeros(0))
    check("np.quantile(a, 0.5)", np.zeros(0))
    check("np.quantile(a, 0.5, axis=0)", np.zeros((0, 3)))
    check("np.nanquantile(a, 0.5)", np.zeros(0))
    check("np.flip(a)", np.array(3.0))
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        njit(lambda a: np.average(a, 0))(np.zeros((3, 0)))


def test_times_among_others():
    check("np.argwhere(a)", DATES)
    check("np.flatnonzero(a)", SPANS)
    check("np.nan_to_num(a)", SPANS, exact=True)
    refused("np.float_power(a, 2)", SPANS, match="times have no powers")
    refused("np.unwrap(a)", SPANS, match="phases to unwrap are ints or floats")
    refused("np.corrcoef(a)", np.array([1j, 2]), match="the covariance of complex numbers")


def test_memory_that_may_be_shared():
    a = np.arange(12.0).reshape(3, 4)
    shared = njit(lambda a, b: np.may_share_memory(a, b))
    for x, y in ((a, a), (a[0], a[1]), (a[::2], a[1]), (a[:0], a), (a, np.ones(3)), (a.T, a[2:])):
        assert shared(x, y) == np.may_share_memory(x, y)
