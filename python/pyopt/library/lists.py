"""The methods and operators of lists that change.

Positions aren't checked here: each function checks what it is given. ``append``, items and ``len`` are the
compiler's own.
"""

from pyopt.library import implements, intrinsics


@implements("list.of")
def list_of(items):
    """Make a list of what can be gone through."""
    made = []
    for item in items:
        made.append(item)
    return made


@implements("list.copy")
def list_copy(items):
    """Make a list of the same items."""
    made = intrinsics.new_list(items, len(items))
    for i in range(len(items)):
        made.append(items[i])
    return made


@implements("list.extend")
def list_extend(items, more):
    """Put the items of something to the end."""
    if isinstance(more, list):
        # It may be the same list.
        for i in range(len(more)):
            items.append(more[i])
    else:
        for item in more:
            items.append(item)


@implements("list.insert")
def list_insert(items, position, item):
    """Put an item before a position."""
    size = len(items)
    at = max(position + size, 0) if position < 0 else min(position, size)
    items.append(item)
    for i in range(size, at, -1):
        items[i] = items[i - 1]
    items[at] = item


@implements("list.pop_last")
def list_pop_last(items):
    """Take out the last item."""
    last = len(items) - 1
    if last < 0:
        raise IndexError("pop from empty list")
    item = items[last]
    intrinsics.truncate(items, last)
    return item


@implements("list.pop")
def list_pop(items, position=-1):
    """Take out the item at a position."""
    size = len(items)
    if size == 0:
        raise IndexError("pop from empty list")
    at = position + size if position < 0 else position
    if at < 0 or at >= size:
        raise IndexError("pop index out of range")
    item = items[at]
    remove_at(items, at)
    return item


def remove_at(items, at):
    """Move the items behind a position one down."""
    last = len(items) - 1
    for i in range(at, last):
        items[i] = items[i + 1]
    intrinsics.truncate(items, last)


@implements("list.index")
def list_index(items, wanted, start=0, stop=9223372036854775807):
    """Find the first position of an item."""
    size = len(items)
    first = max(start + size, 0) if start < 0 else start
    last = stop + size if stop < 0 else min(stop, size)
    for i in range(first, last):
        if items[i] == wanted:
            return i
    raise ValueError(f"{wanted!r} is not in list")


@implements("list.count")
def list_count(items, wanted):
    """Count the items that equal a value."""
    found = 0
    for item in items:
        if item == wanted:
            found += 1
    return found


@implements("list.remove")
def list_remove(items, wanted):
    """Take out the first item that equals a value."""
    for i in range(len(items)):
        if items[i] == wanted:
            remove_at(items, i)
            return
    raise ValueError("list.remove(x): x not in list")


@implements("list.reverse")
def list_reverse(items):
    """Turn the order of the items around."""
    last = len(items) - 1
    for i in range(len(items) // 2):
        first = items[i]
        items[i] = items[last - i]
        items[last - i] = first


@implements("list.clear")
def list_clear(items):
    """Take out all items."""
    intrinsics.truncate(items, 0)


@implements("list.__contains__")
def list_contains(items, wanted):
    """Say whether an item equals a value."""
    for item in items:
        if item == wanted:
            return True
    return False


@implements("list.__getitem__")
def list_slice(items, part):
    """Copy a part of a list."""
    start, stop, step = part.indices(len(items))
    made = intrinsics.new_list(items, 0)
    for i in range(start, stop, step):
        made.append(items[i])
    return made


@implements("list.__setitem__")
def list_set_slice(items, part, values):
    """Replace a part of a list by other items."""
    start, stop, step = part.indices(len(items))
    new = list(values)
    if step != 1:
        count = len(range(start, stop, step))
        if len(new) != count:
            raise ValueError(
                f"attempt to assign sequence of size {len(new)} to extended slice of size {count}"
            )
        for i in range(count):
            items[start + i * step] = new[i]
    else:
        stop = max(start, stop)
        rest = items[stop:]
        intrinsics.truncate(items, start)
        items.extend(new)
        items.extend(rest)


@implements("list.__delitem__")
def list_delete(items, part):
    """Take out an item, or a part of a list."""
    size = len(items)
    if isinstance(part, slice):
        start, stop, step = part.indices(size)
        if step < 0:
            count = len(range(start, stop, step))
            start, stop, step = start + (count - 1) * step, start + 1, -step
        kept = min(start, size)
        for i in range(kept, size):
            if i >= stop or (i - start) % step != 0:
                items[kept] = items[i]
                kept += 1
        intrinsics.truncate(items, kept)
    else:
        at = part + size if part < 0 else part
        if at < 0 or at >= size:
            raise IndexError("list assignment index out of range")
        remove_at(items, at)


@implements("list.__add__")
def list_add(items, more):
    """Put two lists behind each other."""
    made = list_copy(items)
    made.extend(more)
    return made


@implements("list.of_both")
def list_of_both(items, more):
    """Put two lists behind each other whose items have different types: the new one's have one for both."""
    made = []
    for i in range(len(items)):
        made.append(items[i])
    for i in range(len(more)):
        made.append(more[i])
    return made


def check_repeats(items, times):
    """Refuse so many repetitions that their number of items is none."""
    if times > 0 and len(items) > 1152921504606846976 // times:
        raise MemoryError()


@implements("list.__mul__")
def list_repeat(items, times):
    """Put a list behind itself so many times."""
    check_repeats(items, times)
    made = intrinsics.new_list(items, len(items) * max(times, 0))
    for _ in range(times):
        for i in range(len(items)):
            made.append(items[i])
    return made


@implements("list.__imul__")
def list_repeat_in_place(items, times):
    """Put the items to the end until there are so many times as many."""
    size = len(items)
    check_repeats(items, times)
    if times <= 0:
        intrinsics.truncate(items, 0)
    for _ in range(1, times):
        for i in range(size):
            items.append(items[i])


@implements("list.__eq__")
def list_equals(items, others):
    """Say whether two lists have equal items."""
    if len(items) != len(others):
        return False
    for i in range(len(items)):
        if not items[i] == others[i]:
            return False
    return True


@implements("list.__lt__")
def list_is_less(items, others):
    """Say whether the first items that differ are in order, or the first list is a start of the second."""
    for i in range(min(len(items), len(others))):
        if not items[i] == others[i]:
            return items[i] < others[i]
    return len(items) < len(others)
