"""Loops that are merged because of the elements they touch give what they gave apart."""

import numpy as np
import pytest

from pyopt import njit, prange

OPTIONS = [
    pytest.param({}, id="serial"),
    pytest.param({"parallel": True}, id="parallel"),
    pytest.param({"parallel": {"fusion": False}}, id="unfused"),
]


def check(function, options, cases):
    """Compare a function with itself, compiled: results and arguments."""
    compiled = njit(**options)(function)
    for arguments in cases:
        plain = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        ours = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
        expected, got = function(*plain), compiled(*ours)
        np.testing.assert_allclose(got, expected, rtol=1e-13)
        for one, other in zip(plain, ours, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-13)


def matrix(n, m):
    """A matrix of numbers none of which is like another."""
    return np.arange(1.0, n * m + 1.0).reshape(n, m) ** 1.25


def same_slice(a):
    n = a.shape[0]
    a[1 : n - 1, 1:-1] += 1.0
    a[1 : n - 1, 1:-1] *= a[1:-1, 1:-1]
    return a[1:-1, 1:-1].sum()


def shifted(a):
    a[:-1, :] *= 2.0
    a[1:, :] += a[:-1, :]
    a[1:, :] *= 0.5
    return a.sum()


def shifted_back(a):
    a[1:] *= 2.0
    a[:-1] += 1.0
    return a[:-1] * a[1:]


def red_black(a):
    a[:, ::2] = np.sqrt(a[:, ::2])
    a[:, 1::2] = a[:, 1::2] * 3.0
    a[::2] += 1.0
    a[1::2] -= 1.0
    return a.sum()


def thirds(a):
    a[0::3] *= 2.0
    a[3::3] += 1.0
    return a


def transposed(a):
    t = a.T
    a[:] = a + 1.0
    t[:] = t * 2.0
    t[1:, :] -= 1.0
    a[:, 1:] *= 3.0
    return t.sum()


def columns(a):
    a[:, 0] = a[:, 1] * 2.0
    a[:, 1] = a[::-1, 1] + 0.0
    a[:, -1] = a[:, 0] + a[:, 1]
    return a


def rows(a):
    n, m = a.shape
    for i in prange(n):
        for j in range(m):
            a[i, j] += i
    for i in prange(n):
        for j in range(1, m):
            a[i, j] += a[i, j - 1]
    return a


def next_row(a):
    n, m = a.shape
    for i in prange(n):
        a[i, 0] = i
    b = np.zeros(n)
    for i in prange(n):
        b[i] = a[(i + 1) % n, 0] + a[n - 1 - i, 0]
    return b


def from_the_end(a):
    n = a.shape[0]
    a[: n - 1] += 1.0
    a[-(n - 1) :] *= 2.0
    a[n - 2 :] -= 1.0
    a[-2:] *= 0.5
    return a


def reversed_view(a):
    r = a[::-1]
    a[:] = a * 2.0
    r[:] = r + 1.0
    r[:, :] *= 0.5
    return r


def views_of_views(a):
    v = a[1:, :]
    w = v[:, 1:]
    w[:] = w + 1.0
    a[1:, 1:] *= 2.0
    v[:, :-1] += 1.0
    return a


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    "function",
    [
        same_slice,
        shifted,
        shifted_back,
        red_black,
        thirds,
        transposed,
        columns,
        rows,
        next_row,
        from_the_end,
        reversed_view,
        views_of_views,
    ],
)
def test_elements(function, options):
    check(function, options, [(matrix(n, m),) for n, m in [(2, 2), (3, 3), (4, 5), (9, 2), (40, 30)]])


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("function", [same_slice, shifted, red_black, columns, rows, views_of_views])
def test_elements_of_strided_arrays(function, options):
    compiled = njit(**options)(function)
    for n, m in [(3, 3), (8, 7)]:
        one, other = matrix(2 * n, 3 * m), matrix(2 * n, 3 * m)
        expected, got = function(one[::2, ::3]), compiled(other[::2, ::3])
        np.testing.assert_allclose(got, expected, rtol=1e-13)
        np.testing.assert_allclose(other, one, rtol=1e-13)


def bounds_at_run_time(a, i, j, k):
    a[i:j] *= 2.0
    a[i:j] += a[i:j] * 0.5
    a[k : k + 2] += 1.0
    a[k : k + 2] *= 3.0
    a[i:j] -= 1.0
    return a.sum()


@pytest.mark.parametrize("options", OPTIONS)
def test_bounds_at_run_time(options):
    bounds = [(-3, 4, 0), (0, 5, 3), (2, -1, -2), (5, 2, 1), (0, 100, -100), (1, 3, 1), (-2, 9, 4)]
    check(
        bounds_at_run_time, options, [(matrix(n, 1)[:, 0].copy(), *b) for n in (1, 2, 5, 6) for b in bounds]
    )
