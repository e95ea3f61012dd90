"""What the untyped stage makes compile: compared with CPython."""

import pytest

from pyopt import errors, literal_unroll, literally, njit

DEBUG = False
POWER = 1 + 1
MESSAGE = "too small: "


@njit(inline="always")
def clamp(x, low=0, high=10):
    if x < low:
        return low
    if x > high:
        return high
    return x


@njit(inline="always")
def twice(x):
    return clamp(x, high=100) * 2


def uses_inline(x):
    return clamp(x) + clamp(x, high=5) + twice(x) + clamp(high=3, x=x, low=1)


def pruned(a):
    if DEBUG:
        return no_such_function(a)  # noqa: F821
    return a + 1


def default_none(a, b=None):
    if b is None:
        return a
    return a + b


def constant_power(x):
    return x**POWER


def unrolled(a, b, c):
    total = 0
    for item in literal_unroll((a, b, c)):
        total += item * 2
    return total


def unrolled_break(a, b):
    for item in literal_unroll((a, b)):
        if item > 3:
            break
    return item


def unrolled_constants(x):
    for factor in literal_unroll([1, 2, 4]):
        x = x * factor + 1
    return x


def known(x):
    return x + literally(POWER)


CASES = [
    (uses_inline, [(3,), (-2,), (50,), (2.5,)]),
    (pruned, [(3,), (0.5,)]),
    (default_none, [(3,), (3, 4), (1, 0.5), (2, None)]),
    (constant_power, [(3,), (0.5,), (-7,)]),
    (unrolled, [(1, 2.5, True), (3, 4, 5)]),
    (unrolled_break, [(1, 2), (5, 2), (1, 9)]),
    (unrolled_constants, [(3,), (0.5,)]),
    (known, [(3,), (0.5,)]),
]


@pytest.mark.parametrize(("function", "inputs"), CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, inputs):
    compiled = njit(function)
    for arguments in inputs:
        expected, got = function(*arguments), compiled(*arguments)
        assert got == expected and isinstance(got, float) == isinstance(expected, float), arguments


def test_inlined_calls_are_gone():
    compiled = njit(uses_inline)
    compiled(3)
    assert "typed.call" not in compiled.inspect_ir("infer-types")


def test_messages_put_together_of_constants():
    @njit
    def f(x):
        if x < 3:
            raise ValueError(MESSAGE + "x")
        return x

    with pytest.raises(ValueError, match="too small: x"):
        f(1)


def test_what_is_not_known_is_refused():
    with pytest.raises(Exception, match="known when the function is compiled"):
        njit(lambda x: literally(x + 1))(3)


def test_a_list_that_changes_is_not_unrolled():
    """What it was made of isn't what it holds when the loop begins, or in a later turn."""

    def appended():
        items = [1, 2]
        items.append(3)
        total = 0
        for item in literal_unroll(items):
            total += item
        return total

    def replaced(n):
        items = [1, 2]
        total = 0
        for _ in range(n):
            for item in literal_unroll(items):
                total += item
            items[0] = 7
        return total

    def by_another_name():
        items = [1, 2]
        others = (items, 1)
        total = 0
        for item in literal_unroll(items):
            total += item
            others[0][1] = 7
        return total

    for function, arguments in [(appended, ()), (replaced, (2,)), (by_another_name, ())]:
        with pytest.raises(errors.TypingError, match="takes a tuple, or a list of constants, not list"):
            njit(function)(*arguments)

    @njit
    def read():
        items = [1, 2]
        total = len(items) + items[1] + (2 in items) + (items == [1, 2])
        for item in literal_unroll(items):
            total += item
        for item in items:
            total += item
        return total

    assert read() == 2 + 2 + 1 + 1 + 3 + 3


def test_inline_takes_only_numbas_words():
    from pyopt.errors import OptionError

    with pytest.raises(OptionError, match="expected 'never', 'always' or a function"):
        njit(inline="sometimes")


def test_what_the_untyped_stage_refuses_is_a_typing_error():
    @njit
    def kept(a):
        items = literal_unroll((a, 1))
        return len(items)

    @njit(inline="always")
    def even(n):
        return True if n == 0 else odd(n - 1)

    @njit(inline="always")
    def odd(n):
        return False if n == 0 else even(n - 1)

    with pytest.raises(errors.TypingError, match="used for something else than one for loop"):
        kept(1)
    with pytest.raises(errors.TypingError, match="call each other without end"):
        njit(lambda n: even(n))(3)
