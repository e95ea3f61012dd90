"""Python's ``itertools`` that arrange items to tuples, in CPython's order.

The length of the tuples is part of their type, so it has to be a constant.
"""

from pyopt.library import implements, intrinsics, literal


@implements("itertools.product")
def product_of(*iterables, repeat: literal = 1):
    """Go through the pairs, triples, … of items of iterables, the last one's fastest."""
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    if repeat == 0 or len(iterables) == 0:
        yield ()
    elif repeat > 1:
        for first in product_of(*iterables):
            for rest in product_of(*iterables, repeat=repeat - 1):
                yield first + rest
    elif len(iterables) == 1:
        for item in iterables[0]:
            yield (item,)
    else:
        others = list(product_of(*iterables[1:]))
        for item in iterables[0]:
            for rest in others:
                yield (item, *rest)


@implements("itertools.permutations")
def permutations(iterable, r: literal = None):
    """Go through the arrangements of so many of the items, by their positions."""
    if r is not None and r < 0:
        raise ValueError("r must be non-negative")
    items = list(iterable)
    used = [False] * len(items)
    if r is None:
        if not isinstance(iterable, tuple):
            intrinsics.unsupported("the length of permutations must be known: pass a tuple, or r")
        return arranged(items, used, len(iterable))
    return arranged(items, used, r)


def arranged(items, used, r: literal):
    """Go through the arrangements of items that aren't used."""
    if r == 0:
        yield ()
    else:
        for i in range(len(items)):
            if not used[i]:
                used[i] = True
                for rest in arranged(items, used, r - 1):
                    yield (items[i], *rest)
                used[i] = False


@implements("itertools.combinations")
def combinations(iterable, r: literal):
    """Go through the choices of so many of the items, each in their order."""
    if r < 0:
        raise ValueError("r must be non-negative")
    return choices_from(list(iterable), 0, 1, r)


@implements("itertools.combinations_with_replacement")
def combinations_with_replacement(iterable, r: literal):
    """Go through the choices of so many of the items, each any number of times, in their order."""
    if r < 0:
        raise ValueError("r must be non-negative")
    return choices_from(list(iterable), 0, 0, r)


def choices_from(items, first, step, r: literal):
    """Go through the choices of items from a position on, the next one's at least ``step`` further."""
    if r == 0:
        yield ()
    else:
        for i in range(first, len(items)):
            for rest in choices_from(items, i + step, step, r - 1):
                yield (items[i], *rest)
