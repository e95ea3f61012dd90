"""Functions that are chosen at run time, and calls with so many arguments as there are at run time."""

from pyopt.library import implements, intrinsics, literal
from pyopt.library.unpacking import consecutive


@implements("function.__call__")
def call_chosen(function, *arguments):
    """Call one of several functions, each where it is known which one it is."""
    if intrinsics.is_first(function):
        return intrinsics.first(function)(*arguments)
    return intrinsics.others(function)(*arguments)


@implements("function.__call__(**)")
def call_chosen_with(function, keywords, *arguments):
    """Call one of several functions with keywords, too."""
    if intrinsics.is_first(function):
        return intrinsics.first(function)(*arguments, **keywords)
    return intrinsics.others(function)(*arguments, **keywords)


@implements("function.__call__(*)")
def call_with_items(function, items, name, names, least: literal, most: literal):
    """Call a function of that name, and of parameters of these names, with the items."""
    check_count(len(items), name, names, least, most)
    return call_with_some(function, items, least, most)


def call_with_some(function, items, count: literal, most: literal):
    """Call a function with the items, of which there are at least so many."""
    if count == most:
        return function(*consecutive(items, 0, count))
    if len(items) == count:
        return function(*consecutive(items, 0, count))
    return call_with_some(function, items, count + 1, most)


def check_count(size, name, names, least, most):
    """Raise the error of a call with too many arguments or too few."""
    if size > most:
        takes = str(most) if least == most else f"from {least} to {most}"
        plural = "" if most == 1 and least == most else "s"
        were = "was" if size == 1 else "were"
        raise TypeError(f"{name}() takes {takes} positional argument{plural} but {size} {were} given")
    if size < least:
        missing = least - size
        listed = f"'{names[size]}'"
        for at in range(size + 1, least):
            comma = "," if missing > 2 else ""
            listed += f"{comma} and '{names[at]}'" if at + 1 == least else f", '{names[at]}'"
        plural = "" if missing == 1 else "s"
        raise TypeError(f"{name}() missing {missing} required positional argument{plural}: {listed}")
