"""Methods of NumPy's universal functions that don't do what all others do; functions that split floats."""

import math

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.broadcasting import common_shape
from pyopt.library.number_parts import as_floats
from pyopt.library.scans import accumulator
from pyopt.library.shapes import as_array, flat
from pyopt.library.ufunc_reductions import accumulated, delivered, reduce_by, reduced_parts


def given_axis(c, axis):
    """Give the axis along which to reduce; an element has none."""
    if c.ndim == 0:
        return None
    return axis


def reduced_in(ufunc, identity, c, kind, axis, out, keepdims: literal, initial, where):
    """Combine the elements along axes in numbers of a type."""
    result = reduce_by(ufunc, identity, c, kind, given_axis(c, axis), keepdims, initial, where)
    return delivered(result, out)


@implements("numpy.add.reduce")
def add_reduce(
    array, axis=0, dtype: literal = None, out=None, keepdims: literal = False, initial=(), where=None
):
    """Sum along an axis."""
    c = as_array(array)
    if out is None and isinstance(initial, tuple) and where is None:
        return np.sum(c, given_axis(c, axis), dtype, keepdims=keepdims)
    return reduced_in(np.add, 0, c, accumulator(c, dtype), axis, out, keepdims, initial, where)


@implements("numpy.multiply.reduce")
def multiply_reduce(
    array, axis=0, dtype: literal = None, out=None, keepdims: literal = False, initial=(), where=None
):
    """Multiply along an axis."""
    c = as_array(array)
    if out is None and isinstance(initial, tuple) and where is None:
        return np.prod(c, given_axis(c, axis), dtype, keepdims=keepdims)
    return reduced_in(np.multiply, 1, c, accumulator(c, dtype), axis, out, keepdims, initial, where)


@implements("numpy.maximum.reduce")
def maximum_reduce(
    array, axis=0, dtype: literal = None, out=None, keepdims: literal = False, initial=(), where=None
):
    """Find the greatest elements along an axis."""
    c = as_array(array)
    if dtype is None and out is None and isinstance(initial, tuple) and where is None:
        return np.max(c, given_axis(c, axis), keepdims=keepdims)
    return reduced_in(np.maximum, (), c, chosen_kind(c, dtype), axis, out, keepdims, initial, where)


@implements("numpy.minimum.reduce")
def minimum_reduce(
    array, axis=0, dtype: literal = None, out=None, keepdims: literal = False, initial=(), where=None
):
    """Find the least elements along an axis."""
    c = as_array(array)
    if dtype is None and out is None and isinstance(initial, tuple) and where is None:
        return np.min(c, given_axis(c, axis), keepdims=keepdims)
    return reduced_in(np.minimum, (), c, chosen_kind(c, dtype), axis, out, keepdims, initial, where)


@implements("numpy.logical_and.reduce")
def logical_and_reduce(
    array, axis=0, dtype: literal = None, out=None, keepdims: literal = False, initial=(), where=None
):
    """Say whether all elements along an axis are true."""
    c = as_array(array)
    if dtype is None and out is None and isinstance(initial, tuple) and where is None:
        return np.all(c, given_axis(c, axis), keepdims=keepdims)
    return reduced_in(np.logical_and, True, c, np.result_type(np.bool_), axis, out, keepdims, initial, where)


@implements("numpy.logical_or.reduce")
def logical_or_reduce(
    array, axis=0, dtype: literal = None, out=None, keepdims: literal = False, initial=(), where=None
):
    """Say whether an element along an axis is true."""
    c = as_array(array)
    if dtype is None and out is None and isinstance(initial, tuple) and where is None:
        return np.any(c, given_axis(c, axis), keepdims=keepdims)
    return reduced_in(np.logical_or, False, c, np.result_type(np.bool_), axis, out, keepdims, initial, where)


def chosen_kind(c, dtype: literal):
    """Choose the type of elements that are one of those given."""
    return c.dtype if dtype is None else np.result_type(dtype)


@implements("numpy.add.accumulate")
def add_accumulate(array, axis=0, dtype: literal = None, out=None):
    """Sum the elements along an axis up to each one."""
    c = as_array(array)
    return delivered(accumulated(np.add, c, accumulator(c, dtype), axis), out)


@implements("numpy.multiply.accumulate")
def multiply_accumulate(array, axis=0, dtype: literal = None, out=None):
    """Multiply the elements along an axis up to each one."""
    c = as_array(array)
    return delivered(accumulated(np.multiply, c, accumulator(c, dtype), axis), out)


@implements("numpy.add.reduceat")
def add_reduceat(array, indices, axis=0, dtype: literal = None, out=None):
    """Sum the elements along an axis from each position up to the next one."""
    c = as_array(array)
    return delivered(reduced_parts(c, indices, axis, accumulator(c, dtype), np.add), out)


@implements("numpy.multiply.reduceat")
def multiply_reduceat(array, indices, axis=0, dtype: literal = None, out=None):
    """Multiply the elements along an axis from each position up to the next one."""
    c = as_array(array)
    return delivered(reduced_parts(c, indices, axis, accumulator(c, dtype), np.multiply), out)


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
