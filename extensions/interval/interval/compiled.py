"""What compiled code knows of intervals: a type, functions, what arrays have more, and a pass."""

from contextlib import ExitStack

from pyopt import types
from pyopt.extending import (
    NativeValue,
    add_pass,
    box,
    intrinsic,
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
from pyopt.ir import register_pass

from interval import Interval, hull, next_up


class IntervalType(types.Type):
    """The type of intervals."""

    def __init__(self):
        """Give it a name."""
        super().__init__(name="Interval")


interval_type = IntervalType()
FIELDS = ("low", "high")


@register_model(IntervalType)
class IntervalModel(models.StructModel):
    """An interval is two doubles."""

    def __init__(self, dmm, fe_type):
        """Name them."""
        super().__init__(dmm, fe_type, [(name, types.float64) for name in FIELDS])


for name in FIELDS:
    make_attribute_wrapper(IntervalType, name, name)


@typeof_impl.register(Interval)
def typeof_interval(value, context):
    """Give the type of an interval."""
    return interval_type


@type_callable(Interval)
def type_interval(context):
    """Type ``Interval(low, high)``."""

    def typer(low, high):
        if isinstance(low, types.Float) and isinstance(high, types.Float):
            return interval_type

    return typer


@lower_builtin(Interval, types.Float, types.Float)
def make_interval(context, builder, signature, args):
    """Make an interval of its ends."""
    made = cgutils.create_struct_proxy(signature.return_type)(context, builder)
    made.low, made.high = args
    return made._getvalue()


@unbox(IntervalType)
def unbox_interval(kind, object, c):
    """Read Python's object."""
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    made = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    with ExitStack() as stack:
        for name in FIELDS:
            part = c.pyapi.object_getattr_string(object, name)
            with cgutils.early_exit_if_null(c.builder, stack, part):
                c.builder.store(cgutils.true_bit, failed)
            native = c.unbox(types.float64, part)
            c.pyapi.decref(part)
            with cgutils.early_exit_if(c.builder, stack, native.is_error):
                c.builder.store(cgutils.true_bit, failed)
            setattr(made, name, native.value)
    return NativeValue(made._getvalue(), is_error=c.builder.load(failed))


@box(IntervalType)
def box_interval(kind, value, c):
    """Make Python's object."""
    read = cgutils.create_struct_proxy(kind)(c.context, c.builder, value=value)
    parts = [c.box(types.float64, getattr(read, name)) for name in FIELDS]
    made = c.pyapi.unserialize(c.pyapi.serialize_object(Interval))
    boxed = c.pyapi.call_function_objargs(made, parts)
    for part in (*parts, made):
        c.pyapi.decref(part)
    return boxed


@overload(hull)
def overload_hull(one, other):
    """Compile the hull of intervals."""
    if isinstance(one, IntervalType) and isinstance(other, IntervalType):
        return lambda one, other: Interval(min(one.low, other.low), max(one.high, other.high))


@overload_method(IntervalType, "width")
def overload_width(value):
    """Compile the width."""
    return lambda value: value.high - value.low


@overload_method(types.Array, "interval")
def overload_interval(array):
    """Give arrays of floats a method: the interval that all elements are in."""
    if isinstance(array.dtype, types.Float):
        return lambda array: Interval(array.min(), array.max())


@overload_attribute(types.Array, "spread")
def overload_spread(array):
    """Give arrays an attribute: the width of that interval."""
    return lambda array: array.max() - array.min()


@intrinsic
def following(typingctx, x):
    """Give the next double above: the bits plus one."""
    if x == types.float64:

        def codegen(context, builder, signature, args):
            bits = builder.bitcast(args[0], context.get_value_type(types.int64))
            above = builder.add(bits, context.get_constant(types.int64, 1))
            return builder.bitcast(above, context.get_value_type(types.float64))

        return x(x), codegen


@overload(next_up)
def overload_next_up(x):
    """Compile it by the intrinsic."""
    if x == types.float64:
        return lambda x: following(x)


@register_pass(
    "interval-halve", summary="a division by two becomes a product, which is the same number"
)
def halve(function):
    """Change each division of floats by two."""
    for op in function.walk("typed.binary"):
        divisor = op.operands[1].definition
        if "truediv" not in op.attribute("kind") or divisor is None:
            continue
        if divisor.name == "typed.constant" and divisor.attribute("value") == "2.000000e+00 : f64":
            half = op.block.insert(op, "typed.constant", [], ["f64"], {"value": "0.5 : f64"})
            op.set_attribute("kind", "#typed<binary_kind mul>")
            op.set_operand(1, half.results[0])


def init():
    """Add the pass; the rest was registered when this module was imported."""
    add_pass("interval-halve", at="after-inference")
