"""`reduce`, `accumulate`, `outer` and `at` of universal functions; results put into arrays."""

import numpy as np
import pytest
from arrays import values
from compare import Ulps, check


def reduced(a):
    return (
        np.add.reduce(a),
        np.multiply.reduce(a, axis=-1),
        np.maximum.reduce(a, axis=None),
        np.minimum.reduce(a, axis=0, keepdims=True),
        np.logical_and.reduce(a),
        np.logical_or.reduce(a, axis=1),
    )


def accumulated(a):
    return (
        np.add.accumulate(a),
        np.multiply.accumulate(a, axis=1),
        np.maximum.accumulate(a),
        np.minimum.accumulate(a, axis=-1),
    )


def bits(a):
    return np.bitwise_and.reduce(a), np.bitwise_or.reduce(a, axis=1), np.bitwise_xor.reduce(a, axis=None)


def outer(a):
    return np.add.outer(a[0], a), np.subtract.outer(a, a[:, 0]), np.multiply.outer(a, 2)


def at(a):
    v = a[0].copy()
    places = np.array([0, 0, -1])
    np.add.at(v, places, v[1])
    np.subtract.at(v, 1, v[0])
    np.maximum.at(v, places, np.array([1, 2, 3]).astype(v.dtype))
    np.multiply.at(v, [2], v[0])
    np.minimum.at(v, 0, v[2])
    return v


@pytest.mark.parametrize("dtype", ["i1", "i8", "u2", "f8"])
@pytest.mark.parametrize("shape", [(2, 3), (1, 4), (3, 3)])
def test_methods(dtype, shape):
    a = values(shape, dtype)
    functions = [reduced, accumulated, outer]
    functions += [bits] if a.dtype.kind != "f" else []
    functions += [at] if shape[1] == 3 else []
    for function in functions:
        check(function, a, tolerance=Ulps(4), numpy=True)


def nothing(a):
    return np.maximum.reduce(a)


def test_reductions_of_nothing():
    check(nothing, np.zeros((0, 2)), numpy=True)


def parts(x, n):
    return np.ldexp(x, n), np.frexp(x), np.modf(x), divmod(x, 2.5)


def test_parts_of_numbers():
    special = np.array([0.0, -0.0, 1.5, -3.75, 1e300, 5e-324, 100.0])
    for x in (special, special.reshape(7, 1), special.astype(np.float32), 2.75, np.float32(-6.5)):
        check(parts, x, 3, numpy=True)
        check(parts, x, np.array([1, -2, 3, 0, 4, 5, -6], np.int32), numpy=True)


def with_out(a, b):
    out = np.empty_like(a)
    np.clip(a, 2, 4, out)
    first = out.copy()
    np.gcd(a, b, out=out)
    np.round(a, 0, out)
    return first, out, np.lcm(a, b, out)


def test_results_go_into_arrays():
    check(with_out, np.array([4, 6, 9]), np.array([6, 4, 3]))
