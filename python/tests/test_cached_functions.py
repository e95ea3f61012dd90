"""Functions with ``functools.lru_cache`` and ``cache`` that compiled code calls, and those that it makes."""

import functools
import math
import random
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache

import numpy as np
import pytest
from differential.memory import growth

from pyopt import errors, njit, prange

TABLE = (3, 1, 4)


@cache
def square(x):
    return x * x


@lru_cache(maxsize=3)
def scaled(x, factor=2, *, shift=0):
    return math.sqrt(x) * factor + shift + TABLE[0]


@lru_cache
def named(text, count):
    """Call another cached function, and one that isn't."""
    return text.upper() * square(count), helper(count)


def helper(x):
    return sum([x, 1, int(np.abs(x))])


@cache
@njit
def compiled(x):
    return x + 0.5


def calls(n):
    return (
        square(n),
        square(1.5),
        scaled(n),
        scaled(n, 3),
        scaled(n, factor=4, shift=1),
        named("ab", n),
        compiled(n),
    )


def in_loops(n):
    total = 0
    for i in range(n):
        total += square(i % 3)
    return total, [square(x) for x in range(n)], {x: scaled(x) for x in range(n)}


@pytest.mark.parametrize("function", [calls, in_loops])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_calls(function, n):
    assert njit(function)(n) == function(n)


def test_a_cached_function_of_a_function():
    @cache
    def local(x):
        return x + len(TABLE)

    assert njit(lambda x: local(x))(2) == 5


def test_exceptions():
    @cache
    def checked(x):
        if x < 0:
            raise ValueError("negative")
        return x

    use = njit(lambda x: checked(x))
    for _ in range(2):
        assert use(1) == 1
        with pytest.raises(ValueError, match="negative"):
            use(-1)


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@cache
def even(n):
    return n == 0 or odd(n - 1)


def odd(n):
    return n != 0 and even(n - 1)


@lru_cache(maxsize=4)
def steps(n, far):
    return 1 if n <= 0 else sum([steps(n - k, far) for k in range(1, far + 1)])


