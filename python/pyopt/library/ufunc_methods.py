"""`reduce`, `accumulate` and `outer` of NumPy's universal functions, and those that split floats."""

import math

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.axes import reduced, reduction_axis, reduction_lanes
from pyopt.library.broadcasting import common_shape
from pyopt.library.folding import fold
from pyopt.library.number_parts import as_floats
from pyopt.library.scans import accumulator, scan
from pyopt.library.shapes import as_array, checked_axis, flat, lanes


def given_axis(c, axis):
    """Give the axis along which to reduce; an element has none."""
    if c.ndim == 0:
        return None
    return axis


@implements("numpy.add.reduce")
def add_reduce(array, axis=0, dtype: literal = None, keepdims: literal = False):
    """Sum along an axis."""
    c = as_array(array)
    return np.sum(c, given_axis(c, axis), dtype, keepdims=keepdims)


@implements("numpy.multiply.reduce")
def multiply_reduce(array, axis=0, dtype: literal = None, keepdims: literal = False):
    """Multiply along an axis."""
    c = as_array(array)
    return np.prod(c, given_axis(c, axis), dtype, keepdims=keepdims)


@implements("numpy.maximum.reduce")
def maximum_reduce(array, axis=0, keepdims: literal = False):
    """Find the greatest elements along an axis."""
    c = as_array(array)
    return np.max(c, given_axis(c, axis), keepdims=keepdims)


@implements("numpy.minimum.reduce")
def minimum_reduce(array, axis=0, keepdims: literal = False):
    """Find the least elements along an axis."""
    c = as_array(array)
    return np.min(c, given_axis(c, axis), keepdims=keepdims)


@implements("numpy.logical_and.reduce")
def logical_and_reduce(array, axis=0, keepdims: literal = False):
    """Say whether all elements along an axis are true."""
    c = as_array(array)
    return np.all(c, given_axis(c, axis), keepdims=keepdims)


@implements("numpy.logical_or.reduce")
def logical_or_reduce(array, axis=0, keepdims: literal = False):
    """Say whether an element along an axis is true."""
    c = as_array(array)
    return np.any(c, given_axis(c, axis), keepdims=keepdims)


def folded_bits(array, axis, keepdims: literal, first, combine):
    """Combine the bits along an axis."""
    c = as_array(array)
    if c.dtype.kind == "f" or c.dtype.kind == "c":
        intrinsics.unsupported("only ints and truth values have bits")
    at = reduction_axis(c, given_axis(c, axis))
    v = reduction_lanes(c, at)
    out = np.full((v.shape[0], v.shape[2]), c.dtype.type(first))
    fold(v, out, 0, combine)
    return reduced(out, c.shape, at, keepdims)


@implements("numpy.bitwise_and.reduce")
def bitwise_and_reduce(array, axis=0, keepdims: literal = False):
    """Find the bits that all elements along an axis have."""
    return folded_bits(array, axis, keepdims, -1, np.bitwise_and)


@implements("numpy.bitwise_or.reduce")
def bitwise_or_reduce(array, axis=0, keepdims: literal = False):
    """Find the bits that an element along an axis has."""
    return folded_bits(array, axis, keepdims, 0, np.bitwise_or)


@implements("numpy.bitwise_xor.reduce")
def bitwise_xor_reduce(array, axis=0, keepdims: literal = False):
    """Find the bits that an odd number of elements along an axis have."""
    return folded_bits(array, axis, keepdims, 0, np.bitwise_xor)


@implements("numpy.add.accumulate")
def add_accumulate(array, axis=0, dtype: literal = None):
    """Sum the elements along an axis up to each one."""
    c = as_array(array)
    return accumulated(c, axis, accumulator(c, dtype), np.add)


@implements("numpy.multiply.accumulate")
def multiply_accumulate(array, axis=0, dtype: literal = None):
    """Multiply the elements along an axis up to each one."""
    c = as_array(array)
    return accumulated(c, axis, accumulator(c, dtype), np.multiply)


@implements("numpy.maximum.accumulate")
def maximum_accumulate(array, axis=0):
    """Find the greatest of the elements along an axis up to each one."""
    c = as_array(array)
    return accumulated(c, axis, c.dtype, np.maximum)


@implements("numpy.minimum.accumulate")
def minimum_accumulate(array, axis=0):
    """Find the least of the elements along an axis up to each one."""
    c = as_array(array)
    return accumulated(c, axis, c.dtype, np.minimum)


def accumulated(c, axis, kind, combine):
    """Combine the elements along an axis up to each one."""
    if c.ndim == 0:
        intrinsics.unsupported("cannot accumulate on a scalar")
    out = scan(lanes(c, checked_axis(axis, c.ndim)), kind, combine)
    return intrinsics.reshape(out, c.shape)


def apart(a, b):
    """Give an array dimensions behind its own, one for each of another."""
    c = as_array(a)
    return intrinsics.reshape(c, c.shape + intrinsics.fill(1, as_array(b).ndim))


@implements("numpy.add.outer")
def add_outer(a, b):
    """Add each element of one array to each of another."""
    return np.add(apart(a, b), as_array(b))


@implements("numpy.subtract.outer")
def subtract_outer(a, b):
    """Subtract each element of one array from each of another."""
    return np.subtract(apart(a, b), as_array(b))


@implements("numpy.multiply.outer")
def multiply_outer(a, b):
    """Multiply each element of one array with each of another."""
    return np.multiply(apart(a, b), as_array(b))


@implements("numpy.ldexp")
def ldexp_elements(x1, x2):
    """Multiply by powers of two."""
    kind = np.result_type(x2)
    if kind.kind == "f" or kind.kind == "c" or (kind.kind == "u" and kind.itemsize == 8):
        intrinsics.unsupported("the powers are ints that an int64 holds")
    if not isinstance(x1, np.ndarray) and not isinstance(x2, np.ndarray):
        return math.ldexp(as_floats(x1), x2)
    shape = common_shape(as_array(x1).shape, as_array(x2).shape)
    out = np.empty(shape, as_floats(as_array(x1)).dtype)
    out[...] = x1
    powers = np.empty(shape, np.int64)
    powers[...] = x2
    a = flat(out)
    b = flat(powers)
    for i in range(a.size):
        a[i] = math.ldexp(a[i], b[i])
    return out


@implements("numpy.frexp")
def frexp_elements(x):
    """Split into numbers from 0.5 up to 1 and powers of two."""
    if not isinstance(x, np.ndarray) or x.ndim == 0:
        mantissa, exponent = math.frexp(as_floats(x))
        return mantissa, np.int32(exponent)
    out = as_floats(np.ascontiguousarray(x))
    powers = np.empty(out.shape, np.int32)
    a = flat(out)
    b = flat(powers)
    for i in range(a.size):
        mantissa, exponent = math.frexp(a[i])
        a[i] = mantissa
        b[i] = exponent
    return out, powers
