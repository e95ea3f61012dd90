"""Declared signatures: what calls with other types are converted to, from Python and from compiled code."""

import math
import threading

import numpy as np
import pytest

from pyopt import errors, njit, types


def identity(x):
    return x


def calling(function):
    """The ways to call a function of one argument: from Python, from compiled code, as an argument."""

    @njit
    def call(x):
        return function(x)

    @njit
    def apply(f, x):
        return f(x)

    return {"python": function, "compiled": call, "argument": lambda x: apply(function, x)}


WAYS = ["python", "compiled", "argument"]


@pytest.mark.parametrize("way", WAYS)
def test_a_declared_signature_is_a_prototype(way):
    call = calling(njit("float64(float64)")(identity))[way]
    for value in (3, 3.0, True, np.int8(3), np.float32(1.5), np.uint64(7)):
        assert type(call(value)) is float
        assert call(value) == float(value)
    narrow = calling(njit("int32(int64)")(identity))[way]
    assert narrow((1 << 32) + 5) == 5


# Of the arguments, which signature Numba chooses: exact, then promotions, safe and unsafe conversions.
OVERLOADS = [
    (["int32(int32)", "float64(float64)"], np.int32(3), int),
    (["int32(int32)", "float64(float64)"], np.int16(3), int),
    (["int32(int32)", "float64(float64)"], 3, float),
    (["float64(float64)", "int32(int32)"], np.uint16(3), None),
    (["float32(float32)", "float64(float64)"], 3, float),
    (["int64(int64)", "complex128(complex128)"], 2.5, complex),
    (["int64(int64)"], 2.75, int),
    (["int8(int8)", "float64(float64)"], True, None),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", range(len(OVERLOADS)))
def test_the_overload_that_fits_best_is_taken(case, way):
    signatures, value, expected = OVERLOADS[case]
    call = calling(njit(signatures)(identity))[way]
    if expected is None and way == "python":
        # Numba's call from Python refuses what its call from compiled code takes the first one for.
        with pytest.raises(TypeError, match="Ambiguous overloading for <function identity"):
            call(value)
    elif expected is not None:
        assert type(call(value)) is expected
        assert call(value) == expected(value)


def test_ambiguity():
    @njit(["float64(float32, float64)", "float32(float64, float32)"])
    def pick(a, b):
        return a + b

    with pytest.raises(TypeError) as caught:
        pick(1.5, 2.5)
    assert str(caught.value).splitlines() == [
        f"Ambiguous overloading for {pick.py_func!r} (float64, float64):",
        "(float32, float64) -> float64",
        "(float64, float32) -> float32",
    ]


@pytest.mark.parametrize("way", WAYS)
def test_what_does_not_convert_is_refused_with_the_candidates(way):
    call = calling(njit(["float64(float64)", "int64(int64)"])(identity))[way]
    for value in (1j, np.ones(2), "a", None, (1, 2)):
        with pytest.raises(TypeError, match=r"(?i)no matching definition") as caught:
            call(value)
        assert "float64" in "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


def test_results_do_not_depend_on_what_was_called_before():
    @njit
    def apply(f, x):
        return f(x)

    for order in ((1, 2.5), (2.5, 1)):
        f = njit(lambda x: x + 1)
        for value in order:
            assert type(f(value)) is type(value)
            assert type(apply(f, value)) is type(value)
    prototype = njit("float64(float64)")(lambda x: x + 1)
    for order in ((1, 2.5), (2.5, 1)):
        assert [type(apply(prototype, value)) for value in order] == [float, float]


def test_a_lazy_function_keeps_to_signatures_that_it_was_compiled_for_explicitly():
    f = njit(identity)
    f.compile("float64(int64)")

    @njit
    def call(x):
        return f(x)

    assert (type(f(2)), type(call(2))) == (float, float)
    assert (type(f(np.int32(2))), type(call(np.int32(2)))) == (int, int)
    assert call(1j) == 1j


def test_no_further_compilation():
    f = njit(identity)
    f(1.5)
    f.disable_compile()
    assert type(f(3)) is float
    with pytest.raises(TypeError, match="No matching definition"):
        f(1j)
    with pytest.raises(RuntimeError, match="compilation disabled"):
        f.compile("int64(int64)")
    assert f.compile("(float64,)")(2) == 2.0
    f.disable_compile(False)
    assert f(1j) == 1j
    assert type(f(3)) is int


def test_keywords_defaults_and_further_arguments():
    @njit("float64(float64, int64, float64)")
    def f(a, b=2, *, c=3):
        return a * 100 + b * 10 + c

    @njit("int64(int64, int64, int64)")
    def rest(a, *more):
        return a * 100 + more[0] * 10 + more[1]

    @njit
    def calls(x):
        return f(x), f(x, c=5), f(b=7.9, a=x), f(x, 1, c=4), rest(x, 2.9, True)

    for x in (1, 1.5):
        expected = (f(x), f(x, c=5), f(b=7.9, a=x), f(x, 1, c=4), rest(x, 2.9, True))
        assert calls(x) == expected
        assert list(map(type, calls(x))) == [float, float, float, float, int]
    assert calls(1) == (123.0, 125.0, 173.0, 114.0, 121)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        f()


def test_optionals_tuples_and_arrays():
    @njit("float64(optional(float64), UniTuple(float64, 2), float64[:])")
    def f(a, pair, array):
        return (0.0 if a is None else a) + pair[0] + pair[1] + array[0]

    @njit
    def call(a, pair, array):
        return f(a, pair, array)

    for function in (f, call):
        assert function(None, (1, 2.5), np.ones(4)[::2]) == 4.5
        assert function(2, (1, True), np.ones(3)) == 5.0
        with pytest.raises(TypeError, match=r"(?i)no matching definition"):
            function(None, (1, 2, 3), np.ones(3))
        with pytest.raises(TypeError, match=r"(?i)no matching definition"):
            function(None, (1, 2), np.ones(3, np.float32))


def test_lists_of_compiled_code():
    @njit("int64(List(int64))")
    def count(items):
        return len(items)

    @njit
    def call(n):
        grown = []
        for i in range(n):
            grown.append(i)
        return count([1, 2]), count([]), count([i for i in range(n)]), count(grown)

    assert call(3) == (2, 0, 3, 3)
    assert count([1, 2, 3]) == 3
    with pytest.raises(errors.TypingError, match="no matching definition"):
        njit(lambda: count([1.5]))()


def test_values_at_the_edges_are_converted_alike():
    prototypes = [
        njit(f"{one}({one})")(identity) for one in ("int8", "uint32", "float32", "boolean", "complex64")
    ]
    values = [0, -1, 300, 2**40, 1.9, -1.9, 1e300, math.inf, -0.0, True, np.uint64(2**63), np.int8(-5)]
    for f in prototypes:
        call = calling(f)["compiled"]
        for value in values:
            try:
                python = f(value)
            except OverflowError:
                # It is no int of the type's sign: the next test.
                continue
            compiled = call(value)
            assert type(python) is type(compiled)
            assert repr(python) == repr(compiled), (f.signatures, value)


def test_python_passes_no_int_that_is_none_of_the_types_sign():
    narrow, wide, signed = (njit(f"{one}({one})")(identity) for one in ("uint8", "uint64", "int8"))
    for f in (narrow, wide):
        for value in (-1, -(2**40), np.int8(-1), -1.5, -1e300):
            with pytest.raises(OverflowError, match="can't convert negative int to unsigned"):
                f(value)
        assert (f(-0.5), f(True)) == (0, 1)
    for f, values in ((signed, (np.uint64(2**63), 2.0**63, -(2.0**64))), (wide, (2.0**64, 1e300))):
        for value in values:
            with pytest.raises(OverflowError, match="int too big to convert"):
                f(value)
    for f in (narrow, wide, signed):
        with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
            f(math.nan)
        with pytest.raises(OverflowError, match="cannot convert float infinity to integer"):
            f(-math.inf)
    # Of what fits into 64 bits narrower types keep the low bits, as in Numba.
    assert (narrow(300), signed(300), narrow(2.0**40 + 3), wide(2.0**63)) == (44, 44, 3, 2**63)
    # So in tuples and optionals.
    pair = njit("uint8(UniTuple(uint8, 2))")(lambda pair: pair[1])
    maybe = njit("uint8(optional(uint8))")(lambda x: 7 if x is None else x)
    assert (pair((1, 258)), maybe(None), maybe(258)) == (2, 7, 2)
    for call in (lambda: pair((1, -1)), lambda: maybe(-1)):
        with pytest.raises(OverflowError):
            call()


@njit("int64(int64)")
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@njit("float64(int64)")
def even(n):
    return 1.0 if n == 0 else odd(n - 1)


@njit("int64(int64)")
def odd(n):
    return 0 if n == 0 else even(n - 1)


def test_recursion_with_declared_signatures():
    assert fib.signatures == [(types.int64,)]
    assert (fib(20), fib(20.9), type(fib(10))) == (6765, 6765, int)
    assert (even(10), odd(10), type(even(3)), type(odd(3))) == (1.0, 0, float, int)

    def closures():
        @njit("float64(int64)")
        def down(n):
            return 0 if n == 0 else down(n - 1) + 0.5

        assert down.signatures == [(types.int64,)]

        @njit("int64(int64)")
        def first(n):
            return n if n < 1 else second(n - 1)

        @njit("int64(int64)")
        def second(n):
            return n if n < 1 else first(n - 2)

        return down, first

    down, first = closures()
    assert (down(4), type(down(4)), first(9)) == (2.0, float, 0)


def test_a_function_that_is_defined_again_calls_itself():
    scope = {"njit": njit}
    source = '@njit("int64(int64)")\ndef f(n):\n    return {} if n == 0 else f(n - 1)\n'
    exec(source.format(1), scope)
    exec(source.format(2), scope)
    assert scope["f"](3) == 2


def test_names_that_stay_unbound_are_refused_at_the_call():
    @njit("int64(int64)")
    def f(n):
        return never_defined(n)  # noqa: F821

    with pytest.raises(errors.TypingError, match="name 'never_defined' is not defined"):
        f(1)
    with pytest.raises(errors.TypingError):
        njit("int64(int64)")(lambda n: n.nothing)


def test_dispatchers_of_one_function_are_their_own():
    plain, wide = njit(identity), njit("float64(float64)")(identity)

    @njit
    def both(f, g, x):
        return f(x), g(x), plain(x), wide(x)

    assert list(map(type, both(plain, wide, 1))) == [int, float, int, float]
    assert list(map(type, both(wide, plain, 1))) == [float, int, int, float]


def test_signatures_are_read_and_checked():
    with pytest.raises(TypeError, match="Signature mismatch: 2 argument types given"):
        njit("int64(int64, int64)")(identity)
    f = njit([types.int64(types.int64), "int64(int64)", (types.float64,)])(identity)
    assert [str(one) for one in f.nopython_signatures] == ["(int64,) -> int64", "(float64,) -> float64"]


def test_threads_meet_declared_signatures():
    scope = {"njit": njit}
    exec('@njit(["int64(int64)", "float64(float64)"])\ndef f(x):\n    return g(x)\n', scope)
    exec("def g(x):\n    return x + 1\n", scope)
    results, start = [], threading.Barrier(8)

    def work(value):
        start.wait()
        results.append(scope["f"](value))

    threads = [
        threading.Thread(target=work, args=(one,)) for one in (1, 1.5, np.int8(1), np.float32(2.5)) * 2
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(repr, results)) == sorted(["2", "2.5", "2", "3.5"] * 2)


def test_what_is_inlined_has_the_types_that_are_passed():
    """As in Numba: the body takes the place of the call."""

    @njit("float64(float64)", inline="always")
    def inlined(x):
        return x

    @njit("int8(int8[::1])", inline="always")
    def total(values):
        return values.sum()

    values = np.arange(3, dtype=np.int8)
    assert type(njit(lambda: inlined(3))()) is int and type(inlined(3)) is float
    # A global array is read-only, which the signature's isn't.
    assert njit(lambda: total(values))() == 3


@pytest.mark.parametrize("item", ["int64", "float64"])
@pytest.mark.parametrize(
    "source",
    [
        "return [x, x + 1]",
        "y = [x]\n    return y",
        "y = [x]\n    y.append(x)\n    return y",
        "return [x + i for i in range(3)]",
        "if x > 2:\n        return [1]\n    return [x, 2]",
        "return [1.5, 2.5]",
    ],
)
def test_a_list_is_made_as_its_declared_type(source, item):
    """What a list holds comes from the declared result, where the list is made."""
    scope = {}
    exec(f"def make(x):\n    {source}\n", scope)
    if "1.5" in source and item == "int64":
        with pytest.raises(errors.TypingError):
            njit(f"List({item})(int64)")(scope["make"])
        return
    made = njit(f"List({item})(int64)")(scope["make"])
    expected = scope["make"](3)
    kind = int if item == "int64" else float
    assert made(3) == expected and {type(one) for one in made(3)} == {kind}
    assert njit(lambda x: made(x)[0])(3) == expected[0]


def test_views_with_strides_of_the_program():
    def total(a, x):
        a[0, 0] += x
        return float(a.sum())

    def windows_of(total):
        def windows(x, size, step):
            strides = (x.strides[0], step)
            return total(np.lib.stride_tricks.as_strided(x, (len(x) - size, size), strides), 2)

        return windows

    declared = njit(["float64(float64[:, :], int64)", "float64(int64[:, :], float64)"])(total)
    interpreted, compiled = windows_of(total), njit(windows_of(declared))
    for x in (np.arange(10.0), np.arange(10)):
        # The last step is that of elements which begin inside of others.
        for step in (8, 0, 4):
            expected, got = x.copy(), x.copy()
            assert compiled(got, 3, step) == interpreted(expected, 3, step)
            np.testing.assert_array_equal(got, expected)
