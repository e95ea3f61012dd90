"""Inner functions that call each other, by comparison with CPython."""

import pytest

from pyopt import TypingError, njit


def parity(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n), odd(n)


def with_variables(n, step, scale):
    other = 0.5 * n

    def down(k):
        return 0.0 if k <= 0 else scale * k + up(k - step)

    def up(k):
        return 1.0 if k <= 0 else across(k - 1) - step

    def across(k):
        return down(k - step) + other

    def total():
        return down(n) + up(n)

    return total(), down(n), up(n), across(n)


def later(n):
    """A function that calls one that is defined behind it, and isn't called by that."""

    def first(k):
        return second(k) + third(k)

    def second(k):
        return k * n

    def third(k):
        return second(k) - 1 if k > 2 else k

    return first(n) + first(1)


def one_of_three(n):
    def a(k):
        return k if k < 2 else b(k - 1) + c(k - 2)

    def b(k):
        return k if k < 2 else c(k - 1) + a(k - 2) * n

    def c(k):
        return k if k < 2 else a(k - 1) + b(k - 2)

    return a(n), b(n), c(n), [f(n) for f in (a, b)]


def passed_on(values):
    limit = len(values)

    def is_left(at):
        return at < limit and not is_right(at + 1)

    def is_right(at):
        return at >= limit or not is_left(at + 2)

    return list(map(is_left, values)), sorted(values, key=lambda at: (is_right(at), at))


def with_defaults(n):
    def walk(k, by=2):
        return 0 if k <= 0 else 1 + climb(k - by)

    def climb(k, *, back=1):
        return 0 if k <= 0 else walk(k - back, by=3)

    return walk(n), climb(n, back=2)


def in_loop(n):
    found = 0
    for at in range(n):

        def even(k):
            return at if k == 0 else odd(k - 1)

        def odd(k):
            return -at if k == 0 else even(k - 1)

        found = found * 3 + even(at) + odd(2)
    return found


def nested(n):
    def outer(k):
        def inner(j):
            return 0 if j == 0 else other(j - 1) + k

        return inner(k)

    def other(k):
        return 1 if k == 0 else outer(k - 1)

    return outer(n)


def changed(n):
    def first(k):
        return n if k == 0 else second(k - 1)

    def second(k):
        return first(k)

    n += 1
    return first(3)


FUNCTIONS = [
    (parity, 1),
    (changed, 1),
    (later, 1),
    (one_of_three, 1),
    (with_defaults, 1),
    (in_loop, 1),
    (nested, 1),
]


@pytest.mark.parametrize("function", [function for function, _ in FUNCTIONS], ids=lambda one: one.__name__)
def test_they_give_what_cpython_gives(function):
    compiled = njit(function)
    for n in (0, 1, 2, 5, 9):
        assert compiled(n) == function(n), n


def test_with_variables_of_the_function_around():
    compiled = njit(with_variables)
    for arguments in ((0, 1, 2.0), (7, 2, 0.5), (12, 3, -1.0)):
        assert compiled(*arguments) == with_variables(*arguments)


def test_as_values():
    for values in ([], [3, 1, 2], [0, 0, 9, 4]):
        values = values or [0]
        assert njit(passed_on)(values) == passed_on(values)


def before(n):
    def first(k):
        return second(k)

    found = first(n)

    def second(k):
        return k

    return found


def kept_in_loop(n):
    kept = []
    for at in range(n):
        one = lambda: at  # noqa: B023,E731
        kept.append(one)
    return kept[0]()


def kept_recursive(n):
    kept = []
    for at in range(n):

        def count(k):
            return at if k == 0 else count(k - 1)

        kept.append(count)
    return kept[0](2)


def former(n):
    last = None
    found = 0
    for at in range(n):
        before = last
        last = lambda: at  # noqa: B023,E731
        if before is not None:
            found += before()
    return found


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (before, "shared with an inner function|may have no value yet"),
        (kept_in_loop, "which is assigned while the function is in use"),
        (kept_recursive, "which is assigned while the function is in use"),
        (former, "which is assigned while the function is in use|can't unify|no common type"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_variables_that_change_are_refused(function, reason):
    with pytest.raises(TypingError, match=reason):
        njit(function)(3)
