"""Functions defined in compiled functions, where they are only called: compared with CPython."""

import numpy as np
import pytest

from pyopt import njit


def closure(a, b):
    def scale(x, by=2):
        return x * by + a

    c = scale(b)
    return scale(c, by=b) + scale(a)


def rebinding(a, n):
    total = a

    def add(x):
        return total + x

    for i in range(n):
        if i % 2:
            total = add(i)
    return total


def lambdas(a, b):
    square = lambda x: x * x  # noqa: E731
    return square(a) - square(b) + (lambda x: x + b)(a)


def nested(a):
    def outer(x):
        def inner(y):
            return y + x + a

        return inner(x) * 2

    return outer(a) + outer(1)


def in_a_loop(n):
    total = 0
    for i in range(n):

        def square():
            return i * i

        total += square()
    return total


def keywords(a):
    def f(x, *, by=3):
        return x * by

    def g(x, *rest, last=1):
        return x + len(rest) + last

    return g(a) + g(a, a, a, last=a)


def fibonacci(n):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    factorial = lambda k: 1 if k <= 1 else k * factorial(k - 1)  # noqa: E731
    again = fib
    return fib(n), [again(i) for i in range(5)], factorial(n)


def remembered(n):
    known = {0: 0, 1: 1}

    def fib(k):
        if k not in known:
            known[k] = fib(k - 1) + fib(k - 2)
        return known[k]

    return fib(n), known


def permutations(n):
    found = []
    used = [False] * n

    def place(prefix, depth):
        if depth == n:
            found.append(prefix)
            return
        for i in range(n):
            if not used[i]:
                used[i] = True
                place(prefix * 10 + i, depth + 1)
                used[i] = False

    place(0, 0)
    return found


def filled(n):
    grid = np.zeros((n, n), dtype=np.int64)

    def fill(i, j, colour=3):
        if i < 0 or j < 0 or i >= n or j >= n or grid[i, j] != 0:
            return 0
        grid[i, j] = colour
        return 1 + fill(i + 1, j) + fill(i - 1, j) + fill(i, j + 1) + fill(i, j - 1)

    return fill(0, 0), grid.sum()


def nested_recursion(n):
    def outer(m):
        def inner(k):
            step = lambda x: inner(x - 1) if x > 0 else m  # noqa: E731
            return step(k) + 1

        return inner(m)

    return outer(n) + outer(2)


def counting(n):
    def counter(start):
        count = start

        def step(by=1):
            nonlocal count
            count += by
            return count

        return step

    one, other = counter(n), counter(10)
    one()
    other(5)
    one(by=2)
    return one(), other()


def captured_in_comprehensions(n):
    total = 0
    for i in range(n):
        total += sum([(lambda: i * j)() for j in range(4)])
    for row in [[(lambda k: k * i + j)(2) for j in range(3)] for i in range(n)]:
        total += sum(row)
    return total, [sum([(lambda: i * j)() for j in range(4)]) for i in range(n)]


def captured_around_comprehensions(n):
    j, total = 7, 0
    for i in range(n):
        while j < 12:
            total += sum([(lambda: j)() for j in range(4)]) + j
            j += 1
        total += sum([(lambda: i - j)() for i in range(j)])
    after = lambda: j + total  # noqa: E731
    return after()


