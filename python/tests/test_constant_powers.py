"""Powers of floats for whole exponents: products within some units in the last place, exact at the edges."""

import math

import numpy as np
import pytest

from pyopt import njit

EDGES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-200, 1e200, 5e-324, -1e-300, 2.0, 10.0, -3.0]


def forms(exponent, dtype):
    """Give functions of an array that raise it to a power in all ways to write it."""
    written = "a ** {}", "np.power(a, {})", "np.array([np.{dtype}(x) ** {} for x in a])"
    for form in written:
        scope = {"np": np}
        exec(f"def power(a):\n    return {form.format(exponent, dtype=dtype)}\n", scope)
        yield njit(scope["power"])


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("exponent", [*range(-17, 0), *range(1, 18), 40])
def test_powers(exponent, dtype):
    random = np.random.default_rng(abs(exponent))
    with np.errstate(over="ignore"):
        values = np.concatenate([random.random(100) * 10, -random.random(100) * 3, EDGES]).astype(dtype)
    with np.errstate(all="ignore"):
        expected = np.power(values, np.dtype(dtype).type(exponent))
    for power in forms(exponent, dtype):
        with np.errstate(all="ignore"):
            found = power(values)
        assert found.dtype == values.dtype
        # Half a unit for each multiplication, and one for what libm errs by.
        tolerance = (abs(exponent) + 2) / 2 * np.finfo(dtype).eps
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=np.finfo(dtype).smallest_normal)
        assert np.array_equal(
            np.signbit(found), np.signbit(expected) | (np.isnan(expected) & np.signbit(found))
        )


@njit
def raised(values, exponents):
    """Raise each number to each power, and all to the first power at once."""
    found = np.empty((exponents.size, values.size), values.dtype)
    for i in range(exponents.size):
        for j in range(values.size):
            found[i, j] = np.power(values[j], values.dtype.type(exponents[i]))
            if values[j] != 0.0 or exponents[i] >= 0:
                found[i, j] = values[j] ** exponents[i]
    return found, values ** exponents[0]


@pytest.mark.parametrize("kind", [np.int64, np.int32])
def test_exponents_that_are_known_at_run_time(kind):
    random = np.random.default_rng(21)
    exponents = np.array([5, *range(-20, 21), 63, -64, 1000, np.iinfo(kind).min, np.iinfo(kind).max], kind)
    values = np.concatenate([random.random(50) * 3, -random.random(50) * 3, EDGES])
    found, first = raised(values, exponents)
    with np.errstate(all="ignore"):
        expected = np.power(values, exponents.astype(float)[:, np.newaxis])
    for exponent, mine, theirs in zip(exponents, found, expected, strict=True):
        is_product = abs(int(exponent)) <= 16
        tolerance = ((abs(int(exponent)) if is_product else 0) + 2) / 2 * np.finfo(float).eps
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=np.finfo(float).smallest_normal)
        assert np.array_equal(np.signbit(mine) & ~np.isnan(mine), np.signbit(theirs) & ~np.isnan(theirs))
    np.testing.assert_array_equal(first, found[0])


def test_a_constant_is_as_the_same_exponent_at_run_time():
    for exponent in range(-16, 17):
        scope = {"np": np}
        exec(f"def constant(a):\n    return a ** {exponent}\n", scope)
        values = np.random.default_rng(7).random(50) + 0.5
        at_run_time = njit(lambda a, n: a**n)(values, exponent)
        np.testing.assert_array_equal(njit(scope["constant"])(values), at_run_time)


def test_powers_of_math():
    of = njit(lambda x: (math.pow(x, 5), math.pow(x, -3.0), math.pow(x, 0), math.pow(x, 2.5)))
    for x in (0.1, 1.5, 7.25):
        wanted = math.pow(x, 5), math.pow(x, -3.0), 1.0, math.pow(x, 2.5)
        assert of(x) == pytest.approx(wanted, rel=1e-15)


def test_small_constants_are_no_calls():
    @njit
    def products(x):
        return x**5 + x**-4 + x**16.0

    products(1.5)
    assert "pow.f64" not in products.inspect_llvm(products.signatures[0])
