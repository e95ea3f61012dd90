"""Loops whose iterations are done several at once: the same bits as one after the other."""

import numpy as np
import pytest

from pyopt import njit


def product(a, b):
    rows, inner = a.shape
    columns = b.shape[1]
    out = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += a[i, k] * b[k, j]
            out[i, j] = total
    return out


def symmetric(data):
    n, m = data.shape
    result = np.empty((m, m))
    for i in range(m):
        result[i, i] = 1.0
        for j in range(i + 1, m):
            total = 0.0
            least = 1.0
            for k in range(n):
                total += data[k, i] * data[k, j]
                least = min(least, data[k, j])
            result[i, j] = total
            result[j, i] = total - least
    return result


def column_sums(a, out):
    for j in range(a.shape[1]):
        total = 0.0
        for k in range(a.shape[0]):
            total += a[k, j]
        out[j] = total


def from_the_end(a):
    out = np.empty(a.shape[1])
    for j in range(-a.shape[1], 0):
        total = 0.0
        for k in range(a.shape[0]):
            total += a[k, j]
        out[j] = total
    return out


def divided(a, b):
    out = np.zeros(a.shape[1])
    for j in range(a.shape[1]):
        total = 0.0
        for k in range(a.shape[0]):
            total += a[k, j] / b[k]
        out[j] = total
    return out


SIZES = [0, 1, 7, 8, 15, 16, 17, 33, 50]


def matrix(rows, columns):
    return np.random.default_rng(rows * 100 + columns).uniform(-1, 1, (rows, columns))


def in_elements(a, b):
    rows, inner = a.shape
    columns = b.shape[1]
    out = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            out[i, j] = 0.25
            for k in range(inner):
                out[i, j] += a[i, k] * b[k, j]
    return out


def own_prefix(a, b):
    out = np.ones(b.shape[1])
    for j in range(b.shape[1]):
        out[j] = a[0, 0]
        for k in range(j):
            out[j] += out[k] * b[0, j]
    return out


@pytest.mark.parametrize("function", [product, in_elements, own_prefix])
@pytest.mark.parametrize("columns", SIZES)
def test_products(columns, function):
    for rows, inner in [(3, 5), (1, 1), (2, 20)]:
        a, b = matrix(rows, inner), matrix(inner, columns)
        np.testing.assert_array_equal(njit(function)(a, b), function(a, b))


@pytest.mark.parametrize("function", [product, in_elements])
def test_nothing_to_add(function):
    for rows, inner in [(3, 0), (0, 4)]:
        a, b = matrix(rows, inner), matrix(inner, 20)
        np.testing.assert_array_equal(njit(function)(a, b), function(a, b))


@pytest.mark.parametrize("function", [symmetric, from_the_end])
@pytest.mark.parametrize("columns", SIZES)
def test_several_stores_and_negative_positions(columns, function):
    data = matrix(9, columns)
    np.testing.assert_array_equal(njit(function)(data), function(data))


@pytest.mark.parametrize("columns", SIZES)
def test_results_in_a_row_of_the_argument(columns):
    ours, theirs = matrix(12, columns), matrix(12, columns)
    njit(column_sums)(ours, ours[3])
    column_sums(theirs, theirs[3])
    np.testing.assert_array_equal(ours, theirs)


def weighted(a, b, weights):
    # What stands before the inner loop and behind it depends on the column.
    rows, inner = a.shape
    out = np.empty((rows, b.shape[1]))
    last = np.zeros(b.shape[1])
    for i in range(rows):
        for j in range(b.shape[1]):
            weight = weights[j] * 2
            total = weights[i]
            for k in range(inner):
                total += a[i, k] * weight * b[k, j] + weights[k]
            out[i, j] = total * (weight + 4)
            last[j] = total
    return out, last


def in_single_precision(a, b):
    out = np.empty((a.shape[0], b.shape[1]), np.float32)
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = 0.25
            for k in range(a.shape[1]):
                out[i, j] += np.float32(a[i, k]) * np.float32(b[k, j])
    return out


@pytest.mark.parametrize("function", [product, in_elements, in_single_precision])
@pytest.mark.parametrize("inner, columns", [(191, 64), (192, 64), (192, 63), (195, 1025), (256, 70)])
def test_strips(function, inner, columns):
    a, b = matrix(2, inner), matrix(inner, columns)
    np.testing.assert_array_equal(njit(function)(a, b), function(a, b))


def test_strips_of_what_depends_on_columns():
    a, b, weights = matrix(3, 200), matrix(200, 1100), matrix(1, 1100)[0]
    for found, expected in zip(njit(weighted)(a, b, weights), weighted(a, b, weights), strict=True):
        np.testing.assert_array_equal(found, expected)
    data = matrix(200, 600)[:, :90].copy()
    np.testing.assert_array_equal(njit(symmetric)(data), symmetric(data))
    wide = matrix(200, 600)
    np.testing.assert_array_equal(njit(from_the_end)(wide), from_the_end(wide))
    ours, theirs = matrix(200, 200), matrix(200, 200)
    njit(column_sums)(ours, ours[3])
    column_sums(theirs, theirs[3])
    np.testing.assert_array_equal(ours, theirs)


def test_views_and_errors():
    a = matrix(40, 50)
    for view in (a[::-1], a[:, ::-1], a.T, a[::2, ::3]):
        np.testing.assert_array_equal(njit(product)(view, view.T), product(view, view.T))
    b = np.ones(40)
    np.testing.assert_array_equal(njit(divided)(a, b), divided(a, b))
    b[7] = 0.0
    with pytest.raises(ZeroDivisionError):
        njit(divided)(a, b)
