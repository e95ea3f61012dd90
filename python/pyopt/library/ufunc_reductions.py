"""Methods of universal functions of two operands that go along an axis: NumPy's, and the program's own.

``ufunc`` is the function. ``identity`` is what its reductions begin with: a number, or None for their first
element; an empty tuple is None where axes may be reduced in any order. ``initial`` is what is given instead,
an empty tuple where nothing is.
"""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.axes import reduced
from pyopt.library.folding import fold
from pyopt.library.lane_threads import by_columns
from pyopt.library.scans import scan
from pyopt.library.several_axes import checked_axes, count_over, lowered, without_axes
from pyopt.library.shapes import as_array, checked_axis, flat, lanes, product


def closed_kind(ufunc, c, dtype: literal):
    """Choose the type in which elements are combined: what the function makes of two of them."""
    if dtype is not None:
        return np.result_type(dtype)
    kind = ufunc(np.empty(0, c.dtype), np.empty(0, c.dtype)).dtype
    if kind.kind == "b" and c.dtype.kind != "b":
        intrinsics.unsupported("what the function makes of two elements can't be its operand again")
    return kind


def delivered(result, out):
    """Put a result into the array for it, if there is one."""
    if out is None:
        return result
    if isinstance(out, tuple):
        return delivered(result, out[0])
    if out.shape != as_array(result).shape:
        raise ValueError("the array for the result has another shape than the result")
    out[...] = result
    return out


def axis_last(c, axis):
    """Move an axis behind all others, to a copy."""
    v = lanes(c, axis)
    out = np.empty((v.shape[0], v.shape[2], v.shape[1]), c.dtype)
    for i in range(v.shape[0]):
        out[i] = v[i].T
    return intrinsics.reshape(out, intrinsics.drop(c.shape, axis) + (c.shape[axis],))


def axes_last(c, axes):
    """Move axes behind all others, one after the other."""
    if len(axes) == 0:
        return c
    return axes_last(axis_last(c, axes[0]), lowered(axes[1:], axes[0]))


def kept_shape(shape, axes):
    """Give several axes the size 1."""
    if len(axes) == 0:
        return shape
    return kept_shape(intrinsics.replace(shape, axes[0], 1), axes[1:])


def axes_lanes(c, axis):
    """View an array as three dimensions, the one in the middle for the axes: all, one or several."""
    if axis is None:
        return intrinsics.reshape(c, (1, c.size, 1))
    if isinstance(axis, tuple):
        outer = product(kept_shape(c.shape, axis))
        return intrinsics.reshape(axes_last(c, axis), (outer, count_over(c.shape, axis), 1))
    return lanes(c, axis)


def fold_chosen(v, out, chosen, number, combine, i, start, stop):
    """Combine those elements of columns that are chosen with what ``out`` holds."""
    kind = out.dtype
    for k in range(v.shape[1]):
        for j in range(start, stop):
            if chosen[i, k, j]:
                out[i, j] = combine(out[i, j], kind.type(v[i, k, j]))


def reduce_by(ufunc, identity, c, kind, axis, keepdims: literal, initial, where):
    """Combine the elements along axes, counted from the front; all for None."""
    begin = identity if isinstance(initial, tuple) else initial
    if axis is None:
        at = axis
    elif isinstance(axis, tuple):
        at = checked_axes(axis, c.ndim)
    else:
        at = checked_axis(axis, c.ndim)
    if identity is None and ((axis is None and c.ndim > 1) or (isinstance(axis, tuple) and len(axis) > 1)):
        raise ValueError("reduction operation is not reorderable, so at most one axis may be specified")
    v = axes_lanes(c, at)
    out = np.empty((v.shape[0], v.shape[2]), kind)
    if begin is None or isinstance(begin, tuple):
        if isinstance(where, np.ndarray):
            raise ValueError(
                "reduction operation does not have an identity, "
                "so to use a where mask one has to specify 'initial'"
            )
        if v.shape[1] == 0 and out.size > 0:
            raise ValueError("zero-size array to reduction operation which has no identity")
        if v.shape[1] > 0:
            out[:, :] = v[:, 0, :]
            fold(v, out, 1, ufunc)
    else:
        out[:, :] = begin
        if isinstance(where, np.ndarray):
            mask = np.ascontiguousarray(np.broadcast_to(where, c.shape))
            by_columns(fold_chosen, v, out, axes_lanes(mask, at), 0, ufunc)
        elif where is None or where:
            fold(v, out, 0, ufunc)
    if isinstance(axis, tuple):
        return without_axes(intrinsics.reshape(out, kept_shape(c.shape, at)), at, keepdims)
    return reduced(out, c.shape, at, keepdims)


@implements("ufunc.reduce")
def reduce_any(
    ufunc,
    identity,
    array,
    axis=0,
    dtype: literal = None,
    out=None,
    keepdims: literal = False,
    initial=(),
    where=None,
):
    """Combine the elements along an axis, several or all."""
    c = as_array(array)
    kind = closed_kind(ufunc, c, dtype)
    along = None if c.ndim == 0 else axis
    return delivered(reduce_by(ufunc, identity, c, kind, along, keepdims, initial, where), out)


@implements("ufunc.accumulate")
def accumulate_any(ufunc, identity, array, axis=0, dtype: literal = None, out=None):
    """Combine the elements along an axis up to each one."""
    c = as_array(array)
    return delivered(accumulated(ufunc, c, closed_kind(ufunc, c, dtype), axis), out)


def accumulated(ufunc, c, kind, axis):
    """Combine the elements along an axis up to each one."""
    if c.ndim == 0:
        intrinsics.unsupported("cannot accumulate on a scalar")
    out = scan(lanes(c, checked_axis(axis, c.ndim)), kind, ufunc)
    return intrinsics.reshape(out, c.shape)


@implements("ufunc.reduceat")
def reduceat_any(ufunc, identity, array, indices, axis=0, dtype: literal = None, out=None):
    """Combine the elements along an axis from each position up to the next one."""
    c = as_array(array)
    return delivered(reduced_parts(c, indices, axis, closed_kind(ufunc, c, dtype), ufunc), out)


def reduced_parts(c, indices, axis, kind, combine):
    """Combine the elements along an axis from each position up to the next one."""
    if c.ndim == 0:
        intrinsics.unsupported("cannot reduceat on a scalar")
    starts = flat(indices)
    at = checked_axis(axis, c.ndim)
    v = lanes(c, at)
    for k in range(starts.size):
        if starts[k] < 0 or starts[k] >= v.shape[1]:
            raise IndexError("index out-of-bounds in reduceat")
    out = np.empty(intrinsics.replace(c.shape, at, starts.size), kind)
    to = lanes(out, at)
    for k in range(starts.size):
        first = np.int64(starts[k])
        last = np.int64(starts[k + 1]) if k + 1 < starts.size else v.shape[1]
        for i in range(v.shape[0]):
            for j in range(v.shape[2]):
                total = kind.type(v[i, first, j])
                for m in range(first + 1, last):
                    total = kind.type(combine(total, kind.type(v[i, m, j])))
                to[i, k, j] = total
    return out


def apart(a, b):
    """Give an array dimensions behind its own, one for each of another."""
    c = as_array(a)
    return intrinsics.reshape(c, c.shape + intrinsics.fill(1, as_array(b).ndim))


@implements("ufunc.outer")
def outer_any(ufunc, identity, a, b, out=None):
    """Apply to each element of one array with each of another."""
    return delivered(ufunc(apart(a, b), as_array(b)), out)
