"""Types of extensions' own: models, conversions, attributes, calls."""

import gc
import operator
import pickle
import sys
from contextlib import ExitStack

import numpy as np
import pytest
from pyopt._core import memory_stats

from pyopt import errors, njit, types
from pyopt.extending import (
    NativeValue,
    as_numba_type,
    box,
    lower_builtin,
    make_attribute_wrapper,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils


class Span:
    """From a number to another, with a count; the compiler calls the parts otherwise."""

    def __init__(self, start, end, count=0):
        self.start = start
        self.end = end
        self.count = count

    def __eq__(self, other):
        return (self.start, self.end, self.count) == (other.start, other.end, other.count)

    __hash__ = None


class SpanType(types.Type):
    """The type of spans."""

    def __init__(self):
        super().__init__(name="Span")


span_type = SpanType()


@typeof_impl.register(Span)
def _(value, context):
    return SpanType()


as_numba_type.register(Span, span_type)


@register_model(SpanType)
class SpanModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        fields = [("low", types.float64), ("high", types.float64), ("seen", types.int64)]
        models.StructModel.__init__(self, dmm, fe_type, fields)


make_attribute_wrapper(SpanType, "low", "start")
make_attribute_wrapper(SpanType, "high", "end")
make_attribute_wrapper(SpanType, "seen", "count")


@type_callable(Span)
def _(context):
    def typer(start, end, count):
        if isinstance(start, types.Float) and isinstance(end, types.Float):
            return span_type

    return typer


@lower_builtin(Span, types.Float, types.Float, types.Integer)
def _(context, builder, signature, args):
    made = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    made.low, made.high = args[:2]
    made.seen = context.cast(builder, args[2], signature.args[2], types.int64)
    return made._getvalue()


@unbox(SpanType)
def _(type, object, c):
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    names = {"low": ("start", types.float64), "high": ("end", types.float64), "seen": ("count", types.int64)}
    with ExitStack() as stack:
        for field, (name, kind) in names.items():
            part = c.pyapi.object_getattr_string(object, name)
            with cgutils.early_exit_if_null(c.builder, stack, part):
                c.builder.store(cgutils.true_bit, failed)
            native = c.unbox(kind, part)
            c.pyapi.decref(part)
            with cgutils.early_exit_if(c.builder, stack, native.is_error):
                c.builder.store(cgutils.true_bit, failed)
            setattr(made, field, native.value)
    return NativeValue(made._getvalue(), is_error=c.builder.load(failed))


@box(SpanType)
def _(type, value, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    parts = [
        c.box(types.float64, made.low),
        c.pyapi.float_from_double(made.high),
        c.box(types.int64, made.seen),
    ]
    kind = c.pyapi.unserialize(c.pyapi.serialize_object(Span))
    object = c.pyapi.call_function_objargs(kind, parts)
    for part in (*parts, kind):
        c.pyapi.decref(part)
    return object


@overload_attribute(SpanType, "width")
def _(span):
    return lambda span: span.end - span.start


@overload_method(SpanType, "scaled")
def _(span, by):
    return lambda span, by: Span(span.start * by, span.end * by, span.count + 1)


@overload(operator.contains)
def _(span, x):
    if isinstance(span, SpanType):
        return lambda span, x: span.start <= x < span.end


@overload(operator.eq)
def _(a, b):
    if isinstance(a, SpanType) and isinstance(b, SpanType):
        return lambda a, b: a.start == b.start and a.end == b.end


def test_fields_are_attributes():
    of = njit(lambda s: (s.start, s.end, s.count, s.width))
    assert of(Span(1.0, 4.5, 7)) == (1.0, 4.5, 7, 3.5)
    assert of(Span(1, 4, -7)) == (1.0, 4.0, -7, 3.0)


def test_objects_are_made():
    made = njit(lambda a, b: Span(a, b, 2))(1.0, 2.0)
    assert type(made) is Span and made == Span(1.0, 2.0, 2)
    scaled = njit(lambda s: s.scaled(2.0).scaled(0.5))(Span(1.0, 3.0))
    assert scaled == Span(1.0, 3.0, 2)


def test_operators():
    @njit
    def of(s, t):
        return 2.0 in s, 5.0 not in s, s == t, s == s

    assert of(Span(1.0, 3.0), Span(1.0, 4.0)) == (True, True, False, True)


def test_in_loops_branches_and_tuples():
    @njit
    def of(span, n):
        best = span
        for i in range(n):
            other = Span(span.start - i, span.end, i)
            if other.width > best.width:
                best = other
        return best, (span, n)

    best, (same, n) = of(Span(0.0, 1.0), 5)
    assert best == Span(-4.0, 1.0, 4) and same == Span(0.0, 1.0) and n == 5


def test_functions_pass_them_on():
    @njit
    def inner(span):
        return span.width

    assert njit(lambda s: inner(s) + inner(Span(0.0, 1.0, 0)))(Span(2.0, 4.0)) == 3.0


def test_signatures():
    of = njit(types.float64(span_type))(lambda s: s.width)
    assert of(Span(0.0, 2.0)) == 2.0
    assert as_numba_type(Span) == span_type and as_numba_type(float) == types.float64
    assert as_numba_type(int | None) == types.Optional(types.int64)
    assert as_numba_type(tuple[int, Span]) == types.Tuple((types.int64, span_type))
    assert as_numba_type(span_type) is span_type and as_numba_type(type(None)) == types.none
    for kind, reason in [
        (tuple[int, ...], "Cannot infer Numba type"),
        (int | float, "that is not an Optional"),
    ]:
        with pytest.raises(errors.TypingError, match=reason):
            as_numba_type(kind)
    assert types.typeof(Span(0.0, 1.0)) == span_type


@pytest.mark.parametrize(
    "use",
    [
        lambda s: len(s),
        lambda s: s[0],
        lambda s: s + s,
        lambda s: s < s,
        lambda s: s != s,
        lambda s: 1 if s else 0,
        lambda s: list(s),
        lambda s: tuple(s),
        lambda s: s.low,
        lambda s: s.nothing,
        lambda s: [x for x in s],
        lambda s: sum(s),
        lambda s: hash(s),
        lambda s: s(1),
        lambda s: np.array(s),
        lambda s: np.sum(s),
    ],
)
def test_nothing_else_can_be_done_with_them(use):
    with pytest.raises((errors.TypingError, errors.UnsupportedError)):
        njit(use)(Span(0.0, 1.0))


def test_tuples_are_compared_by_the_overload_of_their_items():
    compiled = njit(lambda s, t: ((s, 1) == (t, 1), (s, 1) == (t, 2)))
    assert compiled(Span(0.0, 1.0), Span(0.0, 1.0)) == (True, False)


def test_a_call_that_no_typer_takes_is_refused():
    with pytest.raises(errors.TypingError, match="Span"):
        njit(lambda: Span(1, 2, 3))()
    with pytest.raises(errors.TypingError, match="Span"):
        njit(lambda: Span(1.0))()


def test_errors_of_conversions_are_those_of_python():
    of = njit(lambda s: s.start)
    with pytest.raises(TypeError, match="str|float"):
        of(Span([], 2.0))
    with pytest.raises(OverflowError):
        of(Span(1.0, 2.0, 1 << 70))
    broken = Span(1.0, 2.0)
    del broken.end
    with pytest.raises(AttributeError, match="end"):
        of(broken)
    assert of(Span(1.5, 2.0)) == 1.5


def test_conversions_keep_no_references():
    of = njit(lambda s: s.scaled(1.0))
    span = Span(1.0, 2.0)
    of(span)
    gc.collect()
    before = sys.getrefcount(span), sys.getrefcount(Span)
    for _ in range(50):
        of(span)
    assert (sys.getrefcount(span), sys.getrefcount(Span)) == before


class Box:
    """Holds a value of any type."""

    def __init__(self, value):
        self.value = value


class BoxType(types.Type):
    """The type of boxes of values of a type."""

    def __init__(self, item):
        self.item = item
        super().__init__(name=f"Box[{item}]")


@typeof_impl.register(Box)
def _(value, context):
    return BoxType(types.typeof(value.value))


@register_model(BoxType)
class BoxModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("value", fe_type.item)])


