"""Iterators as generators: what is gone through step by step.

The compiler has loops of its own for ``zip``, ``enumerate`` and ``reversed`` of what has positions.
"""

import numpy as np

from pyopt.library import implements, intrinsics


@implements("builtins.iter")
def iterate(iterable):
    """Go through items."""
    for item in iterable:  # noqa: UP028
        yield item


@implements("builtins.map")
def map_items(function, *iterables):
    """Call a function with the items of one or several iterables."""
    if len(iterables) == 1:
        for item in iterables[0]:
            yield function(item)
    else:
        for items in zip(*iterables):  # noqa: B905
            yield function(*items)


@implements("builtins.filter")
def filter_items(function, iterable):
    """Keep the items that are true, or of which a function says so."""
    for item in iterable:
        if function is None:
            if item:
                yield item
        elif function(item):
            yield item


@implements("builtins.zip.generators")
def zip_items(*iterables):
    """Go through several iterables, of which some are generators, until the first one ends."""
    if len(iterables) == 1:
        for item in iterables[0]:
            yield (item,)
    elif len(iterables) == 2:
        second = iter(iterables[1])
        for item in iterables[0]:
            for other in second:
                yield item, other
                break
            else:
                return
    else:
        rest = zip_items(*iterables[1:])
        for item in iterables[0]:
            for others in rest:
                yield (item, *others)
                break
            else:
                return


@implements("builtins.zip.strict")
def zip_strictly(*iterables):
    """Go through several iterables, which have to end together."""
    for items in zip_from(1, [False], iterables):  # noqa: UP028
        yield items


def zip_from(position, ended, iterables):
    """Go through the iterables from the one of a position on; ``ended`` says whether the first one has ended.

    While it says no, each is asked for an item because those before it had one.
    """
    if len(iterables) == 1:
        for item in iterables[0]:
            check_unended(position, ended)
            yield (item,)
        check_ended(position, ended)
    else:
        rest = zip_from(position + 1, ended, iterables[1:])
        for item in iterables[0]:
            check_unended(position, ended)
            for others in rest:
                yield (item, *others)
                break
        check_ended(position, ended)
        for _ in rest:
            break


def check_unended(position, ended):
    """Raise if the first iterable of a zip has ended, where a later one has an item."""
    if ended[0]:
        raise ValueError(f"zip() argument {position} is longer than argument{preceding(position)}")


def check_ended(position, ended):
    """Raise unless the first iterable of a zip has ended, where another one has: or say that it has."""
    if position == 1:
        ended[0] = True
    elif not ended[0]:
        raise ValueError(f"zip() argument {position} is shorter than argument{preceding(position)}")


def preceding(position):
    """Name the arguments of ``zip`` before a position, as CPython does."""
    return " 1" if position == 2 else f"s 1-{position - 1}"


@implements("builtins.enumerate.generator")
def enumerate_items(iterable, start):
    """Count the items of a generator."""
    count = start
    for item in iterable:
        yield count, item
        count += 1


@implements("builtins.reversed.generator")
def reversed_items(items):
    """Go through items from the end."""
    for item in reversed(items):  # noqa: UP028
        yield item


@implements("numpy.flat.generator")
def elements_of(array):
    """Go through the elements of an array."""
    for element in array.flat:  # noqa: UP028
        yield element


@implements("numpy.ndindex.generator")
def positions_within(shape):
    """Go through the positions in an array of a shape."""
    for position in np.ndindex(shape):  # noqa: UP028
        yield position


@implements("builtins.min.by")
def least_by(items, key, defaults):
    """Find the first item with the least key, or of no items what ``defaults`` holds."""
    iterator = iter(items)
    for first in iterator:  # noqa: B007
        break
    else:
        if len(defaults) == 0:
            raise ValueError("min() arg is an empty sequence")
        return defaults[0]
    best = first
    least = first if key is None else key(first)
    for item in iterator:
        value = item if key is None else key(item)
        if value < least:
            best = item
            least = value
    return best


@implements("builtins.max.by")
def greatest_by(items, key, defaults):
    """Find the first item with the greatest key, or of no items what ``defaults`` holds."""
    iterator = iter(items)
    for first in iterator:  # noqa: B007
        break
    else:
        if len(defaults) == 0:
            raise ValueError("max() arg is an empty sequence")
        return defaults[0]
    best = first
    greatest = first if key is None else key(first)
    for item in iterator:
        value = item if key is None else key(item)
        if value > greatest:
            best = item
            greatest = value
    return best


def fold_vector(function, items, total):
    """Combine a vector's elements with a start; on threads where the function is a reduction's."""
    for i in intrinsics.prange("reduction", len(items)):
        total = function(total, items[i])
    return total


@implements("functools.reduce")
def reduce(function, iterable, *initial):
    """Combine all items by a function of two: what is combined so far, and the next item."""
    if isinstance(iterable, np.ndarray) and iterable.ndim == 1 and len(initial) == 1:
        return fold_vector(function, iterable, initial[0])
    iterator = iter(iterable)
    if len(initial) == 0:
        for first in iterator:  # noqa: B007
            break
        else:
            raise TypeError("reduce() of empty iterable with no initial value")
        total = first
    else:
        total = initial[0]
    for item in iterator:
        total = function(total, item)
    return total
