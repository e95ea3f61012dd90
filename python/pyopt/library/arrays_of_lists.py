"""Arrays of lists that change: of numbers, of lists of numbers, of arrays; and lists of arrays."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.shapes import checked_axis, lanes


@implements("numpy.array", "numpy.asarray", role="list_conversion")
def array_of_list(object, dtype: literal = None):
    """Make an array of a range or a list of numbers, or of a list of rows of one length."""
    if isinstance(object, range):
        numbers = np.arange(object.start, object.stop, object.step)
        return numbers if dtype is None else numbers.astype(dtype)
    if not isinstance(object, list):
        intrinsics.unsupported("an array is made of numbers, arrays, tuples and lists of such")
    if isinstance(object[0], np.ndarray):
        return array_of_arrays(object, dtype)
    if isinstance(object[0], list):
        if isinstance(object[0][0], (list, tuple, np.ndarray)):
            return array_of_arrays(arrays_of_items(object, dtype), dtype)
        return array_of_rows(object, dtype)
    if isinstance(object[0], tuple):
        return array_of_tuples(object, dtype)
    out = np.empty(len(object), np.result_type(object[0]) if dtype is None else dtype)
    for i in range(len(object)):
        out[i] = object[i]
    return out


def arrays_of_items(items, dtype: literal):
    """Make an array of each item of a list."""
    made = []
    for item in items:
        made.append(array_of_list(item, dtype))
    return made


def array_of_arrays(parts, dtype: literal):
    """Make an array of a list of arrays of one shape, which follow each other along its first axis."""
    kind = np.result_type(parts[0]) if dtype is None else dtype
    if len(parts) == 0:
        return np.empty(intrinsics.fill(0, parts[0].ndim + 1), kind)
    shape = parts[0].shape
    out = np.empty((len(parts), *shape), kind)
    for i in range(len(parts)):
        part = parts[i]
        if part.shape != shape:
            raise ValueError("setting an array element with a sequence: the arrays have several shapes")
        out[i] = part[()] if part.ndim == 0 else part
    return out


def array_of_rows(rows, dtype: literal):
    """Make a matrix of a list of rows."""
    columns = len(rows[0]) if len(rows) > 0 else 0
    out = np.empty((len(rows), columns), np.result_type(rows[0][0]) if dtype is None else dtype)
    for i in range(len(rows)):
        row = rows[i]
        if len(row) != columns:
            raise ValueError("setting an array element with a sequence: the rows have several lengths")
        for j in range(columns):
            out[i, j] = row[j]
    return out


def array_of_tuples(rows, dtype: literal):
    """Make a matrix of a list of tuples of numbers."""
    columns = len(rows[0]) if len(rows) > 0 else 0
    out = np.empty((len(rows), columns), np.asarray(rows[0]).dtype if dtype is None else dtype)
    for i in range(len(rows)):
        out[i] = np.asarray(rows[i])
    return out


def concatenate_list(arrays, axis):
    """Join a list of arrays along an axis."""
    if len(arrays) == 0:
        raise ValueError("need at least one array to concatenate")
    first = arrays[0]
    at = checked_axis(axis, first.ndim)
    total = 0
    for part in arrays:
        total += part.shape[at]
    shape = intrinsics.replace(first.shape, at, total)
    out = np.empty(shape, first.dtype)
    v = lanes(out, at)
    start = 0
    for part in arrays:
        for i in range(part.ndim):
            if i != at and part.shape[i] != shape[i]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly"
                )
        w = lanes(np.ascontiguousarray(part), at)
        v[:, start : start + w.shape[1], :] = w
        start += w.shape[1]
    return out


def stack_list(arrays, axis):
    """Join a list of arrays along a new axis."""
    if len(arrays) == 0:
        raise ValueError("need at least one array to stack")
    first = arrays[0]
    at = checked_axis(axis, first.ndim + 1)
    out = np.empty(intrinsics.insert(first.shape, at, len(arrays)), first.dtype)
    v = lanes(out, at)
    k = 0
    for part in arrays:
        if part.shape != first.shape:
            raise ValueError("all input arrays must have the same shape")
        v[:, k, :] = intrinsics.reshape(np.ascontiguousarray(part), (v.shape[0], v.shape[2]))
        k += 1
    return out


@implements("array.tolist")
def lists_of_array(self):
    """Make a list of a vector's elements, and lists of lists of arrays of more dimensions."""
    if self.ndim == 0:
        return self.item()
    made = []
    for row in self:
        if self.ndim == 1:
            made.append(row.item())
        else:
            made.append(lists_of_array(row))
    return made
