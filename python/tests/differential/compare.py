"""Running a function compiled and interpreted, and comparing what they do.

What "equal" means: integers, truth values, types, shapes and floats are the same bit for bit (any NaN equals
any NaN, ``-0.0`` is not ``0.0``), unless a test allows a distance: ``Ulps(1)`` for transcendental functions,
``SumOf(x)`` for sums whose order is free, n * eps * sum(abs(x)).
"""

import ctypes
import re
import sys

import numpy as np
from model import modelled, scalar, unmodelled

from pyopt import njit


class Ulps:
    """Floats may differ by so many units in the last place."""

    def __init__(self, count):
        """Keep the number."""
        self.count = count

    def bound(self, expected):
        """Give the largest distance allowed from an expected value."""
        return self.count * np.spacing(np.abs(np.where(np.isfinite(expected), expected, 0)))


class SumOf:
    """Floats may differ as sums of the same terms in another order do."""

    def __init__(self, *terms):
        """Take arrays of all terms."""
        terms = np.concatenate([np.asarray(one).ravel() for one in terms])
        eps = np.finfo(np.float32 if terms.dtype == np.float32 else np.float64).eps
        self.distance = terms.size * eps * np.abs(terms.astype(np.float64)).sum()

    def bound(self, expected):
        """Give the largest distance allowed from an expected value."""
        return np.full(np.shape(expected), self.distance)


def _in_old_words(error):
    """Whether CPython 3.10 says otherwise what compiled code says as later versions do."""
    return sys.version_info < (3, 11) and type(error) is UnboundLocalError


def in_known_words(error):
    """Give the text of an exception without how many values were unpacked, which CPython adds since 3.14."""
    return re.sub(r"^(too many values to unpack \(expected \d+), got \d+\)$", r"\1)", str(error))


_compiled = {}


def compile_once(function, **options):
    """Compile a function with options, once in a test session."""
    if hasattr(function, "py_func"):
        return function
    key = (function, repr(sorted(options.items())))
    if key not in _compiled:
        _compiled[key] = njit(**options)(function) if options else njit(function)
    return _compiled[key]


def clone(values):
    """Copy arguments so that arrays keep strides, offsets, write protection and what they share."""
    memo = {}
    return tuple(_clone(value, memo) for value in values)


def _clone(value, memo):
    if isinstance(value, tuple):
        return tuple(_clone(item, memo) for item in value)
    if not isinstance(value, np.ndarray):
        return value
    base = value
    while isinstance(base.base, np.ndarray):
        base = base.base
    start = base.ctypes.data
    if id(base) not in memo:
        # One block of the base's extent, as far from a boundary of 64 bytes as the base is.
        block = np.zeros(base.nbytes + 128, np.uint8)
        shift = (start - block.ctypes.data) % 64
        ctypes.memmove(block.ctypes.data + shift, start, base.nbytes)
        memo[id(base)] = (block, shift, base)
    block, shift, _ = memo[id(base)]
    offset = shift + value.ctypes.data - start
    made = np.ndarray(value.shape, value.dtype, block.data, offset, value.strides)
    made.flags.writeable = value.flags.writeable
    return made


def outcome(function, args):
    """Run a function: ``("returned", result)`` or ``("raised", exception)``."""
    try:
        with np.errstate(all="ignore"):
            return "returned", function(*args)
    except Exception as error:
        return "raised", error


def expected_outcome(function, args, numpy):
    """Run a function in the interpreter; on modelled numbers unless ``numpy`` asks for NumPy's own."""
    function = getattr(function, "py_func", function)
    if numpy:
        return outcome(function, args)
    how, value = outcome(modelled(function), tuple(map(scalar, args)))
    return how, unmodelled(value) if how == "returned" else value


def check(function, *args, tolerance=None, numpy=False, written=True, message=True, **options):
    """Compare a compiled function with the interpreter on copies of the arguments; return the result.

    ``numpy``: elements of arrays are NumPy's scalars in the interpreter, not Numba's.
    ``written``: also compare the arguments afterwards. ``message``: also compare an exception's text.
    """
    compiled = compile_once(function, **options)
    expected_args, got_args = clone(args), clone(args)
    how, expected = expected_outcome(compiled, expected_args, numpy)
    got_how, got = outcome(compiled, got_args)
    if got_how == "raised" and how == "returned":
        raise got
    assert got_how == how, f"returned {got!r}, expected {expected!r} to be raised"
    if how == "raised":
        assert_same_exception(got, expected, message)
    else:
        assert_same(got, expected, tolerance)
    if written:
        for index, (one, other) in enumerate(zip(_arrays(got_args), _arrays(expected_args), strict=True)):
            assert_same(one, other, tolerance, f"array argument {index}")
    return got


def _arrays(args):
    for value in args:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from _arrays(value)


def assert_same_exception(got, expected, message=True):
    """Assert that two exceptions have one type and, unless told otherwise, one text."""
    assert type(got) is type(expected), f"raised {got!r}, expected {expected!r}"
    assert not message or _in_old_words(expected) or str(got) == in_known_words(expected)


def assert_same(got, expected, tolerance=None, where="result"):
    """Assert that two values are the same, as the module says."""
    if isinstance(expected, tuple):
        assert isinstance(got, tuple), f"{where}: {got!r} is no tuple"
        assert len(got) == len(expected), f"{where}: {got!r}, expected {expected!r}"
        for index, (one, other) in enumerate(zip(got, expected, strict=True)):
            assert_same(one, other, tolerance, f"{where}[{index}]")
    elif isinstance(expected, np.ndarray):
        assert isinstance(got, np.ndarray), f"{where}: {got!r} is no array"
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape), where
        _assert_same_elements(got, expected, tolerance, where)
    elif isinstance(expected, np.generic):
        assert_same(got, expected.item(), tolerance, where)
    else:
        assert type(got) is type(expected), f"{where}: {got!r}, expected {expected!r}"
        if isinstance(expected, (float, complex)):
            _assert_same_elements(np.asarray(got), np.asarray(expected), tolerance, where)
        else:
            assert got == expected, f"{where}: {got!r}, expected {expected!r}"


def _assert_same_elements(got, expected, tolerance, where):
    if got.dtype.kind == "c":
        _assert_same_elements(got.real, expected.real, tolerance, where)
        _assert_same_elements(got.imag, expected.imag, tolerance, where)
        return
    same = got == expected
    if got.dtype.kind == "f":
        same &= np.signbit(got) == np.signbit(expected)
        same |= np.isnan(got) & np.isnan(expected)
        if tolerance is not None:
            with np.errstate(all="ignore"):
                same |= np.abs(got - expected) <= tolerance.bound(expected)
    if not np.all(same):
        at = np.argwhere(~np.atleast_1d(same))[0]
        one, other = np.atleast_1d(got)[tuple(at)], np.atleast_1d(expected)[tuple(at)]
        raise AssertionError(f"{where} at {at.tolist()}: {one!r}, expected {other!r}")


def combinations(functions, argument_lists):
    """Give every function with every list of arguments, for ``parametrize``, with readable names."""
    import pytest

    made = []
    for function in functions:
        for args in argument_lists:
            args = args if isinstance(args, tuple) else (args,)
            text = "-".join("array" if isinstance(one, np.ndarray) else str(one) for one in args)
            made.append(pytest.param(function, args, id=f"{function.__name__}-{text}"))
    return made
