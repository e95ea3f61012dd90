"""How compiled code makes instances of dataclasses: what their ``__init__`` does with fields' values.

``__post_init__`` that assigns fields is made again from its source, as a function of the fields' values in
which each field is a variable, since instances in compiled code are values. Default factories are called.
"""

import ast
import dataclasses
import dis
import inspect
import typing
from functools import cache, partial
from types import CodeType

from pyopt import types
from pyopt.assigned_data_classes import instance_type
from pyopt.definitions import define
from pyopt.errors import TypingError
from pyopt.extending import overload
from pyopt.open_containers import HOLDING_NOTHING
from pyopt.respelling import at_place, parameters, respell
from pyopt.super_calls import is_constant
from pyopt.types.text import split

# What a `__post_init__` calls fields, what makes the instance, and what a base does; no names of a program's.
FIELD, _MAKE, _BASE, _CLASS = "self.", "<make>", "<base>", "<class>"
# Methods that `dataclass` writes, or that a class has for it.
_MAKING = frozenset(("__init__", "__post_init__", "__setattr__", "__delattr__"))
# What the type of an empty container's items is known by.
_EXAMPLES = {int: "0", float: "0.0", bool: "False", str: "''", complex: "0j", bytes: "b''"}


def enter_constructor(cls, make_now):
    """Let compiled code make instances of a class, by a function that takes the values of all fields.

    ``make_now`` gives that function: later it is another one, if fields turn out to be assigned.
    """
    if not is_generated(cls, "__init__"):
        reason = f"{cls.__name__} has an __init__ of its own: make it outside"
    else:
        reason = _why_unsettled(cls)
    if reason is not None:

        def refuse(*args, **kwargs):
            raise TypingError(reason)

        overload(cls, strict=False)(refuse)
        return
    fields = cls.__dataclass_fields__
    shown, scope = [], {}
    is_after_star = False
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not is_after_star:
            is_after_star = True
            shown.append("*")
        if one.default is one.empty:
            shown.append(one.name)
            continue
        is_made = fields[one.name].default_factory is not dataclasses.MISSING
        scope[f"default_{one.name}"] = None if is_made else one.default
        shown.append(f"{one.name}=default_{one.name}")
    given = "".join(f"({one.name!r}, {one.name}), " for one in parameters)
    scope |= {
        "kinds": _kinds,
        "make_now": make_now,
        "body_of": cache(partial(_body, cls, shown, dict(scope))),
    }
    source = f"def constructor({', '.join(shown)}):\n    return body_of(make_now(), *kinds([{given}]))\n"
    overload(cls, strict=False)(define(source, "constructor", scope))


def _kinds(arguments):
    """Name the arguments that a call omits, lists which don't change so far, and what holds nothing."""
    omitted, unchanging, empty = [], [], []
    for name, given in arguments:
        if not isinstance(given, types.Type) or isinstance(given, types.Omitted):
            omitted.append(name)
        elif given.text in HOLDING_NOTHING:
            empty.append(name)
        elif isinstance(given, types.List) and _is_display(types.unliteral(given)):
            unchanging.append(name)
    return tuple(omitted), tuple(unchanging), tuple(empty)


def _is_display(list):
    """Whether a type is that of a list of so many items, which have one type."""
    items = list.text.partition("!typed.sequence<tuple<")[2].rpartition(">, #py.")[0]
    return len(set(split(items))) == 1 if items else False


