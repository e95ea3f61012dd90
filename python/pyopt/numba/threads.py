"""What Numba has in ``numba.np.ufunc.parallel`` besides the functions on threads."""

from pyopt import _core

NUM_THREADS = _core.pool_size()


def _launch_threads():
    """Do nothing, under Numba's name: threads start when they have something to do."""


def get_thread_count():
    """Return the most threads that parallel regions may use."""
    return NUM_THREADS
