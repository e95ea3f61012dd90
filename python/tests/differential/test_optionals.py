"""What is None on one path and a value on another."""

# ruff: noqa: E711 -- comparing with None is among the variants

from collections import namedtuple

import numpy as np
import pytest
from compare import assert_same, check, combinations, compile_once
from memory import growth

from pyopt import njit, prange, types

NUMBERS = (-1, 0, 1, 2, 3, 5)
Point = namedtuple("Point", "x y")


# Results


def returned_on_a_path(n):
    if n > 2:
        return n


def none_on_a_path(n):
    if n > 2:
        return None
    return n * 2.5


def variable(n):
    made = None
    if n > 1:
        made = n
    return made


def in_a_tuple(n):
    made = None
    if n > 1:
        made = n
    return made, n


def tuple_of_both(n):
    if n > 1:
        return n, None
    return None, n


def text(n):
    made = None
    if n > 1:
        made = "héllo"
    return made, made == "héllo", made != None


def maybe_tuple(n):
    if n > 1:
        return n, 2.5, (n, True)


def maybe_named(n):
    point = None
    if n > 1:
        point = Point(n, 2.5)
    return point, -1 if point is None else point.x


def maybe_list(n):
    if n > 1:
        return [n, 2]


# None in conditions


def guarded(n):
    made = None
    if n > 0:
        made = n
    if made is None:
        return 0
    return made + 1


def not_none(n):
    made = None
    if n > 0:
        made = n
    if made is not None:
        return made * 2
    return -1


def truth_of(n):
    made = None
    if n >= 0:
        made = n
    return bool(made), not made, (made or 7)


def range_if_any(n):
    numbers = None
    if n > 1:
        numbers = range(n)
    total = 0
    if numbers is not None:
        for i in numbers:
            total += i
    return total


def found_in(n):
    made = None
    if n > 1:
        made = n
    return made in (1, 2, None), made in (2, 3), made not in (5,)


def replaced(n):
    made = None
    if n > 2:
        made = n
    if made is None:
        made = -5
    return made + 1


# Loops


def reset_in_loop(n):
    state = None
    for i in range(n):
        if state is None:
            state = i
        elif state > 3:
            state = None
        else:
            state = state + 2
    return state


def doubled_until(n):
    x = None
    while x is None or x < n:
        x = 1 if x is None else x * 2
    return x


def made_in_loop(n):
    for i in range(n):
        made = None
        if i % 2:
            made = i
    return made


def positions(n):
    where, which = None, None
    for i in range(n):
        if which is None or (i * 7) % 5 > which:
            where, which = i, (i * 7) % 5
    return where, which


# Callees


@njit
def takes_optional(x):
    if x is None:
        return -1
    return x * 2


@njit
def gives_optional(n):
    if n > 1:
        return n


def passes_on(n):
    made = None
    if n > 0:
        made = n
    return takes_optional(made), takes_optional(None), takes_optional(n)


def uses_result(n):
    got = gives_optional(n)
    if got is None:
        return -1
    return got + 1


def optional_of_optional(n):
    got = None
    if n > 0:
        got = gives_optional(n)
    return got


def default_is_none(n, k=None):
    if k is None and n > 1:
        k = n
    return k


def factorial(n):
    if n < 0:
        return None
    if n <= 1:
        return 1
    return n * factorial(n - 1)


# Exceptions


def tried(n):
    made = None
    try:
        if n > 1:
            made = n
        if n > 2:
            raise ValueError("large")
        result = made + 1
    except ValueError:
        return made
    except TypeError:
        return -5
    return result


def held_by_exception(n):
    made = None
    if n > 1:
        made = n
    raise ValueError(made, 2)


FUNCTIONS = (
    returned_on_a_path,
    none_on_a_path,
    variable,
    in_a_tuple,
    tuple_of_both,
    text,
    maybe_tuple,
    maybe_named,
    maybe_list,
    guarded,
    not_none,
    truth_of,
    range_if_any,
    found_in,
    replaced,
    reset_in_loop,
    doubled_until,
    made_in_loop,
    positions,
    passes_on,
    uses_result,
    optional_of_optional,
    default_is_none,
    factorial,
    tried,
    held_by_exception,
)


@pytest.mark.parametrize(("function", "args"), combinations(FUNCTIONS, NUMBERS))
def test_none_or_a_value(function, args):
    check(function, *args)


def equalities(n, m):
    a = None
    b = None
    if n > 0:
        a = n
    if m > 0:
        b = m
    return a == b, a != b, a == None, a != None, a == 1, 1 != a, a is not None, None is b


@pytest.mark.parametrize("n", (0, 1, 2))
@pytest.mark.parametrize("m", (0, 1, 2))
def test_equality_and_identity(n, m):
    check(equalities, n, m)


def classes(n):
    made = None
    if n > 0:
        made = n
    same = made is made
    return isinstance(made, int), isinstance(made, float), isinstance(made, (object, str)), same


def test_classes():
    for n in (0, 1):
        assert compile_once(classes)(n) == classes(n)


DTYPES = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")


def element(a, n):
    made = None
    if n < a.size:
        made = a[n]
    return made


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_of_every_type(dtype):
    values = np.array([0, 1, 3]).astype(dtype)
    for n in range(5):
        check(element, values, n)


def test_types_of_paths_are_joined():
    @njit
    def joined(n):
        x = None
        if n > 1:
            x = n
        elif n < 0:
            x = 0.5
        return x

    # A variable has one type, here that which holds both.
    assert repr([joined(n) for n in (-1, 0, 2)]) == "[0.5, None, 2.0]"


def find(a, wanted):
    for i in range(a.size):
        if a[i] == wanted:
            return i


