"""Methods of universal functions in compiled code, the program's own and NumPy's, against NumPy's."""

import numpy as np
import pytest

from pyopt import njit, vectorize
from pyopt.errors import PyoptError, TypingError

own_add = vectorize(["int64(int64,int64)", "float64(float64,float64)"], identity=0)(lambda a, b: a + b)
apart = vectorize(["int64(int64,int64)", "float64(float64,float64)"])(lambda a, b: a - 2 * b)
greater = vectorize(["float64(float64,float64)"], identity="reorderable")(lambda a, b: a if a > b else b)
twice = vectorize(["float64(float64)", "int64(int64)"])(lambda x: x * 2)
dynamic = vectorize(lambda a, b: a - 2 * b)

FUNCTIONS = [
    *("own_add", "apart", "greater", "dynamic", "np.add", "np.multiply", "np.subtract", "np.maximum"),
    *("np.logical_or", "np.logical_xor", "np.bitwise_xor", "np.hypot", "np.fmin", "np.true_divide", "np.gcd"),
]
SHAPES = {
    "ints": np.array([[3, 1, 4], [1, 5, 9]]),
    "floats": np.array([[2.5, -1.0, 0.5], [4.0, 8.0, -3.0]]),
    "narrow": np.array([[100, 27, 3], [-128, 1, 7]], "i1"),
    "nothing": np.zeros((0, 3)),
    "three axes": np.arange(24.0).reshape(2, 3, 4)[::-1, :, ::2],
}
REDUCTIONS = [
    *("reduce(x)", "reduce(x, axis=-1)", "reduce(x, axis=None)", "reduce(x, axis=(0, 1))"),
    *("reduce(x, axis=1, keepdims=True)", "reduce(x, axis=None, keepdims=True)", "reduce(x, initial=2)"),
    *("reduce(x, initial=None)", "reduce(x, where=x > 1)", "reduce(x, axis=1, initial=1, where=x[:1] > 1)"),
    *("reduce(x, axis=(0, 1), initial=3)", "reduce(x[:, 0])", "reduce(x.T)", "reduce(x, axis=5)"),
]
OTHERS = [
    *("accumulate(x)", "accumulate(x, axis=-1)", "outer(x, x[0])", "outer(2, x)"),
    *("reduceat(x, np.array([0, 1, 0]))", "reduceat(x, [0, 1], axis=1)", "reduceat(x, [0, 5])"),
]


def outcome(function, arguments):
    """Give what a function returns, or the error that it raises."""
    try:
        return function(*arguments)
    except (TypeError, ValueError, IndexError) as error:
        return error


