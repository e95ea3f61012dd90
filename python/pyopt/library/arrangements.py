"""Python's ``itertools`` that arrange items to tuples, in CPython's order.

Where the length of the tuples is a constant it is part of their type, and recursion makes them item by item.
Otherwise their items have one type, and positions say which ones are next.
"""

from pyopt.library import implements, intrinsics, known, literal


@implements("itertools.product")
def product_of(*iterables, repeat: known = 1):
    """Go through the pairs, triples, … of items of iterables, the last one's fastest."""
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    if len(iterables) == 0:
        return tuples_of((), repeat)
    if intrinsics.is_constant(repeat):
        return tuples_of(iterables, repeat)
    return long_products(lists_of(iterables) * repeat)


@implements("itertools.product(*)")
def product_of_rows(rows, *, repeat=1):
    """Go through the tuples of items of so many iterables as there are at run time."""
    if repeat < 0:
        raise ValueError("repeat argument cannot be negative")
    return long_products(lists_of(rows) * repeat)


def lists_of(iterables):
    """Make a list of lists of what iterables give."""
    lists = []
    for iterable in iterables:
        lists.append(list(iterable))
    return lists


def long_products(pools):
    """Go through the tuples of an item from each list, the last one's fastest."""
    for pool in pools:
        if len(pool) == 0:
            return
    positions = [0] * len(pools)
    while True:
        yield items_from(pools, positions)
        for i in range(len(pools) - 1, -1, -1):
            positions[i] += 1
            if positions[i] < len(pools[i]):
                break
            positions[i] = 0
        else:
            return


def items_from(pools, positions):
    """Make the tuple of the items that lists have at positions, one of each."""
    found = []
    for i in range(len(pools)):
        found.append(pools[i][positions[i]])
    return tuple(found)


def items_at_positions(items, positions):
    """Make the tuple of the items at positions."""
    found = []
    for position in positions:
        found.append(items[position])
    return tuple(found)


def tuples_of(iterables, repeat: literal):
    """Go through the tuples of items of iterables, so many times each."""
    if repeat == 0 or len(iterables) == 0:
        yield ()
    elif repeat > 1:
        for first in tuples_of(iterables, 1):
            for rest in tuples_of(iterables, repeat - 1):
                yield first + rest
    elif len(iterables) == 1:
        for item in iterables[0]:
            yield (item,)
    else:
        others = list(tuples_of(iterables[1:], 1))
        for item in iterables[0]:
            for rest in others:
                yield (item, *rest)


@implements("itertools.permutations")
def permutations(iterable, r: known = None):
    """Go through the arrangements of so many of the items, by their positions."""
    if r is not None and r < 0:
        raise ValueError("r must be non-negative")
    items = list(iterable)
    used = [False] * len(items)
    if r is None:
        if isinstance(iterable, tuple):
            return arranged(items, used, len(iterable))
        return long_permutations(items, len(items))
    if intrinsics.is_constant(r):
        return arranged(items, used, r)
    return long_permutations(items, r)


def long_permutations(items, r):
    """Go through the arrangements of items.

    The positions of those that aren't taken are in ascending order behind the ones of a tuple; a cycle says
    how many of them a place has still to take.
    """
    size = len(items)
    if r > size:
        return
    positions = list(range(size))
    cycles = list(range(size, size - r, -1))
    yield items_at_positions(items, positions[:r])
    while size > 0:
        for i in range(r - 1, -1, -1):
            cycles[i] -= 1
            if cycles[i] > 0:
                j = size - cycles[i]
                positions[i], positions[j] = positions[j], positions[i]
                yield items_at_positions(items, positions[:r])
                break
            positions.append(positions.pop(i))
            cycles[i] = size - i
        else:
            return


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
def combinations(iterable, r: known):
    """Go through the choices of so many of the items, each in their order."""
    if r < 0:
        raise ValueError("r cannot be negative")
    if intrinsics.is_constant(r):
        return choices_from(list(iterable), 0, 1, r)
    return long_choices(list(iterable), 1, r)


@implements("itertools.combinations_with_replacement")
def combinations_with_replacement(iterable, r: known):
    """Go through the choices of so many of the items, each any number of times, in their order."""
    if r < 0:
        raise ValueError("r cannot be negative")
    if intrinsics.is_constant(r):
        return choices_from(list(iterable), 0, 0, r)
    return long_choices(list(iterable), 0, r)


def choices_from(items, first, step, r: literal):
    """Go through the choices of items from a position on, the next one's at least ``step`` further."""
    if r == 0:
        yield ()
    else:
        for i in range(first, len(items)):
            for rest in choices_from(items, i + step, step, r - 1):
                yield (items[i], *rest)


def long_choices(items, step, r):
    """Go through the choices of items, each at least ``step`` positions behind the one before."""
    last = len(items) - 1
    if r > 0 and (r - 1) * step > last:
        return
    positions = []
    for i in range(r):
        positions.append(i * step)
    while True:
        yield items_at_positions(items, positions)
        for i in range(r - 1, -1, -1):
            if positions[i] < last - (r - 1 - i) * step:
                break
        else:
            return
        positions[i] += 1
        for j in range(i + 1, r):
            positions[j] = positions[j - 1] + step
