"""`vectorize`: universal functions against NumPy's own of the same scalar function."""

import threading
import warnings

import numpy as np
import pytest

from pyopt import njit, types, vectorize
from pyopt.errors import OptionError, TypingError

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"]


def scaled(a, b):
    return a * b + a


dynamic = vectorize(scaled)


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)
def add(a, b):
    return a + b


@vectorize(["float64(float64, float64)"], target="parallel")
def parallel_distance(a, b):
    return np.sqrt(a * a + b * b)


def samples(dtype, count=11, seed=3):
    values = np.random.default_rng(seed).integers(0, 6, count)
    return values.astype(dtype) * (1 + 0.5j if dtype[0] == "c" else 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_gets_a_loop_of_its_own(dtype):
    made = vectorize(scaled)
    a, b = samples(dtype), samples(dtype, seed=4)
    # Compiled code counts in 64 bits, as it does in all scalar functions.
    wide = {"?": "i8", "i": "i8", "u": "u8"}.get(dtype[0], dtype)
    result = made(a, b)
    np.testing.assert_array_equal(result, a.astype(wide) * b + a)
    assert made.ntypes == 1 and result.dtype == np.dtype(wide)


@pytest.mark.parametrize("first", DTYPES)
@pytest.mark.parametrize("second", ["i4", "f4", "u8"])
def test_two_dtypes(first, second):
    a, b = samples(first), samples(second, seed=4)
    result = vectorize(["float64(float64, float64)", "complex128(complex128, complex128)"])(scaled)(a, b)
    wide = np.complex128 if "c" in first else np.float64
    np.testing.assert_array_equal(result, a.astype(wide) * b + a)
    assert result.dtype == wide


FORMS = {
    "contiguous": lambda a: a,
    "every second": lambda a: a[::2],
    "backwards": lambda a: a[::-1],
    "matrix": lambda a: a[:10].reshape(2, 5),
    "transposed": lambda a: a[:10].reshape(5, 2).T,
    "row": lambda a: a[:5],
    "one": lambda a: a[3:4],
    "empty": lambda a: a[:0],
    "no dimension": lambda a: a[3].reshape(()),
    "number": lambda a: a[3].item(),
    "fields": lambda a: np.array([(x, 1) for x in a], [("x", a.dtype), ("y", "i1")])["x"],
    "swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "list": lambda a: a.tolist(),
}


@pytest.mark.parametrize("left", FORMS)
@pytest.mark.parametrize("right", FORMS)
def test_operands_of_any_form(left, right):
    a, b = FORMS[left](samples("f8", 12)), FORMS[right](samples("f8", 12, 5))
    try:
        expected = np.asarray(a, float) * np.asarray(b, float) + np.asarray(a, float)
    except ValueError as error:
        with pytest.raises(ValueError, match="could not be broadcast"):
            dynamic(a, b)
        assert "broadcast" in str(error)
        return
    result = dynamic(a, b)
    assert np.shape(result) == expected.shape
    np.testing.assert_array_equal(result, expected)


def test_what_numpy_adds():
    a, b = np.arange(12.0), np.arange(12.0)[::-1]
    out = np.full(12, -1.0)
    assert add(a, b, out) is out
    np.testing.assert_array_equal(out, 11.0)
    out[:] = -1
    add(a, b, out=out, where=a > 5)
    np.testing.assert_array_equal(out, np.where(a > 5, 11.0, -1.0))
    assert add(np.int32(3), 4).dtype == np.int64
    assert add(1, 2, dtype=np.float64).dtype == np.float64
    assert add.types == ["ll->l", "dd->d"]
    assert (add.nin, add.nout, add.nargs, add.ntypes, add.identity) == (2, 1, 3, 2, 0)
    assert add.signature is None and add.__name__ == "add"
    assert isinstance(add.ufunc, np.ufunc)


def test_reductions_keep_to_the_type_of_each_loop():
    @vectorize
    def added(x, y):
        return x + y

    for dtype in ("f4", "f8", "i4", "i8", "c16", "f4", "f8"):
        a = (np.arange(1, 60) / 7).astype(dtype) if dtype[0] != "i" else np.arange(59).astype(dtype) * 10**8
        for array in (a, a[::-2]):
            np.testing.assert_array_equal(added.reduce(array), np.add.accumulate(array)[-1])
            np.testing.assert_array_equal(added.accumulate(array), np.add.accumulate(array))
        left, right = np.zeros(3, dtype), np.zeros(3, dtype)
        added.at(left, [0, 2, 0], a[:3])
        np.add.at(right, [0, 2, 0], a[:3])
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("shift", [-3, -1, 0, 1, 2])
def test_outputs_that_overlap_inputs(shift):
    def run(function):
        memory = np.arange(30.0)
        source = memory[5:20]
        function(source, source[::-1], memory[5 + shift : 20 + shift])
        return memory

    def plain(a, b, out):
        out[:] = a.copy() * b.copy() + a.copy()

    for made in (dynamic, parallel_twin):
        np.testing.assert_array_equal(run(made), run(plain))


@vectorize(target="parallel")
def parallel_twin(a, b):
    return a * b + a


@pytest.mark.parametrize("count", [0, 1, 2, 7, 1000, 200_001])
def test_parallel_target(count):
    a = np.linspace(-1, 1, count)
    np.testing.assert_array_equal(parallel_distance(a, a[::-1]), np.sqrt(a * a + a[::-1] * a[::-1]))
    np.testing.assert_array_equal(parallel_distance(a, 2.0), np.sqrt(a * a + 4))


def test_exceptions_leave_the_function():
    @vectorize
    def root(a):
        if a < 0:
            raise ValueError("a negative number")
        return np.sqrt(a)

    assert root(4.0) == 2.0
    for count in (3, 100_000):
        with pytest.raises(ValueError, match="a negative number"):
            root(np.linspace(1, -1, count))


def test_division_by_zero_is_numpys():
    made = vectorize(lambda a, b: a / b)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(made(np.array([1.0, -1.0, 0.0]), 0.0), [np.inf, -np.inf, np.nan])
    careful = vectorize(lambda a, b: a / b if b != 0 else 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(careful(np.array([1.0, 0.0]), np.array([0.0, 2.0])), [0, 0])


def test_signatures_close_the_function():
    with pytest.raises(TypeError, match="not supported for the input types|did not contain a loop"):
        add(1j, 2)
    add_twice = vectorize(["float32(float32, float32)"])(lambda a, b: a + b)
    assert add_twice(np.float32(1), np.float32(2)).dtype == np.float32
    # Conversion to the declared type.
    narrow = vectorize(["float32(float64)"])(lambda a: a * 2)
    assert narrow(1.5).dtype == np.float32


@njit
def in_compiled(a, b):
    return dynamic(a, b) + add(a, 1.0)


@pytest.mark.parametrize("left", ["contiguous", "every second", "backwards", "row", "empty", "one"])
def test_in_compiled_code(left):
    a = FORMS[left](samples("f8", 12))
    np.testing.assert_array_equal(in_compiled(a, a), a * a + a + (a + 1))
    np.testing.assert_array_equal(
        in_compiled(a[:, None], a), (a[:, None] * a + a[:, None]) + (a[:, None] + 1)
    )
    assert in_compiled(3.0, 4.0) == 3.0 * 4 + 3 + (3 + 1)


def test_in_array_expressions():
    @vectorize
    def positive_exp(a):
        return np.exp(a) if a > 0 else 0.0

    @njit
    def chain(a, b):
        return dynamic(a, b) + positive_exp(a) * 2

    a = np.linspace(-2, 2, 9)
    np.testing.assert_allclose(chain(a, a), a * a + a + np.where(a > 0, np.exp(a), 0) * 2, rtol=1e-15)
    # One loop, without a call and without an array between.
    module = chain.inspect_ir("typed-array-expr")
    assert module.count("typed.array_expr") == 1
    assert "typed.call" not in module


def test_branches_in_array_expressions():
    @vectorize
    def distance(a, b):
        return a - b if a > b else b - a

    @njit
    def chain(a, b):
        t = distance(np.sqrt(a), distance(b, a)) % distance(a, 2)
        return distance(t, b) / b

    def plain(a, b):
        t = np.abs(np.sqrt(a) - np.abs(b - a)) % np.abs(a - 2)
        return np.abs(t - b) / b

    for shape in ((3, 4), (0,), (1,)):
        a, b = np.full(shape, 7.5), np.linspace(1, 2, int(np.prod(shape))).reshape(shape)
        np.testing.assert_allclose(chain(a, b), plain(a, b), rtol=1e-14)


def test_expressions_that_nobody_uses():
    @njit
    def unused(a, b):
        t = dynamic(np.sqrt(a), b) * 2
        dynamic(a, t) + t
        return a

    a = np.ones(3)
    np.testing.assert_array_equal(unused(a, a), a)
    with pytest.raises(ValueError, match="broadcast"):
        unused(a, np.ones(4))


def test_out_in_compiled_code():
    @njit
    def fill(a, out):
        return dynamic(a, a, out)

    out = np.zeros((2, 3))
    assert fill(np.arange(3.0), out) is out
    np.testing.assert_array_equal(out, np.broadcast_to([0.0, 2.0, 6.0], (2, 3)))


def test_division_in_compiled_code_is_numpys():
    divide = vectorize(lambda a, b: a / b)

    @njit
    def ratios(a, b):
        return divide(a, b)

    np.testing.assert_array_equal(ratios(np.array([1.0, 0.0]), np.zeros(2)), [np.inf, np.nan])


def test_no_loop_in_compiled_code():
    @njit
    def wrong(a):
        return add(a, 1j)

    with pytest.raises(TypingError, match=r"no loop for .*complex128"):
        wrong(1.0)


def test_two_threads_make_loops():
    made = vectorize(scaled)
    results = []

    def work(dtype):
        results.append((dtype, made(samples(dtype, 1000), samples(dtype, 1000, 4))))

    threads = [threading.Thread(target=work, args=(dtype,)) for dtype in DTYPES[1:] for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == len(threads)
    for dtype, result in results:
        a, b = samples(dtype, 1000), samples(dtype, 1000, 4)
        np.testing.assert_array_equal(result, (a * b + a).astype(result.dtype))


def test_wrong_use():
    with pytest.raises(OptionError, match="target='gpu'"):
        vectorize(target="gpu")(scaled)
    with pytest.raises(OptionError, match="identity=2"):
        vectorize(identity=2)(scaled)
    with pytest.raises(OptionError, match="2 operands"):
        vectorize(["float64(float64)"])(scaled)
    with pytest.raises(TypeError, match="positional parameters only"):
        vectorize(lambda *a: a)
    with pytest.raises(TypeError, match="numbers and truth values"):
        vectorize(["float64(float64[:])"])(lambda a: a[0])
    with pytest.raises(TypeError, match="1 were given|positional"):
        dynamic(1.0)
    with pytest.raises(TypingError, match="unknown attribute 'nonsense'"):
        vectorize(lambda a: a.nonsense)(1.0)


def test_loops_that_libraries_ask_for_by_types():
    made = vectorize(lambda a, b: a + b)
    made._compile_for_argtys((types.float32, types.float32), types.float32)
    assert made.types == ["ff->f"]


def test_what_stars_take_is_empty():
    def shifted(x, *rest, **options):
        return x + 1 + len(rest) + len(options)

    np.testing.assert_array_equal(vectorize(shifted)(np.arange(3)), np.arange(3) + 1)


class Nested:
    """Arrays in a list, to which universal functions are applied one after another."""

    def __init__(self, arrays):
        self.arrays = arrays

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or len(inputs) != 2:
            return NotImplemented
        parts = [one.arrays if isinstance(one, Nested) else [one] * len(self.arrays) for one in inputs]
        return Nested([ufunc(*pair, **kwargs) for pair in zip(*parts, strict=True)])


class Refusing:
    """An operand that no universal function takes."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return NotImplemented


def test_operands_that_apply_universal_functions_themselves():
    @vectorize
    def add(x, y):
        return x + y

    arrays = [np.arange(3, dtype=np.int8), np.ones((2, 2), np.float32)]
    first = add(Nested(arrays), np.int16(300))
    assert [one.dtype for one in first.arrays] == [np.int64, np.float32]
    for found, array in zip(first.arrays, arrays, strict=True):
        np.testing.assert_array_equal(found, array.astype(float) + 300)
    second = add(2.5, Nested(arrays))
    assert [one.tolist() for one in second.arrays] == [[2.5, 3.5, 4.5], [[3.5, 3.5], [3.5, 3.5]]]
    with pytest.raises(TypeError):
        add(Refusing(), 2)
