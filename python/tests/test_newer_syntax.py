"""Syntax that later versions of CPython brought, in functions that are compiled."""

import sys

import pytest

from pyopt import errors, jit, njit


def made(source, since, name="f"):
    """Give the function of a source, or skip the test where CPython is older than the syntax."""
    if sys.version_info < since:
        pytest.skip(f"the syntax is that of CPython {since[0]}.{since[1]}")
    scope = {"njit": njit}
    exec(source, scope)
    return scope[name]


def test_type_parameters_of_what_is_compiled():
    f = made("def f[T](x: T, *, y: T) -> T:\n    return x + y\n", (3, 12))
    assert njit(f)(2, y=3) == 5
    assert njit(f)(2.5, y=3) == 5.5


def test_type_parameters_of_a_callee():
    source = "@njit\ndef g[T: int](x: T) -> T:\n    return x * 2\n\n@njit\ndef f(x):\n    return g(x) + 1\n"
    assert made(source, (3, 12))(4) == 9


def test_aliases_in_annotations():
    f = made("type Number = int | Later\ndef f(x: Number):\n    y: Number = x\n    return y + 1\n", (3, 12))
    assert njit(f)(4) == 5


@pytest.mark.parametrize("declared", ["g[U](y: U)", "g[U: int](y: U)", "g[*U](y)", "g[**U](y)"])
def test_inner_functions_with_type_parameters_are_refused(declared):
    f = made(f"def f(x):\n    def {declared}:\n        return y\n    return g(x)\n", (3, 12))
    with pytest.raises(errors.NumbaError, match="an inner function with type parameters is not supported"):
        njit(f)(1)
    assert jit(forceobj=True)(f)(1) == 1


def test_aliases_in_functions_are_refused():
    f = made("def f(x):\n    type Number = int\n    return x\n", (3, 12))
    with pytest.raises(errors.NumbaError, match="a type alias in a function is not supported"):
        njit(f)(1)
    assert jit(forceobj=True)(f)(1) == 1


def test_quotes_within_texts():
    source = 'def f(x, d):\n    return f"{d["a"]} {f"{f"{x:>{x}}"}"} {\'\\n\'.join(["b", \'c\'])}"\n'
    f = made(source, (3, 12))
    assert njit(f)(3, {"a": 1}) == f(3, {"a": 1})


def test_exceptions_without_parentheses():
    source = (
        "def f(n, d):\n    try:\n        return d[10 // n]\n"
        "    except KeyError, ZeroDivisionError:\n        return -1\n"
    )
    f = made(source, (3, 14))
    assert [njit(f)(n, {5: 7}) for n in (0, 1, 2)] == [-1, -1, 7]


def test_annotations_that_name_nothing():
    f = made("def f(x: Undefined) -> AlsoUndefined:\n    return x + 1\n", (3, 14))
    assert njit(f)(1) == 2


@pytest.mark.parametrize("text", ["{x}", "a{x!r}b", "{x:>5}", "{x!s:{x}}", ""])
def test_template_strings_are_refused(text):
    f = made(f'def f(x):\n    return t"{text}"\n', (3, 14))
    with pytest.raises(errors.NumbaError, match="a template string is not supported"):
        njit(f)(1)
    assert jit(forceobj=True)(f)(1).strings == f(1).strings
