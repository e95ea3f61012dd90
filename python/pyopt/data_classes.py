"""Dataclasses in compiled code: values of their fields.

An instance that is passed is taken apart, and one that is returned is made anew, so nobody sees whether two
names are of one instance: fields can't be assigned in compiled code, and ``is`` compares nothing. Methods,
properties and operators are those of the class.
"""

import dataclasses
import inspect
import operator
from functools import cache
from types import FunctionType

from pyopt import own_types, types
from pyopt.definitions import static_body
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, overload, overload_attribute, overload_method, register_native
from pyopt.intrinsics import InMlir
from pyopt.once import once
from pyopt.operations import MIRRORED, OPERATIONS, REFLECTED
from pyopt.super_calls import is_constant

# What `dataclass` writes itself, and what compares the fields in the place of that.
_MADE = frozenset(("__init__", "__repr__", "__replace__"))
_COMPARISONS = ("__eq__", "__lt__", "__le__", "__gt__", "__ge__")

# Methods, attributes and operations that have an overload already.
_members = set()
# The names of the classes that were met, with a number where there are others of a name.
_names = {}


class DataclassType(types.Type):
    """The type of the instances of a dataclass whose fields have types."""

    def __init__(self, instance_class, field_types):
        """Describe the instances of a class."""
        self.instance_class = instance_class
        self.field_types = field_types
        listed = ", ".join(map(str, field_types.values()))
        super().__init__(f"{_names[instance_class]}({listed})")


@own_types.register_model(DataclassType)
class _Model(own_types.PlainModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, fe_type.field_types.items())


@own_types.unbox(DataclassType)
def _(instance):
    return [getattr(instance, field.name) for field in dataclasses.fields(instance)]


@own_types.box(DataclassType)
def _(type, *values):
    made = object.__new__(type.instance_class)
    for name, value in zip(type.field_types, values, strict=True):
        object.__setattr__(made, name, value)
    return made


def typeof(instance, context=None):
    """Give the type of an instance."""
    # Its class may be derived from one that is known.
    enter(type(instance))
    fields = dataclasses.fields(instance)
    return DataclassType(
        type(instance), {field.name: own_types.typeof_impl(getattr(instance, field.name)) for field in fields}
    )


def names_of_instances(cls):
    """Give the names that begin the types of a class's instances, and of those of classes derived from it."""
    return own_types.entries_of_instances(_names, cls)


@once
def enter(cls):
    """Make a dataclass known to compiled code, once."""
    if cls in _names:
        # Its own fields or methods name it.
        return
    name = f"{cls.__module__}.{cls.__qualname__}"
    same = sum(other.partition("#")[0] == name for other in _names.values())
    _names[cls] = f"{name}#{same}" if same else name
    own_types.typeof_impl.register(cls, typeof)
    _enter_constructor(cls)
    for field in dataclasses.fields(cls):
        register_native(f"attribute:{field.name}", _reader(field.name), DataclassType)
        register_native(f"setattribute:{field.name}", _refuse_assignment, DataclassType)
    for base in reversed(cls.__mro__[:-1]):
        for name, member in base.__dict__.items():
            _enter_member(cls, name, member)


def _reader(name):
    def field(context, type):
        if name not in type.field_types:
            raise TypingError(f"{type} has no field '{name}'")
        found, items = type.field_types[name], _items_of(type)
        at = list(type.field_types).index(name)
        lines = [
            f"%fields = typed.as_tuple %arg0 : {type.text}",
            f"%field = typed.tuple_get %fields[{at}] : {items} -> {found.text}",
            f"return %field : {found.text}",
        ]
        return found(type), InMlir(lines)

    return field


def _items_of(type):
    return f"tuple<{', '.join(one.text for one in type.field_types.values())}>"


@cache
def _constructor_of(type):
    """Give the intrinsic that makes an instance of the values of its fields."""
    parameters = [f"value{at}" for at in range(len(type.field_types))]

    def make(typingctx, *values):
        names = [f"%arg{at}" for at in range(len(values))]
        lines = [
            f"%fields = typed.tuple({', '.join(names)}) : {_items_of(type)}",
            f"%made = typed.as_sequence %fields : {type.text}",
            f"return %made : {type.text}",
        ]
        return type(*type.field_types.values()), InMlir(lines)

    scope = {"make": make}
    listed = ", ".join(parameters)
    exec(f"def constructor(typingctx, {listed}):\n    return make(typingctx, {listed})\n", scope)
    return intrinsic(scope["constructor"])


def _refuse_assignment(context, type, value):
    raise TypingError(
        f"fields of {type.instance_class.__name__} can't be assigned in compiled code, which has copies of "
        "instances; make a new one, or use a jitclass"
    )


def _enter_constructor(cls):
    fields = [field for field in dataclasses.fields(cls)]
    names = [field.name for field in fields]
    listed = ", ".join(names)
    scope = {"make_of": _maker(cls, names), "TypingError": TypingError, "cls": cls}
    reason = _why_made_outside(cls, fields)
    if reason is not None:

        def refuse(*args, **kwargs):
            raise TypingError(reason)

        overload(cls, strict=False)(refuse)
        return
    shown = []
    for field in fields:
        if field.default is not dataclasses.MISSING:
            scope[f"default_{field.name}"] = field.default
            shown.append(f"{field.name}=default_{field.name}")
        elif field.default_factory is not dataclasses.MISSING:
            scope[f"default_{field.name}"] = None
            shown.append(f"{field.name}=default_{field.name}")
        else:
            shown.append(field.name)
    source = (
        f"def constructor({', '.join(shown)}):\n"
        f"    make = make_of([{listed}])\n"
        f"    def construct({', '.join(shown)}):\n"
        f"        return make({listed})\n"
        f"    return construct\n"
    )
    exec(source, scope)
    overload(cls, strict=False)(scope["constructor"])


