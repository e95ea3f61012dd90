"""Own types whose fields are named tuples or of own types: values, errors of conversions, lifetimes."""

import sys
from typing import NamedTuple

import pytest

import pyopt
from pyopt import njit, types
from pyopt.extending import (
    NativeValue,
    box,
    lower_builtin,
    make_attribute_wrapper,
    models,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils


class Height(NamedTuple):
    """A number of its own kind."""

    z: float


class Time(NamedTuple):
    """Another number."""

    t: float


class Place:
    """Two parts."""

    def __init__(self, first, second):
        self.first = first
        self.second = second

    def __eq__(self, other):
        parts = [(one, type(one)) for one in (self.first, self.second)]
        return parts == [(one, type(one)) for one in (other.first, other.second)]

    __hash__ = None


class PlaceType(types.Type):
    """The type of places: of those of their parts."""

    def __init__(self, first, second):
        super().__init__(name=f"Place({first}, {second})")
        self.first = first
        self.second = second


@register_model(PlaceType)
class _PlaceModel(models.StructModel):
    def __init__(self, manager, type):
        super().__init__(manager, type, [("first", type.first), ("second", type.second)])


@typeof_impl.register(Place)
def _(value, context):
    return PlaceType(pyopt.typeof(value.first), pyopt.typeof(value.second))


make_attribute_wrapper(PlaceType, "first", "first")
make_attribute_wrapper(PlaceType, "second", "second")


@type_callable(Place)
def _(context):
    return PlaceType


@lower_builtin(Place, types.Any, types.Any)
def _(context, builder, signature, arguments):
    made = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    made.first, made.second = arguments
    return made._getvalue()


@unbox(PlaceType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    for name in ("first", "second"):
        part = c.pyapi.object_getattr_string(object, name)
        native = c.pyapi.to_native_value(getattr(type, name), part)
        setattr(made, name, native.value)
        c.pyapi.decref(part)
        # Libraries that were written for Numba ask before they let go of what they got.
        if c.context.enable_nrt:
            c.context.nrt.decref(c.builder, getattr(type, name), native.value)
    is_error = cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    return NativeValue(made._getvalue(), is_error)


@box(PlaceType)
def _(type, value, c):
    opened = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    parts = [
        c.pyapi.from_native_value(getattr(type, one), getattr(opened, one)) for one in ("first", "second")
    ]
    made = c.pyapi.unserialize(c.pyapi.serialize_object(Place))
    return c.pyapi.call_function_objargs(made, parts)


def of_one_value(x):
    return Place(Height(x), Time(x))


def of_constants():
    return Place(Height(0.0), Time(0.0))


def in_each_other(x):
    return Place(Place(Height(x), Time(x)), Place(Time(x), Height(x)))


def of_parts(place):
    return Place(Time(place.first.z), Height(place.first.z))


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (of_one_value, (2.5,)),
        (of_constants, ()),
        (in_each_other, (1.5,)),
        (of_parts, (Place(Height(3.0), Time(4.0)),)),
    ],
)
def test_parts_of_several_types_are_made_of_one_value(function, arguments):
    assert njit(function)(*arguments) == function(*arguments)


@njit
def first_height(place):
    return place.first.z


def test_objects_are_given_up_when_the_call_is_over():
    for number in range(3):
        place = Place(Height(float(number)), Time(0.0))
        before = sys.getrefcount(place.first)
        assert first_height(place) == number
        after = sys.getrefcount(place.first)
        assert after == before


def test_lists_that_are_made_are_given_up_at_once():
    @njit
    def made(n):
        items = [float(i) for i in range(n)]
        return items, items

    one, other = made(3)
    assert one is other
    # Both names, and the argument.
    assert sys.getrefcount(one) == 3


class Broken:
    """Has no second part."""

    first = Height(1.0)


@typeof_impl.register(Broken)
def _(value, context):
    return PlaceType(pyopt.typeof(value.first), pyopt.typeof(Time(0.0)))


def test_the_first_error_of_a_conversion_is_the_one_that_is_raised():
    with pytest.raises(AttributeError, match="'Broken' object has no attribute 'second'"):
        first_height(Broken())
    # In another one, whose conversion goes on behind the error.
    with pytest.raises(AttributeError, match="'Broken' object has no attribute 'second'"):
        first_height(Place(Broken(), Time(1.0)))


def test_typeof_converts_nothing():
    described = pyopt.typeof(Broken())
    assert described == PlaceType(pyopt.typeof(Height(0.0)), pyopt.typeof(Time(0.0)))
