"""Going through elements as arrays without dimensions."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.broadcasting import broadcast_to, shape_of_all, shapes_of


@implements("numpy.nditer")
def nditer(op):
    """View each element in the order of memory; of several arrays, those that are broadcast together."""
    if isinstance(op, tuple):
        shape = shape_of_all(shapes_of(op))
        steps = np.zeros((len(op), len(shape)), np.int64)
        fill_steps(op, shape, steps, 0)
        axes, is_backward = order_of_memory(steps)
        for place in np.ndindex(in_order(shape, axes)):
            yield elements(op, index_at(place, shape, axes, is_backward), shape)
    else:
        steps = np.zeros((1, op.ndim), np.int64)
        fill_steps((op,), op.shape, steps, 0)
        axes, is_backward = order_of_memory(steps)
        for place in np.ndindex(in_order(op.shape, axes)):
            yield op[index_at(place, op.shape, axes, is_backward) + (...,)]


def fill_steps(arrays, shape, steps, row):
    """Write down how far apart the elements of arrays are along each axis; 0 where there is but one."""
    if len(arrays) > 0:
        array = broadcast_to(arrays[0], shape)
        for axis in range(len(shape)):
            if shape[axis] != 1:
                steps[row, axis] = array.strides[axis]
        fill_steps(arrays[1:], shape, steps, row + 1)


def order_of_memory(steps):
    """Find the order of axes, the one of the largest steps first, and which of them go backward.

    Axes are sorted by insertion, from the last one on: one goes inside of another where all arrays that
    tell them apart agree (the order ``'K'``).
    """
    ndim = steps.shape[1]
    axes = np.arange(ndim)
    for position in range(ndim - 2, -1, -1):
        axis = axes[position]
        target = position
        for inner in range(position + 1, ndim):
            differs, agree = compare_steps(steps[:, axis], steps[:, axes[inner]])
            if differs:
                if not agree:
                    break
                target = inner
        for moved in range(position, target):
            axes[moved] = axes[moved + 1]
        axes[target] = axis
    is_backward = np.zeros(ndim, np.bool_)
    for axis in range(ndim):
        is_backward[axis] = np.all(steps[:, axis] <= 0) and np.any(steps[:, axis] < 0)
    return axes, is_backward


def compare_steps(outer, inner):
    """Say whether arrays tell two axes apart, and whether all that do have smaller steps at the outer."""
    differs = False
    agree = False
    for array in range(outer.size):
        if outer[array] != 0 and inner[array] != 0:
            if abs(inner[array]) <= abs(outer[array]):
                agree = False
            elif not differs:
                agree = True
            differs = True
    return differs, agree


def in_order(items, axes):
    """Give the items of a tuple in the order of axes."""
    made = items
    for i in range(len(items)):
        made = intrinsics.replace(made, i, items[axes[i]])
    return made


def index_at(place, shape, axes, is_backward):
    """Find the index of a place in an order of axes."""
    index = shape
    for i in range(len(shape)):
        axis = axes[i]
        at = shape[axis] - 1 - place[i] if is_backward[axis] else place[i]
        index = intrinsics.replace(index, axis, at)
    return index


def elements(arrays, index, shape):
    """View an element of each array of a tuple."""
    if len(arrays) == 0:
        return ()
    return (broadcast_to(arrays[0], shape)[index + (...,)],) + elements(arrays[1:], index, shape)
