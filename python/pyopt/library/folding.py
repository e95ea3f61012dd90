"""Folds along the second of three axes, whose results are a matrix; on threads by rows or by columns.

Each result is computed by one thread in the order that one thread alone would take.
"""

import numpy as np

from pyopt.library import intrinsics
from pyopt.library.lane_threads import by_columns, by_rows
from pyopt.library.scans import added


def fold_columns(v, out, kind, first, combine, i, start, stop):
    """Combine the elements of columns with what ``out`` holds, from one on."""
    for k in range(first, v.shape[1]):
        for j in range(start, stop):
            out[i, j] = combine(out[i, j], kind.type(v[i, k, j]))


def fold_row(v, out, kind, first, combine, i):
    """Combine the elements of a row with what ``out`` holds, from one on."""
    total = out[i, 0]
    for k in range(first, v.shape[1]):
        total = kind.type(combine(total, kind.type(v[i, k, 0])))
    out[i, 0] = total


def fold(v, out, first, combine):
    """Combine the elements along the second of three axes with what ``out`` holds, from one on."""
    if v.shape[2] == 1:
        by_rows(fold_row, v, out, out.dtype, first, combine)
    else:
        by_columns(fold_columns, v, out, out.dtype, first, combine)


def sums(v, kind):
    """Sum along the second of three axes: pairwise where that is contiguous, as NumPy does."""
    out = np.zeros((v.shape[0], v.shape[2]), kind)
    if v.shape[2] == 1:
        parts = intrinsics.parts(v.shape[0], v.shape[1])
        for part in intrinsics.prange("reduction", parts):
            for i in range(v.shape[0] * part // parts, v.shape[0] * (part + 1) // parts):
                out[i, 0] = np.sum(v[i, :, 0], dtype=kind)
    else:
        by_columns(fold_columns, v, out, kind, 0, added)
    return out


def extremes(v, combine, reduce):
    """Find the least or greatest elements along the second of three axes, which isn't empty."""
    out = np.empty((v.shape[0], v.shape[2]), v.dtype)
    if v.shape[2] == 1 and v.dtype.kind != "c":
        parts = intrinsics.parts(v.shape[0], v.shape[1])
        for part in intrinsics.prange("reduction", parts):
            for i in range(v.shape[0] * part // parts, v.shape[0] * (part + 1) // parts):
                out[i, 0] = reduce(v[i, :, 0])
    else:
        out[:, :] = v[:, 0, :]
        fold(v, out, 1, combine)
    return out


def size_kind(kind):
    """Choose the type of the sizes of complex numbers; others are their own."""
    if kind.kind == "c":
        return np.result_type(np.float32) if kind.itemsize == 8 else np.result_type(np.float64)
    return kind


def means(v, kind):
    """Average along the second of three axes."""
    return sums(v, kind) / kind.type(v.shape[1])


def squared(x, kind):
    """Multiply a number by itself, or by its conjugate."""
    if kind.kind == "c":
        return x.real * x.real + x.imag * x.imag
    return x * x


def add_squares(v, out, center, kind, combine, i, start, stop):
    """Add the squared distances from the means of columns."""
    for k in range(v.shape[1]):
        for j in range(start, stop):
            out[i, j] = combine(out[i, j], squared(kind.type(v[i, k, j]) - center[i, j], kind))


def add_row_squares(v, out, center, kind, combine, i):
    """Add the squared distances from the mean of a row."""
    total = out[i, 0]
    for k in range(v.shape[1]):
        total = combine(total, squared(kind.type(v[i, k, 0]) - center[i, 0], kind))
    out[i, 0] = total


def variances(v, kind, ddof):
    """Average the squared distances from the mean along the second of three axes."""
    center = means(v, kind)
    squares = np.zeros((v.shape[0], v.shape[2]), size_kind(kind))
    if v.shape[2] == 1:
        by_rows(add_row_squares, v, squares, center, kind, added)
    else:
        by_columns(add_squares, v, squares, center, kind, added)
    return squares / size_kind(kind).type(max(v.shape[1] - ddof, 0))
