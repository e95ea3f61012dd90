"""Classes whose instances compiled code and Python share: ``numba.experimental.jitclass``.

An instance is a structure (``pyopt.structures``). What the class defines is known to compiled code as
overloads for the type of the instances; in Python the class has in its place what calls that.
"""

import inspect
import typing
from functools import cache
from importlib import import_module
from itertools import takewhile
from types import FunctionType

from pyopt import config, forking, own_types, types
from pyopt.containers import plain, sharing
from pyopt.definitions import define, parameters_of, rename, static_body
from pyopt.entry_points import entry_point, entry_points, entry_property
from pyopt.errors import TypingError
from pyopt.extending import _Candidate, overload, overload_attribute, overload_method
from pyopt.object_iterators import enter_next, iterating
from pyopt.once import once
from pyopt.operations import MIRRORED, OPERATIONS, REFLECTED
from pyopt.structures import SharedInstance, define_shared, new, register
from pyopt.super_calls import enter_classes, enter_inherited, is_constant, lookup_order
from pyopt.types.structures import is_kept_list

# What conversions ask for where a class doesn't define their own method.
_FALLBACKS = {
    "__complex__": ("__float__", "__index__"),
    "__float__": ("__index__",),
    "__int__": ("__index__",),
}

# The flag of classes that aren't static ones of C.
_HEAP_TYPE = 1 << 9

# How many classes of a name there are; counted under a lock.
_counts = {}
_counting = forking.lock()
# The types of instances, by the names of classes with these numbers.
_instance_types = {}

#: What every class has that a program didn't write.
_IMPLIED = frozenset(
    "__module__ __qualname__ __slots__ __doc__ __dict__ __weakref__ __annotations__ __firstlineno__ "
    "__static_attributes__ __annotate__ __annotate_func__ __annotations_cache__ "
    "__conditional_annotations__".split()
)


@entry_points("__call__")
class JitClassType(type):
    """The class of compiled classes."""

    @property
    def class_type(cls):
        """The type of the class, which knows that of its instances."""
        return cls._pyopt_class_type

    def __call__(cls, *args, **kwargs):
        """Make an instance."""
        constructor = cls.__dict__.get("_pyopt_construct")
        if constructor is None:
            raise TypeError(f"{cls.__name__} is derived from a jitclass, and is none itself")
        return constructor(*args, **kwargs)


class JitClassInstance(SharedInstance, metaclass=JitClassType):
    """An instance of a compiled class."""

    __slots__ = ()

    def __reduce__(self):
        """Be copied by the values of the fields."""
        values = {name: getattr(self, name) for name in self._type.field_dict}
        return _restored, (type(self), values)


def _restored(cls, values):
    """Make an instance of the values of its fields, without calling ``__init__``."""
    made = cls._pyopt_blank()
    for name, value in values.items():
        cls._pyopt_fields[name].__set__(made, value)
    return made


@entry_point
def jitclass(cls_or_spec=None, spec=None):
    """Compile a class. Its fields are those of ``spec``, names and types, and those of its annotations."""
    if spec is None and cls_or_spec is not None and not isinstance(cls_or_spec, type):
        cls_or_spec, spec = None, cls_or_spec

    @entry_point
    def compiled(cls):
        if config.DISABLE_JIT:
            return cls
        return _compiled(cls, _fields_of(cls, spec))

    return compiled if cls_or_spec is None else compiled(cls_or_spec)


def _fields_of(cls, spec):
    if spec is None:
        spec = {}
    elif isinstance(spec, typing.Sequence):
        if not all(isinstance(one, tuple) and len(one) == 2 for one in spec):
            raise TypeError(f"spec values should be (name, type) pairs, got {spec!r}")
        names = [name for name, _ in spec]
        if len(set(names)) < len(names):
            raise KeyError(f"duplicated field in spec: {names}")
        spec = dict(spec)
    elif not isinstance(spec, typing.Mapping):
        raise TypeError(f"spec is a mapping or a sequence of pairs, not {spec!r}")
    fields = {}
    for name, type_ in spec.items():
        if not isinstance(name, str):
            raise TypeError(f"spec keys should be strings, got {name!r}")
        if not isinstance(type_, types.Type):
            raise TypeError(f"spec values should be Numba type instances, got {type_!r}")
        fields[_mangled(cls, name)] = _kept_as(type_)
    inherited = cls.__bases__[0]._pyopt_class_type.struct if _is_derived(cls) else {}
    annotations = {}
    for one in reversed(_plain_classes(cls)):
        annotations |= _annotations(one)
    for name, annotation in annotations.items():
        name = _mangled(cls, name)
        if name not in fields:
            fields[name] = own_types.as_numba_type(annotation)
    repeated = fields.keys() & inherited.keys()
    if repeated:
        raise TypeError(f"{cls.__name__} has the field '{min(repeated)}' of its base again")
    return dict(inherited) | fields