def _body(cls, shown, scope, make, omitted, unchanging, empty):
    """Write what makes an instance where some fields are what their factories make.

    Who has the instance may change a list in it: it is one that changes from where it is made on.
    """
    scope = dict(scope, make=make)
    lines, values = [f"{name}.extend(())" for name in unchanging], {}
    # The annotations of one whose fields are assigned say what containers hold.
    is_shared = instance_type(cls) is not None
    if not is_shared:
        lines += filter(None, (_filled(cls, name) for name in empty))
    for field in dataclasses.fields(cls):
        name = field.name
        if field.default_factory is not dataclasses.MISSING and (name in omitted or not field.init):
            scope[f"factory_{name}"] = field.default_factory
            is_empty = is_shared and field.default_factory in (list, dict, set)
            lines.append(f"made_{name} = {f'factory_{name}()' if is_empty else _called_factory(cls, field)}")
            if _is_list(cls, field) and field.default_factory is not list:
                lines.append(f"made_{name}.extend(())")
            values[name] = f"made_{name}"
        elif field.init:
            values[name] = name
        elif field.default is not dataclasses.MISSING:
            scope[f"default_{name}"] = field.default
            values[name] = f"default_{name}"
    passed = [one.name for one in _init_variables(cls)]
    settle = getattr(cls, "__post_init__", None)
    if settle is None:
        lines.append(f"return make({', '.join(values.values())})")
    elif _assigns(cls) and (not is_shared or any(map(_is_unset, dataclasses.fields(cls)))):
        scope["settle"] = _settled(cls, make, list(values))
        lines.append(f"return settle({', '.join([*values.values(), *passed])})")
    else:
        scope["check"] = settle
        lines.append(f"made = make({', '.join(values.values())})")
        lines.append(f"check({', '.join(['made', *passed])})")
        lines.append("return made")
    listed = "".join(f"    {line}\n" for line in lines)
    return define(f"def construct({', '.join(shown)}):\n{listed}", "construct", scope)


def _called_factory(cls, field):
    """Write what a default factory gives, as a container that can be changed where it is one."""
    factory = f"factory_{field.name}"
    is_container = field.default_factory in (list, dict, set)
    return (is_container and _empty(_annotation(cls, field))) or f"{factory}()"


def _filled(cls, name):
    """Write what gives an empty container the types that its annotation says; None if it says none."""
    annotation = _annotation(cls, cls.__dataclass_fields__[name])
    nothing = _empty(annotation)
    method = "extend" if typing.get_origin(annotation) is list else "update"
    return nothing and f"{name}.{method}({nothing})"


def _is_list(cls, field):
    """Whether a field is said to be a list."""
    annotation = _annotation(cls, field)
    return list in (annotation, typing.get_origin(annotation))


def _annotation(cls, field):
    """Give the annotation of a field, also where a text says it; the text where that means nothing here."""
    try:
        return typing.get_type_hints(cls)[field.name]
    except NameError:  # a name of a function's, or one for type checkers alone
        return field.type


def _empty(annotation):
    """Write an empty container of items that an annotation says; None if it doesn't say them."""
    origin = typing.get_origin(annotation)
    items = [_example(one) for one in typing.get_args(annotation)]
    if None in items or not items:
        return None
    made = {list: "[{}{}]", set: "{{{}{}}}", dict: "{{{}: {}{}}}"}.get(origin)
    return made and made.format(*items, " for _ in range(0)")


def _example(annotation):
    """Write a value that an annotation allows; None if that isn't known."""
    if typing.get_origin(annotation) is tuple:
        items = [_example(one) for one in typing.get_args(annotation)]
        return None if None in items else f"({''.join(f'{item}, ' for item in items)})"
    return _EXAMPLES.get(annotation) or _empty(annotation)


def _init_variables(cls):
    """Give the pseudo-fields that ``__post_init__`` gets alone."""
    return [one for one in cls.__dataclass_fields__.values() if one._field_type is dataclasses._FIELD_INITVAR]


def _is_unset(field):
    """Whether a field has no value before ``__post_init__`` gives it one."""
    made = (field.default, field.default_factory)
    return not field.init and all(one is dataclasses.MISSING for one in made)


def _assigns(cls):
    """Whether ``__post_init__`` gives fields values."""
    fields = dataclasses.fields(cls)
    own, *of_bases = (vars(one)["__post_init__"] for one in _settling_classes(cls))
    called = [own, *of_bases] if "super" in own.__code__.co_names else [own]
    return any(map(_is_unset, fields)) or any(map(_stored, called))


