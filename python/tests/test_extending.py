"""Overloads from Python code: bodies for functions and methods, chosen by argument types."""

import math

import numpy as np
import pytest

from pyopt import errors, extending, njit, typed, types
from pyopt.extending import overload, overload_method, register_jitable


def clamp(x, low, high=1.0):
    """Do something that can't be compiled."""
    return sorted([x, low, high])[1]


@overload(clamp)
def clamp_overload(x, low, high=1.0):
    if isinstance(x, types.Array):

        def body(x, low, high=1.0):
            out = np.empty_like(x)
            for i in range(x.size):
                out[i] = min(max(x[i], low), high)
            return out

        return body
    if isinstance(x, types.Float):
        return lambda x, low, high=1.0: min(max(x, low), high)
    return None


@register_jitable
def twice(x):
    """Double a number."""
    return 2 * x


@register_jitable()
def thrice(x):
    """Triple a number."""
    return 3 * x


def test_a_body_is_chosen_by_types():
    @njit
    def of(x, low):
        return clamp(x, low)

    assert of(0.5, 0.0) == 0.5
    assert of(-2.5, 0.0) == 0.0
    np.testing.assert_array_equal(of(np.array([-1.0, 0.5, 7.0]), 0.0), [0.0, 0.5, 1.0])


def test_keywords_and_defaults():
    @njit
    def of(x):
        return clamp(x, high=0.25, low=-1.0)

    assert of(0.5) == 0.25


def test_types_without_a_body_are_an_error():
    @njit
    def of(x):
        return clamp(x, 0, 3)

    with pytest.raises(errors.TypingError, match="clamp"):
        of(2)


def test_jitable_functions_are_compiled_with_their_callers():
    @njit
    def of(x):
        return twice(x) + thrice(x)

    assert of(2) == 10
    assert of(0.5) == 2.5
    assert twice(4) == 8


def test_jitable_functions_have_options_of_their_own():
    @register_jitable(error_model="numpy")
    def inverse(x):
        return 1 / x

    @register_jitable(boundscheck=True)
    def item(a, at=7):
        return a[at]

    assert njit(lambda x: inverse(x))(0.0) == np.inf
    with pytest.raises(ZeroDivisionError):
        njit(lambda x: inverse(x) / x)(0.0)
    with pytest.raises(ZeroDivisionError):
        inverse(0.0)
    with pytest.raises(IndexError):
        njit(lambda a: item(a))(np.zeros(2))
    assert njit(lambda a: item(a, at=1))(np.arange(2.0)) == 1.0


def test_overloads_of_pyopts_own_are_not_spoken_of():
    """What typed containers have registered in the process is nobody's business."""
    njit(lambda items: items.append(1))(typed.List.empty_list(types.int64))
    for wrong, argument in [
        (lambda a: a.append(1), np.zeros(2)),
        (lambda a: len(a), 3),
        (lambda a: a.get(1), (1, 2)),
        (lambda a: a[1], 2.5),
    ]:
        with pytest.raises(errors.TypingError) as told:
            njit(wrong)(argument)
        assert "overloads were asked" not in str(told.value)


def test_a_body_reaches_what_it_closes_over():
    def scaled(x):
        raise NotImplementedError

    factor = 2.5

    @overload(scaled)
    def _(x):
        offset = 1

        def body(x):
            return twice(x) * factor + offset + math.floor(x)

        return body

    @njit
    def of(x):
        return scaled(x)

    assert of(2.0) == 13.0


def test_numpy_functions_get_bodies():
    @overload(np.heaviside)
    def _(x1, x2):
        if isinstance(x1, types.Number):

            def body(x1, x2):
                if x1 == 0:
                    return x2
                return 0.0 if x1 < 0 else 1.0

            return body

    @njit
    def of(x):
        return np.heaviside(x, 0.5)

    assert [of(-1.0), of(0.0), of(3.0)] == [0.0, 0.5, 1.0]


def test_methods_of_arrays():
    @overload_method(types.Array, "total_twice")
    def _(array):
        return lambda array: 2 * array.sum()

    @njit
    def of(x):
        return x.total_twice()

    assert of(np.arange(4.0)) == 12.0


def test_the_first_overload_is_asked_first():
    def which(x):
        raise NotImplementedError

    @overload(which)
    def _(x):
        if isinstance(x, types.Float):
            return lambda x: 2

    @overload(which)
    def _(x):
        return lambda x: 1

    @njit
    def of(x):
        return which(x)

    assert of(1) == 1
    assert of(1.0) == 2


def test_a_body_with_other_parameters_is_refused():
    def strange(x):
        raise NotImplementedError

    @overload(strange)
    def _(x):
        return lambda y: y

    @njit
    def of(x):
        return strange(x)

    with pytest.raises(errors.TypingError, match="arguments differ in argument names"):
        of(1)


def test_errors_in_a_body_have_its_line():
    def failing(x):
        raise NotImplementedError

    @overload(failing)
    def _(x):
        def body(x):
            return x.no_such_attribute

        return body

    @njit
    def of(x):
        return failing(x)

    with pytest.raises(errors.TypingError, match="no_such_attribute"):
        of(1)


def test_what_isnt_asked_is_accepted():
    @extending.lower_getattr(types.Integer, "parity")
    def lowered(context, builder, source, target, value):
        return None

    @extending.lower_builtin(len, types.Integer)
    def length(context, builder, signature, arguments):
        return None

    with pytest.raises(errors.TypingError, match="len"):
        njit(lambda x: len(x))(1)
    with pytest.raises(AttributeError, match="no_such_name"):
        extending.no_such_name
    assert extending.is_jitted(njit(clamp)) and not extending.is_jitted(clamp)


def test_a_body_asks_for_values_by_the_attribute_of_a_module():
    import pyopt

    def power(x, n):
        raise NotImplementedError

    @overload(power)
    def _(x, n):
        if isinstance(n, types.Literal):
            exponent = n.literal_value
            return (lambda x, n: x * x) if exponent == 2 else (lambda x, n: x**exponent)
        # No name of this module stands for the function.
        return lambda x, n: pyopt.literally(n)

    of = njit(lambda x, n: power(x, n))
    assert [of(3, n) for n in (2, 3, 4)] == [9, 27, 81]


def test_what_an_overload_is_of_and_its_options_are_checked():
    def plain(x):
        raise NotImplementedError

    with pytest.raises(TypeError, match="it has code of its own"):
        overload(njit(lambda x: x))
    for register in (
        lambda: overload(plain, inline="sometimes"),
        lambda: overload_method(types.Integer, "plain", inline=1),
        lambda: extending.overload_attribute(types.Integer, "plain", inline="sometimes"),
    ):
        with pytest.raises(ValueError, match="'always' or 'never', or it can be a callable"):
            register()
    overload(plain, inline=lambda *costs: True, jit_options={"colour": True})(lambda x: lambda x: x)
    with pytest.raises(errors.TypingError, match="unknown option 'colour'"):
        njit(lambda x: plain(x))(1)
