"""Threads of parallel regions: how many, in parts of what size, and which one this is.

The settings belong to the thread that sets them, and all but ``threading_layer`` can be used in compiled
code. In a region they may be read and set too; what an iteration sets ends with its part of the region.
"""

import operator

from pyopt import _core
from pyopt.decorators import of_package
from pyopt.entry_points import entry_point

# Whether a number was set: Numba starts its threads then, and knows its layer.
_is_set = False


@entry_point
def set_num_threads(n):
    """Set how many threads the parallel regions launched from this thread use, from 1 to all of them."""
    global _is_set
    _is_set = True
    _core.set_num_threads(_integer(n, "the number of threads"))


def get_num_threads():
    """Return how many threads the parallel regions launched from this thread use."""
    return _core.get_num_threads()


def get_thread_id():
    """Return the number of this thread among those of the region that it works for; 0 outside of regions.

    It is below ``get_num_threads()``. In a region inside of another one it is the number in the inner one.
    """
    return _core.get_thread_id()


@entry_point
def set_parallel_chunksize(n):
    """Set about how many iterations a part of a region launched from this thread has; return what was set.

    With 0, parts suit the number of threads. Never are there fewer parts than without a size. In a region the
    size is 0 again.
    """
    n = _integer(n, "the parallel chunksize")
    if n < 0:
        raise ValueError("chunksize must be greater than or equal to zero")
    return _core.set_parallel_chunksize(n)


def get_parallel_chunksize():
    """Return what ``set_parallel_chunksize`` set on this thread; 0 if nothing."""
    return _core.get_parallel_chunksize()


class parallel_chunksize:
    """``with parallel_chunksize(n):`` sets the size of parts for the regions launched in its body."""

    def __init__(self, n):
        """Take the size."""
        self.n = n

    def __enter__(self):
        """Set it."""
        self.before = set_parallel_chunksize(self.n)

    def __exit__(self, *exception):
        """Set what was set before; exceptions go on."""
        set_parallel_chunksize(self.before)


def threading_layer():
    """Return the name of what runs parallel regions, once there is a function that has some, or a number."""
    from pyopt import dispatcher

    if not (_is_set or dispatcher.has_parallel_code or _core.has_launched()):
        raise ValueError("Threading layer is not initialized.")
    return "rayon"


def _integer(value, what):
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {value!r}") from None


of_package(
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    parallel_chunksize,
    set_num_threads,
    set_parallel_chunksize,
    threading_layer,
)
