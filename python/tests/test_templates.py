"""Typing templates and the code of calls and attributes: Numba's low-level API of extensions."""

import operator

import pytest

from pyopt import errors, literally, njit, types
from pyopt.extending import (
    infer,
    infer_getattr,
    infer_global,
    lower_builtin,
    lower_getattr,
    lower_getattr_generic,
    models,
    overload,
    overload_attribute,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from pyopt.intrinsics import cgutils
from pyopt.own_types import NativeValue
from pyopt.templates import (
    AbstractTemplate,
    AttributeTemplate,
    CallableTemplate,
    ConcreteTemplate,
    bound_function,
    lower_setattr,
    lower_setattr_generic,
    signature,
)


def twice(x):
    """Stand for a function of a library."""
    raise NotImplementedError


@infer_global(twice)
class Twice(AbstractTemplate):
    def generic(self, args, kws):
        (x,) = args
        if isinstance(x, (types.Integer, types.Float)):
            return signature(x, x)
        return None


@lower_builtin(twice, types.Integer)
def _(context, builder, sig, args):
    return builder.add(args[0], args[0])


@lower_builtin(twice, types.Float)
def _(context, builder, sig, args):
    return builder.fadd(args[0], args[0])


def mixed(x, y):
    """Stand for a function of a library."""
    raise NotImplementedError


@infer_global(mixed)
class Mixed(ConcreteTemplate):
    cases = [  # noqa: RUF012
        signature(types.int64, types.int64, types.int64),
        signature(types.float64, types.float64, types.float64),
    ]


@lower_builtin(mixed, types.int64, types.int64)
def _(context, builder, sig, args):
    return builder.sub(*args)


@lower_builtin(mixed, types.float64, types.float64)
def _(context, builder, sig, args):
    return builder.fsub(*args)


def scaled(x, by):
    """Stand for a function of a library."""
    raise NotImplementedError


class Scaled(CallableTemplate):
    key = scaled

    def generic(self):
        def typer(x, by):
            if x == types.float64:
                return signature(x, x, types.float64)

        return typer


infer(Scaled)


@lower_builtin(scaled, types.Any, types.Any)
def _(context, builder, sig, args):
    return builder.fmul(*args)


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


class PointType(types.Type):
    def __init__(self):
        super().__init__(name="Point")


@register_model(PointType)
class PointModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("x", types.float64), ("y", types.float64)])


typeof_impl.register(Point, lambda value, context: PointType())


