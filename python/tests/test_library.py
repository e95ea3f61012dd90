"""The overload library gives what NumPy gives: values, dtypes and shapes."""

import numpy as np
import pytest
from library_checks import DTYPES, EVERY, FLOATS, arrays, check, layouts, numbers, same

from pyopt import njit

ANY_SHAPE = [
    "np.cumsum(a)",
    "np.cumprod(a)",
    "a.cumsum()",
    "np.ravel(a)",
    "a.ravel()",
    "a.flatten()",
    "a.reshape(-1)",
    "np.roll(a, 3)",
    "np.roll(a, -2)",
    "np.repeat(a, 3)",
    "np.tile(a, 2)",
    "np.tile(a, (2, 2))",
    "np.flatnonzero(a)",
    "np.nonzero(a)",
    "np.argwhere(a)",
    "np.count_nonzero(a)",
    "np.append(a, a)",
    "np.array_equal(a, a)",
    "np.take(a, np.array((0, 0)))",
    "np.diff(a)",
    "np.concatenate((a, a))",
    "np.vstack((a, a))",
    "np.hstack((a, a))",
    "np.stack((a, a))",
    "np.stack((a, a), axis=1)",
    "np.atleast_2d(a)",
    "np.expand_dims(a, 0)",
    "np.expand_dims(a, -1)",
    "a[a != 0]",
    "np.where(a)",
    "np.extract(a > 0, a)",
    "a.sum(keepdims=True)",
    "np.flip(a)",
    "np.flipud(a)",
]

ORDER = [
    "np.sort(a)",
    "np.argsort(a, kind='stable')",
    "np.argmin(a)",
    "np.argmax(a)",
    "a.argmax()",
    "np.ptp(a + 0)",
    "np.unique(a)",
    "np.median(a)",
    "np.max(a)",
    "np.min(a)",
    "np.sort(a, axis=None)",
    "np.searchsorted(np.sort(a.ravel()), a)",
    "np.searchsorted(np.sort(a.ravel()), a, side='right')",
    "np.isin(a, a[:1])",
    "np.unique(a, return_counts=True)",
]

AXES = [
    "np.sum(a, axis=b)",
    "np.prod(a, axis=b)",
    "np.mean(a, axis=b)",
    "np.var(a, axis=b)",
    "np.std(a, b)",
    "np.min(a, axis=b)",
    "np.max(a, b)",
    "np.any(a, axis=b)",
    "np.all(a, axis=b)",
    "np.argmin(a, axis=b)",
    "np.argmax(a, axis=b)",
    "a.sum(b)",
    "a.max(axis=b)",
    "a.mean(b)",
    "np.cumsum(a, axis=b)",
    "np.cumprod(a, axis=b)",
    "np.sort(a, axis=b)",
    "np.argsort(a, axis=b, kind='stable')",
    "np.diff(a, axis=b)",
    "np.median(a, axis=b)",
    "np.sum(a, axis=b, keepdims=True)",
    "np.min(a, axis=b, keepdims=True)",
    "np.mean(a, axis=b, keepdims=True)",
    "np.concatenate((a, a), axis=b)",
    "np.roll(a, 2, axis=b)",
    "np.repeat(a, 2, axis=b)",
    "np.take(a, np.array((1, 0, -1)), axis=b)",
    "np.count_nonzero(a, axis=b)",
    "np.ptp(a + 0, axis=b)",
    "np.quantile(a + 0, 0.3, axis=b)",
]


@pytest.mark.parametrize("expression", ANY_SHAPE)
def test_arrays_of_any_shape(expression):
    dtypes = DTYPES if "> 0" in expression else EVERY
    for a in arrays(dtypes, (3, 4), (11,), (2, 3, 2)):
        check(expression, a)
    if "take" not in expression:
        check(expression, numbers("float64", (0,)))


@pytest.mark.parametrize("expression", ORDER)
def test_order(expression):
    for dtype in DTYPES:
        for size in (0, 1, 2, 7, 40, 301):
            check(expression, numbers(dtype, (size,), size))
    for dtype in FLOATS:
        check(expression, np.array([1.0, np.nan, -0.0, 0.0, -np.inf, np.inf, np.nan, 2.5], dtype))
    for a in arrays((), (23,), (4, 5)):
        check(expression, a)


