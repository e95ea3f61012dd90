"""Python's builtins over vectors, ranges and tuples."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.iterators import greatest_by, least_by
from pyopt.library.shapes import flat


@implements("builtins.sum")
def sum_items(items, start=0):
    """Add the items of a vector, range, list or generator from the left."""
    if not isinstance(items, np.ndarray):
        total = start
        for item in items:
            total = total + item
        return total
    if items.ndim != 1:
        intrinsics.unsupported("sum() takes vectors, lists, ranges and tuples; use np.sum for others")
    total = start + (items.dtype.type(0) if items.size == 0 else items[0])
    for i in range(1, items.size):
        total = total + items[i]
    return total


@implements("builtins.min")
def min_item(items, *more):
    """Find the first of the least items of a vector or range."""
    if len(more) > 0:
        intrinsics.unsupported("one of these has no order, as complex numbers have none")
    if isinstance(items, range):
        if is_empty(items):
            raise ValueError("min() arg is an empty sequence")
        return min(items.start, last_item(items))
    if isinstance(items, list):
        if len(items) == 0:
            raise ValueError("min() arg is an empty sequence")
        best = items[0]
        for item in items:
            if item < best:
                best = item
        return best
    if not isinstance(items, np.ndarray):
        return least_by(items, None, ())
    if items.ndim != 1:
        intrinsics.unsupported("min() takes vectors, lists, ranges and tuples; use np.min for others")
    if items.size == 0:
        raise ValueError("min() arg is an empty sequence")
    best = items[0]
    for i in range(1, items.size):
        if items[i] < best:
            best = items[i]
    return best


@implements("builtins.max")
def max_item(items, *more):
    """Find the first of the greatest items of a vector or range."""
    if len(more) > 0:
        intrinsics.unsupported("one of these has no order, as complex numbers have none")
    if isinstance(items, range):
        if is_empty(items):
            raise ValueError("max() arg is an empty sequence")
        return max(items.start, last_item(items))
    if isinstance(items, list):
        if len(items) == 0:
            raise ValueError("max() arg is an empty sequence")
        best = items[0]
        for item in items:
            if item > best:
                best = item
        return best
    if not isinstance(items, np.ndarray):
        return greatest_by(items, None, ())
    if items.ndim != 1:
        intrinsics.unsupported("max() takes vectors, lists, ranges and tuples; use np.max for others")
    if items.size == 0:
        raise ValueError("max() arg is an empty sequence")
    best = items[0]
    for i in range(1, items.size):
        if items[i] > best:
            best = items[i]
    return best


@implements("builtins.any")
def any_item(items):
    """Say whether an item of a tuple, range or vector is true."""
    if isinstance(items, tuple):
        if len(items) == 0:
            return False
        return bool(items[0]) or any_item(items[1:])
    if isinstance(items, range):
        # Two items aren't both zero.
        return not is_empty(items) and (items.start != 0 or last_item(items) != 0)
    if not isinstance(items, np.ndarray):
        for item in items:
            if item:
                return True
        return False
    if items.ndim != 1:
        intrinsics.unsupported("any() takes vectors, lists, ranges and tuples; use np.any for others")
    return np.any(flat(items))


@implements("builtins.all")
def all_items(items):
    """Say whether all items of a tuple, range or vector are true."""
    if isinstance(items, tuple):
        if len(items) == 0:
            return True
        return bool(items[0]) and all_items(items[1:])
    if isinstance(items, range):
        return 0 not in items
    if not isinstance(items, np.ndarray):
        for item in items:
            if not item:
                return False
        return True
    if items.ndim != 1:
        intrinsics.unsupported("all() takes vectors, lists, ranges and tuples; use np.all for others")
    return np.all(flat(items))


def steps(items, end):
    """Count the steps of a range from its start to a number; without a sign, distances don't overflow."""
    if items.step > 0:
        return (np.uint64(end) - np.uint64(items.start)) // np.uint64(items.step)
    return (np.uint64(items.start) - np.uint64(end)) // (np.uint64(0) - np.uint64(items.step))


def is_empty(items):
    """Say whether a range has no items, of which there may be too many to count."""
    return items.stop <= items.start if items.step > 0 else items.stop >= items.start


def last_item(items):
    """Find the last item of a range that has one."""
    before = items.stop - 1 if items.step > 0 else items.stop + 1
    last = np.uint64(items.start) + steps(items, before) * np.uint64(items.step)
    if isinstance(items.start, np.uint64):
        return last
    return np.int64(last)


@implements("range.__eq__")
def range_equals(left, right):
    """Say whether two ranges have the same items."""
    size = len(left)
    if size != len(right):
        return False
    if size == 0:
        return True
    return left[0] == right[0] and (size == 1 or left[1] == right[1])


@implements("range.__getitem__")
def range_slice(items, part):
    """Give the range of the items of a part."""
    start, stop, step = part.indices(len(items))
    first, distance = items.start, items.step
    return range(first + start * distance, first + stop * distance, step * distance)


@implements("pyopt.optional_truth")
def optional_is_true(item):
    """Say whether what may be None is true, looking at a value only where there is one."""
    if item is None:
        return False
    return bool(intrinsics.value_of(item))


@implements("pyopt.optional_equals")
def optionals_are_equal(left, right):
    """Say whether two values are equal of which one may be None, looking only at what is there."""
    if left is None:
        return right is None
    if right is None:
        return False
    return bool(intrinsics.value_of(left) == intrinsics.value_of(right))


@implements("pyopt.optional_contains")
def optional_is_in(item, container):
    """Say whether what may be None is an item of a container that has no None."""
    return item is not None and intrinsics.value_of(item) in container


@implements("range.__contains__")
def range_contains(items, wanted):
    """Say whether an int is one of a range."""
    if isinstance(wanted, complex):
        return wanted.imag == 0.0 and range_contains(items, wanted.real)
    if isinstance(wanted, float):
        # What is no int, or beyond the type of the items, is none of them.
        if np.floor(wanted) != wanted:
            return False
        if isinstance(items.start, np.uint64):
            return 0.0 <= wanted < 18446744073709551616.0 and range_contains(items, np.uint64(wanted))
        return abs(wanted) < 9223372036854775808.0 and range_contains(items, np.int64(wanted))
    if not isinstance(wanted, int):
        intrinsics.unsupported("only numbers are looked for in a range")
    if is_empty(items):
        return False
    last = last_item(items)
    if wanted < min(items.start, last) or wanted > max(items.start, last):
        return False
    return np.uint64(items.start) + steps(items, wanted) * np.uint64(items.step) == np.uint64(wanted)


@implements("array.__contains__")
def array_contains(items, wanted):
    """Say whether an element of an array equals a number."""
    for element in flat(items):
        if element == wanted:
            return True
    return False


@implements("range.count")
def range_count(items, wanted):
    """Count how often a number is in a range, which has none twice."""
    return int(wanted in items)


@implements("range.index")
def range_index(items, wanted):
    """Find where a number is in a range."""
    if wanted not in items:
        if isinstance(wanted, int):
            raise ValueError(f"{wanted} is not in range")
        raise ValueError("sequence.index(x): x not in sequence")
    return (int(wanted) - items.start) // items.step