make_attribute_wrapper(BoxType, "value", "value")


@unbox(BoxType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    native = c.unbox(type.item, c.pyapi.object_getattr_string(object, "value"))
    made.value = native.value
    return NativeValue(made._getvalue(), is_error=native.is_error)


@pytest.mark.parametrize("value", [3, 2.5, True, 1j, np.float32(1.5), np.uint8(200), -1])
def test_types_with_parameters(value):
    found = njit(lambda box: box.value)(Box(value))
    assert found == value


def test_types_without_a_box_function_are_not_returned():
    with pytest.raises(TypeError, match="cannot convert native Box.* to Python object"):
        njit(lambda box: box)(Box(3))


def test_own_types_in_own_types():
    of = njit(lambda box: box.value.width)
    assert of(Box(Span(1.0, 2.5))) == 1.5


class Plain:
    """Has a type and no model."""


class PlainType(types.Type):
    """Has no model."""


@typeof_impl.register(Plain)
def _(value, context):
    return PlainType("Plain")


def test_a_type_without_model_is_refused():
    with pytest.raises(errors.TypingError, match="the type Plain of a 'Plain' has no model"):
        njit(lambda x: x)(Plain())


class Bag:
    """Holds an array and how often it was used."""

    def __init__(self, data, uses):
        self.data = data
        self.uses = uses


class BagType(types.Type):
    """The type of bags of arrays of a type."""

    def __init__(self, array):
        self.array = array
        super().__init__(name="Bag")

    @property
    def key(self):
        return self.array


@typeof_impl.register(Bag)
def _(value, context):
    return BagType(types.typeof(value.data))


@register_model(BagType)
class BagModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("data", fe_type.array), ("uses", types.int64)])


