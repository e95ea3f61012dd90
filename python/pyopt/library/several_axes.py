"""Reductions along several axes: along one after the other, which keep their places until the end."""

import numpy as np

from pyopt.library import intrinsics, literal
from pyopt.library.shapes import checked_axis, flat


def checked_axes(axes, ndim):
    """Count axes from the front; none may be there twice."""
    if len(axes) == 0:
        return ()
    first = checked_axis(axes[0], ndim)
    rest = checked_axes(axes[1:], ndim)
    if first in rest:
        raise ValueError("duplicate value in 'axis'")
    return (first,) + rest


def folded(a, axes, reduce):
    """Reduce along each axis of a tuple."""
    if len(axes) == 0:
        return a
    return folded(reduce(a, axes[0]), axes[1:], reduce)


def dropped(shape, axes):
    """Leave out several items of a tuple."""
    if len(axes) == 0:
        return shape
    return dropped(intrinsics.drop(shape, axes[0]), lowered(axes[1:], axes[0]))


def lowered(axes, gone):
    """Count axes without one that is gone."""
    if len(axes) == 0:
        return ()
    first = axes[0] - 1 if axes[0] > gone else axes[0]
    return (first,) + lowered(axes[1:], gone)


def without_axes(kept, axes, keepdims: literal):
    """Drop axes of size 1; of an array without others give the element."""
    if keepdims:
        return kept
    if len(axes) == kept.ndim:
        return flat(kept)[0]
    return intrinsics.reshape(kept, dropped(kept.shape, axes))


def over_axes(c, axis, keepdims: literal, reduce):
    """Reduce along several axes by a function that reduces along one and keeps its place."""
    if len(axis) == 0:
        # Each element by itself, of the type that the reduction gives.
        alone = intrinsics.reshape(np.ascontiguousarray(c), (1,) + c.shape)
        return intrinsics.reshape(reduce(alone, 0), c.shape)
    axes = checked_axes(axis, c.ndim)
    return without_axes(folded(c, axes, reduce), axes, keepdims)


def count_over(shape, axes):
    """Multiply the sizes of several axes."""
    if len(axes) == 0:
        return 1
    return shape[axes[0]] * count_over(shape, axes[1:])


def variance_over(c, axis, ddof, keepdims: literal, kind, sum_kept):
    """Find variances over several axes."""
    axes = checked_axes(axis, c.ndim)
    wide = c.astype(kind)
    count = count_over(c.shape, axes)
    distances = wide - folded(wide, axes, sum_kept) / kind.type(count)
    squares = folded(distances * distances, axes, sum_kept)
    return without_axes(np.ascontiguousarray(squares / kind.type(max(count - ddof, 0))), axes, keepdims)
