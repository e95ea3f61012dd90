"""What Numba has in ``numba.core.runtime``: counts of what compiled code allocates."""

from typing import NamedTuple

from pyopt._core import memory_stats

__all__ = [
    "memsys_disable_stats",
    "memsys_enable_stats",
    "memsys_get_stats_alloc",
    "memsys_get_stats_free",
    "memsys_get_stats_mi_alloc",
    "memsys_get_stats_mi_free",
    "memsys_stats_enabled",
    "rtsys",
]


class AllocationStats(NamedTuple):
    """How often memory was allocated and freed; each allocation has an owner, so that both counts are one."""

    alloc: int
    free: int
    mi_alloc: int
    mi_free: int


def memsys_stats_enabled():
    """Say that memory is counted, which costs nothing: there is no switch."""
    return True


def memsys_enable_stats():
    """Do nothing: memory is always counted."""


memsys_disable_stats = memsys_enable_stats


def memsys_get_stats_alloc():
    """Count what was allocated since the start of the process."""
    return memory_stats()[0]


def memsys_get_stats_free():
    """Count what was freed since the start of the process."""
    return memory_stats()[1]


memsys_get_stats_mi_alloc, memsys_get_stats_mi_free = memsys_get_stats_alloc, memsys_get_stats_free


class _Runtime:
    """The runtime of compiled code."""

    def initialize(self, ctx=None):
        """Do nothing: the runtime is there."""

    @staticmethod
    def get_allocation_stats():
        """Count since the start of the process."""
        allocations, frees, _ = memory_stats()
        return AllocationStats(allocations, frees, allocations, frees)


rtsys = _Runtime()