make_attribute_wrapper(BagType, "data", "data")
make_attribute_wrapper(BagType, "uses", "uses")


@type_callable(Bag)
def _(context):
    return lambda data, uses: BagType(data) if isinstance(data, types.Array) else None


@lower_builtin(Bag, types.Array, types.Integer)
def _(context, builder, signature, args):
    made = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    made.data, made.uses = args
    context.nrt.incref(builder, signature.args[0], args[0])
    return made._getvalue()


@unbox(BagType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    data = c.unbox(type.array, c.pyapi.object_getattr_string(object, "data"))
    uses = c.unbox(types.int64, c.pyapi.object_getattr_string(object, "uses"))
    made.data, made.uses = data.value, uses.value
    return NativeValue(made._getvalue(), is_error=c.builder.or_(data.is_error, uses.is_error))


@box(BagType)
def _(type, value, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder, value=value)
    parts = c.box(type.array, made.data), c.box(types.int64, made.uses)
    return c.pyapi.call_function_objargs(c.pyapi.unserialize(c.pyapi.serialize_object(Bag)), parts)


def test_fields_that_are_arrays():
    @njit
    def of(bag, n):
        for i in range(n):
            bag = Bag(bag.data + i, bag.uses + 1)
            np.ones(100)
        return bag, bag.data.sum()

    data = np.arange(4.0)
    made, total = of(Bag(data, 1), 3)
    np.testing.assert_array_equal(made.data, data + 3)
    assert made.uses == 4 and total == 18.0
    same, _ = of(Bag(data, 1), 0)
    assert same.data is data
    integers, _ = of(Bag(np.arange(3), 0), 0)
    assert integers.data.dtype == np.int64

    def live():
        allocated, freed, *_ = memory_stats()
        return allocated - freed

    gc.collect()
    before = live()
    for _ in range(20):
        of(Bag(data, 1), 5)
    gc.collect()
    assert live() == before


@overload(operator.or_)
def _(one, other):
    if isinstance(one, BagType) and isinstance(other, BagType):
        return lambda one, other: (one.data * other.data).sum() + other.uses


KEPT = Bag(np.array([1, 2, 3]), 5)


def test_objects_of_own_types_are_constants():
    with_constant = njit(lambda bag: bag | KEPT)
    assert with_constant(Bag(np.array([1.0, 2.0, 3.0]), 0)) == 19.0
    assert njit(lambda: KEPT.uses + KEPT.data[1])() == 7
    bags = (Bag(np.array([2]), 1), Bag(np.array([1.5]), 2))
    assert njit(lambda bag: (bag | bags[0]) + (bag | bags[1]))(Bag(np.array([4]), 0)) == 17.0

    @njit
    def changed():
        # The type says that it may be written to: what is written to is a copy.
        data = KEPT.data
        data[0] += 10
        return data.sum()

    assert [changed(), changed()] == [16, 16]
    assert KEPT.data[0] == 1
    # Strides are part of the type, which a frozen array hasn't.
    reversed_bag = Bag(np.arange(4.0)[::-2], 2)
    assert njit(lambda: reversed_bag.data[0] * reversed_bag.uses)() == 6.0


def test_temporary_fields_live_until_the_call_is_over():
    class Lazy(Bag):
        @property
        def data(self):
            return np.full(1000, 3.0)

        @data.setter
        def data(self, value):
            """Forget it."""

    assert njit(lambda bag: bag.data.sum())(Lazy(None, 1)) == 3000.0


def test_objects_of_derived_classes_are_those_of_the_extension():
    class Derived(Bag):
        pass

    bag = Derived(np.arange(3.0), 2)
    call = njit(lambda bag, other: (bag.data.sum(), isinstance(other, Derived)))
    assert call(bag, 1) == (3.0, False)
    assert call(bag, 1) == (3.0, False)


def test_a_field_of_another_type_than_was_said():
    class Changing(Bag):
        turn = 0

        @property
        def data(self):
            self.turn += 1
            return np.ones(2) if self.turn == 1 else np.ones((2, 2), np.int8)

        @data.setter
        def data(self, value):
            """Forget it."""

    with pytest.raises(TypeError, match="expected array"):
        njit(lambda bag: bag.data.sum())(Changing(None, 1))


class Tagged:
    """An object that knows its type, which its class and a number are."""

    def __init__(self, number, values):
        self.number = number
        self.values = values

    @property
    def _numba_type_(self):
        return TaggedType(self.number, types.typeof(self.values)) if self.number else None


class TaggedType(types.Type):
    """The type of tagged objects of a number."""

    def __init__(self, number, values):
        self.number = number
        self.values = values
        super().__init__(name=f"Tagged({number}, {values})")


@register_model(TaggedType)
class TaggedModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("values", fe_type.values)])


