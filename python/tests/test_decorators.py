"""Decorators, their options, and the dispatcher as a Python object."""

import copy
import inspect
import math
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import pyopt
from pyopt import errors, jit, njit, prange
from pyopt.host import code_names


@njit
def sample(a, b=2, *, c=3):
    """Have a docstring."""
    return a + b + c


def test_names_and_signature():
    assert sample.__name__ == "sample"
    assert sample.__qualname__ == "sample"
    assert sample.__module__ == __name__
    assert sample.__doc__ == "Have a docstring."
    assert sample.__wrapped__ is sample.py_func
    assert sample.py_func(1) == 6
    assert str(inspect.signature(sample)) == "(a, b=2, *, c=3)"
    assert repr(sample) == f"<compiled function sample of {__name__}>"


def test_pickled_by_reference_and_copied_as_itself():
    assert pickle.loads(pickle.dumps(sample)) is sample
    assert copy.deepcopy(sample) is sample


def test_nothing_is_compiled_before_the_first_call():
    assert sample.signatures == []
    assert sample.overloads == {}
    with pytest.raises(ValueError, match="isn't compiled yet"):
        sample.inspect_ir("infer-types")


def test_attributes_and_weak_references():
    function = njit(lambda: None)
    function.note = 1
    assert function.note == 1
    assert weakref.ref(function)() is function


def test_cycles_are_collected():
    import gc

    function = njit(lambda: None)
    function.me = function
    gone = weakref.ref(function)
    del function
    gc.collect()
    assert gone() is None


def plain(a, b=2, *, c=3):
    pass


plain.__qualname__ = plain.__name__ = "sample"
plain.__code__ = plain.__code__.replace(**code_names("sample", "sample"))


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {}),
        ((1, 2, 3), {}),
        ((1, 2, 3), {"c": 1}),
        ((1,), {"d": 1}),
        ((1,), {"a": 1}),
        ((), {"b": 1, "c": 1}),
    ],
)
def test_wrong_calls_are_rejected_in_pythons_words(args, kwargs):
    with pytest.raises(TypeError) as expected:
        plain(*args, **kwargs)
    with pytest.raises(TypeError) as caught:
        sample(*args, **kwargs)
    # Behind them are Numba's.
    assert str(caught.value).startswith(str(expected.value))


def test_positional_only_parameters():
    function = njit(lambda a, /, b: a)
    with pytest.raises(TypeError, match="positional-only"):
        function(a=1, b=2)
    function = njit(lambda a, b, c, d: a)
    with pytest.raises(TypeError, match="missing 4 required positional arguments: 'a', 'b', 'c', and 'd'"):
        function()


def test_unsupported_arguments_name_the_parameter():
    with pytest.raises(errors.TypingError, match="argument 'b': cannot pass an object of type 'object'"):
        sample(1, object())
    with pytest.raises(OverflowError):
        sample(2**64)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"debug": 1}, "expected True or False"),
        ({"cache": 3}, "cache=3: expected True or False"),
        ({"inline": "sometimes"}, "inline='sometimes'"),
        ({"locals": {"x": 1}}, "locals: the type of 'x' is 1"),
        ({"error_model": "c"}, "expected 'python' or 'numpy'"),
        ({"parallel": 1}, "expected True, False or a dict"),
        ({"parallel": {"loops": True}}, "unknown transformation 'loops'"),
        ({"parallel": {"prange": 1}}, "expected True or False"),
        ({"fastmath": {"quick"}}, "Unrecognized fastmath flags: 'quick'"),
        ({"boundscheck": "yes"}, "expected True or False"),
        ({"nogil": 1}, "expected True or False"),
        ({"colour": True}, "unknown option 'colour'"),
    ],
)
def test_options_that_cannot_be_honoured(options, reason):
    with pytest.raises(errors.OptionError) as caught:
        njit(**options)
    assert reason in str(caught.value)


def test_errors_of_options_are_those_that_programs_catch():
    with pytest.raises(KeyError, match="unknown option 'colour'"):
        njit(colour=True)
    for wrong in (lambda: njit(parallel={"loops": True}), lambda: njit("int64(number)")(lambda x: x)):
        with pytest.raises(NameError):
            wrong()
    for name in ("argtypes", "restype"):
        with pytest.raises(errors.DeprecationError, match=f"Deprecated keyword argument `{name}`"):
            jit(**{name: None})


def test_options_that_say_nothing_are_warned_of():
    with pytest.warns(errors.NumbaDeprecationWarning, match="'nopython=False' was supplied") as told:
        assert jit(nopython=False)(lambda x: x)(1) == 1
    with pytest.warns(RuntimeWarning, match="nopython is set for njit and is ignored") as more:
        njit(nopython=True)
    with pytest.warns(RuntimeWarning, match="forceobj is set for njit and is ignored"):
        made = njit(forceobj=True)(lambda x: x)
    assert made(1.5) == 1.5 and str(made.nopython_signatures[0]) == "(float64,) -> float64"
    assert {one.filename for one in (*told, *more)} == {__file__}