@cache
def spelled(n, base=2):
    return "" if n == 0 else spelled(n // base, base) + str(n % base)


@cache
def middle(left, right):
    if left >= right:
        return (left, 0.5)
    return middle(left + 1, right - 1)


@cache
def none_below(n):
    return None if n < 0 else (none_below(n - 3), n)[1]


@pytest.mark.parametrize(
    "use",
    [
        lambda n: fib(n),
        lambda n: [fib(k) for k in range(n)],
        lambda n: (even(n), even(n + 1)),
        lambda n: steps(n % 9, 3),
        lambda n: (spelled(n), spelled(n, 3), spelled(n, base=5)),
        lambda n: middle(0, n),
        lambda n: [none_below(k) for k in range(-3, n)],
    ],
)
def test_functions_that_call_themselves(use):
    compiled = njit(use)
    for n in (0, 1, 7, 60):
        assert compiled(n) == use(n)


def test_results_are_kept():
    # Without them this takes 2 ** 80 calls.
    assert njit(lambda n: fib(n))(80) == 23416728348467685


def test_calls_change_what_was_looked_up_before():
    """The place of a key is another one behind a call that keeps results itself."""
    compiled = njit(lambda n: fib(n))
    compiled(5)
    text = compiled.inspect_ir("typed-share-lookups")
    _, _, keeping = text.partition('func.func private @"pyopt.definitions.fib(si64)"')
    lookups = re.findall(r'call @"pyopt\.library\.lookup\(.*?"\((%\d+)', keeping.partition("\n  }")[0])
    assert len(lookups) == len(set(lookups)) == 2


def test_each_function_has_its_own_results():
    def adding(k):
        @cache
        def add(x):
            return x + k

        return njit(lambda x: add(x))

    for _ in range(2):
        assert [adding(k)(10) for k in range(3)] == [10, 11, 12]


def test_what_is_found_again_takes_no_memory():
    compiled = njit(lambda n: (spelled(n), middle(0, n), [few(k) for k in range(1, n)], steps(n, 2)))
    compiled(9)
    assert growth(lambda: compiled(9)) == 0


def test_threads_have_their_own_results():
    compiled = njit(nogil=True)(lambda n: [fib(k) for k in range(n)])
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(compiled, range(40)):
            assert found == [fib(k) for k in range(len(found))]


def test_in_loops_on_threads():
    def use(n):
        found = np.zeros(n, np.int64)
        for i in prange(n):
            found[i] = fib(i % 50)
        return found

    assert np.array_equal(njit(parallel=True)(use)(1000), use(1000))


def knapsack(sizes, values, room):
    @cache
    def best(at, left):
        if at == len(sizes):
            return 0
        skipped = best(at + 1, left)
        if sizes[at] > left:
            return skipped
        return max(skipped, values[at] + best(at + 1, left - sizes[at]))

    return best(0, room)


def common(a, b):
    @lru_cache(maxsize=None)  # noqa: UP033
    def of(i, j):
        if i == len(a) or j == len(b):
            return ""
        if a[i] == b[j]:
            return a[i] + of(i + 1, j + 1)
        left, right = of(i + 1, j), of(i, j + 1)
        return left if len(left) >= len(right) else right

    return of(0, 0)


def paths(rows, columns):
    @lru_cache
    def to(i, j=0):
        return 1 if i == 0 or j == 0 else to(i - 1, j) + to(i, j - 1)

    return to(rows, columns), to(rows), to(i=rows, j=columns)


def few(n):
    @functools.lru_cache(3)
    def collatz(k):
        if k == 1:
            return 0
        return 1 + collatz(k // 2 if k % 2 == 0 else 3 * k + 1)

    return [collatz(k) for k in range(1, n + 1)]


def never(n):
    @lru_cache(maxsize=0)
    def double(k):
        return 2 * k

    return double(n) + double(n)


def of_a_lambda(n):
    square = cache(lambda k: k * k)
    return sum([square(k % 5) for k in range(n)])


def in_turns(n):
    @cache
    def is_even(k):
        return k == 0 or is_odd(k - 1)

    @cache
    def is_odd(k):
        return k != 0 and is_even(k - 1)

    return is_even(n), is_odd(n)


def any_number_of(n):
    @cache
    def total(*values):
        return sum(values)

    return total(n, 1), total(n, n), total(n, n)


def by_keyword_alone(n):
    @cache
    def scaled(x, *, factor=3):
        return x * factor

    return scaled(n), scaled(n, factor=5), scaled(n)


def lists(n):
    @cache
    def made(k):
        return [k]

    made(n).append(7)
    return made(n), made(n + 1)


def counted(n):
    calls = [0]

    @cache
    def square(k):
        calls[0] += 1
        return k * k

    total = sum([square(k % 4) for k in range(n)])
    return total, calls[0]


def counted_few(n):
    calls = [0]

    @lru_cache(maxsize=2)
    def square(k):
        calls[0] += 1
        return k * k

    total = 0
    for k in range(n):
        total += square(0) + square(k % 3)
    return total, calls[0]


def anew(n):
    found = [0]
    for factor in range(n):

        @cache
        def times(k, factor=factor):
            return k * factor

        found.append(times(2) + times(2))
    return found


def raising(n):
    @cache
    def checked(k):
        if k > 2:
            raise ValueError("too large")
        return k

    found = 0
    for k in range(n):
        try:
            found += checked(k) + checked(k)
        except ValueError:
            found -= 100
    return found


@pytest.mark.parametrize(
    "function",
    [
        paths,
        few,
        never,
        of_a_lambda,
        in_turns,
        any_number_of,
        by_keyword_alone,
        lists,
        counted,
        counted_few,
        anew,
        raising,
    ],
)
def test_functions_that_compiled_code_makes(function):
    arguments = (5, 4) if function is paths else (9,)
    compiled = njit(function)
    for _ in range(2):
        assert compiled(*arguments) == function(*arguments)


def test_functions_of_what_the_maker_got():
    rng = np.random.default_rng(1)
    compiled = njit(knapsack)
    for _ in range(3):
        sizes, values = rng.integers(1, 9, (2, 12))
        assert compiled(sizes, values, 25) == knapsack(sizes, values, 25)
    spelled_out = njit(common)
    for a, b in (("", "a"), ("nematode knowledge", "empty bottle"), ("äöü", "aöu")):
        assert spelled_out(a, b) == common(a, b)


def test_keys_of_several_types():
    def use(n):
        @cache
        def total(*values):
            return sum(values)

        return total(n) + total(n, n)

    with pytest.raises(errors.TypingError, match="is looked up in a dict of"):
        njit(use)(3)


def cleared(n):
    calls = [0]

    @cache
    def square(k):
        calls[0] += 1
        return k * k

    for k in range(n):
        square(k % 2)
        if k % 5 == 4:
            square.cache_clear()
    return calls[0]


def cleared_itself(n):
    @cache
    def factorial(k):
        return k * factorial(k - 1) if k > 0 else 1

    found = factorial(n)
    factorial.cache_clear()
    return found + factorial(n)


@pytest.mark.parametrize("function", [cleared, cleared_itself])
def test_results_are_cleared(function):
    assert njit(function)(13) == function(13)


def test_keys_that_compiled_code_does_not_hash():
    def use(a):
        @cache
        def total(values):
            return values.sum()

        return total(a)

    with pytest.raises(errors.TypingError, match="hash"):
        njit(use)(np.arange(3))


def test_generators_with_a_cache_are_refused():
    def use(n):
        @cache
        def items(k):
            yield k

        return list(items(n))

    with pytest.raises(errors.TypingError, match="functools.cache"):
        njit(use)(3)


@cache
def printing(x):
    print(x)
    return x


@cache
def drawing(x):
    return random.random() * x


@cache
def drawing_numpy(x):
    return np.random.rand() * x


@cache
def importing(x):
    from time import perf_counter

    return perf_counter() + x


@cache
def any_number(*values):
    return len(values)


@cache
def a_list(n):
    return [n]


def through_a_function(x):
    return printing(x)


@cache
def outer(x):
    return through_a_function(x)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (printing, "'printing', which uses 'print' and may do more than give a value"),
        (drawing, "'drawing', which uses 'random'"),
        (drawing_numpy, "'drawing_numpy', which uses 'random'"),
        (importing, "'importing', which uses 'time'"),
        (any_number, "'any_number', which takes any number of arguments"),
        (outer, "'outer', which uses 'print'"),
        (a_list, "a cached function gives what can't change in compiled code, not list"),
    ],
)
def test_what_is_refused(function, why):
    with pytest.raises(errors.TypingError, match=why):
        njit(lambda x: function(x))(3)


def test_arguments_that_are_no_keys():
    for argument in (np.arange(3), [1, 2], {1: 2}):
        with pytest.raises(TypeError):
            square(argument)
        with pytest.raises(errors.TypingError, match="a cached function takes what can be a key"):
            njit(lambda x: square(x))(argument)


def test_the_cached_function_itself_is_returned():
    assert njit(lambda: square)() is square
    assert functools.reduce(lambda a, b: a + b, [njit(lambda x: square(x))(k) for k in range(3)]) == 5


def test_code_that_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("PYOPT_CACHE_DIR", str(tmp_path))
    for _ in range(2):
        assert njit(cache=True)(calls)(4) == calls(4)
