"""Errors that kernels raise: the exception of the host's, its line, and the numbers in its message."""

import numpy as np
import pytest
from available import NAME, needs_device

from pyopt import device_context, njit, prange

pytestmark = needs_device


def out_of_bounds(x, at):
    for i in prange(at.shape[0]):
        x[at[i]] += 1.0


def of_matrix(x, at):
    for i in prange(at.shape[0]):
        x[1, at[i]] += 1.0


def raised_by(function, *args):
    with pytest.raises(Exception) as raised:
        function(*args)
    return type(raised.value), raised.value.args, raised.traceback[-1].lineno


@pytest.mark.parametrize("program", [out_of_bounds, of_matrix], ids=lambda one: one.__name__)
@pytest.mark.parametrize("wrong", [5, -6, 1 << 40])
def test_messages_have_their_numbers(program, wrong):
    def arguments():
        at = np.array([0, 1, wrong, 3], np.int64)
        return (np.zeros(5) if program is out_of_bounds else np.zeros((3, 5))), at

    expected = raised_by(njit(parallel=True, boundscheck=True)(program), *arguments())
    compiled = njit(parallel=True, boundscheck=True)(program)
    x, at = arguments()
    with device_context(NAME):
        assert raised_by(compiled, x, at) == expected
        assert compiled.device_stats()[NAME].launches == 1
        # The next call starts anew.
        compiled(x, np.array([1, 2]))
    assert str(wrong) in str(expected[1])


def test_one_of_several_threads_is_told_as_a_whole():
    """Each thread has a message of its own: number and size belong together."""

    @njit(parallel=True, boundscheck=True)
    def several(x, at):
        for i in prange(at.shape[0]):
            x[i % 3, at[i]] += 1.0

    at = np.arange(1000) + 5
    for _ in range(20):
        with device_context(NAME), pytest.raises(IndexError) as raised:
            several(np.zeros((3, 5)), at)
        words = str(raised.value).split()
        (index,) = [int(word) for word in words if word.isdigit() and int(word) in at and int(word) != 5] or [
            5
        ]
        assert str(index) in words and words[-1] == "5"


def test_messages_without_numbers_follow_those_with():
    @njit(parallel=True, boundscheck=True)
    def either(x, at, by):
        for i in prange(at.shape[0]):
            x[at[i]] = 1 // by[i]

    with device_context(NAME):
        with pytest.raises(IndexError, match="7"):
            either(np.zeros(3, int), np.array([7]), np.array([1]))
        with pytest.raises(ZeroDivisionError) as raised:
            either(np.zeros(3, int), np.array([1]), np.array([0]))
        assert raised.value.args == ("integer division or modulo by zero",) or raised.value.args == (
            "division by zero",
        )
        x = np.zeros(3, int)
        either(x, np.array([1]), np.array([1]))
        np.testing.assert_array_equal(x, [0, 1, 0])


def test_exceptions_of_kernels_are_caught_with_their_text():
    @njit(parallel=True, boundscheck=True)
    def caught(x, at):
        text = ""
        try:
            for i in prange(at.shape[0]):
                x[at[i]] += 1.0
        except IndexError as error:
            text = str(error)
        return text

    host = caught(np.zeros(3), np.array([9]))
    with device_context(NAME):
        assert caught(np.zeros(3), np.array([9])) == host
        assert caught(np.zeros(3), np.array([1])) == ""
    assert "9" in host
