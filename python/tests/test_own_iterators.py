"""Loops over extensions' own types, whose code is that of ``getiter`` and ``iternext``."""

import pytest

from pyopt import errors, njit, types
from pyopt.extending import (
    infer,
    lower_builtin,
    make_attribute_wrapper,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils
from pyopt.own_types import NativeValue
from pyopt.templates import AbstractTemplate


class Span:
    """The numbers from a first one on, below a last one."""

    def __init__(self, first, last):
        self.first, self.last = first, last


class Wide(Span):
    """A span whose iterator has its place in memory of its own."""


class Bare(Span):
    """A span whose iterator has no model."""


class SpanType(types.IterableType):
    def __init__(self):
        super().__init__("Span")

    @property
    def iterator_type(self):
        return SpanIterator(self)


class WideType(types.Type):
    def __init__(self):
        super().__init__("Wide")


class BareType(types.Type):
    def __init__(self):
        super().__init__("Bare")

    @property
    def iterator_type(self):
        return types.SimpleIteratorType("BareIterator", types.int64)


class SpanIterator(types.SimpleIteratorType):
    def __init__(self, span):
        super().__init__(f"SpanIterator({span.name})", types.int64)
        self.span = span


class WideIterator(types.SimpleIteratorType):
    def __init__(self, span):
        super().__init__(
            f"WideIterator({span.name})", types.Tuple([types.int64, types.float64, types.boolean])
        )
        self.span = span


@infer
class WideGetIter(AbstractTemplate):
    key = "getiter"

    def generic(self, args, kws):
        (iterable,) = args
        return WideIterator(iterable)(iterable) if isinstance(iterable, WideType) else None


@register_model(SpanType)
@register_model(WideType)
@register_model(BareType)
class SpanModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("first", types.int64), ("last", types.int64)])


@register_model(SpanIterator)
class SpanIteratorModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("span", fe_type.span), ("at", types.EphemeralPointer(types.int64))])


@register_model(WideIterator)
class WideIteratorModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        members = [
            ("last", types.int64),
            ("at", types.EphemeralPointer(types.int64)),
            ("is_even", types.EphemeralPointer(types.boolean)),
        ]
        super().__init__(dmm, fe_type, members)


for _class, _type in ((Span, SpanType), (Wide, WideType), (Bare, BareType)):
    typeof_impl.register(_class, lambda value, context, kind=_type: kind())


@unbox(SpanType)
@unbox(WideType)
@unbox(BareType)
def _(kind, value, c):
    made = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    for name in ("first", "last"):
        field = c.pyapi.object_getattr_string(value, name)
        setattr(made, name, c.pyapi.long_as_longlong(field))
        c.pyapi.decref(field)
    return NativeValue(made._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


make_attribute_wrapper(SpanType, "last", "last")


@lower_builtin("getiter", SpanType)
def _(context, builder, sig, args):
    made = context.make_helper(builder, sig.return_type)
    made.span = args[0]
    span = context.make_helper(builder, sig.args[0], args[0])
    made.at = cgutils.alloca_once_value(builder, span.first)
    return made._getvalue()


@lower_builtin("iternext", SpanIterator)
def _(context, builder, sig, args, result):
    (kind,) = sig.args
    opened = context.make_helper(builder, kind, args[0])
    span = context.make_helper(builder, kind.span, opened.span)
    at = builder.load(opened.at)
    is_valid = builder.icmp_signed("<", at, span.last)
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        result.yield_(at)
        builder.store(cgutils.increment_index(builder, at), opened.at)


@lower_builtin("getiter", WideType)
def _(context, builder, sig, args):
    span = context.make_helper(builder, sig.args[0], args[0])
    made = context.make_helper(builder, sig.return_type)
    made.last = span.last
    made.at = cgutils.alloca_once_value(builder, span.first)
    place = cgutils.alloca_once(builder, context.get_data_type(types.boolean))
    context.pack_value(builder, types.boolean, cgutils.true_bit, place)
    made.is_even = place
    return made._getvalue()


@lower_builtin("iternext", WideIterator)
def _(context, builder, sig, args, result):
    opened = context.make_helper(builder, sig.args[0], args[0])
    at = builder.load(opened.at)
    is_even = context.unpack_value(builder, types.boolean, opened.is_even)
    with builder.if_else(builder.icmp_signed("<", at, opened.last)) as (then, otherwise):
        with then:
            half = builder.fmul(builder.sitofp(at, cgutils.double_t), cgutils.double_t(0.5))
            item = context.make_tuple(builder, sig.args[0].yield_type, [at, half, is_even])
            result.set_valid()
            result.yield_(item)
            builder.store(cgutils.increment_index(builder, at), opened.at)
            context.pack_value(builder, types.boolean, builder.not_(is_even), opened.is_even)
        with otherwise:
            result.set_exhausted()


SPANS = [(0, 0), (0, 1), (-3, 4), (5, 2), (2, 40)]


@pytest.mark.parametrize("span", SPANS)
def test_loops(span):
    def total(numbers):
        found = 0
        for x in numbers:
            if x == 7:
                continue
            for i, y in enumerate(numbers):
                if y > 20:
                    break
                found += x * y + i
        else:
            found += 1000
        return found

    assert njit(total)(Span(*span)) == total(range(*span))


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize(
    "what",
    [
        lambda s: [x * x for x in s],
        lambda s: sum(s),
        lambda s: list(zip(s, s)),
        lambda s: sorted(s),
        lambda s: list(iter(s)),
        lambda s: (any(s), all(s)),
        lambda s: list(map(abs, s)),
    ],
    ids=["comprehension", "sum", "zip", "sorted", "iter", "any", "map"],
)
def test_what_goes_through_items(span, what):
    assert njit(what)(Span(*span)) == what(range(*span))


def test_state_outlives_the_place_where_an_iterator_is_made():
    @njit
    def pairs(s):
        for x in s:
            yield x, x * x

    @njit
    def collected(s):
        found = []
        for x, square in pairs(s):
            for y in s:
                found.append(x + y)
            found.append(square)
        return found

    numbers = range(1, 5)
    expected = []
    for x in numbers:
        expected += [x + y for y in numbers] + [x * x]
    assert collected(Span(1, 5)) == expected
    assert list(pairs(Span(1, 5))) == [(x, x * x) for x in numbers]


@pytest.mark.parametrize("span", SPANS)
def test_items_of_several_types_and_places_of_truth_values(span):
    @njit
    def items(s):
        return [(x, half, is_even) for x, half, is_even in s]

    assert items(Wide(*span)) == [(x, x / 2, not at % 2) for at, x in enumerate(range(*span))]


def test_an_iterator_without_a_model_is_named():
    with pytest.raises(errors.TypingError, match="Bare is not supported.*BareIterator.*no model"):
        njit(lambda s: [x for x in s])(Bare(0, 1))