def _why_unsettled(cls):
    """Say why instances can't be made of fields' values; None if they can."""
    settle = getattr(cls, "__post_init__", None)
    if settle is None:
        unset = [one.name for one in dataclasses.fields(cls) if _is_unset(one)]
        return f"the field '{unset[0]}' of {cls.__name__} gets no value" if unset else None
    if not inspect.isfunction(settle):
        return f"{cls.__name__} has a __post_init__ that is no function: make it outside"
    return None


def _settled(cls, make, known):
    """Make ``__post_init__`` a function of the values of the known fields that makes the instance."""
    names = [field.name for field in dataclasses.fields(cls)]
    return settling("__post_init__", _settling_classes(cls), names, make, known, None, cls)


def _settling_classes(cls):
    """Give the classes that have a ``__post_init__``, in the order in which ``super()`` goes through them."""
    return [one for one in cls.__mro__ if "__post_init__" in vars(one)]


def settling(method, owners, names, make, known, result, cls, called=None, change=None):
    """Make the first method of a name a function of fields' values, which gives these or an instance.

    The instance is of a class that may have more members than its fields. What ``change`` makes in the
    place of a ``_Settling`` writes names of functions that are ``called``.
    """
    settle, *bases = (vars(one)[method] for one in owners)
    values, of_base = {_MAKE: make, _CLASS: cls, **(called or {})}, None
    if bases and "super" in settle.__code__.co_names:
        stored = [name for name in names if name in known or any(name in _stored(one) for one in bases)]
        values[_BASE] = settling(method, owners[1:], names, make, known, stored, cls)
        of_base = stored
    change = (change or _Settling)(method, names, known, result, of_base, cls)
    return respell(settle, change.visit, values, method)


def _stored(function):
    """Name the attributes that a function stores."""
    return _stored_by(function.__code__)


def stored_by_program(classes, functions):
    """Name the attributes that functions of a program store, and methods of classes that these may call.

    A method is called by its name, or by an operation, which has none.
    """
    codes = [function.__code__ for function in functions]
    stored, named, seen = set(), set(), set()
    methods = [one for cls in classes for one in _methods(cls)]
    while codes:
        for code in codes:
            stored |= _stored_by(code)
            named |= _names_in(code)
        seen.update(codes)
        called = (code for name, code in methods if name in named or name.startswith("__"))
        codes = [code for code in called if code not in seen]
    return stored


def _methods(cls):
    """Give the names and code of methods of a class, but for those that make an instance."""
    for base in cls.__mro__[:-1]:
        for name, member in vars(base).items():
            parts = (member.fget, member.fset) if isinstance(member, property) else (member,)
            for one in parts:
                one = getattr(one, "__func__", one)
                if inspect.isfunction(one) and name not in _MAKING:
                    yield name, one.__code__


def _names_in(code):
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*map(_names_in, inner))


def _stored_by(code):
    stored = {one.argval for one in dis.get_instructions(code) if one.opname in ("STORE_ATTR", "DELETE_ATTR")}
    texts = (
        {one for one in code.co_consts if isinstance(one, str)} if "__setattr__" in code.co_names else set()
    )
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return stored.union(texts, *map(_stored_by, inner))


