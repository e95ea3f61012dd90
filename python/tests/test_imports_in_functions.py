"""Imports in compiled functions: of modules that the program has, or of the standard library and NumPy."""

import sys
import types

import numpy as np
import pytest

from pyopt import errors, njit


def under_a_name(n):
    import numpy as xp

    return xp.sqrt(n) + xp.pi


def of_names(n):
    from math import pi as circle
    from math import sqrt

    return sqrt(n) * circle


def of_a_package(n):
    import numpy.random

    numpy.random.seed(n)
    return numpy.ones(n).sum()


def of_a_module_in_a_package(n):
    import numpy.random as draws

    draws.seed(n)
    return draws.rand(n)


def in_a_branch(n):
    if n:
        import math
    return math.floor(n + 0.5)


def of_classes(n):
    from collections import deque

    made = deque([n])
    made.appendleft(2)
    return len(made), made.pop()


def in_an_inner_function(n):
    def inner(k):
        from operator import add

        return add(k, 1)

    return inner(n)


@pytest.mark.parametrize(
    "function",
    [
        under_a_name,
        of_names,
        of_a_package,
        of_a_module_in_a_package,
        in_a_branch,
        of_classes,
        in_an_inner_function,
    ],
)
def test_values(function):
    np.testing.assert_array_equal(njit(function)(3), function(3))


def test_a_module_that_is_not_imported():
    with pytest.raises(UnboundLocalError, match="'math'"):
        njit(in_a_branch)(0)


def test_modules_of_the_program(monkeypatch):
    settings = types.ModuleType("settings_of_a_test")
    exec("LIMIT = 3\ndef twice(x): return 2 * x\nclass Inner: DEEP = 7", settings.__dict__)
    monkeypatch.setitem(sys.modules, settings.__name__, settings)

    def uses(x):
        import settings_of_a_test as own
        from settings_of_a_test import LIMIT

        return own.LIMIT + own.twice(x) + LIMIT

    assert njit(uses)(5) == 16


def test_modules_that_are_not_there():
    def absent(x):
        import no_module_has_this_name

        return no_module_has_this_name.f(x)

    def relative(x):
        from .math import sqrt

        return sqrt(x)

    for function in (absent, relative):
        with pytest.raises(errors.TypingError, match="a module that isn't found, or a relative import"):
            njit(function)(1.0)


def test_modules_that_compiling_does_not_import(tmp_path, monkeypatch):
    (tmp_path / "imported_by_nobody.py").write_text("raise SystemExit('it was imported')")
    monkeypatch.syspath_prepend(tmp_path)

    def unless(x):
        if x > 0:
            return x
        import imported_by_nobody

        return imported_by_nobody.f(x)

    with pytest.raises(errors.TypingError, match="a module that isn't found"):
        njit(unless)(1.0)
    assert "imported_by_nobody" not in sys.modules


def test_names_that_a_module_does_not_have():
    def absent(x):
        from math import no_function_has_this_name

        return no_function_has_this_name(x)

    with pytest.raises(errors.TypingError, match="math.no_function_has_this_name"):
        njit(absent)(1.0)
