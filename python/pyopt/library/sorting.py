"""Sorting and searching. NaN is greater than every number, as in NumPy."""

import numpy as np

from pyopt.library import implements, intrinsics, literal
from pyopt.library.shapes import as_array, checked_axis, flat, lanes


def complex_less(x, y):
    """Compare two complex numbers in the order of sorting."""
    if x.real == y.real or (x.real != x.real and y.real != y.real):
        return less(x.imag, y.imag)
    # NaN in the imaginary part counts more than the real one.
    if (x.imag != x.imag) != (y.imag != y.imag) and x.real == x.real and y.real == y.real:
        return y.imag != y.imag
    return less(x.real, y.real)


def less(x, y):
    """Compare two numbers in the order of sorting."""
    if np.result_type(x).kind == "c":
        return complex_less(x, y)
    return x < y or (y != y and x == x)


def insertion_sort(v, first, last):
    """Sort a short part of a vector."""
    for i in range(first + 1, last + 1):
        x = v[i]
        j = i
        while j > first and less(x, v[j - 1]):
            v[j] = v[j - 1]
            j -= 1
        v[j] = x


def partition(v, first, last):
    """Split a part of a vector around the median of three of its elements."""
    middle = first + (last - first) // 2
    if less(v[middle], v[first]):
        v[middle], v[first] = v[first], v[middle]
    if less(v[last], v[middle]):
        v[last], v[middle] = v[middle], v[last]
        if less(v[middle], v[first]):
            v[middle], v[first] = v[first], v[middle]
    pivot = v[middle]
    i = first
    j = last
    while i <= j:
        while less(v[i], pivot):
            i += 1
        while less(pivot, v[j]):
            j -= 1
        if i <= j:
            v[i], v[j] = v[j], v[i]
            i += 1
            j -= 1
    return i, j


def sift(v, first, start, last):
    """Restore the heap below a node of a part of a vector."""
    root = start
    while True:
        child = 2 * root + 1
        if first + child > last:
            return
        if first + child < last and less(v[first + child], v[first + child + 1]):
            child += 1
        if not less(v[first + root], v[first + child]):
            return
        v[first + root], v[first + child] = v[first + child], v[first + root]
        root = child


