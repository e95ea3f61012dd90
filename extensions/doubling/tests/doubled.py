"""What compiled code has besides the pass: the module that the library names."""

from pyopt import types
from pyopt.extending import overload


def doubled(x):
    """Give twice a number."""
    return x * 2.0


@overload(doubled)
def overload_doubled(x):
    """Compile it."""
    if isinstance(x, types.Float):
        return lambda x: x * 2.0
