"""Going through elements as arrays without dimensions."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.broadcasting import broadcast_to, shape_of_all, shapes_of


@implements("numpy.nditer")
def nditer(op):
    """View each element in the order of memory; of several arrays, those that are broadcast together.

    What prepares the arrays isn't part of the generator: resuming that is a few instructions, and inlined.
    """
    if isinstance(op, tuple):
        shape = shape_of_all(shapes_of(op))
        steps = np.zeros((len(op), len(shape)), np.int64)
        fill_steps(op, shape, steps, 0)
        axes, is_backward = order_of_memory(steps)
        return visit_all(all_in_order(op, shape, axes, is_backward), in_order(shape, axes))
    steps = np.zeros((1, op.ndim), np.int64)
    fill_steps((op,), op.shape, steps, 0)
    axes, is_backward = order_of_memory(steps)
    return visit(with_axes_in_order(op, axes, is_backward))


def visit(array):
    """View each element of an array, the last axis in the innermost loop."""
    if array.ndim == 0:
        yield array
    elif array.ndim == 1:
        for i in range(array.shape[0]):
            yield array[i, ...]
    elif array.ndim == 2:
        for i in range(array.shape[0]):
            for j in range(array.shape[1]):
                yield array[i, j, ...]
    elif array.ndim == 3:
        for i in range(array.shape[0]):
            for j in range(array.shape[1]):
                for k in range(array.shape[2]):
                    yield array[i, j, k, ...]
    else:
        for i in range(array.shape[0]):
            for item in visit(array[i]):  # noqa: UP028 (the library has no 'yield from')
                yield item


def visit_all(arrays, shape):
    """View the elements of arrays of one shape side by side, the last axis in the innermost loop."""
    if len(shape) == 0:
        yield arrays
    elif len(shape) == 1:
        for i in range(shape[0]):
            yield items(arrays, (i, ...))
    elif len(shape) == 2:
        for i in range(shape[0]):
            for j in range(shape[1]):
                yield items(arrays, (i, j, ...))
    elif len(shape) == 3:
        for i in range(shape[0]):
            for j in range(shape[1]):
                for k in range(shape[2]):
                    yield items(arrays, (i, j, k, ...))
    else:
        for i in range(shape[0]):
            for item in visit_all(items(arrays, (i, ...)), shape[1:]):  # noqa: UP028 (as above)
                yield item


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


def with_axes_in_order(array, axes, is_backward):
    """View an array with its axes in an order, from the end of those on that go backward."""
    shape = in_order(array.shape, axes)
    strides = array.strides
    if array.size == 0:
        return intrinsics.rearranged(array, shape, in_order(strides, axes))
    start = array.shape
    for axis in range(array.ndim):
        start = intrinsics.replace(start, axis, array.shape[axis] - 1 if is_backward[axis] else 0)
        if is_backward[axis]:
            strides = intrinsics.replace(strides, axis, -strides[axis])
    return intrinsics.rearranged(array[start + (...,)], shape, in_order(strides, axes))


def all_in_order(arrays, shape, axes, is_backward):
    """View each array of a tuple in a shape, with its axes in an order."""
    if len(arrays) == 0:
        return ()
    first = with_axes_in_order(broadcast_to(arrays[0], shape), axes, is_backward)
    return (first,) + all_in_order(arrays[1:], shape, axes, is_backward)


def items(arrays, index):
    """View the same part of each array of a tuple."""
    if len(arrays) == 0:
        return ()
    return (arrays[0][index],) + items(arrays[1:], index)
