"""What depends on where elements lie in memory: contiguity, and elements by their position among all."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.broadcasting import position, put
from pyopt.library.selection import wrapped
from pyopt.library.shapes import flat


def lies_without_gaps(a, from_last):
    """Say whether the elements lie one after the other, those along one of the outer axes next."""
    if a.size == 0:
        return True
    expected = a.itemsize
    for i in range(a.ndim):
        axis = a.ndim - 1 - i if from_last else i
        if a.shape[axis] != 1:
            if a.strides[axis] != expected:
                return False
            expected *= a.shape[axis]
    return True


@implements("array.flags.c_contiguous", "array.flags.contiguous")
def c_contiguous(a):
    """Say whether the elements lie in C order without gaps."""
    return lies_without_gaps(a, True)


@implements("array.flags.f_contiguous")
def f_contiguous(a):
    """Say whether the elements lie in Fortran's order without gaps."""
    return lies_without_gaps(a, False)


@implements("pyopt.contiguous_records")
def contiguous_records(a):
    """Give an array of records without gaps: itself, or a copy. No type says which arrays have none."""
    return a if lies_without_gaps(a, True) else a.copy()


@implements("flat.__getitem__")
def flat_item(a, index):
    """Take the element at a position among all in C order, or a copy of several."""
    if isinstance(index, (slice, np.ndarray)):
        return flat(a)[index]
    return a[position(wrapped(index, a.size), a.shape)]


@implements("flat.__setitem__")
def flat_set_item(a, index, value):
    """Assign to the element at a position among all in C order, or to several."""
    if isinstance(index, slice):
        intrinsics.unsupported("elements by position are assigned one by one, or by an array of positions")
    if isinstance(index, np.ndarray):
        put(a, index, value)
    else:
        a[position(wrapped(index, a.size), a.shape)] = value
