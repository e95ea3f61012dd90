"""Running a function under CPython and compiled, and comparing what they do."""

import copy

import numpy as np

from pyopt import njit


def outcome(function, args):
    """Run a function on copies of its arguments: result or exception, and the arguments afterwards."""
    args = tuple(clone(value) for value in args)
    try:
        with np.errstate(all="ignore"):
            return "returned", function(*args), args
    except Exception as error:
        return "raised", (type(error), str(error)), args


def clone(value):
    """Copy an argument, keeping an array's strides and offset within its base."""
    if not isinstance(value, np.ndarray) or value.base is None or value.base.shape == value.shape:
        return copy.deepcopy(value)
    made = value.base.copy(order="K")
    offset = value.__array_interface__["data"][0] - value.base.__array_interface__["data"][0]
    made = np.ndarray(value.shape, value.dtype, made.data, offset, value.strides)
    made.flags.writeable = value.flags.writeable
    return made


def same(got, expected, rtol):
    """Assert that two results are equal, floats within a relative tolerance."""
    if isinstance(expected, tuple):
        assert isinstance(got, tuple)
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            same(one, other, rtol)
    elif isinstance(expected, np.ndarray):
        assert isinstance(got, np.ndarray)
        assert got.dtype == expected.dtype
        assert got.shape == expected.shape
        if rtol:
            np.testing.assert_allclose(got, expected, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(got, expected)
    elif isinstance(expected, (float, complex, np.inexact)):
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=rtol, equal_nan=True)
    else:
        assert got == expected
        assert not isinstance(expected, bool) or got is expected


def check(function, *argument_lists, rtol=0.0, written=True, **options):
    """Compare a function with its compiled form on each list of arguments; return the compiled form.

    ``written=False`` leaves out the arguments' contents afterwards, for exceptions in parallel code.
    """
    compiled = function if hasattr(function, "py_func") else njit(**options)(function)
    for args in argument_lists:
        how, expected, expected_args = outcome(compiled.py_func, args)
        got_how, got, got_args = outcome(compiled, args)
        assert (got_how, got if got_how == "raised" else None) == (
            how,
            expected if how == "raised" else None,
        )
        if how == "returned":
            same(got, expected, rtol)
        if written:
            same(got_args, expected_args, rtol)
    return compiled
