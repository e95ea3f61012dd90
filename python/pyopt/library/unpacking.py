"""Unpacking of what has items at positions, with a starred target, and of what is iterated."""

from pyopt.library import implements, intrinsics, literal


@implements("builtins.unpack.starred")
def unpack_starred(items, before: literal, after: literal):
    """Give a tuple of so many items from the start, the list of the others, and so many from the end."""
    size = len(items)
    intrinsics.check(
        size >= before + after,
        "ValueError",
        "not enough values to unpack (expected at least {}, got {})",
        before + after,
        size,
    )
    rest = []
    for i in range(before, size - after):
        rest.append(items[i])
    return (*consecutive(items, 0, before), rest, *consecutive(items, size - after, after))


@implements("builtins.unpack.iterated")
def unpack_iterated(items, count: literal):
    """Give a tuple of the items of an iterable, which must be so many; one more is looked for."""
    taken = []
    for item in items:
        intrinsics.check(len(taken) < count, "ValueError", "too many values to unpack (expected {})", count)
        taken.append(item)
    intrinsics.check(
        len(taken) == count,
        "ValueError",
        "not enough values to unpack (expected {}, got {})",
        count,
        len(taken),
    )
    return consecutive(taken, 0, count)


def consecutive(items, first, count: literal):
    """Give a tuple of so many items from a position on."""
    if count == 0:
        return ()
    return (items[first], *consecutive(items, first + 1, count - 1))


@implements("builtins.list.joined")
def list_of_parts(*parts):
    """Give a list of the items of all."""
    made = []
    extend_by(made, parts)
    return made


def extend_by(made, parts):
    """Put the items of all into a list."""
    if len(parts) > 0:
        made.extend(parts[0])
        extend_by(made, parts[1:])
