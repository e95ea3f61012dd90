"""Hash tables: how entries of dicts and sets are found, put in and taken out.

A table has its entries in the order of insertion, and slots, of which each is free (0), or has the number
of an entry plus one in its low half and 32 bits of its key's hash in its high half. Slots are probed
linearly; at least half of them are free. A slot of 4294967295 had an entry that was taken out. The runtime
moves them when a table grows, which needs no hashes of keys.

What is done with one key is two calls: a lookup, and what is done at the slot that it found. The compiler
has a key looked up once for as long as its table stays as it is.
"""

import numpy as np

from pyopt.library import implements, intrinsics


def hash_part(key):
    """Mix the bits of a key to the 32 of its slot, of which the lowest ones are its place."""
    key = intrinsics.plain_key(key)
    if isinstance(key, int):
        # Numbers that follow each other share a cache line; those apart by powers of two don't.
        bits = np.uint64(key)
        mixed = (bits >> np.uint64(3)) * np.uint64(11400714819323198485)
        return (mixed >> np.uint64(32)) ^ (bits & np.uint64(7))
    if isinstance(key, (str, bytes)):
        return np.uint64(intrinsics.text("mix", key)) >> np.uint64(32)
    return mix_key(np.uint64(0), key) >> np.uint64(32)


def mix_key(found, key):
    """Mix the bits of a key, or of a tuple's items, into those of what came before."""
    key = intrinsics.plain_key(key)
    if isinstance(key, tuple):
        return mix_key_items(found, key)
    if isinstance(key, (str, bytes)):
        return mix_word(found, np.uint64(intrinsics.text("mix", key)))
    if isinstance(key, int):
        return mix_word(found, np.uint64(key))
    if isinstance(key, float):
        # Negative zero equals zero.
        return mix_word(found, (np.float64(key) + 0.0).view(np.uint64))
    if isinstance(key, complex):
        real = mix_word(found, (np.float64(key.real) + 0.0).view(np.uint64))
        return mix_word(real, (np.float64(key.imag) + 0.0).view(np.uint64))
    return mix_word(found, np.uint64(hash(key)))


def mix_key_items(found, items):
    """Mix the bits of the items in."""
    if len(items) == 0:
        return mix_word(found, np.uint64(1))
    found = mix_key(found, items[0])
    if len(items) == 1:
        return found
    return mix_key_items(found, items[1:])


def mix_word(found, bits):
    """Mix bits in, so that each changes the high half."""
    found = (found ^ bits) * np.uint64(11400714819323198485)
    return found ^ (found >> np.uint64(32))


def find_slot(table, key, part):
    """Find the slot of a key, or the free one where it belongs, less than 0: all its bits turned around."""
    mask = intrinsics.table_get("mask", table)
    if mask == 0 and intrinsics.table_get("end", table) != 0:
        make_slots(table)
        mask = intrinsics.table_get("mask", table)
    at = np.int64(part) & mask
    slot = intrinsics.table_slot(table, at)
    while slot != np.uint64(0):
        if slot >> np.uint64(32) == part:
            entry = np.int64(slot & np.uint64(4294967295)) - 1
            if entry != 4294967294 and intrinsics.table_key(table, entry) == key:
                return at
        at = (at + 1) & mask
        slot = intrinsics.table_slot(table, at)
    return ~at


@implements(role="slots", linked=True)
def make_slots(table):
    """Make the slots of entries that the host put in."""
    intrinsics.table_grow(table, 1)
    for entry in range(intrinsics.table_get("end", table)):
        set_free_slot(table, entry, hash_part(intrinsics.table_key(table, entry)))


def set_free_slot(table, entry, part):
    """Find a slot for an entry."""
    mask = intrinsics.table_get("mask", table)
    at = np.int64(part) & mask
    while intrinsics.table_slot(table, at) != np.uint64(0):
        at = (at + 1) & mask
    intrinsics.table_set_slot(table, at, (part << np.uint64(32)) | np.uint64(entry + 1))


def entry_at(table, at):
    """Give the number of the entry that a slot has."""
    return np.int64(intrinsics.table_slot(table, at) & np.uint64(4294967295)) - 1


@implements(role="lookup")
def lookup(table, key):
    """Find a key: give its slot, as `find_slot` does, and the part of the hash that the slot has."""
    if intrinsics.is_key(table, key):
        part = hash_part(key)
        return find_slot(table, key, part), part
    same = intrinsics.as_key(table, key)
    part = hash_part(same)
    if same != key:
        return -1, part
    return find_slot(table, same, part), part


def find_entry(table, key):
    """Find the entry of a key; less than 0 if there is none."""
    at, _ = lookup(table, key)
    return entry_at(table, at) if at >= 0 else -1


def add_slot(table, at, part):
    """Make the slot of the next entry: the one that was found to be free, or another if the table grows."""
    end = intrinsics.table_get("end", table)
    if end == intrinsics.table_get("limit", table):
        add_free_slot(table, part)
    else:
        intrinsics.table_set_slot(table, at, (part << np.uint64(32)) | np.uint64(end + 1))


@implements(role="slots", linked=True)
def add_free_slot(table, part):
    """Make the slot of the next entry, whose key isn't there."""
    end = intrinsics.table_get("end", table)
    if end == intrinsics.table_get("limit", table):
        intrinsics.table_grow(table, 1)
        end = intrinsics.table_get("end", table)
    set_free_slot(table, end, part)


def remove_slot(table, at):
    """Take out the entry of a slot."""
    entry = entry_at(table, at)
    intrinsics.table_set_slot(table, at, np.uint64(4294967295))
    intrinsics.table_remove(table, entry)


def remove_key(table, key):
    """Take out the entry of a key; say whether there was one."""
    at, _ = lookup(table, key)
    if at < 0:
        return False
    remove_slot(table, at)
    return True


def last_entry(table):
    """Give the number of the last entry, which is never one that was taken out."""
    return intrinsics.table_get("end", table) - 1