def test_accepted_options():
    options = jit(
        nopython=True,
        parallel={"fusion": False, "prange": True},
        fastmath=True,
        error_model="numpy",
        nogil=True,
    )(lambda: None).targetoptions
    assert options["parallel"] == {"fusion": False, "prange": True}
    assert options["fastmath"] is True
    assert options["error_model"] == "numpy"
    assert options["nogil"] is True
    assert options["boundscheck"] is False
    # Code that is debugged checks indices unless it is told not to, as in Numba.
    assert jit(debug=True)(lambda: None).targetoptions["boundscheck"] is True
    assert jit(debug=True, boundscheck=False)(lambda: None).targetoptions["boundscheck"] is False


def test_what_cannot_be_decorated():
    with pytest.raises(TypeError, match="not a function, but a class"):
        njit(int)
    with pytest.raises(
        TypeError, match="not a function, but an object of <class 'builtin_function_or_method'>"
    ):
        njit(len)
    with pytest.raises(TypeError, match="already jitted"):
        njit(sample)


def test_a_signature_must_fit_the_parameters():
    with pytest.raises(TypeError, match="Signature mismatch: 1 argument types given, but function takes 2"):
        njit("int64(int64)")(lambda a, b: a)


def test_prange_is_range_in_python():
    assert list(prange(2, 8, 3)) == [2, 5]


def test_import_brings_in_nothing_heavy():
    program = (
        "import numpy, sys; before = set(sys.modules); import pyopt; "
        "print([name for name in set(sys.modules) - before if not name.startswith('pyopt')])"
    )
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert output.stdout.strip() == "[]"


def test_the_package_alone_brings_in_nothing():
    # The start-up hook of `pyopt.numba` imports it in every Python.
    program = (
        "import pyopt.numba, sys; print([name for name in sys.modules if 'numpy' in name or '_core' in name])"
    )
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert output.stdout.strip() == "[]"


@pytest.mark.parametrize("decorate", [njit, jit(forceobj=True)])
def test_annotations_may_name_what_is_not_there_yet(decorate):
    annotationlib = pytest.importorskip(
        "annotationlib", reason="annotations are evaluated at once before 3.14"
    )
    scope = {"decorate": decorate}
    exec("@decorate\ndef f(x: Later):\n    return x + 1\n", scope)
    assert scope["f"](1) == 2
    scope["Later"] = int
    assert annotationlib.get_annotations(scope["f"]) == {"x": int}


@njit(fastmath={"reassoc"})
def is_infinite(x):
    """Name flags of its own."""
    return np.isinf(x)


@njit(fastmath=False)
def is_nan(x):
    """Want none."""
    return np.isnan(x)


@njit
def is_nan_for_callers(x):
    """Have the flags of the caller."""
    return np.isnan(x)


def test_fastmath_is_that_of_the_function():
    """A function that names flags has these, whoever calls it."""

    def asked(x):
        return (is_infinite(x), is_nan(x), is_nan_for_callers(x))

    exact, fast = njit(asked), njit(fastmath=True)(asked)
    for value in (math.inf, math.nan, 1.0):
        assert exact(value) == asked(value)
        assert fast(value)[:2] == asked(value)[:2]
    assert fast(math.nan)[2] is False

    @njit(fastmath=True)
    def summed(a):
        kept = np.zeros(len(a))
        for i in prange(len(a)):
            if not is_nan(a[i]):
                kept[i] = a[i]
        return kept.sum()

    assert summed(np.array([1.0, math.nan, 3.0])) == 4.0
    parallel = njit(parallel=True, fastmath=True)(summed.py_func)
    assert parallel(np.array([1.0, math.nan, 3.0])) == 4.0


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"parallel": {"fusion": False}, "fastmath": {"nnan"}},
        {"inline": "always", "error_model": "numpy", "nogil": True},
        {"locals": {"y": pyopt.types.float32}, "boundscheck": True, "looplift": True},
    ],
)
def test_options_of_a_function_are_those_of_another_one(given):
    """Programs compile a function as another one is, with ``njit(**options)``."""

    def following(x):
        y = x + 1
        return y

    options = njit(**given)(lambda x: x).targetoptions
    assert options["nopython"] is True and options.keys() >= given.keys() - {"looplift"}
    again = jit(**options)(following)
    assert again.targetoptions == options
    assert again(2) == 3


def test_options_that_are_changed_later():
    """Programs change options, and have their functions compiled again."""

    @njit(fastmath=True)
    def is_same(x):
        return x == x

    assert is_same(float("nan")) is True or "fcmp fast" in is_same.inspect_llvm(is_same.signatures[0])
    is_same.targetoptions["fastmath"] = {"contract", "arcp"}
    is_same.recompile()
    assert is_same(float("nan")) is False
    is_same.targetoptions["fastmath"] = {"quick"}
    with pytest.raises(errors.OptionError, match="quick"):
        is_same.recompile()


def test_bounds_are_checked_where_the_function_asks_for_it():
    @njit(boundscheck=True)
    def item(a, i):
        return a[i]

    @njit
    def caller(a, i):
        return item(a, i) + 1

    a = np.arange(3.0)
    assert caller(a, 2) == 3.0
    with pytest.raises(IndexError):
        caller(a, 3)
