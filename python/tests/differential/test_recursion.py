"""Recursion: its results, and RecursionError before the stack ends."""

import threading

import numpy as np
import pytest
from compare import check, combinations, compile_once
from test_ownership import assert_no_leak, live

from pyopt import get_num_threads, njit, prange, set_num_threads
from pyopt.errors import TypingError


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def in_loop(n):
    total = 0
    for k in range(n):
        total += 1 + in_loop(k)
    return total


def in_branches(n, x):
    if n <= 0:
        return x
    if n % 2:
        return in_branches(n - 1, x + 1.5)
    elif n % 3 == 0:
        return in_branches(n // 2, x) + in_branches(n - 1, x)
    return in_branches(n - 2, x * 2)


def hanoi(n, source, target, spare):
    if n == 0:
        return 0
    moves = hanoi(n - 1, source, spare, target)
    return moves + 1 + hanoi(n - 1, spare, target, source)


def partition_sum(a, low, high):
    if high - low == 0:
        return 0.0
    if high - low == 1:
        return a[low]
    middle = (low + high) // 2
    return partition_sum(a, low, middle) + partition_sum(a, middle, high)


VECTORS = [(np.arange(n) / 3, 0, n) for n in (0, 1, 2, 17, 64)]
CASES = [
    *combinations([factorial], [-1, 0, 1, 5, 20]),
    *combinations([ackermann], [(m, n) for m in (0, 1, 2) for n in (0, 1, 3, 6)]),
    *combinations([is_even, is_odd], [0, 1, 7, 500]),
    *combinations([in_loop], [0, 1, 4, 9]),
    *combinations([in_branches], [(n, x) for n in (0, 1, 6, 23) for x in (0.5, -1.0)]),
    *combinations([hanoi], [(0, 1, 2, 3), (1, 1, 2, 3), (8, 1, 2, 3)]),
    *combinations([partition_sum], VECTORS),
]


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_results(function, arguments):
    check(function, *arguments)


# Without an end


def endless(n):
    return endless(n + 1) + 1


def endless_ping(n):
    if n < 0:
        return 0
    return endless_pong(n + 1) * 2


def endless_pong(n):
    if n < 0:
        return 1
    return endless_ping(n + 2) - 1


def endless_with_array(n):
    made = np.full(8, 1.0 * n)
    if n < 0:
        return 0.0
    return made.sum() + endless_with_array(n + 1)


def endless_in_loop(n):
    total = 0
    for k in range(n, n + 3):
        if n < 0:
            return total
        total += endless_in_loop(k + 1)
    return total


def endless_over_others(n):
    if n < 0:
        return 0
    return leaf(n) + endless_over_others(leaf(n))


def leaf(n):
    return n + 1


def _depth_until(n):
    if n == 0:
        return 0
    return 1 + _depth_until(n - 1)


MESSAGE = "^maximum recursion depth exceeded$"


@pytest.mark.parametrize(
    "function",
    [endless_ping, endless_pong, endless_with_array, endless_in_loop, endless_over_others],
)
def test_endless_recursion_raises(function):
    compiled = compile_once(function)
    for _ in range(2):
        with pytest.raises(RecursionError, match=MESSAGE):
            compiled(0)
    # Shallow calls work as before.
    assert compiled(-1) == function(-1)


def test_the_traceback_names_the_call():
    compiled = compile_once(endless_over_others)
    with pytest.raises(RecursionError) as raised:
        compiled(0)
    entry = raised.traceback[-1]
    assert entry.name == "endless_over_others"
    line = endless_over_others.__code__.co_firstlineno + 3
    assert entry.lineno + 1 == line


def test_owners_are_released_on_the_way_out():
    assert_no_leak(endless_with_array, 0, raises=RecursionError)


def on_thread(size, work):
    """Run something on a thread with a stack of so many bytes; what it gave or raised."""
    outcome = []

    def run():
        try:
            outcome.append(work())
        except Exception as error:  # Whatever it is, the test looks at it.
            outcome.append(error)

    before = threading.stack_size(size)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    return outcome[0]


@pytest.mark.parametrize("size", [64 << 10, 256 << 10, 1 << 20, 32 << 20])
def test_threads_with_their_own_stacks(size):
    compiled = compile_once(endless_with_array)
    compiled(-1)
    before = live()
    outcome = on_thread(size, lambda: compiled(0))
    assert isinstance(outcome, RecursionError)
    assert live() == before


def test_a_larger_stack_allows_deeper_recursion():
    compiled = compile_once(_depth_until)
    assert compiled(5000) == 5000
    depth = 200_000
    assert isinstance(on_thread(512 << 10, lambda: compiled(depth)), RecursionError)
    assert on_thread(64 << 20, lambda: compiled(depth)) == depth


# In parallel loops


def parallel_depths(depths):
    out = np.zeros(depths.size, np.int64)
    for i in prange(depths.size):
        out[i] = _depth_until(depths[i])
    return out


def parallel_endless(n):
    total = 0.0
    for i in prange(n):
        total += endless_with_array(i)
    return total


def recursion_through_prange(n):
    total = 0
    for i in prange(4):
        total += recursion_through_prange(n + i + 1)
    return total + n


@pytest.fixture(autouse=True)
def same_number_of_threads():
    """Undo what a test sets."""
    before = get_num_threads()
    yield
    set_num_threads(before)


@pytest.mark.parametrize("threads", [1, 2])
def test_pool_threads(threads):
    set_num_threads(threads)
    depths = np.array([3, 1000, 0, 77] * 64)
    compiled = njit(parallel=True)(parallel_depths)
    np.testing.assert_array_equal(compiled(depths), depths)
    depths[200] = 10**9
    with pytest.raises(RecursionError, match=MESSAGE):
        compiled(depths)
    endless_in_parts = njit(parallel=True)(parallel_endless)
    with pytest.raises(RecursionError, match=MESSAGE):
        endless_in_parts(1000)
    before = live()
    for _ in range(3):
        with pytest.raises(RecursionError, match=MESSAGE):
            endless_in_parts(1000)
    assert live() == before


def test_a_cycle_over_a_parallel_loop():
    # With more threads each level would start several endless recursions.
    set_num_threads(1)
    compiled = njit(parallel=True)(recursion_through_prange)
    with pytest.raises(RecursionError, match=MESSAGE):
        compiled(0)


def test_a_result_that_grows_on_every_level_is_refused():
    """Inference ends, though no type holds the results of all levels."""

    @njit
    def nested(n):
        if n <= 0:
            return None
        return (n, nested(n - 1))

    @njit
    def doubled(n):
        if n <= 0:
            return (1, 2)
        inner = doubled(n - 1)
        return (inner, inner)

    for function in (nested, doubled):
        with pytest.raises(TypingError, match="grows|unify"):
            function(3)


@njit
def without_type(x):
    return without_type_too(x)


@njit
def without_type_too(x):
    return without_type(x)


def test_functions_that_only_call_each_other_have_no_type():
    for function in (without_type, without_type_too):
        with pytest.raises(TypingError, match="can't be inferred"):
            function(3)


@njit
def widened(n):
    if n == 0:
        return 1
    x = widened(n - 1)
    if x > 3:
        return x * 1.5
    return x + 1


@njit
def none_at_the_end(n):
    if n == 0:
        return None
    if n == 1:
        return 1
    return none_at_the_end(n - 1)


@njit
def pair_that_widens(n):
    if n == 0:
        return 0, None
    count, _ = pair_that_widens(n - 1)
    return count + 1, 2.0


@pytest.mark.parametrize("function", [widened, none_at_the_end, pair_that_widens])
def test_results_widen_by_the_results_of_their_own_calls(function):
    for n in range(6):
        assert function(n) == function.py_func(n)
