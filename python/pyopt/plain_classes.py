"""Classes of a program's of which compiled code makes instances: what ``__init__`` stores are their fields.

``__init__`` is made again from its source, as a function in which each field is a variable, so that inference
finds the fields' types where the function makes a structure of them. An annotation says the type of a field
where it is stored (``self.items: list[int] = []``), in the class, or of the parameter that is stored.
Instances of which fields have other types are of another type.
"""

import ast
import inspect
import typing
from abc import ABCMeta
from functools import cache
from types import FunctionType

from pyopt import own_types, types
from pyopt.assigned_data_classes import TYPES_BY_CLASS, define_type, kept_as, maker_of_type
from pyopt.data_class_constructors import is_of_class
from pyopt.data_classes import InstanceType, enter_identity, enter_members, name_of_types
from pyopt.definitions import define
from pyopt.errors import TypingError, UnsupportedError
from pyopt.extending import overload
from pyopt.init_plans import Plan
from pyopt.once import once
from pyopt.open_containers import HOLDING_NOTHING
from pyopt.respelling import definition_of

# What would do more with instances than to keep their fields, or is compiled by other means.
_MEMBERS = frozenset(
    (
        *("__new__", "__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__del__", "__get__"),
        *("_fields", "_numba_type_"),
    )
)


@cache
def is_plain(cls):
    """Whether instances of a class are what its ``__init__`` and its methods make of them, and no more."""
    classes = cls.__mro__[:-1]
    return (
        cls is not object
        and type(cls) in (type, ABCMeta)
        and all(
            one.__flags__ & own_types.HEAP_TYPE and not one.__module__.startswith("pyopt.") for one in classes
        )
        and not hasattr(cls, "__dataclass_fields__")
        and not any(name in vars(one) for one in classes for name in _MEMBERS)
        # Types of C's have neither, and more than attributes.
        and all(one.__dictoffset__ or "__slots__" in vars(one) for one in classes)
    )


@once
def enter(cls):
    """Let compiled code have instances of a class, if they are no more than their fields."""
    if not is_plain(cls):
        return
    for base in cls.__mro__[1:-1]:
        enter(base)
    name_of_types(cls)
    if own_types.is_of_no_extension(cls):
        own_types.takers[cls] = _taken
        own_types.typeof_impl.register(cls, _type_of_passed)
    enter_members(cls)
    enter_identity()
    try:
        construct = _constructor(cls)
    except (TypingError, UnsupportedError) as error:
        construct = _refusing(str(error))
    overload(cls, strict=False)(construct)


def _type_of_passed(instance, context):
    from pyopt import passed_instances

    # Its class may be derived from one that is known.
    return passed_instances.typeof(instance) if is_plain(type(instance)) else None


def _taken(instance, notes):
    from pyopt import passed_instances

    return passed_instances.stand_in(instance, notes)


def _refusing(reason):
    def refuse(*args, **kwargs):
        raise TypingError(reason)

    return refuse


def _owners_of(cls):
    """Give the classes that have an ``__init__``, in the order in which ``super()`` goes through them."""
    owners = [one for one in cls.__mro__[:-1] if "__init__" in vars(one)]
    if not all(isinstance(vars(one)["__init__"], FunctionType) for one in owners):
        raise TypingError(f"{cls.__name__} has an __init__ that is no function of Python's")
    return owners


@cache
def annotations_of(cls):
    """Give the annotations of fields of instances, as far as there are some."""
    try:
        return _annotations(cls, [_Stores(vars(one)["__init__"], cls) for one in _owners_of(cls)])
    except (TypingError, UnsupportedError, NameError):
        return {}


def _annotations(cls, stores):
    annotations = {}
    for one in reversed(stores):
        annotations |= one.annotations()
    hints = typing.get_type_hints(cls, localns={cls.__name__: cls})
    return annotations | {
        one: hint for one, hint in hints.items() if typing.get_origin(hint) is not typing.ClassVar
    }


