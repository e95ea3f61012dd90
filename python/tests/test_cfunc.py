"""Functions that C code calls: ``cfunc``, and arrays over the memory that C passes."""

import ctypes
import gc
import subprocess
import sys
import threading

import numpy as np
import pytest

from pyopt import carray, cfunc, errors, farray, njit, objmode, types

ADD = "float64(float64, float64)"


def add(a, b):
    return a + b


def test_the_address_is_called_by_c():
    f = cfunc(ADD)(add)
    assert f.__name__ == f.__qualname__ == "add" and f.__wrapped__ is add
    assert "add" in f.native_name and isinstance(f.address, int)
    assert ctypes.cast(f.ctypes, ctypes.c_void_p).value == f.address
    assert f.ctypes.argtypes == (ctypes.c_double, ctypes.c_double) and f.ctypes.restype is ctypes.c_double
    assert f.ctypes(2.0, 3.5) == 5.5 and f("a", "b") == "ab"
    text = f.inspect_llvm()
    assert f.native_name in text and "fadd double" in text


@pytest.mark.parametrize("name", "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())
def test_integers_keep_their_size_and_sign(name):
    type = getattr(types, name)

    @cfunc(type(type, type))
    def f(x, y):
        return x - y

    low, high = np.iinfo(name).min, np.iinfo(name).max
    for x, y in [(low, 0), (high, 0), (high, 1), (low, 1), (0, high)]:
        # Compiled code computes narrow integers in 64 bits.
        expected = int(np.array(x - y).astype(object) & (1 << np.iinfo(name).bits) - 1)
        got = f.ctypes(x, y)
        assert got & ((1 << np.iinfo(name).bits) - 1) == expected and low <= got <= high


def test_narrow_values_among_many_arguments():
    @cfunc("int8(int8, uint8, int16, uint16, bool, float32, int8, uint8, int16, int32)")
    def f(a, b, c, d, e, f, g, h, i, j):
        return (
            (a == -1)
            + (b == 255)
            + (c == -2)
            + (d == 65535)
            + e
            + (f == 0.5)
            + (g == -3)
            + (h == 254)
            + (i == -4)
            + (j == -5)
        )

    assert f.ctypes(-1, 255, -2, 65535, True, 0.5, -3, 254, -4, -5) == 10

    @cfunc("bool(float32)")
    def positive(x):
        return x > 0

    assert positive.ctypes(1.0) is True and positive.ctypes(-1.0) is False

    @cfunc(types.void(types.int64))
    def nothing(x):
        pass

    assert nothing.ctypes(1) is None and nothing.ctypes.restype is None


def test_exceptions_are_reported_and_give_zero(capfd):
    @cfunc("float64(int64, int64)")
    def div(a, b):
        return a / b

    reported = []
    before, sys.unraisablehook = sys.unraisablehook, reported.append
    try:
        assert div.ctypes(5, 2) == 2.5 and reported == []
        assert div.ctypes(5, 0) == 0.0
    finally:
        sys.unraisablehook = before
    (one,) = reported
    assert one.exc_type is ZeroDivisionError and "div" in one.object
    sys.unraisablehook = sys.__unraisablehook__
    try:
        assert div.ctypes(1, 0) == 0.0
    finally:
        sys.unraisablehook = before
    text = capfd.readouterr().err
    assert "Exception ignored in: 'div'" in text and "ZeroDivisionError: division by zero" in text
    assert "return a / b" in text


def test_exceptions_of_callees_and_with_arguments():
    @njit
    def check(x):
        if x > 3:
            raise ValueError("too large", x)
        return x

    @cfunc("int32(int64)")
    def f(x):
        a = np.ones(100)
        return check(x) + int(a.sum())

    reported = []
    before, sys.unraisablehook = sys.unraisablehook, reported.append
    try:
        assert f.ctypes(2) == 102 and f.ctypes(4) == 0
    finally:
        sys.unraisablehook = before
    assert reported[0].exc_value.args == ("too large", 4)


def test_threads_without_the_gil():
    @cfunc("int64(int64)")
    def work(n):
        a = np.zeros(n)
        for i in range(n):
            a[i] = i
        if n == 7:
            raise ValueError("seven")
        return int(a.sum())

    reported, results = [], []
    before, sys.unraisablehook = sys.unraisablehook, lambda one: reported.append(one.exc_type)

    def run():
        for n in (10, 7, 100):
            results.append((n, work.ctypes(n)))

    try:
        threads = [threading.Thread(target=run) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    finally:
        sys.unraisablehook = before
    assert reported == [ValueError] * 8
    assert sorted(results) == sorted([(10, 45), (7, 0), (100, 4950)] * 8)


def test_the_code_lives_as_long_as_what_was_made_of_it():
    f = cfunc("int64(int64)")(lambda x: x + 41)
    call = f.ctypes
    del f
    gc.collect()
    others = [cfunc("int64(int64)")(lambda x: x) for _ in range(3)]
    assert call(1) == 42 and [one.ctypes(5) for one in others] == [5] * 3


def test_options_and_locals():
    @cfunc("float64(int64, int64)", locals={"c": types.int64})
    def div(a, b):
        c = a / b
        return c

    assert div.ctypes(8, 3) == 2.0

    @cfunc("float64(float64)", error_model="numpy", nopython=True, fastmath=True)
    def inverse(x):
        return 1 / x

    assert inverse.ctypes(0.0) == np.inf
    with pytest.raises(errors.OptionError, match="unknown option 'nonsense'"):
        cfunc("float64(float64)", nonsense=True)(inverse)
    with pytest.raises(NotImplementedError):
        cfunc(ADD, forceobj=True)(add)


def test_what_is_not_c_is_refused():
    for signature, reason in [
        ("Array(float64, 1, 'C')(float64[::1])", "C functions take no values of type array"),
        ("complex128(complex128, complex128, complex128, complex128, float32)", "beside more than 8 floats"),
        ("int64(int64, float64[:])", "C functions take no values of type"),
        ("float64(float16)", "C functions take no values of type float16"),
    ]:
        made = cfunc(signature)(lambda x, *others: x)
        for part in ("address", "ctypes", "cffi", "native_name"):
            with pytest.raises(errors.UnsupportedError, match=reason):
                getattr(made, part)
    with pytest.raises(errors.TypingError, match="object"):
        cfunc(ADD)(lambda a, b: object() + a)
    with pytest.raises(TypeError, match="2 argument"):
        cfunc(ADD)(lambda a: a)


def test_python_code_is_run():
    @cfunc("int64(int64)")
    def f(x):
        with objmode(y="int64"):
            y = len(str(x))
        return y

    assert f.ctypes(12345) == 5


def usecase(make, order):
    def f(in_ptr, out_ptr, m, n):
        a = make(in_ptr, (m, n))
        out = make(out_ptr, 8)
        out[0] = a.ndim
        out[1:3] = a.shape
        out[3:5] = a.strides
        out[5] = a.flags.c_contiguous
        out[6] = a.flags.f_contiguous
        s = 0
        for i, j in np.ndindex(m, n):
            s += a[i, j] * (i - j)
        out[7] = s

    return f


def pointer(array, type=ctypes.c_float):
    return array.ctypes.data_as(ctypes.POINTER(type))


@pytest.mark.parametrize("make", [carray, farray])
@pytest.mark.parametrize("size", [types.intp, types.int32, types.uintp, types.uint32])
def test_arrays_over_the_memory_of_c(make, size):
    body = usecase(make, "C")
    float32 = types.CPointer(types.float32)
    f = cfunc(types.void(float32, float32, size, size))(body)
    a = np.arange(10, 16).reshape((2, 3)).astype(np.float32)
    expected, got = np.empty(8, np.float32), np.empty(8, np.float32)
    body(pointer(a), pointer(expected), 2, 3)
    f.ctypes(pointer(a), pointer(got), 2, 3)
    assert np.array_equal(expected, got)


def test_void_pointers_need_a_dtype():
    @cfunc(types.float64(types.voidptr, types.int32))
    def total(p, n):
        return carray(p, n, np.float64).sum() + farray(p, (1, n), dtype="float64").sum()

    a = np.arange(5.0)
    assert total.ctypes(a.ctypes.data, 5) == 20.0
    with pytest.raises(errors.TypingError, match="explicit dtype required for void"):
        cfunc(types.float64(types.voidptr))(lambda p: carray(p, 3).sum())
    with pytest.raises(errors.TypingError, match=r"mismatching dtype 'float32' for pointer type 'float64\*'"):
        cfunc(types.float64(types.CPointer(types.float64)))(lambda p: carray(p, 3, np.float32).sum())
    with pytest.raises(errors.TypingError, match="no implementation of pyopt.carray"):
        cfunc(types.float64(types.int64))(lambda p: carray(p, 3).sum())


def test_negative_sizes_raise():
    @cfunc(types.int64(types.CPointer(types.int8), types.int64))
    def size(p, n):
        try:
            return carray(p, n).size
        except ValueError:
            return -1

    a = np.zeros(3, np.int8)
    assert size.ctypes(pointer(a, ctypes.c_int8), 3) == 3
    assert size.ctypes(pointer(a, ctypes.c_int8), -3) == -1
    assert size.ctypes(pointer(a, ctypes.c_int8), 0) == 0


def test_elements_behind_pointers():
    @cfunc(types.void(types.CPointer(types.float64), types.int64))
    def shift(p, n):
        for i in range(n):
            p[i] = p[i + 1]
        p[n] = p[-1]

    a = np.arange(6.0)
    shift.ctypes(pointer(a[1:], ctypes.c_double), 4)
    assert a.tolist() == [0, 2, 3, 4, 5, 0]
    with pytest.raises(errors.TypingError, match=r"no elements are known behind void\*"):
        cfunc(types.float64(types.voidptr))(lambda p: p[0])


def test_records_by_pointer():
    dtype = np.dtype([("x", "f8"), ("n", "i4"), ("v", "f4", (3,))], align=True)
    record = types.from_dtype(dtype)

    @cfunc(types.float64(types.CPointer(record), types.intp))
    def total(p, n):
        items = carray(p, n)
        s = 0.0
        for i in range(n):
            s += items[i].x * items[i].n + items[i].v.sum()
        items[0].n = 7
        return s + p[1].x

    a = np.zeros(3, dtype)
    a["x"], a["n"], a["v"] = [1, 2, 3], [4, 5, 6], 1
    assert total.ctypes(a.ctypes.data, 3) == 4 + 10 + 18 + 9 + 2
    assert a["n"].tolist() == [7, 5, 6]


def test_pointers_are_passed_on_and_returned():
    @njit
    def fill(p, n, value):
        carray(p, n)[:] = value

    @cfunc(types.voidptr(types.CPointer(types.float64), types.int64))
    def f(p, n):
        fill(p, n, 1.5)
        return p if n > 2 else p

    a = np.zeros(4)
    assert f.ctypes(pointer(a, ctypes.c_double), 3) == a.ctypes.data
    assert a.tolist() == [1.5, 1.5, 1.5, 0]

    @cfunc(types.voidptr(types.int64))
    def null(n):
        return None

    assert null.ctypes(1) is None


def test_arrays_over_one_memory_alias():
    @cfunc(types.void(types.CPointer(types.int64), types.int64))
    def f(p, n):
        a, b = carray(p, n), carray(p, n)
        fresh = np.zeros(n, np.int64)
        for i in range(n - 1):
            a[i + 1] = b[i] + 1
            fresh[i] = a[i + 1]
        b[0] = fresh.sum()

    a = np.zeros(5, np.int64)
    f.ctypes(pointer(a, ctypes.c_int64), 5)
    assert a.tolist() == [10, 1, 2, 3, 4]


def test_scipy_calls_it():
    scipy = pytest.importorskip("scipy")
    from scipy import integrate, ndimage

    @cfunc("float64(float64)")
    def square(x):
        return x * x

    assert integrate.quad(scipy.LowLevelCallable(square.ctypes), 0, 3)[0] == pytest.approx(9)

    @cfunc("float64(int32, CPointer(float64))")
    def weighted(n, xs):
        return carray(xs, n)[0] * xs[1]

    call = scipy.LowLevelCallable(weighted.ctypes)
    assert integrate.quad(call, 0, 1, args=(3.0,))[0] == pytest.approx(1.5)

    @cfunc("intc(CPointer(float64), intp, CPointer(float64), voidptr)")
    def smallest(values, size, result, data):
        result[0] = carray(values, (size,), np.float64).min()
        return 1

    image = np.random.default_rng(1).random((12, 9))
    call = scipy.LowLevelCallable(smallest.ctypes)
    got = ndimage.generic_filter(image, call, footprint=np.ones((3, 3)))
    assert np.array_equal(got, ndimage.minimum_filter(image, size=3))


def test_cffi_calls_it():
    cffi = pytest.importorskip("cffi")
    f = cfunc("int32(int32)")(lambda x: x * 2)
    call = cffi.FFI().cast("int(*)(int)", f.cffi)
    assert call(21) == 42


CACHED = """
import sys
from pyopt import cfunc, types
{extra}
@cfunc("float64(float64, int64)", cache=True)
def f(x, n):
    if n < 0:
        raise ValueError("negative")
    return {body}

print(f.ctypes(2.0, 3), f.ctypes(1.0, -1), f.cache_hits)
"""


@pytest.mark.parametrize("kept", [True, False])
def test_the_disk_cache(tmp_path, kept):
    function = "ctypes.CDLL(None).labs" if kept else "ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_long)(abs)"
    extra = (
        f"import ctypes\nlabs = {function}\nlabs.argtypes = [ctypes.c_long]\nlabs.restype = ctypes.c_long\n"
    )
    body = "x ** labs(n)"
    (tmp_path / "program.py").write_text(CACHED.format(extra=extra, body=body))
    environment = {"PYOPT_CACHE_DIR": str(tmp_path / "cache"), "PATH": ""}
    for hits in (0, 1):
        done = subprocess.run(
            [sys.executable, tmp_path / "program.py"], capture_output=True, text=True, env=environment
        )
        assert done.stdout.split() == ["8.0", "0.0", str(hits * kept)], done.stderr
        assert "ValueError: negative" in done.stderr
        assert ("' is made at run time: it is in no library" in done.stderr) != kept