@unbox(PointType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    for name in ("x", "y"):
        setattr(made, name, c.unbox(types.float64, c.pyapi.object_getattr_string(object, name)).value)
    return NativeValue(made._getvalue())


@infer_getattr
class PointAttributes(AttributeTemplate):
    key = PointType

    def resolve_total(self, point):
        return types.float64

    def generic_resolve(self, point, attribute):
        if attribute == "product":

            class Product(AbstractTemplate):
                key = "point.product"

                def generic(self, args, kws):
                    return signature(types.float64, *args, recvr=point) if len(args) == 1 else None

            return types.BoundFunction(Product, point)
        return types.float64 if attribute in ("x", "y", "nothing") else None

    @bound_function("point.moved")
    def resolve_moved(self, point, args, kws):
        if len(args) == 1:
            return signature(types.float64, types.float64)
        return None


@lower_getattr(PointType, "total")
def _(context, builder, type, value):
    point = cgutils.create_struct_proxy(type)(context, builder, value=value)
    return builder.fadd(point.x, point.y)


@lower_getattr_generic(PointType)
def _(context, builder, type, value, attribute):
    return getattr(cgutils.create_struct_proxy(type)(context, builder, value=value), attribute)


@lower_builtin("point.moved", PointType, types.Float)
def _(context, builder, sig, args):
    point = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    return builder.fadd(point.x, args[1])


@lower_builtin("point.product", PointType, types.Float)
def _(context, builder, sig, args):
    point = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    return builder.fmul(point.x, args[1])


def test_functions_that_templates_type():
    assert njit(lambda x: twice(x))(4) == 8
    assert njit(lambda x: twice(x) + twice(1))(4.25) == 10.5
    with pytest.raises(errors.TypingError, match="no signature"):
        njit(lambda x: twice(x))(1j)


def test_a_list_of_signatures_is_chosen_from_by_conversions():
    of = njit(lambda x, y: mixed(x, y))
    assert of(5, 3) == 2 and type(of(5, 3)) is int
    assert of(5.5, 3) == 2.5 and of(True, 3) == -2
    with pytest.raises(errors.TypingError, match="no signature"):
        of(1j, 2)
    with pytest.raises(errors.TypingError, match="no signature"):
        njit(lambda: mixed(1, 2, 3))()


def test_a_template_that_gives_a_typer():
    assert njit(lambda x: scaled(x, 3))(1.5) == 4.5
    with pytest.raises(errors.TypingError, match="no signature"):
        njit(lambda x: scaled(x, 3))(1)
    with pytest.raises(errors.TypingError, match="argument"):
        njit(lambda x: scaled(x))(1.0)


def test_attributes():
    of = njit(lambda point: (point.x, point.y, point.total))
    assert of(Point(1.0, 2.5)) == (1.0, 2.5, 3.5)
    with pytest.raises(errors.TypingError, match="other"):
        njit(lambda point: point.other)(Point(1.0, 2.0))


def test_methods():
    assert njit(lambda point: point.moved(2.0))(Point(1.0, 2.0)) == 3.0
    assert njit(lambda point: point.moved(2))(Point(1.0, 2.0)) == 3.0
    with pytest.raises(errors.TypingError, match="no signature"):
        njit(lambda point: point.moved())(Point(1.0, 2.0))


def test_methods_that_a_template_gives_as_attributes():
    assert njit(lambda point: point.product(2.5))(Point(2.0, 2.0)) == 5.0
    assert njit(lambda point: (point.product(2.5), point.x))(Point(2.0, 2.0)) == (5.0, 2.0)
    with pytest.raises(errors.TypingError, match="no signature"):
        njit(lambda point: point.product())(Point(1.0, 2.0))
    with pytest.raises(errors.TypingError, match="unknown attribute 'nobody'"):
        njit(lambda point: point.nobody(1))(Point(1.0, 2.0))


def test_attributes_of_other_types_stay():
    import numpy as np

    assert njit(lambda a: (a.size, a.T.shape, a.sum()))(np.ones((2, 3))) == (6, (3, 2), 6.0)
    with pytest.raises(errors.TypingError, match="nothing"):
        njit(lambda a: a.nothing)(np.ones(3))


class Cell:
    """The address of a float64."""

    def __init__(self, array):
        self.address = array.ctypes.data
        self.array = array


class CellType(types.Type):
    def __init__(self):
        super().__init__(name="Cell")


@register_model(CellType)
class CellModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("address", types.int64)])


typeof_impl.register(Cell, lambda value, context: CellType())


@unbox(CellType)
def _(type, object, c):
    made = cgutils.create_struct_proxy(type)(c.context, c.builder)
    made.address = c.unbox(types.int64, c.pyapi.object_getattr_string(object, "address")).value
    return NativeValue(made._getvalue())


@infer_getattr
class CellAttributes(AttributeTemplate):
    key = CellType

    def generic_resolve(self, cell, attribute):
        return types.float64 if attribute.startswith("value") else None


def _pointer(context, builder, type, value):
    cell = cgutils.create_struct_proxy(type)(context, builder, value=value)
    return builder.inttoptr(cell.address, context.get_value_type(types.float64).as_pointer())


@lower_getattr(CellType, "value")
def _(context, builder, type, value):
    return builder.load(_pointer(context, builder, type, value))


@lower_setattr(CellType, "value")
def _(context, builder, sig, args):
    builder.store(args[1], _pointer(context, builder, sig.args[0], args[0]))


@lower_setattr_generic(CellType)
def _(context, builder, sig, args, attribute):
    number = context.get_constant(types.float64, float(attribute.removeprefix("value")))
    builder.store(builder.fmul(args[1], number), _pointer(context, builder, sig.args[0], args[0]))


