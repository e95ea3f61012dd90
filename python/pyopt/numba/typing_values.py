"""What Numba has in ``numba.core.typing.typeof``: types of values, and what they are asked for."""

import enum

from pyopt.extending import typeof_impl
from pyopt.types import typeof

__all__ = ["Purpose", "typeof", "typeof_impl"]


class Purpose(enum.Enum):
    """Whether a value is an argument or a constant; its type is the same."""

    argument = 1
    constant = 2
