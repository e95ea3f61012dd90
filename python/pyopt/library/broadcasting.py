"""Broadcasting, views with other strides, and assigning by functions."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.selection import wrapped
from pyopt.library.shapes import as_array, flat


def as_tuple(shape):
    """Make a tuple of an int."""
    if isinstance(shape, tuple):
        return shape
    return (shape,)


def kept(a):
    """Make an array of what is none."""
    if isinstance(a, np.ndarray):
        return a
    return as_array(a)


def repeated_strides(sizes, strides, shape):
    """Find the strides that repeat an array's elements in a shape; the last sizes belong together."""
    if len(shape) == 0:
        return ()
    if len(shape) > len(sizes):
        return (0,) + repeated_strides(sizes, strides, shape[1:])
    fits = sizes[0] == shape[0] or sizes[0] == 1
    intrinsics.check(
        fits,
        "ValueError",
        "operands could not be broadcast together with remapped shapes: size {} and requested size {}",
        sizes[0],
        shape[0],
    )
    stride = 0 if sizes[0] == 1 else strides[0]
    return (stride,) + repeated_strides(sizes[1:], strides[1:], shape[1:])


@implements("numpy.broadcast_to")
def broadcast_to(array, shape, subok=False):
    """View an array in a shape that it broadcasts to, for reading."""
    a = kept(array)
    sizes = as_tuple(shape)
    if a.ndim > len(sizes):
        if len(sizes) == 0:
            raise ValueError("cannot broadcast a non-scalar to a scalar array")
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    for i in range(len(sizes)):
        if sizes[i] < 0:
            raise ValueError("all elements of broadcast shape must be non-negative")
    return intrinsics.repeated(a, sizes, repeated_strides(a.shape, a.strides, sizes))


def common_shape(a, b):
    """Find the shape that two others broadcast to."""
    if len(a) < len(b):
        return (b[0],) + common_shape(a, b[1:])
    if len(a) > len(b):
        return (a[0],) + common_shape(a[1:], b)
    if len(a) == 0:
        return ()
    fits = a[0] == b[0] or a[0] == 1 or b[0] == 1
    intrinsics.check(
        fits,
        "ValueError",
        "shape mismatch: objects cannot be broadcast to a single shape. The mismatch is between sizes "
        "{} and {}.",
        a[0],
        b[0],
    )
    return (b[0] if a[0] == 1 else a[0],) + common_shape(a[1:], b[1:])


def shape_of_all(shapes):
    """Find the shape that several shapes broadcast to."""
    if len(shapes) == 0:
        return ()
    return common_shape(as_tuple(shapes[0]), shape_of_all(shapes[1:]))


@implements("numpy.broadcast_shapes")
def broadcast_shapes(*args):
    """Find the shape that several shapes broadcast to."""
    shape = shape_of_all(args)
    for i in range(len(shape)):
        if shape[i] < 0:
            raise ValueError("negative dimensions are not allowed")
    return shape


def shapes_of(arrays):
    """Give the shapes of a tuple of arrays."""
    if len(arrays) == 0:
        return ()
    return (kept(arrays[0]).shape,) + shapes_of(arrays[1:])


def all_broadcast(arrays, shape):
    """Broadcast each array of a tuple."""
    if len(arrays) == 0:
        return ()
    return (broadcast_to(arrays[0], shape),) + all_broadcast(arrays[1:], shape)


@implements("numpy.broadcast_arrays")
def broadcast_arrays(*args):
    """View arrays in the shape that they broadcast to together."""
    return all_broadcast(args, shape_of_all(shapes_of(args)))


@implements("numpy.lib.stride_tricks.as_strided")
def as_strided(x, shape=None, strides=None):
    """View an array's memory with any sizes and strides."""
    sizes = x.shape if shape is None else as_tuple(shape)
    steps = x.strides if strides is None else as_tuple(strides)
    return intrinsics.strided(x, sizes, steps)


def windowed(shape, strides, window, axes):
    """Find the sizes and strides of windows along axes of an array."""
    if len(window) == 0:
        return shape, ()
    size = shape[axes[0]] - window[0] + 1
    if size <= 0:
        raise ValueError("window shape cannot be larger than input array shape")
    sizes, steps = windowed(intrinsics.replace(shape, axes[0], size), strides, window[1:], axes[1:])
    return sizes, (strides[axes[0]],) + steps


def counted(count):
    """Count up to the length of a tuple."""
    if len(count) == 0:
        return ()
    return counted(count[1:]) + (len(count) - 1,)


def from_front(axes, ndim):
    """Count axes from the front."""
    if len(axes) == 0:
        return ()
    inside = -ndim <= axes[0] < ndim
    text = "axis {} is out of bounds for array of dimension {}"
    intrinsics.check(inside, "ValueError", text, axes[0], ndim)
    return (axes[0] + ndim if axes[0] < 0 else axes[0],) + from_front(axes[1:], ndim)


