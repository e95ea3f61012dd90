"""Functions as values: passed, kept, chosen, closed over variables."""

import gc
import math
import weakref
from types import FunctionType

import numpy as np
import pytest
from memory import growth

from pyopt import errors, literal_unroll, njit

INTS = [-7, -1, 0, 1, 2, 5]


@njit
def square(x):
    return x * x


@njit
def cube(x):
    return x * x * x


@njit
def half(x):
    return x / 2


@njit
def fails(x):
    if x > 1:
        raise ValueError("too large")
    return x


@njit
def apply(f, x):
    return f(x)


@njit
def twice(f, x):
    return f(f(x))


@njit
def gather(f, *args):
    return f(*args)


@njit
def with_default(x, f=square):
    return f(x)


FUNCTIONS = (square, cube, half)


def passed(n):
    return apply(square, n) + twice(cube, n) + apply(abs, n) + gather(divmod, n, 3)[1]


def passed_lambda(n):
    return apply(lambda x: x + 1, n), twice(lambda x, k=3: x * k, n)


def passed_closure(n):
    m = n + 1

    def add(x):
        return x + n * m

    return apply(add, 2), twice(add, 3.5)


def closure_of_closure(n):
    def outer(x):
        def inner(y):
            return x + y * n

        return apply(inner, x)

    return apply(outer, n) + twice(outer, 2)


def closure_in_loop(n):
    total = 0
    for k in range(n):
        total += apply(lambda x: x * k, k + 1)
        total += sum(x * k for x in range(k))
    return total


def closure_on_array(n):
    a = np.arange(abs(n) + 8.0)

    def at(i):
        return a[i] * 2

    return apply(at, 3) + apply(at, 1)


def chosen(n):
    if n > 0:
        f = square
    elif n == 0:
        f = cube
    else:
        f = half
    return f(n) + apply(f, 3)


def chosen_in_loop(n):
    f = square
    x = 2
    for i in range(5):
        x = f(x) % 1000
        f = cube if i % 2 == n % 2 else square
    return x


def chosen_builtin(n):
    f = math.sin if n > 0 else math.cos
    g = abs if n > 1 else float
    return f(1.5) + g(n)


def chosen_twice(n):
    f = square if n > 0 else cube
    g = f if n > 1 else half
    return g(n) + (g if n == 5 else f)(n)


def returned(n):
    def choose(c):
        if c:
            return square
        return half

    return choose(n > 0)(n)


def tuple_by_constant(n):
    functions = (square, half)
    return functions[0](n) + functions[1](n) + FUNCTIONS[-1](n)


def tuple_at_run_time(n):
    functions = (square, cube, half)
    total = 0.0
    for i in range(3):
        total += functions[i](n) * i
    return total + FUNCTIONS[n % 3](n)


def tuple_in_loop(n):
    total = 0.0
    for f in (square, half):
        total += f(n)
    for f in [cube, math.sqrt]:
        total += f(n + 8)
    return total


def tuple_unrolled(n):
    total = 0.0
    for f in literal_unroll(FUNCTIONS):
        total = total * 2 + f(n)
    return total


def chosen_raises(n):
    f = fails if n > 0 else square
    try:
        return f(n)
    except ValueError:
        return -100


def defaulted(n):
    return with_default(n) + with_default(n, cube) + with_default(n, f=half)


PROGRAMS = [
    passed,
    passed_lambda,
    passed_closure,
    closure_of_closure,
    closure_in_loop,
    closure_on_array,
    chosen,
    chosen_in_loop,
    chosen_builtin,
    chosen_twice,
    returned,
    tuple_by_constant,
    tuple_at_run_time,
    tuple_in_loop,
    tuple_unrolled,
    chosen_raises,
    defaulted,
]


def interpreted(function, memo=None):
    """Rebuild a function whose compiled callees are Python functions."""
    memo = {} if memo is None else memo
    if isinstance(function, tuple):
        return tuple(interpreted(one, memo) for one in function)
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType) or function.__module__ != __name__:
        return function
    if function not in memo:
        names = dict(function.__globals__)
        made = memo[function] = FunctionType(function.__code__, names, function.__name__)
        made.__defaults__ = function.__defaults__ and interpreted(function.__defaults__, memo)
        for name in FUNCTION_NAMES:
            names[name] = interpreted(names[name], memo)
        names["literal_unroll"] = iter
    return memo[function]