def _constructor(cls):
    """Give the overload that makes an instance."""
    if getattr(cls, "__abstractmethods__", None):
        raise TypingError(f"{cls.__name__} is abstract: {', '.join(sorted(cls.__abstractmethods__))}")
    owners = _owners_of(cls)
    stores = [_Stores(vars(one)["__init__"], cls) for one in owners]
    of_bases = set().union(*(one.stored for one in stores[1:]))
    plan = Plan(cls, owners[0], of_bases) if owners else None
    names = plan.names if owners else []
    for one in stores[1:]:
        one.check(names)
    stores += [_Stores(vars(one)[name], cls) for one, name in plan.methods()] if owners else []
    if owners and plan.split is not None:
        # What the instance has then is its own.
        before = _Stores(vars(owners[0])["__init__"], cls, plan.split)
        fresh = {name for name in names if all(one.is_fresh(name) for one in (before, *stores[1:]))}
    else:
        fresh = {name for name in names if all(one.is_fresh(name) for one in stores)}
    constants = {}
    for one in reversed(stores):
        constants |= one.constants()
    make = _maker(cls, names, _annotations(cls, stores), constants, fresh)
    if owners:
        init = plan.constructor(owners, names, make)
    else:
        init = define("def construct():\n    return make()\n", "construct", {"make": make})
    return lambda *args, **kwargs: init


def optional(annotation):
    """Give the annotation of what another one says, or None: types of ours have no ``|``."""
    return typing.Optional.__getitem__(annotation)


#: The types that were found of instances that are passed, by what was found in these.
types_found = {}
# The fields that programs store outside of `__init__`, by class.
_assigned = {}


def note_stored(cls, names):
    """Say which attributes a program stores, which has the class."""
    known = _assigned.setdefault(cls, set())
    if not known.issuperset(names):
        # Threads that find types meanwhile find those of before.
        _assigned[cls] = known | names
        types_found.clear()


def is_link(cls, name, type):
    """Whether a field that was None so far refers to another instance of the class: the program assigns it.

    Another type an annotation has to say.
    """
    return isinstance(type, types.NoneType) and name in _assigned.get(cls, ())


# The types of instances of classes, by what says what their fields are.
_made = {}


def type_of_fields(cls, hints, suffix=""):
    """Give the type of instances whose fields have such annotations, or types.

    What a suffix says is part of these: what fields of fields are.
    """
    key = cls, tuple((name, str(hint)) for name, hint in hints.items()), suffix
    if key not in _made:
        shown = ", ".join(one.name if isinstance(one, types.Type) else str(one) for one in hints.values())
        # Texts of types are taken apart at angle brackets.
        shown = shown.replace("<", "(").replace(">", ")").replace('"', "'")
        shown = f"{shown}; {suffix}" if suffix else shown
        _made[key] = define_type(cls, f"{name_of_types(cls)}({shown})", InstanceType, hints)
    return _made[key]


def _maker(cls, names, annotations, constants, fresh):
    """Give the function that makes an instance of the values of its fields, whatever their types are."""
    make = define(f"def make({', '.join(names)}):\n    raise NotImplementedError\n", "make", {})
    given = "".join(f"({name!r}, {name}), " for name in names)

    def maker(values):
        hints = {}
        for name, value in values:
            if name in annotations:
                hints[name] = annotations[name]
                continue
            hints[name] = kept_as(types.unliteral(value))
            if is_link(cls, name, hints[name]):
                hints[name] = optional(cls)
            if value.text in HOLDING_NOTHING:
                raise TypingError(
                    f"it isn't known what the field '{name}' of {cls.__name__} holds: annotate it, as in "
                    f"'self.{name}: list[int] = []'"
                )
        return maker_of_type(type_of_fields(cls, hints), frozenset(fresh))

    def annotated():
        hints = {}
        for name in names:
            hints[name] = annotations.get(name, constants.get(name))
            if hints[name] is None:
                raise TypingError(
                    f"fields are instances of {cls.__name__} where its own are annotated: '{name}' isn't"
                )
        return type_of_fields(cls, hints)

    TYPES_BY_CLASS[cls] = annotated
    source = f"def maker({', '.join(names)}):\n    return of([{given}])\n"
    overload(make, strict=False)(define(source, "maker", {"of": maker}))
    return make


# What makes a container that nothing else has.
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = ("list", "dict", "set", "sorted")
# What looks at the items of a container, and keeps nothing of it.
_LOOKING = frozenset("all any bool dict len list max min print repr set sorted str sum tuple".split())


