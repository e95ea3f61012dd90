"""Extending the compiler from Python: bodies for functions and methods that it doesn't know.

An overload is a function of argument types. It returns a Python function to be compiled in place of the call,
or None if it has nothing for these types::

    @overload(scipy.special.expit)
    def expit_overload(x):
        if isinstance(x, types.Float):
            def expit(x):
                return 1 / (1 + math.exp(-x))
            return expit
"""

from pyopt import _core
from pyopt.bindings import REDUCTION_IDENTITY, collect_body, qualified_name
from pyopt.dispatcher import Dispatcher
from pyopt.types import Array, from_text

__all__ = [
    "intrinsic",
    "is_jitted",
    "overload",
    "overload_method",
    "reduction",
    "register_jitable",
]

_overloads = {}
_names = {}


def reduction(function=None, /, **options):
    """Declare that a function of two values is a reduction, which ``prange`` may do in parts.

    ``reduction(identity=value)`` decorates a Python function, or one that ``njit`` has compiled, of two
    arguments: what earlier iterations found and what later ones did. It gives what both are together. With
    ``acc = f(acc, value)`` in its body, also under ``if`` or in inner loops, a ``prange`` reduces ``acc``, a
    number or a tuple of numbers. ``identity`` is a constant that changes nothing: ``f(identity, x)`` and
    ``f(x, identity)`` are ``x``. ``f(f(a, b), c)`` must be ``f(a, f(b, c))``; ``f(a, b)`` may differ from
    ``f(b, a)``, as the parts are combined in the order of the iterations.

    Everywhere else the function is what it is. Raise ``TypeError`` for one that doesn't take two arguments,
    or when ``identity`` is missing.
    """
    if function is not None or set(options) != {"identity"}:
        raise TypeError("reduction takes the value that changes nothing: @reduction(identity=...)")

    def declare(function):
        python = getattr(function, "py_func", function)
        code = getattr(python, "__code__", None)
        if code is None:
            raise TypeError(f"a reduction is a Python function, not {function!r}")
        if code.co_argcount != 2 or code.co_kwonlyargcount or code.co_flags & 0x0C:
            place = f"{code.co_filename}:{code.co_firstlineno}"
            raise TypeError(f"{place}: the reduction {python.__qualname__} must take two arguments")
        setattr(python, REDUCTION_IDENTITY, options["identity"])
        return function

    return declare


def register_jitable(function=None, **options):
    """Mark a function that compiled code calls; in Python it stays what it is.

    It is compiled with its caller, under the caller's options, as any Python function is: its own have no
    effect.
    """
    return (lambda function: function) if function is None else function


def overload(function, *, strict=True, **options):
    """Register the decorated function as an overload of ``function``, a Python or NumPy function.

    The last one that was registered is asked first. With ``strict``, a body must have the parameters of the
    overload. Numba's other options have no effect: bodies follow those of the function that calls them.
    """
    name = qualified_name(function)

    def register(implementation):
        _names[id(function)] = (function, name)
        return _register(name, implementation, strict)

    return register


def overload_method(type_class, name, *, strict=True, **options):
    """Register the decorated function as an overload of a method of ``types.Array``.

    Those of other types aren't found yet: a call in compiled code is refused.
    """
    if type_class is not Array:
        return lambda implementation: implementation
    return lambda implementation: _register(f"array.{name}", implementation, strict)


def is_jitted(function):
    """Whether a function is compiled."""
    return isinstance(function, Dispatcher)


def intrinsic(function=None, /, **options):
    """Decorate a function that writes code as Numba's compiler has it; it is refused where it is called."""
    if function is None:
        return intrinsic
    from pyopt.missing import Missing

    return Missing(f"the intrinsic {function.__module__}.{function.__qualname__}")


def __getattr__(name):
    from pyopt import missing

    if name in ("as_numba_type", "typeof_impl"):
        return _Registered
    if name in ("infer", "infer_getattr"):
        return missing.accept_bare
    if name in _DECORATORS:
        return missing.accept
    if name == "make_attribute_wrapper":
        return missing.ignore
    if name == "get_cython_function_address":
        from pyopt.cfuncs import get_cython_function_address

        return get_cython_function_address
    if name in ("models", "NativeValue", "SentryLiteralArgs"):
        return missing.missing(f"extending.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


# Decorators for implementations in Numba's own terms: taken, and never asked.
_DECORATORS = frozenset(
    "box lower_builtin lower_cast lower_getattr lower_getattr_generic lower_setattr lower_setattr_generic "
    "overload_attribute overload_classmethod reflect register_model type_callable unbox".split()
)


class _Registered:
    """Numba's tables of what Python's classes are typed as: nothing that is entered is asked."""

    @staticmethod
    def register(*args):
        """Take an entry, or be the decorator of one."""
        return args[-1] if len(args) == 2 else lambda function: function


def _register(name, implementation, strict):
    _overloads.setdefault(name, []).insert(0, (implementation, strict))
    _core.register_overload(name)
    return implementation


def overloaded_name(value):
    """Return the name of a function that has overloads, or None."""
    function, name = _names.get(id(value), (None, None))
    return name if function is value else None


def resolve(name, arguments):
    """Describe the body for a call's arguments, each ``(keyword or None, type)``, or return None."""
    positional = [from_text(text) for keyword, text in arguments if keyword is None]
    keywords = {keyword: from_text(text) for keyword, text in arguments if keyword is not None}
    from inspect import signature

    for implementation, strict in _overloads[name]:
        try:
            signature(implementation).bind(*positional, **keywords)
        except TypeError:
            continue  # one with other parameters is meant
        body = implementation(*positional, **keywords)
        if body is None:
            continue
        if isinstance(body, Dispatcher):
            body = body.py_func
        if strict:
            _check_parameters(implementation, body)
        types = ", ".join(text for _, text in arguments)
        return collect_body(body, f"{name}({types})")
    return None


def _check_parameters(implementation, body):
    from inspect import signature

    expected, found = signature(implementation), signature(body)
    if list(expected.parameters) != list(found.parameters):
        raise TypeError(f"the body has the parameters {found}, the overload {expected}")
