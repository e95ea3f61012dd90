"""Overloads of methods of a class of types, and what overloads ask for literals with."""

from pyopt.dispatcher import NEEDS_VALUES
from pyopt.errors import RequireLiteralValue, TypingError
from pyopt.extending import overload
from pyopt.overload_parameters import check_parameters


def overload_classmethod(type_class, name, jit_options=None, strict=True, prefer_literal=False, **options):
    """Register the decorated function as an overload of a method of a class of types itself.

    It gets the type of the class first, and so does its body, which may not use it.
    """

    def register(implementation):
        stub = type_class.__dict__.get(name)
        if not isinstance(stub, _ClassMethod):
            stub = _ClassMethod(type_class, name)
            setattr(type_class, name, stub)
        overload(stub, jit_options, False, "never", prefer_literal)(
            stub.without_class(implementation, strict)
        )
        return implementation

    return register


class SentryLiteralArgs:
    """What an overload asks for literals with: ``SentryLiteralArgs(["x"]).for_function(f).bind(x, y)``."""

    def __init__(self, literal_args, function=None):
        """Keep the names of the parameters that are to be known by their values."""
        self.literal_args = tuple(literal_args)
        self._function = function

    def for_function(self, function):
        """Say whose parameters they are."""
        return SentryLiteralArgs(self.literal_args, function)

    def bind(self, *args, **kwargs):
        """Bind types to the parameters; refuse those that don't say a value."""
        from inspect import signature

        from pyopt.types import Literal

        bound = signature(self._function).bind(*args, **kwargs)
        for name in self.literal_args:
            if not isinstance(bound.arguments.get(name), Literal):
                raise RequireLiteralValue(f"{NEEDS_VALUES}: of '{name}'")
        return bound


class _ClassMethod:
    """What a class of types has where there are overloads of a method of the class."""

    def __init__(self, type_class, name):
        self.type_class = type_class
        self.__name__ = name
        self.__module__ = type_class.__module__
        self.__qualname__ = f"{type_class.__qualname__}.{name}"

    def __get__(self, instance, owner=None):
        """Be there for the class itself, and not for its subclasses and types."""
        if instance is not None or owner is not self.type_class:
            raise AttributeError(f"Unknown attribute '{self.__name__}' of {owner.__name__}")
        return self

    def __call__(self, *args, **kwargs):
        """Refuse."""
        raise NotImplementedError(f"'{self.__qualname__}' is for compiled code")

    def without_class(self, implementation, strict):
        """Make an overload of the other parameters."""
        from pyopt.types import TypeRef

        def implement(*args, **kwargs):
            body = implementation(TypeRef(self.type_class), *args, **kwargs)
            if body is None:
                return None
            function = getattr(body, "py_func", body)
            if strict:
                check_parameters(implementation, function)
            return _bound(function)

        return implement


def _bound(function):
    """Make a function of all parameters of another one but the first, which is None."""
    from inspect import signature

    _, *parameters = signature(function).parameters.values()
    scope = {"function": function, "__name__": function.__module__}
    listed, passed = [], ["None"]
    for one in parameters:
        if one.kind not in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD):
            raise TypingError(f"the parameter '{one}' of the body of a class method")
        passed.append(one.name)
        listed.append(one.name)
        if one.default is not one.empty:
            scope[f"{one.name}_default"] = one.default
            listed[-1] = f"{one.name}={one.name}_default"
    exec(f"def method({', '.join(listed)}):\n    return function({', '.join(passed)})\n", scope)
    return scope["method"]