class _Stores(ast.NodeVisitor):
    """What the source of an ``__init__`` does with fields: it says what they are, and who else has them."""

    def __init__(self, function, cls, until=None):
        """Read a function of a class, or its first statements."""
        self.function, self.cls = function, cls
        tree = definition_of(function, "__init__")
        self.instance = function.__code__.co_varnames[0]
        self.of_parameters = inspect.get_annotations(function)
        self.written, self.values, self.passed_on = {}, {}, set()
        #: The names of the fields, and why they can't be made variables.
        self.stored, self.reasons = set(), []
        for statement in tree.body[:until]:
            self.visit(statement)

    def check(self, names):
        """Refuse what does more with the instance than to store fields of names."""
        others = sorted(one for one in self.passed_on.difference(names) if not is_of_class(self.cls, one))
        reasons = [
            f"the __init__ of {self.cls.__name__} reads self.{one}, before the instance is made"
            for one in others
        ]
        for reason in (self.reasons + reasons)[:1]:
            raise TypingError(reason)

    def is_fresh(self, name):
        """Whether a field has containers that are made for it, which nothing else has."""
        made = self.values.get(name, ())
        return name not in self.passed_on and all(map(_is_made, made))

    def constants(self):
        """Give the types of fields that begin with constants, of one type each."""
        found = {}
        for name, values in self.values.items():
            kinds = {type(one.value) if isinstance(one, ast.Constant) else None for one in values}
            if len(kinds) == 1 and kinds <= {bool, int, float, str}:
                found[name] = own_types.as_numba_type(*kinds)
        return found

    def annotations(self):
        """Give what annotations mean, by field."""
        scope = inspect.getclosurevars(self.function)
        names = {**vars(typing), **self.function.__globals__, **scope.nonlocals, self.cls.__name__: self.cls}
        found = {name: _meant(one, names) for name, one in self.written.items()}
        return {name: optional(one) if self._is_none(name) else one for name, one in found.items()}

    def _is_none(self, name):
        """Whether a field begins with None, also by the default of a parameter."""
        defaults = {name: one.default for name, one in inspect.signature(self.function).parameters.items()}

        def is_none(value):
            if isinstance(value, ast.Name):
                return defaults.get(value.id, value) is None
            return isinstance(value, ast.Constant) and value.value is None

        return any(map(is_none, self.values.get(name, ())))

    def _stored(self, target, annotation, value):
        if annotation is not None:
            self.written.setdefault(target.attr, ast.unparse(annotation))
        elif isinstance(value, ast.Name) and value.id in self.of_parameters:
            self.written.setdefault(target.attr, self.of_parameters[value.id])
        self.values.setdefault(target.attr, []).append(value)

    def _field(self, node):
        is_field = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
        return is_field and node.value.id == self.instance

    def visit_AnnAssign(self, node):
        if self._field(node.target):
            self._stored(node.target, node.annotation, node.value)
        self.generic_visit(node)

    def visit_Assign(self, node):
        for target in node.targets:
            if self._field(target):
                self._stored(target, None, node.value if len(node.targets) == 1 else None)
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if not self._field(node.value):
            self.visit(node.value)
        self.visit(node.slice)

    def visit_Compare(self, node):
        for one in (node.left, *node.comparators):
            self._look(one)

    def visit_For(self, node):
        self._look(node.iter)
        for one in (node.target, *node.body, *node.orelse):
            self.visit(one)

    def _look(self, node):
        """Visit what nothing is done with but to look at what it holds."""
        if not self._field(node):
            self.visit(node)

    def visit_Attribute(self, node):
        if self._field(node):
            # What goes on with a field by its name alone may keep what it has.
            if isinstance(node.ctx, ast.Load):
                self.passed_on.add(node.attr)
            else:
                self.stored.add(node.attr)
        elif not self._field(node.value):
            self.visit(node.value)

    def visit_Name(self, node):
        if node.id == self.instance:
            self.reasons.append(
                f"the __init__ of {self.cls.__name__} does more with '{node.id}' than to store attributes: "
                "make it a jitclass"
            )

    def visit_Call(self, node):
        if ast.unparse(node.func) == "super().__init__":
            node = ast.Call(ast.Name("super", ast.Load()), node.args, node.keywords)
        elif isinstance(node.func, ast.Name) and node.func.id in _LOOKING:
            for one in (*node.args, *node.keywords):
                self._look(one)
            return
        elif self._field(node.func) and not is_of_class(self.cls, node.func.attr):
            self.reasons.append(
                f"the __init__ of {self.cls.__name__} calls {ast.unparse(node.func)}(), before the instance "
                "is made: make it a jitclass"
            )
        self.generic_visit(node)


def _is_made(value):
    is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _MAKERS
    return isinstance(value, _DISPLAYS) or is_call


def _meant(annotation, names):
    """Give what an annotation means, or the text of one."""
    try:
        meant = eval(annotation, dict(names)) if isinstance(annotation, str) else annotation
        return typing.get_type_hints(type("_", (), {"__annotations__": {"of": meant}}), names)["of"]
    except Exception as error:
        raise TypingError(f"the annotation {annotation} means nothing here: {error}") from error
