"""Generator expressions over enumerate(), zip() and reversed()."""

import numpy as np
import pytest
from memory import growth

from pyopt import njit


def numbered(a, b):
    return sum(i * x for i, x in enumerate(a))


def numbered_from(a, b):
    return sum(i * x for i, x in enumerate(a, 3)), sum(i - x for i, x in enumerate(a, start=2))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def three(a, b):
    return max(x * y + z for x, y, z in zip(a, b, range(10)))


def backwards(a, b):
    generator = (x * 2 for x in reversed(a))
    return next(generator), next(generator, -1.0), sum(generator)


def of_both(a, b):
    return any(i > 2 and x < y for i, (x, y) in enumerate(zip(a, b))), min(i for i, _ in enumerate(b))


def with_variables(a, b):
    factor = len(b)
    return sum(factor * x + i for i, x in enumerate(a + factor))


def in_a_loop(a, b):
    total = 0.0
    for n in range(4):
        total += sum(x * n + y for x, y in zip(a[n:], b))
    return total


FUNCTIONS = [numbered, numbered_from, dot, three, backwards, of_both, with_variables, in_a_loop]


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_results_and_memory(function, size):
    a, b = np.arange(1.0, size + 1), np.linspace(-1, 3, size + 2)
    compiled = njit(function)
    np.testing.assert_allclose(compiled(a, b), function(a, b), rtol=1e-12)
    assert growth(lambda: compiled(a, b)) == 0


def named(a, b):
    items = enumerate(a)
    return sum(i * x for i, x in items)


@pytest.mark.parametrize("debug", [False, True])
def test_iterators_that_have_names(debug):
    a = np.arange(5.0)
    assert njit(debug=debug)(named)(a, a) == named(a, a)
