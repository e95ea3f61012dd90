"""Python's ``itertools`` that go through one or several iterables as they are."""

from pyopt.library import implements, intrinsics, literal


@implements("itertools.count")
def count_up(start=0, step=1):
    """Count without an end."""
    number = start if isinstance(step, int) else start + 0 * step
    while True:
        yield number
        number += step


@implements("itertools.cycle")
def cycle(iterable):
    """Go through the items again and again."""
    items = list(iterable)
    while len(items) > 0:
        for item in items:  # noqa: UP028
            yield item


@implements("itertools.repeat")
def repeat_object(object, times=None):
    """Give an object again and again, or so many times."""
    if times is None:
        while True:
            yield object
    else:
        for _ in range(times):
            yield object


@implements("itertools.chain")
def chain(*iterables):
    """Go through one iterable behind the other."""
    for iterable in iterables:
        for item in iterable:  # noqa: UP028
            yield item


@implements("itertools.chain.from_iterable", "itertools.chain(*)")
def chain_from_iterable(iterable):
    """Go through the items of items."""
    for items in iterable:
        for item in items:  # noqa: UP028
            yield item


@implements("itertools.accumulate")
def accumulate(iterable, func=None, *, initial=None):
    """Combine the items up to each one."""
    iterator = iter(iterable)
    if initial is None:
        for first in iterator:  # noqa: B007
            break
        else:
            return
        total = first
    else:
        total = initial
    yield total
    for item in iterator:
        total = total + item if func is None else func(total, item)
        yield total


@implements("itertools.compress")
def compress_items(data, selectors):
    """Keep the items beside true ones."""
    for item, chosen in zip(data, selectors):  # noqa: B905
        if chosen:
            yield item


@implements("itertools.tee")
def tee(iterable, n: literal = 2):
    """Give so many iterators over the items, of which each is taken once."""
    if n < 0:
        raise ValueError("n must be >= 0")
    return teed(iter(iterable), [], n)


def teed(source, taken, n: literal):
    """Give so many iterators over what was taken of a source, and the rest of it."""
    if n <= 0:
        return ()
    return (taking(source, taken), *teed(source, taken, n - 1))


def taking(source, taken):
    """Go through what was taken of a source, and take more where that ends."""
    at = 0
    while True:
        if at == len(taken):
            for item in source:
                taken.append(item)
                break
            else:
                return
        yield taken[at]
        at += 1


@implements("itertools.dropwhile")
def dropwhile(predicate, iterable):
    """Leave out the items up to the first one that a function doesn't find true."""
    dropping = True
    for item in iterable:
        if dropping:
            dropping = bool(predicate(item))
        if not dropping:
            yield item


@implements("itertools.takewhile")
def takewhile(predicate, iterable):
    """Keep the items up to the first one that a function doesn't find true."""
    for item in iterable:
        if not predicate(item):
            return
        yield item


@implements("itertools.filterfalse")
def filterfalse(predicate, iterable):
    """Keep the items that are false, or of which a function says so."""
    for item in iterable:
        if predicate is None:
            if not item:
                yield item
        elif not predicate(item):
            yield item


@implements("itertools.starmap")
def starmap(function, iterable):
    """Call a function with the items of each item."""
    for items in iterable:
        yield function(*items)


@implements("itertools.islice")
def islice(iterable, *bounds):
    """Keep the items at the positions of a slice."""
    start, stop, step = 0, None, 1
    if len(bounds) == 1:
        stop = bounds[0]
    else:
        start = 0 if bounds[0] is None else bounds[0]
        stop = bounds[1]
        if len(bounds) == 3:
            step = 1 if bounds[2] is None else bounds[2]
    end = 9223372036854775807 if stop is None else stop
    if end < 0:
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if start < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    wanted = start
    position = 0
    if wanted < end or start > 0:
        for item in iterable:
            if position >= end:
                return
            if position == wanted:
                yield item
                wanted += step
            position += 1
            # The iterable isn't asked for more than is needed.
            if position >= end:
                return


@implements("itertools.pairwise")
def pairwise(iterable):
    """Go through neighbours."""
    iterator = iter(iterable)
    for first in iterator:  # noqa: B007
        break
    else:
        return
    before = first
    for item in iterator:
        yield before, item
        before = item


@implements("itertools.groupby")
def group_by(iterable, key=None):
    """Go through runs of items with equal keys: the key, and a list of the items."""
    iterator = iter(iterable)
    for first in iterator:  # noqa: B007
        break
    else:
        return
    common = first if key is None else key(first)
    run = [first]
    for item in iterator:
        found = item if key is None else key(item)
        if found == common:
            run.append(item)
        else:
            yield common, run
            common = found
            run = [item]
    yield common, run


@implements("itertools.batched")
def batched(iterable, n, *, strict=False):
    """Go through lists of so many items that follow each other; the last one may be shorter."""
    if n < 1:
        raise ValueError("n must be at least one")
    batch = []
    for item in iterable:
        if len(batch) == n:
            yield batch
            batch = []
        batch.append(item)
    if len(batch) > 0:
        if strict and len(batch) < n:
            raise ValueError("batched(): incomplete batch")
        yield batch


@implements("itertools.zip_longest")
def zip_longest(*iterables, fillvalue=None):
    """Go through several iterables until the last one ends, with a value in place of what is missing."""
    if len(iterables) == 0:
        return
    if fillvalue is None:
        intrinsics.unsupported("zip_longest needs a fillvalue of the type of the items")
    lists = as_lists(iterables)
    for position in range(longest(lists)):
        yield items_at(lists, position, fillvalue)


def as_lists(iterables):
    """Make a tuple of lists of the items of iterables."""
    if len(iterables) == 1:
        return (list(iterables[0]),)
    return (list(iterables[0]), *as_lists(iterables[1:]))


def longest(lists):
    """Give the greatest length of lists in a tuple."""
    if len(lists) == 1:
        return len(lists[0])
    return max(len(lists[0]), longest(lists[1:]))


def items_at(lists, position, fillvalue):
    """Make a tuple of the items of lists at a position."""
    item = lists[0][position] if position < len(lists[0]) else fillvalue
    if len(lists) == 1:
        return (item,)
    return (item, *items_at(lists[1:], position, fillvalue))
