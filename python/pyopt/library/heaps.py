"""Python's ``heapq``: lists whose items are no greater than the two at twice their position.

The order that is left in the list is CPython's: a hole at the root sinks to a leaf, along the lesser items,
before the item that goes there rises to its place.
"""

from pyopt.library import implements


def rise(heap, top, at, item):
    """Move the items above a hole down while they are greater than an item, and put it into the hole."""
    while at > top:
        parent = (at - 1) >> 1
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


def sink(heap, top, item):
    """Fill a hole with the lesser items below it, down to a leaf, and let an item rise from there."""
    size = len(heap)
    at = top
    child = 2 * at + 1
    while child < size:
        if child + 1 < size and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    rise(heap, top, at, item)


@implements("heapq.heapify")
def heapify(heap):
    """Order a list as a heap."""
    for top in range(len(heap) // 2 - 1, -1, -1):
        sink(heap, top, heap[top])


@implements("heapq.heappush")
def heappush(heap, item):
    """Put an item into a heap."""
    heap.append(item)
    last = len(heap) - 1
    # What was appended has the type of the items.
    rise(heap, 0, last, heap[last])


@implements("heapq.heappop")
def heappop(heap):
    """Take the least item out of a heap."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    least = heap[0]
    sink(heap, 0, last)
    return least


@implements("heapq.heapreplace")
def heapreplace(heap, item):
    """Take the least item out of a heap, and then put an item into it."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    sink(heap, 0, heap[0])
    return least


@implements("heapq.heappushpop")
def heappushpop(heap, item):
    """Put an item into a heap, and then take the least one out."""
    if len(heap) > 0 and heap[0] < item:
        least = heap[0]
        heap[0] = item
        sink(heap, 0, heap[0])
        return least
    return item


@implements("heapq.nsmallest")
def nsmallest(n, iterable, key=None):
    """Make a list of the least items, in order; of equal ones the first."""
    return sorted(iterable, key=key)[: max(n, 0)]


@implements("heapq.nlargest")
def nlargest(n, iterable, key=None):
    """Make a list of the greatest items, in order; of equal ones the first."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


@implements("heapq.merge")
def merge(*iterables, key=None, reverse=False):
    """Go through the items of sorted iterables in order; of equal ones those of the first iterable first."""
    items = []
    for iterable in iterables:
        items.extend(iterable)
    items.sort(key, reverse)
    for item in items:  # noqa: UP028
        yield item
