"""Hashes of numbers, texts and tuples, as CPython computes them."""

import math

import numpy as np

from pyopt.library import implements, intrinsics


@implements("builtins.hash")
def hash_value(obj):
    """Compute the hash of a number or text, or of a tuple of these and tuples."""
    if isinstance(obj, tuple):
        return hash_tuple(obj)
    if isinstance(obj, (str, bytes)):
        return intrinsics.text("hash", obj)
    if isinstance(obj, int):
        return hash_int(obj)
    if isinstance(obj, float):
        return hash_float(np.float64(obj))
    if isinstance(obj, complex):
        real = np.uint64(hash_float(np.float64(obj.real)))
        imag = np.uint64(hash_float(np.float64(obj.imag)))
        return not_an_error(np.int64(real + np.uint64(1000003) * imag))
    intrinsics.unsupported("numbers and texts have hashes in compiled code, and tuples of them")


def not_an_error(found):
    """Replace what CPython's functions return for an error."""
    return -2 if found == -1 else found


def hash_int(value):
    """Compute the hash of an int: the rest of its division by a prime, with its sign."""
    if value < 0:
        rest = (np.uint64(0) - np.uint64(value)) % np.uint64(2305843009213693951)
        return not_an_error(-np.int64(rest))
    return np.int64(np.uint64(value) % np.uint64(2305843009213693951))


def hash_float(value):
    """Compute the hash of a float, which is that of an equal int. All NaNs have one."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return 314159 if value > 0.0 else -314159
    mantissa, exponent = math.frexp(abs(value))
    found = np.uint64(0)
    while mantissa != 0.0:
        # 28 bits a turn; the number is a sum of powers of two, of which 2**61 is 1.
        found = ((found << np.uint64(28)) & np.uint64(2305843009213693951)) | (found >> np.uint64(33))
        mantissa *= 268435456.0
        exponent -= 28
        part = np.uint64(mantissa)
        mantissa -= np.float64(part)
        found += part
        if found >= np.uint64(2305843009213693951):
            found -= np.uint64(2305843009213693951)
    by = np.uint64(exponent % 61)
    found = ((found << by) & np.uint64(2305843009213693951)) | (found >> (np.uint64(61) - by))
    if value < 0.0:
        return not_an_error(-np.int64(found))
    return np.int64(found)


def hash_tuple(items):
    """Compute the hash of a tuple: xxHash over those of its items."""
    found = mix_items(np.uint64(2870177450012600261), items)
    found += np.uint64(len(items)) ^ (np.uint64(2870177450012600261) ^ np.uint64(3527539))
    if found == np.uint64(18446744073709551615):
        return 1546275796
    return np.int64(found)


def mix_items(found, items):
    """Mix the hashes of the items in."""
    if len(items) == 0:
        return found
    found += np.uint64(hash(items[0])) * np.uint64(14029467366897019727)
    found = (found << np.uint64(31)) | (found >> np.uint64(33))
    found *= np.uint64(11400714785074694791)
    return mix_items(found, items[1:])
