"""Floor division and modulo by constants, which have forms of their own for each kind of constant."""

import numpy as np
import pytest

from pyopt import njit

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")


def numbers(dtype):
    """Give numbers of a type: all around 0, its ends and powers of two, and some between."""
    bounds = np.iinfo(dtype)
    bits = bounds.bits
    around = [sign * (1 << k) + d for k in range(bits) for sign in (-1, 1) for d in range(-3, 4)]
    around += (
        list(range(-300, 300)) + [bounds.min + k for k in range(80)] + [bounds.max - k for k in range(80)]
    )
    some = np.random.default_rng(bits).integers(bounds.min, bounds.max, 500, dtype, endpoint=True)
    fitting = sorted({x for x in around if bounds.min <= x <= bounds.max} | set(some.tolist()))
    return np.array(fitting, dtype)


def divisors(dtype):
    """Give the constants: small ones, and those around powers of two and the ends of the type."""
    bounds = np.iinfo(dtype)
    near = [sign * (1 << k) + d for k in range(7, bounds.bits) for sign in (-1, 1) for d in (-1, 0, 1)]
    near += [bounds.min, bounds.min + 1, bounds.max, bounds.max - 1]
    return sorted({c for c in [*range(-70, 71), *near] if bounds.min <= c <= bounds.max})


def compiled_for(constants, name):
    """Compile a function that divides each element by each of some constants of a type."""
    lines = [f"def divide(v, quotients, rests, {name}):", "    for i in range(v.size):", "        x = v[i]"]
    for k, c in enumerate(constants):
        divisor = f"{name}({c})" if c >= -(2**63) else str(c)
        lines += [
            f"        quotients[{k}, i] = x // {divisor}",
            f"        rests[{k}, i] = x % {divisor}",
        ]
    lines[0] = "def divide(v, quotients, rests):"
    scope = {name: getattr(np, name)}
    exec("\n".join(lines), scope)
    return njit(scope["divide"])


def expected(v, constants):
    """Divide with Python's ints, wrapped to the type; 0 for a divisor of 0."""
    wide = v.astype(object)
    quotients = [wide // c if c else wide * 0 for c in constants]
    rests = [wide % c if c else wide * 0 for c in constants]
    mask = (1 << (8 * v.dtype.itemsize)) - 1
    wrapped = [np.array([x & mask for x in row], np.uint64) for row in quotients]
    return np.array(wrapped).astype(v.dtype), np.array(rests).astype(v.dtype)


@pytest.mark.parametrize("dtype", SIGNED + UNSIGNED)
def test_every_divisor_of_the_type(dtype):
    v = numbers(dtype)
    constants = divisors(dtype)
    for at in range(0, len(constants), 24):
        some = [c for c in constants[at : at + 24] if c]
        quotients = np.zeros((len(some), v.size), dtype)
        rests = np.zeros_like(quotients)
        compiled_for(some, dtype)(v, quotients, rests)
        wanted = expected(v, some)
        np.testing.assert_array_equal(quotients, wanted[0])
        np.testing.assert_array_equal(rests, wanted[1])


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "uint16", "uint32"])
def test_narrow_elements_by_python_ints(dtype):
    """The quotient is an int64, whatever the constant; the division may be of the narrow type."""
    v = numbers(dtype)
    limit = 1 << np.iinfo(dtype).bits
    far = [limit + 1, -limit, limit // 2, -limit // 2, limit // 2 - 1, 1 - limit // 2, 2**62, -(2**63)]
    constants = [c for c in [*range(-70, 71, 3), -1, 1, 3, -3, 7, -7, *far] if c]
    quotients = np.zeros((len(constants), v.size), np.int64)
    rests = np.zeros_like(quotients)
    compiled_for(constants, "int64")(v, quotients, rests)
    wide = v.astype(object)
    for k, c in enumerate(constants):
        np.testing.assert_array_equal(quotients[k], (wide // c).astype(np.int64), str(c))
        np.testing.assert_array_equal(rests[k], (wide % c).astype(np.int64), str(c))


@njit(error_model="numpy")
def by_zero(v):
    return v // 0, v % 0


@njit
def array_by_constants(v):
    return v // 8, v % 8, v // 10, v % 10, v // -8, v % -8, v // -10, v % -10


def test_zero_and_whole_arrays():
    v = numbers("int64")
    for found in by_zero(v):
        np.testing.assert_array_equal(found, np.zeros_like(v))
    for found, wanted in zip(array_by_constants(v), array_by_constants.py_func(v), strict=True):
        np.testing.assert_array_equal(found, wanted)
    matrix = np.stack((v, v))[:, ::-1]
    for found, wanted in zip(array_by_constants(matrix), array_by_constants.py_func(matrix), strict=True):
        np.testing.assert_array_equal(found, wanted)
