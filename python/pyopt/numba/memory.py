"""What Numba has in ``numba.core.runtime``: counts of what compiled code allocates."""

from typing import NamedTuple

from pyopt._core import memory_stats

__all__ = ["rtsys"]


class AllocationStats(NamedTuple):
    """How often memory was allocated and freed; each allocation has an owner, so that both counts are one."""

    alloc: int
    free: int
    mi_alloc: int
    mi_free: int


class _Runtime:
    """The counters."""

    @staticmethod
    def get_allocation_stats():
        """Count since the start of the process."""
        allocations, frees, _ = memory_stats()
        return AllocationStats(allocations, frees, allocations, frees)


rtsys = _Runtime()