def _kept_as(type):
    """Give the type that a field has for one that is given: dicts that outlive calls are typed ones."""
    if isinstance(type, types.Dict):
        from pyopt.typed import Dict

        return Dict._type_of(type.key_type, type.value_type)
    return type


def _annotations(cls):
    own = inspect.get_annotations(cls) if hasattr(inspect, "get_annotations") else {}
    hints = typing.get_type_hints(cls) if own else {}
    return {name: hints[name] for name in own}


def _mangled(cls, name):
    private = name.startswith("__") and not name.endswith("__")
    return f"_{cls.__name__.lstrip('_')}{name}" if private else name


def _is_derived(cls):
    return isinstance(cls, JitClassType)


def _is_compiled(cls):
    return "_pyopt_class_type" in vars(cls)


def _compiled(cls, fields):
    bases = cls.__bases__ if _is_derived(cls) else (JitClassInstance,)
    if len(bases) > 1:
        raise TypeError(f"{cls.__name__} has bases beside another jitclass")
    builtin = [one for one in _plain_classes(cls) if not one.__flags__ & _HEAP_TYPE]
    if builtin:
        raise TypeError(f"{cls.__name__} has bases that aren't written in Python: {builtin[0].__name__}")
    members = {}
    for one in reversed(_plain_classes(cls)):
        members |= {name: value for name, value in one.__dict__.items() if name not in _IMPLIED}
    if members.get("__hash__", cls) is None:
        # What Python does for classes with `__eq__`.
        del members["__hash__"]
    shadowed = fields.keys() & members.keys()
    if shadowed:
        raise NameError(f"name shadowing: {', '.join(sorted(shadowed))}")
    for name, member in members.items():
        if not isinstance(member, (FunctionType, property, staticmethod)) and not is_constant(member):
            raise TypeError(
                f"class members are not yet supported: {name} is no number or text, None or tuple of such"
            )
    made = JitClassType(
        cls.__name__, bases, {"__slots__": (), "__module__": cls.__module__, "__doc__": cls.__doc__}
    )
    made.__qualname__ = cls.__qualname__
    base = bases[0]._pyopt_class_type.instance_type.__class__ if _is_derived(cls) else types.ClassInstanceType
    instance_class = type(cls.__name__, (base,), {"__module__": cls.__module__})
    class_type = types.ClassType(_own_name(cls), fields, instance_class)
    made._pyopt_class_type = class_type
    _instance_types[class_type.class_name] = class_type.instance_type
    instance_class.jit_methods = getattr(base, "jit_methods", {}) | {
        name: member for name, member in members.items() if isinstance(member, FunctionType)
    }
    instance_class.jit_order = lookup_order(cls)
    register(instance_class)
    define_shared(instance_class, made)
    own_types.as_numba_type.register(made, class_type.instance_type)
    _define_constructor(made, instance_class.jit_methods, class_type.instance_type)
    made._pyopt_fields = dict(getattr(bases[0], "_pyopt_fields", {}))
    for name in fields.keys() - made._pyopt_fields.keys():
        made._pyopt_fields[name] = _field(name, is_kept_list(fields[name]))
        setattr(made, name, made._pyopt_fields[name])
    enter_classes(made, instance_class.jit_order)
    for name, member in members.items():
        setattr(made, name, _defined(instance_class, name, member))
        enter_inherited(name)
    return made


def _plain_classes(cls):
    """Give a class and its bases that aren't compiled: what these define is the class's own."""
    return list(takewhile(lambda one: one is not object and not _is_compiled(one), cls.__mro__))


