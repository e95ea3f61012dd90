"""Classes, fields and types whose names have other characters than ASCII's letters."""

from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from pyopt import njit, types
from pyopt.experimental import jitclass
from pyopt.extending import NativeValue, box, models, overload_method, register_model, typeof_impl, unbox
from pyopt.intrinsics import cgutils

Größe = namedtuple("Größe", "Δx y")


class Línea(NamedTuple):
    ñ: int
    señal: str


@dataclass
class Körper:
    µ: float
    名: int


class Färbung(Enum):
    RÖT = 1
    BLAU = 2


def test_named_tuples():
    @njit
    def moved(size):
        return Größe(size.Δx + 1, size.y), size

    assert moved(Größe(1, 2.5)) == (Größe(2, 2.5), Größe(1, 2.5))
    ((result, argument),) = ((one.return_type, one.args[0]) for one in moved.nopython_signatures)
    assert argument.fields == ("Δx", "y") and result.types[1] == argument

    @njit
    def line(n):
        return Línea(n, "ß" * n)

    assert line(2) == Línea(2, "ßß")


def test_data_classes():
    @njit
    def heavier(body):
        return Körper(body.µ * 2, body.名 + 1)

    assert heavier(Körper(1.5, 2)) == Körper(3.0, 3)


def test_enumerations():
    @njit
    def other(color):
        return Färbung.BLAU if color is Färbung.RÖT else color

    assert other(Färbung.RÖT) is Färbung.BLAU is other(Färbung.BLAU)


def test_classes():
    @jitclass([("größe", types.int64)])
    class Behälter:
        def __init__(self, größe):
            self.größe = größe

        def doppelt(self):
            return self.größe * 2

    @njit
    def of(one):
        return one.doppelt() + one.größe

    assert of(Behälter(4)) == 12


class Tagged:
    """A number whose type has quotation marks, backslashes and brackets in its name."""

    def __init__(self, number):
        self.number = number


class TaggedType(types.Type):
    def __init__(self, tag):
        super().__init__(name=f"Tagged({tag})")


@register_model(TaggedType)
class TaggedModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("number", types.int64)])


typeof_impl.register(Tagged, lambda value, context: TaggedType('{"a\\b": "<ü>, x"}'))


@unbox(TaggedType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    made.number = c.unbox(types.int64, c.pyapi.object_getattr_string(object, "number")).value
    return NativeValue(made._getvalue())


@box(TaggedType)
def _(type, value, c):
    opened = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    return c.pyapi.call_function_objargs(
        c.pyapi.unserialize(c.pyapi.serialize_object(Tagged)), [c.box(types.int64, opened.number)]
    )


@overload_method(TaggedType, "same")
def _(one):
    return lambda one: one


def test_types_of_extensions():
    @njit
    def of(one):
        return one.same(), (one, 1)

    first, (second, number) = of(Tagged(5))
    assert (type(first), first.number, second.number, number) == (Tagged, 5, 5, 1)
