"""What compiled code has allocated."""

import gc

from pyopt import _core


def live():
    """Count arrays and exceptions of compiled code that are alive, and their bytes."""
    gc.collect()
    allocations, frees, live_bytes = _core.memory_stats()
    return allocations - frees, live_bytes


def growth(run):
    """Count what more is alive after some runs than after the first."""
    run()
    before = live()[0]
    for _ in range(3):
        run()
    return live()[0] - before
