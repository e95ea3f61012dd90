"""What reductions along an axis begin and end with."""

from pyopt.library import intrinsics, literal
from pyopt.library.shapes import checked_axis, lanes


def reduced(out, shape, axis, keepdims: literal):
    """Give the shape of a reduction to its results, which are a matrix; without axes, a number."""
    if keepdims:
        if axis is None:
            return intrinsics.reshape(out, intrinsics.fill(1, len(shape)))
        return intrinsics.reshape(out, intrinsics.replace(shape, axis, 1))
    if axis is None or len(shape) == 1:
        return out[0, 0]
    return intrinsics.reshape(out, intrinsics.drop(shape, axis))


def reduction_axis(c, axis):
    """Count an axis from the front; all of them are None."""
    if axis is None:
        return None
    if isinstance(axis, tuple):
        intrinsics.unsupported("several axes are not supported here: reduce along one after the other")
    return checked_axis(axis, c.ndim)


def reduction_lanes(c, axis):
    """View an array so that the axis in the middle of three is reduced."""
    if axis is None:
        return intrinsics.reshape(c, (1, c.size, 1))
    return lanes(c, axis)
