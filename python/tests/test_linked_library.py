"""Large functions of the library are compiled once, and linked into what calls them."""

import copy
import os
import threading
import traceback
from typing import NamedTuple

import numpy as np
import pytest
from differential.memory import growth

from pyopt import config, njit


def compiled(expression, parameters="a", **options):
    """A function of an expression, with a name of its own."""
    space = {"np": np}
    exec(f"def made({parameters}):\n    return {expression}", space)
    return njit(**options)(space["made"])


def linked(function):
    """How many functions of the library a compiled function is linked with."""
    return function.inspect_ir("infer-types").count("pyopt.linked")


CALLS = [
    "np.sort(a)",
    "np.median(a)",
    "np.unique(a)",
    "np.argsort(a, kind='stable')",
    "np.concatenate((a, a[::2], a))",
    "np.percentile(a, 30)",
    "np.histogram(a, 5)",
    "np.cumsum(a)",
    "np.partition(a, 3)[3]",
    "np.convolve(a, a[:3], mode='valid')",
    "np.convolve(a, a[:3], mode='same')",
]


# NumPy has no such functions of truth values.
NOT_BOOL = ["np.percentile(a, 30)", "np.histogram(a, 5)", "np.partition(a, 3)[3]"]


@pytest.mark.parametrize(
    ("call", "dtype"),
    [(call, dtype) for call in CALLS for dtype in "fdiB?" if dtype != "?" or call not in NOT_BOOL],
)
def test_results(call, dtype):
    a = (np.random.default_rng(5).random(40) * 9).astype(dtype)
    for function in [compiled(call), compiled(call), compiled(f"({call}, {call})[1]")]:
        for given in [a, a[::-2], np.asfortranarray(a)]:
            result, expected = function(given), eval(call, {"np": np, "a": given})
            if not isinstance(expected, tuple):
                result, expected = [result], [expected]
            for one, other in zip(result, expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-6)


def test_what_is_linked():
    a = np.arange(12.0)
    links = {
        "np.sort(a)": 1,
        "np.sort(a) + np.sort(a)": 1,
        "np.sort(a) + np.median(a)": 2,
        "a.sum()": 0,
        "np.searchsorted(a, 3.0)": 0,
    }
    for expression, count in links.items():
        function = compiled(expression)
        function(a)
        assert linked(function) == count, expression


CONTAINERS = [
    ("sorted(x)", ([3, 1, 2] * 20, [0.5, -1.5], ["b", "a", "aa"], [(2, "x"), (1, "y")], [b"b", b"a"])),
    ("sorted(x, key=lambda one: one % 3)", ([5, 4, 3, 9],)),
    ("x.sort(reverse=True)", ([3, 1, 2], ["b", "c", "a"])),
    ("x | {2, 3}", ({1, 2},)),
    ("x & {2, 3}", ({1, 2},)),
    ("x ^ set([2, 3])", ({1, 2},)),
    ("x.difference_update({2})", ({1, 2},)),
    ("x.update(x)", ({1: 2}, {"a": [1]}, {(1, 2): 0.5})),
    ("set(x)", ([1, 2, 1], ["a", "b"])),
]


@pytest.mark.parametrize(("expression", "arguments"), CONTAINERS)
def test_containers(expression, arguments):
    """What is done with all items of a container is a call; whose containers change is the caller's."""
    for given in arguments:
        function = compiled(f"({expression}, x)", "x")
        copies = copy.deepcopy(given), copy.deepcopy(given)
        expected = eval(f"({expression}, x)", {"x": copies[0]})
        assert (function(copies[1]), copies[1]) == (expected, copies[0])
        assert linked(function) > 0
        assert growth(lambda function=function, given=given: function(copy.deepcopy(given))) == 0


