"""Shapes and axes: what other functions of the library are written with, and reshaping."""

import numpy as np

from pyopt.library import implements, intrinsics, literal


def as_array(a):
    """Make a C-contiguous array of an array, a tuple or list of numbers, or a number."""
    if isinstance(a, np.ndarray):
        return np.ascontiguousarray(a)
    if isinstance(a, tuple):
        return np.array(a)
    if isinstance(a, list):
        return np.array(a)
    return np.full((), a)


def as_it_is(a):
    """Give an array as it is; an array of a tuple or list of numbers, or of a number."""
    return a if isinstance(a, np.ndarray) else as_array(a)


def number(a):
    """Give the element of an array without dimensions; a number as it is."""
    return a[()] if isinstance(a, np.ndarray) else a


def flat(a):
    """View the elements in C order as a vector; of what isn't contiguous a copy."""
    c = as_array(a)
    return intrinsics.reshape(c, (c.size,))


def product(sizes):
    """Multiply the items of a tuple of ints."""
    result = 1
    for i in range(len(sizes)):
        result *= sizes[i]
    return result


def times(size, count):
    """Multiply two sizes, neither of which is negative; refuse a product that is none."""
    if size > 0 and count > 9223372036854775807 // size:
        raise ValueError("array is too big; the product of its sizes is larger than the largest int")
    return size * count


def checked_axis(axis, ndim):
    """Count an axis from the front."""
    inside = -ndim <= axis < ndim
    intrinsics.check(inside, "ValueError", "axis {} is out of bounds for array of dimension {}", axis, ndim)
    return axis + ndim if axis < 0 else axis


def lanes(c, axis):
    """View a C-contiguous array as three dimensions, of which the one in the middle is the axis."""
    outer = 1
    for i in range(axis):
        outer *= c.shape[i]
    inner = 1
    for i in range(axis + 1, c.ndim):
        inner *= c.shape[i]
    return intrinsics.reshape(c, (outer, c.shape[axis], inner))


def strides_in(a, shape):
    """Find the strides of an array's memory under other sizes; whether there are such, and which.

    Axes that are taken together, or apart, lie without gaps along each other.
    """
    # Axes of one element have any stride.
    sizes = a.shape
    steps = a.strides
    count = 0
    for axis in range(a.ndim):
        if a.shape[axis] != 1:
            sizes = intrinsics.replace(sizes, count, a.shape[axis])
            steps = intrinsics.replace(steps, count, a.strides[axis])
            count += 1
    strides = intrinsics.fill(a.itemsize, len(shape))
    before = 0
    first = 0
    while before < count and first < len(shape):
        behind = before + 1
        last = first
        wanted = shape[first]
        found = sizes[before]
        while wanted != found:
            if wanted < found:
                last += 1
                wanted *= shape[last]
            else:
                if steps[behind - 1] != sizes[behind] * steps[behind]:
                    return False, strides
                found *= sizes[behind]
                behind += 1
        step = steps[behind - 1]
        for axis in range(last, first - 1, -1):
            strides = intrinsics.replace(strides, axis, step)
            step *= shape[axis]
        first = last + 1
        before = behind
    return True, strides


def resized(a, shape):
    """View an array with other sizes, whose product is that of its sizes; a copy where no strides do."""
    if len(shape) > 0 and intrinsics.is_strided(a):
        if a.size > 0:
            fits, strides = strides_in(a, shape)
            if fits:
                return intrinsics.rearranged(a, shape, strides)
        copied = intrinsics.reshape(as_array(a), shape)
        return intrinsics.rearranged(copied, shape, copied.strides)
    return intrinsics.reshape(as_array(a), shape)


def check_fits(fits, size, shape):
    """Refuse a shape that has no place for just so many elements."""
    intrinsics.check(fits, "ValueError", "cannot reshape array of size {} into shape {}", size, shape)


