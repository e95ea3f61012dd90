"""Structures of several classes that have one name."""

from pyopt import njit, typeof, types
from pyopt.experimental import structref


def of_one_name():
    """Make a class named Twin, of structures of two fields."""

    @structref.register
    class TwinType(types.StructRef):
        def preprocess_fields(self, fields):
            return tuple((name, types.unliteral(one)) for name, one in fields)

    class Twin(structref.StructRefProxy):
        @property
        def first(self):
            return read_first(self)

    @njit
    def read_first(twin):
        return twin.first

    structref.define_proxy(Twin, TwinType, ["first", "second"])
    return Twin


def test_classes_of_one_name_and_the_same_fields():
    one, other = of_one_name(), of_one_name()
    first, second = one(1, 2.0), other(3, 4.0)
    same = njit(lambda twin: twin)
    assert type(same(first)) is one and type(same(second)) is other
    assert typeof(first) != typeof(second)
    # The name of an outer structure's type tells its fields apart by their names alone.
    for inner in (first, second, one(5, 6.0)):
        outer = other(inner, 0)
        assert type(outer) is other and type(outer.first) is type(inner)
        assert outer.first.first == inner.first