def compare(calls, *arguments, parallel=False):
    """Run calls compiled, those that NumPy can do in one function; compare results and kinds of errors."""
    names = "xyz"[: len(arguments)]
    function = "def f({}):\n    return ({}0)"

    def python(calls):
        scope = dict(globals())
        exec(function.format(", ".join(names), "".join(f"{call}, " for call in calls)), scope)
        return scope["f"]

    possible = []
    for call in calls:
        plain = outcome(python([call]), [one.copy() for one in arguments])
        if isinstance(plain, Exception):
            kinds = (PyoptError, ValueError if isinstance(plain, ValueError) else type(plain))
            with pytest.raises(kinds):
                njit(python([call]))(*arguments)
        else:
            possible.append(call)
    plain, own = [one.copy() for one in arguments], [one.copy() for one in arguments]
    expected = python(possible)(*plain)
    result = njit(parallel=parallel)(python(possible))(*own)
    both = zip(possible, result, expected, strict=False) if possible else ()
    for call, one, other in both:
        if other is None:
            assert one is None
            continue
        if np.asarray(other).dtype == np.float16 and np.asarray(one).dtype.kind == "f":
            continue  # compiled code has no halves of 8-bit ints
        assert np.shape(one) == np.shape(other), call
        assert np.ndim(other) == 0 or one.dtype == other.dtype, call
        np.testing.assert_allclose(one, other, rtol=1e-14, err_msg=call)
    for one, other in zip(own, plain, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_along_axes(name, shape):
    x = SHAPES[shape]
    if name in ("np.bitwise_xor", "np.gcd") and x.dtype.kind == "f":
        compare([f"{name}.reduce(x)"], x)
    else:
        calls = REDUCTIONS if shape == "nothing" else REDUCTIONS + OTHERS
        parallel = name in ("own_add", "apart", "np.logical_or")
        compare([f"{name}.{call}" for call in calls], x, parallel=parallel)


PLACES = [
    *("at(x, np.array([0, 0, 1]), y[0])", "at(x, [0, 1], 1)", "at(x, (0, 1), 1)", "at(x, 1, y[1])"),
    *("at(x, (np.array([0, 1, 0]), np.array([1, 1, -1])), y[0])", "at(x, x > 2, 2)", "at(x, [7], 1)"),
    *("at(x, slice(None, None, -1), y)", "at(x[0], [0, 1, 2], x[0, ::-1])", "at(x, np.array([1.5]), 1)"),
]


@pytest.mark.parametrize("name", ["own_add", "apart", "np.add", "np.multiply", "np.maximum", "np.subtract"])
@pytest.mark.parametrize("shape", ["ints", "floats"])
def test_at(name, shape):
    x = SHAPES[shape]
    compare([f"{name}.{call}" for call in PLACES], x, x)


def test_at_takes_what_overlaps():
    compare(["np.add.at(x, x, 1)"], np.array([1, 0, 0, 3]))
    compare(["np.add.at(x, np.arange(4), x[::-1])"], np.array([1, 20, 300, 4000]))
    compare(["np.multiply.at(x, [0, 0, 2], 1.5)"], np.array([3, 4, 5]))


def test_at_of_one_operand():
    calls = ["twice.at(x, np.array([0, 0, 1]))", "twice.at(x, x > 2)", "np.negative.at(x, [0, 0, 1])"]
    compare(calls, SHAPES["floats"])


def test_results_go_into_arrays():
    x = SHAPES["floats"]
    for name in ("own_add", "apart", "np.add", "np.maximum"):
        compare([f"{name}.reduce(x, out=y)", f"{name}.reduce(x, 0, None, y)"], x, np.zeros(3))
        compare([f"{name}.reduce(x, 1, None, y, True)"], x, np.zeros((2, 1)))
        compare([f"{name}.accumulate(x, out=y)"], x, np.zeros((2, 3)))
        compare([f"{name}.reduce(x, out=y)"], x, np.zeros(4))
    compare(["own_add.outer(x[0], x[1], out=y)"], x, np.zeros((3, 3)))
    compare(["np.maximum.reduce(x, out=y)", "np.logical_and.reduce(x, out=y)"], SHAPES["ints"], np.zeros(3))


def test_dtypes():
    calls = ["reduce(x, dtype=np.float64)", "accumulate(x, 0, np.int64)", "reduceat(x, [0, 1], 0, np.int64)"]
    compare([f"{name}.{call}" for name in ("own_add", "np.add") for call in calls], SHAPES["narrow"])


def test_attributes():
    @njit
    def attributes():
        return own_add.nin, own_add.nout, own_add.nargs, own_add.identity, np.add.nin, np.sqrt.nargs

    assert attributes() == (2, 1, 3, 0, 2, 2)

    @njit
    def nothing():
        return apart.identity is None, apart.signature is None

    assert nothing() == (True, True)


def test_functions_that_do_not_reduce():
    @njit
    def wrong(x):
        return twice.reduce(x)

    with pytest.raises(TypingError, match="reduce only supported for binary functions"):
        wrong(np.ones(3))

    @njit
    def compared(x):
        return np.greater.reduce(x)

    with pytest.raises(TypingError, match="can't be its operand again"):
        compared(np.ones(3))


def test_a_function_that_is_wrong_for_its_elements():
    @vectorize
    def wrong(a, b):
        return a - b if a > b else b + a

    @njit
    def call(a, b):
        return np.conj(wrong(a, b))

    with pytest.raises(TypingError, match="no array holds none|no implementation of >"):
        call(np.ones(3, "c8"), np.ones(3, "c8"))

    pair = vectorize(lambda a: (a, a))

    @njit
    def pairs(a):
        return pair(a)

    with pytest.raises(TypingError, match="no array holds"):
        pairs(np.ones(3))
