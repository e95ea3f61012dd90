"""C functions that compiled code calls: of ``ctypes``, of ``cffi``, by address, and our own."""

import ctypes
import ctypes.util
import gc
import threading
from ctypes import CFUNCTYPE, POINTER, c_double, c_int, c_int64, c_size_t, c_void_p

import numpy as np
import pytest

from pyopt import carray, cfunc, errors, njit, prange, types

libm = ctypes.CDLL(ctypes.util.find_library("m") or None)
libc = ctypes.CDLL(None)
c_cos = libm.cos
c_cos.argtypes, c_cos.restype = [c_double], c_double
c_sin = libm.sin
c_sin.argtypes, c_sin.restype = [c_double], c_double
memset = libc.memset
memset.argtypes, memset.restype = [c_void_p, c_int, c_size_t], c_void_p
memcpy = libc.memcpy
memcpy.argtypes, memcpy.restype = [POINTER(c_double), POINTER(c_double), c_size_t], c_void_p
untyped = libm.exp
gives_up_gil = ctypes.pythonapi.PyEval_SaveThread
gives_up_gil.argtypes = []


def test_globals_closures_and_attributes():
    assert njit(lambda x: c_sin(x) - c_cos(x))(3.14) == c_sin(3.14) - c_cos(3.14)
    own = CFUNCTYPE(c_double, c_double)(("cos", libm))
    assert njit(lambda x: own(x))(1.0) == c_cos(1.0)
    assert njit(lambda x: c_cos(x))(1) == c_cos(1)  # converted, as C does
    assert njit(lambda: libm_module.c_sin(0.5))() == c_sin(0.5)


class libm_module:
    c_sin = c_sin


def test_arguments_share_a_specialisation():
    @njit
    def difference(f, g, x):
        return f(x) - g(x)

    for f, g in [(c_sin, c_cos), (c_cos, c_sin)]:
        assert difference(f, g, 1.0) == f(1.0) - g(1.0)
    assert len(difference.overloads) == 1
    our = cfunc("float64(float64)")(lambda x: 2 * x)
    assert difference(our, c_sin, 1.0) == 2 - c_sin(1.0)
    assert len(difference.overloads) == 1

    @njit("float64(FunctionType(float64(float64)), float64)")
    def apply(f, x):
        return f(x)

    assert apply(c_cos, 0.5) == c_cos(0.5) and apply(our, 0.5) == 1.0
    assert apply(njit(lambda x: x + 1), 0.5) == 1.5


