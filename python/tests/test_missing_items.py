"""Errors for what isn't in a list, dict, set or tuple: their words name it, as CPython's do."""

import pytest

from pyopt import njit


def outcome(function, *arguments):
    """Give what a call returns, or the class of the error and its arguments."""
    try:
        return function(*arguments)
    except (KeyError, ValueError, IndexError) as error:
        return type(error), error.args


@pytest.mark.parametrize(
    "text",
    [
        "{}[key]",
        "{}.pop(key)",
        "{}.popitem()",
        "set().pop()",
        "{1: 2}[3]",
        "{1: 2}.pop(3)",
        "{'a': 2}['b']",
        "{1.5}.remove(2.5)",
        "[1, 2].index(3)",
        "[1, 2].index(1, 1)",
        "['a'].index('b')",
        "[1.5].index(2)",
        "[(1, 'a')].index((2, 'b'))",
        "[[1], [2]].index([3])",
        "[1, 'a'].index('c')",
        "(1, 2).index(3)",
        "range(3).index(4)",
        "[key].index(None)",
    ],
)
@pytest.mark.parametrize("key", [3, "x", 2.5, (1, "y")], ids=repr)
def test_displays(text, key):
    space = {}
    exec(f"def asked(key):\n    return {text}", space)
    assert outcome(njit(space["asked"]), key) == outcome(space["asked"], key)


@pytest.mark.parametrize("key", [3, "x", (1, "y")], ids=repr)
def test_empty_arguments(key):
    def removed(table, key):
        table.remove(key)

    for function in (lambda table, key: table[key], lambda table, key: table.pop(key)):
        assert outcome(njit(function), {}, key) == outcome(function, {}, key) == (KeyError, (key,))
    assert outcome(njit(removed), set(), key) == outcome(removed, set(), key) == (KeyError, (key,))


def test_the_key_of_a_store_in_a_handler():
    def caught(key):
        try:
            return {}[key]
        except KeyError as error:
            return str(error)

    assert njit(caught)("a") == caught("a")