def test_items_of_the_program_are_not_linked():
    """How they are compared is the program's code, which no file of the library's may hold."""

    class Pair(NamedTuple):
        first: int
        second: int

        def __lt__(self, other):
            return self.second < other.second

    function = compiled("sorted(x)[0]", "x")
    assert function([Pair(1, 2), Pair(2, 1)]) == Pair(2, 1)
    assert linked(function) == 0


def test_what_flags_or_threads_change_is_not_linked():
    a = np.arange(12.0)
    for options in [{"fastmath": True}, {"parallel": True}]:
        function = compiled("np.sort(a)", **options)
        np.testing.assert_array_equal(function(a[::-1]), a)
        assert linked(function) == 0


def test_values_that_it_is_compiled_for():
    a = np.arange(6.0)
    modes = {mode: compiled(f"np.convolve(a, a, mode='{mode}')") for mode in ["full", "same", "valid"]}
    for mode, function in modes.items():
        np.testing.assert_array_equal(function(a), np.convolve(a, a, mode=mode))
        assert linked(function) == 1


@pytest.mark.parametrize("is_full", [False, True])
def test_an_error_has_its_traceback(is_full, monkeypatch):
    """Its places in the library are shown to who works on that."""
    monkeypatch.setattr(config, "FULL_TRACEBACKS", is_full)
    function = compiled("np.partition(a, k)", "a, k")
    for _ in range(2):
        with pytest.raises(ValueError, match="kth is out of bounds") as raised:
            function(np.arange(4.0), 9)
        names = [entry.name for entry in traceback.extract_tb(raised.tb)][1:]
        assert names == (["made", "partition_array", "check_kth"] if is_full else ["made"])
    assert function(np.arange(4.0), 2)[2] == 2


def test_an_error_that_is_caught():
    @njit
    def first(a, k):
        try:
            return np.partition(a, k)[0]
        except ValueError:
            return -1.0
        except ZeroDivisionError:
            return -2.0

    @njit
    def others(a, k):
        try:
            return np.partition(a, k)[0]
        except (ZeroDivisionError, KeyError):
            return -2.0

    a = np.arange(4.0)
    assert [first(a, k) for k in (2, 9, 3, -9)] == [0.0, -1.0, 0.0, -1.0]
    assert others(a, 2) == 0.0
    with pytest.raises(ValueError, match="kth"):
        others(a, 9)


def test_nothing_leaks():
    function = compiled("np.unique(np.concatenate((a, np.sort(a))))[k]", "a, k")
    failing = compiled("np.partition(np.sort(a), k)[0]", "a, k")
    a = np.arange(30.0)

    def run():
        assert function(a, 3) == 3
        with pytest.raises(ValueError, match="kth"):
            failing(a, 99)

    assert growth(run) == 0


def test_threads_link_at_once():
    results = []
    rng = np.random.default_rng(8)
    a = rng.random((5, 6, 7))

    def work():
        function = compiled("np.sort(np.median(a, axis=0).ravel())")
        results.append(function(a))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    for result in results:
        np.testing.assert_allclose(result, np.sort(np.median(a, axis=0).ravel()))


def test_a_child_process_goes_on():
    a = np.arange(9, dtype=np.int16)
    compiled("np.sort(a)")(a)
    child = os.fork()
    if child == 0:
        right = compiled("np.sort(a)[0] + np.unique(a)[1]")(a) == 1
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_without_the_gil():
    function = compiled("np.partition(np.sort(a), k)[0]", "a, k", nogil=True)
    a = np.random.default_rng(2).random(500)
    outcomes = []

    def work(k):
        for _ in range(50):
            try:
                outcomes.append(function(a, k) == a.min())
            except ValueError:
                outcomes.append(k == 900)

    threads = [threading.Thread(target=work, args=(k,)) for k in (3, 900, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [True] * 150


def test_own_calls_stay_in_order():
    """Code that is called often is compiled again; results stay."""
    function = compiled("np.sort(a)")
    a = np.random.default_rng(4).random(20_000)
    expected = np.sort(a)
    for _ in range(200):
        np.testing.assert_array_equal(function(a), expected)