FUNCTION_NAMES = ("square", "cube", "half", "fails", "apply", "twice", "gather", "with_default", "FUNCTIONS")


def same(got, expected):
    if isinstance(expected, tuple):
        return len(got) == len(expected) and all(map(same, got, expected))
    return got == expected or math.isclose(got, expected, rel_tol=1e-15)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_programs(program):
    compiled = njit(program)
    for n in INTS:
        assert same(compiled(n), interpreted(program)(n)), n


def test_arguments_from_python():
    for n in INTS:
        for f in (square, cube, half, abs, float, math.cos, np.sin):
            expected = getattr(f, "py_func", f)(n)
            assert same(apply(f, n), expected)
            assert same(gather(f, float(n)), getattr(f, "py_func", f)(float(n)))
        assert with_default(n, cube) == n**3
        assert with_default(n, f=square) == n * n

    @njit
    def each(functions, x):
        total = 0.0
        for f in literal_unroll(functions):
            total += f(x)
        return total + functions[0](x)

    assert each((half, math.sqrt), 4) == 2 + 2 + 2
    assert each((square, cube, square), 4) == 16 + 64 + 16 + 16

    @njit
    def own(f, n):
        return 1 if n == 0 else n * f(f, n - 1)

    assert own(own, 5) == 120

    @njit
    def identity(f):
        return f, f

    assert identity(square) == (square, square)
    assert identity(math.sin) == (math.sin, math.sin)


def test_functions_of_one_name():
    def make(k):
        @njit
        def scaled(x):
            return x * k

        return scaled

    made = [make(k) for k in range(3)]
    assert [apply(f, 5) for f in made] == [0, 5, 10]
    assert [apply(f, 5) for f in made] == [0, 5, 10]
    assert len(apply.signatures) == len(set(apply.signatures))


def test_exceptions_leave():
    @njit
    def run(n):
        f = fails if n > 0 else square
        return f(n)

    assert run(-3) == 9
    with pytest.raises(ValueError, match="too large"):
        run(2)


def test_nothing_leaks():
    compiled = njit(closure_on_array)
    assert growth(lambda: [compiled(n) for n in INTS[2:]]) == 0


def changed_in_loop(n):
    total = 0
    f = square
    for k in range(n):
        if k > 2:
            total += f(k)
        if k == 1:
            f = lambda x: x * k  # noqa: B023, E731
    return total


def test_late_assignment():
    """A closure has the variable, not its value: what can't be told apart is refused."""
    with pytest.raises(errors.TypingError, match="'k', which is assigned while the function is in use"):
        njit(changed_in_loop)(5)


def test_refused():
    def differ(n):
        f = square if n else 3
        return f

    def unbound(n):
        if n > 3:
            k = 1
        return apply(lambda x: x + k, n)

    for program, message in [
        (differ, "can't unify .*square.* and "),
        (unbound, "'k', which may have no value yet"),
    ]:
        with pytest.raises(errors.TypingError, match=message):
            njit(program)(2)


def test_a_lambda_in_a_loop_is_kept_and_compiled_once():
    @njit
    def applied(function, x):
        return function(x)

    step = 2
    made = [weakref.ref(function) for function in ((lambda x: x + step) for _ in range(5))]
    for _ in range(5):
        function = lambda x: x * step + 1  # noqa: E731
        assert applied(function, 3) == 7
        made.append(weakref.ref(function))
    del function
    gc.collect()
    assert len(applied.overloads) == 1
    assert sum(one() is not None for one in made) == 1


def test_functions_of_one_code_and_other_values_are_told_apart():
    @njit
    def applied(function, x):
        return function(x)

    def adder(step):
        def change(value):
            nonlocal step
            step = value

        return (lambda x: x + step), change

    first, change = adder(1)
    assert applied(first, 1) == 2
    change(2)
    second, _ = adder(1)
    assert applied(second, 1.5) == 2.5
    third, _ = adder(3)
    assert applied(third, 1) == 4
    for k in (1, 2):
        assert applied(lambda x, k=k: x + k, 1) == 1 + k
