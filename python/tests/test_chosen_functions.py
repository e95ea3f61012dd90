"""Functions that are chosen at run time, also of the host's and None, and defaults that are no constants."""

import math

import numpy as np
import pytest
from plain_checks import same

from pyopt import errors, njit


def add(a, b=1, *, c=0):
    return a + b + c


def power(a, b=2, *, c=0):
    return a**b + c


def mean(items):
    return sum(items) // len(items)


def by_branches(at, items):
    if at == 0:
        aggregate = sum
    elif at == 1:
        aggregate = max
    elif at == 2:
        aggregate = min
    else:
        aggregate = mean
    return aggregate(items)


def unchecked(has, x):
    function = add if has else None
    return function(x)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (lambda c, a, b: (max if c else min)(a, b), [(True, 1, 2), (False, 1, 2), (True, 1.5, 0.5)]),
        (lambda c, a, b: (max if c else min)(a, b, 3), [(True, 1, 2), (False, 1, 2)]),
        (lambda c, items: (max if c else min)(items), [(True, [3, 1]), (False, [3, 1])]),
        (by_branches, [(0, [3, 1]), (1, [3, 1]), (2, [3, 1]), (3, [3, 1])]),
        (lambda c, x: (int if c else round)(x), [(True, 2.7), (False, 2.7), (False, -0.5)]),
        (lambda c, x: (float if c else abs)(x), [(True, -2.5), (False, -2.5)]),
        (lambda c, x: (str if c else repr)(x), [(True, 2), (False, 2)]),
        (lambda c, x: (math.floor if c else int)(x), [(True, -1.5), (False, -1.5)]),
        (lambda c, x: (float, abs)[c](x) + (int, round)[c](x), [(True, -1.5), (False, -1.5)]),
        (
            lambda c, a: (np.maximum if c else np.minimum)(a, 1.0),
            [(True, np.arange(3.0)), (False, np.ones(2))],
        ),
        (lambda c, a: (np.add if c else np.multiply)(a, a), [(True, np.arange(3.0)), (False, np.ones(2))]),
        (lambda c, x: (abs if c else lambda v: v)(x), [(True, -2), (False, -2)]),
        (lambda c, d: (add if c else power) is (add if d else power), [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (lambda c: ((add if c else power) is add, (add if c else power) != power), [(0,), (1,)]),
        (lambda c: ((add if c else None) is None, (max if c else min) is max), [(0,), (1,)]),
    ],
)
def test_choices(function, arguments):
    for one in arguments:
        same(function, *one)


def counted(x):
    found = 0
    for kind in (int, float):
        if isinstance(x, kind):
            found += 1
    return found


def test_loops_over_classes_are_unrolled():
    same(counted, 1)
    same(counted, 1.5)


def by_size(values):
    """Choose functions that take keywords."""
    found = []
    for choose in (min, max):
        found.append(choose(values, key=abs))
    found.append((min if len(values) > 2 else max)(values, key=lambda value: value % 3, default=1))
    return found


def square_or_cube(x, by=1):
    """Multiply."""
    return x * x * by


def halves(x, by=2):
    """Divide."""
    return x // by


def by_name(choice, values):
    """Name arguments of functions that are chosen."""
    chosen = square_or_cube if choice else halves
    return chosen(x=values[0]), chosen(values[1], by=3), chosen(by=values[2], x=5)


def test_keywords():
    for values in ([3, -5, 1], [2, 4], [-7]):
        same(by_size, values)
    same(by_name, True, [5, 6, 7])
    same(by_name, False, [5, 6, 7])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda c: (square_or_cube if c else halves)(1, c=3), "unexpected keyword argument|got an"),
        (lambda c: (add if c else 3)(1), "can't unify"),
        (lambda c: unchecked(c, 1), "OptionalType.* can't be called"),
        (lambda c: (add if c else mean)(1), "no implementation of"),
        (lambda c: (lambda x: "a" if c else x)(1), "can't unify"),
    ],
)
def test_what_is_refused(function, message):
    with pytest.raises(errors.TypingError, match=message):
        njit(function)(2)


def apply(function, *arguments):
    return function(*arguments)


def in_list(n, x):
    functions = []
    for k in range(n):
        functions.append(lambda v, k=k: v * k)
    return [function(x) for function in functions]


def in_comprehension(n, x):
    return [function(x) for function in [lambda v, k=k: v * k for k in range(n)]]


def of_several(n, x):
    made = []
    for k in range(n):

        def function(v, k=k, m=2 * k, *, s=k + 1):
            return v * k + m - s

        made.append(function)
    return [function(x) for function in made] + [function(x, 5, s=1) for function in made]


def overridden(n, x):
    total = 0
    for k in range(n):
        function = lambda v, k=k: v * k  # noqa: E731
        total += apply(function, x) + apply(function, x, 10)
    return total


def beside_free_variables(n, x):
    total = []
    for k in range(n):
        total.append(apply(lambda v, k=k: v * k + x + n, 3))
    return total


def sorted_by(items, m):
    return sorted(items, key=lambda v, m=m: (v % m, v)), list(map(lambda v, m=m + 1: v % m, items))


def of_the_time(n):
    functions = []
    at = n
    for _ in range(3):
        functions.append(lambda at=at: at)
        at *= 2
    at = -1
    return [function() for function in functions], at


def of_a_list(n):
    def put(item, items=[0] * n):  # noqa: B006
        items.append(item)
        return len(items)

    return apply(put, 1), apply(put, 2)


def of_texts(words):
    return [apply(lambda v, word=word: word + v, "!") for word in words]


def of_functions(n):
    made = []
    for k in range(n):
        double = lambda v, k=k: v + k  # noqa: E731
        made.append(apply(lambda v, double=double: double(v) * 2, 5))
    return made


def chained(k, x):
    def make(k):
        return lambda v, k=k: v + k

    return make(k)(x) + make(k + 1)(x) + make(k)(x, 10)


def before_constants(n):
    out = []
    for k in range(n):
        out.append(apply(lambda v, a=k, b=3: v * a + b, 2))
        out.append(apply(lambda v, a=3, b=k: v * a + b, 2))
    return out


def of_generators(n):
    out = []
    for k in range(n):

        def counted(stop, start=k):
            for i in range(start, stop):
                yield i * 2

        out.append(sum(apply(counted, n)))
    return out


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (in_list, [(3, 2), (0, 2), (3, 1.5)]),
        (in_comprehension, [(3, 2)]),
        (of_several, [(3, 2), (2, 0.5)]),
        (overridden, [(3, 2)]),
        (beside_free_variables, [(3, 2), (2, 0.5)]),
        (sorted_by, [([5, 3, 4, 8], 3)]),
        (of_the_time, [(1,)]),
        (of_a_list, [(2,)]),
        (of_texts, [(["a", "b"],)]),
        (of_functions, [(3,)]),
        (chained, [(3, 2)]),
        (before_constants, [(3,)]),
        (of_generators, [(4,)]),
    ],
)
def test_defaults_that_are_no_constants(function, arguments):
    for one in arguments:
        same(function, *one)


def held_by_a_default(n):
    total = 0
    function = add
    for k in range(n):
        if k > 2:
            total += function(k)
        if k == 1:
            inner = lambda x: x * k  # noqa: B023, E731
            function = lambda x, inner=inner: inner(x)  # noqa: E731
    return total


def test_what_a_default_holds_is_followed():
    """The inner function has the variable that the loop assigns, also by way of a default."""
    with pytest.raises(errors.TypingError, match="'k', which is assigned while the function is in use|unify"):
        njit(held_by_a_default)(5)
