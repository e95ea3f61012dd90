"""Every universal function that compiled code has, over every dtype: result dtypes and values are NumPy's.

Deliberate differences, all Numba's: bools and 8-bit ints are computed in float32 where NumPy takes float16;
``positive`` and ``sign`` take bools; the reciprocal of the int 0 is 0.
"""

import itertools
import warnings

import numpy as np
import pytest

from pyopt import errors, njit

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
TAKE_BOOLS = ("positive", "sign")
# Not there yet, for the dtypes of these kinds; each call is refused at its line.
MISSING = {"bitwise_count": "biu"}
HALF = ("nextafter", "spacing")


def universal_functions(count):
    known = {}
    for name in dir(np):
        function = getattr(np, name)
        if isinstance(function, np.ufunc) and function.nin == count and not function.signature:
            known.setdefault(function, name)
    return sorted(name for function, name in known.items() if name != "isnat")


def values(dtype):
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([True, False, True, False])
    if kind == "u":
        return np.array([0, 1, 3, np.iinfo(dtype).max], dtype)
    if kind == "i":
        return np.array([0, 1, -3, np.iinfo(dtype).min], dtype)
    if kind == "f":
        return np.array([0.5, -1.25, np.nan, np.inf], dtype)
    return np.array([0.5 + 1j, -1.25, 2 - 3j, 0], dtype)


def is_missing(name, dtypes):
    kind = np.result_type(*dtypes).kind
    return kind in MISSING.get(name, "") or (name in HALF and set(dtypes) == {"f2"})


def check(name, compiled, dtypes):
    operands = [values(dtype) for dtype in dtypes]
    if len(operands) == 2:
        operands[1] = operands[1][::-1].copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = getattr(np, name)(*operands)
        except (TypeError, ValueError):
            expected = None
        if expected is None and name in TAKE_BOOLS:
            return
        if expected is None or is_missing(name, dtypes):
            with pytest.raises((errors.PyoptError, ValueError)):
                compiled(*operands)
            return
        got = compiled(*operands)
    if not isinstance(expected, tuple):
        expected, got = (expected,), (got,)
    for wanted, found in zip(expected, got, strict=True):
        if wanted.dtype == np.float16 and all(np.dtype(one).kind in "biu" for one in dtypes):
            wanted = wanted.astype(np.float32)
            assert found.dtype == np.float32, (name, dtypes)
            # How far the next number is depends on the type.
            if name not in HALF:
                np.testing.assert_allclose(found, wanted, rtol=2e-3, atol=1e-3)
            continue
        assert found.dtype == wanted.dtype, (name, dtypes)
        if wanted.dtype.kind in "fc":
            rtol = 4 * np.finfo(wanted.dtype).eps
            np.testing.assert_allclose(found, wanted, rtol=rtol, err_msg=f"{name} {dtypes}")
        elif name == "reciprocal":
            assert (found == wanted)[operands[0] != 0].all()
        else:
            assert (found == wanted).all(), (name, dtypes, found, wanted)


def compile_call(name, parameters):
    """Compile a function that calls the universal function by its name."""
    source = f"def call({parameters}):\n    return np.{name}({parameters})"
    namespace = {"np": np}
    exec(source, namespace)
    return njit(namespace["call"])


@pytest.mark.parametrize("name", universal_functions(1))
def test_of_one_argument(name):
    compiled = compile_call(name, "a")
    for dtype in DTYPES:
        check(name, compiled, (dtype,))


@pytest.mark.parametrize("name", universal_functions(2))
def test_of_two_arguments(name):
    compiled = compile_call(name, "a, b")
    mixed = [("?", "i1"), ("i1", "u8"), ("u2", "f2"), ("f2", "f4"), ("i8", "f4"), ("f4", "c8"), ("i4", "c8")]
    for dtypes in itertools.chain(zip(DTYPES, DTYPES, strict=True), mixed):
        check(name, compiled, dtypes)
