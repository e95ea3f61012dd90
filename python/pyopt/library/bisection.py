"""Python's ``bisect``: positions in what is sorted already."""

from pyopt.library import implements


def checked_end(items, lo, hi):
    """Give the position behind those that are looked at."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    return len(items) if hi is None else hi


@implements("bisect.bisect_left")
def position_left(a, x, lo=0, hi=None, *, key=None):
    """Find the first position whose item isn't less than a value."""
    first = lo
    end = checked_end(a, lo, hi)
    while first < end:
        middle = first + ((end - first) >> 1)  # the sum could overflow
        item = a[middle] if key is None else key(a[middle])
        if item < x:
            first = middle + 1
        else:
            end = middle
    return first


@implements("bisect.bisect_right", "bisect.bisect")
def position_right(a, x, lo=0, hi=None, *, key=None):
    """Find the first position whose item is greater than a value."""
    first = lo
    end = checked_end(a, lo, hi)
    while first < end:
        middle = first + ((end - first) >> 1)  # the sum could overflow
        item = a[middle] if key is None else key(a[middle])
        if x < item:
            end = middle
        else:
            first = middle + 1
    return first


@implements("bisect.insort_left")
def insort_left(a, x, lo=0, hi=None, *, key=None):
    """Put a value into a sorted list, before those that equal it."""
    a.insert(position_left(a, x if key is None else key(x), lo, hi, key=key), x)


@implements("bisect.insort_right", "bisect.insort")
def insort_right(a, x, lo=0, hi=None, *, key=None):
    """Put a value into a sorted list, behind those that equal it."""
    a.insert(position_right(a, x if key is None else key(x), lo, hi, key=key), x)
