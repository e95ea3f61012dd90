"""Bodies of overloads go through the same stages as functions of a program: both give the same."""

import subprocess
import sys

import numpy as np
import pytest

from pyopt import errors, literal_unroll, literally, njit, objmode, prange, types
from pyopt.extending import overload, register_jitable


def in_body(body):
    """Make a function that calls an overload with the body."""

    def stub(*args):
        raise NotImplementedError

    @overload(stub, strict=False)
    def _(*args):
        return body

    return njit(lambda *args: stub(*args))


def closure(x):
    def inner(y):
        return y + x

    return inner(3)


def comprehension(x):
    return [i * x for i in range(4)][2]


def comprehension_in_array(x):
    values = np.empty(3)
    values[:] = x
    return np.array([v + 1 for v in values]).sum()


def generator_expression(x):
    return sum(v * 2 for v in range(x))


def lambda_as_key(x):
    return sorted([x, 3, x + 1], key=lambda v: -v)


def function_as_argument(x):
    def double(n):
        return n * 2

    def apply(f, n):
        return f(n)

    return apply(double, x)


def closure_in_loop(x):
    total = 0
    for i in range(x):

        def inner(y):
            return y + i

        total += inner(i)
    return total


def assigned_from_inside(x):
    y = x

    def inner():
        nonlocal y
        y += 1
        return y

    return inner() + y


def list_that_is_shared(x):
    items = [0]

    def inner():
        items.append(1)
        return len(items)

    inner()
    return inner() + x


def generator(x):
    def items(n):
        for i in range(n):
            yield i * x

    total = 0
    for item in items(4):
        total += item
    return total


def loop_over_several_types(x):
    count = 0
    for item in literal_unroll((1, "a", 2.0)):
        if isinstance(item, int):
            count += 10
        else:
            count += 1
    return count + x


def value_of_argument(x):
    return literally(x)


def block_in_python(x):
    with objmode(y="float64"):
        y = float(str(x))
    return [y + i for i in range(2)]


def parallel_loop(x):
    total = 0

    def inner(y):
        return y * 2

    for i in prange(x):
        total += inner(i)
    return total


FLAG = None


def branch_that_is_not_taken(x):
    if FLAG is None:
        return x
    return x.nothing


@register_jitable
def helper(x):
    return [x + i for i in range(3)]


def helpers(x):
    return helper(x)[1] + helper(x + 1)[2]


@pytest.mark.parametrize(
    "body",
    [
        *(closure, comprehension, comprehension_in_array, generator_expression, lambda_as_key),
        *(function_as_argument, closure_in_loop, assigned_from_inside, list_that_is_shared, generator),
        *(loop_over_several_types, value_of_argument, block_in_python, parallel_loop),
        *(branch_that_is_not_taken, helpers),
    ],
)
def test_bodies_are_compiled_as_functions_are(body):
    expected = njit(body)(3)
    assert in_body(body)(3) == expected


def test_bodies_in_parallel_functions():
    stub = in_body(parallel_loop)
    assert njit(lambda x: stub(x), parallel=True)(100) == parallel_loop(100)


def test_a_body_and_the_program_share_functions():
    def body(x):
        return helper(x)[0] + helper(x)[1]

    called = in_body(body)
    assert njit(lambda x: called(x) + helper(x)[2])(1) == 1 + 2 + 3


def test_types_of_arguments_choose_bodies_with_closures_of_their_own():
    called = in_body(comprehension)
    assert njit(lambda: (called(2), called(0.5)))() == (4, 1.0)


def test_what_a_body_can_not_do_is_an_error_at_its_line():
    def body(x):
        return x.no_such_thing

    with pytest.raises(errors.TypingError, match="unknown attribute 'no_such_thing'"):
        in_body(body)(1)


def test_ranges_are_asked_for_by_their_type():
    def span(values):
        raise NotImplementedError

    @overload(span)
    def overload_span(values):
        if isinstance(values, types.RangeType) and values.dtype == types.int64:
            return lambda values: len(values)

    assert njit(lambda n: span(range(n)))(4) == 4
    assert str(types.RangeType(types.int64)) == "RangeType[int64]"


def test_the_first_type_of_a_process_may_be_one_that_few_programs_name():
    program = """
from pyopt import njit
from pyopt.extending import overload
def kind(x): pass
@overload(kind)
def overload_kind(x):
    return lambda x: 1
print(njit(lambda: kind({argument}))())
"""
    for argument in ('{"a": 1, "b": "c"}', "range(3)", '[1, "a"]'):
        written = program.format(argument=argument)
        done = subprocess.run([sys.executable, "-c", written], capture_output=True, text=True, check=False)
        assert done.stdout + done.stderr == "1\n", argument
    for module in ("enums", "literals", "records", "addresses", "structures", "foreign"):
        subprocess.run([sys.executable, "-c", f"import pyopt.types.{module}"], check=True)
