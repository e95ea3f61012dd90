"""`np.finfo` and `np.iinfo` against NumPy."""

import numpy as np
import pytest
from library_checks import check

from pyopt import errors, njit

FLOAT_LIMITS = ("eps", "epsneg", "max", "min", "tiny", "smallest_normal", "smallest_subnormal", "resolution")
INT_LIMITS = ("bits", "nmant", "nexp", "iexp", "precision", "machep", "negep", "maxexp", "minexp")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_floats(dtype):
    for name in (*FLOAT_LIMITS, *INT_LIMITS):
        check(f"np.finfo(a.dtype).{name}", np.zeros(2, dtype), exact=True)
        if dtype != "float16":
            check(f"np.finfo(np.{dtype}).{name} + 0 * a", 1, exact=True)
    if dtype != "float16":
        function = njit(lambda x: np.finfo(x).eps)
        assert function(np.dtype(dtype).type(1)) == np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_integers(dtype):
    for name in ("min", "max", "bits"):
        check(f"np.iinfo(a.dtype).{name}, np.iinfo(np.{dtype}).{name}", np.zeros(2, dtype))

    def largest(a):
        info = np.iinfo(a.dtype)
        total = info.min
        for i in range(a.size):
            if a[i] == info.max:
                total += 1
        return total

    a = np.array([0, 1, np.iinfo(dtype).max, np.iinfo(dtype).max], dtype)
    assert njit(largest)(a) == largest(a)


def test_what_has_no_such_limits():
    with pytest.raises(errors.TypingError, match=r"finfo\(\) takes a type of floats"):
        njit(lambda a: np.finfo(a.dtype).eps)(np.arange(3))
    with pytest.raises(errors.TypingError, match=r"iinfo\(\) takes a type of integers"):
        njit(lambda: np.iinfo(np.float64).max)()
    with pytest.raises(errors.TypingError, match="unknown attribute 'digits' of the limits of int8"):
        njit(lambda: np.iinfo(np.int8).digits)()
