"""Going through elements as arrays without dimensions."""

import numpy as np

from pyopt.library import implements
from pyopt.library.broadcasting import broadcast_to, shape_of_all, shapes_of


@implements("numpy.nditer")
def nditer(op):
    """Give a view of each element, or of those of several arrays that are broadcast together."""
    if isinstance(op, tuple):
        for index in np.ndindex(shape_of_all(shapes_of(op))):
            yield elements(op, index, shape_of_all(shapes_of(op)))
    else:
        for index in np.ndindex(op.shape):
            yield op[index + (...,)]


def elements(arrays, index, shape):
    """View an element of each array of a tuple."""
    if len(arrays) == 0:
        return ()
    return (broadcast_to(arrays[0], shape)[index + (...,)],) + elements(arrays[1:], index, shape)
