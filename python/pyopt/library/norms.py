"""Norms of vectors and matrices."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.shapes import as_array


@implements("numpy.linalg.norm")
def norm(x, ord=None, axis=None, keepdims: literal = False):
    """Compute a norm of a vector or matrix, or those along an axis or two."""
    array = as_array(x)
    if array.dtype.kind == "f" or array.dtype.kind == "c":
        sizes = np.abs(array)
    else:
        sizes = np.abs(array.astype(np.float64))
    if axis is not None:
        return norms_along(sizes, ord, axis, keepdims)
    if keepdims:
        intrinsics.unsupported("norm keeps dimensions along an axis only")
    if array.ndim == 1:
        return norm_of_vector(sizes, ord)
    if array.ndim == 2:
        return norm_of_matrix(sizes, ord)
    if ord is not None:
        raise ValueError("Improper number of dimensions to norm.")
    return np.sqrt(np.sum(sizes * sizes))


def norms_along(sizes, ord, axis, keepdims: literal):
    """Compute norms of vectors along an axis, or of matrices along two, from absolute values."""
    if ord is None:
        return np.sqrt(np.sum(sizes * sizes, axis=axis, keepdims=keepdims))
    if isinstance(axis, tuple):
        if isinstance(ord, str) and ord == "fro":
            return np.sqrt(np.sum(sizes * sizes, axis=axis, keepdims=keepdims))
        raise NotImplementedError("along two axes there are Frobenius norms only")
    if isinstance(ord, str):
        raise ValueError("Invalid norm order for vectors.")
    if ord == np.inf:
        return np.max(sizes, axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(sizes, axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum((sizes != 0).astype(sizes.dtype), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(sizes, axis=axis, keepdims=keepdims)
    if ord == 2:
        return np.sqrt(np.sum(sizes * sizes, axis=axis, keepdims=keepdims))
    return np.sum(sizes**ord, axis=axis, keepdims=keepdims) ** sizes.dtype.type(1.0 / ord)


def norm_of_vector(sizes, ord):
    """Compute a norm of a vector from the absolute values of its elements."""
    if ord is None:
        return np.sqrt(np.sum(sizes * sizes))
    if isinstance(ord, str):
        raise ValueError("Invalid norm order for vectors.")
    if ord == np.inf:
        return np.max(sizes)
    if ord == -np.inf:
        return np.min(sizes)
    if ord == 0:
        return sizes.dtype.type(np.count_nonzero(sizes))
    if ord == 1:
        return np.sum(sizes)
    if ord == 2:
        return np.sqrt(np.sum(sizes * sizes))
    return np.sum(sizes**ord) ** (1.0 / ord)


def norm_of_matrix(sizes, ord):
    """Compute a norm of a matrix from the absolute values of its elements."""
    if ord is None:
        return np.sqrt(np.sum(sizes * sizes))
    if isinstance(ord, str):
        if ord == "nuc":
            raise NotImplementedError("this norm needs singular values, which aren't computed yet")
        if ord != "fro":
            raise ValueError("Invalid norm order for matrices.")
        return np.sqrt(np.sum(sizes * sizes))
    if ord == 1:
        return np.max(np.sum(sizes, axis=0))
    if ord == -1:
        return np.min(np.sum(sizes, axis=0))
    if ord == np.inf:
        return np.max(np.sum(sizes, axis=1))
    if ord == -np.inf:
        return np.min(np.sum(sizes, axis=1))
    if ord == 2 or ord == -2:
        raise NotImplementedError("this norm needs singular values, which aren't computed yet")
    raise ValueError("Invalid norm order for matrices.")
