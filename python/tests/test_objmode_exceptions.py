"""Exceptions of ``with objmode`` blocks, caught by compiled code."""

import sys

import pytest

from pyopt import njit, objmode

RAISED = {1: ValueError("v"), 2: KeyError("k"), 3: KeyboardInterrupt(), 5: OSError("o")}


@njit
def inner(n):
    x = 0
    try:
        with objmode(x="int64"):
            if n in RAISED:
                raise RAISED[n]
            x = n
    except KeyError:
        return -1
    except ValueError as error:
        raise error
    except RuntimeError:
        return -3
    return x


@njit
def outer(n):
    try:
        return inner(n)
    except LookupError:
        return -5
    except Exception:
        return -6


def test_classes():
    assert [inner(n) for n in (0, 2, 4)] == [0, -1, 4]
    assert [outer(n) for n in (0, 1, 2, 4)] == [0, -6, -1, 4]


@pytest.mark.parametrize(("function", "n"), [(inner, 1), (inner, 3), (outer, 3)])
def test_the_exception_is_the_same_object(function, n):
    with pytest.raises(BaseException) as raised:  # noqa: PT011
        function(n)
    assert raised.value is RAISED[n]


def test_nothing_leaks():
    counts = []
    for _ in range(5):
        outer(5)
        counts.append(sys.getrefcount(RAISED[5]))
    assert counts[-1] == counts[-2] == counts[-3]
