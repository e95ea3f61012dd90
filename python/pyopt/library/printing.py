"""``print`` of so many values as there are at run time."""

from pyopt.library import implements


@implements("builtins.print(*)")
def print_all(values, *, sep=" ", end="\n", flush=False):
    """Print values, and a separator between them."""
    between = ""
    for value in values:
        print(between, value, sep="", end="")
        between = sep
    print(end=end, flush=flush)
