"""Joining, repeating and rolling along each axis, and positions and histograms, which have several forms."""

import numpy as np
import pytest
from library_checks import check

from pyopt import njit

CUBE = np.arange(60.0).reshape(3, 4, 5)
LAYOUTS = (CUBE, np.asfortranarray(CUBE), CUBE[::-1, :, ::-1], CUBE[:, :0], CUBE[:1, :, :1])


def test_along_each_axis():
    for a in LAYOUTS:
        for axis in (0, 1, 2, -1):
            check("np.concatenate((a, a), axis=b), np.repeat(a, 3, b), np.roll(a, 2, b)", a, axis)
            check("np.concatenate((a, a + 1, a[:]), axis=b), np.roll(a, -7, b)", a, axis)
        check("np.concatenate((a, a.astype(np.int32)), axis=None), np.repeat(a, 2), np.roll(a, 4)", a)
        check("np.tile(a, 3), np.tile(a, (2, 1, 2)), np.vstack((a, a)), np.dstack((a, a))", a)
    check("np.repeat(a, 0), np.repeat(a, b), np.repeat(a, -1)", CUBE[0, 0], np.array([1, 0, 2, 3, 1]))
    check("np.repeat(a, -1)", CUBE[0, 0])
    check(
        "np.concatenate((a, b)).dtype.itemsize", np.arange(3, dtype=np.int8), np.arange(2, dtype=np.float32)
    )


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32", "float64", "complex128", "bool"])
def test_positions_of_extremes(dtype):
    random = np.random.default_rng(4)
    for size in (1, 2, 8, 31, 32, 33, 100, 4096, 4097, 9000):
        for v in (random.integers(0, 100, size), np.zeros(size), np.arange(size)[::-1] % 120):
            v = v.astype(dtype)
            check("np.argmin(a), np.argmax(a), a.argmin(), a.argmax(0)", v)
            check("np.argmin(a, keepdims=True), np.argmax(a, keepdims=True)", v)
            if v.dtype.kind in "fc":
                for at in {0, size // 2, size - 1}:
                    holed = v.copy()
                    holed[at:] = np.where(random.random(size - at) < 0.5, np.nan, holed[at:])
                    check("np.argmin(a), np.argmax(a)", holed)
    m = random.integers(0, 100, (7, 40, 3)).astype(dtype)
    for a in (m, np.asfortranarray(m), m[::-1, ::2]):
        for axis in (0, 1, 2):
            check("np.argmin(a, axis=b), np.argmax(a, b)", a, axis)
        check("np.argmax(a), np.argmin(a, keepdims=True)", a)
    check("np.argmin(a)", m[:0])
    check("np.argmax(a, 1)", m[:, :0])


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint8"])
def test_histograms_at_the_edges_of_bins(dtype):
    random = np.random.default_rng(5)
    for bins in (1, 3, 7, 10, 49, 64):
        v = (random.random(500) * 100).astype(dtype)
        check("np.histogram(a, b)", v, bins)
        edges = np.linspace(0.1, 0.7, bins + 1)
        beside = np.concatenate((edges, np.nextafter(edges, 0), np.nextafter(edges, 1)))
        check("np.histogram(a, b, (0.1, 0.7))", beside, bins)
    check("np.histogram(a, 4, (0.0, 1e-310))", np.array([0.0, 2e-311, 5e-311, 1e-310, 1.0]))
    check("np.histogram(a, 5)", np.array([1.0, 1.0]))


def test_reductions_without_nan():
    random = np.random.default_rng(6)
    for size in (1, 7, 8, 300):
        v = random.integers(-4, 5, size) * 0.5
        v[random.random(size) < 0.3] = np.nan
        for a in (v, v.astype(np.float32), v * 1j):
            check("np.nansum(a), np.nanprod(a[:6]), np.nanmean(a), np.nansum(a, 0)", a)
        check("np.nanmin(a), np.nanmax(a), np.nanvar(a)", np.append(v, 1.0))
        check("np.nansum(a, keepdims=True), np.nanmedian(a, axis=0, keepdims=True)", np.append(v, 1.0))


def test_arrays_of_lists_of_arrays_and_lists():
    def of_arrays(n):
        return np.array([np.arange(3) * i for i in range(n)]), np.asarray([np.eye(2) for _ in range(n)])

    def of_lists(n):
        return np.array([[[i * j * k for k in range(n)] for j in range(2)] for i in range(3)])

    def of_mixtures(n):
        return (
            np.array([[np.full(n, i + 0.5) for j in range(2)] for i in range(3)]),
            np.array([[(i, j) for j in range(n)] for i in range(n)]),
            np.array([np.array(i) for i in range(n)]),
            np.array([np.arange(3) for _ in range(n)], dtype=np.float32),
            np.array(range(1, 3 * n, 3)),
            np.array(range(n), np.int8),
        )

    def stacks(n):
        parts = [np.arange(3) + i for i in range(n)]
        numbers = [np.array(i) for i in range(n)]
        return (
            np.vstack(parts),
            np.hstack(parts),
            np.column_stack(parts),
            np.dstack(parts),
            np.hstack(numbers),
        )

    for function in (of_arrays, of_lists, of_mixtures, stacks):
        for n in (1, 4):
            found, expected = njit(function)(n), function(n)
            if function is of_lists:
                found, expected = (found,), (expected,)
            for one, other in zip(found, expected, strict=True):
                assert one.dtype == other.dtype
                np.testing.assert_array_equal(one, other)
    assert [one.shape for one in njit(of_arrays)(0)] == [(0, 0), (0, 0, 0)]


def test_arrays_of_lists_of_arrays_of_several_shapes():
    @njit
    def ragged(n):
        return np.array([np.arange(i) for i in range(n)])

    with pytest.raises(ValueError, match="the arrays have several shapes"):
        ragged(3)