def _why_made_outside(cls, fields):
    """Say why compiled code can't make instances of a class; None if it can."""
    if hasattr(cls, "__post_init__"):
        return f"{cls.__name__} has a __post_init__: make it outside"
    if not all(field.init and not field.kw_only for field in fields):
        return f"{cls.__name__} has fields that aren't parameters: make it outside"
    if not _is_generated(cls, "__init__"):
        return f"{cls.__name__} has an __init__ of its own: make it outside"
    return None


def _is_generated(cls, name):
    """Whether a method is as ``dataclass`` writes it for the fields, and not the program's own."""
    codes = [getattr(getattr(one, name, None), "__code__", None) for one in (cls, _model(cls))]
    if None in codes:
        return False
    found, wanted = ((code.co_code, code.co_names, code.co_varnames) for code in codes)
    return found == wanted


@cache
def _model(cls):
    """Make a dataclass of the same fields that defines nothing itself."""
    options = ("default", "default_factory", "init", "repr", "hash", "compare", "kw_only")
    fields = []
    for one in dataclasses.fields(cls):
        given = {option: getattr(one, option) for option in options}
        fields.append((one.name, object, dataclasses.field(**given)))
    given = cls.__dataclass_params__
    return dataclasses.make_dataclass(cls.__name__, fields, frozen=given.frozen, order=given.order)


def _maker(cls, names):
    def make_of(given):
        found = [
            types.unliteral(one) if isinstance(one, types.Type) else types.argument_type(one) for one in given
        ]
        return _constructor_of(DataclassType(cls, dict(zip(names, found, strict=True))))

    return make_of


def _enter_member(cls, name, member):
    # What the class has under the name of a field is the field's default.
    is_known = is_constant(member) and not name.startswith("__") and name not in cls.__dataclass_fields__
    if isinstance(member, property) or is_known:
        _enter_once(
            "attribute", name, lambda: overload_attribute(DataclassType, name, strict=False)(_getter(name))
        )
    elif isinstance(member, FunctionType) and name in OPERATIONS:
        _enter_operation(name)
        if name in MIRRORED:
            # The right operand is asked for it.
            _enter_operation(MIRRORED[name])
        if name == "__eq__":
            _enter_once("operation", "__ne__", lambda: overload(operator.ne)(_differs))
    elif isinstance(member, (FunctionType, staticmethod)) and name not in _MADE:
        _enter_once("method", name, lambda: overload_method(DataclassType, name, strict=False)(_method(name)))


def _enter_once(kind, name, enter):
    if (kind, name) not in _members:
        _members.add((kind, name))
        enter()


def _enter_operation(name):
    _enter_once("operation", name, lambda: overload(OPERATIONS[name], strict=False)(_operation(name)))


def _getter(name):
    def implement(self):
        if name in self.field_types:
            return None
        member = inspect.getattr_static(self.instance_class, name, None)
        if isinstance(member, property):
            return member.fget
        return _constant_body(self.instance_class, name, repr(member)) if is_constant(member) else None

    return implement


def _method(name):
    def implement(self, *args, **kwargs):
        member = inspect.getattr_static(self.instance_class, name, None)
        if isinstance(member, staticmethod):
            return _static_body(member.__func__)
        return member if isinstance(member, FunctionType) else None

    return implement


_static_body = cache(static_body)


@cache
def _constant_body(cls, name, text):
    """Give what reads a constant of a class; its text tells the ones that compare equal apart."""
    constant = inspect.getattr_static(cls, name)
    return lambda self: constant


def _differs(left, right):
    equals = _operation("__eq__")(left, right)
    return equals and _negated(equals)


# What is made is one function however often it is asked for: caches of code compare answers.
@cache
def _negated(function):
    return lambda left, right: not function(left, right)


@cache
def _swapped(function):
    return lambda left, right: function(right, left)


def _operation(name):
    def implement(*operands):
        body = _body_of(name, *operands)
        if body is not None:
            return body
        if name in MIRRORED or name in REFLECTED:
            swapped = _body_of(MIRRORED.get(name, name), *reversed(operands))
            if swapped is not None:
                return _swapped(swapped)
        is_asked = name == "__eq__" and any(isinstance(one, DataclassType) for one in operands)
        return _unequal() if is_asked and all(map(_equals_its_class, operands)) else None

    return implement


@cache
def _unequal():
    return lambda left, right: False


# What equals nothing of another class.
_PLAIN = (types.Number, types.Boolean, types.BaseTuple, types.UnicodeType, types.Bytes, types.NoneType)


def _equals_its_class(type):
    """Whether values of a type equal none of another class but those that say so."""
    if isinstance(type, DataclassType):
        return _is_generated(type.instance_class, "__eq__")
    return isinstance(type, (*_PLAIN, types.List, types.Dict, types.Set))


def _body_of(name, *operands):
    """Give what the class of the first operand defines."""
    if not isinstance(operands[0], DataclassType):
        return None
    cls = operands[0].instance_class
    body = getattr(cls, name, None)
    if name in _COMPARISONS and _is_generated(cls, name):
        is_of_class = cls is getattr(operands[1], "instance_class", None)
        return _comparison(cls, name) if is_of_class else None
    return body if isinstance(body, FunctionType) else None


@cache
def _comparison(cls, name):
    compared = [field.name for field in dataclasses.fields(cls) if field.compare]
    left, right = (f"({''.join(f'{side}.{one}, ' for one in compared)})" for side in ("left", "right"))
    symbol = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}[name]
    scope = {}
    exec(f"def body(left, right):\n    return {left} {symbol} {right}\n", scope)
    return scope["body"]
