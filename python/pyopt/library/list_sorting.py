"""Sorting of lists: ints by their bytes, all else by merging. Equal items keep their order."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.lists import list_copy, list_reverse


@implements("list.sort")
def list_sort(items, key=None, reverse=False):
    """Sort the items; equal ones keep their order."""
    if reverse:
        list_reverse(items)
    if key is None:
        sort_runs(items)
    else:
        sort_by(items, key)
    if reverse:
        list_reverse(items)


@implements("builtins.sorted")
def sorted_items(iterable, key=None, reverse=False):
    """Make a sorted list of what can be gone through."""
    made = list(iterable)
    list_sort(made, key, reverse)
    return made


def sort_by(items, key):
    """Sort the items by their keys."""
    keys = []
    before = list_copy(items)
    for i in range(len(before)):
        keys.append(key(before[i]))
    if len(items) != len(before):
        raise ValueError("list modified during sort")
    if len(keys) > 0:
        arrange(items, before, order_of(keys))


def arrange(items, before, order):
    """Put the items that were there before into an order."""
    for i in range(len(items)):
        items[i] = before[order[i]]


@implements(linked=True)
def order_of(keys):
    """Find the positions of keys in order; there is one at least."""
    if isinstance(keys[0], int):
        return int_order(keys)
    pairs = []
    for i in range(len(keys)):
        pairs.append((keys[i], i))
    merge_all(pairs, key_is_less)
    order = np.empty(len(keys), np.int64)
    for i in range(len(keys)):
        order[i] = pairs[i][1]
    return order


@implements(linked=True)
def sort_runs(items):
    """Sort the items."""
    if len(items) <= 16:
        sort_few(items, 0, len(items), is_less)
    elif isinstance(items[0], int):
        arrange(items, list_copy(items), int_order(items))
    else:
        merge_all(items, is_less)


def is_less(item, other):
    """Compare two items."""
    return item < other


def key_is_less(item, other):
    """Compare two items that begin with their keys."""
    return item[0] < other[0]


def merge_all(items, less):
    """Sort runs of a few items, and merge neighbours until one run is left."""
    size = len(items)
    run = 16
    for first in range(0, size, run):
        sort_few(items, first, min(first + run, size), less)
    if size > run:
        # It goes to and fro between two copies: where a comparison raises, the list has all its items.
        here = list_copy(items)
        there = list_copy(items)
        while run < size:
            for first in range(0, size, 2 * run):
                merge_runs(here, there, first, min(first + run, size), min(first + 2 * run, size), less)
            here, there = there, here
            run *= 2
        for i in range(size):
            items[i] = here[i]


def sort_few(items, first, end, less):
    """Sort a few items. All of them are in the list whenever they are compared, which may raise."""
    for i in range(first + 1, end):
        item = items[i]
        at = i
        while at > first and less(item, items[at - 1]):
            at -= 1
        for behind in range(i, at, -1):
            items[behind] = items[behind - 1]
        items[at] = item


def merge_runs(items, other, first, middle, end, less):
    """Merge two runs that are neighbours into another list."""
    left = first
    right = middle
    for at in range(first, end):
        if left < middle and (right >= end or not less(items[right], items[left])):
            other[at] = items[left]
            left += 1
        else:
            other[at] = items[right]
            right += 1


def int_order(keys):
    """Find the positions of ints in order, byte by byte from the lowest: no comparison is mispredicted."""
    size = len(keys)
    words = np.empty(size, np.uint64)
    order = np.empty(size, np.int64)
    differing = np.uint64(0)
    is_ordered = True
    for i in range(size):
        words[i] = ordered_word(intrinsics.plain_key(keys[i]))
        order[i] = i
        differing |= words[i] ^ words[0]
        is_ordered &= words[max(i - 1, 0)] <= words[i]
    if is_ordered:
        return order
    other_words = np.empty(size, np.uint64)
    other_order = np.empty(size, np.int64)
    starts = np.empty(256, np.uint64)
    for byte in range(8):
        shift = np.uint64(8 * byte)
        if (differing >> shift) & np.uint64(255) != 0:
            starts[:] = 0
            for i in range(size):
                starts[(words[i] >> shift) & np.uint64(255)] += np.uint64(1)
            start = np.uint64(0)
            for i in range(256):
                count = starts[i]
                starts[i] = start
                start += count
            for i in range(size):
                part = (words[i] >> shift) & np.uint64(255)
                at = starts[part]
                starts[part] = at + np.uint64(1)
                other_words[at] = words[i]
                other_order[at] = order[i]
            words, other_words = other_words, words
            order, other_order = other_order, order
    return order


def ordered_word(key):
    """Give an unsigned word for an int, in the same order."""
    if np.result_type(key).kind == "u":
        return np.uint64(key)
    return np.uint64(np.int64(key)) ^ np.uint64(9223372036854775808)