def heap_sort(v, first, last):
    """Sort a part of a vector in the time that no input can exceed."""
    size = last - first + 1
    for i in range(size // 2):
        sift(v, first, size // 2 - 1 - i, last)
    for i in range(size - 1):
        end = last - i
        v[first], v[end] = v[end], v[first]
        sift(v, first, 0, end - 1)


def sort_vector(v):
    """Sort a vector in place: quicksort with a limit, behind which heapsort takes over."""
    stack = np.empty((128, 3), np.int64)
    limit = 0
    while (1 << limit) < v.size:
        limit += 1
    stack[0, 0] = 0
    stack[0, 1] = v.size - 1
    stack[0, 2] = 2 * limit
    height = 1
    while height > 0:
        height -= 1
        first = stack[height, 0]
        last = stack[height, 1]
        depth = stack[height, 2]
        while last - first >= 16:
            if depth == 0:
                heap_sort(v, first, last)
                last = first
            else:
                depth -= 1
                i, j = partition(v, first, last)
                # The longer part waits, so that few do.
                if j - first > last - i:
                    stack[height, 0] = first
                    stack[height, 1] = j
                    first = i
                else:
                    stack[height, 0] = i
                    stack[height, 1] = last
                    last = j
                stack[height, 2] = depth
                height += 1
        insertion_sort(v, first, last)


def merge_sort_positions(v):
    """Find the positions of the elements of a vector in order; equal ones stay as they are."""
    n = v.size
    order = np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    buffer = np.empty(n, np.int64)
    for start in range(0, n, 16):
        for i in range(start + 1, min(start + 16, n)):
            at = order[i]
            j = i
            while j > start and less(v[at], v[order[j - 1]]):
                order[j] = order[j - 1]
                j -= 1
            order[j] = at
    width = 16
    while width < n:
        for start in range(0, n, 2 * width):
            middle = min(start + width, n)
            end = min(start + 2 * width, n)
            i = start
            j = middle
            for k in range(start, end):
                if i < middle and (j >= end or not less(v[order[j]], v[order[i]])):
                    buffer[k] = order[i]
                    i += 1
                else:
                    buffer[k] = order[j]
                    j += 1
        order, buffer = buffer, order
        width *= 2
    return order


@implements("numpy.sort")
def sort(a, axis=-1, kind: literal = None):
    """Sort a copy along an axis."""
    if axis is None:
        out = flat(a).copy()
        sort_vector(out)
        return out
    out = np.ascontiguousarray(a.copy())
    sort_lanes(out, checked_axis(axis, out.ndim))
    return out


def sort_lanes(c, axis):
    """Sort a C-contiguous array in place along an axis."""
    v = lanes(c, axis)
    for i in range(v.shape[0]):
        for j in range(v.shape[2]):
            if v.shape[2] == 1:
                sort_vector(v[i, :, 0])
            else:
                lane = v[i, :, j].copy()
                sort_vector(lane)
                v[i, :, j] = lane


@implements("array.sort")
def sort_in_place(a, axis=-1, kind: literal = None):
    """Sort along an axis."""
    if a.ndim == 1:
        checked_axis(axis, 1)
        sort_vector(a)
    else:
        a[...] = sort(a, axis)


@implements("numpy.argsort", "array.argsort")
def argsort(a, axis=-1, kind: literal = None):
    """Find the positions of the elements along an axis in order; the sort is stable."""
    if axis is None:
        return merge_sort_positions(flat(a))
    c = np.ascontiguousarray(a)
    v = lanes(c, checked_axis(axis, c.ndim))
    out = np.empty(v.shape, np.int64)
    for i in range(v.shape[0]):
        for j in range(v.shape[2]):
            out[i, :, j] = merge_sort_positions(v[i, :, j])
    return intrinsics.reshape(out, c.shape)


def bisect_left(v, x):
    """Find the first position at which a sorted vector's elements are not less."""
    low = 0
    high = v.size
    while low < high:
        middle = (low + high) // 2
        if less(v[middle], x):
            low = middle + 1
        else:
            high = middle
    return low


def bisect_right(v, x):
    """Find the first position at which a sorted vector's elements are greater."""
    low = 0
    high = v.size
    while low < high:
        middle = (low + high) // 2
        if less(x, v[middle]):
            high = middle
        else:
            low = middle + 1
    return low


@implements("numpy.searchsorted", "array.searchsorted")
def searchsorted(a, v, side: literal = "left"):
    """Find where numbers belong in a sorted vector."""
    c = as_array(a)
    if c.ndim != 1:
        intrinsics.unsupported("searchsorted takes vectors")
    if side == "left":
        return search_all(c, v, less)
    if side == "right":
        return search_all(c, v, not_behind)
    raise ValueError("side must be 'left' or 'right'")


def not_behind(x, y):
    """Say whether a number isn't behind another one in the order of sorting."""
    return not less(y, x)


def search(c, x, is_before, low, high):
    """Search a part of a vector for a number."""
    while low < high:
        middle = low + (high - low) // 2
        if is_before(c[middle], x):
            low = middle + 1
        else:
            high = middle
    return low


def search_all(c, v, is_before):
    """Search for a number, or for each of an array's, from where the one before was found.

    So where NumPy finds a position in what isn't sorted, it is this one.
    """
    if not isinstance(v, (np.ndarray, tuple)):
        return search(c, v, is_before, 0, c.size)
    values = flat(v)
    out = np.empty(values.size, np.int64)
    low = 0
    high = c.size
    for i in range(values.size):
        x = values[i]
        if is_before(values[max(i - 1, 0)], x):
            high = c.size
        else:
            low = 0
            high = min(high + 1, c.size)
        low = search(c, x, is_before, low, high)
        high = low
        out[i] = low
    return intrinsics.reshape(out, as_array(v).shape)


def direction(v):
    """Say whether a vector's elements don't decrease (1), don't increase (-1) or do both (0)."""
    i = 1
    while i < v.size and v[i] == v[0]:
        i += 1
    if i >= v.size:
        return 1
    rises = bool(v[0] < v[i])
    for k in range(i + 1, v.size):
        if (rises and v[k - 1] > v[k]) or (not rises and v[k - 1] < v[k]):
            return 0
    return 1 if rises else -1


@implements("numpy.digitize")
def digitize(x, bins, right: literal = False):
    """Find the bins that numbers belong to; the bins increase or decrease."""
    edges = as_array(bins)
    if edges.ndim != 1:
        raise ValueError("object too deep for desired array")
    if edges.dtype.kind == "M" or edges.dtype.kind == "m" or edges.dtype.kind == "c":
        intrinsics.unsupported("bins are real numbers")
    way = direction(edges.astype(np.float64))
    if way == 0:
        raise ValueError("bins must be monotonically increasing or decreasing")
    if way < 0:
        # Decreasing bins: count from the other end.
        backward = edges[::-1].copy()
        if right:
            found = searchsorted(backward, x, "left")
        else:
            found = searchsorted(backward, x, "right")
        return edges.size - found
    if right:
        return searchsorted(edges, x, "left") + 0
    return searchsorted(edges, x, "right") + 0


@implements("numpy.unique")
def unique(
    ar, return_index: literal = False, return_inverse: literal = False, return_counts: literal = False
):
    """Find the different elements in order, and if asked for where they are and how often."""
    values = flat(ar)
    if not (return_index or return_inverse or return_counts):
        ordered = values.copy()
        sort_vector(ordered)
        count = 0
        for i in range(ordered.size):
            if i == 0 or less(ordered[count - 1], ordered[i]):
                ordered[count] = ordered[i]
                count += 1
        return ordered[:count].copy()
    order = merge_sort_positions(values)
    found = np.empty(values.size, values.dtype)
    index = np.empty(values.size, np.int64)
    counts = np.zeros(values.size, np.int64)
    inverse = np.empty(values.size, np.int64)
    count = 0
    for i in range(values.size):
        x = values[order[i]]
        if i == 0 or less(found[count - 1], x):
            found[count] = x
            index[count] = order[i]
            count += 1
        counts[count - 1] += 1
        inverse[order[i]] = count - 1
    result = (found[:count].copy(),)
    if return_index:
        with_index = result + (index[:count].copy(),)
    else:
        with_index = result
    if return_inverse:
        with_inverse = with_index + (intrinsics.reshape(inverse, as_array(ar).shape),)
    else:
        with_inverse = with_index
    if return_counts:
        return with_inverse + (counts[:count].copy(),)
    return with_inverse


@implements("numpy.isin", "numpy.in1d")
def isin(element, test_elements):
    """Say of each element whether it is among others."""
    kind = np.result_type(element, test_elements)
    ordered = flat(test_elements).astype(kind)
    sort_vector(ordered)
    values = flat(element).astype(kind)
    out = np.empty(values.size, np.bool_)
    for i in range(values.size):
        at = bisect_left(ordered, values[i])
        out[i] = at < ordered.size and ordered[at] == values[i]
    return intrinsics.reshape(out, as_array(element).shape)