def smallest(a):
    least = None
    for value in a:
        if least is None or value < least:
            least = value
    return least


@pytest.mark.parametrize("values", ([], [2.0], [3.0, 1.0, 2.0]))
def test_searching_an_array(values):
    a = np.array(values)
    check(smallest, a)
    for wanted in (1.0, 2.0, 9.0):
        check(find, a, wanted)


# Arrays: what isn't there owns nothing


def new_array(a, n):
    if n > 2:
        return np.full(n, a[0])


def same_array(a, n):
    if n > 2:
        return a


def slice_of(a, n):
    part = None
    if n > 2:
        part = a[1:]
    if part is not None:
        part[0] = 7
    return part


def array_in_loop(a, n):
    made = None
    for i in range(n):
        if i % 2:
            made = np.full(3, i)
        elif i % 3 == 0:
            made = None
    return made


def exchanged(a, n):
    x = None
    y = a * 2.0
    for _ in range(n):
        x, y = y, x
    return x, y


def with_array(a, n):
    made = None
    if n > 1:
        made = (n, np.ones(n), a)
    return made


def dropped(a, n):
    made = None
    if n > 2:
        made = a + 1.0
    return n if made is None else n + made.size


def of_callee(a, n):
    made = array_or_none(a, n)
    again = array_or_none(a, n - 1)
    if made is None:
        return again
    if again is None:
        return made
    return made + again


@njit
def array_or_none(a, n):
    if n > 1:
        return a * n


ARRAY_FUNCTIONS = (
    new_array,
    same_array,
    slice_of,
    array_in_loop,
    exchanged,
    with_array,
    dropped,
    of_callee,
)


@pytest.mark.parametrize("n", NUMBERS)
@pytest.mark.parametrize("function", ARRAY_FUNCTIONS)
@pytest.mark.parametrize("a", (np.arange(1.0, 5.0), np.arange(1.0, 9.0)[::2]), ids=("C", "strided"))
def test_arrays(function, n, a):
    check(function, a, n, numpy=True)


@pytest.mark.parametrize("n", (0, 2, 5))
@pytest.mark.parametrize("function", ARRAY_FUNCTIONS)
def test_arrays_do_not_leak(function, n):
    compiled = compile_once(function)
    a = np.arange(1.0, 5.0)
    assert growth(lambda: compiled(a, n)) == 0


def used_absent(a, n):
    made = None
    kept = a + 1.0
    if n > 2:
        made = a * 2.0
    return made[1] + kept[0]


def test_an_absent_array_is_an_error_that_leaks_nothing():
    compiled = compile_once(used_absent)
    a = np.arange(4.0)
    assert compiled(a, 3) == used_absent(a, 3)

    def fail():
        with pytest.raises(TypeError) as raised:
            compiled(a, 0)
        assert str(raised.value) == "expected array(float64, 1d, C), got None"

    assert growth(fail) == 0


# Where the value is needed


def added(x):
    return x + 1


def added_in_place(x):
    x += 1
    return x


def negated(x):
    return -x


def compared(x):
    return x < 3


def indexed_by(x):
    return np.arange(9)[x]


def stored(x):
    a = np.zeros(3, np.int64)
    a[1] = x
    return a


def stored_at(x):
    a = np.zeros(9)
    a[x] = 1
    return a


def called_with(x):
    return max(x, 2)


def by_method(x):
    return np.ones(3).sum() + abs(x)


@pytest.mark.parametrize(
    "use",
    [added, added_in_place, negated, compared, indexed_by, stored, stored_at, called_with, by_method],
)
def test_use_of_none_is_an_error_at_run_time(use):
    inner = njit(use)

    @njit
    def used(n):
        x = None
        if n > 0:
            x = n
        return inner(x)

    for n in (1, 2, 5):
        assert_same(used(n), use(n))
    with pytest.raises(TypeError) as raised:
        used(0)
    assert str(raised.value) == "expected int64, got None"


def iterated(n):
    pair = None
    if n > 1:
        pair = (1, n)
    total = 0
    for x in pair:
        total += x
    first, second = pair
    return total + first - second


def test_items_of_none():
    check(iterated, 3)
    with pytest.raises(TypeError, match=r"^expected UniTuple\(int64 x 2\), got None$"):
        compile_once(iterated)(0)


# Parallel loops


def sum_of_some(n):
    total = 0
    for i in prange(n):
        x = None
        if i % 2:
            x = i
        if x is not None:
            total += x
    return total


def filled(n):
    a = np.zeros(n)
    for i in prange(n):
        x = None
        if i % 2:
            x = i
        a[i] = -1 if x is None else x
    return a


@pytest.mark.parametrize("function", [sum_of_some, filled])
@pytest.mark.parametrize("parallel", [False, True])
def test_in_parallel_loops(function, parallel):
    for n in (0, 1, 100):
        check(function, n, parallel=parallel)


# Types


def test_the_type_is_named_as_in_numba():
    compiled = njit(returned_on_a_path)
    compiled(1)
    [signature] = compiled.nopython_signatures
    assert str(signature) == "(int64,) -> OptionalType(int64)"
    assert signature.return_type == types.Optional(types.int64)


def test_what_returns_none_only_has_no_optional():
    @njit
    def nothing(n):
        if n > 1:
            return None

    assert nothing(1) is None
    [signature] = nothing.nopython_signatures
    assert signature.return_type == types.none


def test_lists_may_have_none_among_their_items():
    def program(keys):
        table = {0: 1.0, 1: 2.0}
        found = []
        for key in keys:
            found.append(table.get(key))
        missing = 0
        for item in found:
            if item is None:
                missing += 1
        return found, missing

    for keys in ([0, 1], [0, 9, 1], [9]):
        assert njit(program)(keys) == program(keys)
