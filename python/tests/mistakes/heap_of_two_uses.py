from heapq import heappush

from pyopt import njit


@njit
def collect():
    heap = []
    heappush(heap, 1)
    heappush(heap, "a")
    return heap


collect()