@pytest.mark.parametrize("expression", AXES)
def test_axes(expression):
    for a in arrays(DTYPES, (3, 4, 2), (5, 2), (9,)):
        for axis in range(-a.ndim, a.ndim):
            check(expression, a, axis)
    check(expression, numbers("float64", (3, 4)), 2)
    check(expression, numbers("float64", (3, 4)), -3)


def test_flipping():
    for a in arrays((), (3, 4, 2), (5, 2), (9,)):
        for axis in range(-a.ndim, a.ndim):
            check(f"np.flip(a, {axis})", a)


def test_sorting_many():
    random = np.random.default_rng(1)
    for size in (100, 1000, 5000):
        for a in (
            random.standard_normal(size),
            np.arange(size) // 3,
            np.arange(size)[::-1] * 1.0,
            np.zeros(size),
            random.integers(0, 4, size),
            np.concatenate((np.arange(size // 2), np.arange(size // 2)[::-1])),
        ):
            check("np.sort(a)", a, exact=True)
            check("np.argsort(a, kind='stable')", a)


def test_sorting_in_place():
    @njit
    def rows(a):
        a.sort()
        return a

    @njit
    def columns(a):
        a.sort(axis=0)
        return a

    for a in (*layouts("float64", (30,)), *layouts("int32", (5, 6))):
        same(rows(a.copy("K")), np.sort(a), True)
        same(columns(a.copy("K")), np.sort(a, axis=0), True)


@pytest.mark.parametrize(
    "expression",
    [
        "np.nansum(a)",
        "np.nanprod(a)",
        "np.nanmean(a)",
        "np.nanvar(a)",
        "np.nanstd(a)",
        "np.nanmin(a)",
        "np.nanmax(a)",
        "np.nanmedian(a)",
        "np.nanpercentile(a, 40.0)",
        "np.nansum(a, axis=0)",
        "np.nanmean(a, axis=1)",
        "np.nanmin(a, axis=0)",
    ],
)
def test_without_nan(expression):
    for dtype in ("int32", *FLOATS):
        for a in layouts(dtype, (5, 6)):
            if a.dtype.kind == "f":
                a = a.copy("K")
                a[1, 2] = a[3, 3] = a[0, 0] = np.nan
            check(expression, a)
    check(expression.replace("axis=1", "axis=0"), np.full((2, 2), np.nan))


@pytest.mark.parametrize("name", ["nansum", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax"])
def test_complex_without_nan(name):
    a = np.array([[1 + 2j, complex(np.nan, 1), -1j], [3, complex(1, np.nan), 0.5 + 1j]])
    for dtype in ("c8", "c16"):
        check(f"np.{name}(a), np.{name}(a, axis=0)", a[:, ::2].astype(dtype))
        check(f"np.{name}(a), np.{name}(a, axis=1)", a.astype(dtype))


def test_lists_are_arrays():
    expression = "np.nanmin([a, 2.0, 1.0]), np.nanmax([3, 1]), np.ptp([a, 2.5]), np.percentile([3, 1, 2], 50)"
    check(expression, 4.0)

    def of_lists(items):
        items.append(7.0)
        return np.nanmin(items), np.nanmax(items), np.ptp(items), np.quantile(items, [0.5, 0.25])

    got, expected = njit(of_lists)([3.0, 9.0]), of_lists([3.0, 9.0])
    same(got, expected, True)


@pytest.mark.parametrize(
    "expression", ["np.percentile(a, b)", "np.quantile(a, b / 100)", "np.percentile(a, (b, 50.0))"]
)
def test_quantiles(expression):
    for dtype in ("int64", "float64"):
        for size in (1, 2, 7, 40):
            for q in (0.0, 25.0, 33.3, 50.0, 99.0, 100.0):
                check(expression, numbers(dtype, (size,), size), q)
    check("np.percentile(a, b)", np.arange(10.0), np.array([5.0, 50.0, 95.0]))
    for a in (np.arange(10.0), np.arange(24).reshape(2, 3, 4), np.array([2.0, np.nan, 1.0, 5.0])):
        for q in (np.array([[5.0, 50.0], [95.0, 0.0]]), np.array([5.0, 9.0, 95.0])[::2], np.array(30.0)):
            check("np.percentile(a, b), np.nanpercentile(a, b), np.nanquantile(a, b / 100)", a, q)
        check("np.quantile(a, [0.5, 0.25]), np.nanpercentile(a, [50, 25]), np.nanquantile(a, (0.5, 1.0))", a)
    check("np.nanpercentile(a, b)", np.full(3, np.nan), np.array([5.0, 50.0]))
    for q in (101.0, -1, np.nan, np.array([5.0, 101.0])):
        check("np.percentile(a, b)", np.arange(10.0), q)
        check("np.quantile(a, b)", np.arange(10.0), q)


def test_joining():
    a, b = numbers("int32", (3, 4)), numbers("float64", (2, 4))
    check("np.concatenate((a, b))", a, b)
    check("np.vstack((a, b, a))", a, b)
    check("np.concatenate((a, b), axis=1)", a, b)
    check("np.concatenate((a, b), axis=None)", a, b)
    check("np.hstack((a, b))", np.asfortranarray(a), numbers("uint8", (3, 2)))
    check("np.hstack((a, b))", numbers("uint8", (3,)), numbers("float32", (5,)))
    check("np.column_stack((a, b))", numbers("uint8", (3,)), numbers("float32", (3,)))
    check("np.stack((a, b), axis=-1)", numbers("uint8", (3,)), numbers("float32", (3,)))
    check("np.append(a, b, axis=0)", a, b)
    check("np.append(a, 1.5)", a)


def test_selecting():
    a = numbers("float64", (6, 5))
    for array in (a, np.asfortranarray(a), a[::-1, ::-1]):
        for index in ([0, 2, -1], [], [[1, 2], [3, -6]]):
            check("a[b]", array, np.array(index, np.int64))
            check("a[b]", array, np.array(index, np.int32))
        check("a[b]", array, np.array([7]))
        check("a[b]", array, array[:, 0] > 0)
        check("a[b]", array, array > 0)
        check("a[:, b]", array, np.array([0, 3, 3]))
        check("a[b, 1:3]", array, np.array([0, 3, 3]))
        check("a[b, 2]", array, np.array([0, 3, 3]))
        check("a[2, b]", array, np.array([0, 3, 3]))
        check("a[b, c]", array, np.array([0, 3, 3]), np.array([1, -1, 0]))
        check("a[:, b]", array, array[0] > 0)
        check("np.take(a, b)", array, np.array([0, 29, -30]))
        check("np.take(a, 1, axis=1)", array)
    check("a[b]", numbers("int8", (9,)), np.array([True, False] * 4 + [True]))
    check("a[b]", numbers("int8", (9,)), np.array([True, False]))


def test_assigning():
    @njit
    def by(a, index, value):
        a[index] = value
        return a

    mask = np.array([True, False, True, True])
    for a, index, value in [
        (numbers("float64", (4,)), mask, np.array([1.0, 2.0, 3.0])),
        (numbers("float64", (4,)), mask, 7),
        (numbers("float64", (4, 3)), mask, 7.5),
        (numbers("float64", (4, 3)), numbers("bool", (4, 3)), 7.5),
        (numbers("float64", (4,)), np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0])),
        (numbers("float64", (4, 3)), np.array([0, -1]), np.array([1.0, 2.0, 3.0])),
        (numbers("float64", (4, 3)), np.array([0, -1]), np.arange(6.0).reshape(2, 3)),
        (numbers("int32", (4,)), np.array([0, -1]), 3),
    ]:
        expected = a.copy()
        expected[index] = value
        same(by(a.copy(), index, value), expected, True)


def test_matrices():
    for dtype in ("int32", "float64"):
        for a in (numbers(dtype, (4, 5)), numbers(dtype, (5, 4)).T):
            for k in (-6, -2, 0, 1, 5):
                check("np.tril(a, b)", a, k)
                check("np.triu(a, b)", a, k)
                check("np.trace(a, b)", a, k)
                check("np.diag(a, b)", a, k)
            check("np.kron(a, a)", a)
            check("np.fliplr(a)", a)
            check("np.meshgrid(a[0], a[:, 1])", a)
            check("np.meshgrid(a[0], a[:, 1], indexing='ij')", a)
        for v in (numbers(dtype, (4,)), numbers(dtype, (4,))[::-1]):
            check("np.diag(a, b)", v, 1)
            check("np.kron(a, a)", v)
            check("np.cross(a[:3], a[1:])", v)
    check("np.tri(a)", 3)
    check("np.tri(a, 4, 1)", 3)
    check("np.tri(a, 4, -1, np.int32)", 3)
    check("np.reshape(a, (b, -1))", np.arange(12.0), 3)
    check("np.reshape(a, (b, -1))", np.arange(12.0), 5)
    check("a.reshape(2, 3, 2)", np.arange(12))
    check("a.reshape((2, 3, 2)).sum(axis=1)", np.arange(12))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_convolution(mode):
    for first in (1, 2, 5, 8):
        for second in (1, 2, 3, 8):
            a, b = numbers("float64", (first,), 1), numbers("float64", (second,), 2)
            check(f"np.convolve(a, b, '{mode}')", a, b)
            check(f"np.correlate(a, b, '{mode}')", a, b)


def test_interpolation_and_bins():
    xp, fp = np.array([0.0, 1.0, 2.5, 4.0]), np.array([1.0, -1.0, 3.0, 2.0])
    x = np.array([-1.0, 0.0, 0.5, 1.0, 3.3, 4.0, 5.0, np.nan])
    check("np.interp(a, b, c)", x, xp, fp)
    check("np.interp(a, b, c, -9.0, 9.0)", x, xp, fp)
    check("np.interp(a, b, c)", 1.25, xp, fp)
    check("np.digitize(a, b)", x, xp)
    check("np.digitize(a, b, True)", x, xp)
    check("np.digitize(a, b)", x[:-1], xp[::-1])
    check("np.digitize(a, b, right=True)", x[:-1], xp[::-1])
    check("np.histogram(a)", numbers("float64", (100,)))
    check("np.histogram(a, 5)", numbers("int32", (100,)))
    check("np.histogram(a, 5, (b, c))", numbers("float64", (100,)), -1.0, 1.5)
    check("np.histogram(a, b)", numbers("float64", (100,)), xp)
    check("np.bincount(a)", np.array([0, 1, 1, 5, 2]))
    check("np.bincount(a, minlength=9)", np.array([0, 1, 1, 5, 2], np.uint8))
    check("np.bincount(a, b)", np.array([0, 1, 1, 5, 2]), np.arange(5.0))
    check("np.bincount(a)", np.array([0, -1]))
    check("np.trapezoid(a)", fp)
    check("np.trapezoid(a, b)", fp, xp)
    check("np.trapezoid(a, dx=0.5)", fp)
    check("np.logspace(a, b, 7)", 0.0, 3.0)
    check("np.logspace(a, b, 7, False)", 0.0, 3.0)
    check("np.geomspace(a, b, 7)", 1.0, 1000.0)
    check("np.geomspace(a, b, 7)", -1.0, -64.0)


def test_covariance():
    a, b = numbers("float64", (3, 20), 1), numbers("float64", (3, 20), 2)
    check("np.cov(a)", a)
    check("np.cov(a, b)", a, b)
    check("np.cov(a, rowvar=False)", a)
    check("np.cov(a, bias=True)", a)
    check("np.cov(a[0])", a)
    check("np.corrcoef(a)", a)
    check("np.corrcoef(a, b)", a, b)


def test_closeness():
    a = np.array([1.0, np.nan, np.inf, -np.inf, 1e-9, 1e10])
    b = np.array([1.0 + 1e-9, np.nan, np.inf, np.inf, 0.0, 1.00001e10])
    check("np.isclose(a, b)", a, b)
    check("np.isclose(a, b, equal_nan=True)", a, b)
    check("np.isclose(a, 1.0)", a)
    check("np.allclose(a, b)", a, b)
    check("np.allclose(a[:1], b[:1])", a, b)
    check("np.array_equal(a, b)", a, b)
    check("np.array_equal(a, b)", np.arange(3), np.arange(3.0))
    check("np.array_equal(a, b)", np.arange(3), np.arange(4))


@pytest.mark.parametrize("expression", ["sum(a)", "max(a)", "min(a)", "any(a)", "all(a)", "sum(a, 2.5)"])
def test_builtins(expression):
    for a in (np.arange(1, 6), np.array([0.5, 0.25, -3.0]), np.array([0, 0, 3]), numbers("float32", (7,))):
        check(expression, a)


def test_results_can_be_written_to():
    @njit
    def flattened(a):
        v = a.reshape(-1)
        v[0] = 7.0
        return v

    a = np.zeros((2, 2))
    flattened(a)
    assert a[0, 0] == 7.0
