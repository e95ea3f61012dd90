"""Checks of compiled functions against the same ones in CPython: results, their types, and errors."""

import pytest

from pyopt import njit


def same(function, *arguments):
    """Check that a function does the same when it is compiled."""
    try:
        expected = function(*arguments)
    except Exception as error:
        with pytest.raises(type(error)) as found:
            njit(function)(*arguments)
        assert str(found.value) == str(error)
        return
    found = njit(function)(*arguments)
    assert repr(found) == repr(expected)
    assert type(found) is type(expected)