def test_callbacks_into_python():
    seen = []

    @CFUNCTYPE(c_int64, c_int64)
    def note(x):
        seen.append(x)
        return 10 * x

    @njit(nogil=True)
    def f(n):
        total = 0
        for i in range(n):
            total += note(i)
            if i == 2:
                note(100)
        return total

    assert f(5) == 100 and seen == [0, 1, 2, 100, 3, 4]
    seen.clear()
    threads = [threading.Thread(target=f, args=(50,)) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(seen) == sorted([*range(50), 100] * 4)


def test_calls_are_not_removed_folded_or_reordered():
    order = []
    first = CFUNCTYPE(None, c_int)(lambda x: order.append(("first", x)))
    second = CFUNCTYPE(c_int, c_int)(lambda x: order.append(("second", x)) or x)

    @njit
    def f(a):
        second(1)
        first(a[0])
        a[0] += 1
        second(a[0])
        first(2)
        x = second(5) + second(5)
        return x

    assert f(np.array([7], np.int32)) == 10
    assert order == [("second", 1), ("first", 7), ("second", 8), ("first", 2), ("second", 5), ("second", 5)]


def test_memory_behind_pointers_changes():
    @njit
    def f(a):
        b = np.ones(4)
        before = b[0] + a[0]
        memset(b.ctypes, 0, 16)
        memset(a.ctypes.data, 0, 8)
        memcpy(a.ctypes, b.ctypes, 0)
        return before, b.sum(), a[0], a.ctypes.data

    a = np.arange(1.0, 4.0)
    assert f(a) == (2.0, 2.0, 0.0, a.ctypes.data)

    @njit
    def squares(x):
        out = np.empty_like(x)
        memcpy(out.ctypes, (x * x).ctypes, 8 * x.size)
        return out

    x = np.linspace(0, 10, 1000)
    for _ in range(50):
        assert np.array_equal(squares(x), x * x)


def test_an_array_lives_while_its_address_is_used():
    gone = []

    @CFUNCTYPE(None, c_size_t)
    def churn(n):
        gone.append(np.full(n // 8, -1.0))

    @njit
    def f(x):
        address = (x + 1).ctypes.data
        pointer = (x + 2).ctypes
        churn(8 * x.size)
        other = x * 7
        a, b = np.empty_like(x), np.empty_like(x)
        memcpy_from(a.ctypes, address, 8 * x.size)
        memcpy_from(b.ctypes, pointer, 8 * x.size)
        return a, b, other

    memcpy_from = CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t)(("memcpy", libc))
    x = np.arange(1000.0)
    for _ in range(20):
        a, b, other = f(x)
        assert np.array_equal(a, x + 1) and np.array_equal(b, x + 2) and np.array_equal(other, x * 7)


@pytest.mark.parametrize("flag", [True, False])
def test_an_array_lives_while_an_address_that_was_chosen_is_used(flag):
    memcpy_from = CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t)(("memcpy", libc))

    @njit
    def f(x, flag):
        a, b = x + 1, x + 2
        if flag:
            pointer = a.ctypes
        else:
            pointer = b.ctypes
        both = (pointer, flag)
        others = x * 7, x * 8, x * 9
        out = np.empty_like(x)
        for _ in range(2):
            memcpy_from(out.ctypes, both[0], 8 * x.size)
        return out, others

    x = np.arange(1000.0)
    for _ in range(10):
        assert np.array_equal(f(x, flag)[0], x + (1 if flag else 2))


def test_a_fresh_array_in_a_loop_is_not_shared_with_c():
    kept = []

    @CFUNCTYPE(None, c_void_p)
    def keep(p):
        kept.append(ctypes.cast(p, POINTER(c_double))[0])

    @njit
    def f(n):
        total = 0.0
        for i in range(n):
            a = np.zeros(3)
            a[0] = i
            keep(a.ctypes)
            total += a[0]
        return total

    assert f(4) == 6 and kept == [0, 1, 2, 3]


def test_void_pointers_as_results():
    get = CFUNCTYPE(c_void_p)(lambda: 0xDEADBEEF)

    @njit
    def f(a):
        p = get()
        a[0] = p
        return p

    a = np.zeros(1, np.uintp)
    assert f(a) == 0xDEADBEEF and a[0] == 0xDEADBEEF

    @njit
    def first(p, n):
        return carray(p, n)[0]

    x = np.arange(3.0) + 5
    assert first(x.ctypes.data_as(POINTER(c_double)), 3) == 5
    with pytest.raises(errors.TypingError, match="explicit dtype"):
        first(c_void_p(x.ctypes.data), 3)


def test_parallel_loops_call_c():
    @njit(parallel=True)
    def f(x):
        out = np.empty_like(x)
        for i in prange(x.size):
            out[i] = c_sin(x[i])
        return out + c_cos(0.0)

    x = np.linspace(0, 9, 10_000)
    assert np.array_equal(f(x), [c_sin(one) + 1 for one in x])

    @njit(parallel=True)
    def ordered(x):
        y = x + 1
        memset(y.ctypes, 0, 8)
        z = y * 2
        return z

    assert ordered(x)[0] == 0 and np.array_equal(ordered(x)[1:], (x[1:] + 1) * 2)


def test_what_cannot_be_called():
    for call, match in [
        (lambda x: untyped(x), "ctypes function 'exp' doesn't define its argument types"),
        (lambda x: c_sin(), r"takes 1 argument \(0 given\)"),
        (lambda x: c_sin(x, x), r"takes 1 argument \(2 given\)"),
        (lambda x: c_sin(x=x), "no keyword arguments"),
        (lambda x: c_sin(1j), "can't convert complex128 to float64"),
        (lambda x: c_sin("a"), "can't convert unicode_type to float64"),
        (lambda x: memcpy(np.zeros(1, np.float32).ctypes, np.zeros(1).ctypes, 0), r"float32\* to float64\*"),
        (lambda x: memcpy(0, np.zeros(1).ctypes, 0), r"can't convert int64 to float64\*"),
        (lambda x: gives_up_gil(), "ctypes function 'PyEval_SaveThread' changes who holds the GIL"),
    ]:
        with pytest.raises((errors.TypingError, TypeError), match=match):
            njit(call)(0.5)
    with pytest.raises(TypeError, match="doesn't define its argument types"):
        njit(lambda f, x: f(x))(untyped, 0.5)
    wide = CFUNCTYPE(c_int, ctypes.c_wchar_p)(lambda x: 0)
    with pytest.raises(TypeError, match="Unsupported ctypes type"):
        njit(lambda f: f)(wide)


def test_null_pointers():
    seen = CFUNCTYPE(c_int, POINTER(c_double), c_void_p)(lambda p, q: (not p) + 2 * (q is None))
    assert njit(lambda: seen(None, None))() == 3
    assert njit(lambda a: seen(a.ctypes, a.ctypes))(np.ones(1)) == 0


def test_integers_of_all_sizes():
    for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split():
        kind = getattr(ctypes, f"c_{name}")
        same = CFUNCTYPE(kind, kind)(lambda x: x)
        f = njit(lambda x: same(x))
        info = np.iinfo(name)
        for value in (info.min, info.max, 1):
            assert f(np.array(value, name)[()]) == value, name
    negate = CFUNCTYPE(ctypes.c_bool, ctypes.c_bool)(lambda x: not x)
    assert njit(lambda x: negate(x))(True) is False and njit(lambda x: negate(x))(0) is True
    half = CFUNCTYPE(ctypes.c_float, ctypes.c_float)(lambda x: x / 2)
    assert njit(lambda x: half(x))(3.0) == 1.5


def test_functions_by_address():
    special = pytest.importorskip("scipy.special")
    from pyopt.extending import get_cython_function_address

    address = get_cython_function_address("scipy.special.cython_special", "j0")
    j0 = CFUNCTYPE(c_double, c_double)(address)
    x = np.linspace(0, 5, 7)

    @njit
    def f(x):
        out = np.empty_like(x)
        for i in range(x.size):
            out[i] = j0(x[i])
        return out

    assert np.array_equal(f(x), special.j0(x))


def test_external_functions_by_name():
    atan2 = types.ExternalFunction("atan2", types.float64(types.float64, types.float64))
    assert njit(lambda x, y: atan2(x, y))(1.0, 2.0) == np.arctan2(1.0, 2.0)
    missing = types.ExternalFunction("no_such_function", types.float64(types.float64))
    with pytest.raises(errors.TypingError, match="no C function 'no_such_function' is loaded"):
        njit(lambda x: missing(x))(1.0)


def test_cfuncs_in_compiled_code():
    @cfunc("float64(int64)")
    def half(x):
        if x < 0:
            raise ValueError("negative")
        return x / 2

    @njit
    def f(x):
        return half(x) + half(x + 1.9)

    assert f(3) == 1.5 + 2.0  # 4.9 is converted to an int
    with pytest.raises(ValueError, match="negative"):
        f(-7)
    assert half.ctypes.argtypes == (c_int64,)
    chosen = (half, half)
    assert njit(lambda x: chosen[0](x) + chosen[1](x))(4) == 4.0


def test_wrapper_addresses():
    class Cosine(types.WrapperAddressProtocol):
        def __wrapper_address__(self):
            return ctypes.cast(c_cos, c_void_p).value

        def signature(self):
            return types.float64(types.float64)

    cosine = Cosine()
    assert njit(lambda f, x: f(x))(cosine, 0.5) == c_cos(0.5)
    assert njit(lambda x: cosine(x))(0.5) == c_cos(0.5)


def test_types_of_ctypes():
    from pyopt.c_types import from_ctypes, to_ctypes

    pairs = [
        (c_double, types.float64),
        (c_int, types.intc),
        (ctypes.c_uint16, types.uint16),
        (c_size_t, types.size_t),
        (ctypes.c_ssize_t, types.ssize_t),
        (c_void_p, types.voidptr),
        (POINTER(ctypes.c_float), types.CPointer(types.float32)),
        (POINTER(POINTER(ctypes.c_float)), types.CPointer(types.CPointer(types.float32))),
        (None, types.void),
    ]
    for ctype, type in pairs:
        assert from_ctypes(ctype) == type and to_ctypes(type) == ctype
    with pytest.raises(TypeError, match="Unsupported ctypes type"):
        from_ctypes(ctypes.c_wchar_p)
    with pytest.raises(TypeError, match="Cannot convert"):
        to_ctypes(types.ellipsis)
    assert types.typeof(c_cos).sig == types.float64(types.float64)
    assert types.typeof(c_void_p(3)) == types.voidptr and str(types.CPointer(types.int8)) == "int8*"


def test_functions_of_cffi(tmp_path):
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    ffi.cdef("double cos(double); void *memset(void *, int, size_t); long labs(long);")
    lib = ffi.dlopen(None)
    cosine = lib.cos
    assert njit(lambda x: cosine(x))(0.5) == c_cos(0.5)
    assert njit(lambda x: lib.cos(x) + lib.labs(-3))(0.5) == c_cos(0.5) + 3
    assert njit(lambda f, x: f(x))(cosine, 0.5) == c_cos(0.5)

    @njit
    def clear(a):
        lib.memset(ffi.from_buffer(a), 0, a.nbytes)

    a = np.ones((2, 3))
    clear(a)
    assert not a.any()
    with pytest.raises(errors.TypingError, match=r"from_buffer\(\) unsupported on non-contiguous"):
        clear(np.ones(8)[::2])
    with pytest.raises(errors.TypingError, match=r"from_buffer\(\) only supports multidimensional"):
        clear(np.ones((2, 3), order="F"))


def test_modules_that_cffi_compiles(tmp_path, monkeypatch):
    cffi = pytest.importorskip("cffi")
    pytest.importorskip("setuptools")
    ffi = cffi.FFI()
    ffi.cdef(
        """
        typedef struct { double real, imag; } number;
        bool odd(int); double scaled(double x); void reals(number *, double *, int); short low(short);
        """
    )
    ffi.set_source(
        "_pyopt_compiled",
        """
        #include <stdbool.h>
        typedef struct { double real, imag; } number;
        static bool odd(int x) { return x & 1; }
        static double scaled(double x) { return 2.5 * x; }
        static short low(short x) { return x - 1; }
        static void reals(number *c, double *out, int n) { for (int i = 0; i < n; i++) out[i] = c[i].real; }
        """,
    )
    try:
        ffi.compile(tmpdir=str(tmp_path))
    except Exception as error:
        pytest.skip(f"no C compiler: {error}")
    monkeypatch.syspath_prepend(tmp_path)
    import _pyopt_compiled as module

    from pyopt.cffi_types import map_type, register_module, register_type

    register_module(module)
    register_type(module.ffi.typeof("number"), types.complex128)
    odd, scaled, lib = module.lib.odd, module.lib.scaled, module.lib
    assert njit(lambda x: odd(x))(3) is True and njit(lambda x: odd(x))(2) is False
    assert njit(lambda f, x: f(x))(scaled, 2.0) == 5.0
    assert njit(lambda x: lib.scaled(x) + lib.low(-5))(2.0) == -1.0

    @njit
    def f(z):
        out = np.zeros(z.size)
        lib.reals(module.ffi.from_buffer(z), module.ffi.from_buffer(out), z.size)
        return out

    z = np.arange(4) + 2j
    assert f(z).tolist() == [0, 1, 2, 3]
    signature = map_type(module.ffi.typeof(scaled))
    assert signature == types.float64(types.float64)


def test_structures_of_cffi():
    cffi = pytest.importorskip("cffi")
    from pyopt.cffi_types import map_type

    ffi = cffi.FFI()
    ffi.cdef(
        """
        typedef struct { int i1; float f2; double d3; float af4[9]; } big;
        typedef struct { int bits:4; } bits;
        typedef double (*function)(big *, size_t);
        """
    )
    record = map_type(ffi.typeof("big"), use_record_dtype=True)
    assert record.typeof("i1") == types.int32 and record.typeof("d3") == types.float64
    signature = map_type(ffi.typeof("function"), use_record_dtype=True)
    signature = getattr(signature, "sig", signature)
    assert signature.args == (types.CPointer(record), types.uintp)

    @cfunc(signature)
    def total(p, n):
        s = 0.0
        for one in carray(p, n):
            s += one.i1 * one.f2 / one.d3 + one.af4.sum()
        return s

    items = ffi.new("big[3]")
    for i in range(3):
        items[i].i1, items[i].f2, items[i].d3 = i, i + 1, i + 2
        items[i].af4[0] = i
    got = total.ctypes(int(ffi.cast("size_t", items)), 3)
    assert got == pytest.approx(sum(i * (i + 1) / (i + 2) + i for i in range(3)))
    with pytest.raises(ValueError, match="field 'bits' has bitshift"):
        map_type(ffi.typeof("bits"), use_record_dtype=True)


def test_c_functions_are_kept_alive_by_who_has_them():
    def make():
        double = CFUNCTYPE(c_int64, c_int64)(lambda x: 2 * x)
        return njit(lambda x: double(x))

    f = make()
    assert f(4) == 8
    gc.collect()
    assert f(5) == 10


COMPLEX = [
    0j,
    complex(-0.0, -0.0),
    1 + 2j,
    -3 - 0.25j,
    complex(np.inf, -1),
    complex(np.nan, 2),
    1e308 - 5e-324j,
]


class ByAddress(types.WrapperAddressProtocol):
    """A C function that is known by its address and signature."""

    def __init__(self, address, signature):
        self.of = address, signature

    def __wrapper_address__(self):
        return self.of[0]

    def signature(self):
        return self.of[1]


@pytest.mark.parametrize("suffix, kind", [("", types.complex128), ("f", types.complex64)])
def test_complex_numbers_of_the_c_library(suffix, kind):
    part = kind.underlying_float
    conj, proj, root = (
        types.ExternalFunction(f"{name}{suffix}", kind(kind)) for name in ("conj", "cproj", "csqrt")
    )
    imaginary = types.ExternalFunction(f"cimag{suffix}", part(kind))
    power = types.ExternalFunction(f"cpow{suffix}", kind(kind, kind))

    @njit
    def f(z):
        return conj(z), proj(z), imaginary(z)

    @njit
    def g(z, w):
        return root(z), power(z, w)

    dtype = np.dtype(kind.name)
    with np.errstate(over="ignore"):
        values = [dtype.type(one) for one in COMPLEX]
    for z in values:
        expected = np.conj(z), (z if not np.isinf(z) else dtype.type(complex(np.inf, -0.0))), z.imag
        for one, wanted in zip(f(z), expected, strict=True):
            assert np.array(one).astype(np.array(wanted).dtype).tobytes() == np.array(wanted).tobytes()
    for z, w in [(1 + 2j, 0.5 - 1j), (-3 - 0.25j, 2 + 0j)]:
        z, w = dtype.type(z), dtype.type(w)
        assert np.allclose(g(z, w), [np.sqrt(z), z**w], rtol=1e-5 if suffix else 1e-13)


def test_complex_numbers_of_our_own_functions():
    """Registers run out of none: complex numbers between floats and narrow integers, in both directions."""
    signature = types.complex64(
        types.float32,
        types.complex64,
        types.int8,
        types.complex128,
        types.float64,
        types.complex64,
        types.uint16,
    )

    @cfunc(signature)
    def own(a, z, i, w, b, y, u):
        return a + 2 * z + 3 * i + 5 * w + 7 * b + 11 * y + 13 * u

    called = ByAddress(own.address, signature)

    @njit
    def f(a, z, i, w, b, y, u):
        return called(a, z, i, w, b, y, u)

    for numbers in [(1, 2 + 3j, -5, 7 - 1j, 0.5, -1j, 65535), (-0.25, 0j, 127, 1e3 + 1e-3j, -8, 4 - 4j, 0)]:
        assert f(*numbers) == np.complex64(own(*numbers))


def test_libraries_that_cffi_opens_by_name():
    cffi = pytest.importorskip("cffi")
    from pyopt.cffi_types import map_type

    ffi = cffi.FFI()
    ffi.cdef("double cos(double);")
    library = ffi.dlopen(ctypes.util.find_library("m"))
    assert njit(lambda x: library.cos(x))(0.5) == c_cos(0.5)
    assert map_type(ffi.typeof("double _Complex")) == types.complex128
    assert map_type(ffi.typeof("float _Complex")) == types.complex64
