"""Typing templates: Numba's classes that type calls and attributes; ``lower_builtin`` has the code.

A template of a function types its calls: ``ConcreteTemplate`` by a list of signatures, ``AbstractTemplate``
by a method of the arguments' types, ``CallableTemplate`` by a function with the parameters of the one that it
is for. An ``AttributeTemplate`` types attributes and methods of a class of types.
"""

from inspect import signature as parameters

from pyopt import own_types, types
from pyopt.errors import TypingError
from pyopt.extending import name_of, overload_attribute, overload_method, register_native
from pyopt.types import Signature

_getters = []
_setters = []
_attribute_templates = []


def signature(return_type, *args, recvr=None):
    """Make a signature of a return type and argument types; for a method with the receiver's type."""
    return Signature(return_type, args, recvr=recvr)


class FunctionTemplate:
    """What types the calls of a function."""

    key = None
    prefer_literal = False

    def __init__(self, context=None):
        """Keep the typing context."""
        self.context = context

    def apply(self, args, kws):
        """Give the signature of a call with such arguments, or None."""
        raise NotImplementedError(f"{type(self).__name__} types no calls")


class AbstractTemplate(FunctionTemplate):
    """A template whose ``generic(args, kws)`` gives a signature, or None."""

    def apply(self, args, kws):
        """Ask the method."""
        return self.generic(tuple(args), dict(kws))


class CallableTemplate(FunctionTemplate):
    """A template whose ``generic()`` gives a function of the arguments' types that gives the result's."""

    def apply(self, args, kws):
        """Ask the function."""
        typer = self.generic()
        try:
            bound = parameters(typer).bind(*args, **kws)
        except TypeError as error:
            raise TypingError(str(error)) from None
        found = typer(*args, **kws)
        if found is None or isinstance(found, Signature):
            return found
        return signature(found, *bound.args)


class ConcreteTemplate(FunctionTemplate):
    """A template that lists its signatures, as ``cases``."""

    def apply(self, args, kws):
        """Give the first signature of the arguments' types, or else that they convert to with least loss."""
        if kws:
            return None
        ranked = [(_loss(args, case.args), at) for at, case in enumerate(self.cases)]
        fitting = [one for one in ranked if one[0] is not None]
        return self.cases[min(fitting)[1]] if fitting else None


def _loss(args, declared):
    """Say how bad it is to pass values of some types as others: 0 for the same; None if it can't be done."""
    if len(args) != len(declared):
        return None
    steps = [_step(types.unliteral(one), other) for one, other in zip(args, declared, strict=True)]
    return None if None in steps else max(steps, default=0)


def _step(source, target):
    if source == target:
        return 0
    kinds = (types.Boolean, types.Integer, types.Float, types.Complex)
    ranks = [
        next((at for at, kind in enumerate(kinds) if isinstance(one, kind)), None) for one in (source, target)
    ]
    if None in ranks:
        return None
    if ranks[0] < ranks[1]:
        return 1 if target.bitwidth >= 64 else 2
    if ranks[0] > ranks[1]:
        return None if isinstance(source, types.Complex) else 4
    return 1 if source.bitwidth < target.bitwidth else 3


def infer_global(function, typ=None, **options):
    """Register the decorated template for a function, or the templates of a type ``types.Function``."""
    if typ is None:

        def enter(template):
            if callable(function):
                _register(function, template)
            return template

        return enter
    if isinstance(typ, types.Function):
        for template in typ.templates:
            _register(function, template)
    return None


class Registry:
    """What templates are registered in: they are known at once, and not when the registry is installed."""

    def register(self, item):
        """Register a template of the function that is its key."""
        return infer(item)

    def register_attr(self, item):
        """Register a template of attributes."""
        return infer_getattr(item)

    def register_global(self, val=None, typ=None, **options):
        """Register a template of a function; see ``infer_global``."""
        return infer_global(val, typ, **options)


def infer(template):
    """Register a template for the function that is its ``key``; Numba's own names are taken, never asked."""
    if callable(template.key):
        _register(template.key, template)
    elif template.key == "getiter":
        from pyopt.own_iterators import register_template

        register_template(template)
    return template


def _register(function, template):
    name = name_of(function)

    def typed(context, *arguments):
        return _implemented(name, template(context).apply(arguments, {}))

    typed.origin = template
    register_native(name, typed, None, template.prefer_literal)


def _implemented(key, found):
    """Give a signature with its code."""
    if found is None:
        raise TypingError("the template has no signature for these types")
    if found.recvr is not None:
        found = Signature(found.return_type, (found.recvr, *found.args))
    return found, own_types.implementation(key, found)


class AttributeTemplate:
    """What types attributes: ``resolve_name(type)`` that of a name, ``generic_resolve(type, name)`` any.

    For a method it gives a ``BoundFunction``, which ``bound_function`` makes.
    """

    key = None

    def __init__(self, context=None):
        """Keep the typing context."""
        self.context = context

    def generic_resolve(self, type, attribute):
        """Know none."""
        return None

    def resolve(self, type, attribute):
        """Give the type of an attribute, or None."""
        of_name = getattr(self, f"resolve_{attribute}", None)
        return self.generic_resolve(type, attribute) if of_name is None else of_name(type)


class _OverloadAttributeTemplate(AttributeTemplate):
    """An overload of an attribute as a template; of a method where a class derived from it says so."""

    is_method = False
    _attr = None
    _overload_func = None
    _options = None


class _OverloadMethodTemplate(_OverloadAttributeTemplate):
    """An overload of a method as a template."""

    is_method = True


