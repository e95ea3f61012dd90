"""Selection without sorting: partitions, medians and quantiles against sorting."""

import functools

import numpy as np
import pytest
from library_checks import DTYPES, EVERY, check

from pyopt import njit
from pyopt.library import partial_sorting

SIZES = (1, 2, 3, 16, 17, 40, 255, 256, 700, 4095, 4096)


def inputs(size, dtype, seed=0):
    """Give vectors of a size: at random, with few different elements, in order, reversed, up and down."""
    random = np.random.default_rng(seed)
    mixed = random.permutation(size)
    few = random.integers(0, 3, size)
    up = np.arange(size)
    for v in (mixed, few, up, up[::-1], np.minimum(up, size - up), np.zeros(size, int), mixed % 50):
        if dtype == "bool":
            yield v % 2 == 0
        else:
            yield (v % 120 if dtype.endswith("int8") else v).astype(dtype)


def with_nan(v, seed=0):
    """Replace some elements by NaN."""
    holed = v.copy()
    holed[np.random.default_rng(seed).random(v.size) < 0.2] = np.nan
    return holed


@njit
def partitioned(v, k):
    return np.partition(v, k), np.argpartition(v, k)


def check_partition(v, k):
    """Check that an element is in its place, what isn't behind it before it, and that none is lost."""
    found, places = partitioned(v, k)
    assert found.dtype == v.dtype
    assert places.dtype == np.int64
    ordered = np.sort(v)
    np.testing.assert_array_equal(np.sort(places), np.arange(v.size))
    for one in (found, v[places]):
        np.testing.assert_array_equal(np.sort(one), ordered)
        for position in np.atleast_1d(k):
            np.testing.assert_array_equal(one[position], ordered[position])
            position %= v.size
            np.testing.assert_array_equal(np.sort(one[:position]), ordered[:position])


@pytest.mark.parametrize("dtype", EVERY)
def test_partitions_of_all_types(dtype):
    for size in SIZES:
        for v in inputs(size, dtype):
            for k in sorted({0, size // 3, size - 1, -1}):
                check_partition(v, k)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_nan_is_last(dtype):
    for size in (1, 5, 17, 300, 5000):
        for v in inputs(size, dtype):
            holed = with_nan(v)
            for k in {0, size // 2, size - 1}:
                check_partition(holed, k)
            check_partition(np.full(size, np.nan, dtype), size // 2)


def test_dates_and_durations():
    for dtype in ("M8[D]", "m8[s]"):
        v = np.random.default_rng(1).integers(0, 1000, 600).astype(dtype)
        v[::7] = "NaT"
        for k in (0, 100, 599):
            check_partition(v, k)


def test_several_positions():
    v = np.random.default_rng(2).integers(0, 900, 1000)
    for k in ((3,), (500, 2, 999), (0, 0, 1, 2, 3), (-1, 0, -999)):
        check_partition(v, k)
        check_partition(v, np.array(k))
        check("np.partition(a, b)[b[0]]", v, np.array(k))
    check("np.partition(a, b)", v[:20], np.array([3, 20]))
    check("np.partition(a, -21)", v[:20])


def test_axes_and_layouts():
    a = np.random.default_rng(3).integers(0, 50, (7, 40, 3)).astype(float)
    for axis in (0, 1, 2, -1):
        k = a.shape[axis] // 2
        for one in (a, np.asfortranarray(a), a[::-1, :, ::-1]):
            wanted = np.take(np.sort(one, axis), k, axis)
            found = njit(lambda a, k, axis: np.partition(a, k, axis))(one, k, axis)
            places = njit(lambda a, k, axis: np.argpartition(a, k, axis))(one, k, axis)
            np.testing.assert_array_equal(np.take(found, k, axis), wanted)
            np.testing.assert_array_equal(np.sort(found, axis), np.sort(one, axis))
            np.testing.assert_array_equal(np.take(np.take_along_axis(one, places, axis), k, axis), wanted)
    check("np.partition(a, 100, None)[100]", a)
    check("a[:0].size, np.partition(a[:, :0], 1).shape", a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_medians_and_quantiles(dtype):
    for size in SIZES:
        for v in inputs(size, dtype):
            check("np.median(a), np.nanmedian(a)", v)
            if dtype != "bool":
                check("np.quantile(a, 0.0), np.quantile(a, 1.0), np.quantile(a, 0.3)", v)
                check("np.percentile(a, b)", v, np.array([99.0, 0.0, 50.0, 12.5, 50.0, 100.0]))
                check("np.nanpercentile(a, b)", v, np.linspace(0, 100, 50))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_quantiles_with_nan(dtype):
    for size in (1, 2, 17, 300, 4100):
        for v in inputs(size, dtype):
            holed = with_nan(v)
            check("np.median(a), np.nanmedian(a), np.quantile(a, 0.3), np.nanquantile(a, 0.3)", holed)
            check("np.percentile(a, b), np.nanpercentile(a, b)", holed, np.array([10.0, 90.0]))
    infinite = np.array([np.inf, -np.inf, 1, 2, -np.inf] * 7, dtype)
    check("np.median(a), np.nanmedian(a), np.median(a[:4]), np.partition(a, 17)[17]", infinite)


@functools.total_ordering
class Adversary:
    """Decides how it compares only when asked, so that pivots are bad: McIlroy's killer of quicksorts."""

    decided = 0
    suspect = None

    def __init__(self):
        """Leave the value open, which is greater than all that are decided."""
        self.value = None

    def __lt__(self, other):
        """Decide the value of one of two that are open."""
        if self.value is None and other.value is None:
            (other if other is Adversary.suspect else self).decide()
            if self.value is None and other.value is None:
                raise AssertionError
        if self.value is None:
            Adversary.suspect = self
        elif other.value is None:
            Adversary.suspect = other
        mine, others = (np.inf if one.value is None else one.value for one in (self, other))
        return mine < others

    def __eq__(self, other):
        """Compare by identity: no two are equal."""
        return self is other

    def decide(self):
        """Take the next value."""
        self.value = Adversary.decided
        Adversary.decided += 1


def test_bad_pivots(monkeypatch):
    """An input made against the choice of pivots is sorted, in time that isn't quadratic."""
    size = 3000
    items = [Adversary() for _ in range(size)]
    v = np.array(items, object)
    sorted_parts = []
    monkeypatch.setattr(partial_sorting, "before", lambda x, y: x < y)

    def sort_all(part, places):
        sorted_parts.append(part.size)
        for item in part:
            if item.value is None:
                item.decide()
        part[:] = sorted(part, key=lambda item: item.value)

    monkeypatch.setattr(partial_sorting, "sort_all", sort_all)
    partial_sorting.select_number(v, None, size - 1)
    for item in items:
        if item.value is None:
            item.decide()
    assert sorted_parts
    assert max(sorted_parts) > 100
    check_partition(np.array([item.value for item in items]), size - 1)
    check_partition(np.array([float(item.value) for item in items]), size - 1)
