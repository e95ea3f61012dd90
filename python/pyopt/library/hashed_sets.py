"""The methods and operators of sets. Items come in the order of insertion."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.dicts import remove_entry
from pyopt.library.tables import (
    add_free_slot,
    add_slot,
    hash_part,
    last_entry,
    remove_key,
    remove_slot,
)


@implements("set.add")
def set_add(table, key, found):
    """Put an item in that was looked up."""
    at, part = found
    if at < 0:
        add_slot(table, ~at, part)
        intrinsics.table_push(table, key)


def add_new(table, key):
    """Put an item in that isn't there: it is compared with none."""
    add_free_slot(table, hash_part(key))
    intrinsics.table_push(table, key)


@implements("set.discard")
def set_discard(table, key, found):
    """Take out an item that was looked up, if it is there."""
    at, _ = found
    if at >= 0:
        remove_slot(table, at)


@implements("set.pop")
def set_pop(table):
    """Take out the last item."""
    entry = last_entry(table)
    if entry < 0:
        raise KeyError("pop from an empty set")
    key = intrinsics.table_key(table, entry)
    remove_entry(table, entry, hash_part(key))
    return key


@implements("set.update", linked=True)
def set_update(table, items):
    """Put items in."""
    for item in items:
        table.add(item)


@implements("set.copy")
def set_copy(table):
    """Make a set of the same items."""
    made = intrinsics.new_table(table)
    intrinsics.table_copy(table, made)
    return made


def as_set(items):
    """Give a set of the items: themselves, if they are one."""
    if isinstance(items, set):
        return items
    return set(items)


@implements("set.keys.iter")
def iterate_set(table):
    """Go through the items."""
    size = intrinsics.table_get("size", table)
    at = 0
    while at < intrinsics.table_get("end", table):
        if intrinsics.table_has(table, at):
            yield intrinsics.table_key(table, at)
            if intrinsics.table_get("size", table) != size:
                raise RuntimeError("Set changed size during iteration")
        at += 1


@implements("set.union(*)")
def union_of(table, others):
    """Make a set of the items of a set and of other iterables: a tuple of them, or a list."""
    made = set(table)
    for other in others:
        made.update(other)
    return made


@implements("set.union")
def set_union(table, *others):
    """Make a set of the items of all."""
    return union_of(table, others)


@implements("set.intersection(*)")
def set_intersection_of(table, others):
    """Make a set of the items that a set and so many others have as there are at run time."""
    made = set(table)
    for other in others:
        made.intersection_update(other)
    return made


@implements("set.difference(*)")
def set_difference_of(table, others):
    """Make a set of the items that none of so many others has as there are at run time."""
    made = set(table)
    for other in others:
        made.difference_update(other)
    return made


@implements("set.update(*)")
def set_update_of(table, others):
    """Put the items of so many iterables in as there are at run time."""
    for other in others:
        table.update(other)


@implements("builtins.set.union(*)")
def union_of_sets(sets):
    """Make a set of the items of so many sets as there are at run time."""
    if len(sets) == 0:
        raise TypeError("unbound method set.union() needs an argument")
    return union_of(sets[0], sets[1:])


@implements("builtins.set.intersection(*)")
def intersection_of_sets(sets):
    """Make a set of the items that all of so many sets have as there are at run time."""
    if len(sets) == 0:
        raise TypeError("unbound method set.intersection() needs an argument")
    return set_intersection_of(sets[0], sets[1:])


@implements("set.__or__", linked=True)
def set_or(table, other):
    """Make a set of the items of both."""
    made = set(table)
    made.update(other)
    return made


@implements("set.__and__", "set.intersection", linked=True)
def set_and(table, other):
    """Make a set of the items that are in both."""
    others = as_set(other)
    made = intrinsics.new_table(table)
    reserve(made, len(table) // 2)
    for item in table:
        if item in others:
            add_new(made, item)
    return made


@implements("set.__sub__", "set.difference", linked=True)
def set_subtract(table, other):
    """Make a set of the items that aren't in another one."""
    others = as_set(other)
    made = intrinsics.new_table(table)
    reserve(made, len(table) // 2)
    for item in table:
        if item not in others:
            add_new(made, item)
    return made


@implements("set.__xor__", "set.symmetric_difference", linked=True)
def set_xor(table, other):
    """Make a set of the items of just one."""
    others = as_set(other)
    made = set()
    reserve(made, (len(table) + len(others)) // 2)
    for item in table:
        if item not in others:
            made.add(item)
    for item in others:
        if item not in table:
            made.add(item)
    return made


@implements("set.difference_update", linked=True)
def set_difference_update(table, other):
    """Take out the items of another one."""
    if isinstance(other, set) and other is not table:
        for item in other:
            remove_key(table, item)
    else:
        for item in list(other):
            remove_key(table, item)


@implements("set.intersection_update", linked=True)
def set_intersection_update(table, other):
    """Leave the items that are in another one too."""
    others = as_set(other)
    for item in list(table):
        if item not in others:
            remove_key(table, item)


@implements("set.symmetric_difference_update", linked=True)
def set_xor_update(table, other):
    """Take out the items of another one, and put those in that weren't there."""
    for item in set(other):
        if not remove_key(table, item):
            table.add(item)


@implements("set.issubset")
def set_is_subset(table, other):
    """Say whether all items are in another set."""
    others = as_set(other)
    for item in table:
        if item not in others:
            return False
    return True


@implements("set.issuperset")
def set_is_superset(table, other):
    """Say whether all items of another one are here."""
    for item in other:
        if item not in table:
            return False
    return True


@implements("set.isdisjoint")
def set_is_disjoint(table, other):
    """Say whether no item of another one is here."""
    for item in other:
        if item in table:
            return False
    return True


@implements("set.__le__")
def set_is_part(table, other):
    """Say whether all items are in another set."""
    if len(table) > len(other):
        return False
    for item in table:
        if item not in other:
            return False
    return True


@implements("set.__eq__")
def set_equals(table, other):
    """Say whether two sets have the same items."""
    return len(table) == len(other) and set_is_part(table, other)


@implements("set.__lt__")
def set_is_true_part(table, other):
    """Say whether all items are in another set, which has more."""
    return len(table) < len(other) and set_is_part(table, other)


@implements("set.of", linked=True)
def set_of(items):
    """Make a set of items."""
    made = set()
    if isinstance(items, (list, np.ndarray)):
        reserve(made, len(items) // 2)
    elif isinstance(items, (set, dict)):
        reserve(made, len(items))
    for item in items:
        made.add(item)
    return made


def reserve(made, count):
    """Make room in a set that was just made: for half of what may come, which is one time of growing at most.

    Room for all would be lines of memory that lookups miss, where the others are repetitions or left out.
    """
    if count > 8:
        intrinsics.table_grow(made, count)
