"""``super()`` in the methods of compiled classes: what comes behind a class in the order of its bases.

What ``super`` gives is the instance, of a type that says behind which class its attributes are looked for. A
method that is found gets the instance with its own type, so what it calls is again that of the derived class.
"""

from functools import cache
from types import FunctionType, NoneType

from pyopt import own_types, types
from pyopt.definitions import define, parameters_of
from pyopt.errors import TypingError
from pyopt.extending import intrinsic, name_of, overload, overload_attribute, overload_method, overloaded_name
from pyopt.intrinsics import InMlir
from pyopt.namespaces import MISSING
from pyopt.once import once

# Classes that `super` may name, by the compiler's text of them: what was written, also where that is named
# which was compiled of it.
_classes = {}
#: Class attributes of these are constants, as are tuples of them.
_CONSTANTS = (bool, int, float, complex, str, bytes, NoneType)


class SuperType(types.Type):
    """The type of what ``super`` gives: an instance whose attributes are looked for behind a class."""

    def __init__(self, behind, instance_type):
        """Describe an instance of a class that has ``behind`` among its bases, or is compiled of it."""
        name = f"{behind.__module__}.{behind.__qualname__}"
        at = instance_type.jit_order.index(behind)
        super().__init__(f"super({name}#{at}, {instance_type.name})")
        self.classes = instance_type.jit_order[at + 1 :]
        self.instance_type = instance_type

    def member(self, name):
        """Give what the first of the classes defines that has a name, or ``MISSING``."""
        return next((vars(one)[name] for one in self.classes if name in vars(one)), MISSING)


@own_types.register_model(SuperType)
class _Model(own_types.DirectModel):
    def __init__(self, dmm, fe_type):
        # A name that no program asks for.
        super().__init__(dmm, fe_type, [("&instance", fe_type.instance_type)])


@own_types.box(SuperType)
def _(type, instance):
    raise TypeError(f"what super() gives can't be returned: {type}")


def lookup_order(cls):
    """Give the classes whose members instances of a class have, the nearest first, as they were written."""
    order = []
    for one in cls.__mro__:
        compiled = vars(one).get("_pyopt_class_type")
        if compiled is not None:
            return order + compiled.instance_type.jit_order
        if one is not object:
            order.append(one)
    return order


def is_constant(member):
    """Whether a class attribute is a constant of compiled code."""
    return all(map(is_constant, member)) if type(member) is tuple else type(member) in _CONSTANTS


def enter_classes(compiled, order):
    """Make classes known as arguments of ``super``: a compiled one, and those that define its members."""
    for one in order:
        if overloaded_name(one) is None:
            overload(one, strict=False)(_refuse)
        _enter_class(one, one)
    _enter_class(compiled, order[0])


def _enter_class(cls, written):
    _classes.setdefault(f'!typed.named<"{name_of(cls)}">', written)


def class_of(type):
    """Give the class that a type of the compiler's names; None if it is none of these."""
    return _classes.get(type.text)


def _refuse(*args, **kwargs):
    raise TypingError("the class isn't compiled: use what jitclass has made of it")


@overload(super)
def _(type, instance):
    behind = class_of(type)
    order = getattr(instance, "jit_order", ())
    if behind not in order:
        raise TypingError(f"super() takes a class and an instance of it, not {type} and {instance}")
    make = _maker(SuperType(behind, instance))
    return lambda type, instance: make(instance)


@cache
def _maker(type):
    """Give the intrinsic that makes what ``super`` gives of the instance."""
    items = f"tuple<{type.instance_type.text}>"

    @intrinsic
    def make_super(typingctx, instance):
        lines = [
            f"%parts = typed.tuple(%arg0) : {items}",
            f"%made = typed.as_sequence %parts : {type.text}",
            f"return %made : {type.text}",
        ]
        return type(type.instance_type), InMlir(lines)

    return make_super


@intrinsic
def _instance(typingctx, of_super):
    """Give the instance that was passed to ``super``."""
    instance = of_super.instance_type
    items = f"tuple<{instance.text}>"
    lines = [
        f"%parts = typed.as_tuple %arg0 : {of_super.text}",
        f"%instance = typed.tuple_get %parts[0] : {items} -> {instance.text}",
        f"return %instance : {instance.text}",
    ]
    return instance(of_super), InMlir(lines)


@once
def enter_inherited(name):
    """Let ``super()`` have attributes of a name."""

    def attribute(of_super):
        member = of_super.member(name)
        if isinstance(member, property):
            return _getter(member.fget)
        return _constant(member) if is_constant(member) else None

    def method(of_super, *args, **kwargs):
        member = of_super.member(name)
        if isinstance(member, staticmethod):
            return _forwarding(member.__func__, False)
        return _forwarding(member, True) if isinstance(member, FunctionType) else None

    overload_attribute(SuperType, name, strict=False)(attribute)
    overload_method(SuperType, name, strict=False)(method)


# What is made is one function however often it is asked for: caches of code compare answers.
@cache
def _getter(function):
    return lambda of_super: function(_instance(of_super))


@cache
def _constant(value):
    return lambda of_super: value


@cache
def _forwarding(function, is_method):
    """Write what calls a function with the arguments of a method of ``super()``."""
    shown, passed, scope = parameters_of(function, after=int(is_method))
    scope |= {"function": function, "instance": _instance}
    own = ["instance(of_super)"] if is_method else []
    source = (
        f"def forward(of_super{', ' if shown else ''}{shown}):\n"
        f"    return function({', '.join(own + passed)})\n"
    )
    return define(source, "forward", scope)


@overload_method(SuperType, "__init__", strict=False)
def _(of_super, *args, **kwargs):
    # That of `object`, where no class has one.
    return (lambda of_super: None) if of_super.member("__init__") is MISSING else None
