"""Conversions of floats to integers at every edge: what is out of range is the least number, as on x86."""

import numpy as np
import pytest

from pyopt import njit

BITS = {"int8": 32, "int16": 32, "int32": 32, "int64": 64}


def edges(dtype):
    """Give floats around the ends of all integer types, and what no integer is."""
    kind = np.dtype(dtype).type
    values = [0.0, -0.0, 0.5, -0.5, 1.9, -1.9, np.nan, np.inf, -np.inf]
    with np.errstate(over="ignore"):
        for bits in (7, 8, 15, 16, 31, 32, 53, 62, 63, 64):
            for sign in (-1, 1):
                end = kind(sign * 2.0**bits)
                values += [end, np.nextafter(end, kind(0)), np.nextafter(end, kind(sign * np.inf))]
                values += [end + kind(0.5), end - kind(0.5), end + kind(1), end - kind(1)]
        values += [kind(1e300), kind(-1e300), np.finfo(dtype).tiny, np.finfo(dtype).max]
    return np.array(values, dtype)


def wanted(x, dtype):
    """Truncate as x86 does: to 32 or 64 bits, the least number where that isn't possible."""
    bits = BITS[dtype]
    whole = int(x) if np.isfinite(x) else 2**bits
    if not -(2 ** (bits - 1)) <= whole < 2 ** (bits - 1):
        whole = -(2 ** (bits - 1))
    width = np.iinfo(dtype).bits
    return (whole + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)


@pytest.mark.parametrize("to", BITS)
@pytest.mark.parametrize("source", ["float16", "float32", "float64"])
def test_signed(source, to):
    kind = getattr(np, to)
    v = edges(source)
    expected = np.array([wanted(x, to) for x in v], to)
    np.testing.assert_array_equal(njit(lambda v: v.astype(kind))(v), expected)
    one = njit(lambda v, i: kind(v[i]))
    assert [one(v, i) for i in range(v.size)] == expected.tolist()


@njit
def as_int(x):
    return int(x)


@njit
def filled(v, out):
    for i in range(v.size):
        out[i] = v[i] * 0.5
    return out


def test_ints_of_floats():
    least = -(2**63)
    assert [as_int(x) for x in (np.nan, np.inf, -np.inf, 1e300, -1e300, 2.0**63)] == [least] * 6
    assert as_int(-1.9) == -1
    assert as_int(np.nextafter(2.0**63, 0)) == 2**63 - 1024
    for to in BITS:
        v = edges("float64")
        expected = [wanted(x, to) for x in v * 0.5]
        assert filled(v, np.zeros(v.size, to)).tolist() == expected


@pytest.mark.parametrize("source", ["float32", "float64"])
def test_as_numpy_does(source):
    """Where NumPy's own code is that of x86 too."""
    v = edges(source)
    with np.errstate(invalid="ignore"):
        for to in ("int32", "int64"):
            kind = getattr(np, to)
            np.testing.assert_array_equal(njit(lambda v: v.astype(kind))(v), v.astype(to))  # noqa: B023


@njit
def unsigned(x):
    return np.uint8(x), np.uint32(x), np.uint64(x)


def test_unsigned():
    for x in (0.0, 3.7, 255.9, 300.0, 2.0**32 - 1, 2.0**40 + 5, -1.0, -300.5):
        whole = int(x)
        assert unsigned(x) == (whole % 2**8, whole % 2**32, whole % 2**64)
    assert unsigned(2.0**63 + 2048)[2] == 2**63 + 2048
    assert unsigned(np.inf)[2] == 2**64 - 1