@implements("numpy.reshape", role="reshape")
def reshape(a, shape):
    """Give an array other sizes, of which one may be negative: it is what is left."""
    if not isinstance(a, np.ndarray):
        return reshape(as_array(a), shape)
    if isinstance(shape, tuple):
        known = 1
        # The product as a float tells whether the one of ints has wrapped around.
        magnitude = 1.0
        free = -1
        for i in range(len(shape)):
            if shape[i] < 0:
                if free >= 0:
                    raise ValueError("can only specify one unknown dimension")
                free = i
            else:
                known *= shape[i]
                magnitude *= shape[i]
        fits = magnitude < 9e18
        if free >= 0:
            whole = fits and known != 0 and a.size % known == 0
            check_fits(whole, a.size, shape)
            return resized(a, intrinsics.replace(shape, free, a.size // known))
        check_fits(fits and known == a.size, a.size, shape)
        return resized(a, shape)
    return reshape(a, (shape,))


@implements("array.reshape", role="reshape")
def reshape_method(a, *shape):
    """Give an array the sizes of a tuple or of the arguments."""
    if len(shape) == 1:
        return reshape(a, shape[0])
    return reshape(a, shape)


@implements("numpy.ravel", "array.ravel")
def ravel(a):
    """Give the elements in C order as a vector."""
    return flat(a)


@implements("array.flatten")
def flatten(a):
    """Copy the elements in C order to a vector."""
    return flat(a.copy())


@implements("numpy.expand_dims")
def expand_dims(a, axis):
    """Insert an axis of size 1."""
    c = as_it_is(a)
    at = checked_axis(axis, c.ndim + 1)
    if intrinsics.is_strided(c):
        steps = intrinsics.insert(c.strides, at, c.itemsize)
        return intrinsics.rearranged(c, intrinsics.insert(c.shape, at, 1), steps)
    return intrinsics.reshape(as_array(c), intrinsics.insert(c.shape, at, 1))


def each(arrays, function):
    """Apply a function to each item of a tuple or list."""
    if isinstance(arrays, list):
        made = []
        for one in arrays:
            made.append(function(one))
        return made
    if len(arrays) == 0:
        return ()
    return (function(arrays[0]),) + each(arrays[1:], function)


@implements("numpy.atleast_1d")
def atleast_1d(*arys):
    """Give numbers one dimension."""
    if len(arys) == 1:
        return as_vector(arys[0])
    return each(arys, as_vector)


def as_vector(a):
    """Give a number one dimension."""
    c = as_it_is(a)
    return intrinsics.reshape(c, (1,)) if c.ndim == 0 else c


@implements("numpy.atleast_2d")
def atleast_2d(*arys):
    """Give vectors the shape of rows."""
    if len(arys) == 1:
        return as_rows(arys[0])
    return each(arys, as_rows)


@implements("numpy.atleast_3d")
def atleast_3d(*arys):
    """Give arrays three dimensions: of a vector the one in the middle, of a matrix the first two."""
    if len(arys) == 1:
        return as_planes(arys[0])
    return each(arys, as_planes)


def as_planes(a):
    """Give an array three dimensions."""
    c = as_rows(a)
    return expand_dims(c, 2) if c.ndim == 2 else c


def as_rows(a):
    """Give a vector the shape of a row."""
    c = as_vector(a)
    return expand_dims(c, 0) if c.ndim == 1 else c


@implements("numpy.flip")
def flip(m, axis: literal = None):
    """Reverse the elements along all axes, or along one."""
    if axis is None:
        if m.ndim == 0:
            return m[()]
        if m.ndim == 1:
            return m[::-1]
        if m.ndim == 2:
            return m[::-1, ::-1]
        if m.ndim == 3:
            return m[::-1, ::-1, ::-1]
        intrinsics.unsupported("arrays of more than three dimensions are flipped along one axis")
    elif axis == 0 or axis == -m.ndim:
        return m[::-1]
    elif axis == -1 or axis == m.ndim - 1:
        return m[..., ::-1]
    elif axis == 1 or axis == 1 - m.ndim:
        return m[:, ::-1]
    elif axis == 2 or axis == 2 - m.ndim:
        return m[:, :, ::-1]
    else:
        intrinsics.unsupported("the axis is none of the array's, or beyond the third")


@implements("numpy.flipud")
def flipud(m):
    """Reverse the rows."""
    return m[::-1]


@implements("numpy.fliplr")
def fliplr(m):
    """Reverse the columns."""
    return m[:, ::-1]


@implements("numpy.copy")
def copy_items(a):
    """Make an array of a tuple or list of numbers, or of a number; the compiler copies arrays itself."""
    return np.array(a)


@implements("numpy.ascontiguousarray", "numpy.asfortranarray")
def vector_of(a, dtype=None):
    """Make an array of one dimension of a tuple or list of numbers, or of a number."""
    if isinstance(a, np.ndarray):
        intrinsics.unsupported("an array keeps its type: use a.astype(dtype)")
    if dtype is not None:
        return flat(np.array(a)).astype(dtype)
    return flat(np.array(a))
