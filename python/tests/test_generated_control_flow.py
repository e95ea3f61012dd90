"""What code generators write with blocks: loops, switches, structs and places that several blocks see."""

import gc

import pytest
from pyopt._core import memory_stats

from pyopt import errors, njit, types
from pyopt.extending import (
    intrinsic,
    lower_builtin,
    make_attribute_wrapper,
    models,
    register_model,
    type_callable,
)
from pyopt.intrinsics import cgutils, ir

I64 = ir.IntType(64)


def of_ints(generate, count=1, result=types.int64):
    """Make an intrinsic of some integers from a function of context, builder and values."""

    def typed(typingctx, *given):
        return result(*given), lambda context, builder, signature, args: generate(context, builder, *args)

    scope = {"typed": typed}
    listed = ", ".join(f"arg{at}" for at in range(count))
    exec(f"def made(typingctx, {listed}):\n    return typed(typingctx, {listed})\n", scope)
    return intrinsic(scope["made"])


def test_switches():
    @of_ints
    def chosen(context, builder, x):
        blocks = one, two, other, end = [builder.append_basic_block() for _ in range(4)]
        switch = builder.switch(x, other)
        switch.add_case(I64(1), one)
        switch.add_case(2, two)
        builder.position_at_end(end)
        result = builder.phi(I64)
        for block, value in zip(blocks, (I64(100), I64(200), x), strict=False):
            result.add_incoming(value, block)
            with builder.goto_block(block):
                builder.branch(end)
        return result

    assert [njit(lambda x: chosen(x))(x) for x in (1, 2, 3)] == [100, 200, 3]


def test_a_switch_without_cases():
    @of_ints
    def chosen(context, builder, x):
        other = builder.append_basic_block()
        builder.switch(x, other)
        builder.position_at_end(other)
        return builder.add(x, I64(1))

    assert njit(lambda x: chosen(x))(1) == 2


def total_of(loop):
    """Make a function that adds what a loop of a code generator gives to each iteration."""

    @of_ints
    def total(context, builder, x):
        place = cgutils.alloca_once_value(builder, I64(0))
        loop(builder, x, lambda value: builder.store(builder.add(builder.load(place), value), place))
        return builder.load(place)

    return njit(lambda x: total(x))


def test_ranges_end_before_the_count():
    def loop(builder, x, add):
        with cgutils.for_range(builder, x, start=I64(3)) as found:
            add(found.index)

    assert [total_of(loop)(x) for x in (2, 4, 6)] == [0, 3, 12]


def test_loops_are_left():
    def loop(builder, x, add):
        with cgutils.for_range(builder, x) as (index, do_break):
            with builder.if_then(builder.icmp_signed("==", index, I64(4))):
                do_break()
            add(index)

    assert [total_of(loop)(x) for x in (3, 100)] == [3, 6]


@pytest.mark.parametrize("step", [3, -3])
def test_slices_count_iterations(step):
    def loop(builder, x, add):
        by = builder.add(builder.sub(x, x), I64(step))
        loops = cgutils.for_range_slice_generic(builder, I64(10), x, by)
        with loops as (up, down):
            for one in (up, down):
                with one as (index, count):
                    add(builder.mul(index, builder.add(count, I64(1))))

    expected = [sum(at * (n + 1) for n, at in enumerate(range(10, x, step))) for x in (-5, 10, 22)]
    assert [total_of(loop)(x) for x in (-5, 10, 22)] == expected


def test_exceptions_of_guards():
    @of_ints
    def inverse(context, builder, x):
        cgutils.guard_null(context, builder, x, (ZeroDivisionError, "nothing"))
        cgutils.guard_memory_error(context, builder, builder.sub(x, I64(1)), "one")
        return builder.sdiv(I64(100), x)

    called = njit(lambda x: inverse(x))
    assert called(5) == 20
    with pytest.raises(ZeroDivisionError, match="nothing"):
        called(0)
    with pytest.raises(MemoryError, match="one"):
        called(1)


def test_the_first_block_is_written_to_in_front_of_its_end():
    @of_ints
    def through_a_place(context, builder, x):
        twice = builder.add(x, x)
        with builder.if_then(builder.icmp_signed(">", twice, I64(4))):
            with builder.goto_entry_block():
                place = builder.alloca(I64)
                builder.store(twice, place)
            builder.store(builder.load(place), place)
        return twice

    assert njit(lambda x: through_a_place(x))(3) == 6


class Pair:
    """Stands for a class of a library."""


class PairType(types.Type):
    """Its type."""

    def __init__(self):
        super().__init__("Pair")


pair = PairType()


@register_model(PairType)
class PairModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("x", types.float64), ("is_set", types.boolean), ("n", types.int64)])


for _name in ("x", "is_set", "n"):
    make_attribute_wrapper(PairType, _name, _name)


