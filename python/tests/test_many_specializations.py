"""Functions that one program calls with many types, which isn't a recursion on ever new types."""

import numpy as np
import pytest

from pyopt import errors, njit

COUNT = 90


def made(body):
    """Make a function of one array whose lines are `body`, once with each number."""
    lines = "\n".join(f"    {body.format(at=at)}" for at in range(COUNT))
    namespace = {"np": np}
    exec(f"def made(a):\n    total = 0\n{lines}\n    return total\n", namespace)
    return namespace["made"]


def test_each_generator_expression_is_a_type_that_sum_is_compiled_for():
    function = made("total += sum(x * {at} for x in a)")
    assert njit(function)(np.arange(5)) == function(np.arange(5))


@njit
def first_of(items):
    return items[0]


def test_a_function_of_the_program_has_a_type_for_each_length_of_tuple():
    lines = "\n".join(f"    total += first_of((x, {'x, ' * at}))" for at in range(COUNT))
    namespace = {"first_of": first_of}
    exec(f"def made(x):\n    total = 0\n{lines}\n    return total\n", namespace)
    assert njit(namespace["made"])(3) == 3 * COUNT


def test_recursions_on_ever_new_types_end():
    @njit
    def chain(t, n):
        return 0 if n == 0 else chain((t, 0), n - 1)

    @njit
    def tree(t, n):
        return 0 if n == 0 else tree((t, 0), n - 1) + tree((t, 1.0), n - 1)

    @njit
    def even(t, n):
        return 0 if n == 0 else odd((t, 0), n - 1)

    @njit
    def odd(t, n):
        return 1 if n == 0 else even((t, 1.0), n - 1) + even((t, 2j), n - 1)

    for function in chain, tree, even:
        with pytest.raises(errors.TypingError, match="is called with ever new types"):
            function(1, 3)
