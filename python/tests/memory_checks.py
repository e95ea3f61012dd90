"""What tests of the memory of compiled code share."""

import gc

from pyopt._core import memory_stats


def holds_its_memory(call, *arguments):
    """Whether calls free what they allocate, once their results are gone."""
    call(*arguments)
    gc.collect()
    before = memory_stats()
    for _ in range(20):
        call(*arguments)
    gc.collect()
    after = memory_stats()
    return after[0] - after[1] == before[0] - before[1]
