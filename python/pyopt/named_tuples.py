"""What named tuples have besides their items: methods, properties and operators of their classes.

A class is entered when the compiler meets it first (``python/src/classes.rs``). Bodies are the functions of
the class; for operations that a tuple has of its own, they come before those.
"""

from types import FunctionType

from pyopt import _core, types
from pyopt.class_methods import class_method_body
from pyopt.definitions import static_body
from pyopt.errors import TypingError
from pyopt.extending import overload, overload_attribute, overload_method
from pyopt.operations import OPERATIONS, REFLECTED

# What `collections.namedtuple` and `typing.NamedTuple` make themselves.
_MADE = frozenset("__new__ __getnewargs__ __repr__ __replace__ __annotate__ _make _replace _asdict".split())

# The classes by the compiler's text of them, and the operations that have an overload already.
_classes = {}
_operations = set()


def enter(cls):
    """Enter what a class of named tuples has."""
    if any(field.startswith(".") for field in cls._fields):
        # The stand-ins of own types are no program's classes.
        return
    example = _core.typeof_text(cls._make([0] * len(cls._fields)))
    _classes[example.partition("#py.")[2].removesuffix(">")] = cls
    members = {}
    for base in reversed(cls.__mro__[: cls.__mro__.index(tuple)]):
        members |= base.__dict__
    for name, member in members.items():
        if name not in _MADE and name not in cls._fields:
            _enter_member(cls, name, member)
    for name, value in cls._field_defaults.items():
        _enter_member(cls, f"&default-{name}", property(_constant(value)))
    overload_method(types.NamedTuple, "_replace", strict=False)(_replaced)
    overload_method(types.NamedTuple, "_asdict", strict=False)(_as_dict)
    overload_attribute(types.NamedTuple, "_fields", strict=False)(_listed_fields)


def _constant(value):
    return lambda self: value


def class_of(type):
    """Give the class of the values of a type of named tuples."""
    return _classes.get(type.text.rpartition("#py.")[2].removesuffix(">"))


def _enter_member(cls, name, member):
    def of_class(implementation):
        return lambda self, *args, **kwargs: implementation if class_of(self) is cls else None

    if isinstance(member, property):
        overload_attribute(types.NamedTuple, name, strict=False)(of_class(member.fget))
    elif isinstance(member, (staticmethod, classmethod)):
        function = member.__func__
        if isinstance(member, classmethod):
            function = class_method_body(function, cls)
        overload_method(types.NamedTuple, name, strict=False)(of_class(static_body(function)))
    elif isinstance(member, FunctionType):
        overload_method(types.NamedTuple, name, strict=False)(of_class(member))
        if name in OPERATIONS and name not in _operations:
            _operations.add(name)
            overload(OPERATIONS[name], strict=False)(_operation(name))


def _operation(name):
    def implement(*operands):
        at = 1 if name in REFLECTED and len(operands) == 2 else 0
        cls = class_of(operands[at]) if isinstance(operands[at], types.NamedTuple) else None
        body = getattr(cls, name, None)
        if not isinstance(body, FunctionType):
            return None
        return (lambda left, right: body(right, left)) if at else body

    return implement


def _made(source, **scope):
    exec(source, scope)
    return scope["body"]


def _replaced(self, **changes):
    unknown = [name for name in changes if name not in self.fields]
    if unknown:
        raise TypingError(f"Got unexpected field names: {unknown!r}")
    items = ", ".join(name if name in changes else f"self.{name}" for name in self.fields)
    parameters = ", ".join(["self", "*", *changes] if changes else ["self"])
    return _made(f"def body({parameters}):\n    return cls({items})\n", cls=class_of(self))


def _listed_fields(self):
    fields = self.fields
    return lambda self: fields


def _as_dict(self):
    items = ", ".join(f"{name!r}: self.{name}" for name in self.fields)
    return _made(f"def body(self):\n    return {{{items}}}\n")