def make_overload_attribute_template(
    typ, attr, overload_func, inline="never", prefer_literal=False, base=_OverloadAttributeTemplate, **options
):
    """Make a template of an overload, which ``infer_getattr`` registers.

    ``__call__`` is the attribute by which values are called.
    """
    options |= {"inline": inline, "prefer_literal": prefer_literal}
    scope = {"key": typ, "_attr": attr, "_overload_func": staticmethod(overload_func), "_options": options}
    return type(f"OverloadAttributeTemplate_{typ}_{attr}", (base,), scope)


def make_overload_method_template(typ, attr, overload_func, inline, prefer_literal=False, **options):
    """Make a template of an overload of a method, which ``infer_getattr`` registers."""
    base = _OverloadMethodTemplate
    return make_overload_attribute_template(typ, attr, overload_func, inline, prefer_literal, base, **options)


def infer_getattr(template):
    """Register a template of attributes for the class of types, or the type, that is its ``key``."""
    if issubclass(template, _OverloadAttributeTemplate):
        register = overload_method if template.is_method else overload_attribute
        register(template.key, template._attr, **template._options)(template._overload_func)
        return template
    _attribute_templates.append(template)
    register_native("attribute:*", lambda name: _attribute(template, name), template.key)
    if template.generic_resolve is not AttributeTemplate.generic_resolve:
        register_native("method:*", lambda name: _method(template, name), template.key)
    for one in dir(template):
        if one.startswith("resolve_"):
            name = one.removeprefix("resolve_")
            register_native(f"method:{name}", _method(template, name), template.key)
    return template


def _attribute(template, name):
    def attribute(context, receiver):
        found = template(context).resolve(receiver, name)
        if found is None or _is_method(found):
            raise TypingError(f"{template.__qualname__} has no attribute '{name}' of {receiver}")
        code = _nearest(_getters, receiver, name)
        if code is None:
            raise TypingError(f"no lower_getattr has code for '{name}' of {receiver}")

        def generate(context, builder, signature, arguments):
            return code(context, builder, receiver, arguments[0])

        return found(receiver), generate

    attribute.origin = template
    return attribute


def _method(template, name):
    def method(context, receiver, *arguments):
        bound = template(context).resolve(receiver, name)
        if not _is_method(bound):
            raise TypingError(f"{template.__qualname__} has no method '{name}' of {receiver}")
        typer = bound.template(context)
        typer.this = receiver
        found = typer.apply(arguments, {})
        if found is not None and found.recvr is None:
            found = signature(found.return_type, *found.args, recvr=receiver)
        return _implemented(_key(typer.key), found)

    method.origin = template
    method.exists = lambda context, receiver: _is_method(template(context).resolve(receiver, name))
    return method


def _is_method(found):
    """Whether what a template gives for an attribute is a method."""
    return isinstance(found, types.BoundFunction)


def _key(key):
    return key if isinstance(key, str) else name_of(key)


def bound_function(key):
    """Decorate a method of an attribute template that types calls, of a type and argument types."""

    def enter(method):
        def resolve(self, receiver):
            class Method(AbstractTemplate):
                def generic(template, args, kws):
                    found = method(self, receiver, args, kws)
                    return found and signature(found.return_type, *found.args, recvr=receiver)

            Method.key = key
            return types.BoundFunction(Method, receiver)

        return resolve

    return enter


def lower_getattr(kind, attribute):
    """Be the decorator of the code, of context, builder, type and value, that reads an attribute."""

    def enter(code):
        _getters.append((kind, attribute, code))
        return code

    return enter


def lower_getattr_generic(kind):
    """Be the decorator of the code that reads attributes that have no other; it gets the name last."""

    def enter(code):
        _getters.append((kind, None, code))
        return code

    return enter


def lower_setattr(kind, attribute):
    """Be the decorator of the code, of context, builder, signature and values, that sets an attribute."""
    return _setting(kind, attribute)


def lower_setattr_generic(kind):
    """Be the decorator of the code that sets attributes that have no other; it gets the name last."""
    return _setting(kind, None)


def _setting(kind, attribute):
    def enter(code):
        _setters.append((kind, attribute, code))
        if attribute is None:
            register_native("setattribute:*", _setter, kind)
        else:
            register_native(f"setattribute:{attribute}", _setter(attribute), kind)
        return code

    return enter


def _setter(name):
    def set_attribute(context, receiver, value):
        resolved = (
            one(context).resolve(receiver, name) for one in _attribute_templates if _is_of(receiver, one.key)
        )
        kind = next((one for one in resolved if one is not None), None)
        if kind is None:
            raise TypingError(f"no template types the attribute '{name}' of {receiver}")
        code = _nearest(_setters, receiver, name)

        def generate(context, builder, signature, arguments):
            code(context, builder, signature, arguments)

        return types.none(receiver, kind), generate

    return set_attribute


def _nearest(table, receiver, name):
    """Find the code for an attribute of a type: that of its name first, and of the nearest class."""
    bases = type(receiver).__mro__
    found = [
        (of_name is None, bases.index(kind) if kind in bases else -1, -at, code)
        for at, (kind, of_name, code) in enumerate(table)
        if of_name in (None, name) and _is_of(receiver, kind)
    ]
    if not found:
        return None
    is_generic, *_, code = min(found, key=lambda one: one[:3])
    return (lambda *arguments: code(*arguments, name)) if is_generic else code


def _is_of(value, kind):
    return isinstance(value, kind) if isinstance(kind, type) else value == kind