class _Settling(ast.NodeTransformer):
    """Makes fields of the instance variables, and the function give the instance that is made of them.

    That of a base which ``super()`` asks for gives the values of the fields that are known then.
    """

    def __init__(self, method, names, known, result, of_base, cls):
        self.method = method
        self.names = names
        self.known = known
        self.result = result
        self.of_base = of_base
        self.cls = cls
        self.instance = None
        self.is_nested = False

    def visit_FunctionDef(self, node):
        if self.instance is not None:
            return self._nested(node)
        first = (node.args.posonlyargs or node.args.args).pop(0)
        self.instance = first.arg
        node.body = [self.visit(one) for one in node.body]
        node.body.append(at_place(ast.Return(self._given()), node.body[-1]))
        fields = parameters([FIELD + name for name in self.known]).args
        node.args.posonlyargs = [*(at_place(one, node) for one in fields), *node.args.posonlyargs]
        return node

    def _nested(self, node):
        """Change a function in it: what that returns is its own, and it can't assign variables around it."""
        self.is_nested, before = True, self.is_nested
        node = self.generic_visit(node)
        self.is_nested = before
        return node

    def visit_Return(self, node):
        if self.is_nested:
            return self.generic_visit(node)
        return at_place(ast.Return(self._given()), node)

    def visit_Expr(self, node):
        call = node.value
        is_stored = (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "__setattr__"
            and len(call.args) == 3
            and isinstance(call.args[1], ast.Constant)
            and call.args[1].value in self.names
        )
        if self.of_base is not None and ast.unparse(node).startswith(f"super().{self.method}("):
            values = [ast.Name(FIELD + name, ast.Load()) for name in self.known]
            call = ast.Call(ast.Name(_BASE, ast.Load()), [*values, *map(self.visit, call.args)], [])
            return at_place(ast.Assign([fields_of(self.of_base, ast.Store())], call), node)
        if not is_stored:
            return self.generic_visit(node)
        self._check_place(ast.Store())
        name, value = call.args[1].value, self.visit(call.args[2])
        stored = ast.Assign([ast.copy_location(ast.Name(FIELD + name, ast.Store()), node)], value)
        return ast.copy_location(stored, node)

    def visit_Attribute(self, node):
        is_field = isinstance(node.value, ast.Name) and node.value.id == self.instance
        if is_field and node.attr in self.names:
            self._check_place(node.ctx)
            return ast.copy_location(ast.Name(FIELD + node.attr, node.ctx), node)
        is_of_instance = isinstance(node.value, ast.Name) and node.value.id == self.instance
        if is_of_instance and is_of_class(self.cls, node.attr):
            of_class = at_place(ast.Name(_CLASS, ast.Load()), node.value)
            return ast.copy_location(ast.Attribute(of_class, node.attr, node.ctx), node)
        return self.generic_visit(node)

    def visit_Name(self, node):
        return at_place(self._made(), node) if node.id == self.instance else node

    def visit_AnnAssign(self, node):
        node = self.generic_visit(node)
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def _check_place(self, context):
        if self.is_nested and not isinstance(context, ast.Load):
            raise TypingError(f"a function in {self.method} can't assign fields in compiled code")

    def _given(self):
        return self._made() if self.result is None else fields_of(self.result, ast.Load())

    def _made(self):
        names = [ast.Name(FIELD + name, ast.Load()) for name in self.names]
        return ast.Call(ast.Name(_MAKE, ast.Load()), names, [])


def is_of_class(cls, name):
    """Whether an attribute is one of the class: a constant, or a method that gets no instance."""
    member = inspect.getattr_static(cls, name, None)
    return member is not None and (is_constant(member) or isinstance(member, (staticmethod, classmethod)))


def fields_of(names, context):
    """Write a tuple of the variables that fields are."""
    return ast.Tuple([ast.Name(FIELD + name, context) for name in names], context)


def is_generated(cls, name):
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
    for one in cls.__dataclass_fields__.values():
        if one._field_type is dataclasses._FIELD_CLASSVAR:
            continue
        is_variable = one._field_type is dataclasses._FIELD_INITVAR
        given = {option: getattr(one, option) for option in options}
        type = dataclasses.InitVar[object] if is_variable else object
        fields.append((one.name, type, dataclasses.field(**given)))
    given = cls.__dataclass_params__
    own = {"__post_init__": lambda self: None} if hasattr(cls, "__post_init__") else {}
    return dataclasses.make_dataclass(
        cls.__name__,
        fields,
        frozen=given.frozen,
        order=given.order,
        slots="__slots__" in vars(cls),
        namespace=own,
    )
