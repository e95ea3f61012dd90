"""Comparing expressions in compiled code with NumPy: values, dtypes, shapes and errors."""

import warnings

import numpy as np
import pytest

from pyopt import njit

DTYPES = ("bool", "int8", "int32", "int64", "uint8", "uint64", "float32", "float64")
FLOATS = ("float32", "float64")
EVERY = (*DTYPES, "complex64", "complex128")

_functions = {}


def compiled(expression, parameters):
    """Give a Python function of an expression, and it compiled."""
    key = expression, parameters
    if key not in _functions:
        names = {"np": np}
        exec(f"def function({parameters}):\n    return {expression}", names)
        _functions[key] = names["function"], njit(names["function"])
    return _functions[key]


def check(expression, *args, parameters="a, b, c, d", exact=False):
    """Compare an expression in compiled code with NumPy."""
    parameters = ", ".join(parameters.split(", ")[: len(args)])
    python, jitted = compiled(expression, parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            try:
                expected = python(*(copied(arg) for arg in args))
            except (ValueError, IndexError) as error:
                with pytest.raises(type(error) if type(error) in (ValueError, IndexError) else ValueError):
                    jitted(*args)
                return
    same(jitted(*args), expected, exact)


def copied(arg):
    """Copy an array and keep its layout."""
    return arg.copy("K") if isinstance(arg, np.ndarray) else arg


def same(actual, expected, exact):
    """Compare two results."""
    if isinstance(expected, (tuple, list)):
        assert type(actual) is type(expected)
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            same(one, other, exact)
        return
    left, right = np.asarray(actual), np.asarray(expected)
    assert left.shape == right.shape
    if isinstance(expected, np.ndarray):
        assert left.dtype == right.dtype
    else:
        # Integers come back as Python's.
        assert left.dtype.kind.replace("u", "i") == right.dtype.kind.replace("u", "i")
    if exact or left.dtype.kind in "biumM":
        np.testing.assert_array_equal(left, right)
        return
    single = right.dtype in (np.float32, np.complex64)
    np.testing.assert_allclose(left, right, rtol=2e-5 if single else 1e-12, atol=1e-5 if single else 1e-12)


def numbers(dtype, shape, seed=0):
    """Give an array of small numbers of a dtype, with repetitions."""
    random = np.random.default_rng(seed)
    size = int(np.prod(shape))
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = random.integers(0, 2, size)
    elif kind == "u":
        values = random.integers(0, 9, size)
    elif kind == "i":
        values = random.integers(-6, 7, size)
    elif kind == "c":
        values = random.integers(-6, 7, size) / 4 + 1j * random.integers(-6, 7, size)
    else:
        values = random.integers(-20, 21, size) / 8
    return values.astype(dtype).reshape(shape)


def layouts(dtype, shape, seed=0):
    """Yield arrays of a shape in several layouts."""
    a = numbers(dtype, shape, seed)
    yield a
    if a.ndim > 1:
        yield np.asfortranarray(a)
    wide = numbers(dtype, tuple(2 * size for size in shape), seed)
    yield wide[tuple(slice(None, None, 2) for _ in shape)]
    yield a[tuple(slice(None, None, -1) for _ in shape)]


def arrays(dtypes, *shapes):
    """Yield C-contiguous arrays of each dtype in the first shape, and floats in all shapes and layouts."""
    for dtype in dtypes:
        yield numbers(dtype, shapes[0])
    for shape in shapes:
        yield from layouts("float64", shape)
