"""``operator``'s functions that look an item up in any iterable."""

from pyopt.library import implements


@implements("operator.countOf")
def count_of(a, b):
    """Count the items that equal one."""
    count = 0
    for item in a:
        if item == b:
            count += 1
    return count


@implements("operator.indexOf")
def index_of(a, b):
    """Find the first item that equals one."""
    at = 0
    for item in a:
        if item == b:
            return at
        at += 1
    raise ValueError("sequence.index(x): x not in sequence")