def pairs(generate):
    """Make a compiled function of a pair that a code generator makes of a float and a truth value."""

    class Made:
        """Names the code generator."""

    @type_callable(Made)
    def typer(context):
        return lambda x, is_set: pair

    @lower_builtin(Made, types.Float, types.Boolean)
    def make(context, builder, signature, args):
        made = cgutils.create_struct_proxy(pair)(context, builder)
        return generate(context, builder, made, *args)._getvalue()

    @njit
    def parts(x, is_set):
        made = Made(x, is_set)
        return made.x, made.is_set, made.n

    return parts


def test_branches_set_fields():
    @pairs
    def parts(context, builder, made, x, is_set):
        with builder.if_else(is_set) as (then, otherwise):
            with then:
                made.x = x
            with otherwise:
                made.x = builder.fneg(x)
        made.is_set = is_set
        return made

    # What isn't set is zero.
    assert [parts(2.0, one) for one in (True, False)] == [(2.0, True, 0), (-2.0, False, 0)]


def test_loops_change_fields():
    @pairs
    def parts(context, builder, made, x, is_set):
        with cgutils.for_range(builder, I64(5)) as loop:
            made.x = builder.fadd(made.x, x)
            made.n = builder.add(made.n, loop.index)
        return made

    assert parts(2.0, True) == (10.0, False, 10)


def test_structs_at_an_address():
    @pairs
    def parts(context, builder, made, x, is_set):
        other = cgutils.create_struct_proxy(pair)(context, builder, ref=made._getpointer())
        other.x, other.is_set, other[2] = x, is_set, I64(4)
        builder.store(builder.fadd(made.x, x.type(1.0)), made._get_ptr_by_name("x"))
        assert len(made) == 3
        return made

    assert parts(2.0, True) == (3.0, True, 4)


def test_structs_are_copied():
    @pairs
    def parts(context, builder, made, x, is_set):
        made.x, made.is_set = x, is_set
        other = cgutils.create_struct_proxy(pair)(context, builder)
        return cgutils.copy_struct(other, made, {"n": I64(9)})

    assert parts(2.0, True) == (2.0, True, 9)


# What LLVM has no form for.


def chooser(choose):
    """Make an intrinsic that gives one of two values of a type, as a code generator chooses."""

    @intrinsic
    def made(typingctx, condition, one, other):
        def generate(context, builder, signature, args):
            return choose(builder, *args)

        return one(types.boolean, one, one), generate

    return made


def by_a_phi(builder, condition, one, other):
    blocks = then, otherwise, end = [builder.append_basic_block() for _ in range(3)]
    builder.cbranch(condition, then, otherwise)
    builder.position_at_end(end)
    chosen = builder.phi(one.type)
    for block, value in zip(blocks, (one, other), strict=False):
        chosen.add_incoming(value, block)
        with builder.goto_block(block):
            builder.branch(end)
    return chosen


def by_a_place(builder, condition, one, other):
    place = cgutils.alloca_once_value(builder, one)
    with builder.if_then(builder.not_(condition)):
        builder.store(other, place)
    return builder.load(place)


def by_select(builder, condition, one, other):
    return builder.select(condition, one, other)


@pytest.mark.parametrize("choose", [by_a_phi, by_a_place, by_select])
def test_texts_and_lists_are_chosen(choose):
    chosen = chooser(choose)

    @njit
    def texts(condition, x):
        return chosen(condition, x + "1", x + "2")

    @njit
    def lists(condition, x):
        result = chosen(condition, [x for _ in range(1)], [x for _ in range(2)])
        result.append(7)
        return result

    def run():
        assert [texts(one, "a") for one in (True, False)] == ["a1", "a2"]
        assert [lists(one, 3) for one in (True, False)] == [[3, 7], [3, 3, 7]]

    run()
    gc.collect()
    made, freed, _ = memory_stats()
    run()
    gc.collect()
    again, freed_again, _ = memory_stats()
    assert again - made == freed_again - freed > 0


def test_places_are_exchanged_in_a_loop():
    @intrinsic
    def last(typingctx, count, one, other):
        def generate(context, builder, signature, args):
            count, *values = args
            places = [cgutils.alloca_once_value(builder, value) for value in values]
            with cgutils.for_range(builder, count):
                read = [builder.load(place) for place in places]
                for value, place in zip(reversed(read), places, strict=True):
                    builder.store(value, place)
            return builder.load(places[0])

        return one(types.int64, one, one), generate

    @njit
    def found(count, x):
        return last(count, x + "1", x + "2")

    assert [found(count, "a") for count in range(4)] == ["a1", "a2", "a1", "a2"]


def test_a_place_that_may_not_be_written():
    @intrinsic
    def read(typingctx, condition, items):
        def generate(context, builder, signature, args):
            place = cgutils.alloca_once(builder, args[1].type)
            with builder.if_then(args[0]):
                builder.store(args[1], place)
            return builder.load(place)

        return items(types.boolean, items), generate

    with pytest.raises(errors.TypingError, match="before it is written"):
        njit(lambda condition, items: read(condition, items))(True, [1])
