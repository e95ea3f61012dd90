"""Unpacking of what has items at positions, with a starred target."""

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


def consecutive(items, first, count: literal):
    """Give a tuple of so many items from a position on."""
    if count == 0:
        return ()
    return (items[first], *consecutive(items, first + 1, count - 1))
