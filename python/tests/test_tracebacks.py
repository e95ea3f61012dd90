"""Tracebacks of errors: the program's frames and places, none of the package."""

import pickle
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest
from pyopt._core import entry_point

import pyopt
from pyopt import cfunc, config, guvectorize, jit, njit, stencil, typed, types, vectorize
from pyopt.experimental import jitclass

HERE = Path(__file__)
PACKAGE = Path(pyopt.__file__).parent


@jitclass([("x", types.int64)])
class Ratio:
    """What is divided."""

    def __init__(self, x):
        self.x = x

    def of(self, y):
        """Divide by a number."""
        return self.x // y

    @property
    def inverse(self):
        return 1 // self.x

    @inverse.setter
    def inverse(self, value):
        self.x = 1 // value

    @staticmethod
    def inverse_of(x):
        return 1 // x

    def __getitem__(self, index):
        return self.x // index


def unknown(x):
    return x.unknown


def core(x, y):
    y[0] = x.unknown


def item(values, index):
    return values[index]


#: Calls that fail, with the names of the program's places between the call and the error.
FAILING = {
    "a signature": (lambda: njit("int64(int64)")(unknown), []),
    "a signature's syntax": (lambda: njit("int64(nothing)")(unknown), []),
    "an option": (lambda: njit(nothing=1), []),
    "options": (lambda: jit(nopython=True, forceobj=True), []),
    "compile": (lambda: njit(unknown).compile("int64(int64)"), []),
    "a signature of vectorize": (lambda: vectorize(["float64(float64)"])(unknown), []),
    "a call of a ufunc": (lambda: vectorize(unknown)(np.ones(3)), []),
    "a reduction": (lambda: vectorize(lambda x, y: x + y).reduce("a"), []),
    "a call of a generalised ufunc": (
        lambda: guvectorize("(n)->(n)")(core)(np.ones(3), np.ones(3)),
        [],
    ),
    "a stencil": (lambda: stencil(lambda a: a[0].unknown)(np.ones(3)), []),
    "arguments of a stencil": (lambda: stencil(lambda a: a[0])(np.ones(3), 3), []),
    "a C function": (lambda: cfunc("int64(int64)")(unknown), ["__get__"]),
    "a constructor": (lambda: Ratio("a"), []),
    "arguments of a constructor": (lambda: Ratio(), []),
    "a method": (lambda: Ratio(1).of(0), ["of"]),
    "types of a method": (lambda: Ratio(1).of("a"), []),
    "a property": (lambda: Ratio(0).inverse, ["inverse"]),
    "an assigned property": (lambda: setattr(Ratio(0), "inverse", 0), ["inverse"]),
    "a field": (lambda: setattr(Ratio(0), "x", "a"), []),
    "a static method": (lambda: Ratio.inverse_of(0), ["inverse_of"]),
    "an operator": (lambda: Ratio(0)[0], ["__getitem__"]),
    "a specification": (lambda: jitclass([("x", 3)]), []),
    "an item": (lambda: typed.List([1])[5], []),
    "a missing key": (lambda: typed.Dict.empty(types.int64, types.int64)[5], []),
    "an item's type": (lambda: typed.List([1]).append("a"), []),
    "pop": (lambda: typed.List.empty_list(types.int64).pop(), []),
    "typeof": (lambda: pyopt.typeof(object()), []),
    "threads": (lambda: pyopt.set_num_threads(-1), []),
    "the library": (lambda: njit(lambda a: np.partition(a, 9))(np.ones(3)), ["<lambda>"]),
    "the interpreter": (lambda: njit(lambda text: int(text))("x"), ["<lambda>"]),
    "a container in compiled code": (lambda: njit(item)(typed.List([1]), 5), ["item"]),
}


@pytest.mark.parametrize("name", FAILING)
def test_no_frame_is_the_packages(name):
    call, between = FAILING[name]
    # The specification and the option are refused when the decorator is applied.
    call = (lambda made=call: made()(unknown)) if name in ("a specification", "an option") else call
    with pytest.raises(Exception) as raised:
        call()
    places = traceback.extract_tb(raised.tb)
    assert not [one for one in places if Path(one.filename).is_relative_to(PACKAGE)]
    names = [one.name for one in places]
    called = len(names) - names[::-1].index("<lambda>") if between != ["<lambda>"] else len(names) - 1
    assert names[called:] == between


def test_frames_are_shown_to_who_works_on_the_package(monkeypatch):
    monkeypatch.setattr(config, "FULL_TRACEBACKS", 1)
    with pytest.raises(IndexError) as raised:
        del typed.List([1])[5]
    own = [one for one in traceback.extract_tb(raised.tb) if Path(one.filename).is_relative_to(PACKAGE)]
    assert "__delitem__" in {one.name for one in own}


def test_what_a_program_does_within_is_shown():
    def failing(value):
        raise KeyError("mine")

    with pytest.raises(KeyError) as raised:
        typed.List([2, 1]).sort(key=failing)
    places = traceback.extract_tb(raised.tb)
    assert [(one.filename, one.name) for one in places] == [
        (str(HERE), "test_what_a_program_does_within_is_shown"),
        (str(HERE), "failing"),
    ]


def test_errors_in_the_package_are_told_at_the_call():
    with pytest.raises(pyopt.errors.TypingError) as raised:
        njit(lambda items: items.append("a"))(typed.List([1]))
    text = str(raised.value)
    assert text.startswith("cannot safely cast unicode_type to int64, which ListType[int64] takes\n")
    assert str(PACKAGE) not in text and 'items.append("a")' in text


def test_entry_points_are_as_their_functions():
    assert njit.__name__ == "njit" and njit.__module__.partition(".")[0] == "pyopt"
    assert njit.__doc__.startswith("Compile as") and Ratio.of.__doc__ == "Divide by a number."
    assert pickle.loads(pickle.dumps(njit)) is njit
    assert repr(njit).startswith("<function njit at ")
    with pytest.raises(AttributeError, match="no attribute 'unknown'"):
        njit.unknown  # noqa: B018

    class Holder:
        method = entry_point(lambda self, *args, **kwargs: (self, args, kwargs))

    held = Holder()
    assert held.method(1, a=2) == (held, (1,), {"a": 2})
    assert Holder.method(held) == (held, (), {})


def test_c_code_within_may_have_released_the_lock(monkeypatch):
    @cfunc("float64(float64)")
    def inverse(x):
        return 1 / x

    reported = []
    monkeypatch.setattr(sys, "unraisablehook", reported.append)
    assert entry_point(inverse.ctypes)(4.0) == 0.25
    assert entry_point(inverse.ctypes)(0.0) == 0.0
    assert [one.exc_type for one in reported] == [ZeroDivisionError]
