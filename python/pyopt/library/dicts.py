"""The methods and operators of dicts."""

import numpy as np

from pyopt.library import implements, intrinsics
from pyopt.library.tables import (
    add_slot,
    entry_at,
    find_entry,
    find_slot,
    hash_part,
    last_entry,
    remove_slot,
)


@implements("dict.__setitem__")
def dict_set(table, key, found, value):
    """Put a value in under a key that was looked up."""
    at, part = found
    if at >= 0:
        entry = entry_at(table, at)
        intrinsics.table_set_value(table, entry, value)
    else:
        add_slot(table, ~at, part)
        intrinsics.table_push(table, key, value)


@implements("dict.__getitem__")
def dict_item(table, key, found):
    """Give the value of a key that was looked up."""
    at, _ = found
    if at < 0:
        raise KeyError(key)
    return intrinsics.table_value(table, entry_at(table, at))


@implements("dict.key_error")
def key_error(key):
    """Raise the error of a key that isn't there."""
    raise KeyError(key)


@implements("dict.__delitem__", "set.remove")
def table_delete(table, key, found):
    """Take out a key that was looked up."""
    at, _ = found
    if at < 0:
        raise KeyError(key)
    remove_slot(table, at)


@implements("dict.get")
def dict_get(table, key, found, default=None):
    """Give the value of a key that was looked up, or another one if there is none."""
    at, _ = found
    if at < 0:
        return default
    return intrinsics.table_value(table, entry_at(table, at))


@implements("dict.setdefault")
def dict_setdefault(table, key, found, default=None):
    """Give the value of a key that was looked up, which is put in if there is none."""
    at, part = found
    if at >= 0:
        return intrinsics.table_value(table, entry_at(table, at))
    add_slot(table, ~at, part)
    intrinsics.table_push(table, key, default)
    return default


@implements("dict.pop")
def dict_pop(table, key, found):
    """Take out a key that was looked up, and give its value."""
    at, _ = found
    if at < 0:
        raise KeyError(key)
    value = intrinsics.table_value(table, entry_at(table, at))
    remove_slot(table, at)
    return value


@implements("dict.pop.default")
def dict_pop_default(table, key, found, default):
    """Take out a key that was looked up and give its value, or another one if there is none."""
    at, _ = found
    if at < 0:
        return default
    value = intrinsics.table_value(table, entry_at(table, at))
    remove_slot(table, at)
    return value


@implements("dict.popitem")
def dict_popitem(table):
    """Take out the last entry."""
    entry = last_entry(table)
    if entry < 0:
        raise KeyError("popitem(): dictionary is empty")
    return popped(table, entry)


@implements("pyopt.pop_first")
def pop_first(table):
    """Take out the entry that was put in first, of a dict that has entries."""
    return popped(table, intrinsics.table_first(table))


def popped(table, entry):
    """Take out an entry, and give its key and value."""
    key = intrinsics.table_key(table, entry)
    value = intrinsics.table_value(table, entry)
    remove_entry(table, entry, hash_part(key))
    return key, value


def remove_entry(table, entry, part):
    """Take out an entry, whose key may not equal itself."""
    mask = intrinsics.table_get("mask", table)
    if mask == 0:
        find_slot(table, intrinsics.table_key(table, entry), part)
        mask = intrinsics.table_get("mask", table)
    wanted = (part << np.uint64(32)) | np.uint64(entry + 1)
    at = np.int64(part) & mask
    while intrinsics.table_slot(table, at) != wanted:
        at = (at + 1) & mask
    remove_slot(table, at)


@implements("dict.clear", "set.clear")
def table_clear(table):
    """Take out all entries."""
    intrinsics.table_clear(table)


@implements("dict.update", linked=True)
def dict_update(table, others):
    """Put the entries of another dict in."""
    if isinstance(others, dict) or hasattr(others, "items"):
        for key, value in others.items():
            table[key] = value
    else:
        for item in others:
            key, value = item
            table[key] = value


@implements("dict.copy")
def dict_copy(table):
    """Make a dict of the same entries."""
    made = intrinsics.new_table(table)
    intrinsics.table_copy(table, made)
    return made


