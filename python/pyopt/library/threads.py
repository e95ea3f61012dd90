"""The settings of threads in compiled code."""

from pyopt.library import implements, intrinsics


@implements("pyopt.set_num_threads")
def set_num_threads(n):
    """Set how many threads the parallel regions launched from this thread use."""
    if not isinstance(n, int):
        intrinsics.unsupported("the number of threads must be an integer")
    if n < 1 or n > intrinsics.pool_size():
        raise ValueError("the number of threads must be between 1 and PYOPT_NUM_THREADS")
    intrinsics.set_num_threads(n)


@implements("pyopt.set_parallel_chunksize")
def set_parallel_chunksize(n):
    """Set about how many iterations a part of a region has, and give what was set."""
    if not isinstance(n, int):
        intrinsics.unsupported("the parallel chunksize must be an integer")
    if n < 0:
        raise ValueError("chunksize must be greater than or equal to zero")
    return intrinsics.set_parallel_chunksize(n)