def picked(items, axes):
    """Take items of a tuple in an order."""
    if len(axes) == 0:
        return ()
    return (items[axes[0]],) + picked(items, axes[1:])


@implements("numpy.transpose")
def transpose(a, axes, *rest):
    """View an array with its dimensions in an order that isn't known before."""
    return ordered(a, as_tuple(axes) + rest)


@implements("numpy.swapaxes")
def swapaxes(a, axis1, axis2):
    """View an array with two dimensions exchanged that aren't known before."""
    one, other = from_front((axis1, axis2), a.ndim)
    axes = intrinsics.replace(counted(a.shape), one, other)
    return ordered(a, intrinsics.replace(axes, other, one))


def moved(places, source, destination):
    """Give for places the axes that stand there when one has been moved."""
    axes = places
    for place in range(len(places)):
        axis = place
        if place == destination:
            axis = source
        else:
            if axis > destination:
                axis -= 1
            if axis >= source:
                axis += 1
        axes = intrinsics.replace(axes, place, axis)
    return axes


@implements("numpy.moveaxis")
def moveaxis(a, source, destination):
    """View an array with a dimension in another place, neither of which is known before."""
    come_from, go_to = from_front((source, destination), a.ndim)
    return ordered(a, moved(counted(a.shape), come_from, go_to))


def ordered(a, axes):
    """View an array with its dimensions in an order."""
    if len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    else:
        order = from_front(axes, a.ndim)
        for i in range(a.ndim):
            for j in range(i):
                if order[i] == order[j]:
                    raise ValueError("repeated axis in transpose")
        return intrinsics.rearranged(a, picked(a.shape, order), picked(a.strides, order))


@implements("numpy.lib.stride_tricks.sliding_window_view")
def sliding_window_view(x, window_shape, axis=None):
    """View the windows of a size that slide along axes, for reading."""
    window = as_tuple(window_shape)
    a = kept(x)
    for i in range(len(window)):
        if window[i] < 0:
            raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        axes = counted(a.shape)
    else:
        axes = from_front(as_tuple(axis), a.ndim)
    if len(axes) != len(window):
        raise ValueError("Must provide a window size for each axis")
    sizes, steps = windowed(a.shape, a.strides, window, axes)
    return intrinsics.repeated(a, sizes + window, a.strides + steps)


def check_kinds(source, target, is_array):
    """Refuse to assign to a kind of numbers that comes before the source's own."""
    if source.kind == "c" and target.kind != "c":
        intrinsics.unsupported("complex numbers are not cast to others under the rule 'same_kind'")
    if source.kind == "f" and target.kind != "c" and target.kind != "f":
        intrinsics.unsupported("floats are not cast to ints under the rule 'same_kind'")
    if source.kind != "b" and target.kind == "b":
        intrinsics.unsupported("numbers are not cast to bool under the rule 'same_kind'")
    if is_array and source.kind == "i" and target.kind == "u":
        intrinsics.unsupported("signed ints are not cast to unsigned ones under the rule 'same_kind'")


@implements("numpy.copyto")
def copyto(dst, src, casting: literal = "same_kind", where=True):
    """Assign to the elements of an array, or to those where a condition holds."""
    if casting != "same_kind" and casting != "unsafe":
        intrinsics.unsupported("'same_kind' and 'unsafe' are the rules of casting")
    if casting == "same_kind":
        check_kinds(np.result_type(src), dst.dtype, isinstance(src, np.ndarray))
    if isinstance(where, np.ndarray):
        dst[...] = np.where(where, np.broadcast_to(src, dst.shape).astype(dst.dtype), dst)
    elif where:
        dst[...] = src


def position(at, shape):
    """Split a position among all elements into one in each dimension."""
    if len(shape) == 0:
        return ()
    size = shape[len(shape) - 1]
    return position(at // size, shape[:-1]) + (at % size,)


@implements("numpy.put", "array.put")
def put(a, ind, v):
    """Assign to the elements at positions among all; values repeat."""
    places = flat(ind)
    values = flat(v)
    if a.size == 0 and places.size > 0:
        raise IndexError("cannot replace elements of an empty array")
    for i in range(places.size if values.size > 0 else 0):
        a[position(wrapped(places[i], a.size), a.shape)] = values[i % values.size]


@implements("numpy.resize")
def resize(a, new_shape):
    """Make an array of a size, in which the elements repeat."""
    v = flat(a)
    sizes = as_tuple(new_shape)
    for i in range(len(sizes)):
        if sizes[i] < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
    out = np.zeros(sizes, v.dtype)
    to = flat(out)
    for i in range(to.size if v.size > 0 else 0):
        to[i] = v[i % v.size]
    return out
