"""Powers of floats for constants: products within some units in the last place, exact at the edges."""

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
