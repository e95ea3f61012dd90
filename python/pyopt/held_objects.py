"""Objects of Python's in values of extensions' types: compiled code passes them on, and looks at none.

The compiler counts references to the owners of arrays: an object is kept as an array of one byte that has it
as an attribute.
"""

import numpy as np


class _Holder(np.ndarray):
    """An array that has an object."""


def hold(object):
    """Give the array that compiled code has for an object."""
    made = np.ndarray.__new__(_Holder, 1, np.uint8)
    made.fill(0)
    made.flags.writeable = False
    made.object = object
    return made


def held_by(array):
    """Give the object for what compiled code has for it."""
    while not isinstance(array, _Holder):
        array = array.base
    return array.object