@unbox(TaggedType)
def _(typ, obj, c):
    tagged = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    values = c.pyapi.object_getattr_string(obj, "values")
    tagged.values = c.unbox(typ.values, values).value
    c.pyapi.decref(values)
    return NativeValue(tagged._getvalue())


@box(TaggedType)
def _(typ, val, c):
    tagged = cgutils.create_struct_proxy(typ)(c.context, c.builder, value=val)
    # The class by its address, as programs do that take no time for pickling.
    made = c.context.add_dynamic_addr(c.builder, id(Tagged), info="Tagged")
    number = c.pyapi.unserialize(c.pyapi.serialize_object(typ.number))
    return c.pyapi.call_function_objargs(made, (number, c.box(typ.values, tagged.values)))


make_attribute_wrapper(TaggedType, "values", "values")


@overload(operator.add)
def _(left, right):
    if isinstance(left, TaggedType):
        first = np.arange(9)[left.number]
        kind = np.result_type(left.values.dtype.name, np.float32)

        def added(left, right):
            values = left.values.astype(kind)
            values[first] += right
            return values

        return added
    return None


def test_objects_that_know_their_types():
    """The attribute that Numba asks first counts, and None says that an object has no type."""
    same = njit(lambda tagged: tagged)
    tagged = Tagged(2, np.arange(3))
    back = same(tagged)
    assert (type(back), back.number, back.values) == (Tagged, 2, tagged.values)
    assert same.signatures == [(TaggedType(2, types.typeof(tagged.values)),)]
    with pytest.raises(errors.TypingError):
        same(Tagged(0, np.arange(3)))


def test_overloads_capture_scalars_of_numpy():
    """What a body has from its overload has its own type, as globals have."""
    added = njit(lambda tagged, number: tagged + number)
    assert added(Tagged(2, np.arange(3)), 1.5).tolist() == [0, 1, 3.5]
    assert added(Tagged(1, np.arange(3, dtype=np.int8)), 2).dtype == np.float32


class ConfiguredType(types.Type):
    """A type that leaves out what can be found again when it is pickled."""

    def __init__(self, size):
        self.size = size
        self.found = {}
        super().__init__(name=f"Configured({size})")

    def __getstate__(self):
        return {"size": self.size, "found": {}}


@register_model(ConfiguredType)
class ConfiguredModel(models.OpaqueModel):
    pass


@pytest.mark.parametrize(
    "known", [SpanType(), TaggedType(3, types.float64[::1]), ConfiguredType(4), types.Optional(SpanType())]
)
def test_types_are_pickled(known):
    """As in Numba the type that is read is the one that is known, if there is one."""
    assert known.text
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(known, protocol))
        assert back == known
        assert str(back) == str(known)
        assert getattr(back, "__dict__", None) == getattr(known, "__dict__", None)
    if isinstance(known, ConfiguredType):
        known = pickle.loads(pickle.dumps(known))
        known.found["it"] = known
        assert pickle.loads(pickle.dumps(known)) is known
