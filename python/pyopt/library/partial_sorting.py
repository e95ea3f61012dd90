"""Partial sorting: elements are put where sorting would put them, in linear time.

Elements are split around an element of a sample, chosen so that the wanted position is near the end of the
shorter part, without a branch on how they compare, which can't be predicted. Inputs that are split badly too
often are sorted instead.
"""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.shapes import as_array, checked_axis, flat, lanes
from pyopt.library.sorting import complex_less, merge_sort_positions


def orders_nan(v):
    """Say whether a vector may have elements that differ from themselves and are behind all others."""
    return v.dtype.kind == "f" or v.dtype.kind == "m" or v.dtype.kind == "M"


def before(x, y):
    """Compare two numbers that aren't NaN, or complex ones, in the order of sorting."""
    if np.result_type(x).kind == "c":
        return complex_less(x, y)
    return x < y


def swap(v, places, i, j):
    """Exchange two elements, and where they came from."""
    v[i], v[j] = v[j], v[i]
    if places is not None:
        places[i], places[j] = places[j], places[i]


def stretch(places, first, last):
    """View a part of where elements came from."""
    if places is None:
        return None
    return places[first:last]


def split_less(v, places, pivot):
    """Move the elements that are before another one to the front; their number."""
    count = 0
    for k in range(v.size):
        x = v[k]
        v[k] = v[count]
        v[count] = x
        if places is not None:
            at = places[k]
            places[k] = places[count]
            places[count] = at
        count += 1 if before(x, pivot) else 0
    return count


def split_equal(v, places, pivot):
    """Move the elements that aren't behind another one to the front; their number."""
    count = 0
    for k in range(v.size):
        x = v[k]
        v[k] = v[count]
        v[count] = x
        if places is not None:
            at = places[k]
            places[k] = places[count]
            places[count] = at
        count += 0 if before(pivot, x) else 1
    return count


def split_numbers(v, places):
    """Move the elements that aren't NaN to the front; their number."""
    if not orders_nan(v):
        return v.size
    wrong = 0
    for k in range(v.size):
        wrong += v[k] != v[k]
    if wrong == 0:
        return v.size
    count = 0
    for k in range(v.size):
        x = v[k]
        v[k] = v[count]
        v[count] = x
        if places is not None:
            at = places[k]
            places[k] = places[count]
            places[count] = at
        count += x == x
    return count


def sort_short(v, places):
    """Sort a few elements."""
    for i in range(1, v.size):
        x = v[i]
        at = 0 if places is None else places[i]
        j = i
        while j > 0 and before(x, v[j - 1]):
            v[j] = v[j - 1]
            if places is not None:
                places[j] = places[j - 1]
            j -= 1
        v[j] = x
        if places is not None:
            places[j] = at


def sort_all(v, places):
    """Sort in the time that no input can exceed."""
    order = merge_sort_positions(v)
    v[:] = v[order]
    if places is not None:
        places[:] = places[order]


def pivot_to_end(v, places, k):
    """Sort a sample to the front and exchange the last element for one that is near position k of all."""
    size = 63 if v.size >= 4096 else 15 if v.size >= 256 else 5
    step = v.size // size
    for i in range(1, size):
        swap(v, places, i, i * step)
    sort_short(v[:size], stretch(places, 0, size))
    rank = k * size // v.size
    # Most likely beyond the position as seen from the longer part, which is then left.
    beyond = 1 + size // 16
    if 2 * k < v.size:
        rank = min(rank + beyond, size - 1)
    else:
        rank = max(rank - beyond, 0)
    swap(v, places, rank, v.size - 1)


def select_number(v, places, k):
    """Put an element where sorting puts it: none before it is greater, none behind it less. None is NaN."""
    first = 0
    last = v.size
    splits = 8
    while (1 << (splits // 2 - 4)) < v.size:
        splits += 2
    while last - first > 16:
        part = v[first:last]
        those = stretch(places, first, last)
        splits -= 1
        if splits < 0:
            sort_all(part, those)
            return
        pivot_to_end(part, those, k - first)
        end = part.size - 1
        pivot = part[end]
        below = split_less(part[:end], stretch(those, 0, end), pivot)
        swap(part, those, below, end)
        if first + below > k:
            last = first + below
        elif first + below == k:
            return
        else:
            size = part.size
            first += below + 1
            if 8 * below < size:
                # There may be many that are equal.
                first += split_equal(v[first:last], stretch(places, first, last), pivot)
                if first > k:
                    return
    sort_short(v[first:last], stretch(places, first, last))


def least_to_front(v):
    """Exchange the first element for the least one."""
    if v.size > 0:
        best = 0
        for k in range(1, v.size):
            if before(v[k], v[best]):
                best = k
        swap(v, None, 0, best)


def select_pair(v, done, k):
    """Put the element at a position and the one behind it where sorting puts them, past those done."""
    select_number(v[done:], None, k - done)
    least_to_front(v[k + 1 :])


def select_pairs(v, positions):
    """Put the elements at ascending positions and those behind them where sorting puts them, NaN last."""
    numbers = v[: split_numbers(v, None)]
    done = 0
    for k in positions:
        if k >= done and k < numbers.size:
            select_pair(numbers, done, k)
            done = k + 1


def select_each(v, places, positions):
    """Put the elements at ascending positions where sorting puts them, NaN last."""
    count = split_numbers(v, places)
    done = 0
    for k in positions:
        if k >= done and k < count:
            select_number(v[done:count], stretch(places, done, count), k - done)
            done = k + 1


def check_kth(kth, size):
    """Compare positions with the size of an axis, count them from the front and sort them."""
    if isinstance(kth, np.ndarray):
        positions = flat(kth).astype(np.int64)
    else:
        positions = np.full((1,), kth)
    for i in range(positions.size):
        if positions[i] < -size or positions[i] >= size:
            raise ValueError("kth is out of bounds")
        positions[i] += size if positions[i] < 0 else 0
    sort_short(positions, None)
    return positions


def several(kth):
    """Make an array of several positions."""
    if isinstance(kth, tuple):
        return np.array(kth)
    if isinstance(kth, list):
        return np.array(kth)
    return kth


@implements("numpy.partition")
def partition_array(a, kth, axis=-1):
    """Put the elements at positions where sorting puts them: what is before them isn't greater."""
    if axis is None:
        return partition_array(flat(a), kth, 0)
    out = np.ascontiguousarray(as_array(a).copy())
    v = lanes(out, checked_axis(axis, out.ndim))
    if out.size > 0:
        positions = check_kth(several(kth), v.shape[1])
        for i in range(v.shape[0]):
            for j in range(v.shape[2]):
                if v.shape[2] == 1:
                    select_each(v[i, :, 0], None, positions)
                else:
                    lane = v[i, :, j].copy()
                    select_each(lane, None, positions)
                    v[i, :, j] = lane
    return out


@implements("numpy.argpartition")
def argpartition(a, kth, axis=-1):
    """Find where the elements of a partition come from."""
    if axis is None:
        return argpartition(flat(a), kth, 0)
    c = as_array(a)
    v = lanes(c, checked_axis(axis, c.ndim))
    out = np.empty(v.shape, np.int64)
    if c.size > 0:
        positions = check_kth(several(kth), v.shape[1])
        places = np.empty(v.shape[1], np.int64)
        for i in range(v.shape[0]):
            for j in range(v.shape[2]):
                for k in range(places.size):
                    places[k] = k
                select_each(v[i, :, j].copy(), places, positions)
                out[i, :, j] = places
    return intrinsics.reshape(out, c.shape)
