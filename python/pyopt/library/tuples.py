"""Methods of tuples, and of lists whose items have several types."""

from pyopt.library import implements


@implements("tuple.index")
def index(items, value, start=0, stop=9223372036854775807):
    """Find where the first of the items that equal a value is, of those from a position to another."""
    position = first_between(items, value, start, stop)
    if position < 0:
        raise ValueError("tuple.index(x): x not in tuple")
    return position


@implements("list.index_of_several")
def index_in_list(items, value, start=0, stop=9223372036854775807):
    """Find it in a list, which is passed as a tuple."""
    position = first_between(items, value, start, stop)
    if position < 0:
        raise ValueError(f"{value!r} is not in list")
    return position


@implements("tuple.count")
def count(items, value):
    """Count the items that equal a value."""
    if len(items) == 0:
        return 0
    return int(items[0] == value) + count(items[1:], value)


def first_between(items, value, start, stop):
    """Find the first item that equals a value, of those from a position to another."""
    if start < 0:
        start = max(start + len(items), 0)
    if stop < 0:
        stop += len(items)
    return first_equal(items, value, 0, start, stop)


def first_equal(items, value, position, start, stop):
    """Find the first item that equals a value; the items are those from a position on."""
    if len(items) == 0:
        return -1
    if start <= position < stop and items[0] == value:
        return position
    return first_equal(items[1:], value, position + 1, start, stop)
