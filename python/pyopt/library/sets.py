"""Vectors as sets: sorted, each element once."""

import numpy as np

from pyopt.library import implements
from pyopt.library.joining import concatenate
from pyopt.library.selection import select_masked
from pyopt.library.shapes import flat
from pyopt.library.sorting import isin, unique


@implements("numpy.union1d")
def union1d(ar1, ar2):
    """Find the elements of either array."""
    return unique(concatenate((flat(ar1), flat(ar2)), 0))


@implements("numpy.intersect1d")
def intersect1d(ar1, ar2):
    """Find the elements of both arrays."""
    kind = np.result_type(ar1, ar2)
    found = unique(flat(ar1).astype(kind))
    return select_masked(found, isin(found, flat(ar2).astype(kind)))


@implements("numpy.setdiff1d")
def setdiff1d(ar1, ar2):
    """Find the elements of the first array that aren't in the second one."""
    found = unique(flat(ar1))
    return select_masked(found, ~isin(found, flat(ar2)))


@implements("numpy.setxor1d")
def setxor1d(ar1, ar2):
    """Find the elements of just one of two arrays."""
    both = np.sort(concatenate((unique(flat(ar1)), unique(flat(ar2))), 0))
    # An element of both arrays stands beside itself; NaN and NaT are no element of both.
    differs = np.ones(both.size + 1, np.bool_)
    for i in range(1, both.size):
        differs[i] = both[i] != both[i - 1]
    return select_masked(both, differs[1:] & differs[:-1])