def captured_where_it_raises(n):
    total = 0
    for i in range(n):
        try:
            total += sum([(lambda: 12 // (j - i))() for j in range(3, 6)])
        except ZeroDivisionError:
            total += 1000
    return total


def assigned_behind_the_definition(n):
    def permute(start):
        if start == len(items) - 1:
            found.append(items[:])
        for at in range(start, len(items)):
            items[start], items[at] = items[at], items[start]
            permute(start + 1)
            items[start], items[at] = items[at], items[start]

    items = list(range(n))
    found = []
    permute(0)
    return sum([item * at for one in found for at, item in enumerate(one)]) + len(found)


def sorted_by_a_variable(n):
    weights = [at * at % 7 for at in range(n)]
    order = list(range(n))
    order.sort(key=lambda at: weights[at])
    total = 0
    for scale in range(1, 3):
        order.sort(key=lambda at: weights[at] * scale, reverse=True)
        total += order[0] * scale
    return total + sum([at * item for at, item in enumerate(order)])


CASES = [
    (assigned_behind_the_definition, [(3,), (1,), (4,)]),
    (sorted_by_a_variable, [(5,), (1,), (12,)]),
    (counting, [(3,), (0,)]),
    (fibonacci, [(6,), (1,)]),
    (remembered, [(20,), (1,)]),
    (permutations, [(4,), (1,), (0,)]),
    (filled, [(5,), (1,)]),
    (nested_recursion, [(3,), (0,)]),
    (closure, [(1, 2), (0.5, 3), (-4, 1.5)]),
    (rebinding, [(1, 5), (0, 0), (7, 10)]),
    (lambdas, [(3, 4), (1.5, -2)]),
    (nested, [(3,), (0.25,)]),
    (in_a_loop, [(0,), (7,)]),
    (keywords, [(3,), (0.5,)]),
    (captured_in_comprehensions, [(0,), (1,), (5,)]),
    (captured_around_comprehensions, [(0,), (1,), (4,)]),
    (captured_where_it_raises, [(0,), (3,), (8,)]),
]


@pytest.mark.parametrize(("function", "inputs"), CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, inputs):
    compiled = njit(function)
    for arguments in inputs:
        expected, got = function(*arguments), compiled(*arguments)
        assert got == expected and isinstance(got, float) == isinstance(expected, float), arguments


def test_a_variable_that_may_have_no_value_is_refused():
    @njit
    def f(a):
        def g():
            return a + late

        if a > 1:
            late = 1
        return g()

    with pytest.raises(Exception, match="shared with an inner function is not supported"):
        f(2)


def with_keywords(x):
    def total(a, *args, b=2, **others):
        return a + sum(args) + b + others.get("c", 0)

    def names(x, **others):
        others["z"] = x
        return len(others), list(others)

    return total(1, 2, 3, b=x, c=5), total(x), names(x, y=2), names(x=x, z=1, w=2)


def test_keywords_of_inner_functions():
    assert njit(with_keywords)(7) == with_keywords(7)

    @njit
    def forwarded():
        def f(**others):
            others["z"] = 5
            return dict(**others)

        return f(a=1)

    # What was put in isn't known by name.
    with pytest.raises(Exception, match="behind '\\*\\*' aren't known"):
        forwarded()


def test_a_function_that_is_returned_is_refused():
    @njit
    def f(a):
        def g():
            return a

        return g

    with pytest.raises(Exception, match="can't be returned to Python"):
        f(2)


def keywords_in_inner_functions(x):
    def f(a, /, b=2, *args, c, d=4, **kw):
        return a + b + c + d + len(args) + len(kw) + sum(args) + kw.get("z", 0) + x

    def g(*args, **kw):
        return f(*args, **kw)

    return f(*(1, 2), c=1), f(1, **{"c": 3, "d": 5}), g(1, c=3), g(1, 2, 3, c=4, z=9)


def wrapped(x):
    def logged(function, mark):
        def wrapper(*args, **kwargs):
            return mark, function(*args, **kwargs)

        return wrapper

    def power(base, exponent=2, *, plus=0):
        return base**exponent + plus + x

    f = logged(power, "<")
    return f(3), f(3, 3), f(3, plus=1), f(base=2, exponent=5)


def chosen_with_keywords(x):
    def add(a, **named):
        return a + len(named)

    def take(function, value):
        return function(value) + function(value, u=1, v=2)

    return take(add, x)


@pytest.mark.parametrize("function", [keywords_in_inner_functions, wrapped, chosen_with_keywords])
def test_inner_functions_with_keywords(function):
    assert njit(function)(5) == function(5)
