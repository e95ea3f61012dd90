"""``objmode`` blocks and variables that inner functions share."""

import pytest

from pyopt import errors, njit, objmode


def handed_out(n):
    shared = n
    with objmode(shared="int64"):

        def increase():
            nonlocal shared
            shared += 1

        increase()
    return shared


def handed_out_by_a_comprehension(n):
    shared = n
    with objmode(total="int64", shared="int64"):
        total = sum([shared := shared + i for i in range(4)])
    return total, shared


def only_read(n):
    shared = n
    with objmode(total="int64"):
        total = sum(i * shared for i in range(n)) + (lambda: shared)()
    return total, shared


def not_used_behind(n):
    shared = n
    with objmode(total="int64"):

        def increase():
            nonlocal shared
            shared += 1

        increase()
        total = shared
    return total


def after_a_comprehension(n):
    shared = n
    before = [i * shared for i in range(n)]
    with objmode(total="int64"):
        shared = 9
        total = shared
    return before, total


@pytest.mark.parametrize(
    "function",
    [handed_out, handed_out_by_a_comprehension, only_read, not_used_behind, after_a_comprehension],
)
def test_shared_variables(function):
    assert njit(function)(3) == function(3)


def written_by_an_inner_function(n):
    shared = n
    with objmode(total="int64"):

        def increase():
            nonlocal shared
            shared += 1

        increase()
        total = shared
    return total, shared


def written_by_one_inside(n):
    shared = n
    with objmode(total="int64"):

        def middle():
            def inner():
                nonlocal shared
                shared = 50

            inner()

        middle()
        total = shared
    return total + shared


def written_by_a_comprehension(n):
    shared = n
    with objmode(total="int64"):
        total = sum([shared := shared + i for i in range(4)])
    return total, shared


def captured_before(n):
    shared = n
    get = lambda: shared  # noqa: E731
    with objmode(total="int64"):
        shared = 100
        total = shared
    return get() + total


@pytest.mark.parametrize(
    "function",
    [written_by_an_inner_function, written_by_one_inside, written_by_a_comprehension, captured_before],
)
def test_shared_variables_that_are_not_handed_out(function):
    with pytest.raises(errors.UnsupportedError, match="'shared' is assigned in a with objmode block"):
        njit(function)(3)


def test_blocks_in_inner_functions():
    @njit
    def outer(n):
        def inner(k):
            with objmode(result="int64"):
                result = k**2
            return result

        return inner(n)

    with pytest.raises(errors.UnsupportedError, match="block in an inner function is not supported"):
        outer(3)


def test_blocks_that_always_raise():
    @njit
    def raising(n):
        with objmode():
            raise ValueError(n)
        return 1

    with pytest.raises(errors.UnsupportedError, match="the end of a with objmode block is never reached"):
        raising(3)
