"""Arrays in parts: sections, what is left without zeros at the ends, axes of size 1 left out."""

import numpy as np

from pyopt.library import implements, intrinsics, known, literal
from pyopt.library.broadcasting import as_tuple, kept
from pyopt.library.several_axes import checked_axes, dropped
from pyopt.library.shapes import checked_axis, flat


def even_points(size, sections):
    """Give the positions between sections of a size; the first ones are longer by one where they must."""
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    points = np.empty(sections + 1, np.int64)
    for i in range(sections + 1):
        points[i] = i * (size // sections) + min(i, size % sections)
    return points


def given_points(size, positions):
    """Put the ends of an axis around positions."""
    points = np.empty(positions.size + 2, np.int64)
    points[0] = 0
    points[1:-1] = positions
    points[-1] = size
    return points


def between(a, points, axis: known):
    """View the parts of an array between positions along an axis."""
    parts = []
    for i in range(points.size - 1):
        if intrinsics.is_constant(axis) and axis == 0:
            parts.append(a[points[i] : points[i + 1]])
        else:
            parts.append(np.swapaxes(np.swapaxes(a, 0, axis)[points[i] : points[i + 1]], 0, axis))
    return parts


@implements("numpy.array_split")
def array_split(ary, indices_or_sections, axis: known = 0):
    """View an array in sections of about one size, or between positions."""
    a = kept(ary)
    if a.ndim == 0:
        raise IndexError("tuple index out of range")
    size = a.shape[checked_axis(axis, a.ndim)]
    if isinstance(indices_or_sections, int):
        return between(a, even_points(size, indices_or_sections), axis)
    return between(a, given_points(size, flat(indices_or_sections)), axis)


@implements("numpy.split")
def split(ary, indices_or_sections, axis: known = 0):
    """View an array in sections of one size, or between positions."""
    a = kept(ary)
    if a.ndim == 0:
        raise IndexError("tuple index out of range")
    if isinstance(indices_or_sections, int):
        if indices_or_sections == 0:
            raise ZeroDivisionError("integer modulo by zero")
        if a.shape[checked_axis(axis, a.ndim)] % indices_or_sections != 0:
            raise ValueError("array split does not result in an equal division")
    return array_split(a, indices_or_sections, axis)


@implements("numpy.vsplit")
def vsplit(ary, indices_or_sections):
    """View an array in groups of rows."""
    a = kept(ary)
    if a.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(a, indices_or_sections, 0)


@implements("numpy.hsplit")
def hsplit(ary, indices_or_sections):
    """View an array in groups of columns, a vector in sections."""
    a = kept(ary)
    if a.ndim == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    elif a.ndim == 1:
        return split(a, indices_or_sections, 0)
    else:
        return split(a, indices_or_sections, 1)


@implements("numpy.dsplit")
def dsplit(ary, indices_or_sections):
    """View an array in groups along its third axis."""
    a = kept(ary)
    if a.ndim < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    else:
        return split(a, indices_or_sections, 2)


@implements("numpy.trim_zeros")
def trim_zeros(filt, trim: literal = "fb"):
    """View a vector without the zeros at its front, its back or both."""
    if filt.ndim != 1:
        intrinsics.unsupported("zeros are trimmed from vectors")
    if trim != "fb" and trim != "bf" and trim != "f" and trim != "b":
        intrinsics.unsupported("zeros are trimmed from the front 'f', the back 'b' or both, 'fb'")
    first = 0
    last = filt.size
    if trim != "b":
        while first < last and filt[first] == 0:
            first += 1
    if trim != "f":
        while last > first and filt[last - 1] == 0:
            last -= 1
    return filt[first:last]


@implements("numpy.squeeze", "array.squeeze")
def squeeze(a, axis=None):
    """View an array without axes of size 1."""
    if axis is None:
        intrinsics.unsupported("how many axes have size 1 is not known before it runs: name them, axis=0")
    view = kept(a)
    axes = checked_axes(as_tuple(axis), view.ndim)
    for i in range(len(axes)):
        if view.shape[axes[i]] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return intrinsics.strided(view, dropped(view.shape, axes), dropped(view.strides, axes))