def _own_name(cls):
    """Give the name of a class's types, with a number where there are others of its name."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    with _counting:
        number = _counts[name] = _counts.get(name, 0) + 1
    return name if number == 1 else f"{name}#{number}"


def instance_type(module, name):
    """Give the type of the instances of a class, by its module and the name that types have."""
    if name not in _instance_types:
        import_module(module)
    if name not in _instance_types:
        raise LookupError(f"importing {module} compiles no class {name}")
    return _instance_types[name]


def _jitted(function):
    from pyopt import njit

    return njit(function)


@cache
def _field(name, is_list):
    """Make the property of a field; Python has lists as typed ones, which share the items."""
    scope = {"sharing": sharing, "plain": plain}
    field, value = (f"sharing(self.{name})", "plain(value)") if is_list else (f"self.{name}", "value")
    getter = define(f"def get(self):\n    return {field}\n", "get", scope)
    setter = define(f"def set(self, value):\n    self.{name} = {value}\n", "set", scope)
    getter, setter = _jitted(getter), _jitted(setter)

    def set_list(self, value):
        from pyopt.typed import List

        if isinstance(value, list) and not value:
            # One without items doesn't say its type.
            value = List.empty_list(self._type.field_dict[name].dtype)
        setter(self, value)

    assign = set_list if is_list else lambda self, value: setter(self, value)
    return entry_property(property(lambda self: getter(self), assign))


def _define_constructor(made, methods, instance_type):
    init = methods.get("__init__")
    shown, passed, scope = parameters_of(init, after=1) if init else ("", [], {})
    scope |= {"new": new, "instance_type": instance_type, "init": init, "check": _is_none}
    call = f"    check(init(self{''.join(f', {one}' for one in passed)}))\n" if init else ""
    source = f"def construct({shown}):\n    self = new(instance_type)\n{call}    return self\n"
    construct = define(source, "construct", scope)
    rename(construct, f"{made.__name__}.__init__")
    overload(made, strict=False)(lambda *args, **kwargs: construct)
    made._pyopt_construct = staticmethod(_jitted(construct))
    blank = define("def blank():\n    return new(instance_type)\n", "blank", scope)
    made._pyopt_blank = staticmethod(_jitted(blank))


def _is_none(result):
    """Refuse what a constructor returns, if that isn't None."""
    raise NotImplementedError("compiled code has it")


@overload(_is_none)
def _(result):
    if not isinstance(result, types.NoneType):
        raise TypingError(f"__init__() should return None, not {result}")
    return lambda result: None


def _defined(instance_class, name, member):
    """Enter a member of a class; give what Python has for it."""
    if isinstance(member, property):
        return _defined_property(instance_class, name, member)
    if is_constant(member):
        overload_attribute(instance_class, name, strict=False)(lambda self: lambda self: member)
        return member
    if isinstance(member, staticmethod):
        function = member.__func__
        body = static_body(function)
        overload_method(instance_class, name, strict=False)(lambda *args, **kwargs: body)
        return staticmethod(_jitted(function))
    overload_method(instance_class, name, strict=False)(lambda *args, **kwargs: member)
    if name == "__next__":
        enter_next()
    for operation, others in _FALLBACKS.items():
        if name in others:
            _enter_operation(operation)
    if name in OPERATIONS:
        _enter_operation(name)
        # What is asked of the right operand; `!=` is what `==` isn't.
        if name in MIRRORED:
            _enter_operation(MIRRORED[name])
        if name == "__eq__":
            _enter_operation("__ne__")
    # Exceptions don't cross the border: Python runs what it tells of them.
    return member if name == "__exit__" else _method(member)


def _method(function):
    compiled = _jitted(function)

    def method(self, *args, **kwargs):
        return compiled(self, *args, **kwargs)

    method.__name__, method.__qualname__ = function.__name__, function.__qualname__
    method.__doc__, method.__module__ = function.__doc__, function.__module__
    method.__wrapped__ = function
    return entry_point(method)


def _defined_property(instance_class, name, member):
    if member.fdel is not None:
        raise TypeError(f"deleter is not supported: {name}")
    overload_attribute(instance_class, name, strict=False)(lambda self: member.fget)
    if member.fset is not None:
        enter = _Candidate.decorator(f"setattribute:{name}", instance_class, None, False, False)
        enter(lambda self, value: member.fset)
    fget, fset = (one and _method(one) for one in (member.fget, member.fset))
    return property(fget, fset, doc=member.__doc__)


@once
def _enter_operation(method):
    """Enter what an operation does with instances of classes that define it: when the first one does.

    Each name with overloads is one that all programs are asked about.
    """
    mirrored = MIRRORED.get(method)

    def implement(*operands):
        own = _method_of(operands[0], method)
        if own is not None and method not in REFLECTED:
            return iterating(own) if method == "__iter__" else own
        if len(operands) != 2:
            return _converted(operands[0], method)
        left, right = operands
        if method == "__ne__" and _method_of(left, "__eq__") is not None:
            equal = _method_of(left, "__eq__")
            return lambda a, b: not equal(a, b)
        for name in filter(None, (mirrored, method if method in REFLECTED else None)):
            swapped = _method_of(right, name)
            if swapped is not None:
                return lambda a, b: swapped(b, a)
        return None

    overload(OPERATIONS[method], strict=False)(implement)


def _converted(type, method):
    """Give the body of a conversion by what another one gives; None if there is none."""
    found = next(filter(None, (_method_of(type, name) for name in _FALLBACKS.get(method, ()))), None)
    convert = OPERATIONS[method]
    return found and (lambda self: convert(found(self)))


def _method_of(type, name):
    return getattr(type, "jit_methods", {}).get(name) if isinstance(type, types.ClassInstanceType) else None
