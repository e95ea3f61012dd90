"""Functions that are chosen at run time."""

from pyopt.library import implements, intrinsics


@implements("function.__call__")
def call_chosen(function, *arguments):
    """Call one of several functions, each where it is known which one it is."""
    if intrinsics.is_first(function):
        return intrinsics.first(function)(*arguments)
    return intrinsics.others(function)(*arguments)