@implements("dict.keys.iter")
def iterate_keys(table):
    """Go through the keys."""
    size = intrinsics.table_get("size", table)
    at, left = 0, size
    while at < intrinsics.table_get("end", table):
        if intrinsics.table_has(table, at):
            if left == 0:
                raise RuntimeError("dictionary keys changed during iteration")
            left -= 1
            yield intrinsics.table_key(table, at)
            if intrinsics.table_get("size", table) != size:
                raise RuntimeError("dictionary changed size during iteration")
        at += 1


@implements("dict.values.iter")
def iterate_values(table):
    """Go through the values."""
    size = intrinsics.table_get("size", table)
    at, left = 0, size
    while at < intrinsics.table_get("end", table):
        if intrinsics.table_has(table, at):
            if left == 0:
                raise RuntimeError("dictionary keys changed during iteration")
            left -= 1
            yield intrinsics.table_value(table, at)
            if intrinsics.table_get("size", table) != size:
                raise RuntimeError("dictionary changed size during iteration")
        at += 1


@implements("dict.items.iter")
def iterate_items(table):
    """Go through the keys and values."""
    size = intrinsics.table_get("size", table)
    at, left = 0, size
    while at < intrinsics.table_get("end", table):
        if intrinsics.table_has(table, at):
            if left == 0:
                raise RuntimeError("dictionary keys changed during iteration")
            left -= 1
            yield intrinsics.table_key(table, at), intrinsics.table_value(table, at)
            if intrinsics.table_get("size", table) != size:
                raise RuntimeError("dictionary changed size during iteration")
        at += 1


@implements("dict.reversed")
def iterate_backwards(table):
    """Go through the keys, the last one first."""
    size = intrinsics.table_get("size", table)
    at = intrinsics.table_get("end", table) - 1
    while at >= 0:
        if at < intrinsics.table_get("end", table) and intrinsics.table_has(table, at):
            yield intrinsics.table_key(table, at)
            if intrinsics.table_get("size", table) != size:
                raise RuntimeError("dictionary changed size during iteration")
        at -= 1


@implements("dict.values.reversed")
def iterate_values_backwards(table):
    """Go through the values, the last one first."""
    for key in iterate_backwards(table):
        yield table[key]


@implements("dict.items.reversed")
def iterate_items_backwards(table):
    """Go through the keys and values, the last entry first."""
    for key in iterate_backwards(table):
        yield key, table[key]


@implements("dict.__eq__")
def dict_equals(table, others):
    """Say whether two dicts have equal values under equal keys."""
    if len(table) != len(others):
        return False
    for key, value in table.items():
        entry = find_entry(others, key)
        if entry < 0:
            return False
        if not intrinsics.table_value(others, entry) == value:
            return False
    return True


@implements("dict.values.__contains__")
def values_contain(table, wanted):
    """Say whether a value equals another."""
    for value in iterate_values(table):
        if value == wanted:
            return True
    return False


@implements("dict.items.__contains__")
def items_contain(table, wanted):
    """Say whether a key has a value."""
    key, value = wanted
    entry = find_entry(table, key)
    if entry < 0:
        return False
    return intrinsics.table_value(table, entry) == value


@implements("dict.of")
def dict_of(entries):
    """Make a dict of keys and values."""
    made = {}
    for key, value in entries:
        made[key] = value
    return made


@implements("dict.__or__")
def dict_or(table, others):
    """Make a dict of the entries of both."""
    made = dict(table)
    made.update(others)
    return made


@implements("builtins.dict.fromkeys")
def dict_fromkeys(iterable, value=None):
    """Make a dict with the same value for each of some keys."""
    made = {}
    for key in iterable:
        made[key] = value
    return made


@implements("dict.values_of_keys")
def dict_values_of_keys(table, keys):
    """Give the values of some keys, a tuple, or None if one of them isn't there."""
    if has_keys(table, keys):
        return taken_values(table, keys)
    return None


def has_keys(table, keys):
    """Whether all of some keys are there."""
    if len(keys) == 0:
        return True
    return keys[0] in table and has_keys(table, keys[1:])


def taken_values(table, keys):
    """Give the values of keys that are there."""
    if len(keys) == 0:
        return ()
    return (table[keys[0]], *taken_values(table, keys[1:]))


@implements("dict.rest_without_keys")
def dict_rest_without_keys(table, keys):
    """Copy a dict without keys that are there."""
    rest = table.copy()
    delete_keys(rest, keys)
    return rest


def delete_keys(table, keys):
    """Delete keys that are there."""
    if len(keys) > 0:
        del table[keys[0]]
        delete_keys(table, keys[1:])