def test_attributes_are_set():
    import numpy as np

    memory = np.zeros(1)
    cell = Cell(memory)

    @njit
    def of(cell, x):
        before = cell.value
        cell.value = x
        return before, cell.value

    assert of(cell, 3) == (0.0, 3.0) and memory[0] == 3.0

    @njit
    def tenfold(cell, x):
        cell.value10 = x

    tenfold(cell, 2.5)
    assert memory[0] == 25.0
    with pytest.raises((errors.TypingError, errors.UnsupportedError), match="other|attribute"):
        njit(set_other)(cell)


def set_other(cell):
    cell.other = 1.0


def test_a_call_without_code_is_refused():
    def nothing(x):
        raise NotImplementedError

    @type_callable(nothing)
    def _(context):
        return lambda x: x

    with pytest.raises(errors.TypingError, match="no lower_builtin has code"):
        njit(lambda x: nothing(x))(1)


class Ruler:
    """An object that slices of a known kind are asked of."""


class RulerType(types.Type):
    def __init__(self):
        super().__init__("Ruler")


@typeof_impl.register(Ruler)
def _(value, context):
    return RulerType()


@register_model(RulerType)
class RulerModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("length", types.int64)])


@unbox(RulerType)
def _(kind, value, c):
    made = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    made.length = made.length.type(100)
    return NativeValue(made._getvalue())


@infer_global(operator.getitem)
class RulerItem(AbstractTemplate):
    def generic(self, args, kws):
        ruler, index = args
        if isinstance(ruler, RulerType) and isinstance(index, types.SliceType):
            return signature(types.UniTuple(types.int64, 3), ruler, index)
        return None


def _parts_of_slice(context, builder, sig, args):
    parts = context.make_helper(builder, sig.args[1], args[1])
    return context.make_tuple(builder, sig.return_type, [parts.start, parts.stop, parts.step])


@lower_builtin(operator.getitem, RulerType, types.slice2_type)
def _(context, builder, sig, args):
    return _parts_of_slice(context, builder, sig, args)


@lower_builtin(operator.getitem, RulerType, types.slice3_type)
def _(context, builder, sig, args):
    made = _parts_of_slice(context, builder, sig, args)
    return builder.insert_value(made, builder.neg(builder.extract_value(made, 2)), 2)


LARGEST = 2**63 - 1


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (lambda r: r[1:5], (1, 5, 1)),
        (lambda r: r[1:], (1, LARGEST, 1)),
        (lambda r: r[:5], (0, 5, 1)),
        (lambda r: r[:], (0, LARGEST, 1)),
        (lambda r: r[1:5:2], (1, 5, -2)),
        (lambda r: r[::3], (0, LARGEST, -3)),
        (lambda r: r[:4:-1], (LARGEST, 4, 1)),
        (lambda r: r[::-1], (LARGEST, -LARGEST - 1, 1)),
    ],
    ids=["both", "start", "stop", "neither", "all", "step", "stop_down", "down"],
)
def test_code_for_slices_is_for_those_that_leave_parts_out(what, expected):
    assert njit(what)(Ruler()) == expected


@overload(operator.add)
def _(ruler, other):
    if not isinstance(ruler, RulerType):
        return None
    if isinstance(other, types.StringLiteral):
        unit = other.literal_value
        return lambda ruler, other: unit + "!"
    if isinstance(other, types.UnicodeType):

        def by_value(ruler, other):
            return literally(other)

        return by_value
    if isinstance(other, types.Float):
        raise errors.TypingError("rulers aren't added to floats")
    return None


@overload_attribute(RulerType, "unit")
def _(ruler):
    raise errors.TypingError("rulers have no unit")


def test_errors_of_operators_say_why_overloads_were_not_taken():
    for what, message in (
        (lambda r: r["a"], "getitem.*overloads were asked first: RulerItem.*no signature"),
        (lambda r: r + 1.5, "add.*overloads were asked first: .*rulers aren't added to floats"),
        (lambda r: r + 1, "add.*overloads were asked first: .*no body for these types"),
        (lambda r: r.unit, "unit.*overloads were asked first: .*rulers have no unit"),
    ):
        with pytest.raises(errors.TypingError, match=message):
            njit(what)(Ruler())


def test_bodies_of_operators_ask_for_values():
    added = njit(lambda ruler, unit: ruler + unit)
    assert [added(Ruler(), unit) for unit in ("cm", "m", "cm")] == ["cm!", "m!", "cm!"]
    assert len(added.overloads) == 2
