"""Matrix products by three loops."""

import numpy as np
import pytest
from arrays import WRITABLE_2D, matrix
from compare import check

# Matrix product


def matmul(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total
    return out


def matmul_renamed(left, right):
    rows, inner = left.shape
    inner2, columns = right.shape
    product = np.zeros((rows, columns))
    for r in range(rows):
        for c in range(columns):
            entry = 0.0
            for m in range(inner):
                entry += left[r, m] * right[m, c]
            product[r, c] = entry
    return product


def matmul_ikj(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            factor = a[i, k]
            for j in range(b.shape[1]):
                out[i, j] += factor * b[k, j]
    return out


def matmul_kij(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for k in range(a.shape[1]):
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                out[i, j] = out[i, j] + a[i, k] * b[k, j]
    return out


def matmul_jik(a, b):
    n, p = a.shape[0], b.shape[1]
    out = np.zeros((n, p))
    for j in range(p):
        for i in range(n):
            for k in range(len(b)):
                out[i, j] += a[i, k] * b[k, j]
    return out


def matmul_empty(a, b):
    out = np.empty((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = 0.0
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out


def matmul_down(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0] - 1, -1, -1):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1] - 1, -1, -1):
                total = a[i, k] * b[k, j] + total
            out[i, j] = total
    return out


def matmul_while(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    i = 0
    while i < a.shape[0]:
        for j in range(b.shape[1]):
            k = 0
            total = 0.0
            while k < a.shape[1]:
                total += a[i, k] * b[k, j]
                k += 1
            out[i, j] = total
        i += 1
    return out


def matmul_skip_zeros(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            if a[i, k] < 0:
                continue
            for j in range(b.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out


def matmul_two_brackets(a, b):
    out = np.zeros((len(a), len(b[0])))
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                out[i][j] += a[i][k] * b[k][j]
    return out


def matmul_checked(a, b):
    if a.shape[1] != b.shape[0]:
        raise ValueError("shapes do not match")
    out = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]
    return out


MATMULS = (
    matmul,
    matmul_renamed,
    matmul_ikj,
    matmul_kij,
    matmul_jik,
    matmul_empty,
    matmul_down,
    matmul_while,
    matmul_skip_zeros,
    matmul_two_brackets,
    matmul_checked,
)


@pytest.mark.parametrize("function", MATMULS)
def test_matrix_product(function):
    for left, right in (("C", "C"), ("F", "C"), ("reversed", "strided"), ("readonly", "transposed")):
        check(function, matrix(4, 3, layout=left), matrix(3, 5, layout=right, seed=2))
    check(function, np.zeros((0, 3)), np.zeros((3, 2)))
    if function is not matmul_two_brackets:  # it reads b[0]
        check(function, np.zeros((2, 0)), np.zeros((0, 3)))


@pytest.mark.parametrize(
    "dtypes", [("f4", "f4"), ("i4", "i4"), ("i8", "f8"), ("f4", "f8"), ("u1", "i8")], ids="-".join
)
@pytest.mark.parametrize("function", [matmul, matmul_ikj, matmul_empty])
def test_matrix_product_of_other_types(function, dtypes):
    check(function, matrix(3, 4, dtypes[0]), matrix(4, 2, dtypes[1], seed=2))


def test_shapes_that_do_not_match():
    check(matmul_checked, np.zeros((2, 3)), np.zeros((2, 3)))


def matmul_into(out, a, b):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = 0
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]


@pytest.mark.parametrize("layout", WRITABLE_2D)
@pytest.mark.parametrize("dtype", ["f8", "i8", "i4"])
def test_matrix_product_into_an_argument(layout, dtype):
    check(matmul_into, matrix(3, 2, dtype, layout), matrix(3, 4, dtype), matrix(4, 2, dtype, seed=2))


def test_matrix_product_into_its_own_operands():
    square = np.arange(16.0).reshape(4, 4)
    check(matmul_into, square, square, square.T)
