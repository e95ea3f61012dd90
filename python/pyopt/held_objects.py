"""Objects of Python's in values of extensions' types: compiled code passes them on, and looks at none.

The compiler counts references to the owners of arrays: an object is kept as an array of one byte that has it
as an attribute.
"""

import numpy as np


class _Holder(np.ndarray):
    """An array that has an object."""


class AnyStrides(np.ndarray):
    """A view of an array that goes for a field whose type leaves its strides open."""

    __pyopt_any_strides__ = None


def as_kind(array, kind):
    """Give an array as a field has it whose type says less of strides and of who may write."""
    if array.flags.writeable and not kind.mutable:
        array = array.view()
        array.flags.writeable = False
    if kind.layout != "A" or array.ndim == 0:
        return array
    view = array.view(AnyStrides)
    view.__pyopt_any_strides__ = array
    return view


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
